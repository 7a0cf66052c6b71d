import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Chooser } from '../../src/overview/choose.ts';
import type { FoldName } from '../../src/overview/dense-name.ts';
import { Fold } from '../../src/overview/fold.ts';
import { Folder } from '../../src/overview/folder.ts';
import { fileLabel, joinedName, type Line, labelOf } from '../../src/overview/line.ts';
import { tokensOfLine, tokensOfName } from '../../src/overview/token-count.ts';
import { bytesOf } from '../../src/workspace/bytes.ts';
import { done, filesNamed, folderOf, type Sketch } from '../support/folders.ts';

/** What the lines cost, added up anew. */
function costOf(root: Line): number {
  let cost = 2;
  for (const line of root.all()) {
    const name = `${joinedName(line.chain)}/`;
    if (line !== root) cost += tokensOfLine(line.depth, name) + tokensOfName(name);
    for (const part of line.parts()) {
      cost += tokensOfName(typeof part === 'string' ? fileLabel(line.folder, part) : labelOf(part));
    }
  }
  return cost;
}

/** Paths of all that stands somewhere in the lines: shown, closed, opened, or in a fold. */
function standing(root: Line): string[] {
  const paths: string[] = [];
  for (const line of root.all()) {
    if (line !== root) paths.push(...line.chain.map(({ path }) => path));
    const pathOf = (member: string | Folder) =>
      member instanceof Folder ? member.path : `${line.folder.path}/${member}`;
    for (const part of line.parts()) paths.push(...(part instanceof Fold ? part.members : [part]).map(pathOf));
  }
  return paths.sort();
}

/** The same of what a folder holds, without what is below directories that are not opened. */
function expectedIn(folder: Folder, opened: ReadonlySet<Folder>): string[] {
  const own = [
    ...folder.folders.map(({ path }) => path),
    ...(folder.names ?? []).map((name) => `${folder.path}/${name}`),
  ];
  return [...own, ...folder.folders.filter((inner) => opened.has(inner)).flatMap((inner) => expectedIn(inner, opened))];
}

function check(chooser: Chooser, budget: number): void {
  const opened = new Set([...chooser.root.all()].flatMap(({ chain }) => chain));
  expect(standing(chooser.root)).toEqual(expectedIn(chooser.root.folder, opened).sort());
  expect(chooser.remaining).toBe(budget - costOf(chooser.root));
}

const linesOf = ({ root }: Chooser) => [...root.all()].map((line) => done(line.text()));

/** The lines of a map that nothing more fits into. */
function chosen(sketch: Sketch, budget: number, fold: FoldName | null = null): string[] {
  const chooser = new Chooser(folderOf(sketch), budget, fold);
  done(chooser.run());
  check(chooser, budget);
  expect(chooser.remaining).toBeGreaterThanOrEqual(0);
  return linesOf(chooser);
}

const numbered = (i: number) => String(i).padStart(3, '0');

