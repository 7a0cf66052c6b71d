/** The tokens of a map that nobody set a budget for. */
import { expect, it } from 'vitest';
import { bytesOf } from '../../src/names/bytes.ts';
import { defaultBudget } from '../../src/overview/default-budget.ts';
import { filesNamed, folderOf } from '../support/folders.ts';

const FOLD = { prefix: bytesOf('a'), range: null, ofFolders: false };
const holding = (count: number) => folderOf(filesNamed(count, (i) => `file-${i}`));

it.each([
  ['the root, whatever it holds', 5, '', null, [500, 500]],
  ['a directory with few names', 15, 'src', null, [200, 120]],
  ['one with more', 70, 'src', null, [300, 300]],
  ['one with many', 500, 'src', null, [700, 700]],
  ['a fold with few', 5, '', FOLD, [250, 150]],
  ['a fold with more', 70, '', FOLD, [420, 420]],
] as const)('%s', (_, files, path, fold, [whole, part]) => {
  expect(defaultBudget(holding(files), path, fold)).toEqual({ whole, part });
});
