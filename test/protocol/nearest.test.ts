import { expect, test } from 'vitest';
import { nearest } from '../../src/protocol/nearest.ts';

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
