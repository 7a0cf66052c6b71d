/** The tokens of a map that nobody set a budget for. */
import { expect, it } from 'vitest';
import { defaultBudget } from '../../src/overview/default-budget.ts';
import { filesNamed, folderOf } from '../support/folders.ts';

const holding = (files: number, directories: number) =>
  folderOf({
    ...filesNamed(files, (i) => `file-${i}`),
    ...Object.fromEntries(Array.from({ length: directories }, (_, i) => [`d${i}`, {}])),
  });

it.each([
  ['the root', 50, 40, true, { worth: 850, most: 500 }],
  ['a directory below it', 30, 40, false, { worth: 500, most: 350 }],
  ['the root with many directories, which are all named', 0, 150, true, { worth: 850, most: 900 }],
  ['a directory of many files', 300, 0, false, { worth: 500, most: 900 }],
  ['more than that', 500, 2000, false, { worth: 500, most: 1200 }],
])('%s', (_, files, directories, isRoot, wanted) => {
  expect(defaultBudget(holding(files, directories), isRoot)).toEqual(wanted);
});
