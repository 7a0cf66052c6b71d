import { describe, expect, it } from 'vitest';
import { type Bytes, bytesOf } from '../../src/names/bytes.ts';
import { denseFold, isInFold, isPlainBound } from '../../src/overview/dense-name.ts';
import { estimatedTokens, NameGroups, type Segment, type Worths } from '../../src/overview/groups.ts';
import { NO_SERIES, numberedSeries, type Series } from '../../src/overview/series.ts';
import { tokensIn } from '../../src/overview/token-count.ts';
import { done, inSteps } from '../support/folders.ts';

interface Case {
  readonly worth?: (name: string) => number;
  /** Of each name. */
  readonly cost?: number;
  /** Without a name beside them that is always shown. */
  readonly alone?: boolean;
  readonly wanted?: 'any' | 'words' | 'none';
  readonly series?: Series;
}

/** Always shown, so that the others may be one group. */
const SHOWN = '\uffff';

/** The best arrangement of sorted names, and the steps that it took. */
function arranged(sorted: readonly string[], options: Case) {
  const { cost = 3, wanted = 'any', series = NO_SERIES } = options;
  const worth = worthIn(options);
  const worths: Worths = {
    most: Math.max(...sorted.map(worth)),
    worth: (from, to) => sorted.slice(from, to).reduce((sum, name) => sum + worth(name), 0),
    cost: () => cost,
    loss: () => 1_000,
    value: (i) => worth(sorted[i] as string) - cost,
  };
  return inSteps(new NameGroups(sorted.map(bytesOf), wanted, series).best(worths));
}

function worthIn({ worth = () => 0, alone = false }: Case): (name: string) => number {
  return alone ? worth : (name) => (name === SHOWN ? 1_000 : worth(name));
}

/** What a fold is taken to cost: its prefix and its marks, which are dear where a bound is written as a number. */
function costOfFold({ prefix, range }: NonNullable<Segment['fold']>): number {
  const ofPrefix = prefix === '' ? 0 : estimatedTokens(` ${prefix}`);
  if (range === null) return ofPrefix + 3;
  return ofPrefix + (isPlainBound(range.from) && isPlainBound(range.to) ? 6 : 16);
}

/** The names as they would be written. Whatever they are, the arrangement is the sum of its parts. */
function written(names: readonly string[], options: Case): string {
  const { alone = false, cost = 3 } = options;
  const sorted = [...names, ...(alone ? [] : [SHOWN])].sort();
  const worth = worthIn(options);
  const { value: best } = arranged(sorted, options);
  const sum = { value: 0, cost: 0 };
  const words: string[] = [];
  let [end, isFold] = [0, true];
  for (const { from, to, fold } of best.segments) {
    const inside = sorted.slice(from, to);
    const mass = inside.reduce((all, name) => all + worth(name), 0);
    const own = fold === null ? cost * inside.length : costOfFold(fold);
    sum.cost += own;
    sum.value += (fold === null ? 1 : fold.range === null ? 0.12 : 0.06) * mass - own;
    // Nothing is left out or told twice, and names that follow each other are one segment.
    expect(from).toBe(end);
    expect(isFold || fold !== null).toBe(true);
    // A fold has no other names, or opening it would show more than it says.
    const inFold = (name: string) => fold !== null && isInFold({ ...fold, ofFolders: false }, bytesOf(name));
    if (fold !== null) expect(sorted.filter(inFold)).toEqual(inside);
    [end, isFold] = [to, fold !== null];
    words.push(...(fold === null ? inside : [`${denseFold({ ...fold, ofFolders: false })}+${inside.length}`]));
  }
  expect(end).toBe(sorted.length);
  expect(best.cost).toBe(sum.cost);
  expect(best.value).toBeCloseTo(sum.value, 9);
  return (alone ? words : words.slice(0, -1)).join(' ');
}

/** Worth only for one name. */
const only =
  (name: string, worth = 30) =>
  (one: string) =>
    one === name ? worth : 0;

const LETTERS = [...'abcdefghijklmnopqrst'].map((letter) => `${letter}x`);
const WORDS = ['auth', 'order', 'user'].flatMap((word) => LETTERS.map((rest) => `${word}-${rest}.ts`));

