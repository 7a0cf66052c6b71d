/** What is opened and shown at a price. */
import { describe, expect, it } from 'vitest';
import { bytesOf } from '../../src/names/bytes.ts';
import type { FoldName } from '../../src/overview/dense-name.ts';
import type { Folder } from '../../src/overview/folder.ts';
import { estimatedTokens } from '../../src/overview/groups.ts';
import { joinedName, type Line } from '../../src/overview/line.ts';
import { Planner } from '../../src/overview/plan.ts';
import type { Price } from '../../src/overview/price.ts';
import { rowsOf, textOfRow } from '../../src/overview/rows.ts';
import { done, filesNamed, folderOf, inSteps, type Sketch } from '../support/folders.ts';

const LETTERS = [...'abcdefghijklmnopqrst'];
/** Thousands of names in which no words are alike. */
const word = (i: number) => [i % 20, Math.floor(i / 20) % 20, Math.floor(i / 400)].map((at) => LETTERS[at]).join('');
const words = (count: number, end = '') => filesNamed(count, (i) => `${LETTERS[i]}word${end}`);

/** One price for everything. */
const every = (price: number): Price => ({ low: price, high: price, share: 0 });

interface Asked {
  readonly fold?: FoldName | null;
  readonly isRoot?: boolean;
  readonly most?: number;
  readonly least?: number;
}

function lineAt(root: Folder, price: Price | number, { fold = null, isRoot = true, most, least }: Asked = {}) {
  const { line } = done(
    new Planner(root, fold, isRoot).at(typeof price === 'number' ? every(price) : price, most, least),
  );
  return line === null ? null : done(line());
}

const linesOf = (line: Line) => done(rowsOf(line)).map(textOfRow);

/** The lines of the map. */
function planned(sketch: Sketch | Folder, price: Price | number, asked: Asked = {}): string[] {
  const root = 'massBelow' in sketch ? (sketch as Folder) : folderOf(sketch as Sketch);
  const line = lineAt(root, price, asked);
  if (line === null) throw new Error('it would cost too much');
  return linesOf(line);
}

/** Counts what recent changes add to a file. */
function changed(folder: Folder, name: string, added: number): void {
  folder.activity = new Map([...(folder.activity ?? []), [bytesOf(name), added]]);
  folder.mostActivity = Math.max(folder.mostActivity, added);
  for (let above: Folder | null = folder; above !== null; above = above.parent) above.massBelow += added;
}

const PROJECT: Sketch = {
  ...{ src: { 'index.ts': '', lib: { 'a.ts': '', 'b.ts': '', 'c.ts': '' } }, docs: { 'x.md': '', 'y.md': '' } },
  ...{ 'README.md': '', 'z.png': '' },
};
const ANIMALS = ['ape', 'bee', 'cat', 'dog', 'eel', 'fox'];
const ZOO: Sketch = Object.fromEntries(ANIMALS.map((name) => [name, filesNamed(6, (i) => `${LETTERS[i]}-${name}.ts`)]));
const zooLine = (name: string) => ` ${name}/ *-${name}.ts: a b c d e f`;
const zooOpenUpTo = (count: number) => [
  ANIMALS.slice(count)
    .map((name) => `${name}/+6`)
    .join(' '),
  ...ANIMALS.slice(0, count).map(zooLine),
];

