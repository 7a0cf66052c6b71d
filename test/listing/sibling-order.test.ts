import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sortSiblings } from '../../src/listing/sibling-order.ts';
import { type Bytes, bytesOf, codePointsOf } from '../../src/workspace/bytes.ts';

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

function sorted(names: readonly Bytes[]): Bytes[] {
  const copy = [...names];
  sortSiblings(copy);
  return copy;
}

const unique = (name: fc.Arbitrary<Bytes>, maxLength: number) => fc.uniqueArray(name, { maxLength });
const from = (letters: string, maxLength: number) =>
  fc.string({ unit: fc.constantFrom(...letters), minLength: 1, maxLength }).map(bytesOf);

describe('the order of siblings', () => {
  it.each([
    ['short names, few letters', from('abAB.', 4)],
    ['long names with a common beginning', from('aA', 12).map((name) => `Component-${name}` as Bytes)],
    ['any text', from('aZ_~é日ß😀İ', 6)],
    [
      'any bytes',
      fc
        .uint8Array({ min: 1, minLength: 1, maxLength: 6 })
        .map((bytes) => Buffer.from(bytes).toString('latin1') as Bytes),
    ],
  ])('is that of the contract: %s', (_, name) => {
    fc.assert(
      fc.property(unique(name, 120), (names) => {
        expect(sorted(names)).toEqual(expected(names));
      }),
      { numRuns: 400 },
    );
  });

  it.each([
    ['more names than are packed at once', 8193, (i: number) => `f${(i * 7919) % 8193}`],
    ['many names that have to be compared one by one', 513, (i: number) => `é${(i * 7919) % 513}`],
  ])('is left to those who can pause: %s', (_, count, nameOf) => {
    const names = Array.from({ length: count }, (_, i) => bytesOf(nameOf(i)));
    expect(sortSiblings([...names])).toBe(false);
    expect(sorted(names)).toEqual(names);
    const fewer = names.slice(1);
    expect(sortSiblings([...fewer])).toBe(true);
    expect(sorted(fewer)).toEqual(expected(fewer));
  });
});
