import { describe, expect, it } from 'vitest';
import { bytesOf } from '../../src/names/bytes.ts';
import type { Folder } from '../../src/overview/folder.ts';
import { chainOf, fileLabel, joinedName, Line, LONGEST_JOIN, labelOf } from '../../src/overview/line.ts';
import { done, filesNamed, folderOf, type Sketch } from '../support/folders.ts';

const inner = (folder: Folder, path: string) => done(folder.find(bytesOf(path))) as Folder;
const foldIn = ({ files, filesBelow }: Folder, prefix: string, ofFolders: boolean) => ({
  prefix: bytesOf(prefix),
  range: null,
  ofFolders,
  files: ofFolders ? filesBelow - files : files,
});

/** `a/a/a/…`, so deep, and in it whatever is given. */
const nested = (depth: number, content: Sketch): Sketch => (depth === 0 ? content : { a: nested(depth - 1, content) });

describe('the label of a closed directory', () => {
  it.each<[string, Sketch, string]>([
    ['with few files', { d: filesNamed(19, String) }, 'd/+19'],
    ['with files that are worth counting', { d: filesNamed(20, String) }, 'd/+20'],
    ['with files further down', { d: { e: filesNamed(30, String), f: '' } }, 'd/+31'],
    ['that is empty', { d: {} }, 'd/+0'],
    ['that cannot be read', { d: '?' }, 'd/?'],
    ['that holds only another', { d: { e: { f: filesNamed(25, String) } } }, 'd/e/f/+25'],
    ['that holds only one that cannot be read', { d: { e: '?' } }, 'd/e/?'],
    ['that holds only an empty one', { d: { e: {} } }, 'd/e/+0'],
    ['that holds too many that are joined', { d: nested(6, { f: '' }) }, 'd/a/a/a/+1'],
    ['that holds many that are joined, and nothing in them', { d: nested(6, {}) }, 'd/a/a/a/a/a/a/+0'],
    ['whose name is quoted', { 'a b': { f: '' } }, '"a b"/+1'],
  ])('%s', (_, sketch, label) => {
    expect(labelOf(folderOf(sketch).folders[0] as Folder)).toBe(label);
  });
});

it('the label of a fold has the files that it stands for', () => {
  const root = folderOf({ lib1: { a: '', b: '' }, lib2: { c: '' }, ...filesNamed(7, (i) => `test_${i}`) });
  expect(labelOf(foldIn(root, 'lib', true))).toBe('lib*/+3');
  expect(labelOf(foldIn(root, 'test_', false))).toBe('test_*+7');
});

it('the label of a file tells links', () => {
  const root = folderOf({ file: '', link: '@', 'a link': '@' });
  expect(['file', 'link', 'a link'].map((name) => fileLabel(root, bytesOf(name)))).toEqual([
    'file',
    'link@',
    '"a link"@',
  ]);
});

describe('directories are joined', () => {
  const root = folderOf({ a: nested(40, { f: '' }), b: { c: { f: '' }, d: {} }, e: { f: {} } });
  const names = (path: string, longest?: number) => chainOf(inner(root, path), longest).map(({ name }) => name);

  it('as long as each contains the next one and nothing else', () => {
    expect(names('b')).toEqual(['b']);
    expect(names('e')).toEqual(['e', 'f']);
    expect(names('a/a')).toHaveLength(4);
    expect(names('a/a', LONGEST_JOIN)).toHaveLength(32);
    expect(names('a/a', 1)).toHaveLength(1);
  });

  it('by slashes', () => {
    expect(joinedName(chainOf(inner(root, 'e')))).toBe('e/f');
    expect(joinedName([inner(root, 'b')])).toBe('b');
  });
});

describe('a line', () => {
  const root = folderOf({
    ...{ src: { lib: { 'a.ts': '' }, 'index.ts': '' }, docs: filesNamed(30, String), empty: {} },
    ...{ 'z.ts': '', 'a.ts': '', link: '@', ...filesNamed(5, (i) => `m${i}`) },
  });

  function lineOf(folder: Folder, depth = 0): Line {
    const line = new Line([folder], depth);
    line.closed.push(...folder.folders.toReversed());
    line.files.push(...(folder.names ?? []));
    return line;
  }

  it('has directories first, then files, each by name', () => {
    expect(lineOf(root).words()).toEqual([
      ['docs/+30', 'empty/+0', 'src/+2', 'a.ts', 'link@', 'm0', 'm1', 'm2', 'm3', 'm4', 'z.ts'],
    ]);
  });

  it('has folds where their first name would stand', () => {
    const line = lineOf(root);
    line.files.splice(0, Number.POSITIVE_INFINITY, ...['a', 'n', 'l'].map(bytesOf));
    const range = { from: 'e'.charCodeAt(0), to: 'k'.charCodeAt(0) };
    line.folds.push(foldIn(root, 'm', false), { prefix: bytesOf(''), range, ofFolders: false, files: 9 });
    expect(line.words()).toEqual([['docs/+30', 'empty/+0', 'src/+2', 'a', '[e-k]*+9', 'l', 'm*+8', 'n']]);
  });

  it('has names with the same beginning and end last, written by what differs; links never', () => {
    const names = ['frame', 'series', 'index', 'groupby'].map((word) => `test_${word}.py`);
    const folder = folderOf({
      ...Object.fromEntries(names.map((name) => [name, '' as const])),
      'test_link.py': '@',
      z: '',
    });
    expect(lineOf(folder).words()).toEqual([
      ['test_link.py@', 'z'],
      ['test_*.py:', 'frame', 'groupby', 'index', 'series'],
    ]);
  });
});