describe('directories', () => {
  it('are opened one after the other as the price rises', () => {
    const closed = ['docs/+2 src/+4 README.md z.png'];
    const some = ['src/+4 README.md z.png', ' docs/ x.md y.md'];
    const all = ['README.md z.png', ' docs/ x.md y.md', ' src/ index.ts', '  lib/ a.ts b.ts c.ts'];
    for (const price of [0, 0.3, 1, 2]) expect(planned(PROJECT, price)).toEqual(closed);
    expect(planned(PROJECT, 2.6)).toEqual(some);
    for (const price of [4, 8, 30, 1e9]) expect(planned(PROJECT, price)).toEqual(all);
  });

  it('are closed or opened, and never folded by letters', () => {
    for (const price of [0.01, 0.5, 1]) expect(planned(ZOO, price)).toEqual(zooOpenUpTo(0));
    expect(planned(ZOO, 2)).toEqual(zooOpenUpTo(6));
  });

  it('are opened by their contents, not by their number', () => {
    const sketch: Sketch = { dist: words(9, '.ts'), src: words(9, '.ts') };
    expect(planned(sketch, 3)).toEqual(['dist/+9', ` src/ *.ts: ${Object.keys(words(9)).join(' ')}`]);
  });

  it('with less than a fraction of all worth stay closed', () => {
    const sketch: Sketch = { one: words(8, '.ts'), two: words(2, '.ts') };
    const [inOne, inTwo] = [' one/ *.ts: aword bword cword dword eword fword gword hword', ' two/ aword.ts bword.ts'];
    expect(planned(sketch, 30)).toEqual(['', inOne, inTwo]);
    expect(planned(sketch, 30, { least: 0.3 })).toEqual(['two/+2', inOne]);
    expect(planned(sketch, 30, { least: 0.9 })).toEqual(['one/+8 two/+2']);
  });

  it('that are joined are opened as one', () => {
    expect(planned({ a: { b: { c: { x: '', y: '' } } }, z: '' }, 8)).toEqual(['z', ' a/b/c/ x y']);
  });

  it('are opened inside each other', () => {
    const deep = (levels: number): Sketch => (levels === 0 ? { x: '', y: '' } : { f: '', d: deep(levels - 1) });
    expect(planned(deep(3), 8)).toEqual(['f', ' d/ f', '  d/ f', '   d/ x y']);
  });

  it('are opened inside each other only so deep', () => {
    const deep = (levels: number): Sketch => (levels === 0 ? { x: '', y: '' } : { f: '', d: deep(levels - 1) });
    const lines = planned(deep(205), 1e6);
    expect(lines).toHaveLength(201);
    expect(lines.at(-1)?.trim()).toBe('d/ d/+6 f');
  });

  it('are not opened where nothing is in them, or they cannot be read', () => {
    expect(planned({ a: '?', e: { x: '' }, g: {} }, 9)).toEqual(['a/? g/+0', ' e/ x']);
    expect(planned({}, 9)).toEqual(['']);
  });

  it('of the listed directory share a row where that costs less than all of them when closed', () => {
    const names = LETTERS.slice(0, 12).map((letter) => `${letter}x`);
    const sketch: Sketch = Object.fromEntries(names.map((name) => [name, filesNamed(1, () => 'long'.repeat(90))]));
    expect(planned(sketch, 0.1)).toEqual(['', ` {${names.join(',')}}/+1`]);
  });

  it('that are alike are paid for once, so that they are shown before others', () => {
    const some = (end: string) => filesNamed(5, (i) => `${LETTERS[i]}word-${end}.ts`);
    const alike = Object.fromEntries(['x', 'y', 'z', 'xx', 'yy', 'zz'].map((name) => [name, some('same')]));
    expect(planned({ ...alike, one: some('one') }, 0.4)).toEqual([
      'one/+5',
      ' {x,xx,y,yy,z,zz}/ *-same.ts: aword bword cword dword eword',
    ]);
    expect(planned({ x: some('same'), one: some('one') }, 0.4)).toEqual(['one/+5 x/+5']);
  });

  it('are opened to show closed ones, where no file is worth its name', () => {
    const many = (end: string) => filesNamed(200, (i) => `${word(i)}-${end}.ts`);
    const sketch: Sketch = { pkg: { x: many('x'), y: many('y'), z: many('z') }, 'a.ts': '' };
    expect(planned(sketch, 0.5)).toEqual(['a.ts', ' pkg/ x/+200 y/+200 z/+200']);
  });

  it('are not opened to show nothing', () => {
    const sketch: Sketch = { src: filesNamed(300, (i) => `page-${word(i)}.png`), 'a.ts': '' };
    expect(planned(sketch, 1)).toEqual(['src/+300 a.ts']);
  });
});

