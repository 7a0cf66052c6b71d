import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { KeyCollector } from '../../src/listing/key-collector.ts';
import { NameCollector } from '../../src/listing/name-collector.ts';
import { BY_PATH, LOWER_CASED, NATURAL } from '../../src/listing/name-keys.ts';
import type { Entry, EntryType } from '../../src/listing/query.ts';
import { type Bytes, bytesOf, codePointsOf } from '../../src/names/bytes.ts';
import { Budget } from '../../src/workspace/budget.ts';
import { entriesOf } from '../support/entries.ts';

type Item = { readonly name: Bytes; readonly type: EntryType; readonly first: boolean };

/** The contract's order, written as it is said: directories, the lower-cased name by code point, then the name. */
function inOrder(a: Item, b: Item): number {
  return (
    Number(b.first) - Number(a.first) || compare(lowered(a.name), lowered(b.name)) || compare(points(a), points(b))
  );
}

const points = ({ name }: Item) => codePointsOf(name);
const lowered = (name: Bytes) =>
  Array.from(
    String.fromCodePoint(...codePointsOf(name)).toLowerCase(),
    (character) => character.codePointAt(0) as number,
  );

function compare(a: readonly number[], b: readonly number[]): number {
  for (const [i, point] of a.entries()) {
    if (i >= b.length) return 1;
    if (point !== b[i]) return point - (b[i] as number);
  }
  return a.length - b.length;
}

async function page(items: readonly Item[], offset: number, limit: number): Promise<string[]> {
  const budget = new Budget({});
  const collector = new NameCollector();
  collector.keepUpTo(offset + limit, null);
  for (const { name, type, first } of items) {
    collector.add(entriesOf([name], type), 0, first);
    if (collector.isFull) await collector.settle(budget);
  }
  return (await collector.page({ offset, limit }, budget)).map(({ name, type }) => `${type} ${name}`);
}

const named = (text: string, type: EntryType = 'file'): Item => ({ name: bytesOf(text), type, first: type === 'dir' });
const spoken = (items: readonly Item[]) => items.map(({ name, type }) => `${type} ${name}`);

const name = fc.oneof(
  fc.string({ unit: fc.constantFrom('a', 'A', 'b', 'B', '_', '~', '0'), minLength: 1, maxLength: 6 }).map(bytesOf),
  fc
    .string({ unit: fc.constantFrom('é', 'É', 'İ', 'ß', 'Σ', '日', '😀', '～', 'a', 'Z'), minLength: 1, maxLength: 4 })
    .map(bytesOf),
  fc
    .uint8Array({ min: 1, minLength: 1, maxLength: 5 })
    .map((bytes) => Buffer.from(bytes).toString('latin1').replaceAll('/', '-') as Bytes),
);
const item = fc.record({ name, type: fc.constantFrom<EntryType>('file', 'dir', 'link', 'other'), first: fc.boolean() });
const items = fc.uniqueArray(item, { selector: ({ name }) => name, maxLength: 200, size: 'medium' });

describe('the order by name', () => {
  it.each([
    ['directories first', [named('b'), named('a', 'dir')], ['dir a', 'file b']],
    ['without regard to case', [named('b'), named('A'), named('C')], ['file A', 'file b', 'file C']],
    ['names equal but for case by code point', [named('a'), named('A')], ['file A', 'file a']],
    ['by code point, not by UTF-16', [named('😀'), named('～')], ['file ～', 'file 😀']],
    ['a prefix comes first', [named('ab'), named('a')], ['file a', 'file ab']],
    ['and further on', [named('abC'), named('abc'), named('aBc')], ['file aBc', 'file abC', 'file abc']],
    ['beyond ASCII', [named('éa'), named('éA'), named('ÉA')], ['file ÉA', 'file éA', 'file éa']],
  ])('%s', async (_, given, expected) => {
    expect(await page(given, 0, 10)).toEqual(expected.map((line) => bytesOf(line)));
  });

  it('is total: any order of arrival gives the same listing', async () => {
    await fc.assert(
      fc.asyncProperty(items, async (given) => {
        const expected = spoken(given.toSorted(inOrder));
        expect(await page(given, 0, Number.POSITIVE_INFINITY)).toEqual(expected);
        expect(await page(given.toReversed(), 0, Number.POSITIVE_INFINITY)).toEqual(expected);
      }),
      { numRuns: 30 },
    );
  });
});

