/** The command on HTTP: who is let in, and what is bounded. */
import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { describe, expect, it } from 'vitest';
import { makeTree } from '../support/tree.ts';
import { callOf, connect, INITIALIZE, type Served, serveHttp, textOf } from './clients.ts';

const HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

/** By `node:http`, because `fetch` sets Host and Origin itself. */
async function post(
  { url }: Served,
  headers: Record<string, string> = {},
  body: string = JSON.stringify(INITIALIZE),
  path = url.pathname,
) {
  const request = httpRequest({
    port: url.port,
    host: '127.0.0.1',
    method: 'POST',
    path,
    headers: { ...HEADERS, ...headers },
  });
  request.on('error', () => {});
  request.end(body);
  const [response] = await once(request, 'response');
  let text = '';
  for await (const piece of response.setEncoding('utf8')) text += piece;
  return { status: response.statusCode as number, text, headers: response.headers };
}

describe('agent-ls mcp --http', () => {
  it('answers no web page from elsewhere', async () => {
    const server = await serveHttp([makeTree({})]);
    const statusWith = async (headers: Record<string, string>) => (await post(server, headers)).status;
    const hosts = ['evil.example', 'localhost.evil.example:80', 'evil.example@127.0.0.1', '127.0.0.1:80@evil.example'];
    hosts.push('evil.example#@127.0.0.1', '127.0.0.1/@evil', '127.0.0.1#', '127.0.0.1?', '127.1', '0x7f.1', '::1');
    hosts.push('localhost.', 'localhost:', 'localhost:x', 'localhost:800000', '127.0.0.1, evil.example', '[::1].evil');
    for (const host of hosts) expect([host, await statusWith({ host })]).toEqual([host, 403]);
    const origins = [
      'https://evil.example',
      'null',
      'evil://localhost',
      'file://localhost',
      'chrome-extension://localhost',
    ];
    origins.push('http://evil@localhost', 'http://localhost@evil', 'http://localhost/', 'http://localhost:80/evil', '');
    origins.push('http://localhost#', 'http:localhost', 'localhost', 'http://localhost, http://evil.example');
    for (const origin of origins) expect([origin, await statusWith({ origin })]).toEqual([origin, 403]);
    expect(await statusWith({ host: 'localhost:80', origin: 'http://127.0.0.1:80' })).toBe(200);
    expect(await statusWith({ host: 'LOCALHOST', origin: 'https://[::1]:65535' })).toBe(200);
    expect(await statusWith({ host: '[::1]:1', origin: 'http://localhost' })).toBe(200);
    expect(await statusWith({})).toBe(200);
  });

  it('has no way to get a token: where a client looks for one, there is nothing', async () => {
    const server = await serveHttp([makeTree({})], { AGENT_LS_TOKEN: 'right' });
    const places = [
      '/.well-known/oauth-protected-resource',
      '/.well-known/oauth-authorization-server',
      '/register',
      '/x',
    ];
    for (const place of places) {
      const { status, headers } = await post(server, {}, '{}', place);
      expect([place, status, headers['www-authenticate']]).toEqual([place, 404, undefined]);
      expect((await post(server, { host: 'evil.example' }, '{}', place)).status).toBe(403);
    }
    expect((await post(server, {}, '{}', '/mcp?x')).status).toBe(401);
  });

  it('lets in only who has the token, where there is one', async () => {
    const root = makeTree({ a: '' });
    const server = await serveHttp([root], { AGENT_LS_TOKEN: 'right' });
    for (const authorization of ['', 'Bearer wrong', 'Bearer right2', 'Basic right', 'right']) {
      const { status, headers } = await post(server, authorization === '' ? {} : { authorization });
      expect([authorization, status, headers['www-authenticate']]).toEqual([authorization, 401, 'Bearer']);
    }
    const client = await connect('sdk 1.x', { url: server.url, headers: { Authorization: 'Bearer right' } });
    expect(textOf(await client.call('LS'))).toContain('\na');
  });

  it('refuses a token that nobody could send', async () => {
    await expect(serveHttp([makeTree({})], { AGENT_LS_TOKEN: '' })).rejects.toThrow('AGENT_LS_TOKEN must be a word');
  });

  it('bounds a request, and serves nothing but /mcp', async () => {
    const server = await serveHttp([makeTree({ a: '' })]);
    expect((await post(server, {}, ' '.repeat(1024 * 1024 + 1))).status).toBe(413);
    expect((await post(server, { 'transfer-encoding': 'chunked' }, ' '.repeat(1024 * 1024 + 1))).status).toBe(413);
    expect((await post(server, {}, '{')).status).toBe(400);
    expect((await post(server, { 'content-type': 'text/plain' })).status).toBe(415);
    expect((await post(server, {}, '{}', '/')).status).toBe(404);
    expect((await fetch(server.url)).status).toBe(405);
    const { status, text } = await post(server, {}, JSON.stringify(callOf(1, {})));
    expect(status).toBe(200);
    expect(text).toContain("Listed 1 entries in '.'");
    const unset = { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'LS', arguments: null } };
    expect((await post(server, {}, JSON.stringify(unset))).text).toContain("Listed 1 entries in '.'");
  });

  it('counts a request as a call once it is whole', async () => {
    const server = await serveHttp([makeTree({})]);
    const body = JSON.stringify(callOf(1, {}));
    const requests = Array.from({ length: 520 }, () => {
      const request = httpRequest(server.url, { method: 'POST', headers: HEADERS, agent: false });
      request.write(body.slice(0, 20));
      return { request, response: once(request, 'response') };
    });
    await Promise.all(
      requests.map(({ request }) => once(request, 'socket').then(([socket]) => once(socket, 'connect'))),
    );
    expect((await post(server)).status).toBe(200);
    for (const { request } of requests) request.end(body.slice(20));
    const answered = await Promise.all(requests.map(async ({ response }) => (await response)[0].resume().statusCode));
    expect(answered.filter((status) => status === 200).length).toBeGreaterThanOrEqual(512);
    expect(answered.every((status) => status === 200 || status === 503)).toBe(true);
  });

  it.runIf(process.platform !== 'win32')('answers what is under way at SIGTERM, and ends with status 0', async () => {
    const server = await serveHttp([makeTree({ a: '' })]);
    const request = httpRequest(server.url, { method: 'POST', headers: HEADERS });
    const body = JSON.stringify(callOf(1, {}));
    // The server has read the head and half of the body when it is told to end.
    request.write(body.slice(0, 20));
    await post(server);
    const ended = once(server.process, 'exit');
    server.process.kill('SIGTERM');
    while ((await fetch(server.url).catch(() => null)) !== null);
    request.end(body.slice(20));
    const [response] = await once(request, 'response');
    expect(response.statusCode).toBe(200);
    response.resume();
    expect(await ended).toEqual([0, null]);
  });
});
