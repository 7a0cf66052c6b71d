/** Connections to the HTTP server that send nothing, or not all of it: they keep nobody out, and do not stay. */
import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { connect, type Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { CONNECTION_TIMES } from '../../src/faces/mcp/connections.ts';
import { ENDING } from '../../src/faces/mcp/ending.ts';
import { serveOnHttp } from '../../src/faces/mcp/http.ts';
import { Roots } from '../../src/faces/mcp/roots.ts';
import { serverFor } from '../../src/faces/mcp/server.ts';
import { noStreams } from '../support/streams.ts';
import { makeTree } from '../support/tree.ts';
import { callOf, PLAIN_SETTINGS } from './clients.ts';

const HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
const HEAD = 'POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n';

const BODY = JSON.stringify(callOf(1, {}));
const WHOLE = `${HEAD.replace('99', `${BODY.length}\r\nAccept: ${HEADERS.accept}`)}${BODY}`;

const headWith = (token: string | null) =>
  token === null ? HEAD : HEAD.replace('\r\n\r\n', `\r\nAuthorization: Bearer ${token}\r\n\r\n`);

async function serve(token: string | null, limits: Parameters<typeof serveOnHttp>[4]): Promise<number> {
  const roots = Roots.open([makeTree({ a: '' })]);
  const stop = new AbortController();
  const said: string[] = [];
  const ended = serveOnHttp(
    () => serverFor(roots, PLAIN_SETTINGS),
    { port: 0, token },
    { ...noStreams(), complain: (text) => said.push(text) },
    stop.signal,
    limits,
  );
  onTestFinished(async () => {
    stop.abort();
    await ended;
    roots.close();
  });
  while (said.length === 0) await new Promise((resolve) => setImmediate(resolve));
  return Number(/:(\d+)\/mcp/.exec(said[0] as string)?.[1]);
}

/** A connection that has sent so much, and what became of it. */
async function connection(port: number, sent = ''): Promise<{ socket: Socket; closed: Promise<unknown> }> {
  const socket = connect(port, '127.0.0.1');
  onTestFinished(() => {
    socket.destroy();
  });
  socket.on('error', () => {});
  const closed = once(socket.resume(), 'close');
  await once(socket, 'connect');
  if (sent !== '') socket.write(sent);
  return { socket, closed };
}

const silent = (port: number, count: number) => Promise.all(Array.from({ length: count }, () => connection(port)));

async function call(port: number, token: string): Promise<number> {
  const headers = { ...HEADERS, authorization: `Bearer ${token}` };
  const request = httpRequest({ port, host: '127.0.0.1', path: '/mcp', method: 'POST', headers, agent: false });
  request.end(JSON.stringify(callOf(1, {})));
  const [response] = await once(request, 'response');
  await once(response.resume(), 'end');
  return response.statusCode;
}

describe.each([
  ['with a token', 'right'],
  ['without a token', null],
])('%s', (_, token) => {
  it('connections that say nothing make room for those that do, the oldest first', async () => {
    const port = await serve(token, { connections: 200 });
    const known = await connection(port, `${headWith(token)}{"json`);
    // Its head has been read when somebody else is answered.
    expect(await call(port, 'right')).toBe(200);
    const first = await silent(port, 100);
    const others = await silent(port, 300);
    expect(await call(port, 'right')).toBe(200);
    await Promise.all(first.map(({ closed }) => closed));
    // All but those that have the share of the silent ones.
    while (others.filter(({ socket }) => socket.destroyed).length < 200) await new Promise(setImmediate);
    // A connection that has shown that it may come in was not pushed out.
    expect(known.socket.destroyed).toBe(false);
  });

  it('a head that does not come, or a body, ends the connection', async () => {
    const port = await serve(token, { times: { head: 100, request: 200, check: 20 } });
    for (const sent of ['', 'POST /mcp', HEAD.slice(0, -2), `${headWith(token)}{"json`]) {
      await (await connection(port, sent)).closed;
    }
    expect(await call(port, 'right')).toBe(200);
  });
});

it('a wrong token is as good as none', async () => {
  const port = await serve('right', { connections: 4 });
  const wrong = await connection(port, headWith('wrong'));
  await wrong.closed;
  const pending = await connection(port, 'POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\n');
  await silent(port, 3);
  await pending.closed;
  expect(await call(port, 'right')).toBe(200);
});

it('more connections than there may be are refused, even where all of them may come in', async () => {
  const port = await serve(null, { connections: 4 });
  const held = [];
  for (let i = 0; i < 4; i++) {
    held.push(await connection(port, WHOLE));
    // Its head has been read when somebody else is answered.
    if (i < 3) expect(await call(port, '')).toBe(200);
  }
  // One of the last two, whichever has not been heard yet.
  await Promise.race([(await connection(port)).closed, held[3]?.closed]);
  expect(held.slice(0, 3).every(({ socket }) => !socket.destroyed)).toBe(true);
});

it('looks at its times so often that they are kept', () => {
  const { check, head, request } = CONNECTION_TIMES;
  expect(check).toBeLessThanOrEqual(1_000);
  expect([head, request]).toEqual([10_000, 30_000]);
  expect(ENDING.grace + ENDING.closing).toBeLessThan(10_000);
});
