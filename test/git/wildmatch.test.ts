import fc from 'fast-check';
import { expect, it } from 'vitest';
import { compileGlob, type Glob, isLiteral, matchesGlob, tailsOf } from '../../src/git/wildmatch.ts';
import { lowerCaseAscii } from '../../src/names/bytes.ts';

/** Ignore files look literal patterns up; the conditions of git's configuration have them compiled. */
it.each<[string, boolean, readonly string[], readonly string[]]>([
  ['', false, [''], ['a']],
  ['abc', false, ['abc'], ['', 'ab', 'abcd', 'xabc', 'ABC', 'abd']],
  ['a/b', false, ['a/b'], ['a', 'b', 'a/b/', 'a/bc']],
  ['AbC', true, ['abc'], ['ab', 'abcd', 'AbC']],
])('a literal pattern matches itself alone: %j (case ignored: %s)', (pattern, ignoreCase, hits, misses) => {
  expect(isLiteral(pattern)).toBe(true);
  const glob = compileGlob(pattern, ignoreCase);
  const all = [...hits, ...misses];
  expect(all.filter((path) => glob !== null && matchesGlob(glob, path, { steps: 0 }))).toEqual(hits);
});

it('folds the letters of ASCII alone', () => {
  const bytes = Array.from({ length: 256 }, (_, byte) => String.fromCharCode(byte)).join('');
  expect(lowerCaseAscii(bytes)).toBe(bytes.replace('ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz'));
  expect(lowerCaseAscii('AbCD-É')).toBe('abcd-É');
});

function globOf(pattern: string, ignoreCase = false): Glob {
  const glob = compileGlob(pattern, ignoreCase);
  if (glob === null) throw new Error(`${pattern} matches nothing`);
  return glob;
}

it.each<[string, readonly string[] | null]>([
  ['*.o', ['.o']],
  ['*.py[co]', ['.pyc', '.pyo']],
  ['*.[oa]', ['.a', '.o']],
  ['foo[ab]', ['a', 'b']],
  ['foo\\*', ['*']],
  ['*a*b[c]', ['bc']],
  ['*x[a-d]', ['xa', 'xb', 'xc', 'xd']],
  // More than four say little.
  ['*x[a-e]', null],
  ['*[!a]', null],
  ['a*', null],
  ['*?', null],
  ['*.?', null],
  ['**', null],
  // git: a range that is the wrong way round is its first byte.
  ['*x[b-a]', ['xb']],
  ['a/*/b[xy]', ['bx', 'by']],
  ['*a/[xy]', ['x', 'y']],
])('the ends of all that %j matches are known where they are few', (pattern, tails) => {
  expect(tailsOf(globOf(pattern))).toEqual(tails);
});

it('a name ends in lower case where case does not count', () => {
  expect(tailsOf(globOf('*.PY[co]', true))).toEqual(['.pyc', '.pyo']);
  expect(globOf('*/Generated/X*', true).within).toBe('generated');
});

it.each<[string, string | null]>([
  ['**/generated/**/*.json', 'generated'],
  ['*/generated/*', 'generated'],
  ['**/a/**/b/*.c', 'b'],
  ['**/a/*/b', 'a'],
  ['a/b/*', 'b'],
  ['?/foo/*x', 'foo'],
  ['**/foo/[ab]', 'foo'],
  ['**/foo/[a/b]', 'foo'],
  ['*/**/b/*', 'b'],
  ['**/*.c', null],
  ['*/b', null],
  ['**', null],
  ['a*', null],
  ['*/a*/b', null],
  // git: these stars are a part of a name, and what is behind them may be, too.
  ['**a/b/*', null],
  ['?**/b/*', null],
  ['***/b/*', null],
  ['*/a/x**/b/*', 'a'],
  // A bracket may hold a slash, and what is escaped may be one.
  ['[a/b]/c/*', null],
  ['*/a/[x/b/y]*', 'a'],
  ['*\\/b/c', null],
  ['*/a/x\\/b/c', 'a'],
])('the directory that everything is in which %j matches is known where it is told', (pattern, within) => {
  expect(globOf(pattern).within).toBe(within);
});

const PARTS = [
  'a',
  'b',
  'ab',
  'c',
  '*',
  '*',
  '?',
  '/',
  '/',
  '/',
  '**',
  '**/',
  '/**/',
  '[ab]',
  '[!a]',
  '[a/]',
  '\\a',
  '\\/',
  '[a-e]',
  '[',
  ']',
];
const parts = (all: readonly string[], maxLength: number) =>
  fc.array(fc.constantFrom(...all), { minLength: 1, maxLength }).map((some) => some.join(''));
const segments = fc.constantFrom('a', 'b', 'ab', 'c', 'abc', 'ba', 'A');
const paths = fc.array(segments, { minLength: 1, maxLength: 5 }).map((names) => names.join('/'));

it('whatever matches is in such a directory, and has one of the ends', () => {
  fc.assert(
    fc.property(
      parts(PARTS, 8),
      fc.array(paths, { minLength: 20, maxLength: 40 }),
      fc.boolean(),
      (pattern, all, ignoreCase) => {
        const glob = compileGlob(pattern, ignoreCase);
        if (glob === null) return;
        const { within } = glob;
        const tails = tailsOf(glob);
        for (const path of all.map((one) => (ignoreCase ? lowerCaseAscii(one) : one))) {
          if (!matchesGlob(glob, path, { steps: 0 })) continue;
          if (within !== null) expect(path.split('/').slice(0, -1)).toContain(within);
          if (tails !== null) expect(tails.some((tail) => path.endsWith(tail))).toBe(true);
        }
      },
    ),
    { numRuns: 2000 },
  );
});
