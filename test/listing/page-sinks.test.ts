import { describe, expect, it, vi } from 'vitest';
import { type MemoryTree, memorySource, openWorkspace } from '../../src/index.ts';
import { ENTRY, type Entry, type EntryForm } from '../../src/listing/entry.ts';
import { SiblingSink, sinkFor } from '../../src/listing/page-sinks.ts';
import { PLAIN, type Query } from '../../src/listing/query.ts';
import type { Level } from '../../src/listing/walk-plan.ts';
import { type Bytes, bytesOf } from '../../src/names/bytes.ts';
import { Budget } from '../../src/workspace/budget.ts';
import { EntryBuffer, type EntryType, LEADS_TO_DIRECTORY } from '../../src/workspace/reader.ts';
import { entriesOf } from '../support/entries.ts';
import { at, enterAt } from '../support/paths.ts';

/** Marks the path of the names that follow; see `assembly/subtree.ts`. */
const PREFIX = 8;

const ALL = { offset: 0, limit: Number.POSITIVE_INFINITY };
const ABOVE = '' as Bytes;

function queryOf(query: Partial<Query> = {}): Query {
  return { ...PLAIN, path: '.', rules: [], page: ALL, depth: 9, ...query };
}

const page = (offset: number, limit: number) => ({ page: { offset, limit } });

/** Says all that it is told of an entry. */
const SAID: EntryForm<string> = {
  key: 'said',
  make: (name, parent, type, leadsToDirectory, metadata, isPrintable) =>
    [parent, name, type, leadsToDirectory && 'leads', metadata?.size, isPrintable && 'printable']
      .filter((word) => word !== false && word !== undefined)
      .join(' '),
  prefixIn: (parent) => (parent === 'odd' ? null : (`${parent}:` as Bytes)),
  makeBehind: (prefix, name, type, leads) => `${prefix} ${name} ${type}${leads ? ' leads' : ''}`,
  copy: (made) => made,
};

/** A level that is not held, with one entry for each letter. */
function levelOf(letters: string, path = ABOVE, type: EntryType = 'file'): Level {
  return {
    directory: null,
    path,
    entries: entriesOf(
      [...letters].map((letter) => letter as Bytes),
      type,
    ),
  };
}

/** A directory that is held, with its entries as they were read, and the names of those that were asked about. */
async function heldLevel(tree: MemoryTree, names: readonly (readonly [string, EntryType])[]) {
  const workspace = await openWorkspace(memorySource(tree));
  const directory = enterAt(workspace, at('d'));
  const entries = new EntryBuffer();
  for (const [name, type] of names) entries.add(bytesOf(name), type);
  const asked = vi.spyOn(directory, 'metadata');
  const level: Level = { directory, path: 'd' as Bytes, entries };
  return { level, count: names.length, asked: () => asked.mock.calls.map(([name, type]) => `${name} ${type}`) };
}

const namesOf = (entries: readonly Entry[]) => entries.map(({ name }) => name).join('');

describe('the page of entries that come in order', () => {
  it.each([
    ['all', 0, Number.POSITIVE_INFINITY, 'abcdefghij'],
    ['the first', 0, 3, 'abc'],
    ['within one level', 1, 2, 'bc'],
    ['across levels', 2, 5, 'cdefg'],
    ['up to the end', 8, 2, 'ij'],
    ['beyond the end', 8, 9, 'ij'],
    ['behind the end', 10, 3, ''],
    ['empty', 4, 0, ''],
  ])('is kept, whatever levels they come from: %s', async (_, offset, limit, expected) => {
    const sink = await sinkFor(queryOf(page(offset, limit)), ENTRY);
    const level = levelOf('xxabhiyy');
    sink.take(level, 2, 4);
    // What is below its first entries comes before its other ones.
    sink.take(levelOf('xcdefgx'), 1, 6);
    sink.take(levelOf(''), 0, 0);
    sink.take(level, 4, 6);
    sink.take(levelOf('j'), 0, 1);
    expect(namesOf(await sink.entries(new Budget()))).toBe(expected);
  });

  it('is over when its last entry has come', async () => {
    const sink = await sinkFor(queryOf(page(1, 2)), ENTRY);
    const states = ['ab', 'c', 'd'].map((letters) => {
      sink.take(levelOf(letters), 0, letters.length);
      return sink.isPastPage;
    });
    expect(states).toEqual([false, true, true]);
    expect(namesOf(await sink.entries(new Budget()))).toBe('bc');
  });

  it('is given out once', async () => {
    const sink = await sinkFor(queryOf(), ENTRY);
    const budget = new Budget();
    expect(await sink.entries(budget)).toEqual([]);
    sink.take(levelOf('ab'), 0, 2);
    expect(namesOf(await sink.entries(budget))).toBe('ab');
    sink.take(levelOf('c'), 0, 1);
    expect(namesOf(await sink.entries(budget))).toBe('c');
    expect(await sink.entries(budget)).toEqual([]);
  });

  it('may be as long as it likes', async () => {
    class Counted extends SiblingSink<Entry> {
      get held() {
        return this.count;
      }
    }
    const sink = new Counted(queryOf(), ENTRY);
    expect(sink.held).toBe(0);
    const names = Array.from({ length: 100 }, (_, i) => `${i}` as Bytes);
    for (let i = 0; i < 50; i++)
      sink.take({ ...levelOf(''), path: `${i}` as Bytes, entries: entriesOf(names) }, 0, 100);
    expect(sink.held).toBe(5000);
    const entries = await sink.entries();
    expect(entries.map(({ parent, name }) => `${parent}/${name}`)).toEqual(
      Array.from({ length: 5000 }, (_, i) => `${Math.floor(i / 100)}/${i % 100}`),
    );
    expect(sink.held).toBe(0);
  });

  it('has entries in the form that was asked for', async () => {
    const sink = await sinkFor(queryOf(), SAID);
    const { entries } = levelOf('');
    for (const [name, type] of [
      ['a', 'file'],
      ['b', 'dir'],
      ['c', 'link'],
      ['d', 'link'],
      ['e', 'other'],
      ['é', 'file'],
    ] as const) {
      entries.add(bytesOf(name), type);
    }
    entries.types[3] = (entries.types[3] as number) | LEADS_TO_DIRECTORY;
    sink.take({ directory: null, path: 'p' as Bytes, entries }, 0, 5);
    sink.take({ directory: null, path: ABOVE, entries }, 4, 6);
    expect(await sink.entries(new Budget())).toEqual([
      ...['p a file printable', 'p b dir leads printable', 'p c link printable', 'p d link leads printable'],
      ...['p e other printable', ' e other', ` ${bytesOf('é')} file`],
    ]);
  });
});

