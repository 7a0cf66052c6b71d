import { describe, expect, it } from 'vitest';
import { Fold, type Member, memberName } from '../../src/overview/fold.ts';
import type { Folder } from '../../src/overview/folder.ts';
import { bytesOf } from '../../src/workspace/bytes.ts';
import { done, filesNamed, folderOf, inSteps, type Sketch } from '../support/folders.ts';

const names = (count: number, name: (i: number) => string) => Object.keys(filesNamed(count, name));

/** All files of a directory that has these. */
function poolOf(files: readonly string[]): Fold {
  const folder = folderOf(Object.fromEntries(files.map((name) => [name, ''])));
  return done(Fold.of(folder, false, folder.names ?? []));
}

/** All directories of one that has these. */
function poolOfFolders(sketch: Sketch): Fold {
  const folder = folderOf(sketch);
  return done(Fold.of(folder, true, folder.folders));
}

/** `name`, or `prefix*N` of a fold of N members, with the range behind the prefix. */
function told(part: Member | Fold): string {
  if (!(part instanceof Fold)) return memberName(part);
  const { prefix, range, members } = part;
  const bounds = range === null ? '' : `[${String.fromCharCode(range.from)}-${String.fromCharCode(range.to)}]`;
  return `${prefix}${bounds}*${members.length}`;
}

const partsOf = (pool: Fold) => done(pool.parts()).map(told);
const splitOf = (pool: Fold) => done(pool.split()).map(told);

describe('a whole directory as a fold', () => {
  it('tells what its names have in common, if it has four of them', () => {
    expect(poolOf(['test_a', 'test_b', 'test_c', 'test_d']).prefix).toBe('test_');
    expect(poolOf(['test_a', 'test_b', 'test_c']).prefix).toBe('');
    expect(poolOf(['a1', 'b1', 'c1', 'd1']).prefix).toBe('');
    expect(poolOf(['same', 'same1', 'same2', 'same3']).prefix).toBe('same');
  });

  it('tells 24 bytes of it at most, and not half of a character', () => {
    const long = 'abcdefghijklmnopqrstuvwxyz';
    expect(poolOf(names(4, (i) => `${long}${i}`)).prefix).toBe(long.slice(0, 24));
    expect(poolOf(['xéa', 'xéb', 'xéc', 'xéd']).prefix).toBe('x');
    expect(poolOf(['xéya', 'xéyb', 'xéyc', 'xéyd']).prefix).toBe(bytesOf('xéy'));
    expect(poolOf(['日a', '日b', '日c', '月d']).prefix).toBe('');
  });

  it('is made once', () => {
    const folder = folderOf(filesNamed(5, (i) => `f${i}`));
    const once = () => done(Fold.of(folder, false, folder.names ?? []));
    expect(once()).toBe(once());
  });

  it('stands for its files, or for those below its directories', () => {
    expect(poolOf(names(5, String)).files).toBe(5);
    const folders = poolOfFolders({ a: { f: '', i: '' }, b: { c: { g: '', h: '' } }, d: {} });
    expect([folders.files, folders.files, folders.ofFolders]).toEqual([4, 4, true]);
  });

  it('is looked at in steps', () => {
    const folder = folderOf(filesNamed(1000, (i) => `same-${i}`));
    expect(inSteps(Fold.of(folder, false, folder.names ?? [])).steps).toBe(3);
    // Where nothing is shared, that is soon seen.
    const other = folderOf(filesNamed(1000, (i) => `${i % 10}-${i}`));
    expect(inSteps(Fold.of(other, false, other.names ?? [])).steps).toBe(0);
  });
});

describe('a part of a fold', () => {
  it('has its directory, prefix and range, unless others are given', () => {
    const pool = new Fold(folderOf({}), { prefix: bytesOf('p'), range: { from: 1, to: 2 }, ofFolders: true }, []);
    const inner = folderOf({}).folders;
    expect(pool.with(inner)).toMatchObject({
      folder: pool.folder,
      prefix: 'p',
      range: { from: 1, to: 2 },
      ofFolders: true,
    });
    expect(pool.with(inner, bytesOf('pq'), null)).toMatchObject({ prefix: 'pq', range: null, members: inner });
  });
});

