import { describe, expect, it } from 'vitest';
import { Fold, type Member, memberName } from '../../src/overview/fold.ts';
import type { Folder } from '../../src/overview/folder.ts';
import { Line, labelOf } from '../../src/overview/line.ts';
import {
  type Candidate,
  canBeOpened,
  candidateFor,
  costOf,
  itemOf,
  type Opening,
  openingFor,
  openingOfFold,
  openingOfFolder,
  TOKENS_FOR_FILES,
  unreadIn,
} from '../../src/overview/opening.ts';
import { tokensOfLine, tokensOfName } from '../../src/overview/token-count.ts';
import { bytesOf } from '../../src/workspace/bytes.ts';
import { done, filesNamed, folderOf, inSteps, type Sketch } from '../support/folders.ts';

const inner = (folder: Folder, path: string) => folder.find(bytesOf(path)) as Folder;
const filesOf = (folder: Folder) => done(Fold.of(folder, false, folder.names ?? []));
const foldersOf = (folder: Folder) => done(Fold.of(folder, true, folder.folders));

/** Names, and folds with their mark. */
const told = (part: Member | Fold) => (part instanceof Fold ? labelOf(part) : memberName(part));
const shown = ({ items }: Opening) => items.map(({ part }) => told(part));
const costOfNames = (...names: string[]) => names.reduce((sum, name) => sum + tokensOfName(name), 0);

describe('what comes into sight', () => {
  const root = folderOf({ src: { 'a.ts': '', 'logo.png': '' }, dist: { 'b.js': '' }, 'main.ts': '', 'l.ts': '@' });

  it('of a file costs its name, and is worth what files of its kind are, and more where it was worked on', () => {
    const pool = filesOf(root);
    expect(itemOf(pool, bytesOf('main.ts'))).toEqual({
      fold: pool,
      part: 'main.ts',
      cost: tokensOfName('main.ts'),
      gain: 1,
    });
    expect(itemOf(pool, bytesOf('l.ts')).cost).toBe(tokensOfName('l.ts@'));
    expect(itemOf(filesOf(inner(root, 'src')), bytesOf('logo.png')).gain).toBeCloseTo(0.3);
    expect(itemOf(filesOf(inner(root, 'dist')), bytesOf('b.js')).gain).toBeCloseTo(0.05);
    const active = folderOf({ 'a.ts': '', 'b.ts': '' });
    active.activity = new Map([[bytesOf('a.ts'), 4]]);
    expect(itemOf(filesOf(active), bytesOf('a.ts')).gain).toBe(5);
    expect(itemOf(filesOf(active), bytesOf('b.ts')).gain).toBe(1);
  });

  it('of a directory costs its label, and is worth half of what is below it', () => {
    const pool = foldersOf(root);
    const item = itemOf(pool, inner(root, 'src'));
    expect(item).toMatchObject({ fold: pool, cost: tokensOfName('src/+') });
    expect(item.gain).toBeCloseTo(0.65);
  });

  it('of a fold costs its label, and is worth a quarter of what it stands for', () => {
    const ofFolders = itemOf(foldersOf(root), foldersOf(root));
    expect(ofFolders).toMatchObject({ cost: tokensOfName('*/+3') });
    expect(ofFolders.gain).toBeCloseTo((1.3 + 0.05) / 4);
    const crowd = filesOf(folderOf(filesNamed(8, (i) => `f${i}.ts`)));
    const half = itemOf(crowd, crowd.with(crowd.members.slice(4)));
    expect(half.cost).toBe(tokensOfName('f*+4'));
    expect(half.gain).toBeCloseTo(1);
  });
});

describe('a fold that is opened', () => {
  it('has its parts in its place', () => {
    const root = folderOf(filesNamed(5, (i) => `f${i}.ts`));
    const [line, pool] = [new Line([root], 0), filesOf(root)];
    const opening = done(openingOfFold(line, pool, -3));
    expect(opening).toMatchObject({ line, folds: [pool], frame: -3 });
    expect(shown(opening)).toEqual(['f0.ts', 'f1.ts', 'f2.ts', 'f3.ts', 'f4.ts']);
    expect(costOf(opening)).toBe(-3 + costOfNames('f0.ts', 'f1.ts', 'f2.ts', 'f3.ts', 'f4.ts'));
    expect(done(openingFor(line, pool)).frame).toBe(-tokensOfName('f*+5'));
  });

  it('is counted in steps', () => {
    const pool = filesOf(folderOf(filesNamed(33, (i) => `f${i}.ts`)));
    expect(inSteps(openingOfFold(new Line([pool.folder], 0), pool, 0)).steps).toBe(4);
  });
});

