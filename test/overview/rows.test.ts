import { describe, expect, it } from 'vitest';
import { type Bytes, bytesOf } from '../../src/names/bytes.ts';
import type { Folder } from '../../src/overview/folder.ts';
import { chainOf, Line, LONGEST_JOIN } from '../../src/overview/line.ts';
import { rowsOf, textOfRow } from '../../src/overview/rows.ts';
import { done, filesNamed, folderOf, inSteps, type Sketch } from '../support/folders.ts';

/** A map that opens everything. Those that are called `closed` stay closed. */
function lineOf(folder: Folder, depth = 0): Line {
  const chain = depth === 0 ? [folder] : chainOf(folder, LONGEST_JOIN);
  const line = new Line(chain, depth);
  const { folders, names } = line.folder;
  line.files.push(...(names ?? []));
  for (const inner of folders) {
    if (inner.name.startsWith('closed')) line.closed.push(inner);
    else line.lines.push(lineOf(inner, depth + 1));
  }
  return line;
}

const rows = (sketch: Sketch) => done(rowsOf(lineOf(folderOf(sketch))));
const text = (sketch: Sketch) => rows(sketch).map(textOfRow);

/** The same content in each of these directories. */
const each = (names: readonly string[], content: Sketch): Sketch =>
  Object.fromEntries(names.map((name) => [name, content]));

describe('a row', () => {
  it('is written for each directory, from the top to the bottom, by name', () => {
    expect(text({ src: { lib: { 'b.ts': '' }, 'a.ts': '' }, docs: { 'c.md': '' }, z: '', a: '' })).toEqual([
      ...['a z', ' docs/ c.md', ' src/ a.ts', '  lib/ b.ts'],
    ]);
  });

  it('is the directory alone where nothing is in it', () => {
    expect(text({ a: {} })).toEqual(['', ' a/']);
  });

  it('has directories that are joined in one name', () => {
    expect(text({ a: { b: { c: { f: '', g: '' } } }, h: '' })).toEqual(['h', ' a/b/c/ f g']);
  });

  it('has the lines that it stands for, and those of the first directory before its name', () => {
    const all = rows(each(['p', 'q', 'r'], each(['x', 'y', 'z'], { f: '', g: '' })));
    const names = (lines: readonly Line[]) => lines.map(({ folder }) => folder.path);
    expect(all.map(textOfRow)).toEqual(['', ' {p,q,r}/', '  {x,y,z}/ f g']);
    expect(all.map(({ heads }) => names(heads))).toEqual([[''], ['p', 'q', 'r'], ['p/x', 'p/y', 'p/z']]);
    expect(names(all[2]?.lines ?? [])).toEqual(['p', 'q', 'r'].flatMap((p) => ['x', 'y', 'z'].map((x) => `${p}/${x}`)));
  });
});

