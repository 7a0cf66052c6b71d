import { afterEach, describe, expect, it, vi } from 'vitest';
import { openWorkspace } from '../../src/disk/disk-source.ts';
import { listDirectory } from '../../src/listing/list.ts';
import { OFFERED_ORDERS, ORDERS, type Order } from '../../src/listing/orders.ts';
import { PLAIN, type Query } from '../../src/listing/query.ts';
import { below } from '../../src/names/bytes.ts';
import { Visit } from '../../src/workspace/visit.ts';
import { makeTree } from '../support/tree.ts';

afterEach(() => vi.restoreAllMocks());

const ALL = Object.keys(ORDERS) as Order[];

async function paths(root: string, query: Partial<Query>): Promise<string[]> {
  const workspace = await openWorkspace(root);
  const page = { offset: 0, limit: Number.POSITIVE_INFINITY };
  const { entries } = await listDirectory({ ...PLAIN, path: '.', rules: [], page, ...query }, workspace, {});
  workspace.close();
  return entries.map(({ parent, name }) => below(parent, name));
}

describe('an order', () => {
  const tree = () =>
    makeTree({
      'b.md': '1',
      'a.ts': '22',
      'd/c.md': '333',
      'D/e': '',
      '.x': '',
      'f.tar.gz': '',
      'Z.TS': '',
      g: { link: 'd' },
    });

  it.each(ALL)('%s is one of the whole: turned around, cut into pages, with metadata or without', async (order) => {
    const root = tree();
    const depth = order === 'english' ? 1 : 9;
    const whole = await paths(root, { order, depth });
    expect(new Set(whole).size).toBe(whole.length);
    expect(whole).toHaveLength(depth === 1 ? 8 : 10);
    const pages: string[] = [];
    for (let offset = 0; offset < whole.length; offset += 3) {
      pages.push(...(await paths(root, { order, depth, page: { offset, limit: 3 } })));
    }
    expect(pages).toEqual(whole);
    expect(await paths(root, { order, depth, metadata: 'page' })).toEqual(whole);
    if (ORDERS[order].isGlobal) expect(await paths(root, { order, depth, reverse: true })).toEqual(whole.toReversed());
  });

  it.each<[Order, readonly string[]]>([
    ['extension', ['.x', 'D', 'd', 'D/e', 'g', 'f.tar.gz', 'b.md', 'd/c.md', 'a.ts', 'Z.TS']],
    ['type', ['D', 'd', '.x', 'a.ts', 'b.md', 'd/c.md', 'D/e', 'f.tar.gz', 'Z.TS', 'g']],
    ['size', ['d/c.md', 'a.ts', 'b.md', '.x', 'D', 'D/e', 'Z.TS', 'd', 'f.tar.gz', 'g']],
    ['path', ['.x', 'D', 'D/e', 'Z.TS', 'a.ts', 'b.md', 'd', 'd/c.md', 'f.tar.gz', 'g']],
    ['name', ['.x', 'a.ts', 'b.md', 'D', 'D/e', 'd', 'd/c.md', 'f.tar.gz', 'g', 'Z.TS']],
    ['folded', ['D', 'D/e', 'd', 'd/c.md', 'g', '.x', 'a.ts', 'b.md', 'f.tar.gz', 'Z.TS']],
  ])('by %s', async (order, expected) => {
    expect(await paths(tree(), { order, depth: 9 })).toEqual(expected);
  });

  it.each(ALL)('%s asks the system about entries only if it needs to', async (order) => {
    const described = vi.spyOn(Visit.prototype, 'metadata');
    await paths(tree(), { order, depth: order === 'english' ? 1 : 9 });
    expect(described.mock.calls.length).toBe(ORDERS[order].needsMetadata ? 10 : 0);
  });

  it('is offered under its name, and no contract-bound one is', () => {
    expect([...OFFERED_ORDERS.keys()]).toEqual(['name', 'natural', 'size', 'modified', 'type', 'extension']);
  });
});
