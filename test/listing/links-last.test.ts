/** Links are followed when a page needs to know where they lead, and only then; the listing is as if all had been. */
import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { openWorkspace } from '../../src/disk/disk-source.ts';
import { listDirectory } from '../../src/listing/list.ts';
import { type Bookmark, PLAIN, type Query } from '../../src/listing/query.ts';
import { Visit } from '../../src/workspace/visit.ts';
import type { Workspace } from '../../src/workspace/workspace.ts';
import { settle, unsettle } from '../support/settled.ts';
import { makeTree, type TreeLiteral as Tree } from '../support/tree.ts';

afterEach(() => {
  unsettle();
  vi.restoreAllMocks();
});

const KINDS: Readonly<Record<string, Tree[string]>> = {
  dir: null,
  file: '',
  'link to a directory': { link: '../target' },
  'link to a file': { link: '../target/file' },
  'broken link': { link: 'nothing' },
  'link out': { link: '../../outside' },
};

const LEADING = new Set(['dir', 'link to a directory']);

type Kinds = Readonly<Record<string, string>>;

function treeOf(kinds: Kinds): Tree {
  const entries = Object.entries(kinds).map(([name, kind]) => [`d/${name}`, KINDS[kind]]);
  return { 'target/file': '', d: null, ...Object.fromEntries(entries) };
}

/** Directories and links to them first, then by name, as the contract has it. */
function inOrder(kinds: Kinds): string[] {
  const rank = (name: string) => (LEADING.has(kinds[name] as string) ? 0 : 1);
  const key = (name: string) => `${name.toLowerCase()} ${name}`;
  return Object.keys(kinds).toSorted((a, b) => rank(a) - rank(b) || (key(a) < key(b) ? -1 : 1));
}

function pageOf(offset: number, limit: number, after: Bookmark | null = null, order: Query['order'] = 'folded'): Query {
  return { ...PLAIN, path: 'd', rules: [], page: { offset, limit }, after, order };
}

async function names(query: Query, workspace: Workspace, cache = false): Promise<string[]> {
  return (await listDirectory(query, workspace, { cache })).entries.map(({ name }) => name);
}

const name = fc.string({ unit: fc.constantFrom('a', 'B', 'b', 'C', 'd', 'Z'), minLength: 1, maxLength: 4 });
const kinds = fc.dictionary(name, fc.constantFrom(...Object.keys(KINDS)), { maxKeys: 40 });

describe('any page of a directory with links', () => {
  it('is a part of the whole order, read or known, from an offset or behind an entry', async () => {
    const where = fc.record({ offset: fc.nat(45), limit: fc.integer({ min: 1, max: 45 }) });
    await fc.assert(
      fc.asyncProperty(kinds, fc.array(where, { minLength: 1, maxLength: 4 }), async (given, pages) => {
        const workspace = await openWorkspace(makeTree(treeOf(given)));
        const all = inOrder(given);
        settle();
        for (const { offset, limit } of pages) {
          const expected = all.slice(offset, offset + limit);
          const before = all[offset - 1];
          const after =
            before === undefined
              ? null
              : ({ name: before, leadsToDirectory: LEADING.has(given[before] as string) } as Bookmark);
          for (const cache of [false, true, true]) {
            expect(await names(pageOf(offset, limit), workspace, cache)).toEqual(expected);
            expect(await names(pageOf(0, limit, after), workspace, cache)).toEqual(
              after === null ? all.slice(0, limit) : expected,
            );
            expect((await listDirectory(pageOf(0, limit, after), workspace, { cache })).end).toBe(
              Math.min((after === null ? 0 : offset) + limit, all.length),
            );
          }
          expect(new Set(await names(pageOf(0, 1000, null, 'english'), workspace))).toEqual(new Set(all));
        }
        unsettle();
        workspace.close();
      }),
      { numRuns: 60 },
    );
  });
});

describe('following links', () => {
  const many = (count: number, kind: string) =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [`${kind[0]}${String(i).padStart(4, '0')}`, kind]));
  /** The links that were followed. */
  async function followed(given: Kinds, query: Query): Promise<string[]> {
    const workspace = await openWorkspace(makeTree(treeOf(given)));
    const spy = vi.spyOn(Visit.prototype, 'leadsToDirectory');
    await listDirectory(query, workspace, { cache: false });
    workspace.close();
    return spy.mock.calls.map(([link]) => link).sort();
  }

  it('is left to pages that could show them: a first page among directories needs none that comes behind it', async () => {
    const given = {
      ...many(50, 'dir'),
      'a-link': 'link to a directory',
      'd0003-link': 'broken link',
      ...many(30, 'link out'),
    };
    expect(await followed(given, pageOf(0, 10))).toEqual(['a-link', 'd0003-link']);
  });

  it('takes all of them where the page reaches the files', async () => {
    const given = { ...many(5, 'dir'), ...many(20, 'link out'), ...many(20, 'file') };
    expect(await followed(given, pageOf(0, 10))).toHaveLength(20);
  });

  it('is not done for those that come before the page wherever they lead', async () => {
    const files = Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`f${String(i).padStart(3, '0')}`, 'file']));
    const links = { 'f010-a': 'link to a directory', 'f020-a': 'link out', f0995: 'link to a directory' };
    // With four links, at least 60 files come before the position 64.
    expect(await followed({ ...files, ...links, 'f060-a': 'link out' }, pageOf(64, 5))).toEqual(['f060-a', 'f0995']);
    const given: Kinds = { ...files, ...links, ...many(4, 'dir') };
    const workspace = await openWorkspace(makeTree(treeOf(given)));
    const all = inOrder(given);
    for (let offset = 0; offset < all.length; offset++) {
      expect(await names(pageOf(offset, 4), workspace)).toEqual(all.slice(offset, offset + 4));
    }
    workspace.close();
  });

  it('is not done for an order in which it does not matter, nor behind the page of a walk', async () => {
    const given = { ...many(5, 'dir'), ...many(20, 'link out') };
    expect(await followed(given, { ...pageOf(0, 10), order: 'name' })).toEqual([]);
    expect(await followed(given, { ...pageOf(0, 10), order: 'type' })).toEqual([]);
    const walk = { ...pageOf(0, 1), path: '.', depth: 3 };
    expect(await followed({ ...given, 'd0000/x': 'link out' }, walk)).toEqual([]);
  });
});