describe('files', () => {
  it('of the listed directory are shown before others, and those that people open first before those', () => {
    const inside = { sub: filesNamed(400, (i) => `${word(i)}.png`) };
    const sketch: Sketch = { 'README.md': '', ...words(9, '.ts'), ...inside };
    const others = `*.ts: ${Object.keys(words(9)).join(' ')}`;
    expect(planned(sketch, 0.4)).toEqual(['sub/+400 README.md [a-i]*+9']);
    expect(planned(sketch, 1.5)).toEqual([`sub/+400 README.md ${others}`]);
  });

  it('of the listed directory count by how much is below it, and by how many they are', () => {
    const others = LETTERS.filter((letter) => letter !== 'm').map((letter) => `${letter}qzxkvw`);
    const files = Object.fromEntries([...others, 'main.ts'].map((name) => [name, ''] as const));
    const sketch: Sketch = { ...files, sub: filesNamed(4000, word) };
    expect(planned(sketch, 0.08)).toEqual(['sub/+4000 [a-l]*+12 main.ts [n-t]*+7']);
    const all = [`sub/+4000 ${Object.keys(files).toSorted().join(' ')}`];
    expect(planned(sketch, 0.6)).toEqual(all);
    // Who asks for a part of the root is there for its files.
    expect(planned(sketch, 0.2)).not.toEqual(all);
    expect(planned(sketch, 0.2, { isRoot: false })).toEqual(all);
    expect(planned(files, 1).join('\n')).toMatch(/^\S*\*\+19 \S+$|^\S+ \S*\*\+19$/);
  });

  it('that have changed open the directory that they are in', () => {
    const root = folderOf({ a: words(8, '.ts'), b: words(8, '.ts') });
    expect(planned(root, 1)).toEqual(['a/+8 b/+8']);
    changed(root.folders[1] as Folder, 'cword.ts', 20);
    expect(planned(root, 1)).toEqual(['a/+8', ' b/+7 cword.ts']);
  });

  it('are named, and the rest is counted, with the directories that are not worth their names', () => {
    const sketch = { src: { ...words(8, '.ts'), lib: words(9), few: words(2) } };
    const root = folderOf(sketch);
    changed(root.folders[0] as Folder, 'cword.ts', 40);
    changed(root.folders[0] as Folder, 'gword.ts', 40);
    expect(planned(root, 0.5)).toEqual(['', ' src/+17 cword.ts gword.ts']);
    expect(planned(root, 1.5)).toEqual(['', ' src/+8 lib/+9 cword.ts gword.ts']);
  });

  it('are all named where that is cheaper than a count of the rest', () => {
    const root = folderOf({ src: { a: '', b: '', c: '' } });
    changed(root.folders[0] as Folder, 'b', 40);
    expect(planned(root, 0.5)).toEqual(['', ' src/ a b c']);
  });

  it('of a series are shown for much more', () => {
    const pages = filesNamed(20, (i) => `p-${100 + i}.ts`);
    const all = `p-*.ts: ${Array.from({ length: 20 }, (_, i) => 100 + i).join(' ')}`;
    const sketch: Sketch = { img: pages, 'a.ts': '' };
    expect(planned(sketch, 8)).toEqual(['img/+20 a.ts']);
    expect(planned(sketch, 1000)).toEqual(['a.ts', ` img/ ${all}`]);
    expect(planned(pages, 8)).toEqual(['p-10*+10 p-11*+10']);
    // Who opens a fold wants to see them.
    const fold = { prefix: bytesOf('p'), range: null, ofFolders: false };
    expect(planned(pages, 8, { fold })).toEqual([all]);
  });

  it('that have changed belong to no series', () => {
    const root = folderOf({ pages: filesNamed(8, (i) => `p-${i + 1}.ts`), 'a.ts': '' });
    expect(planned(root, 6)).toEqual(['pages/+8 a.ts']);
    changed(root.folders[0] as Folder, 'p-4.ts', 1);
    expect(planned(root, 6)).toEqual(['a.ts', ' pages/ p-*.ts: 1 2 3 4 5 6 7 8']);
  });
});