describe('folds that begin with a word', () => {
  const eight = (start: string) => Array.from({ length: 8 }, (_, i) => `${start}${i}`);
  const animals = ['ant', 'bee', 'cat', 'dog', 'eel', 'fox', 'gnu', 'hen'];

  it.each([
    ['route', 'route*+8'],
    ['a-', 'a-*+8'],
    ['x.', 'x.*+8'],
    ['\u65e5', '\u65e5*+8'],
    ['a-b', null],
    ['ab', null],
    ['a_-', null],
    ['--', null],
    ['\u00e9', null],
  ])('tell what is behind them: %s', (start, fold) => {
    const names = eight(start);
    expect(written(names, { wanted: 'any' })).toContain('+8');
    expect(written(names, { wanted: 'words' })).toBe(fold === null ? names.join(' ') : fold);
    expect(written(names, { wanted: 'none' })).toBe(names.join(' '));
  });

  it('are no ranges of letters', () => {
    const routes = [...'abcdefghijklmnop'].map((letter) => `route${letter}`);
    const worth = (name: string) => (name === 'routeh' ? 1_000 : 0);
    expect(written(animals, { wanted: 'any' })).toContain('+8');
    expect(written(routes, { wanted: 'any', worth })).toContain('+8');
    for (const wanted of ['words', 'none'] as const) {
      expect(written(animals, { wanted })).toBe(animals.join(' '));
      expect(written(routes, { wanted, worth })).toBe(routes.join(' '));
    }
  });
});

describe('names', () => {
  it('are folded where none is worth its tokens', () => {
    expect(written(LETTERS, {})).toBe('[a-t]*+20');
    expect(written(WORDS.slice(0, 20), {})).toBe('auth-*+20');
  });

  it.each([
    [['perl.1', 'perl5', 'perl6', 'perl7', 'python'], 'perl.1'],
    [['perl.1', 'perl.2', 'perl.3', 'perl5', 'perl6', 'perl7', 'python'], 'perl.2'],
    [['a--x', 'a-b', 'a-c', 'a-d', 'b'], 'a--x'],
  ])('are in no fold of those that follow: %j', (names, shown) => {
    const words = written(names, { worth: only(shown, 60), cost: 10, alone: true }).split(' ');
    expect(words).toContain(shown);
    expect(words.length).toBeLessThan(names.length);
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
    expect(written(['a', 'aa', 'ab', 'ac', 'ad'], { alone: true })).toBe('a a[a-d]*+4');
  });
});

it('a fold that is opened is divided, whatever its names are worth', () => {
  const numbers = Array.from({ length: 1000 }, (_, i) => `file_${String(i).padStart(3, '0')}.txt`);
  expect(written(numbers, { alone: true }).split(' ').length).toBeGreaterThan(1);
  expect(written(LETTERS, { alone: true })).toMatch(/^\S+ \S+$/);
});

it('a series is shown all or not at all', () => {
  const numbers = Array.from({ length: 30 }, (_, i) => `p${String(i).padStart(2, '0')}`);
  const worth = (name: string) => (name < 'p10' ? 9 : 0);
  const series: Series = { isIn: () => true, isOne: () => true, cuts: () => false };
  expect(written(numbers, { worth })).toBe(`${numbers.slice(0, 10).join(' ')} p[1-2]*+20`);
  expect(written(numbers, { worth: (name) => worth(name) / 5, series })).toBe('p*+30');
  expect(written(numbers, { worth: () => 4, series })).toBe(numbers.join(' '));
});

