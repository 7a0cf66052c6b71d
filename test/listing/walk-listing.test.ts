/** Listings that take a walk: what is asked of it, what is kept of them, and when that is given again. */
import { describe, expect, it, onTestFinished } from 'vitest';
import { type MemoryTree, memorySource, openWorkspace, type Source } from '../../src/index.ts';
import { ENTRY, type Entry, type EntryForm } from '../../src/listing/entry.ts';
import type { Order } from '../../src/listing/orders.ts';
import { PLAIN, type Query } from '../../src/listing/query.ts';
import { withReading } from '../../src/listing/reading.ts';
import { listByWalking, listOrRecall, planFor } from '../../src/listing/walk-listing.ts';
import { below } from '../../src/names/bytes.ts';
import { Budget } from '../../src/workspace/budget.ts';
import { directoryCache } from '../../src/workspace/cache.ts';
import { codedError } from '../../src/workspace/listing-error.ts';
import { odd } from '../support/odd-source.ts';
import { provable } from '../support/provable.ts';

const ALL = Number.POSITIVE_INFINITY;
const TREE: MemoryTree = { 'a/b/c': 'xxx', 'a/d.md': 'x', 'e/f/g': '', h: 'xx', 'e/l': { link: 'f' } };
let made = 0;

/** A tree that nobody has listed before. */
const treeOf = (tree: MemoryTree = TREE) => memorySource(tree, { root: `/walk-listing-${++made}` });

function queryOf(query: Partial<Query> = {}): Query {
  return { ...PLAIN, path: '.', rules: [], depth: ALL, page: { offset: 0, limit: ALL }, ...query };
}

interface Said {
  text: string;
}

/** Says an entry's path; how often it made one, and copied one. */
function saying(key = 'said') {
  const counts = { made: 0, copied: 0 };
  const form: EntryForm<Said> = {
    key,
    make: (name, parent) => {
      counts.made++;
      return { text: `${key === 'said' ? '' : key}${below(parent, name)}` };
    },
    prefixIn: () => null,
    makeBehind: (prefix, name) => ({ text: `${prefix}${name}` }),
    copy: (one) => {
      counts.copied++;
      return { ...one };
    },
  };
  return { form, counts };
}

async function listed<T>(
  source: Source,
  form: EntryForm<T>,
  query: Partial<Query> = {},
  mayUseCache = true,
  budget = new Budget(),
) {
  const complete = queryOf(query);
  const plan = await planFor(complete, budget);
  const list = mayUseCache ? listOrRecall : listByWalking;
  return withReading(complete, await openWorkspace(source), budget, (reading) => list(complete, plan, reading, form));
}

/** Has to end after so many looks at the clock, and looks whenever it may. */
class Ending extends Budget {
  #left: number;

  constructor(most: number) {
    super({});
    this.#left = most;
  }

  override get isDue(): boolean {
    return true;
  }

  override stopReason(): 'timeout' | null {
    return this.#left-- > 0 ? null : 'timeout';
  }
}

const textsOf = ({ entries }: { readonly entries: readonly Said[] }) => entries.map(({ text }) => text);
/** In which links are not followed. */
const BY_NAME = { order: 'name' } as const;
const WHOLE = ['a', 'a/b', 'a/b/c', 'a/d.md', 'e', 'e/f', 'e/f/g', 'e/l', 'h'];

describe('the plan of a walk', () => {
  it.each<[Order, string]>([
    ['folded', 'directories-first'],
    ['english', 'directories-first'],
    ['natural', 'natural'],
    ['name', 'by-name'],
    ['size', 'any'],
    ['path', 'any'],
  ])('has siblings as the order needs them: %s', async (order, siblings) => {
    const plan = await planFor(queryOf({ order, depth: 3, reverse: true }), new Budget());
    expect(plan).toEqual({
      ...{ depth: 3, reverse: true, siblings },
      ...{ select: null, types: 0b1111 },
    });
  });

  it('selects what the query does', async () => {
    const select = { pattern: '*.md', types: 'files' } as const;
    const plan = await planFor(queryOf({ select }), new Budget());
    expect([plan.select === null, plan.types]).toEqual([false, null]);
    expect((await planFor(queryOf({ select: { pattern: null, types: 'directories' } }), new Budget())).types).toBe(
      0b10,
    );
  });

  it('refuses what is wrong before anything is read', async () => {
    const select = { pattern: 'x'.repeat(100_000), types: 'all' } as const;
    await expect(planFor(queryOf({ select }), new Budget())).rejects.toMatchObject({
      kind: 'bad-pattern',
    });
  });
});