/** What is behind an entry that may be there or not; the bookmark is set when some have come already, or never. */
async function behind(items: readonly Item[], mark: Item, limit: number, setAt: number) {
  const budget = new Budget({});
  const collector = new NameCollector();
  const bookmark = { name: mark.name, leadsToDirectory: mark.first };
  for (const [i, { name, type, first }] of items.entries()) {
    if (i === setAt) collector.keepUpTo(limit, bookmark);
    collector.add(entriesOf([name], type), 0, first);
    if (collector.isFull) await collector.settle(budget);
  }
  const offset = await collector.positionAfter(bookmark, budget);
  return { offset, found: spoken(await collected(collector.page({ offset, limit }, budget))) };
}

const collected = async (page: Promise<Entry[]>): Promise<Item[]> =>
  (await page).map(({ name, type, leadsToDirectory }) => ({ name, type, first: leadsToDirectory }));

describe('what is behind a bookmark', () => {
  const expected = (given: readonly Item[], mark: Item, limit: number) => {
    const rest = given.filter((item) => inOrder(item, mark) > 0);
    return { offset: given.length - rest.length, found: spoken(rest.toSorted(inOrder)).slice(0, limit) };
  };

  it('is found by its place in the order, whether or not its entry is there', async () => {
    await fc.assert(
      fc.asyncProperty(items, item, fc.integer({ min: 1, max: 60 }), fc.nat(200), async (given, mark, limit, setAt) => {
        for (const one of [mark, ...given.slice(0, 3)]) {
          expect(await behind(given, one, limit, setAt)).toEqual(expected(given, one, limit));
        }
      }),
      { numRuns: 30 },
    );
  });

  it.each([0, 5_000, 20_000])(
    'of a directory with 20,000 entries, when it is set after %i have come',
    async (setAt) => {
      const given = Array.from({ length: 20_000 }, (_, i) =>
        named(`Name-${(i * 7919) % 20_000}`, i % 5 ? 'file' : 'dir'),
      );
      for (const mark of [given[7], given[10], named('name-5'), named('z'), named('', 'dir')] as Item[]) {
        expect(await behind(given, mark, 100, setAt)).toEqual(expected(given, mark, 100));
      }
    },
  );

  it('takes in no more than the page needs', async () => {
    const collector = new NameCollector();
    collector.keepUpTo(100, { name: bytesOf('m'), leadsToDirectory: false });
    for (let i = 0; i < 5_000; i++) collector.add(entriesOf([bytesOf(`a${i}`)]), 0, false);
    expect([collector.size, collector.isFull]).toEqual([0, false]);
  });

  it('is found in English order, too', async () => {
    await fc.assert(
      fc.asyncProperty(items, async (given) => {
        const budget = new Budget({});
        const collector = new KeyCollector('english', false);
        for (const { name, type, first } of given) collector.add(entriesOf([name], type), 0, first);
        const all = await collector.page({ offset: 0, limit: Number.POSITIVE_INFINITY }, budget);
        for (const [i, entry] of all.entries()) expect(await collector.positionAfter(entry, budget)).toBe(i + 1);
      }),
      { numRuns: 20 },
    );
  });
});

