/** A client that names far too many roots. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { cutRoots } from '../../src/faces/mcp/message.ts';
import { Roots } from '../../src/faces/mcp/roots.ts';
import { hasDescriptors } from '../support/descriptors.ts';
import { makeTree } from '../support/tree.ts';
import { callOf, INITIALIZE, INITIALIZED, startRaw } from './clients.ts';

const names = (count: number) => Array.from({ length: count }, (_, i) => `d${i}`);
const tree = (count: number) => makeTree(Object.fromEntries(names(count).map((name) => [name, null])));
const addressIn = (root: string) => (name: string) => pathToFileURL(join(root, name)).href;

const capabilities = { roots: { listChanged: true } };
const CUT = 'agent-ls mcp: the client names 9000 roots; only the first 64 are used\n';

describe('of 9,000 roots', () => {
  const roots = (root: string) =>
    [...names(200), ...Array<string>(8_800).fill('d0')].map(addressIn(root)).map((uri) => ({ uri }));

  it('a client of 2025 gets the first 64, and is told', async () => {
    const root = tree(200);
    const server = startRaw([root]);
    server.say({ ...INITIALIZE, params: { ...INITIALIZE.params, capabilities } }, INITIALIZED);
    await server.response(0);
    server.say(callOf(1, {}));
    const asked = () => server.messages().find(({ method }) => method === 'roots/list');
    while (asked() === undefined) await new Promise(setImmediate);
    server.say({ jsonrpc: '2.0', id: asked().id, result: { roots: roots(root) } });
    expect(JSON.stringify(await server.response(1))).toContain(`Root: ${join(root, 'd0')}\\n`);
    if (hasDescriptors) expect(readdirSync(`/proc/${server.child.pid}/fd`).length).toBeLessThan(64 + 40);
    server.say(callOf(2, { path: join(root, 'd63') }), callOf(3, { path: join(root, 'd64') }));
    expect(await server.response(2)).not.toHaveProperty('result.isError');
    expect(await server.response(3)).toHaveProperty('result.isError', true);
    expect(server.err()).toBe(CUT);
  });

  it('so does one of 2026, at each call', async () => {
    const root = tree(200);
    const server = startRaw([root]);
    const meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': capabilities,
    };
    const told = { _meta: meta, inputResponses: { roots: { roots: roots(root) } } };
    server.say(callOf(1, { path: join(root, 'd63') }, told), callOf(2, { path: join(root, 'd64') }, told));
    expect(await server.response(1)).toMatchObject({ result: { content: [{ type: 'text' }] } });
    expect(await server.response(1)).not.toHaveProperty('result.isError');
    expect(await server.response(2)).toHaveProperty('result.isError', true);
    expect(server.err()).toBe(CUT.repeat(2));
    if (hasDescriptors) expect(readdirSync(`/proc/${server.child.pid}/fd`).length).toBeLessThan(40);
  });
});

it('others have their turn while roots are looked at', async () => {
  const root = tree(500);
  const roots = Roots.open([root]);
  let turns = 0;
  let isDone = false;
  const count = () => {
    turns++;
    if (!isDone) setImmediate(count);
  };
  setImmediate(count);
  const narrowed = await roots.narrowedTo([...names(500), ...names(500), ...names(500)].map(addressIn(root)));
  isDone = true;
  expect(narrowed.all).toHaveLength(500);
  narrowed.close();
  roots.close();
  expect(turns).toBeGreaterThan(3);
});

it('a message is cut before anybody else looks at it, wherever it has too many roots', () => {
  const many = () => Array.from({ length: 100 }, (_, i) => ({ uri: `file:///${i}` }));
  const said: string[] = [];
  const answer = { jsonrpc: '2.0', id: 1, result: { roots: many() } };
  const call = { params: { inputResponses: { roots: { roots: many() }, other: { roots: many() }, none: null } } };
  const fine = { result: { roots: many().slice(0, 64) }, params: 7 };
  for (const message of [answer, call, fine, null, 7, [], { result: null, params: { inputResponses: [] } }]) {
    cutRoots(message, (text) => said.push(text));
  }
  expect(answer.result.roots).toEqual(many().slice(0, 64));
  expect([call.params.inputResponses.roots.roots.length, call.params.inputResponses.other.roots.length]).toEqual([
    64, 64,
  ]);
  expect(fine.result.roots).toHaveLength(64);
  expect(said).toEqual(Array(3).fill('the client names 100 roots; only the first 64 are used'));
});
