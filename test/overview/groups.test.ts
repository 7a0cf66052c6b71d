import { describe, expect, it } from 'vitest';
import { denseFold } from '../../src/overview/dense-name.ts';
import { NameGroups, type Worths } from '../../src/overview/groups.ts';
import { NO_SERIES, type Series } from '../../src/overview/series.ts';
import { bytesOf } from '../../src/workspace/bytes.ts';
import { done } from '../support/folders.ts';

interface Case {
  readonly worth?: (name: string) => number;
  readonly mustDivide?: boolean;
  readonly series?: Series;
}

/** The names as they would be written, each at a cost of 3. */
function written(names: readonly string[], { worth = () => 0, mustDivide = false, series = NO_SERIES }: Case): string {
  const sorted = names.toSorted();
  const worths: Worths = {
    most: Math.max(...sorted.map(worth)),
    worth: (from, to) => sorted.slice(from, to).reduce((sum, name) => sum + worth(name), 0),
    cost: () => 3,
    value: (i) => worth(sorted[i] as string) - 3,
  };
  const { segments } = done(new NameGroups(sorted.map(bytesOf), { mustDivide, series }).best(worths));
  return segments
    .map(({ from, to, fold }) =>
      fold === null ? sorted.slice(from, to).join(' ') : `${denseFold({ ...fold, ofFolders: false })}+${to - from}`,
    )
    .join(' ');
}

const LETTERS = [...'abcdefghijklmnopqrst'].map((letter) => `${letter}x`);
const WORDS = ['auth', 'order', 'user'].flatMap((word) => LETTERS.map((rest) => `${word}-${rest}.ts`));

describe('names', () => {
  it('are folded where none is worth its tokens', () => {
    expect(written(LETTERS, {})).toBe('*+20');
    expect(written(WORDS.slice(0, 20), {})).toBe('auth-*+20');
  });

  it('are shown where all are', () => {
    expect(written(LETTERS, { worth: () => 4 })).toBe(LETTERS.join(' '));
    expect(written([], {})).toBe('');
  });

  it('that matter stand between folds of their neighbours', () => {
    expect(written(LETTERS, { worth: (name) => (name === 'jx' ? 30 : 0) })).toBe('[a-i]*+9 jx [k-t]*+10');
  });

  it('are opened by words, not by letters', () => {
    const worth = (name: string) => (name.startsWith('order') ? 4 : 0.5);
    expect(written(WORDS, { worth })).toBe(`auth-*+20 ${WORDS.slice(20, 40).join(' ')} user-*+20`);
  });

  it('that are few are not folded', () => {
    expect(written(['ax', 'bx'], {})).toBe('ax bx');
  });

  it('that have ended are not part of a range', () => {
    expect(written(['a', 'aa', 'ab', 'ac', 'ad'], { mustDivide: true })).toBe('a a[a-d]*+4');
  });
});

it('a fold that is opened is divided, whatever its names are worth', () => {
  const numbers = Array.from({ length: 1000 }, (_, i) => `file_${String(i).padStart(3, '0')}.txt`);
  expect(written(numbers, { mustDivide: true }).split(' ').length).toBeGreaterThan(1);
  expect(written(LETTERS, { mustDivide: true })).toMatch(/^\S+ \S+$/);
});

it('a series is shown all or not at all', () => {
  const numbers = Array.from({ length: 30 }, (_, i) => `p${String(i).padStart(2, '0')}`);
  const worth = (name: string) => (name < 'p10' ? 9 : 0);
  const series: Series = { isIn: () => true, isOne: () => true, cuts: () => false };
  expect(written(numbers, { worth })).toBe(`${numbers.slice(0, 10).join(' ')} p[1-2]*+20`);
  expect(written(numbers, { worth: (name) => worth(name) / 5, series })).toBe('p*+30');
  expect(written(numbers, { worth: () => 4, series })).toBe(numbers.join(' '));
});