describe('a price for a share', () => {
  it.each([
    [0, 0],
    [0.25, 2],
    [0.5, 3],
    [0.75, 5],
    [1, 6],
  ])('of %d is that of the first directories', (share, count) => {
    expect(planned(ZOO, { low: 1, high: 8, share })).toEqual(zooOpenUpTo(count));
  });

  it('is that of the first ones, in whatever order they were read', () => {
    const sketch = Object.fromEntries(Object.entries(ZOO).toReversed());
    expect(planned(sketch, { low: 1, high: 8, share: 0.5 })).toEqual(zooOpenUpTo(3));
  });

  it.each([
    [0, 'aword.ts [b-h]*+7'],
    [0.25, 'aword.ts bword.ts [c-h]*+6'],
    [0.375, 'aword.ts bword.ts cword.ts [d-h]*+5'],
    [1, `*.ts: ${Object.keys(words(8)).join(' ')}`],
  ])('of %d is that of the first files', (share, line) => {
    expect(planned(words(8, '.ts'), { low: 0.5, high: 8, share })).toEqual([line]);
  });

  it('is divided further inside of the directory where it ends', () => {
    const sketch: Sketch = { a: words(8, '.ts'), b: words(8, '.ts') };
    const lines = planned(sketch, { low: 0.5, high: 8, share: 0.75 });
    expect(lines[1]).toBe(` a/ *.ts: ${Object.keys(words(8)).join(' ')}`);
    expect(lines[2]).toBe(' b/+4 aword.ts bword.ts cword.ts dword.ts');
    expect(planned(sketch, { low: 0.5, high: 8, share: 0.5 })).toEqual(['b/+8', lines[1]]);
  });
});

describe('the cost', () => {
  /** Of all words, and of the heads of opened directories. */
  function costOf(line: Line): number {
    const own = line.words().flatMap((section, i) => (i === 0 ? section : section.slice(1)));
    const inside = line.lines.map((one) => 2 + estimatedTokens(` ${joinedName(one.chain)}/`) + costOf(one));
    return [...own.map((text) => estimatedTokens(` ${text}`)), ...inside].reduce((sum, cost) => sum + cost, 0);
  }

  it.each<[string, Sketch, number]>([
    ['closed directories', PROJECT, 0],
    ['some that are opened', PROJECT, 3],
    ['all of them', PROJECT, 9],
    ['joined ones', { a: { b: { c: { x: '', y: '' } } }, z: '' }, 8],
    ['links', { 'a.ts': '@', d: { b: '@', c: '' } }, 20],
    ['names with much in common', ZOO, 6],
    ['others beside them', { ...words(8, '.ts'), 'another-name-of-some-length.md': '' }, 20],
  ])('is that of what is shown: %s', (_, sketch, price) => {
    const root = folderOf(sketch);
    const { cost, line } = done(new Planner(root, null, true).at(every(price)));
    expect(cost).toBe(costOf(done((line as NonNullable<typeof line>)())));
  });

  it('may be too high, and then nothing is written', () => {
    const costAt = (most: number) => done(new Planner(folderOf(ZOO), null, true).at(every(6), most));
    const whole = costAt(1000);
    expect(whole.line).not.toBeNull();
    expect(costAt(2 * whole.cost).line).not.toBeNull();
    expect(costAt(whole.cost - 1).line).toBeNull();
  });

  it('may be too high though nothing is opened', () => {
    const costAt = (most: number) => done(new Planner(folderOf(PROJECT), null, true).at(every(0), most));
    const { cost } = costAt(1000);
    expect(costAt(cost).line).not.toBeNull();
    expect(costAt(cost - 1)).toEqual({ cost, line: null });
  });

  it('ends the work early where it is far too high', () => {
    const at = (most: number) => {
      const planner = new Planner(folderOf(ZOO), null, true);
      const { cost, line } = done(planner.at(every(6), most));
      return { cost, line, considered: planner.considered };
    };
    const [early, whole] = [at(20), at(1000)];
    expect(early.line).toBeNull();
    expect(early.cost).toBeGreaterThan(20);
    expect(early.cost).toBeLessThan(whole.cost);
    expect(early.considered).toBeLessThan(whole.considered);
  });

  it('counts each directory once, however deep it is', () => {
    const deep = (levels: number): Sketch => (levels === 0 ? { x: '', y: '' } : { f: '', d: deep(levels - 1) });
    const { cost } = done(new Planner(folderOf(deep(20)), null, true).at(every(50)));
    expect(done(new Planner(folderOf(deep(20)), null, true).at(every(50), 2 * cost)).line).not.toBeNull();
  });
});

