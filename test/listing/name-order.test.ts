/** Entry numbers by their keys, of which only those are put in order that were asked for. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FOLD } from '../../src/listing/name-keys.ts';
import { NameOrder } from '../../src/listing/name-order.ts';
import type { Bytes } from '../../src/names/bytes.ts';
import { Budget } from '../../src/workspace/budget.ts';
import { entriesOf } from '../support/entries.ts';

/** Counts its work, and is due whenever it was charged with so much since the last turn. */
class Counting extends Budget {
  readonly #most: number;
  spent = 0;
  waits = 0;
  largest = 0;

  constructor(most = Number.POSITIVE_INFINITY) {
    super({});
    this.#most = most;
  }

  override get isDue(): boolean {
    return this.steps >= this.#most;
  }

  override async yieldIfDue(): Promise<void> {
    this.waits++;
    this.take();
  }

  /** What was charged since it was asked last. */
  take(): number {
    const { steps } = this;
    this.steps = 0;
    this.spent += steps;
    this.largest = Math.max(this.largest, steps);
    return steps;
  }
}

/** Names without regard to case; those that are equal then, by their bytes. */
function orderOf(names: readonly string[]) {
  const entries = entriesOf(names as Bytes[]);
  return { order: new NameOrder(entries, 0, entries.starts.slice(0, names.length), FOLD) };
}

const byBytes = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
const inOrder = (names: readonly string[]) =>
  names.toSorted((a, b) => byBytes(a.toLowerCase(), b.toLowerCase()) || byBytes(a, b));
const namesAt = (ids: Uint32Array, names: readonly string[]) => Array.from(ids, (id) => names[id] as string);

/** The names in no order. */
const mixed = (names: readonly string[]) => names.map((_, i) => names[(i * 7919) % names.length] as string);
const numbered = (count: number, start = '') =>
  Array.from({ length: count }, (_, i) => `${start}${String(i).padStart(5, '0')}`);

/** All spellings of a word of small letters. */
const spellings = (word: string) =>
  Array.from({ length: 2 ** word.length }, (_, bits) =>
    [...word].map((letter, i) => ((bits >> i) & 1 ? letter.toUpperCase() : letter)).join(''),
  );

async function expectOrder(names: readonly string[], from: number, to: number, budget = new Counting()): Promise<void> {
  const { order } = orderOf(names);
  const ids = await order.arranged(from, to, budget);
  const expected = inOrder(names);
  const found = namesAt(ids, names);
  expect(found.slice(from, to)).toEqual(expected.slice(from, to));
  // The others are on their side.
  expect(inOrder(found.slice(0, from))).toEqual(expected.slice(0, from));
  expect(inOrder(found.slice(to))).toEqual(expected.slice(to));
}

describe('entries are put in order', () => {
  it.each<[string, readonly string[]]>([
    ['none', []],
    ['one', ['a']],
    ['few', ['b', 'a', 'C', 'ab', 'A', 'aB']],
    ['a few', mixed(numbered(24))],
    ['one more', mixed(numbered(25))],
    ['of one beginning', mixed(numbered(60, 'one-of-many-'))],
    ['of several beginnings', mixed([...numbered(40, 'a'), ...numbered(3, 'B'), ...numbered(30, 'c'), 'd'])],
    ['each of which begins the next', mixed(Array.from({ length: 60 }, (_, i) => 'x'.repeat(i + 1)))],
    ['that are equal but for case', mixed(spellings('abcde'))],
    ['of which some are equal but for case', mixed([...spellings('abcde'), ...numbered(30, 'abcde'), 'abcd', 'b'])],
  ])('%s', async (_, names) => {
    await expectOrder(names, 0, names.length);
    await expectOrder(names.toReversed(), 0, names.length);
    await expectOrder(names, 0, names.length, new Counting(0));
  });

  it('in any range', async () => {
    const names = mixed([...numbered(90, 'a'), ...spellings('a0007'), ...numbered(40, 'b'), 'c', 'd']);
    for (let from = 0; from < names.length; from += 19) {
      for (const to of [from, from + 1, from + 24, names.length])
        await expectOrder(names, from, Math.min(to, names.length));
    }
  });

  it('whatever they are, in one range after the other', async () => {
    const name = fc.string({ unit: fc.constantFrom('a', 'A', 'b', 'B', '0'), minLength: 1, maxLength: 5 });
    const range = fc.tuple(fc.nat(150), fc.nat(40));
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(name, { maxLength: 150, minLength: 80 }),
        fc.array(range, { maxLength: 5 }),
        fc.boolean(),
        async (names, ranges, isHasty) => {
          const { order } = orderOf(names);
          const expected = inOrder(names);
          for (const [from, length] of ranges) {
            const ids = await order.arranged(from, from + length, new Counting(isHasty ? 0 : 1000));
            expect(namesAt(ids, names).slice(from, from + length)).toEqual(expected.slice(from, from + length));
          }
        },
      ),
      { numRuns: 20 },
    );
  });

  it('of more than are sorted at once', async () => {
    const names = mixed([...numbered(20_000, 'a'), ...numbered(14_000, 'of one beginning '), ...spellings('abcdefgh')]);
    const expected = inOrder(names);
    const { order } = orderOf(names);
    for (const from of [17_000, 17_100, 30_000, names.length - 10, 0, 256]) {
      const ids = await order.arranged(from, from + 10, new Counting(0));
      expect(namesAt(ids, names).slice(from, from + 10)).toEqual(expected.slice(from, from + 10));
    }
    expect(namesAt(await order.arranged(0, names.length, new Counting()), names)).toEqual(expected);
  });

  it('for several at the same time', async () => {
    const names = mixed([...numbered(300, 'a'), ...numbered(300, 'b'), ...spellings('abcde')]);
    const { order } = orderOf(names);
    const ranges = [0, 1, 250, 320, 600, 630].map((from) => [from, from + 30] as const);
    const found = await Promise.all(
      ranges.map(async ([from, to]) => {
        const ids = await order.arranged(from, to, new Counting(0));
        return namesAt(ids, names).slice(from, to);
      }),
    );
    expect(found).toEqual(ranges.map(([from, to]) => inOrder(names).slice(from, to)));
  });
});

