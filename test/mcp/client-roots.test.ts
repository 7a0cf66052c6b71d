/** A client that names far too many roots. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { hasDescriptors } from '../support/descriptors.ts';
import { makeTree } from '../support/tree.ts';
import { callOf, INITIALIZE, INITIALIZED, startRaw } from './clients.ts';

const names = (count: number) => Array.from({ length: count }, (_, i) => `d${i}`);
const tree = () => makeTree(Object.fromEntries(names(60).map((name) => [name, null])));
const rootsIn = (root: string, count: number) =>
  names(count).map((name) => ({ uri: pathToFileURL(join(root, name)).href }));

const capabilities = { roots: { listChanged: true } };

it('a client of 2025 may have 32', async () => {
  const root = tree();
  const server = startRaw([], root);
  server.say({ ...INITIALIZE, params: { ...INITIALIZE.params, capabilities } }, INITIALIZED);
  await server.response(0);
  server.say(callOf(1, {}));
  const asked = () => server.messages().filter(({ method }) => method === 'roots/list');
  while (asked().length === 0) await new Promise(setImmediate);
  server.say({ jsonrpc: '2.0', id: asked()[0].id, result: { roots: rootsIn(root, 4000) } });
  expect(JSON.stringify(await server.response(1))).toContain(`Root: ${join(root, 'd0')}\\n`);
  server.say(callOf(2, { path: join(root, 'd31') }), callOf(3, { path: join(root, 'd32') }));
  expect(await server.response(2)).not.toHaveProperty('result.isError');
  expect(await server.response(3)).toHaveProperty('result.isError', true);
  if (hasDescriptors) expect(readdirSync(`/proc/${server.child.pid}/fd`).length).toBeLessThan(32 + 40);
  expect(asked()).toHaveLength(1);
});

it('a response of more is ignored before anybody looks at it, and so the client has none', async () => {
  const root = tree();
  const server = startRaw([], root);
  server.say({ ...INITIALIZE, params: { ...INITIALIZE.params, capabilities } }, INITIALIZED);
  await server.response(0);
  server.say(callOf(1, {}));
  const asked = () => server.messages().find(({ method }) => method === 'roots/list');
  while (asked() === undefined) await new Promise(setImmediate);
  server.say({ jsonrpc: '2.0', id: asked().id, result: { roots: rootsIn(root, 9000) } });
  expect(JSON.stringify(await server.response(1))).toContain("Listed 60 entries in '.'");
  expect(server.err()).toBe('agent-ls mcp: a response holds too many values and was ignored\n');
}, 10_000);

it('so may one of 2026, at each call', async () => {
  const root = tree();
  const server = startRaw([], root);
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': capabilities,
  };
  const told = { _meta: meta, inputResponses: { roots: { roots: rootsIn(root, 4000) } } };
  for (let id = 0; id < 100; id++) server.say(callOf(id, { path: join(root, 'd31') }, told));
  server.say(callOf(100, { path: join(root, 'd32') }, told));
  expect(await server.response(99)).toMatchObject({ result: { content: [{ type: 'text' }] } });
  expect(await server.response(99)).not.toHaveProperty('result.isError');
  expect(await server.response(100)).toHaveProperty('result.isError', true);
  if (hasDescriptors) expect(readdirSync(`/proc/${server.child.pid}/fd`).length).toBeLessThan(32 + 40);
});
