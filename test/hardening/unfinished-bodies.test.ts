/** Requests whose bodies never end, against an HTTP server that requires no token: they keep nobody out. */
import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { connect, type Socket } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { serveOnHttp } from '../../src/faces/mcp/http.ts';
import { Roots } from '../../src/faces/mcp/roots.ts';
import { serverFor } from '../../src/faces/mcp/server.ts';
import { callOf, PLAIN_SETTINGS } from '../mcp/clients.ts';
import { noStreams } from '../support/streams.ts';
import { makeTree } from '../support/tree.ts';

const HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

async function serve(limits: Parameters<typeof serveOnHttp>[4]): Promise<number> {
  const roots = Roots.open([makeTree({ a: '' })]);
  const stop = new AbortController();
  const complaints: string[] = [];
  const streams = { ...noStreams(), complain: (text: string) => void complaints.push(text) };
  const settings = { port: 0, token: null };
  const ended = serveOnHttp(() => serverFor(roots, PLAIN_SETTINGS), settings, streams, stop.signal, limits);
  onTestFinished(async () => {
    stop.abort();
    await ended;
    roots.close();
  });
  while (complaints.length === 0) await new Promise(setImmediate);
  return Number(/:(\d+)\/mcp/.exec(complaints[0] as string)?.[1]);
}

/** A request of which a part of the body has arrived. */
async function unfinished(port: number, sent = '{"json'): Promise<Socket> {
  const socket = connect(port, '127.0.0.1').resume();
  onTestFinished(() => void socket.destroy());
  socket.on('error', () => {});
  const head = `POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 1000000\r\n\r\n`;
  await new Promise((resolve) => socket.write(head + sent, resolve));
  return socket;
}

async function call(port: number): Promise<number> {
  const request = httpRequest({
    port,
    host: '127.0.0.1',
    path: '/mcp',
    method: 'POST',
    headers: HEADERS,
    agent: false,
  });
  request.end(JSON.stringify(callOf(1, {})));
  const [response] = await once(request, 'response');
  await once(response.resume(), 'end');
  return response.statusCode;
}

it.each([600, 6000])('%i of them do not keep a call from its answer', async (count) => {
  const port = await serve({});
  for (let begun = 0; begun < count; begun += 100) {
    await Promise.all(Array.from({ length: 100 }, () => unfinished(port)));
  }
  expect(await call(port)).toBe(200);
});

it('the oldest is dropped for the newest', async () => {
  const port = await serve({ connections: 20 });
  const sockets: Socket[] = [];
  for (let i = 0; i < 12; i++) sockets.push(await unfinished(port));
  const firstClosed = async (count: number) => {
    await Promise.all(sockets.slice(0, count).map((socket) => socket.closed || once(socket, 'close')));
    expect(sockets.map(({ closed }) => closed)).toEqual(sockets.map((_, i) => i < count));
  };
  await firstClosed(2);
  // Its own body arrives, too, so it takes the place of the third.
  expect(await call(port)).toBe(200);
  await firstClosed(3);
});

it('all together use a bounded amount of memory', async () => {
  const port = await serve({});
  const sockets: Socket[] = [];
  const large = 'x'.repeat(999_000);
  for (let i = 0; i < 80; i++) sockets.push(await unfinished(port, large));
  expect(await call(port)).toBe(200);
  while (sockets.filter(({ destroyed }) => destroyed).length < 10) await new Promise(setImmediate);
  expect(sockets.at(-1)?.destroyed).toBe(false);
});

it('a body that does not come ends the connection', async () => {
  const port = await serve({ times: { head: 100, request: 200, check: 20 } });
  await once(await unfinished(port), 'close');
  expect(await call(port)).toBe(200);
});