describe('what the system is asked about entries', () => {
  const TREE: MemoryTree = {
    ...{ 'd/a': '1', 'd/b': '22', 'd/sub/': { type: 'dir', size: 4096 }, 'd/c': '333', 'd/l': { link: 'target' } },
    ...{ 'd/e': { content: '', size: Number.NaN }, 'd/p': { type: 'other', size: 50 } },
  };
  const FOUND = [
    ...([
      ['a', 'file'],
      ['gone', 'dir'],
      ['b', 'file'],
      ['sub', 'dir'],
      ['l', 'link'],
    ] as const),
    ...([
      ['lost', 'link'],
      ['e', 'file'],
      ['p', 'other'],
      ['c', 'file'],
      ['no', 'file'],
    ] as const),
  ];
  const NONE = { file: 0, dir: 0, link: 0, other: 0 };

  async function taken(query: Partial<Query>) {
    const { level, count, asked } = await heldLevel(TREE, FOUND);
    const sink = await sinkFor(queryOf(query), ENTRY);
    sink.take(level, 0, count);
    const entries = await sink.entries(new Budget());
    const { describes, size, vanished, isPastPage } = sink;
    const said = entries.map(({ name, metadata }) => (metadata === null ? name : `${name} ${metadata.size}`));
    return { said, asked: asked(), describes, size, vanished, isPastPage };
  }

  it('is nothing, unless somebody wants to know', async () => {
    expect(await taken({})).toEqual({
      said: FOUND.map(([name]) => name),
      ...{ asked: [], describes: false, size: 0, vanished: NONE, isPastPage: false },
    });
  });

  it('is about the page alone, and what has gone is left out and counted', async () => {
    expect(await taken({ metadata: 'page', ...page(1, 4) })).toEqual({
      said: ['b 2', 'sub 4096', 'l 6'],
      asked: ['gone dir', 'b file', 'sub dir', 'l link'],
      ...{ describes: true, size: 2, vanished: { ...NONE, dir: 1 }, isPastPage: true },
    });
  });

  it('is about links alone', async () => {
    expect(await taken({ metadata: 'links' })).toEqual({
      said: ['a', 'gone', 'b', 'sub', 'l 6', 'e', 'p', 'c', 'no'],
      asked: ['l link', 'lost link'],
      ...{ describes: true, size: 0, vanished: { ...NONE, link: 1 }, isPastPage: false },
    });
  });

  it('is about everything, so that the size of all files is known', async () => {
    expect(await taken({ metadata: 'all', ...page(2, 2) })).toEqual({
      said: ['b 2', 'sub 4096'],
      asked: FOUND.map(([name, type]) => `${name} ${type}`),
      ...{ describes: true, size: 6, vanished: { ...NONE, file: 1, dir: 1, link: 1 }, isPastPage: false },
    });
  });

  it('may be refused', async () => {
    const { level, count } = await heldLevel({ 'd/': { type: 'dir', access: 'names' } }, [['a', 'file']]);
    const sink = await sinkFor(queryOf({ metadata: 'all' }), ENTRY);
    sink.take(level, 0, count);
    expect(await sink.entries(new Budget())).toEqual([
      { name: 'a', parent: 'd', type: 'file', leadsToDirectory: false, metadata: null },
    ]);
    expect([sink.size, sink.vanished]).toEqual([0, NONE]);
  });

  it('is nothing where there is no way back to the directory', async () => {
    const sink = await sinkFor(queryOf({ metadata: 'all' }), ENTRY);
    sink.take(levelOf('ab'), 0, 2);
    expect((await sink.entries(new Budget())).map(({ name, metadata }) => [name, metadata])).toEqual([
      ['a', null],
      ['b', null],
    ]);
    expect(sink.vanished).toEqual(NONE);
  });

  it('is everything in an order that depends on it', async () => {
    expect(await taken({ order: 'size', ...page(1, 3) })).toEqual({
      said: ['c 3', 'b 2', 'a 1'],
      asked: FOUND.map(([name, type]) => `${name} ${type}`),
      ...{ describes: true, size: 6, vanished: { ...NONE, file: 1, dir: 1, link: 1 }, isPastPage: undefined },
    });
  });

  it('is what was wanted in an order that does not', async () => {
    const { said, asked, describes } = await taken({ order: 'type', metadata: 'links' });
    expect(said).toEqual(['gone', 'sub', 'a', 'b', 'c', 'e', 'no', 'l 6', 'p']);
    expect([asked, describes]).toEqual([['l link', 'lost link'], true]);
    const byPath = await taken({ order: 'path', metadata: 'links' });
    expect(byPath.said).toEqual(['a', 'b', 'c', 'e', 'gone', 'l 6', 'no', 'p', 'sub']);
    const plain = await taken({ order: 'type', reverse: true });
    expect(plain.said).toEqual(['p', 'lost', 'l', 'no', 'e', 'c', 'b', 'a', 'sub', 'gone']);
    expect([plain.asked, plain.describes]).toEqual([[], false]);
  });
});

