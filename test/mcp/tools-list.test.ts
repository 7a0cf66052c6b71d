/** What `tools/list` says beside the tools. */
import { expect, it } from 'vitest';
import { makeTree } from '../support/tree.ts';
import { startRaw } from './clients.ts';

it('tools/list may be cached for an hour, as a client of 2026 is told', async () => {
  const server = startRaw([makeTree({ a: '' })]);
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  server.say({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta } });
  expect(await server.response(1)).toMatchObject({ result: { ttlMs: 3_600_000, cacheScope: 'public' } });
  server.child.stdin.end();
  await server.exited;
});
