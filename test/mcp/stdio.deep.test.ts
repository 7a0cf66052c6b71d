/** The command on stdio, as a process that is spoken to in lines. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { emptyDirectory, makeTree } from '../support/tree.ts';
import { callOf, INITIALIZE, INITIALIZED, longCall, startRaw } from './clients.ts';

const long = longCall();

describe('agent-ls mcp on stdio', () => {
  it('lives through garbage, and says so on stderr', async () => {
    const server = startRaw([makeTree({ a: '' })]);
    server.say('garbage', '{"jsonrpc":', '[]', 'null', '7', '{}', '\u0000\ufffd', 'x'.repeat(3_000_000), '');
    server.say({ jsonrpc: '2.0', id: {}, method: 7 }, INITIALIZE, INITIALIZED, callOf(1, {}));
    expect(await server.response(1)).toMatchObject({ result: { content: [{ type: 'text' }] } });
    server.say('garbage', callOf(2, {}));
    expect(await server.response(2)).toMatchObject({ result: { content: [{ type: 'text' }] } });
    expect(server.messages().map(({ id }) => id)).toEqual([null, 0, 1, 2]);
    expect(server.err()).toContain('agent-ls mcp: a line is not a JSON object and was ignored\n');
    expect(server.err()).toContain('agent-ls mcp: a message is longer than 1048576 bytes and was ignored\n');
    server.child.stdin.end();
    expect(await server.exited).toBe(0);
  });

  it('answers a request that is too long or cannot be parsed by its id, wherever that stands', async () => {
    const server = startRaw([makeTree({ a: '' })]);
    server.say(INITIALIZE, INITIALIZED);
    await server.response(0);
    const params = { name: 'LS', arguments: { path: 'x'.repeat(1_500_000) } };
    const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
    server.say(
      { jsonrpc: '2.0', id: 1, method: 'tools/call', params },
      // As the SDKs write it.
      { method: 'tools/call', params, jsonrpc: '2.0', id: 'two' },
      `{"jsonrpc":"2.0","method":"tools/call","params":{"name":"LS","arguments":{"ignore":${deep}}},"id":3}`,
      `{"jsonrpc":"2.0","method":"tools/call","params":{"name":LS},"id":4}`,
      // Nobody waits for an answer to these.
      { jsonrpc: '2.0', method: 'notifications/x', params },
      { jsonrpc: '2.0', id: 1, result: params },
      callOf(5, {}),
    );
    await server.response(5);
    const answers = server.messages().slice(1);
    expect(answers.map(({ id }) => id)).toEqual([1, 'two', 3, 4, 5]);
    const long = { code: -32600, message: expect.stringMatching(/at most 1048576 bytes.* Send /) };
    const broken = { code: -32700, message: expect.stringMatching(/not valid JSON, or is nested too deeply.* Send /) };
    expect(answers.map(({ error }) => error)).toEqual([long, long, broken, broken, undefined]);
  });

  it('takes null for params and arguments that are not set, and a byte order mark for nothing', async () => {
    const server = startRaw([makeTree({ a: '' })]);
    server.say(`\ufeff${JSON.stringify(INITIALIZE)}`, { ...INITIALIZED, params: null });
    server.say({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'LS', arguments: null } });
    server.say({ jsonrpc: '2.0', id: 2, method: 'tools/list', params: null });
    expect(await server.response(0)).toMatchObject({ result: { serverInfo: {} } });
    expect(await server.response(1)).toMatchObject({ result: { content: [{ type: 'text' }] } });
    expect(await server.response(2)).toMatchObject({ result: { tools: [{}, {}, {}] } });
    expect(server.err()).toBe('');
  });

  it('answers a request that is none, too, in whatever state the connection is', async () => {
    const server = startRaw([makeTree({ a: '' })]);
    const wrong = [
      { jsonrpc: '1.0', id: 1, method: 'ping' },
      { jsonrpc: '2.0', id: 2, method: 'ping', params: [] },
      { jsonrpc: '2.0', id: 3, method: 'tools/call', params: { name: 'LS', _meta: { progressToken: {} } } },
      { jsonrpc: '2.0', id: 'four', method: 'ping', result: {} },
      { jsonrpc: '2.0', id: null, method: 'ping' },
      { jsonrpc: '2.0', id: 1.5, method: 'ping' },
    ];
    server.say(...wrong, INITIALIZE, INITIALIZED, ...wrong);
    server.child.stdin.end();
    expect(await server.exited).toBe(0);
    const refused = server.messages().filter(({ error }) => error !== undefined);
    expect(refused.map(({ id }) => id)).toEqual([1, 2, 3, 'four', null, 1.5, 1, 2, 3, 'four', null, 1.5]);
    for (const { error } of refused)
      expect(error).toEqual({ code: -32600, message: expect.stringMatching(/^Invalid request: /) });
  });

  it('ends with status 0 when stdin does, even before a word was said', async () => {
    const server = startRaw([makeTree({})]);
    server.child.stdin.end();
    expect(await server.exited).toBe(0);
    expect(server.err()).toBe('');
  });

  it('answers what was asked before stdin ended', async () => {
    const server = startRaw(long.words);
    server.say(INITIALIZE, INITIALIZED, ...Array.from({ length: 5 }, (_, i) => callOf(i + 1, long.input)));
    server.child.stdin.end();
    expect(await server.exited).toBe(0);
    expect(
      server
        .messages()
        .map(({ id }) => id)
        .sort(),
    ).toEqual([0, 1, 2, 3, 4, 5]);
  });

  it.runIf(process.platform !== 'win32')('answers what was asked before SIGTERM, and ends with status 0', async () => {
    const server = startRaw(long.words);
    server.say(INITIALIZE, INITIALIZED);
    await server.response(0);
    server.say(callOf(1, long.input, { _meta: { progressToken: 7 } }));
    // It is under way: the call has told so.
    while (server.messages().length < 2) await new Promise((resolve) => setTimeout(resolve, 1));
    server.child.kill('SIGTERM');
    expect(await server.exited).toBe(0);
    expect(server.messages().at(-1)).toMatchObject({ id: 1, result: {} });
  });

  it('stops a call that is cancelled, and does not answer it', async () => {
    const server = startRaw(long.words);
    server.say(INITIALIZE, INITIALIZED);
    await server.response(0);
    const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } };
    server.say(callOf(1, long.input), cancel, callOf(2, { limit: 1 }));
    expect(await server.response(2)).toMatchObject({ result: { content: [{ type: 'text' }] } });
    server.child.stdin.end();
    expect(await server.exited).toBe(0);
    expect(server.messages().map(({ id }) => id)).toEqual([0, 2]);
  });

  it('tells progress only to who asks for it', async () => {
    const server = startRaw(long.words);
    server.say(
      INITIALIZE,
      INITIALIZED,
      callOf(1, long.input),
      callOf(2, long.input, { _meta: { progressToken: 'two' } }),
    );
    await Promise.all([server.response(1), server.response(2)]);
    const told = server.messages().filter(({ method }) => method === 'notifications/progress');
    expect(told.length).toBeGreaterThan(0);
    for (const { params } of told) expect(params.progressToken).toBe('two');
  });

  it.each([
    [['--http', 'x'], "--http takes a port, 0 to 65535, not 'x'."],
    [['--http', '70000'], "--http takes a port, 0 to 65535, not '70000'."],
    [['a', '--root', 'b'], 'Name the roots as ROOT or by --root, not both.'],
    [['a', 'b', '--cwd', 'c'], '--cwd is for a single root.'],
    [['--dialect', 'gemin'], 'Unknown dialect "gemin". Did you mean'],
    [['--max-characters', '10'], "--max-characters takes a number, 1000 or more, not '10'."],
    [['--structure'], "Unknown option '--structure'. Did you mean '--structured'?"],
  ])('%j is wrong usage', async (words, reason) => {
    const server = startRaw(words);
    expect(await server.exited).toBe(2);
    expect(server.err()).toContain(`agent-ls: ${reason}`);
  });

  it('starts where a root is missing, says so, and lists it once it is there', async () => {
    const root = join(emptyDirectory(), 'none');
    const server = startRaw([root]);
    server.say(INITIALIZE, INITIALIZED, callOf(1, {}));
    const problem = `Cannot open '${root}': no such directory. It is listed as soon as it is there; `;
    expect(await server.response(0)).toMatchObject({ result: { instructions: expect.stringContaining(problem) } });
    expect(await server.response(1)).toMatchObject({
      result: { isError: true, content: [{ text: expect.stringMatching(new RegExp(`^${problem}`)) }] },
    });
    expect(server.err()).toMatch(/^agent-ls mcp: Cannot open '.*none'/);
    mkdirSync(join(root, 'new'), { recursive: true });
    server.say(callOf(2, {}));
    expect(JSON.stringify(await server.response(2))).toContain('new/');
  });

  it.each(['~', '~/', '$HOME', '$' + '{HOME}/'])(
    'takes %s for the home directory, as no shell does in a JSON file',
    async (root) => {
      const home = makeTree({ 'at-home': '' });
      vi.stubEnv('HOME', home);
      const server = startRaw([root], emptyDirectory());
      vi.unstubAllEnvs();
      server.say(INITIALIZE, INITIALIZED, callOf(1, {}));
      expect(JSON.stringify(await server.response(1))).toContain('at-home');
    },
  );

  it('takes a root for what it is if a shell would not have changed it', async () => {
    const server = startRaw(['./~'], makeTree({ '~/inside': '' }));
    server.say(INITIALIZE, INITIALIZED, callOf(1, {}));
    expect(JSON.stringify(await server.response(1))).toContain('inside');
  });

  it('--root and --cwd say where a relative path starts', async () => {
    const server = startRaw(['--root', makeTree({ 'src/a': '' }), '--cwd', 'src']);
    server.say(INITIALIZE, INITIALIZED, callOf(1, {}));
    expect(JSON.stringify(await server.response(1))).toContain("Listed 1 entries in 'src'");
  });
});