describe('names that begin with the same letter', () => {
  const some = (word: string, count = 6) => LETTERS.slice(0, count).map((rest) => `${word}-${rest}`);

  it('are grouped by their words', () => {
    const names = [...some('api'), 'art', ...some('auth')];
    const worthOf = (word: string) => (name: string) => (name.startsWith(word) ? 5 : 0.1);
    expect(written(names, { worth: worthOf('auth') })).toBe(`api-*+6 art ${some('auth').join(' ')}`);
    expect(written(names, { worth: worthOf('api') })).toBe(`${some('api').join(' ')} art auth-*+6`);
    expect(written(names, { worth: only('art') })).toBe('api-*+6 art auth-*+6');
    expect(written(['b', ...names], { worth: only('art') })).toBe('api-*+6 art auth-*+6 b');
    expect(written([...names, 'zax', 'zbx', 'zcx'], { worth: only('art') })).toBe('api-*+6 art auth-*+6 z*+3');
  });

  it('are grouped if they are three', () => {
    const worth = only('api-ax');
    expect(written([...some('api', 3), ...some('auth', 3)], { worth, cost: 5 })).toBe('api-ax api-bx api-cx auth-*+3');
    expect(written([...some('api', 3), ...some('auth', 2)], { worth, cost: 5 })).toBe(
      'api-ax api-bx api-cx auth-ax auth-bx',
    );
  });

  it('are folded where the one that matters is not worth its neighbours', () => {
    const names = [...some('api'), 'art', ...some('auth'), 'b', 'c'];
    expect(written(names, { worth: only('auth-cx', 9) })).toBe('[a-c]*+15');
    expect(written(names, { worth: only('auth-cx', 60) })).toMatch(/^api-\*\+6 art .*auth-cx.* b c$/);
  });

  it.each([
    [7, 'zax zbx zcx zdx zex zfx zgx'],
    [8, 'z[a-d]*+4 zex z[f-h]*+3'],
    [9, 'z[a-d]*+4 zex z[f-i]*+4'],
  ])('and are %i without a word in common', (count, text) => {
    const names = LETTERS.slice(0, count).map((name) => `z${name}`);
    expect(written(names, { worth: only('zex') })).toBe(text);
    expect(written(['b', 'c', ...names], { worth: only('zex') })).toBe(`b c ${text}`);
  });

  it('are divided by letters only where no words group them', () => {
    const names = [...some('za', 3), ...LETTERS.slice(0, 9).map((name) => `zz${name}`)];
    expect(written(names, { worth: only('zzex', 90) })).toBe(
      `za-*+3 ${LETTERS.slice(0, 9)
        .map((name) => `zz${name}`)
        .join(' ')}`,
    );
  });
});

describe('groups inside each other', () => {
  const deep = Array.from({ length: 20 }, (_, i) => `${'x-'.repeat(i + 1)}b`);
  const letters = Array.from({ length: 18 }, (_, i) => [...'abcdefgh'].map((letter) => `${'z'.repeat(i)}${letter}`));

  it.each([3, 10, 12])('are found at the level %i', (level) => {
    const text = `${deep.slice(0, level).join(' ')} ${'x-'.repeat(level + 1)}*+${20 - level}`;
    expect(written(deep, { worth: only(`${'x-'.repeat(level)}b`, 300), cost: 9 })).toBe(text);
  });

  it('are not looked for without an end', () => {
    expect(written(deep, { worth: only(`${'x-'.repeat(14)}b`, 300), cost: 9 })).toBe(deep.join(' '));
  });

  it.each([
    [12, true],
    [13, false],
  ])('are divided by letters at the level %i: %s', (level, isDivided) => {
    const text = written(letters.flat(), { worth: only(`${'z'.repeat(level)}d`, 300) });
    expect(text.startsWith('[a-h]*+8 z[a-h]*+8 zz[a-h]*+8 ')).toBe(true);
    expect(text.includes(`${'z'.repeat(level)}[e-z]*+`)).toBe(isDivided);
    expect(text.includes(` ${'z'.repeat(level)}h`)).toBe(!isDivided);
  });
});

describe('few names', () => {
  const [a, b] = ['a', 'b'].map((letter) => (length: number) => letter.repeat(length)) as [
    (length: number) => string,
    (length: number) => string,
  ];

  it('are folded if they are long', () => {
    expect(written([`${a(17)}1`, `${a(17)}2`], { cost: 20 })).toBe(`${a(17)}1 ${a(17)}2`);
    expect(written([`${a(17)}1`, `${a(17)}22`], { cost: 20 })).toBe(`${a(17)}*+2`);
  });

  it('are folded beside others if they are long', () => {
    expect(written([`${b(17)}1`, `${b(17)}2`, 'c'], { cost: 20, alone: true })).toBe(`${b(17)}1 ${b(17)}2 c`);
    expect(written([`${b(17)}1`, `${b(17)}22`, 'c'], { cost: 20, alone: true })).toBe(`${b(17)}*+2 c`);
    expect(written([b(36), 'c'], { cost: 20, alone: true })).toBe(`${b(36)} c`);
    expect(written([b(37), 'c'], { cost: 20, alone: true })).toBe(`${b(37)}*+1 c`);
  });

  it('are not folded with one that is their beginning', () => {
    const name = 'a'.repeat(40);
    expect(written([name, ...['-ax', '-bx', '-cx'].map((end) => name + end)], { cost: 40, alone: true })).toBe(
      `${name} ${name}-*+3`,
    );
    const worth = only('ab.x', 300);
    expect(written(['ab', 'ab-a', 'ab-b', 'ab-c', 'ab.x'], { cost: 40, worth })).toBe('ab ab-*+3 ab.x');
  });
});