describe('directories side by side', () => {
  it('are one row if they are three and have the same in them', () => {
    expect(text(each(['api', 'web', 'worker'], { 'package.json': '', src: { 'index.ts': '' } }))).toEqual([
      ...['', ' {api,web,worker}/ package.json', '  src/ index.ts'],
    ]);
  });

  it('are two rows if they are two', () => {
    expect(text(each(['api', 'web'], { a: '' }))).toEqual(['', ' api/ a', ' web/ a']);
  });

  it('are one row where the first of them would stand', () => {
    const sketch: Sketch = { ...each(['b', 'd', 'f'], { x: '' }), a: { y: '' }, c: { z: '' }, g: { x: '', y: '' } };
    expect(text(sketch)).toEqual(['', ' a/ y', ' {b,d,f}/ x', ' c/ z', ' g/ x y']);
  });

  it('stand in their order if two are alike and another stands between them', () => {
    expect(text({ a: { x: '' }, b: { y: '' }, c: { x: '' } })).toEqual(['', ' a/ x', ' b/ y', ' c/ x']);
  });

  it('stand in their order, however many there are', () => {
    const names = Array.from({ length: 12 }, (_, i) => String.fromCharCode(97 + i));
    const sketch = Object.fromEntries(names.map((name) => [name, { [`${name}.ts`]: '' }] as const)) as Sketch;
    expect(text(sketch)).toEqual(['', ...names.map((name) => ` ${name}/ ${name}.ts`)]);
  });

  it.each<[string, Sketch, string[]]>([
    ['files', { a: { x: '' }, b: { x: '' }, c: { y: '' } }, [' a/ x', ' b/ x', ' c/ y']],
    ['one file more', { a: { x: '' }, b: { x: '' }, c: { x: '', y: '' } }, [' a/ x', ' b/ x', ' c/ x y']],
    ['links', { a: { x: '' }, b: { x: '' }, c: { x: '@' } }, [' a/ x', ' b/ x', ' c/ x@']],
    [
      'files further down',
      { ...each(['a', 'b'], { f: '', i: { x: '' } }), c: { f: '', i: { y: '' } } },
      [' a/ f', '  i/ x', ' b/ f', '  i/ x', ' c/ f', '  i/ y'],
    ],
    [
      'names of directories in them',
      { ...each(['a', 'b'], { f: '', i: { x: '' } }), c: { f: '', j: { x: '' } } },
      [' a/ f', '  i/ x', ' b/ f', '  i/ x', ' c/ f', '  j/ x'],
    ],
    [
      'directories that they are joined with',
      { a: { i: { x: '' } }, b: { i: { x: '' } }, c: { j: { x: '' } } },
      [' a/i/ x', ' b/i/ x', ' c/j/ x'],
    ],
    [
      'where the names that they are joined with end',
      { a: { b: { cd: { x: '' } } }, e: { bc: { d: { x: '' } } }, f: { bcd: { x: '' } } },
      [' a/b/cd/ x', ' e/bc/d/ x', ' f/bcd/ x'],
    ],
    [
      'what is a directory and what is a file',
      { a: { i: { x: '' } }, b: { ix: '' }, c: { ix: '' } },
      [' a/i/ x', ' b/ ix', ' c/ ix'],
    ],
    [
      'numbers of files in closed ones',
      { ...each(['a', 'b'], { f: '', closed: { x: '' } }), c: { f: '', closed: filesNamed(30, String) } },
      [' a/ closed/+1 f', ' b/ closed/+1 f', ' c/ closed/+30 f'],
    ],
  ])('are not one row if they differ in %s', (_, sketch, lines) => {
    expect(text(sketch)).toEqual(['', ...lines]);
  });

  it('are not one row if what one has as a file another has as a joined directory', () => {
    const sketch: Sketch = { a: { x: { f: '' } }, b: { f: '' }, c: { 'x f': '' } };
    expect(text(sketch)).toEqual(['', ' a/x/ f', ' b/ f', ' c/ "x f"']);
  });

  it('are one row with what they are joined with', () => {
    expect(text(each(['pkg-a', 'pkg-b', 'pkg-c'], { src: { main: { x: '', y: '' } } }))).toEqual([
      ...['', ' pkg-{a,b,c}/src/main/ x y'],
    ]);
  });

  it('are one row only as far as their names are plain', () => {
    expect(text({ ...each(['a', 'b', 'c'], { x: '' }), 'd e': { x: '' }, 'f,g': { x: '' }, 'h,i': { x: '' } })).toEqual(
      [...['', ' {a,b,c}/ x', ' "d e"/ x', ' f,g/ x', ' h,i/ x']],
    );
  });

  it('are one row even if inner ones are not, as long as these are the same', () => {
    const content = { f: '', 'd e': { x: '' } } as const;
    expect(text(each(['a', 'b', 'c'], content))).toHaveLength(7);
    expect(text(each(['a', 'b', 'c'], { f: '', d: { x: '' } }))).toHaveLength(3);
  });

  it('of several kinds are several rows', () => {
    const sketch = { ...each(['a1', 'a2', 'a3'], { x: '' }), ...each(['b1', 'b3', 'b4'], { y: '' }) };
    expect(text(sketch)).toEqual(['', ' a{1..3}/ x', ' b{1,3,4}/ y']);
  });

  it('are not one row if that would be too long for a line', () => {
    const names = (length: number) => ({ [`a${'x'.repeat(length - 1)}`]: '', b: '' }) as const;
    // With the other name and the space before it.
    expect(text(each(['a', 'b', 'c'], names(998)))).toHaveLength(2);
    expect(text(each(['a', 'b', 'c'], names(999)))).toHaveLength(4);
  });
});

