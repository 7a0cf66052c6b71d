import fc from 'fast-check';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { LOWER_CASED, NATURAL } from '../../src/listing/name-keys.ts';
import { sortSiblings } from '../../src/listing/sibling-order.ts';
import { type Bytes, bytesOf, codePointsOf } from '../../src/names/bytes.ts';
import { Budget, COST } from '../../src/workspace/budget.ts';
import { movedClock } from '../support/clock.ts';
import { entriesOf, listed, namesIn } from '../support/entries.ts';
import { rounds } from '../support/rounds.ts';

/** The order as the contract says it. */
function expected(names: readonly Bytes[]): Bytes[] {
  const lowered = (name: Bytes) => codePointsAsText(name).toLowerCase();
  const points = (text: string) => Array.from(text, (character) => character.codePointAt(0) as number);
  const compare = (a: readonly number[], b: readonly number[]): number => {
    const at = a.findIndex((point, i) => point !== b[i]);
    return at < 0 ? a.length - b.length : (a[at] as number) - (b[at] ?? -1);
  };
  return names.toSorted(
    (a, b) => compare(points(lowered(a)), points(lowered(b))) || compare(codePointsOf(a), codePointsOf(b)),
  );
}

const codePointsAsText = (name: Bytes) => String.fromCodePoint(...codePointsOf(name));

/** What stands before and behind belongs to other directories, and stays as it is. */
async function sorted(names: readonly Bytes[], comparison = LOWER_CASED, budget = new Budget()): Promise<Bytes[]> {
  const entries = entriesOf(['z' as Bytes, 'y' as Bytes, ...names, 'a' as Bytes]);
  await sortSiblings(entries, 2, names.length + 2, comparison, budget);
  const [first, second, ...rest] = namesIn(entries);
  expect([first, second, rest.pop()]).toEqual(['z', 'y', 'a']);
  return rest;
}

const unique = (name: fc.Arbitrary<Bytes>, maxLength: number) => fc.uniqueArray(name, { maxLength });
const from = (letters: string, maxLength: number) =>
  fc.string({ unit: fc.constantFrom(...letters), minLength: 1, maxLength }).map(bytesOf);

describe('the order of siblings', () => {
  it.each([4, 6, 11])(
    'is that of the contract where many names of %i letters are equal but for case',
    async (length) => {
      const names = Array.from({ length: 2 ** length }, (_, i) => {
        const letters = Array.from('abcdefghijk'.slice(0, length), (letter, at) =>
          (i >> at) & 1 ? letter.toUpperCase() : letter,
        );
        return letters.join('') as Bytes;
      });
      expect(await sorted(names)).toEqual(expected(names));
    },
  );

  it.each([
    ['short names, few letters', from('abAB.', 4)],
    ['long names with a common beginning', from('aA', 12).map((name) => `Component-${name}` as Bytes)],
    ['names that differ late', from('abAB_', 12).map((name) => `Shared-${name}` as Bytes)],
    ['any text', from('aZ_~é日ß😀İ', 6)],
    [
      'any bytes',
      fc
        .uint8Array({ min: 1, minLength: 1, maxLength: 6 })
        .map((bytes) => Buffer.from(bytes).toString('latin1') as Bytes),
    ],
  ])('is that of the contract: %s', (_, name) => {
    return fc.assert(
      fc.asyncProperty(unique(name, 120), async (names) => {
        expect(await sorted(names)).toEqual(expected(names));
      }),
      { numRuns: rounds(400) },
    );
  });

  it.each([
    ['more names than are sorted at once', 8193, (i: number) => `f${(i * 7919) % 8193}`],
    ['many names that are not ASCII', 513, (i: number) => `é${(i * 7919) % 513}`],
    // The key of one letter is longer than the name, that of another shorter, and capitals come among small letters.
    ['more of them', 4001, (i: number) => `${'éÉİȺaZ'[i % 6]} has a key of its own ${(i * 7919) % 4001}`],
  ])('is that of the contract, however many there are: %s', async (_, count, nameOf) => {
    const names = Array.from({ length: count }, (_, i) => bytesOf(nameOf(i)));
    expect(await sorted(names)).toEqual(expected(names));
    const fewer = names.slice(1);
    expect(await sorted(fewer)).toEqual(expected(fewer));
  });

  it('holds for names that are longer than any disk has', async () => {
    const names = ['b', 'A', 'a', 'C'].map((end) => `${'x'.repeat(70_000)}${end}` as Bytes);
    expect(await sorted(names)).toEqual(expected(names));
  });

  it('keeps the type of each', async () => {
    const entries = entriesOf(['b' as Bytes, 'c' as Bytes], 'link');
    entries.add('A' as Bytes, 'dir');
    await sortSiblings(entries, 0, 3, LOWER_CASED, new Budget());
    expect(listed(entries)).toEqual([
      ['A', 'dir'],
      ['b', 'link'],
      ['c', 'link'],
    ]);
  });
});

