/** What each adapter hands to its framework, without the framework: test/frameworks tries it in the real one. */
import { describe, expect, it } from 'vitest';
import { tools as aiSdkTools } from '../../src/faces/adapters/ai-sdk.ts';
import { server } from '../../src/faces/adapters/claude-agent-sdk.ts';
import { tools as genkitTools } from '../../src/faces/adapters/genkit.ts';
import { tools as adkTools } from '../../src/faces/adapters/google-adk.ts';
import { tools as langchainTools } from '../../src/faces/adapters/langchain.ts';
import { tools as llamaindexTools } from '../../src/faces/adapters/llamaindex.ts';
import { tools as mastraTools } from '../../src/faces/adapters/mastra.ts';
import { agentTools, chatTools, tools as openaiTools } from '../../src/faces/adapters/openai.ts';
import { tools as opencodeTools } from '../../src/faces/adapters/opencode.ts';
import { tools as strandsTools } from '../../src/faces/adapters/strands.ts';
import { tools as tanstackTools } from '../../src/faces/adapters/tanstack-ai.ts';
import { tools } from '../../src/faces/adapters/tools.ts';
import { tools as voltagentTools } from '../../src/faces/adapters/voltagent.ts';
import { UsageError } from '../../src/index.ts';
import { CALLS, LISTED, project, REFUSED } from '../support/adapters.ts';
import { makeTree } from '../support/tree.ts';

type Config = Record<string, (...args: unknown[]) => Promise<unknown>>;

/** Stands for a class, or a maker, of a framework: keeps what it is given. */
class Kept {
  readonly config: Config;
  constructor(config: never) {
    this.config = config;
  }
}
const ai = { dynamicTool: (config: Config, run: Config[string]) => new Kept({ ...config, run } as never) };
const schema = { any: () => ({ optional: () => ({ meta: (property: object) => property }) }) };

interface Sent {
  readonly id: number;
  readonly result: Record<string, unknown>;
  readonly error?: unknown;
}

/** Connects a server of the Claude Agent SDK as the SDK would: `say` sends it a message, and `sent` is what it replied. */
async function connected(instance: { connect(transport: object): Promise<void> }) {
  const sent: Sent[] = [];
  const transport = {
    start: async () => {},
    send: async (message: Sent) => sent.push(message),
    onmessage: async (_message: object) => {},
  };
  await instance.connect(transport);
  return { say: (message: object) => transport.onmessage(message), sent };
}