describe('a page', () => {
  it('is a slice of the whole, at any offset and size', async () => {
    await fc.assert(
      fc.asyncProperty(items, fc.nat(220), fc.integer({ min: 1, max: 60 }), async (given, offset, limit) => {
        const expected = spoken(given.toSorted(inOrder)).slice(offset, offset + limit);
        expect(await page(given, offset, limit)).toEqual(expected);
      }),
      { numRuns: 30 },
    );
  });

  it('pages of any size concatenate to the whole', async () => {
    await fc.assert(
      fc.asyncProperty(items, fc.integer({ min: 1, max: 40 }), async (given, size) => {
        const pages: string[] = [];
        for (let offset = 0; offset < given.length; offset += size) pages.push(...(await page(given, offset, size)));
        expect(pages).toEqual(spoken(given.toSorted(inOrder)));
      }),
      { numRuns: 10 },
    );
  });

  // More entries than are kept: what lies behind the page is dropped on the way, several times.
  it.each(['ascending', 'descending', 'shuffled'])(
    'of a directory with 20,000 entries that arrive %s',
    async (arrival) => {
      const all = Array.from({ length: 20_000 }, (_, i) =>
        named(i % 7 === 0 ? `É${i}` : `Name-${String(i).padStart(6, '0')}`, i % 5 === 0 ? 'dir' : 'file'),
      ).toSorted(inOrder);
      const given =
        arrival === 'shuffled'
          ? all.map((_, i) => all[(i * 7919) % all.length] as Item)
          : arrival === 'descending'
            ? all.toReversed()
            : all;
      for (const [offset, limit] of [
        [0, 100],
        [50, 1],
        [3990, 30],
        [19_990, 100],
        [20_000, 5],
      ] as const) {
        expect(await page(given, offset, limit)).toEqual(spoken(all).slice(offset, offset + limit));
      }
    },
  );

  it('holds no more than a bounded number of entries when a first page is asked', async () => {
    const collector = new NameCollector();
    collector.keepUpTo(100, null);
    const budget = new Budget({});
    let trims = 0;
    for (let i = 50_000; i > 0; i--) {
      collector.add(entriesOf([bytesOf(`file-${String(i).padStart(6, '0')}`)]), 0, false);
      if (!collector.isFull) continue;
      trims++;
      await collector.settle(budget);
      expect(collector.isFull).toBe(false);
    }
    // Descending is the worst arrival: each entry is better than all before, and still only a few are held at a time.
    expect(trims).toBeGreaterThan(30);
  });

  it('gives each of several callers its page while they take turns within every step', async () => {
    /** Gives way wherever it may. */
    class Hasty extends Budget {
      override get isDue(): boolean {
        return true;
      }
    }
    const budget = new Hasty({});
    const collector = new NameCollector();
    const total = 150_000;
    const nameAt = (i: number) => bytesOf(`one-of-many-with-a-rather-long-name-${String(i).padStart(6, '0')}`);
    let settled = 0;
    for (let i = 0; i < total; i++) {
      collector.add(entriesOf([nameAt((i * 7919) % total)]), 0, false);
      if (!collector.isFull) continue;
      settled++;
      await collector.settle(budget);
      expect(collector.isFull).toBe(false);
    }
    // It grew beyond what is copied at once.
    expect(settled).toBeGreaterThan(0);
    const offsets = [0, 1, 70_000, 149_990];
    const pages = await Promise.all(offsets.map((offset) => collector.page({ offset, limit: 10 }, budget)));
    expect(pages.map((page) => page.map(({ name }) => name))).toEqual(
      offsets.map((offset) => Array.from({ length: 10 }, (_, i) => nameAt(offset + i))),
    );
  });
});

/** Names of six letters. */
const numbered = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, i) => bytesOf(`n${String(from + i).padStart(5, '0')}`));
const mixed = <T>(list: readonly T[]) => list.map((_, i) => list[(i * 7919) % list.length] as T);

function addAll(collector: NameCollector, names: readonly Bytes[], isDirectory = false): void {
  const entries = entriesOf(names, isDirectory ? 'dir' : 'file');
  for (let i = 0; i < names.length; i++) collector.add(entries, i, isDirectory);
}

const namesOn = async (collector: NameCollector, offset: number, limit: number) =>
  (await collector.page({ offset, limit }, new Budget({}))).map(({ name }) => name);