describe('a listing', () => {
  it('is of the directory, and has the page', async () => {
    const source = treeOf();
    const { entries, ...others } = await listed(source, ENTRY, { path: 'e', page: { offset: 1, limit: 1 } }, false);
    expect(entries.map(({ parent, name }: Entry) => below(parent, name))).toEqual(['f/g']);
    expect(others).toEqual({
      path: 'e',
      end: 2,
      totals: { file: 1, dir: 1, link: 1, other: 0 },
      ...{
        hidden: new Map(),
        unselected: 0,
        unopened: 0,
        unreadable: [],
        hiddenOnly: [],
        worktrees: [],
        stopped: null,
      },
      ...{ isFromCache: false, size: 0, notes: [] },
    });
  });

  it('knows the sizes of what it asked about, and does not count what has vanished', async () => {
    const tree = { ...TREE, pipe: { type: 'other' }, 'e/m': { link: 'f' }, pipe2: { type: 'other' } } as const;
    const whole = await listed(treeOf(tree), ENTRY, { metadata: 'all' });
    expect([whole.totals, whole.size]).toEqual([{ file: 4, dir: 4, link: 2, other: 2 }, 6]);
    const gone = new Set(['a/b/c', 'a', 'e/l', 'pipe']);
    const source = odd(treeOf(tree), (question, path) =>
      question === 'metadata' && gone.has(path) ? null : undefined,
    );
    const { totals, entries, size } = await listed(source, ENTRY, { metadata: 'all' });
    expect(totals).toEqual({ file: 3, dir: 3, link: 1, other: 1 });
    expect([entries.length, size]).toEqual([8, 3]);
  });

  it('tells which rules could not be used', async () => {
    const source = treeOf({ ...TREE, '.geminiignore/': null });
    const { notes } = await listed(source, ENTRY, { rules: [{ kind: 'ignore-files', git: false, gemini: true }] });
    expect(notes).toEqual([expect.stringContaining('.geminiignore')]);
  });
});