describe('entries that are written elsewhere', () => {
  it.each<[string, Bytes | null, Partial<Query>, string]>([
    ['all of them', 'p:' as Bytes, {}, 'p'],
    ['all that is left', null, page(1, Number.POSITIVE_INFINITY), 'p'],
    ['some', null, page(0, 1000), 'p'],
    ['with metadata', null, { metadata: 'links' }, 'p'],
    ['in a directory that is out of the ordinary', null, {}, 'odd'],
  ])('may be taken where all are wanted as they are: %s', (_, prefix, query, path) => {
    const sink = new SiblingSink(queryOf(query), SAID);
    expect(sink.formBelow(path as Bytes)).toEqual(prefix === null ? null : { prefix, end: null });
  });

  it('come as names with an index', async () => {
    const sink = new SiblingSink(queryOf(), SAID);
    sink.take(levelOf('z'), 0, 1);
    const words: [string, number][] = [
      ['ab', 0],
      ['c', 1],
      ['p/', PREFIX],
      ['def', 2],
      ['to', 6],
      ['g', 3],
      ['q/', PREFIX],
      ['h', 0],
    ];
    let end = 0;
    const index = Uint32Array.from(words, ([text, code]) => {
      end += text.length;
      return (code << 18) | end;
    });
    // They stand somewhere in a buffer.
    const bytes = Buffer.from(`before${words.map(([text]) => text).join('')}behind`);
    sink.takeLines(new Uint8Array(bytes).subarray(6, 6 + end), index);
    sink.takeLines(new Uint8Array(), new Uint32Array());
    expect(await sink.entries()).toEqual([
      ...[
        ' z file printable',
        ' ab file',
        ' c dir leads',
        'p/ def link',
        'p/ to link leads',
        'p/ g other',
        'q/ h file',
      ],
    ]);
  });
});

describe('the page of entries in one order', () => {
  it('is made of all levels together', async () => {
    const sink = await sinkFor(queryOf({ order: 'path', ...page(1, 4) }), SAID);
    sink.take(levelOf('xbdx', ABOVE, 'dir'), 1, 3);
    sink.take(levelOf('ca', 'b' as Bytes), 0, 2);
    sink.take(levelOf('e', 'd' as Bytes, 'link'), 0, 1);
    sink.take(levelOf('a'), 0, 1);
    expect(await sink.entries(new Budget())).toEqual([' b dir leads', 'b a file', 'b c file', ' d dir leads']);
  });

  it.each(['path', 'type'] as const)('is right though not everything is kept: by %s', async (order) => {
    const budget = new Budget();
    const sink = await sinkFor(queryOf({ order, ...page(2, 3) }), ENTRY);
    expect(sink.isFull).toBe(false);
    let settled = 0;
    for (let from = 6000; from > 0; from -= 100) {
      const names = Array.from({ length: 100 }, (_, i) => `${10_000 + from - i}` as Bytes);
      sink.take({ directory: null, path: ABOVE, entries: entriesOf(names) }, 0, 100);
      if (!sink.isFull) continue;
      await sink.settle?.(budget);
      settled++;
      expect(sink.isFull).toBe(false);
    }
    expect(settled).toBeGreaterThan(1);
    expect((await sink.entries(budget)).map(({ name }) => name)).toEqual(['10003', '10004', '10005']);
  });
});
