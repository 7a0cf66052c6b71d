import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sortSiblings } from '../../src/listing/sibling-order.ts';
import { Budget } from '../../src/workspace/budget.ts';
import { type Bytes, bytesOf, codePointsOf } from '../../src/workspace/bytes.ts';
import { entriesOf, listed, namesIn } from '../support/entries.ts';

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

async function sorted(names: readonly Bytes[]): Promise<Bytes[]> {
  const entries = entriesOf(['z' as Bytes, ...names, 'a' as Bytes]);
  await sortSiblings(entries, 1, names.length + 1, new Budget());
  return namesIn(entries).slice(1, -1);
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
      { numRuns: 400 },
    );
  });

  it.each([
    ['more names than are sorted at once', 8193, (i: number) => `f${(i * 7919) % 8193}`],
    ['many names that are not ASCII', 513, (i: number) => `é${(i * 7919) % 513}`],
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
    await sortSiblings(entries, 0, 3, new Budget());
    expect(listed(entries)).toEqual([
      ['A', 'dir'],
      ['b', 'link'],
      ['c', 'link'],
    ]);
  });
});