describe('folds', () => {
  /** Directories whose names begin with one of two words, with two to four files each. */
  const extensions = (count: number): Sketch => {
    const inside = (i: number) => filesNamed(2 + (i % 3), (j) => `${LETTERS[j]}${word(i)}`);
    const names = Array.from({ length: count }, (_, i) => `${i % 2 === 0 ? 'theme' : 'plugin'}-${word(i)}`);
    return { ...Object.fromEntries(names.map((name, i) => [name, inside(i)])), 'README.md': '' };
  };
  const folded = ['plugin-*/+68 theme-*/+69 README.md'];

  it('take directories by words where they are more than 45, and count the files below them', () => {
    expect(planned(extensions(45), 0.01).join('\n')).not.toContain('*');
    expect(planned(extensions(46), 0.01)).toEqual(folded);
    expect(planned(extensions(46), 2)).toEqual(folded);
    expect(lineAt(folderOf(extensions(46)), 0.01)?.folds).toEqual([
      { prefix: 'plugin-', range: null, ofFolders: true, files: 68 },
      { prefix: 'theme-', range: null, ofFolders: true, files: 69 },
    ]);
  });

  it('take any number of directories in a fold that is shown', () => {
    const fold = { prefix: bytesOf('plugin-'), range: null, ofFolders: true };
    expect(planned(extensions(45), 0.01, { fold }).join('\n')).toContain('plugin-*/');
  });

  it('open where a higher price has paid for them', () => {
    const lines = planned(extensions(46), { low: 0.01, high: 8, share: 0.5 });
    expect(lines[0]).toBe('theme-*/+69 README.md');
    expect(lines.slice(1).every((line) => line.startsWith(' plugin-'))).toBe(true);
    expect(lines).toHaveLength(24);
  });

  it('have the number of files in them', () => {
    const sketch: Sketch = { ...filesNamed(5, (i) => `a${word(i)}`), ...filesNamed(4, (i) => `b${word(i)}`) };
    const line = lineAt(folderOf({ ...ZOO, ...sketch }), 0.01) as Line;
    const inFolds = line.folds.reduce((sum, { files }) => sum + Number(files), 0);
    expect(line.folds.length).toBeGreaterThan(1);
    expect(line.folds.some(({ ofFolders }) => ofFolders)).toBe(false);
    expect(inFolds + line.files.length).toBe(9);
  });
});

it('a planner knows whether directories of the listed one share a row', () => {
  const alike = Object.fromEntries(ANIMALS.map((name) => [name, words(6, '.ts')]));
  const sharedIn = (sketch: Sketch) => {
    const planner = new Planner(folderOf(sketch), null, true);
    done(planner.at(every(1)));
    return planner.hasShared;
  };
  expect([sharedIn(alike), sharedIn({ below: alike }), sharedIn(ZOO)]).toEqual([true, false, false]);
});

it('alike directories are planned once, and each shows its own', () => {
  const inner: Sketch = {
    'x.ts': '',
    'y.ts': '',
    lib: { only: words(4, '.ts') },
    shown: filesNamed(9, (i) => word(i * 31)),
  };
  const root = folderOf({ ...ZOO, app: inner, bar: inner, car: inner });
  const planner = new Planner(root, null, true);
  const line = done((done(planner.at(every(1))).line as () => Generator<never, Line>)());
  const alike = line.lines.filter(({ folder }) => ['app', 'bar', 'car'].includes(folder.name));
  expect(alike).toHaveLength(3);
  for (const { folder, lines, closed } of alike) {
    expect(lines.map((inner) => inner.folder.path)).toEqual([`${folder.name}/shown`]);
    expect(closed.map(({ path }) => path)).toEqual([`${folder.name}/lib`]);
  }
  // The root, six animals, and what is in one of the alike directories.
  expect(planner.considered).toBe(1 + 6 + 3);
});