describe('a line that is too long', () => {
  const LONGEST = 2000;
  const word = (i: number) => `${String.fromCharCode(97 + (i % 26)).repeat(90)}${i}`;
  const many = filesNamed(60, word);
  const lines = (row: string | undefined) => (row ?? '').split('\n');

  it('goes on below, one step further in, with nothing lost', () => {
    const [top, row] = text({ d: many });
    expect(top).toBe('');
    const [first, ...rest] = lines(row);
    expect(first).toMatch(/^ d\/ a/);
    expect(rest.length).toBeGreaterThan(1);
    for (const line of rest) expect(line).toMatch(/^ {2}\.\/ [a-z]/);
    for (const line of lines(row)) expect(line.length).toBeLessThanOrEqual(LONGEST);
    const words = lines(row).flatMap((line) => line.trim().split(' ').slice(1));
    expect(words).toEqual(Object.keys(many).sort());
  });

  it('goes on at the top, too', () => {
    const [row] = text(many);
    const [first, second] = lines(row);
    expect(first).toMatch(/^a/);
    expect(second).toMatch(/^ \.\/ [a-z]/);
  });

  it('is as long as it may be', () => {
    const name = (letter: string, length: number) => letter.repeat(length);
    const fits = { [name('a', 1000)]: '', [name('b', 999)]: '' } as const;
    const isTooLong = { [name('a', 1000)]: '', [name('b', 1000)]: '' } as const;
    expect(text(fits).map((row) => row.length)).toEqual([LONGEST]);
    expect(text(isTooLong)).toEqual([`${name('a', 1000)}\n ./ ${name('b', 1000)}`]);
    expect(text({ d: { ...fits } })).toEqual(['', ` d/ ${name('a', 1000)}\n  ./ ${name('b', 999)}`]);
  });

  it('does not begin with a break, however long the first word is', () => {
    expect(text({ ['a'.repeat(3000)]: '', b: '' })).toEqual([`${'a'.repeat(3000)}\n ./ b`]);
  });

  it('repeats what names have in common', () => {
    const stems = Array.from({ length: 60 }, (_, i) => word(i));
    const [, row] = text({ d: { ...filesNamed(60, (i) => `test_${word(i)}.py`), other: '' } });
    const [first, ...rest] = lines(row);
    expect(first).toMatch(/^ d\/ other test_\*\.py: a/);
    expect(rest.length).toBeGreaterThan(1);
    for (const line of rest) expect(line).toMatch(/^ {2}\.\/ test_\*\.py: [a-z]/);
    for (const line of lines(row)) expect(line.length).toBeLessThanOrEqual(LONGEST);
    const words = lines(row).flatMap((line) => line.replace(/^.*: /, '').split(' '));
    expect(words).toEqual(stems.sort());
  });

  it.each(['a:', 'a*'])('repeats no name, even if it is %s', (name) => {
    const line = lineOf(folderOf(many));
    if (name === 'a:') line.files.push(bytesOf(name));
    else line.folds.push({ prefix: bytesOf('a'), range: null, ofFolders: false, files: 5 });
    const [first, ...rest] = lines(done(rowsOf(line)).map(textOfRow)[0]);
    expect(first?.startsWith(name)).toBe(true);
    expect(rest.length).toBeGreaterThan(1);
    for (const one of rest) expect(one).toMatch(/^ \.\/ ([a-z])\1/);
  });

  it('breaks before what names have in common if no stem fits behind it', () => {
    const stems = ['frame', 'series', 'index', 'groupby', 'merge', 'apply', 'window'];
    const names = filesNamed(stems.length, (i) => `test_${stems[i]}.py`);
    const marked = (length: number) => text({ ['a'.repeat(length)]: '', ...names })[0];
    const rest = `test_*.py: ${stems.toSorted().join(' ')}`;
    const [first = ''] = stems.toSorted();
    const room = LONGEST - ` test_*.py: ${first}`.length;
    expect(marked(room)).toBe(`${'a'.repeat(room)} test_*.py: ${first}\n ./ ${rest.replace(`${first} `, '')}`);
    expect(marked(room + 1)).toBe(`${'a'.repeat(room + 1)}\n ./ ${rest}`);
  });
});

it('a name that only looks like what names have in common is written as a name', () => {
  expect(text({ 'a*b:': '', c: '', 'd:': '' })).toEqual(['"a*b:" c d:']);
});

describe('steps', () => {
  const rowsIn = (count: number) =>
    inSteps(
      rowsOf(
        lineOf(
          folderOf(
            Object.fromEntries(Array.from({ length: count }, (_, i) => [`d${i}`, filesNamed(1, () => `f${i}`)])),
          ),
        ),
      ),
    );

  it('are one for each row, and some while lines are compared', () => {
    for (const [count, steps] of [
      [10, 0],
      [14, 0],
      [15, 1],
      [31, 2],
      [100, 6],
    ] as const) {
      const { value, steps: all } = rowsIn(count);
      expect(value).toHaveLength(count + 1);
      expect(all).toBe(count + 1 + steps);
    }
  });

  it('come to an end with thousands of directories in one another', () => {
    const root = folderOf({});
    let line = new Line([root], 0);
    const top = line;
    for (let i = 1; i < 3000; i++) {
      const inner = new Line([folderOf({}, `d${i}`)], i);
      inner.files.push(bytesOf('f') as Bytes);
      line.lines.push(inner);
      line = inner;
    }
    expect(done(rowsOf(top))).toHaveLength(3000);
  });
});