describe('what is kept for a page', () => {
  /** A rank and an end; where it and its key begin and it ends, its type. */
  const sizeOf = (count: number, length = 6) => count * (length + 2 + 16);
  const SPARE = 1024;

  it('is that of the page, as soon as there is twice as much and some to spare', async () => {
    const collector = new NameCollector();
    collector.keepUpTo(10, null);
    addAll(collector, mixed(numbered(100, 100 + SPARE + 20)));
    expect([collector.isFull, collector.size]).toEqual([false, sizeOf(SPARE + 20)]);
    await collector.settle(new Budget({}));
    expect(collector.size).toBe(sizeOf(SPARE + 20));
    addAll(collector, numbered(99, 100));
    expect(collector.isFull).toBe(true);
    await collector.settle(new Budget({}));
    expect([collector.isFull, collector.size]).toEqual([false, sizeOf(10)]);
    // What comes behind the last of them is not taken in, and what comes before it is.
    addAll(collector, [bytesOf('n00109'), bytesOf('n00108x'), bytesOf('N001080'), bytesOf('z'), bytesOf('\u00e9')]);
    expect(collector.size).toBe(sizeOf(10));
    addAll(collector, [bytesOf('N00108'), bytesOf('n0010')]);
    expect(collector.size).toBe(sizeOf(11) + sizeOf(1, 5));
    addAll(collector, [bytesOf('z')], true);
    expect(await namesOn(collector, 0, 4)).toEqual(['z', 'n00099', 'n0010', 'n00100']);
    expect(await namesOn(collector, 10, 9)).toEqual(['n00107', 'N00108', 'n00108']);
  });

  it('has names beyond ASCII, by what they are compared by', async () => {
    const collector = new NameCollector();
    const expected = ['a', 'É', 'é', 'Éa', 'éb'].map((name) => bytesOf(name));
    collector.keepUpTo(5, null);
    addAll(collector, mixed([...expected, ...numbered(0, SPARE + 7).map((name) => `\xc3\xa9${name}` as Bytes)]));
    expect(collector.isFull).toBe(true);
    await collector.settle(new Budget({}));
    const before = collector.size;
    addAll(collector, [bytesOf('éba'), bytesOf('éc'), bytesOf('ê'), bytesOf('\u00c9c')]);
    expect(collector.size).toBe(before);
    addAll(collector, [bytesOf('ÉA'), bytesOf('Éb'), bytesOf('b')]);
    const all = ['a', 'b', 'É', 'é', 'ÉA', 'Éa', 'Éb', 'éb'].map((name) => bytesOf(name));
    expect(await namesOn(collector, 0, 9)).toEqual(all);
  });

  it('has the types that it had', async () => {
    const collector = new NameCollector();
    collector.keepUpTo(8, null);
    addAll(collector, numbered(0, SPARE + 20));
    for (const type of ['file', 'dir', 'link', 'other'] as const) {
      for (const name of [`a ${type}`, `é ${type}`]) collector.add(entriesOf([bytesOf(name)], type), 0, true);
    }
    await collector.settle(new Budget({}));
    const entries = await collector.page({ offset: 0, limit: 9 }, new Budget({}));
    expect(entries.map(({ name, type }) => `${name} is ${type}`)).toEqual(
      ['a', 'é'].flatMap((start) =>
        ['dir', 'file', 'link', 'other'].map((type) => bytesOf(`${start} ${type} is ${type}`)),
      ),
    );
  });

  it('has room for names of any length beside what they are compared by', async () => {
    for (let length = 2030; length < 2060; length++) {
      const collector = new NameCollector();
      const name = bytesOf(`${'a'.repeat(length - 2)}É`);
      addAll(collector, [name, bytesOf('b')]);
      expect(await namesOn(collector, 0, 3)).toEqual([name, 'b']);
    }
  });

  it('is what comes behind a bookmark', async () => {
    for (const when of ['before', 'after']) {
      const collector = new NameCollector();
      const mark = { name: bytesOf('N00500'), leadsToDirectory: false };
      const names = mixed(numbered(0, 2000));
      if (when === 'before') collector.keepUpTo(5, mark);
      addAll(collector, names);
      collector.keepUpTo(5, mark);
      expect(collector.isFull).toBe(true);
      await collector.settle(new Budget({}));
      expect(collector.size).toBe(sizeOf(5));
      // In front of it they are counted, behind the last they are not.
      addAll(collector, [bytesOf('a'), bytesOf('z'), bytesOf('N005')]);
      expect(collector.size).toBe(sizeOf(5));
      addAll(collector, [bytesOf('b')], true);
      // Capitals come first: `n00500` is behind the mark.
      const position = await collector.positionAfter(mark, new Budget({}));
      expect(position).toBe(500 + 2 + 1);
      expect(await namesOn(collector, position, 9)).toEqual(numbered(500, 505));
    }
  });

  it('is all of it where less comes behind the bookmark than a page', async () => {
    const collector = new NameCollector();
    addAll(collector, mixed(numbered(0, 1500)));
    collector.keepUpTo(100, { name: bytesOf('n01459'), leadsToDirectory: false });
    await collector.settle(new Budget({}));
    expect(collector.size).toBe(sizeOf(40));
    addAll(collector, [bytesOf('z')]);
    expect(await namesOn(collector, 1460, 100)).toEqual([...numbered(1460, 1500), 'z']);
    expect(await namesOn(collector, 1501, 100)).toEqual([]);
  });

  it('grows when there is much of it, with turns of others', async () => {
    const long = 'x'.repeat(249);
    const names = mixed(numbered(0, 18_000)).map((name) => `${name}${long}` as Bytes);
    let turns = 0;
    class Counting extends Budget {
      override yieldIfDue(): undefined {
        turns++;
      }
    }
    const collector = new NameCollector();
    const entries = entriesOf(names);
    let settled = 0;
    for (let i = 0; i < names.length; i++) {
      collector.add(entries, i, false);
      if (!collector.isFull) continue;
      settled++;
      await collector.settle(new Counting({}));
      expect(collector.isFull).toBe(false);
    }
    // Once for the names, and once for where they begin and end.
    expect(settled).toBe(2);
    expect(turns).toBeGreaterThan(15);
    expect(collector.size).toBe(sizeOf(18_000, 255));
    expect(await namesOn(collector, 9_000, 3)).toEqual(numbered(9_000, 9_003).map((name) => `${name}${long}`));
  });

  it('is given with turns of others', async () => {
    let turns = 0;
    class Counting extends Budget {
      override yieldIfDue(): undefined {
        turns++;
      }
    }
    const collector = new NameCollector();
    addAll(collector, numbered(0, 2050));
    const budget = new Counting({});
    expect(await collector.page({ offset: 0, limit: 2049 }, budget)).toHaveLength(2049);
    expect(turns).toBeGreaterThan(2);
    turns = 0;
    expect(await collector.page({ offset: 5, limit: 0 }, budget)).toEqual([]);
    expect(await collector.page({ offset: 2050, limit: 5 }, budget)).toEqual([]);
    expect(turns).toBe(0);
    expect(await collector.page({ offset: 2049, limit: 5 }, budget)).toHaveLength(1);
  });
});

