import { describe, expect, it } from 'vitest';
import { Fold } from '../../src/overview/fold.ts';
import type { Folder } from '../../src/overview/folder.ts';
import { chainOf, fileLabel, joinedName, Line, LONGEST_JOIN, labelOf } from '../../src/overview/line.ts';
import { bytesOf } from '../../src/workspace/bytes.ts';
import { done, filesNamed, folderOf, inSteps, type Sketch } from '../support/folders.ts';

const inner = (folder: Folder, path: string) => folder.find(bytesOf(path)) as Folder;
const poolIn = (folder: Folder, prefix: string, ofFolders: boolean) =>
  new Fold(
    folder,
    { prefix: bytesOf(prefix), range: null, ofFolders },
    ofFolders ? folder.folders : (folder.names ?? []),
  );

/** `a/a/a/…`, so deep, and in it whatever is given. */
const nested = (depth: number, content: Sketch): Sketch => (depth === 0 ? content : { a: nested(depth - 1, content) });

describe('the label of a closed directory', () => {
  it.each<[string, Sketch, string]>([
    ['with few files', { d: filesNamed(19, String) }, 'd/+'],
    ['with files that are worth counting', { d: filesNamed(20, String) }, 'd/+20'],
    ['with files further down', { d: { e: filesNamed(30, String), f: '' } }, 'd/+31'],
    ['that is empty', { d: {} }, 'd/'],
    ['that cannot be read', { d: '?' }, 'd/?'],
    ['that holds only another', { d: { e: { f: filesNamed(25, String) } } }, 'd/e/f/+25'],
    ['that holds only one that cannot be read', { d: { e: '?' } }, 'd/e/?'],
    ['that holds only an empty one', { d: { e: {} } }, 'd/e/'],
    ['that holds too many that are joined', { d: nested(6, { f: '' }) }, 'd/a/a/a/+'],
    ['whose name is quoted', { 'a b': { f: '' } }, '"a b"/+'],
  ])('%s', (_, sketch, label) => {
    expect(labelOf(folderOf(sketch).folders[0] as Folder)).toBe(label);
  });
});

it('the label of a fold has the files that it stands for', () => {
  const root = folderOf({ lib1: { a: '', b: '' }, lib2: { c: '' }, ...filesNamed(7, (i) => `test_${i}`) });
  expect(labelOf(poolIn(root, 'lib', true))).toBe('lib*/+3');
  expect(labelOf(poolIn(root, 'test_', false))).toBe('test_*+7');
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
    for (const closed of folder.folders.toReversed()) line.closed.add(closed);
    line.files.push(...(folder.names ?? []));
    return line;
  }

  it('has directories first, then files, each by name', () => {
    expect(done(lineOf(root).text())).toBe('docs/+30 empty/ src/+ a.ts link@ m0 m1 m2 m3 m4 z.ts');
  });

  it('has its name at the front, but for the first one', () => {
    expect(done(lineOf(inner(root, 'src'), 2).text())).toBe('  src/ lib/+ index.ts');
    const joined = new Line([inner(root, 'src'), inner(root, 'src/lib')], 1);
    expect(joined.folder.name).toBe('lib');
    expect(done(joined.text())).toBe(' src/lib/');
    expect(done(new Line([root], 0).text())).toBe('');
  });

  it('has folds before the names that begin like them', () => {
    const line = lineOf(root);
    line.files.splice(0, Number.POSITIVE_INFINITY, ...['m', 'm0', 'n', 'l'].map(bytesOf));
    line.folds.add(poolIn(root, 'm', false));
    line.folds.add(poolIn(root, 'e', true));
    line.folds.add(poolIn(root, 'd', true));
    expect(done(line.text())).toBe('d*/+32 docs/+30 e*/+32 empty/ src/+ l m*+8 m m0 n');
  });

  it('is followed by those of the directories in it, by name, each before what it contains', () => {
    const line = lineOf(root);
    const source = lineOf(inner(root, 'src'), 1);
    const library = lineOf(inner(root, 'src/lib'), 2);
    const docs = lineOf(inner(root, 'docs'), 1);
    source.lines.push(library);
    const empty = lineOf(inner(root, 'empty'), 1);
    line.lines.push(empty, docs, source);
    expect([...line.all()]).toEqual([line, docs, empty, source, library]);
  });

  it('is written in steps, if it is long', () => {
    const names = filesNamed(600, (i) => `n${i}`);
    const { value, steps } = inSteps(lineOf(folderOf(names)).text());
    expect(value).toBe(Object.keys(names).sort().join(' '));
    expect(steps).toBe(2);
  });
});