/** Every one of them, not in order. */
function mixed(count: number, nameOf: (i: number) => string): Bytes[] {
  const step = [37, 41, 43].find((prime) => count % prime !== 0) as number;
  return Array.from({ length: count }, (_, i) => bytesOf(nameOf((i * step) % count)));
}

describe('names that are not ASCII', () => {
  it('are ordered by their letters where they are equal but for case', async () => {
    const letters = ['a', 'A', 'é', 'É'];
    const words = letters.flatMap((x) => [x, ...letters.flatMap((y) => [x + y, ...letters.map((z) => x + y + z)])]);
    const names = mixed(words.length, (i) => words[i] as string);
    expect(await sorted(names)).toEqual(expected(names));
    expect(await sorted(names.toReversed())).toEqual(expected(names));
    expect(await sorted(names.slice(0, 9))).toEqual(expected(names.slice(0, 9)));
  });

  it('are ordered by what their bytes stand for, even where there is but one', async () => {
    const names = ['\x80' as Bytes, bytesOf('é'), 'a' as Bytes, bytesOf('日')];
    expect(await sorted(names)).toEqual(['a', bytesOf('é'), bytesOf('日'), '\x80']);
    expect(await sorted(names)).toEqual(expected(names));
  });

  it('keep the type of each', async () => {
    const entries = entriesOf(['é', 'a', 'ö'].map(bytesOf), 'link');
    for (const name of ['Ö', 'b', 'É']) entries.add(bytesOf(name), 'dir');
    entries.add(bytesOf('c'), 'other');
    await sortSiblings(entries, 2, 6, LOWER_CASED, new Budget());
    const texts = listed(entries).map(([name, type]) => [Buffer.from(name, 'latin1').toString(), type]);
    expect(texts).toEqual([
      ...[
        ['é', 'link'],
        ['a', 'link'],
        ['b', 'dir'],
        ['É', 'dir'],
        ['Ö', 'dir'],
        ['ö', 'link'],
        ['c', 'other'],
      ],
    ]);
  });
});

describe('the natural order', () => {
  const order = (...names: string[]) => sorted(names as Bytes[], NATURAL);

  it.each([
    ['small and large', ['v10', 'v9', 'V2', 'v100', 'v1'], ['v1', 'V2', 'v9', 'v10', 'v100']],
    ['where the only digit is 0', ['x00b', 'x0a'], ['x0a', 'x00b']],
    ['where the only digit is 9', ['99a', '9a'], ['9a', '99a']],
    ['where one name alone has a digit', ['b', 'a', 'c7'], ['a', 'b', 'c7']],
    ['where no name has one', ['b-/', 'a', '-', 'B:', '.c'], ['-', '.c', 'a', 'b-/', 'B:']],
    ['equal values by name', ['a1', 'a01', 'A1', 'a001'], ['A1', 'a001', 'a01', 'a1']],
  ])('is that of the values of numbers: %s', async (_, names, ordered) => {
    expect(await order(...names)).toEqual(ordered);
    expect(await order(...names.toReversed())).toEqual(ordered);
  });

  it('of many names for the same number is that of the names', async () => {
    const names = mixed(60, (i) => `x${'0'.repeat(i)}1`);
    const ordered = Array.from({ length: 60 }, (_, i) => `x${'0'.repeat(59 - i)}1`);
    expect(await order(...names)).toEqual(ordered);
    expect(await order('x1a', ...names)).toEqual([...ordered, 'x1a']);
    expect(await order(...names, 'x1a')).toEqual([...ordered, 'x1a']);
    expect(await order('y', ...names)).toEqual([...ordered, 'y']);
  });

  it.each([300, 4001])('of %i names is that of their numbers, whatever they begin with', async (count) => {
    for (const prefix of ['', 'v', 'versions-of-some-length-', 'é']) {
      const names = mixed(count, (i) => `${prefix}${i}`);
      expect(await sorted(names, NATURAL)).toEqual(Array.from({ length: count }, (_, i) => bytesOf(`${prefix}${i}`)));
    }
  });
});