describe('what is shown in place of a fold', () => {
  it('is each of its members, if there are forty at most', () => {
    expect(partsOf(poolOf(names(40, (i) => `n${i}`)))).toEqual(names(40, (i) => `n${i}`));
    expect(partsOf(poolOf(names(41, (i) => `n${String(i).padStart(2, '0')}`)))).toContain('n3*10');
  });

  it('is smaller folds of more, split where the names first differ, four members at least', () => {
    const pool = poolOf([...names(30, (i) => `alpha-${i}`), ...names(12, (i) => `beta-${i}`), 'c1', 'c2', 'c3', 'd']);
    expect(splitOf(pool)).toEqual(['alpha-*30', 'beta-*12', 'c1', 'c2', 'c3', 'd']);
    expect(splitOf(poolOf(['x1', 'x2', 'x3', 'x4', 'y']))).toEqual(['x*4', 'y']);
  });

  it('is in the order of the bytes, a name that ends there first', () => {
    expect(splitOf(poolOf(['ab', 'aé', 'aB', 'a\x01', 'a', 'a-']))).toEqual([
      'a',
      'a\x01',
      'a-',
      'aB',
      'ab',
      bytesOf('aé'),
    ]);
    expect(splitOf(poolOf(['b1', 'b2', 'b3', 'b4', 'a1', 'a2', 'a3', 'a4']))).toEqual(['a*4', 'b*4']);
  });

  it('splits the largest of them again, as long as there are forty parts at most', () => {
    const pool = poolOf([...names(100, (i) => `a${String(i).padStart(2, '0')}`), ...names(10, (i) => `b${i}`)]);
    expect(splitOf(pool)).toEqual(['a*100', 'b*10']);
    // 10 folds of the first, then the 10 members of the second, or of one of the first, and so on: to 38 parts.
    const parts = partsOf(pool);
    expect(parts).toHaveLength(38);
    expect(parts.filter((part) => part.includes('*')).every((part) => part.endsWith('*10'))).toBe(true);
    expect(parts.slice(0, 10)).toEqual(names(10, (i) => `a0${i}`));
    expect(parts.at(-1)).toBe('b*10');
  });

  it('is forty parts, where that is what they come to, and not one more', () => {
    const inner = (count: number) => names(count, (i) => `a${String.fromCharCode(65 + i)}`);
    expect(partsOf(poolOf([...inner(38), ...names(9, (i) => `b${i}`), 'c', 'd']))).toHaveLength(4);
    expect(partsOf(poolOf([...inner(37), ...names(9, (i) => `b${i}`), 'c', 'd']))).toHaveLength(40);
  });

  it('is each of its members, where no four of them begin alike', () => {
    const apart = names(44, (i) => String.fromCharCode(48 + i));
    expect(partsOf(poolOf(apart))).toEqual(apart);
  });

  it('is found once, in steps', () => {
    const pool = poolOf(names(100, (i) => `a${String(i).padStart(2, '0')}`));
    const first = inSteps(pool.parts());
    expect(first.steps).toBeGreaterThan(2);
    const again = inSteps(pool.parts());
    expect([again.value, again.steps]).toEqual([first.value, 0]);
    expect(inSteps(poolOf(names(1000, (i) => `${i % 7}${i}`)).split()).steps).toBe(3);
  });

  it('may be directories', () => {
    const sketch: Sketch = Object.fromEntries(
      names(8, (i) => `${i < 5 ? 'lib-' : 'x'}${i}`).map((name) => [name, { f: '' } as Sketch]),
    );
    const parts = done(poolOfFolders(sketch).split());
    expect(parts.map(told)).toEqual(['lib-*5', 'x5', 'x6', 'x7']);
    expect((parts[0] as Fold).files).toBe(5);
    expect((parts[1] as Folder).name).toBe('x5');
  });
});

describe('a fold within an allowance', () => {
  /** Each letter so often. */
  const lettered = (counts: Readonly<Record<string, number>>) =>
    poolOf(Object.entries(counts).flatMap(([letter, count]) => names(count, (i) => `${letter}${i}`)));
  const within = (pool: Fold, allowance: number, cost: (part: Member | Fold) => number = () => 1) =>
    done(pool.splitWithin(allowance, cost))?.map(told) ?? null;

  it('is a fold for each byte, if that is not too much', () => {
    expect(within(lettered({ a: 4, b: 2, c: 1 }), 3)).toEqual(['a*4', 'b*2', 'c0']);
  });

  it('has ranges of the neighbours that hold the fewest, until it is not', () => {
    const pool = lettered({ a: 9, b: 2, c: 3, d: 8, e: 1, f: 1 });
    expect(within(pool, 5)).toEqual(['a*9', 'b*2', 'c*3', 'd*8', '[e-f]*2']);
    expect(within(pool, 4)).toEqual(['a*9', '[b-c]*5', 'd*8', '[e-f]*2']);
    expect(within(pool, 3)).toEqual(['a*9', '[b-c]*5', '[d-f]*10']);
    expect(within(pool, 2)).toEqual(['[a-c]*14', '[d-f]*10']);
    expect(within(pool, 1)).toBeNull();
    // Of pairs that hold as many, the first.
    expect(within(lettered({ a: 1, b: 1, c: 1, d: 1 }), 3)).toEqual(['[a-b]*2', 'c0', 'd0']);
  });

  it('does not put a name that has ended into a range', () => {
    const pool = poolOf(['x', 'xa', 'xb', 'xc1', 'xc2', 'xc3']);
    expect(within(pool, 3)).toEqual(['x', 'x[a-b]*2', 'xc*3']);
    expect(within(pool, 2)).toEqual(['x', 'x[a-c]*5']);
    expect(within(pool, 1)).toBeNull();
    expect(within(poolOf(['x', 'xa']), 1)).toBeNull();
  });

  it('counts what each costs', () => {
    const pool = lettered({ a: 4, b: 4, c: 4 });
    const cost = (part: Member | Fold) => (part instanceof Fold && part.range !== null ? 5 : 4);
    expect(within(pool, 12, cost)).toEqual(['a*4', 'b*4', 'c*4']);
    expect(within(pool, 11, cost)).toEqual(['[a-b]*8', 'c*4']);
    expect(within(pool, 9, cost)).toEqual(['[a-b]*8', 'c*4']);
    expect(within(pool, 8, cost)).toBeNull();
  });

  it('takes a step for each range', () => {
    const pool = lettered({ a: 1, b: 1, c: 1, d: 1 });
    expect(inSteps(pool.splitWithin(2, () => 1)).steps).toBe(2);
  });

  it('has ranges behind all that the names share, also where the fold tells less', () => {
    const long = 'p'.repeat(30);
    const pool = poolOf(names(5, (i) => `${long}${i}`));
    expect(pool.prefix).toHaveLength(24);
    expect(within(pool, 4)).toEqual([`${long}[0-1]*2`, `${long}2`, `${long}3`, `${long}4`]);
    const ranged = pool.with(pool.members.slice(0, 2), bytesOf('p'), { from: 112, to: 112 });
    expect(splitOf(ranged)).toEqual([`${long}0`, `${long}1`]);
  });
});