describe('at every step', () => {
  const name = fc.constantFrom(
    ...['a', 'ab', 'abc', 'b.ts', 'test_1', 'test_2', 'test_3', 'test_4', 'x.png', 'src', 'é'],
  );
  const { tree } = fc.letrec<{ tree: Sketch; content: Sketch | '' | '@' | '?' }>((tie) => ({
    tree: fc.oneof(
      { maxDepth: 4 },
      fc.integer({ min: 0, max: 60 }).map((count) => filesNamed(count, (i) => `n${numbered(i * 7)}.ts`)),
      fc.dictionary(name, tie('content'), { maxKeys: 8 }),
    ),
    content: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom('' as const, '' as const, '@' as const, '?' as const),
      tie('tree'),
    ),
  }));

  it('everything stands somewhere once, and what it costs is counted', () => {
    fc.assert(
      fc.property(tree, fc.integer({ min: 20, max: 250 }), (sketch, budget) => {
        const chooser = new Chooser(folderOf(sketch), budget, null);
        check(chooser, budget);
        for (const _ of chooser.run()) check(chooser, budget);
        check(chooser, budget);
        expect(chooser.remaining).toBeGreaterThanOrEqual(0);
        // What did not fit fits, if there is enough.
        chooser.grant(chooser.remaining + 10_000);
        done(chooser.run());
        check(chooser, budget + 10_000);
        expect([...chooser.root.all()].flatMap(({ folds }) => [...folds])).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });

  it('lets others have a turn after each directory that it opens, however large', () => {
    const chooser = new Chooser(folderOf({ a: { one: '' }, b: { two: '' }, c: { three: '' } }), 1000, null);
    const opened = () => [...chooser.root.all()].length - 1;
    const seen = new Set<number>();
    for (const _ of chooser.run()) seen.add(opened());
    expect([...seen]).toEqual([0, 1, 2, 3]);
  });
});

describe('before anything is opened', () => {
  it('a fold stands for the directories, and one for the files', () => {
    const before = (sketch: Sketch) => linesOf(new Chooser(folderOf(sketch), 100, null));
    expect(before({ a: { b: '', c: '' }, d: {}, e: '' })).toEqual(['*/+2 *+1']);
    expect(before({ a: {} })).toEqual(['*/+0']);
    expect(before({ a: '' })).toEqual(['*+1']);
    expect(before({})).toEqual(['']);
  });

  it('names that are not at hand stand for nothing', () => {
    const root = folderOf({ a: {}, b: '' });
    root.names = null;
    expect(linesOf(new Chooser(root, 100, null))).toEqual(['*/+0']);
  });
});

describe('what shows most for its tokens is opened first', () => {
  it('what people write before what a machine made', () => {
    const sketch: Sketch = { dist: filesNamed(8, (i) => `out${i}.js`), src: filesNamed(8, (i) => `in${i}.ts`) };
    const small = chosen(sketch, 32);
    expect(small.map((line) => line.trim().split(' ')[0])).toEqual(['dist/+', 'src/']);
    expect(small[1]).toBe(` src/ ${Object.keys(sketch.src as Sketch).join(' ')}`);
    expect(chosen(sketch, 100)).toHaveLength(3);
  });

  it('what was worked on before what was not', () => {
    const root = folderOf({ one: filesNamed(6, (i) => `file-${i}.ts`), two: filesNamed(6, (i) => `file-${i}.ts`) });
    const two = root.find(bytesOf('two')) as Folder;
    two.activity = new Map((two.names ?? []).map((file) => [file, 3]));
    const chooser = new Chooser(root, 36, null);
    done(chooser.run());
    expect(linesOf(chooser)[0]).toBe('one/+');
    expect(linesOf(chooser)[1]).toMatch(/^ two\/ file-0/);
  });

  it('the files beside directories as far as they cost a tenth of the budget, or twelve tokens', () => {
    const settings = filesNamed(10, (i) => `setting-${i}`);
    const sketch = { src: filesNamed(200, (i) => `module-${numbered(i)}.ts`), ...settings };
    const cost = Object.keys(settings).reduce((sum, file) => sum + tokensOfName(file), 0);
    const atFirst = (budget: number) => {
      const chooser = new Chooser(folderOf(sketch), budget, null);
      for (const _ of chooser.run()) if (chooser.root.closed.size > 0) break;
      return linesOf(chooser);
    };
    expect(atFirst(10 * cost)).toEqual([`src/+200 ${Object.keys(settings).join(' ')}`]);
    expect(atFirst(10 * cost - 10)).toEqual(['src/+200 setting-*+10']);
  });
});

describe('what does not fit whole', () => {
  it('is opened as far as it fits, with a fold for the rest', () => {
    const files = {
      ...filesNamed(20, (i) => `a-long-name-of-a-file-${i}.png`),
      'short.ts': '',
      'tiny.ts': '',
    } as const;
    const [line = ''] = chosen(files, 30);
    expect(line).toMatch(/^\*\+\d+ /);
    expect(line).toContain('short.ts tiny.ts');
    expect(Number(/\+(\d+)/.exec(line)?.[1]) + line.split(' ').length - 1).toBe(22);
  });

  it('is shown by what it is worth for its tokens', () => {
    const sketch: Sketch = { 'aaaaa.png': '', 'bbbbb.lock': '', 'ccccc.ts': '', 'ddddd.ts': '', 'eeeee.map': '' };
    expect(chosen(sketch, 8)).toEqual(['*+4 ccccc.ts']);
    expect(chosen(sketch, 13)).toEqual(['*+3 ccccc.ts ddddd.ts']);
    expect(chosen(sketch, 14)).toEqual(['*+2 aaaaa.png ccccc.ts ddddd.ts']);
  });

  it('needs no fold for the rest if the last one fits in its place', () => {
    const sketch = { aa: '', bb: '', cc: '', dd: '' } as const;
    const whole = 2 + Object.keys(sketch).reduce((sum, file) => sum + tokensOfName(file), 0);
    expect(chosen(sketch, whole)).toEqual(['aa bb cc dd']);
    expect(chosen(sketch, whole - 1)[0]).toMatch(/^\*\+/);
  });

  it('needs no fold for directories either, where only files are left over', () => {
    const inner = filesNamed(8, (i) => `${'long-name-'.repeat(9)}${i}.ts`);
    const sketch = { aa: inner, bb: inner, ...filesNamed(12, (i) => 'cdefghijklmn'.charAt(i)) };
    const budget = 2 + ['aa/+', 'bb/+', '*+11', 'c'].reduce((sum, label) => sum + tokensOfName(label), 0);
    expect(chosen(sketch, budget)).toEqual(['aa/+ bb/+ *+11 c']);
    expect(tokensOfName('*/+16')).toBeGreaterThan(tokensOfName('bb/+'));
  });

  it('stays closed where nothing of it fits, and is opened when more is granted', () => {
    const sketch: Sketch = { d: { [`${'some-long-name-of-a-file-'.repeat(5)}.ts`]: '' } };
    const chooser = new Chooser(folderOf(sketch), 12, null);
    done(chooser.run());
    expect(linesOf(chooser)).toEqual(['d/+']);
    done(chooser.run());
    expect(linesOf(chooser)).toEqual(['d/+']);
    chooser.grant(100);
    expect(chooser.remaining).toBe(100);
    done(chooser.run());
    expect(linesOf(chooser)).toHaveLength(2);
  });

  it('is opened if there is a token left, and not without', () => {
    const chooser = new Chooser(folderOf({ a: { b: '' } }), 100, null);
    done(chooser.run());
    const open = new Chooser(folderOf({ a: { b: '' } }), costOf(chooser.root), null);
    done(open.run());
    expect([linesOf(open), open.remaining]).toEqual([linesOf(chooser), 0]);
    const closed = new Chooser(folderOf({ a: { b: '' } }), costOf(chooser.root) - 1, null);
    done(closed.run());
    expect(linesOf(closed)).toEqual(['a/+']);
  });
});

describe('a directory whose names are not at hand', () => {
  it('is asked for, until they are', () => {
    const root = folderOf({ d: { one: '', two: '' }, f: '' });
    const folder = root.find(bytesOf('d')) as Folder;
    const { names } = folder;
    folder.names = null;
    const chooser = new Chooser(root, 100, null);
    const run = chooser.run();
    const asked = [];
    for (let next = run.next(); !next.done; next = run.next()) {
      if (next.value === undefined) continue;
      expect(next.value).toBe(folder);
      expect(linesOf(chooser)).toEqual(['d/+ f']);
      if (asked.push(next.value) === 2) folder.names = names;
    }
    expect(asked).toHaveLength(2);
    expect(linesOf(chooser)).toEqual(['f', ' d/ one two']);
    check(chooser, 100);
  });
});

describe('a map of a fold', () => {
  const fold = (prefix: string, ofFolders: boolean): FoldName => ({ prefix: bytesOf(prefix), range: null, ofFolders });

  it('shows what is in it, if that fits', () => {
    expect(
      chosen(
        filesNamed(5, (i) => `t${i}`),
        100,
        fold('t', false),
      ),
    ).toEqual(['t0 t1 t2 t3 t4']);
    expect(chosen({ t1: { a: '' }, t2: {} }, 100, fold('t', true))).toEqual(['t2/', ' t1/ a']);
    expect(chosen({}, 100, fold('t', false))).toEqual(['']);
  });

  it('has smaller folds for all of it, if it does not', () => {
    const names = [...'abcdefghij'].flatMap((letter) => Object.keys(filesNamed(60, (i) => `t${letter}${numbered(i)}`)));
    const sketch = Object.fromEntries(names.map((file) => [file, '' as const]));
    const folds = (budget: number) => {
      const chooser = new Chooser(folderOf(sketch), budget, fold('t', false));
      const run = chooser.run();
      while (chooser.root.folds.size <= 1) run.next();
      check(chooser, budget);
      return linesOf(chooser)[0];
    };
    expect(folds(100)).toBe([...'abcdefghij'].map((letter) => `t${letter}0*+60`).join(' '));
    // At first for three fifths of the budget: what is left opens one of them.
    expect(folds(60)).toBe('t[a-b]*+120 t[c-d]*+120 t[e-f]*+120 t[g-h]*+120 ti0*+60 tj0*+60');
    expect(folds(30)).toBe('t[a-d]*+240 t[e-j]*+360');
    expect(chosen(sketch, 30, fold('t', false))[0]).toBe(
      't[e-j]*+360 t[a-d]*+232 ta000 ta001 ta002 ta003 ta004 ta005 ta006 ta007',
    );
    // For all of it, where that is not enough.
    expect(folds(20)).toBe('t[a-d]*+240 t[e-h]*+240 t[i-j]*+120');
    expect(folds(14)).toBe('t[a-d]*+240 t[e-j]*+360');
  });

  it('stays as it is where no budget is enough for smaller ones', () => {
    const sketch = filesNamed(60, (i) => `t${numbered(i * 17)}`);
    expect(chosen(sketch, 7, fold('t', false))).toEqual(['t*+60']);
    expect(chosen(sketch, 10, fold('t', false))).toEqual(['t*+58 t000 t017']);
  });
});
