import { describe, expect, it } from 'vitest';
import { type Bytes, bytesOf } from '../../src/names/bytes.ts';
import { compileFnmatch } from '../../src/rules/fnmatch.ts';
import { plainMatcher, tokenMatcher } from '../../src/rules/matcher.ts';

describe('a pattern that needs only a comparison', () => {
  it.each<[string, readonly string[], readonly string[]]>([
    ['', [''], ['a']],
    ['a', ['a'], ['', 'aa', 'ab', 'ba', 'A']],
    ['*', ['', 'a', '*'], []],
    ['*.c', ['.c', 'a.c', '*.c'], ['', 'c', 'a.cc', 'a.c*']],
    ['a*', ['a', 'ab', 'a*'], ['', 'ba', 'A']],
    ['é*', ['é', 'éa'], ['e', 'aé']],
    ['*é', ['é', 'aé'], ['éa']],
  ])('%j', (pattern, hits, misses) => {
    const matches = plainMatcher(pattern, /[*?]/);
    const effort = { steps: 0 };
    const all = [...hits, ...misses];
    expect(all.filter((name) => matches?.(bytesOf(name), effort))).toEqual(hits);
    expect(effort.steps).toBe(all.length);
  });

  it.each(['**', '*a*', '**a', 'a**', 'a*b', '*a?', '?', 'a?*', '*\udcff', '\ud83d*', '\udcff'])(
    'is not %j',
    (pattern) => {
      expect(plainMatcher(pattern, /[*?]/)).toBeNull();
    },
  );

  it('which characters are special is told', () => {
    expect(plainMatcher('[a]', /[*?]/)?.(bytesOf('[a]'), { steps: 0 })).toBe(true);
    expect(plainMatcher('[a]', /[*?[]/)).toBeNull();
  });
});

describe('a pattern that is tried character by character', () => {
  it('remembers nothing from subject to subject, be they ASCII or not', () => {
    const matches = tokenMatcher(compileFnmatch('a?c'));
    const subjects = ['abc', 'abcd', 'ac', 'abc', 'aéc', 'abcdefgh', 'a', '', 'a😀c', 'a😀', 'éc', 'abc'].map(bytesOf);
    expect(subjects.filter((subject) => matches(subject, { steps: 0 }))).toEqual(
      ['abc', 'abc', 'aéc', 'a😀c', 'abc'].map(bytesOf),
    );
  });

  it('counts a byte that is not valid UTF-8 as one character', () => {
    const matches = tokenMatcher(compileFnmatch('a?'));
    expect(matches('a\xff' as Bytes, { steps: 0 })).toBe(true);
    expect(matches('a\xff\xff' as Bytes, { steps: 0 })).toBe(false);
  });

  it('what is too short costs no steps', () => {
    const matches = tokenMatcher(compileFnmatch('*a?b'));
    const effort = { steps: 0 };
    expect(['', 'ab', 'éé'].some((subject) => matches(bytesOf(subject), effort))).toBe(false);
    expect(effort.steps).toBe(0);
    expect(matches(bytesOf('acb'), effort)).toBe(true);
    expect(effort.steps).toBeGreaterThan(0);
  });
});