describe('sorting takes', () => {
  const isAtOnce = (names: readonly string[], comparison = LOWER_CASED, from = 0, to = names.length) =>
    sortSiblings(entriesOf(names.map(bytesOf)), from, to, comparison, new Budget({ signal: AbortSignal.abort() })) ===
    undefined;

  it('no time where names are not too long together', () => {
    // 65,536 bytes, and one more.
    const many = mixed(4096, (i) => `f${String(i).padStart(15, '0')}`);
    expect([isAtOnce([]), isAtOnce(['é']), isAtOnce(['b', 'é']), isAtOnce(many)]).toEqual([true, true, true, true]);
    expect(isAtOnce([...many, 'x'])).toBe(false);
    expect([isAtOnce(['b', 'a1'], NATURAL), isAtOnce([...many, '1'], NATURAL)]).toEqual([true, false]);
    // Nor does it matter what stands before them, and behind.
    expect(isAtOnce(['é'.repeat(1_000_000), 'b', 'a', 'é'], LOWER_CASED, 1, 3)).toBe(true);
  });

  async function workOf(names: readonly string[], from = 0, to = names.length): Promise<number> {
    const budget = new Budget();
    await sortSiblings(entriesOf(names.map(bytesOf)), from, to, LOWER_CASED, budget);
    return budget.work;
  }

  it('work that grows with the number of names', async () => {
    const names = ['e', 'd', 'c', 'b', 'a'];
    expect([await workOf(names, 0, 0), await workOf(names, 2, 3)]).toEqual([0, 0]);
    const two = await workOf(names, 0, 2);
    expect(two).toBeGreaterThan(0);
    expect([await workOf(names, 2, 4), await workOf(names, 1, 5)]).toEqual([two, 2 * two]);
  });

  it('work that grows with the length of names', async () => {
    const short = await workOf(['é1', 'é2', 'é3']);
    const long = await workOf(['é1', 'é2', 'é3'].map((name) => name + 'x'.repeat(10)));
    expect(long - short).toBe(COST.nameByte * 3 * 10);
    expect(await workOf(['before', 'é1', 'é2', 'é3', 'behind'], 1, 4)).toBe(short);
  });

  function tickAtEachLook(): void {
    let time = 0;
    const clock = movedClock(() => ++time);
    onTestFinished(() => clock.mockRestore());
  }

  it('turns with others where there are many', async () => {
    tickAtEachLook();
    const names = mixed(20_000, (i) => `é${i}`);
    const budget = Budget.unlimited();
    expect(await sorted(names, LOWER_CASED, budget)).toEqual(expected(names));
    expect(budget.turns).toBeGreaterThan(1);
  });

  it('turns with others also while very many names are put in their places', async () => {
    const names = mixed(100_000, (i) => `n${i}`);
    const inOrder = names.toSorted((a, b) => (a < b ? -1 : 1));
    const entries = entriesOf(names);
    const budget = Budget.unlimited();
    let isHalfDone = false;
    vi.spyOn(budget, 'yieldIfDue').mockImplementation(() => {
      const isDone = (from: number) => entries.namesOf(from, from + 50).every((name, i) => name === inOrder[from + i]);
      isHalfDone ||= isDone(0) && !isDone(names.length - 50);
      return undefined;
    });
    await sortSiblings(entries, 0, names.length, LOWER_CASED, budget);
    expect([namesIn(entries), isHalfDone]).toEqual([inOrder, true]);
  });

  it('no longer than the call may, and loses nothing', async () => {
    tickAtEachLook();
    const names = mixed(20_000, (i) => `é${i}`);
    const budget = new Budget({ signal: AbortSignal.abort() });
    expect(new Set(await sorted(names, LOWER_CASED, budget))).toEqual(new Set(names));
    expect(budget.stopped).toBe('aborted');
  });
});