describe('a directory that is opened', () => {
  const opened = (sketch: Sketch, forFiles?: number) => {
    const root = folderOf(sketch);
    return done(openingOfFolder(new Line([root], 0), 2, forFiles));
  };
  const dirs: Sketch = { A: { f: '' }, B: { g: '' } };

  it('has its directories and files', () => {
    expect(shown(opened({ 'x.ts': '', 'y.ts': '' }))).toEqual(['x.ts', 'y.ts']);
    expect(shown(opened(dirs))).toEqual(['A', 'B']);
    expect(shown(opened({ ...dirs, 'x.ts': '' }))).toEqual(['A', 'B', 'x.ts']);
    expect(opened({})).toMatchObject({ folds: [], items: [], frame: 2 });
    expect(opened({ ...dirs, 'x.ts': '' }).folds.map(({ ofFolders }) => ofFolders)).toEqual([true, false]);
  });

  it('has no files where their names are not at hand', () => {
    const root = folderOf({ ...dirs, 'x.ts': '' });
    root.names = null;
    expect(shown(done(openingOfFolder(new Line([root], 0), 2)))).toEqual(['A', 'B']);
  });

  it('has the files beside its directories one by one if they cost little, else as few folds, else as one', () => {
    const few = filesNamed(6, (i) => `${'abcdef'[i]}`);
    expect(costOfNames(...Object.keys(few))).toBe(6);
    expect(shown(opened({ ...dirs, ...few }, 6))).toEqual(['A', 'B', ...Object.keys(few)]);
    expect(shown(opened({ ...dirs, ...few }, 5))).toEqual(['A', 'B', '*+6']);
    const alike: Sketch = { ...filesNamed(9, (i) => `test-${i}.ts`), x: '', y: '' };
    const folded = costOfNames('test-*+9', 'x', 'y');
    expect(shown(opened({ ...dirs, ...alike }, folded))).toEqual(['A', 'B', 'test-*+9', 'x', 'y']);
    expect(shown(opened({ ...dirs, ...alike }, folded - 1))).toEqual(['A', 'B', '*+11']);
    // Alone they are what the directory has to show.
    expect(shown(opened(few, 1))).toEqual(Object.keys(few));
  });

  it('has files that cost twelve tokens, unless another number is given', () => {
    const names = (count: number) => filesNamed(count, (i) => String.fromCharCode(97 + i));
    expect(TOKENS_FOR_FILES).toBe(12);
    expect(shown(opened({ D: {}, ...names(12) }))).toHaveLength(13);
    expect(shown(opened({ D: {}, ...names(13) }))).toEqual(['D', '*+13']);
  });

  it('costs the line that it gets, instead of its label', () => {
    const root = folderOf({ d: { e: { 'x.ts': '', 'y.ts': '' } }, 'z.ts': '' });
    const line = new Line([root], 0);
    const opening = done(openingFor(line, inner(root, 'd')));
    expect(opening.line.chain.map(({ name }) => name)).toEqual(['d', 'e']);
    expect(opening.line.depth).toBe(1);
    expect(shown(opening)).toEqual(['x.ts', 'y.ts']);
    expect(opening.frame).toBe(tokensOfLine(1, 'd/e/') + tokensOfName('d/e/') - tokensOfName('d/e/+'));
    const deeper = done(openingFor(new Line([root], 6), inner(root, 'd')));
    expect(deeper.frame).toBe(tokensOfLine(7, 'd/e/') + tokensOfName('d/e/') - tokensOfName('d/e/+'));
  });

  it('is joined with more directories than it was while it was closed', () => {
    const sketch = (depth: number): Sketch => (depth === 0 ? { f: '' } : { d: sketch(depth - 1) });
    const root = folderOf(sketch(40));
    expect(done(openingFor(new Line([root], 0), inner(root, 'd'))).line.chain).toHaveLength(32);
  });
});

it('can be opened: what has more behind it than it shows', () => {
  const root = folderOf({ a: { f: '' }, empty: {}, locked: '?', joined: { empty: {} }, deep: { locked: '?' }, f: '' });
  const can = root.folders.filter(canBeOpened).map(({ name }) => name);
  expect(can).toEqual(['a']);
  expect(canBeOpened(bytesOf('f'))).toBe(false);
  expect(canBeOpened(filesOf(root))).toBe(true);
});

describe('what can be opened', () => {
  const candidate = (root: Folder, part: Folder | Fold): Candidate => done(candidateFor(new Line([root], 0), part));

  it('is ranked by what it is worth for its tokens', () => {
    const root = folderOf({ a: { 'x.ts': '', 'y.ts': '' } });
    const { part, opening, rank } = candidate(root, inner(root, 'a'));
    expect(part).toBe(inner(root, 'a'));
    expect(rank).toBeCloseTo(2 / costOf(opening as Opening));
  });

  it('is never ranked by less than a token', () => {
    const root = folderOf(filesNamed(4, (i) => `${'long-prefix-of-words'}${i}`));
    const pool = filesOf(root);
    const one = pool.with(pool.members.slice(0, 1));
    const { opening, rank } = candidate(root, one.with(one.members, bytesOf('x'.repeat(40)), null));
    expect(costOf(opening as Opening)).toBeLessThan(1);
    expect(rank).toBe(1);
  });

  it('has no opening as long as its names have to be read, and a rank that is guessed', () => {
    const root = folderOf({ a: { b: { 'x.ts': '', 'yy.ts': '', c: { 'z.ts': '' } } } });
    const unread = inner(root, 'a/b');
    unread.names = null;
    expect(unreadIn(inner(root, 'a'))).toBe(unread);
    expect(unreadIn(inner(root, 'a/b/c'))).toBeNull();
    expect(unreadIn(filesOf(folderOf({ f: '' })))).toBeNull();
    const { opening, rank } = candidate(root, inner(root, 'a'));
    expect(opening).toBeNull();
    // Two files and half of the one further down; for two spaces, nine characters and a closed directory.
    expect(rank).toBeCloseTo(2.5 / (2 + 9 / 4 + 4));
    const empty = folderOf({ d: {} });
    inner(empty, 'd').names = null;
    expect(unreadIn(inner(empty, 'd'))).toBeNull();
  });
});