describe('a directory that was only counted', () => {
  it('is asked for before it is planned, and only once', () => {
    const root = folderOf(ZOO);
    const cat = root.folders[2] as Folder;
    const { names } = cat;
    cat.names = null;
    // Here there is nothing to ask for.
    root.names = null;
    const planner = new Planner(root, null, true);
    const asked: Folder[] = [];
    const at = (price: number): Line => {
      const planning = planner.at(every(price));
      for (let step = planning.next(); ; step = planning.next()) {
        if (step.done) return done((step.value.line as () => Generator<never, Line>)());
        if (step.value === undefined) continue;
        asked.push(step.value);
        step.value.names = names;
      }
    };
    expect(linesOf(at(0.5))).toEqual(zooOpenUpTo(0));
    expect(asked).toEqual([]);
    expect(linesOf(at(6))).toEqual(zooOpenUpTo(6));
    expect(linesOf(at(7))).toEqual(zooOpenUpTo(6));
    expect(asked).toEqual([cat]);
  });
});

it('one planner gives the same maps at any price, in any order', () => {
  const planner = new Planner(folderOf(ZOO), null, true);
  const at = (price: number) => linesOf(done((done(planner.at(every(price))).line as () => Generator<never, Line>)()));
  for (const price of [6, 0.5, 1, 2, 0.5, 6]) expect(at(price)).toEqual(planned(ZOO, price));
});

it('one planner knows which directories of files alone stay closed, as the price rises and where only a part gets it', () => {
  const inner = (i: number): Sketch => filesNamed(2 + (i % 5), (file) => `${word(i * 7 + file)}${word(file)}.ts`);
  const sketch = { many: Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`${word(i)}x`, inner(i)])) };
  const planner = new Planner(folderOf(sketch), null, true);
  const prices = Array.from({ length: 60 }, (_, i) => 0.2 * (i + 1));
  const shared = prices.map((price) => ({ low: price / 2, high: price * 1.5, share: (price % 1) * 0.98 + 0.01 }));
  const lines = prices
    .flatMap((price, i) => [every(price), shared[i] as Price])
    .map((price) => {
      const { line } = done(planner.at(price));
      return { price, written: linesOf(done((line as () => Generator<never, Line>)())) };
    });
  for (const { price, written } of lines) expect(written).toEqual(planned(sketch, price));
  // Those that it knows are not even considered.
  const before = planner.considered;
  done(planner.at(every(1)));
  const fresh = new Planner(folderOf(sketch), null, true);
  done(fresh.at(every(1)));
  expect(planner.considered - before).toBeLessThan(fresh.considered / 2);
  expect(new Set(lines.map(({ written }) => written.length)).size).toBeGreaterThan(10);
});

describe('steps', () => {
  const stepsFor = (sketch: Sketch, price: Price | number = 0) =>
    inSteps(new Planner(folderOf(sketch), null, true).at(typeof price === 'number' ? every(price) : price)).steps;

  it.each([
    [1, 1],
    [255, 1],
    [256, 3],
    [600, 11],
  ])('with %i files are %i', (count, steps) => {
    expect(stepsFor(filesNamed(count, (i) => `${word(i)}x`))).toBe(steps);
  });

  it.each([
    [1, 1],
    [63, 1],
    [64, 2],
    [255, 5],
    [256, 8],
  ])('with %i directories are %i', (count, steps) => {
    expect(
      stepsFor(Object.fromEntries(Array.from({ length: count }, (_, i) => [`${word(i)}x`, { [word(i)]: '' }]))),
    ).toBe(steps);
  });

  it('are more where more is worth opening', () => {
    const inner = (i: number) => filesNamed(200, (j) => word(i * 31 + j));
    const large = Object.fromEntries(Array.from({ length: 50 }, (_, i) => [word(i), inner(i)]));
    const planner = new Planner(folderOf(large), null, true);
    // First, the directories are compared with each other.
    const [, ...steps] = [0, 0, 0.5, 6].map((price) => inSteps(planner.at(every(price))).steps);
    expect(steps[0]).toBe(1);
    // Their files are looked at, even if nothing is opened after all.
    for (const more of steps.slice(1)) expect(more).toBeGreaterThanOrEqual(25);
  });
});
