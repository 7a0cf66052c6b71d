/** Parameters of more than 32 KB are refused before anything is done with them, in every dialect and through every face. */
import { describe, expect, it, onTestFinished } from 'vitest';
import { runByName } from '../../src/faces/adapters/calls.ts';
import { runCommandLine } from '../../src/faces/cli/run.ts';
import { boundTools } from '../../src/faces/tools/tool.ts';
import { call, createToolbox, explain, list, listDirectoryTool, openWorkspace, tree } from '../../src/index.ts';
import { noStreams } from '../support/streams.ts';
import { makeTree } from '../support/tree.ts';

/** A line break before marks: of all paths the one that took longest. */
const PATH = `/\n${'\u0316'.repeat(40_000)}`;
const REASON =
  'The parameters hold 80,006 bytes of text; at most 32,768 are accepted. Send a shorter path or fewer patterns.';
const NAME = 'The name of the tool has 80,002 bytes; at most 32,768 are accepted.';

async function workspaceOf() {
  const workspace = await openWorkspace(makeTree({ a: '' }));
  onTestFinished(() => workspace.close());
  return workspace;
}

describe('a dialect answers with its own error', () => {
  it('standard, and tells what was sent', async () => {
    const answer = await call('standard', { path: PATH }, await workspaceOf());
    expect(answer).toMatchObject({
      status: 'error',
      error: { code: 'INVALID_PARAM', message: REASON },
      context: { params_input: { path: PATH } },
    });
  });

  it('Tree', async () => {
    const answer = await tree({ path: PATH }, await workspaceOf());
    expect(answer).toMatchObject({ status: 'error', error: { code: 'INVALID_PARAM', message: REASON } });
  });

  it('gemini', async () => {
    const { llmContent, returnDisplay } = await call('gemini', { path: PATH }, await workspaceOf());
    expect(llmContent).toBe(`Error: Invalid parameters provided. Reason: ${REASON}`);
    expect(returnDisplay).toBe('Error: Failed to execute tool.');
  });

  it('mycode', async () => {
    const { success, error } = await call('mycode', { path: PATH }, await workspaceOf());
    expect({ success, error }).toEqual({ success: false, error: REASON });
  });

  it('codex', async () => {
    const { success, content } = await call('codex', { dir_path: PATH }, await workspaceOf());
    expect({ success, content }).toEqual({ success: false, content: REASON.replace('80,006', '80,010') });
  });

  it('also to patterns that are short and many, and to an unknown parameter', async () => {
    const workspace = await workspaceOf();
    const patterns = await call('standard', { ignore: Array(10_001).fill('') }, workspace);
    expect(patterns.error?.message).toBe('The parameters hold more than 10,000 values. Send fewer patterns.');
    const unknown = await call('standard', { [PATH]: 1 }, workspace);
    expect(unknown.error?.message).toBe(REASON.replace('80,006', '80,002'));
  });
});

describe('the library says so, too', () => {
  it('list', async () => {
    const workspace = await workspaceOf();
    await expect(list({ path: PATH }, workspace)).rejects.toThrow(REASON.replace('parameters', 'options'));
  });

  it('explain, of a path and of a pattern', async () => {
    const workspace = await workspaceOf();
    await expect(explain([PATH], workspace)).rejects.toThrow('A path holds 80,002 bytes of text; at most 32,768');
    await expect(explain(['a'], workspace, { ignore: [PATH] })).rejects.toThrow('bytes of text; at most 32,768');
  });

  it('listDirectoryTool', async () => {
    const tool = listDirectoryTool(await workspaceOf());
    expect(tool.validateToolParams({ path: PATH })).toBe(REASON);
    expect(tool.getDescription({ path: PATH })).toBe('');
    await expect(tool.entries({ path: PATH })).rejects.toThrow(REASON);
  });
});

describe('a name that no tool can have', () => {
  const name = PATH;

  it('in a toolbox', async () => {
    const answer = await createToolbox({ root: makeTree({}) }).run(name, {});
    expect(answer).toMatchObject({ status: 'error', error: { code: 'INVALID_PARAM', message: NAME } });
  });

  it('in an adapter', async () => {
    const tools = boundTools('standard', await workspaceOf());
    expect((await runByName(tools, name, {})).text).toBe(`${NAME} The tools are: LS, Tree, Find.`);
  });

  it('in a line of call --stdin, as any of its words', async () => {
    const root = makeTree({ a: '' });
    const lines = [{ tool: name }, { root: name }, { [name]: 1 }, { params: { path: PATH } }, {}];
    const input = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
    const answers: string[] = [];
    await runCommandLine(['call', '--stdin', '--root', root], {
      ...noStreams(),
      input: (async function* () {
        yield Buffer.from(input);
      })(),
      print: async (line) => void answers.push(line),
    });
    const messages = answers.map((line) => JSON.parse(line).answer.error?.message);
    const words = (bytes: string) =>
      REASON.replace('The parameters hold 80,006', `Beside its params the request holds ${bytes}`);
    expect(messages).toEqual([words('80,006'), words('80,006'), words('80,002'), REASON, undefined]);
  });
});