it('bounds of a range are letters, where others would be dearer', () => {
  expect(written(['(a', 'b1', 'c1', 'd', 'e'], { cost: 6, alone: true })).toBe('(a [b-e]*+4');
  expect(written(['b', 'c', 'd', 'e', '~'], { worth: () => 1.5, cost: 6, alone: true })).toBe('[b-e]*+4 ~');
  expect(written(['(a', '(b', '(c', 'b', 'c', '~'], { cost: 90, alone: true })).toBe('(*+3 "[b-\\x7e]"*+3');
});

it('what is opened is divided beside the name that matters, too', () => {
  expect(written(LETTERS, { worth: only('jx'), alone: true })).toBe('[a-i]*+9 jx [k-t]*+10');
});

it('no part of a series is shown, but all of it where that pays, wherever it begins', () => {
  const pages = Array.from({ length: 30 }, (_, i) => `p${String(i).padStart(2, '0')}`);
  const others = Array.from({ length: 60 }, (_, i) => `a${String.fromCharCode(97 + (i % 26), 97 + i / 26)}`).sort();
  const seriesOf = (names: readonly string[]) => done(numberedSeries(names.map(bytesOf), () => false));
  const names = [...pages, 'px'];
  const worth = (name: string) => (name < 'p1' ? 9 : name === 'px' ? 50 : 0);
  expect(written(names, { worth })).toBe(`${pages.slice(0, 10).join(' ')} p[1-2]*+20 px`);
  expect(written(names, { worth, series: seriesOf(names) })).toBe('p0*+10 p[1-2]*+20 px');
  const all = [...others, ...pages];
  const inPages = (name: string) => (name.startsWith('p') ? 4 : 0);
  expect(written(all, { worth: inPages, series: seriesOf(all) })).toBe(`a*+60 ${pages.join(' ')}`);
});

describe('steps', () => {
  const stepsOf = (names: readonly string[], options: Case) => arranged([...names.toSorted(), SHOWN], options).steps;
  const words = (count: number) =>
    Array.from({ length: count }, (_, i) => `n${String.fromCharCode(97 + (i % 26), 97 + ((i / 26) % 26))}x`);

  it.each([
    [63, 0],
    [64, 1],
    [127, 1],
    [128, 2],
  ])('with %i names of one class are %i', (count, steps) => {
    // Three that are a group, or all would be divided by letters.
    const names = ['n-a', 'n-b', 'n-c', ...words(count - 1)];
    expect(stepsOf(names, { worth: () => 9 })).toBe(steps);
  });

  it('are more while groups are looked for', () => {
    const names = ['n-a', 'n-b', 'n-c', ...words(255)];
    expect(stepsOf(names, { worth: () => 9 })).toBe(256 / 64 + 1);
  });

  it.each([
    [63, 0],
    [64, 1],
    [512, 8],
  ])('with a series of %i names are %i', (count, steps) => {
    const series: Series = { isIn: () => true, isOne: () => true, cuts: () => false };
    const names = Array.from({ length: count }, (_, i) => `p${String(i).padStart(4, '0')}`);
    expect(stepsOf(names, { worth: () => 9, series })).toBe(steps);
  });

  it.each([
    [62, 0],
    [63, 1],
    [80, 1],
    [100, 2],
  ])('with %i first letters are %i', (count, steps) => {
    const names = Array.from({ length: count }, (_, i) => `${String.fromCharCode(0x80 + i)}x`);
    const worths: Worths = {
      most: 9,
      worth: (from, to) => 9 * (to - from),
      cost: () => 3,
      value: () => 6,
      loss: () => 0,
    };
    const groups = new NameGroups(names as Bytes[], 'any', NO_SERIES);
    expect(inSteps(groups.best(worths)).steps).toBe(steps);
  });
});

describe('the tokens of a text', () => {
  it('are counted where it is short', () => {
    for (const text of [' a b c', ' test_frame', 'ab '.repeat(21), 'x'.repeat(64)]) {
      expect(estimatedTokens(text)).toBe(tokensIn(text));
    }
  });

  it('are a third of its letters where it is long', () => {
    expect(estimatedTokens('a'.repeat(65))).toBe(22);
    expect(estimatedTokens('a'.repeat(300))).toBe(100);
  });
});