describe('a listing that was made before', () => {
  const readIn = (words: readonly string[]) => words.filter((word) => word.startsWith('read'));

  it('is given again, as a copy', async () => {
    const { source, noted } = provable(treeOf());
    const { form, counts } = saying();
    const first = await listed(source, form, BY_NAME);
    expect([textsOf(first), first.isFromCache]).toEqual([WHOLE, false]);
    // The first time, nothing but the question is kept. The second time, everything is read once more.
    expect(counts).toEqual({ made: WHOLE.length, copied: 0 });
    const second = await listed(source, form, BY_NAME);
    expect(second).toEqual(first);
    for (const entry of [...first.entries, ...second.entries]) entry.text = 'changed by the caller';
    noted.words.length = 0;
    counts.made = 0;
    for (let i = 0; i < 2; i++) {
      const again = await listed(source, form, BY_NAME);
      expect(again).toEqual({ ...first, entries: WHOLE.map((text) => ({ text })), isFromCache: true });
      for (const entry of again.entries) entry.text = 'changed by the caller';
    }
    expect([counts.made, noted.words]).toEqual([0, []]);
  });

  it('is no answer to another question', async () => {
    const { source } = provable(treeOf({ 'a/b/c': '', 'a/d.md': '', 'e/f/g': '', h: '', 'a.txt': '' }));
    const questions: Partial<Query>[] = [
      {},
      { depth: 2 },
      { depth: 1 },
      { order: 'name' },
      { order: 'path' },
      { reverse: true },
      { select: { pattern: '*.md', types: 'all' } },
      { select: { pattern: null, types: 'files' } },
      { page: { offset: 1, limit: ALL } },
      { page: { offset: 0, limit: 2 } },
      { page: { offset: 1, limit: 2 } },
      { path: 'e' },
      { rules: [{ kind: 'patterns', patterns: ['a'] }] },
    ];
    const fresh: string[][] = [];
    for (const query of questions) fresh.push(textsOf(await listed(source, saying().form, query, false)));
    expect(new Set(fresh.map((texts) => texts.join())).size).toBe(questions.length);
    for (let i = 0; i < 3; i++) {
      for (const [at, query] of questions.entries()) {
        const { form, counts } = saying();
        expect(textsOf(await listed(source, form, query))).toEqual(fresh[at]);
        expect(counts.made === 0).toBe(i === 2);
      }
    }
    expect(textsOf(await listed(source, saying('other ').form))).toEqual(fresh[0]?.map((path) => `other ${path}`));
  });

  it.each<[string, Partial<Query>]>([
    ['metadata', { metadata: 'page' }],
    ['the order by size', { order: 'size' }],
    ['a condition of the caller', { select: { ...PLAIN.select, filter: () => true } }],
    [
      'a condition on what the system knows',
      {
        select: {
          ...PLAIN.select,
          where: { types: null, extensions: ['md'], changedAfter: -ALL, changedBefore: ALL, least: 0, most: ALL },
        },
      },
    ],
  ])('is not kept where it takes %s', async (_, query) => {
    const { source } = provable(treeOf());
    const { form, counts } = saying();
    await listed(source, form, query);
    const { made: before } = counts;
    expect(before).toBeGreaterThan(0);
    for (let i = 0; i < 2; i++) await listed(source, form, query);
    expect([counts.made, counts.copied]).toEqual([3 * before, 0]);
  });

  it('is not kept where nothing may be', async () => {
    const { source, noted } = provable(treeOf());
    const { form, counts } = saying();
    const { size } = directoryCache;
    for (let i = 1; i < 3; i++) {
      noted.words.length = 0;
      expect((await listed(source, form, {}, false)).isFromCache).toBe(false);
      expect(readIn(noted.words)).toHaveLength(5);
      expect([counts.made, counts.copied]).toEqual([i * WHOLE.length, 0]);
    }
    expect(directoryCache.size).toBe(size);
  });

  it('is not kept where it is not whole', async () => {
    const locked = provable(treeOf({ ...TREE, 'x/': { access: 'none' } }));
    const { form, counts } = saying();
    for (let i = 1; i < 5; i++) {
      expect((await listed(locked.source, form)).unreadable).toHaveLength(1);
      expect([counts.made, counts.copied]).toEqual([i * (WHOLE.length + 1), 0]);
    }
  });

  it('is not kept where it had to end', async () => {
    let stopped = 0;
    for (let most = 1; most < 20; most++) {
      const { source } = provable(treeOf());
      await listed(source, saying().form, BY_NAME);
      const cut = await listed(source, saying().form, BY_NAME, true, new Ending(most)).catch(() => null);
      if (cut !== null && cut.stopped !== null) stopped++;
      const whole = await listed(source, saying().form, BY_NAME);
      expect([textsOf(whole), whole.stopped]).toEqual([WHOLE, null]);
    }
    expect(stopped).toBeGreaterThan(3);
  });

  it('is not kept where there is no room for it', async () => {
    const { limit } = directoryCache;
    onTestFinished(() => {
      directoryCache.limit = limit;
    });
    const { source } = provable(treeOf());
    const { form, counts } = saying();
    // Nine entries take more than that.
    directoryCache.limit = 1200;
    for (let i = 1; i < 4; i++) {
      await listed(source, form);
      expect(counts).toEqual({ made: i * WHOLE.length, copied: 0 });
    }
  });

  it('takes room for each of its entries', async () => {
    const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`a/f${i + 100}`, '']));
    const sizeOf = async (count: number) => {
      const { size } = directoryCache;
      const { source } = provable(treeOf(many(count)));
      for (let i = 0; i < 2; i++) await listed(source, saying().form);
      return directoryCache.size - size;
    };
    expect((await sizeOf(110)) - (await sizeOf(10))).toBe(100 * 140);
  });

  it.each<[string, Partial<Query>]>([
    ['everything', BY_NAME],
    ['the first page', { order: 'name', page: { offset: 0, limit: 100 } }],
    ['another page', { order: 'name', page: { offset: 1, limit: ALL } }],
    ['an order over everything', { order: 'path' }],
  ])('is made anew where something has changed: %s', async (_, query) => {
    const memory = treeOf();
    const { source } = provable(memory);
    const { form, counts } = saying();
    for (let i = 0; i < 3; i++) await listed(source, form, query);
    for (let i = 0; i < 2; i++) {
      memory.set(`a/new${i}`, '');
      counts.made = 0;
      const again = await listed(source, form, query);
      const fresh = await listed(memory, saying().form, query, false);
      expect(textsOf(again)).toEqual(textsOf(fresh));
      // After a change, the next answers are made as the first two were.
      expect([counts.made, again.isFromCache]).toEqual([fresh.entries.length, false]);
      expect((await listed(source, form, query)).isFromCache).toBe(false);
      expect((await listed(source, form, query)).isFromCache).toBe(true);
    }
  });

  it('is refused like any other where the directory cannot be read', async () => {
    let isBroken = false;
    const memory = treeOf();
    const { source } = provable(
      odd(memory, (question, path) => {
        if (isBroken && question === 'open' && path === '') throw codedError('EIO', 'broken');
      }),
      memory,
    );
    for (let i = 0; i < 2; i++) await listed(source, saying().form);
    isBroken = true;
    memory.set('new', '');
    await expect(listed(source, saying().form)).rejects.toMatchObject({ kind: 'failed', code: 'EIO' });
  });
});
