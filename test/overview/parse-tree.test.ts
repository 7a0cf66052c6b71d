import { describe, expect, it } from 'vitest';
import type { TreeEntry } from '../../src/overview/entries.ts';
import { parseTree } from '../../src/overview/parse-tree.ts';

const HEADER = '# .: 9 files, 4 shown';

const dir = (path: string, files?: number): TreeEntry =>
  files === undefined ? { path, type: 'dir' } : { path, type: 'dir', files };
const file = (path: string): TreeEntry => ({ path, type: 'file' });
const link = (path: string): TreeEntry => ({ path, type: 'link' });

const entriesOf = (...lines: string[]) => parseTree([HEADER, ...lines].join('\n')).entries;
const foldsOf = (...lines: string[]) => parseTree([HEADER, ...lines].join('\n')).folds;

describe('the header', () => {
  it.each([
    ['# .: 120 files, 34 shown', { path: '.', files: 120, shown: 34 }],
    ['# src/lib: 0 files, 0 shown, 2 ignored by git', { path: 'src/lib', files: 0, shown: 0 }],
    ['# "a: 1 files, 2 shown": 3 files, 4 shown', { path: '"a: 1 files, 2 shown"', files: 3, shown: 4 }],
    ['# "a\\"b": 3 files, 4 shown', { path: '"a\\"b"', files: 3, shown: 4 }],
    ['# "x "*/: 3 files, 4 shown', { path: '"x "*/', files: 3, shown: 4 }],
    ['# src/t*: 3 files, 4 shown', { path: 'src/t*', files: 3, shown: 4 }],
    ['# …/lib: 3 files, 4 shown', { path: '…/lib', files: 3, shown: 4 }],
  ])('%s', (text, told) => {
    expect(parseTree(text)).toEqual({ ...told, entries: [], folds: [] });
  });

  it('is what makes a text a map', () => {
    const long = 'x'.repeat(60);
    for (const text of ['', 'nothing', '# .: files', 'a # .: 1 files, 1 shown', '# a b: 1 files, 1 shown']) {
      expect(() => parseTree(text)).toThrow(SyntaxError);
    }
    expect(() => parseTree(`${long}\na`)).toThrow(`This is not a map of Tree: it begins with '${long.slice(0, 40)}'.`);
  });

  it('gives the directory that paths begin with, unless the caller does', () => {
    const pathOf = (listed: string, path?: string) => {
      const { path: told, entries } = parseTree(`# ${listed}: 1 files, 1 shown\na.ts`, path);
      return [told, entries[0]?.path];
    };
    expect(pathOf('.')).toEqual(['.', 'a.ts']);
    expect(pathOf('src')).toEqual(['src', 'src/a.ts']);
    expect(pathOf('src/')).toEqual(['src/', 'src/a.ts']);
    expect(pathOf('..b')).toEqual(['..b', '..b/a.ts']);
    expect(pathOf('"a b"')).toEqual(['"a b"', 'a b/a.ts']);
    expect(pathOf('src/t*')).toEqual(['src/t*', 'src/a.ts']);
    expect(pathOf('"s c/t"*')).toEqual(['"s c/t"*', 's c/a.ts']);
    expect(pathOf('…/lib', 'src/lib')).toEqual(['src/lib', 'src/lib/a.ts']);
    expect(pathOf('src', '')).toEqual(['', 'a.ts']);
    expect(pathOf('src', '"a')).toEqual(['"a', 'a.ts']);
  });
});

describe('a line', () => {
  it('has files, links, and directories that are closed, empty, or cannot be read', () => {
    expect(entriesOf('a.ts l@ d/ e/+0 f/+120 g/?')).toEqual([
      ...[file('a.ts'), link('l'), dir('d'), dir('e', 0), dir('f', 120), dir('g')],
    ]);
  });

  it('has directories that are joined', () => {
    expect(entriesOf('a/b/c/+20', ' d/e/ f.ts')).toEqual([
      ...[dir('a'), dir('a/b'), dir('a/b/c', 20), dir('d'), dir('d/e'), file('d/e/f.ts')],
    ]);
  });

  it('has the count of what it does not show, of each directory that shares it', () => {
    expect(entriesOf('', ' a/b/+9 x', ' {c,d}/+3 y', ' "e f"/+2', ' "g/+1"/ z')).toEqual([
      ...[dir('a'), dir('a/b', 9), file('a/b/x'), dir('c', 3), file('c/y'), dir('d', 3), file('d/y')],
      ...[dir('e f', 2), dir('g'), dir('g/+1'), file('g/+1/z')],
    ]);
  });

  it('has folds, each with the files that it stands for', () => {
    expect(foldsOf('test_*+30 lib-*/+77 *+5 [a-f]*+40 "my "*+9', ' src/ x*+4 "a\\u005b"*/+6')).toEqual([
      { path: 'test_*', type: 'file', files: 30 },
      { path: 'lib-*/', type: 'dir', files: 77 },
      { path: '*', type: 'file', files: 5 },
      { path: '[a-f]*', type: 'file', files: 40 },
      { path: '"my "*', type: 'file', files: 9 },
      { path: 'src/x*', type: 'file', files: 4 },
      { path: 'src/a[*/', type: 'dir', files: 6 },
    ]);
  });

  it('has names in quotes, with whatever is in them', () => {
    expect(entriesOf('"a b" "c\\"d"@ "e/+1"/+30 "f*+2" plain', ' "g h"/ i')).toEqual([
      ...[file('a b'), link('c"d'), dir('e'), dir('e/+1', 30), file('f*+2'), file('plain'), dir('g h'), file('g h/i')],
    ]);
    expect(entriesOf('"a*"')).toEqual([file('"a*"')]);
    expect(() => entriesOf('"a\\q"')).toThrow('This is not a map of Tree: "a\\q" is not a name.');
    expect(() => entriesOf('"a\\q"')).toThrow(SyntaxError);
  });

  it('stands in the directory above it, by its indent', () => {
    expect(entriesOf('', ' a/ 1', '  b/ 2', '   c/ 3', '  d/ 4', ' e/ 5', '  f/')).toEqual([
      ...[dir('a'), file('a/1'), dir('a/b'), file('a/b/2'), dir('a/b/c'), file('a/b/c/3')],
      ...[dir('a/d'), file('a/d/4'), dir('e'), file('e/5'), dir('e/f')],
    ]);
    const lost = `    ${'deep/'.repeat(20)} x`;
    expect(() => entriesOf('a', ' b/', lost)).toThrow(
      `This is not a map of Tree: '${lost.slice(0, 40)}' is not in any directory of it.`,
    );
    expect(() => entriesOf('a', ' b/', lost)).toThrow(SyntaxError);
    // A directory that was left is not gone back to.
    expect(() => entriesOf('', ' a/', '  b/', ' c/', '   d/')).toThrow(/is not in any directory/);
  });

  it('may be empty, the first because there is nothing on it, the others at the end of a file', () => {
    expect(entriesOf('', ' a/ b', '', '  ')).toEqual([dir('a'), file('a/b')]);
    expect(entriesOf('a', '', ' b/ c')).toEqual([file('a'), dir('b'), file('b/c')]);
  });

  it('may end with any mark of a name', () => {
    expect(entriesOf('a+5 b+ c?x *d e"')).toEqual([file('a+5'), file('b+'), file('c?x'), file('*d'), file('e"')]);
  });
});