describe('entries of several directories', () => {
  it('are told by their paths', async () => {
    const collector = new NameCollector(BY_PATH, false);
    const add = (parent: string, name: string, type: EntryType, leads = type === 'dir') =>
      collector.add(entriesOf([bytesOf('first'), bytesOf(name)], type), 1, leads, bytesOf(parent));
    const long = 'y'.repeat(260);
    add('b/c', 'z', 'file');
    add('b', 'c', 'dir');
    add('', 'b', 'dir');
    add('', 'b.txt', 'link', true);
    add('b', 'é', 'other');
    add('b', 'É', 'file');
    add(`b/${long}`, `${long}2`, 'file');
    add(`b/${long}`, `${long}1`, 'file');
    const entries = await collector.page({ offset: 0, limit: 20 }, new Budget({}));
    expect(entries.map(({ parent, name, type }) => `${type} ${parent} ${name}`.replaceAll(long, 'L'))).toEqual(
      ['dir  b', 'link  b.txt', 'dir b c', 'file b/c z', 'file b/L L1', 'file b/L L2', 'file b É', 'other b é'].map(
        (line) => bytesOf(line),
      ),
    );
    // By this order it is not known where links lead.
    expect(entries.map(({ leadsToDirectory }) => leadsToDirectory)).toEqual(entries.map(({ type }) => type === 'dir'));
    expect(entries.every(({ metadata }) => metadata === null)).toBe(true);
  });

  it('are kept for a page by as much of their paths as counts', async () => {
    const collector = new NameCollector(BY_PATH, false);
    collector.keepUpTo(2, null);
    const long = 'y'.repeat(600);
    addAll(collector, [...numbered(0, 1040), ...['a', 'b'].map((end) => bytesOf(`m${long}${end}`))]);
    await collector.settle(new Budget({}));
    const before = collector.size;
    // Beyond 500 bytes only the whole names tell them apart.
    addAll(collector, [bytesOf(`m${long}c`), bytesOf('n'), bytesOf('mz')]);
    expect(collector.size).toBe(before);
    addAll(collector, [bytesOf('my'), bytesOf(`m${long}A`)]);
    expect((await namesOn(collector, 0, 9)).map((name) => name.replace(long, ''))).toEqual(['my', 'mA', 'ma', 'mb']);
  });
});

describe('numbers in names', () => {
  it('count by their value, also behind a bookmark', async () => {
    const names = ['v1', 'v2', 'V02', 'v10', 'v10a', 'v100', 'w'].map((name) => bytesOf(name));
    const collector = new NameCollector(NATURAL);
    addAll(collector, mixed(names));
    expect(await namesOn(collector, 0, 9)).toEqual(['v1', 'V02', 'v2', 'v10', 'v10a', 'v100', 'w']);
    const behind = (name: string) =>
      collector.positionAfter({ name: bytesOf(name), leadsToDirectory: false }, new Budget({}));
    expect([await behind('v1'), await behind('v3'), await behind('v10'), await behind('x')]).toEqual([1, 3, 4, 7]);
    expect([await behind('V02'), await behind('v02'), await behind('')]).toEqual([2, 2, 0]);
  });
});

describe('a directory first', () => {
  it('is one, or a link that leads to one', async () => {
    const collector = new NameCollector(LOWER_CASED, true);
    collector.add(entriesOf([bytesOf('to')], 'link'), 0, true);
    collector.add(entriesOf([bytesOf('a')], 'link'), 0, false);
    const [first, second] = await collector.page({ offset: 0, limit: 2 }, new Budget({}));
    expect(first).toEqual({ name: 'to', parent: '', type: 'link', leadsToDirectory: true, metadata: null });
    expect(second).toEqual({ name: 'a', parent: '', type: 'link', leadsToDirectory: false, metadata: null });
    expect(await collector.positionAfter({ name: bytesOf('zz'), leadsToDirectory: true }, new Budget({}))).toBe(1);
  });
});
