import { expect, it } from 'vitest';
import { bytesOf } from '../../src/names/bytes.ts';
import { dataOf } from '../../src/overview/entries.ts';
import type { Folder } from '../../src/overview/folder.ts';
import { Line } from '../../src/overview/line.ts';
import { rowsOf } from '../../src/overview/rows.ts';
import { done, filesNamed, folderOf, inSteps } from '../support/folders.ts';

const root = folderOf({
  ...{ src: { lib: { 'a.ts': '' }, 'index.ts': '' }, docs: { guide: filesNamed(30, String) }, empty: {}, locked: '?' },
  ...{ 'z.ts': '', link: '@', 'star*': '', ...filesNamed(5, (i) => `m${i}`) },
});
const inner = (path: string) => done(root.find(bytesOf(path))) as Folder;

function lineOf(chain: readonly Folder[], depth: number, closed: readonly Folder[], files: readonly string[]): Line {
  const line = new Line(chain, depth);
  line.closed.push(...closed);
  line.files.push(...files.map(bytesOf));
  return line;
}

function map(): Line {
  const line = lineOf([root], 0, [inner('docs'), inner('empty'), inner('locked')], ['z.ts', 'link', 'star*']);
  const fold = (prefix: string, ofFolders: boolean, files: number) => ({
    prefix: bytesOf(prefix),
    range: null,
    ofFolders,
    files,
  });
  line.folds.push(fold('m', false, 5), fold('d', true, 30));
  line.lines.push(lineOf([inner('src'), inner('src/lib')], 1, [], ['a.ts']));
  return line;
}

it('has all that the text shows, in its order, with its numbers', () => {
  const { entries, folds } = done(dataOf(done(rowsOf(map())), bytesOf('')));
  expect(entries).toEqual([
    { path: 'docs', type: 'dir' },
    { path: 'docs/guide', type: 'dir', files: 30 },
    { path: 'empty', type: 'dir', files: 0 },
    { path: 'locked', type: 'dir' },
    { path: 'link', type: 'link' },
    { path: '"star*"', type: 'file' },
    { path: 'z.ts', type: 'file' },
    { path: 'src', type: 'dir' },
    { path: 'src/lib', type: 'dir' },
    { path: 'src/lib/a.ts', type: 'file' },
  ]);
  expect(folds).toEqual([
    { path: 'd*/', type: 'dir', files: 30 },
    { path: 'm*', type: 'file', files: 5 },
  ]);
});

it('has paths that begin at the root, wherever the listed directory is', () => {
  const { entries, folds } = done(dataOf(done(rowsOf(map())), bytesOf('x/y')));
  expect(entries.at(-1)).toEqual({ path: 'x/y/src/lib/a.ts', type: 'file' });
  expect(folds.map(({ path }) => path)).toEqual(['x/y/d*/', 'x/y/m*']);
  expect(entries.find(({ type }) => type === 'link')).toEqual({ path: 'x/y/link', type: 'link' });
});

it('is made in steps: one for each line, and one for each handful of paths', () => {
  const lines = (count: number) =>
    lineOf(
      [root],
      0,
      [],
      Array.from({ length: count }, (_, i) => `n${i}`),
    );
  expect(inSteps(dataOf(done(rowsOf(lines(31))), bytesOf(''))).steps).toBe(1);
  expect(inSteps(dataOf(done(rowsOf(lines(320))), bytesOf(''))).steps).toBe(11);
  expect(inSteps(dataOf(done(rowsOf(map())), bytesOf(''))).steps).toBe(2);
});
