import { expect, it } from 'vitest';
import { compileGlob, isLiteral, matchesGlob } from '../../src/rules/gitignore-pattern.ts';
import { lowerCaseAscii } from '../../src/workspace/bytes.ts';

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