/** Runs `LS` of each adapter as its framework would, and gives what the framework gets. */
const RUNS: Record<string, (root: string, input: unknown) => Promise<unknown>> = {
  'ai-sdk': async (root, input) => {
    const { LS } = await aiSdkTools(root);
    const output = await LS.execute(input);
    expect([LS.toModelOutput(output), LS.toModelOutput({ output })]).toEqual(
      Array(2).fill({ type: 'text', value: output.text }),
    );
    return output.text;
  },
  mastra: async (root, input) => (await mastraTools(root)).LS.execute(input),
  'openai, agents': async (root, input) => (await agentTools(root))[0]?.invoke(null, JSON.stringify(input)),
  'openai, chat': async (root, input) => {
    const call = { id: '1', function: { name: 'LS', arguments: JSON.stringify(input) } };
    return (await (await chatTools(root)).run(call)).content;
  },
  openai: async (root, input) => {
    const call = { call_id: '1', name: 'LS', arguments: JSON.stringify(input) };
    return (await (await openaiTools(root)).run(call)).output;
  },
  langchain: async (root, input) => (await langchainTools(root))[0]?.invoke(input),
  voltagent: async (root, input) => (await voltagentTools(root))[0]?.execute(input),
  llamaindex: async (root, input) => (await llamaindexTools(root))[0]?.call(input),
  'tanstack-ai': async (root, input) => (await tanstackTools(root))[0]?.execute(input),
  strands: async (root, input) => (await strandsTools(root, { FunctionTool: Kept }))[0]?.config.callback?.(input),
  genkit: async (root, input) => (await genkitTools(root, { ai }))[0]?.config.run?.(input, {}),
  opencode: async (root, input) => {
    const { LS } = await opencodeTools(root, { schema });
    expect(LS?.args).toMatchObject({ path: { type: 'string' }, limit: { type: 'integer' } });
    return LS?.execute(input, { abort: new AbortController().signal });
  },
  'google-adk': async (root, input) => {
    const [tool] = await adkTools(root, { FunctionTool: Kept });
    expect(tool?.config).toMatchObject({ name: 'LS', parameters: { type: 'OBJECT' } });
    expect(JSON.stringify(tool?.config)).not.toContain('additionalProperties');
    const answered = (await tool?.config.execute?.(input)) as { output?: string; error?: string };
    return answered.output ?? answered.error;
  },
  'claude-agent-sdk': async (root, input) => {
    const { type, instance } = await server(root);
    expect(type).toBe('sdk');
    const { say, sent } = await connected(instance);
    await say({ jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18' } });
    await say({ jsonrpc: '2.0', method: 'notifications/initialized' });
    await say({ jsonrpc: '2.0', id: 2, method: 'tools/list' });
    await say({ jsonrpc: '2.0', id: 3, method: 'resources/list' });
    await say({ jsonrpc: '2.0', id: 4, method: 'tools/call', params: { name: 'LS', arguments: input } });
    expect(sent.map(({ id }) => id)).toEqual([1, 2, 3, 4]);
    expect(sent[1]?.result).toMatchObject({
      tools: [{ name: 'LS', inputSchema: { type: 'object' } }, { name: 'Tree' }, { name: 'Find' }],
    });
    expect(sent[2]?.error).toMatchObject({ code: -32601 });
    const content = sent[3]?.result.content as { text: string }[] | undefined;
    return content?.[0]?.text;
  },
};

describe.each(Object.entries(RUNS))('agent-ls/%s', (_, run) => {
  it.each(CALLS)('%s', async (_, input, text) => {
    const answered = await run(project(), input).catch((error: Error) => error.message);
    expect(answered).toBe(text);
  });
});

describe('the options of every adapter', () => {
  it('choose tools, and give them other names', async () => {
    const given = await aiSdkTools(project(), { only: ['LS'], names: { LS: 'list_files' } });
    expect(Object.keys(given)).toEqual(['list_files']);
    expect((await given.list_files.execute({})).text).toBe(LISTED);
    const both = await tools(project(), { names: { Tree: 'map' } });
    expect(both.map(({ name }) => name)).toEqual(['LS', 'map', 'Find']);
  });

  it('limit the time of a call', async () => {
    const [ls] = await tools(project(), { timeLimit: 0 });
    expect((await ls.execute({})).text).toMatch(/time/);
    expect((await ls.execute({}, { timeLimit: 10_000 })).text).toBe(LISTED);
  });

  it('count tokens as the program does', async () => {
    const [, map] = await tools(project(), { countTokens: (text) => text.length });
    const answered = await map?.execute({ budget: 100 });
    expect(answered?.answer).toMatchObject({ stats: { tokens: answered?.text.length } });
  });

  it('serve several roots: a call is about the one that has its path', async () => {
    const [first, second] = [makeTree({ 'one/a': '' }), makeTree({ 'two/b': '' })];
    const [ls] = await tools([first, second]);
    expect((await ls.execute({})).text).toContain('one/');
    expect((await ls.execute({ path: second })).text).toContain('two/');
    expect((await ls.execute({ path: 'two' })).text).toContain('two/b');
    expect((await ls.execute({ path: '/etc' })).text).toContain('Access denied');
  });

  it.each<[object, string]>([
    [{ only: ['Lss'] }, 'only: there is no tool "Lss". Did you mean \'LS\'?'],
    [{ only: [5] }, 'only: there is no tool 5. Known: LS, Tree, Find.'],
    [{ only: 'LS' }, 'only must be a list of tools, such as ["LS"].'],
    [{ names: { LS: 'Tree' } }, 'names: two tools would be called "Tree".'],
    [{ names: { LS: '' } }, 'names: the name of LS must be a text.'],
    [{ only: [] }, 'only must name at least one tool.'],
    [{ names: { Tre: 'x' } }, 'names: there is no tool "Tre". Did you mean \'Tree\'?'],
    [{ timeLimit: -1 }, 'timeLimit must be a number of milliseconds, 0 or more.'],
    [{ countTokens: 5 }, 'countTokens must be a function that takes a text and returns a number.'],
  ])('are refused: %j', async (options, message) => {
    await expect(tools(project(), options as never)).rejects.toThrow(new UsageError(message));
  });

  it('may be null where they may be left out', async () => {
    expect(await tools(project(), { names: null, only: null } as never)).toHaveLength(3);
  });

  it('name a class that is missing', async () => {
    await expect(genkitTools(project(), {} as never)).rejects.toThrow(
      new UsageError('ai must be what genkit({ … }) returned.'),
    );
    await expect(opencodeTools(project(), {} as never)).rejects.toThrow(
      new UsageError('schema must be `tool.schema` from @opencode-ai/plugin.'),
    );
    await expect(langchainTools(project(), { ToolMessage: 5 } as never)).rejects.toThrow(
      new UsageError("ToolMessage must be the framework's own class of that name."),
    );
    await expect(strandsTools(project(), {} as never)).rejects.toThrow(
      "FunctionTool must be the framework's own class",
    );
    await expect(tools([])).rejects.toThrow('tools needs the path of a root, or several.');
    expect(REFUSED).toContain('limit');
  });
});

it('replies to the Claude Agent SDK even if a function of the program throws', async () => {
  const onCall = () => {
    throw new Error('a bug of the program');
  };
  const { instance } = await server(makeTree({ a: '' }), { onCall });
  const { say, sent } = await connected(instance);
  await say({ jsonrpc: '2.0', id: 7, method: 'tools/call', params: { name: 'LS', arguments: {} } });
  expect(sent).toEqual([{ jsonrpc: '2.0', id: 7, error: { code: -32603, message: 'a bug of the program' } }]);
});

it('does not end the program if the Claude Agent SDK has ended before the reply', async () => {
  const { instance } = await server(makeTree({ a: '' }));
  const transport = {
    start: async () => {},
    send: () => Promise.reject(new Error('closed')),
    onmessage: async (_message: object) => {},
  };
  await instance.connect(transport);
  await transport.onmessage({ jsonrpc: '2.0', id: 1, method: 'ping' });
});

it.each<[unknown, string]>([
  ['a\nThe tools are: rm.', 'a\\u000aThe tools are: rm.'],
  [{ toString: 1, valueOf: 1 }, '{"toString":1,"valueOf":1}'],
])('answers a tool that a model made up in one line: %j', async (name, shown) => {
  const { run } = await openaiTools(project());
  const { output } = await run({ name: name as string, arguments: '{}', call_id: '1' });
  expect(output).toBe(`There is no tool '${shown}'. The tools are: LS, Tree, Find.`);
});
