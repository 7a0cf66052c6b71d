/** How many calls a server takes at a time, and that none of them runs out of descriptors. */
import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { describe, expect, it } from 'vitest';
import { makeChain, makeTree } from '../support/tree.ts';
import { COMMAND, callOf, INITIALIZE, INITIALIZED, listen, type Served, startRaw } from './clients.ts';

const HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

interface Message {
  readonly id: number | null;
  readonly error?: { readonly code: number; readonly message: string };
  readonly result?: { readonly isError?: boolean; readonly content: readonly { readonly text: string }[] };
}

/** Deep enough that a walk holds as many directories open as it ever does. */
function deepTree(): string {
  const root = makeTree({ 'a/b': '' });
  makeChain(root, 60);
  return root;
}

const treeCall = (id: number) => ({ ...callOf(id, {}), params: { name: 'Tree', arguments: {} } });
const callsOf = (count: number) =>
  Array.from({ length: count }, (_, i) => (i % 2 ? callOf(i + 1, {}) : treeCall(i + 1)));

/** The command in a process that may have so many descriptors. */
function withDescriptors(most: number, words: readonly string[]): readonly [string, readonly string[]] {
  return ['bash', ['-c', `ulimit -n ${most}; exec "$@"`, 'bash', process.execPath, COMMAND, 'mcp', ...words]];
}

async function post({ url }: Served, body: unknown): Promise<{ status: number; messages: Message[] }> {
  const request = httpRequest(url, { method: 'POST', headers: HEADERS, agent: false });
  request.end(JSON.stringify(body));
  const [response] = await once(request, 'response');
  let text = '';
  for await (const piece of response.setEncoding('utf8')) text += piece;
  const lines = text.startsWith('{')
    ? [text]
    : [...text.matchAll(/^data: (\{.*)$/gm)].map(([, line]) => line as string);
  return { status: response.statusCode, messages: lines.map((line) => JSON.parse(line)) };
}

describe('on stdio', () => {
  it('answers each of thousands of calls, by asking for those above the bound to be sent again', async () => {
    const server = startRaw([makeTree({ a: '' })]);
    server.say(INITIALIZE, INITIALIZED);
    await server.response(0);
    // Nobody reads an answer before all is sent.
    server.child.stdout.pause();
    server.say(...Array.from({ length: 5_000 }, (_, i) => callOf(i + 1, {})));
    await once(server.child.stdin, 'drain');
    server.child.stdout.resume();
    await server.received(5_001);
    server.child.stdin.end();
    expect(await server.exited).toBe(0);
    const messages: Message[] = server.messages();
    expect(messages.map(({ id }) => id).sort((a, b) => Number(a) - Number(b))).toEqual(
      Array.from({ length: 5_001 }, (_, i) => i),
    );
    const refused = messages.filter(({ error }) => error !== undefined);
    expect(refused.length).toBeGreaterThan(0);
    for (const { error } of refused) {
      expect(error).toEqual({
        code: -32000,
        message:
          'Too many calls at a time: 512 wait for their answers. Wait for some of them, then send this one again.',
      });
    }
  });

  it('counts calls that have the same id', async () => {
    const server = startRaw([makeTree({ a: '' })]);
    server.say(INITIALIZE, INITIALIZED);
    await server.response(0);
    server.child.stdout.pause();
    server.say(...Array.from({ length: 5_000 }, () => callOf(1, {})));
    await once(server.child.stdin, 'drain');
    server.child.stdout.resume();
    await server.received(5_001);
    server.child.stdin.end();
    expect(await server.exited).toBe(0);
    expect(server.messages()).toHaveLength(5_001);
    expect(server.messages().some(({ error }) => error?.code === -32000)).toBe(true);
  });

  it('takes a batch as its messages', async () => {
    const server = startRaw([makeTree({ a: '' })]);
    server.say(INITIALIZE, INITIALIZED, JSON.stringify([callOf(1, {}), [callOf(2, {})], 7, callOf(3, {})]));
    expect(await server.response(1)).toMatchObject({ result: {} });
    expect(await server.response(3)).toMatchObject({ result: {} });
    expect(server.err()).toBe('agent-ls mcp: a line is not a JSON object and was ignored\n'.repeat(2));
  });

  it.runIf(process.platform === 'linux')('needs few descriptors for many calls', async () => {
    const server = startRaw([], undefined, withDescriptors(256, [deepTree()]));
    server.say(INITIALIZE, INITIALIZED, ...callsOf(500));
    await server.received(501);
    server.child.stdin.end();
    expect(await server.exited).toBe(0);
    const messages: Message[] = server.messages();
    expect(messages).toHaveLength(501);
    expect(messages.filter(({ result }) => result === undefined || result.isError)).toEqual([]);
    expect(messages.filter(({ result }) => JSON.stringify(result).includes('could not be read'))).toEqual([]);
  });
});

describe('on HTTP', () => {
  it('counts the calls of a batch, and refuses the whole of one that is too many', async () => {
    const server = await listen([process.execPath, [COMMAND, 'mcp', deepTree(), '--http', '0']]);
    const answers = await Promise.all(Array.from({ length: 12 }, () => post(server, callsOf(100))));
    const refused = answers.filter(({ status }) => status === 503);
    expect(refused.length).toBeGreaterThan(0);
    for (const { messages } of refused) {
      expect(messages).toEqual([
        {
          jsonrpc: '2.0',
          id: null,
          error: { code: -32000, message: expect.stringMatching(/^Too many calls at a time: .*again/) },
        },
      ]);
    }
    const taken = answers.filter(({ status }) => status === 200);
    expect(taken.length).toBe(12 - refused.length);
    expect(taken.every(({ messages }) => messages.length === 100)).toBe(true);
    const batch = await post(server, callsOf(100));
    expect(batch.messages.map(({ id }) => id).sort((a, b) => Number(a) - Number(b))).toEqual(
      callsOf(100).map(({ id }) => id),
    );
    expect((await post(server, callsOf(101))).status).toBe(400);
  });

  it('answers a batch in which calls have the same id', async () => {
    const server = await listen([process.execPath, [COMMAND, 'mcp', makeTree({ a: '' }), '--http', '0']]);
    const { status } = await post(server, [callOf(1, {}), callOf(1, {}), callOf(1, {})]);
    expect(status).toBe(200);
    expect((await post(server, callOf(2, {}))).status).toBe(200);
  });

  it.runIf(process.platform === 'linux')('needs few descriptors for many calls', async () => {
    const server = await listen(withDescriptors(256, [deepTree(), '--http', '0']));
    const answers = await Promise.all(Array.from({ length: 40 }, () => post(server, callsOf(10))));
    const messages = answers.flatMap((answer) => answer.messages);
    expect(messages).toHaveLength(400);
    expect(messages.filter(({ result }) => result === undefined || result.isError)).toEqual([]);
    expect(messages.filter(({ result }) => JSON.stringify(result).includes('could not be read'))).toEqual([]);
  });
});
