import { describe, expect, it, vi } from 'vitest';
import { tools as aiSdkTools } from '../../src/faces/adapters/ai-sdk.ts';
import { tools as anthropicTools } from '../../src/faces/adapters/anthropic.ts';
import { tools as geminiTools } from '../../src/faces/adapters/gemini.ts';
import { tools as langchainTools } from '../../src/faces/adapters/langchain.ts';
import { tools as mastraTools } from '../../src/faces/adapters/mastra.ts';
import { agentTools, chatTools, tools as openaiTools } from '../../src/faces/adapters/openai.ts';
import { tools, toolsOf } from '../../src/faces/adapters/tools.ts';
import { call, openWorkspace, UsageError } from '../../src/index.ts';
import { Workspace } from '../../src/workspace/workspace.ts';
import { CALLS, CANCELLED, project } from '../support/adapters.ts';

describe('agent-ls/tools', () => {
  it.each(CALLS)('%s', async (_, input, text, isError) => {
    const root = project();
    const workspace = await openWorkspace(root);
    for (const [tool] of [await tools(root), await tools(workspace), toolsOf('standard', workspace)]) {
      const answered = await tool?.execute(input);
      expect(answered).toMatchObject({ text, isError });
      expect(answered?.answer).toMatchObject({ ...(await call('standard', input as unknown, workspace)), stats: {} });
    }
  });

  it('ends with the signal', async () => {
    const [tool] = await tools(project());
    expect(await tool?.execute({}, { signal: AbortSignal.abort() })).toMatchObject({ text: CANCELLED, isError: true });
  });

  it('has a schema that is JSON Schema and Standard Schema, and refuses nothing by itself', async () => {
    const [tool] = await tools(project());
    const schema = tool?.parameters;
    expect(schema?.['~standard'].jsonSchema.input()).toEqual(JSON.parse(JSON.stringify(schema)));
    expect(schema?.['~standard'].validate({ limit: 'many' })).toEqual({ value: { limit: 'many' } });
  });

  it('tells a program what is wrong with its call', async () => {
    const workspace = await openWorkspace(project());
    expect(() => toolsOf('standart' as never, workspace)).toThrow(
      'Unknown dialect "standart". Did you mean \'standard\'?',
    );
    expect(() => toolsOf('standard', '/abs' as never)).toThrow("cannot open '/abs': no such directory");
    const [tool] = toolsOf('standard', workspace);
    await expect(tool?.execute({}, { signal: 'soon' } as never)).rejects.toThrow('signal must be an AbortSignal.');
    await expect(tool?.execute({}, { sginal: null } as never)).rejects.toThrow(UsageError);
  });
});

describe.each<[string, (root: never, options?: never) => Promise<unknown>]>([
  ['tools', tools],
  ['ai-sdk', aiSdkTools],
  ['openai', openaiTools],
  ['openai, chat', chatTools],
  ['openai, agents', agentTools],
  ['anthropic', anthropicTools],
  ['gemini', geminiTools],
  ['langchain', langchainTools],
  ['mastra', mastraTools],
])('agent-ls/%s', (_, open) => {
  const opened = (root: unknown, options?: unknown) => open(root as never, options as never);

  it.each([
    [{ dialcet: 'codex' }, "tools has no option 'dialcet'. Did you mean 'dialect'?"],
    [{ dialect: 'codec' }, 'Unknown dialect "codec". Did you mean \'codex\'?'],
    [{ cwd: 5 }, 'cwd must be a string.'],
    [null, 'tools takes an object of options.'],
  ])('refuses the options %j', async (options, message) => {
    await expect(opened(project(), options)).rejects.toThrow(new UsageError(message));
  });

  it('refuses what is no directory, and a cwd for a workspace that has its own', async () => {
    await expect(opened(5)).rejects.toThrow('The root must be the path of a directory.');
    await expect(opened('/nothing/here')).rejects.toThrow('cannot open');
    const workspace = await openWorkspace(project());
    await expect(opened(workspace, { cwd: 'src' })).rejects.toThrow('A workspace has a cwd of its own');
  });

  it('closes the roots that it opened if one of them cannot be opened', async () => {
    const [root, own] = [project(), await openWorkspace(project())];
    const close = vi.spyOn(Workspace.prototype, 'close');
    await expect(opened([root, own, '/none'])).rejects.toThrow("cannot open '/none'");
    const closed = close.mock.contexts.map((one) => (one as Workspace).realPath);
    close.mockRestore();
    expect(closed).toEqual([root]);
  });

  it('names the tool of the dialect', async () => {
    for (const [dialect, name] of [
      [undefined, 'LS'],
      ['gemini', 'list_directory'],
      ['codex', 'list_dir'],
    ] as const) {
      const set = await opened(project(), { dialect, cwd: 'src' });
      expect(Object.keys(set as object).includes(name) || JSON.stringify(set).includes(`"name":"${name}"`)).toBe(true);
    }
  });
});