describe('work', () => {
  it('is done once, and only for what is asked', async () => {
    const names = mixed([...numbered(1000, 'a'), ...numbered(1000, 'b')]);
    const { order } = orderOf(names);
    const budget = new Counting();
    const costOf = async (from: number, to: number) => {
      await order.arranged(from, to, budget);
      return budget.take();
    };
    // Some passes over all, each over half as many as the one before, and a little of the rest.
    const first = await costOf(500, 505);
    expect(first).toBeGreaterThan(4 * 2000);
    expect(first).toBeLessThan(4 * 2000 * 10);
    expect(await costOf(500, 505)).toBe(0);
    expect(await costOf(503, 504)).toBe(0);
    expect(await costOf(505, 515)).toBeLessThan(first / 8);
    expect(await costOf(1999, 2000)).toBeLessThan(first);
    expect(await costOf(2000, 3000)).toBe(0);
  });

  it.each(['a', 'abcdef', 'abcdefghijkl-'])('grows with the number of names, however they begin: %s', async (start) => {
    const names = mixed(numbered(2 ** 16, start));
    const pass = 4 * 2 ** 16;
    const budget = new Counting();
    const costOf = async (from: number, to: number) => {
      await orderOf(names).order.arranged(from, to, budget);
      return budget.take() / pass;
    };
    // Each digit that all share takes two passes. The next takes two as well, and what is near the page some more.
    const shared = 2 * Math.floor(start.length / 6);
    expect(await costOf(0, 100)).toBeLessThan(shared + 3);
    expect(await costOf(2 ** 15, 2 ** 15 + 100)).toBeLessThan(shared + 5);
    expect(await costOf(2 ** 16 - 100, 2 ** 16)).toBeLessThan(shared + 3);
    expect(await costOf(0, 2 ** 16)).toBeLessThan(shared + 5);
  });

  it('is charged by how much it is', async () => {
    const few = orderOf(numbered(24));
    const budget = new Counting();
    await few.order.arranged(0, 24, budget);
    // Their digits are read, and sorted.
    expect(budget.take()).toBe(2 * 4 * 24);
    const many = orderOf(numbered(100));
    await many.order.arranged(0, 0, budget);
    expect(budget.take()).toBe(0);
  });

  it('on 40,001 names pauses in the middle, and goes on there', async () => {
    const names = mixed([...numbered(40_000, 'a'), 'b']);
    const { order } = orderOf(names);
    const budget = new Counting(1);
    const ids = await order.arranged(40_000, 40_001, budget);
    budget.take();
    expect(names[ids[40_000] as number]).toBe('b');
    expect(budget.waits).toBeGreaterThan(3);
    expect(budget.largest).toBe(4 * 2 ** 15);
    await order.arranged(0, 10, budget);
    expect(namesAt(ids, names).slice(0, 10)).toEqual(numbered(10, 'a'));
    expect(budget.largest).toBe(4 * 2 ** 15);
  });

  it('does not wait where nothing is due', async () => {
    const names = mixed(numbered(500));
    const budget = new Counting();
    await orderOf(names).order.arranged(0, 500, budget);
    expect(budget.waits).toBe(0);
  });

  it('pauses also among long names whose keys are equal', async () => {
    // They differ by one capital, far behind.
    const names = mixed(Array.from({ length: 200 }, (_, i) => `${'a'.repeat(9_000 + i)}A${'a'.repeat(200 - i)}`));
    const budget = new Counting(20_000);
    await expectOrder(names, 0, names.length, budget);
    expect(budget.waits).toBeGreaterThan(30);
    expect(budget.largest).toBeLessThan(40_000);
  });

  it('passes over what all names share, in longer steps', async () => {
    const budget = new Counting();
    await expectOrder(mixed(numbered(1000, 'x'.repeat(100))), 0, 1000, budget);
    // Of 105 bytes, each step passes over 24 and reads 6; then the last six decide.
    expect(budget.spent + budget.take()).toBeLessThan(2 * 4 * 1000 * 6);
  });
});
