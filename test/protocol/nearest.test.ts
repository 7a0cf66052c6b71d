import fc from 'fast-check';
import { expect, test } from 'vitest';
import { didYouMean, nearest, nearestFew } from '../../src/protocol/nearest.ts';
import { rounds } from '../support/rounds.ts';

const PARAMETERS = ['path', 'offset', 'limit', 'include_hidden', 'ignore'];

test.each([
  ['a letter is missing', 'ofset', PARAMETERS, 'offset'],
  ['a letter too many', 'limiit', PARAMETERS, 'limit'],
  ['a letter is wrong', 'pith', PARAMETERS, 'path'],
  ['neighbours are swapped', 'ptah', PARAMETERS, 'path'],
  ['only the case is wrong', 'PATH', PARAMETERS, 'path'],
  ['a short word with a letter too many', 'LSS', ['Tree', 'LS'], 'LS'],
  ['a short word with a letter missing', 'pth', PARAMETERS, 'path'],
  ['a third of a long word is wrong', 'includehiden', PARAMETERS, 'include_hidden'],
  ['more than a third is wrong', 'pxxh', PARAMETERS, null],
  ['two single letters have nothing in common', 'x', ['a', 'b'], null],
  ['a single letter in the other case', 'A', ['a'], 'a'],
  ['the case decides against a nearer spelling of another', 'LIMIT', ['limits', 'limit'], 'limit'],
  ['a tie goes to the earlier one', 'cat', ['bat', 'hat'], 'bat'],
  ['the nearer one wins over the earlier one', 'offsets', ['offsite', 'offset'], 'offset'],
  ['characters beyond the BMP count as one', '🙂ab', ['🙃ab'], '🙃ab'],
  ['nothing is near to nothing', '', PARAMETERS, null],
  ['nothing is known', 'path', [], null],
])('%s: %s', (_case, word, known, expected) => {
  expect(nearest(word, known)).toBe(expected);
});

test('a word of a megabyte is answered without a table of its size', () => {
  expect(nearest('x'.repeat(1_000_000), PARAMETERS)).toBeNull();
});

test.each([
  ['as long as words are compared', 'x'.repeat(100), 1],
  ['longer than that', 'x'.repeat(101), 0],
])('a word %s', (_case, word, found) => {
  expect(nearestFew(word, [word], 3)).toHaveLength(found);
});

test('of several that are near the best come first, and no more than were asked for', () => {
  expect(nearestFew('offset', ['offsite', 'ofset', 'path', 'offset', 'offse'], 3)).toEqual([
    'offset',
    'ofset',
    'offse',
  ]);
});

test('the question spells what is near as it would be typed, and is not asked in vain', () => {
  expect(didYouMean('al', ['all'], (name) => `--${name}`)).toBe(" Did you mean '--all'?");
  expect(didYouMean('al', ['all'])).toBe(" Did you mean 'all'?");
  expect(didYouMean('xyz', ['all'])).toBe('');
});

test('for any words it is what a whole table of distances says', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'B', 'c', '🙂'), maxLength: 13 });
  const edits = fc.array(fc.tuple(fc.nat(13), fc.nat(2), fc.constantFrom('', 'a', 'bc', 'ab')), { maxLength: 4 });
  const misspelt = fc.tuple(word, edits).map(([text, list]) => ({
    text,
    near: list.reduce((done, [at, cut, put]) => done.slice(0, at) + put + done.slice(at + cut), text),
  }));
  fc.assert(
    fc.property(misspelt, fc.array(word, { maxLength: 3 }), ({ text, near }, others) => {
      const known = [...new Set([...others, near])];
      const limit = Math.min(3, Math.max(1, Math.floor(Array.from(text).length / 3)));
      const expected = known
        .map((candidate) => ({ candidate, distance: wholeTable(text, candidate) }))
        .filter(({ candidate, distance }) => {
          const shorter = Math.min(Array.from(text).length, Array.from(candidate).length);
          return distance <= limit && distance < Math.max(1, shorter);
        })
        .sort((a, b) => a.distance - b.distance);
      expect(nearestFew(text, known, 9)).toEqual(expected.map(({ candidate }) => candidate));
    }),
    { numRuns: rounds(2000) },
  );
});

/** Insertions, deletions, substitutions and swaps of neighbours, without any bound. */
function wholeTable(one: string, other: string): number {
  const [from, to] = [one, other].map((word) => Array.from(word.toLowerCase())) as [string[], string[]];
  const rows = [...from, ''].map((_, row) =>
    [...to, ''].map((_, column) => (row === 0 ? column : column === 0 ? row : 0)),
  );
  const cell = (row: number, column: number) => rows[row]?.[column] as number;
  for (let row = 1; row <= from.length; row++) {
    for (let column = 1; column <= to.length; column++) {
      const isSame = from[row - 1] === to[column - 1];
      const ways = [cell(row - 1, column) + 1, cell(row, column - 1) + 1, cell(row - 1, column - 1) + (isSame ? 0 : 1)];
      const isSwap = row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      if (isSwap) ways.push(cell(row - 2, column - 2) + 1);
      (rows[row] as number[])[column] = Math.min(...ways);
    }
  }
  return cell(from.length, to.length);
}
