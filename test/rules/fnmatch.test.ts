import { describe, expect, it } from 'vitest';
import { type Bytes, bytesOf } from '../../src/names/bytes.ts';
import { compileFnmatch } from '../../src/rules/fnmatch.ts';
import { ignorePatterns } from '../../src/rules/ignore-argument.ts';
import { tokenMatcher } from '../../src/rules/matcher.ts';
import { verdictOn } from '../../src/rules/rule.ts';
import { Budget } from '../../src/workspace/budget.ts';
import { corpus, hostilePatterns } from '../support/corpus.ts';
import { placeAt } from '../support/place.ts';

/** What `LS` in `target` would do with the entry `path`. */
async function hides(pattern: string, path: string, target: string): Promise<boolean> {
  const directory = target === '.' ? '' : target;
  const name = directory === '' ? path : path.slice(directory.length + 1);
  const { judge } = await ignorePatterns([pattern])(placeAt(directory), Budget.unlimited());
  return verdictOn(bytesOf(name), 'file', judge) !== null;
}

function matches(pattern: string, text: string): boolean {
  return tokenMatcher(compileFnmatch(pattern))(bytesOf(text), { steps: 0 });
}

describe("fnmatch answers as Python's", () => {
  const rows = corpus<{ pattern: string; path: string; target: string; match: boolean }>('fnmatch');

  it('has 150 cases', () => {
    expect(rows).toHaveLength(150);
  });

  it.each(rows)('$pattern on $path in $target: $match', async ({ pattern, path, target, match }) => {
    expect(await hides(pattern, path, target)).toBe(match);
  });

  // Asked of Python 3.11: fnmatch.fnmatchcase(text, pattern).
  it.each([
    ['', '', true],
    ['', 'a', false],
    ['*', '', true],
    ['?', '😀', true],
    ['??', '😀', false],
    ['a*b*c', 'a1b2b3c', true],
    ['a*b*c', 'a1b2b3', false],
    ['*.*', 'a.b', true],
    ['*.*', 'ab', false],
    ['[!a]', '\n', true],
    ['[!a]', '-', true],
    ['[!a]', '!', true],
    ['[a-c-]', '-', true],
    ['[a-c-]', 'd', false],
    ['[a-b--]', '-', true],
    ['\x01', 'a', false],
    ['\x01\x02', '\x01\x02', true],
    ['\x02', 'ab', false],
    ['[]-a]', '_', true],
    ['[]-a]', 'b', false],
    ['[a-]', '-', true],
    ['[-a]', '-', true],
    ['[!-a]', '-', false],
    ['[!-a]', 'b', true],
    ['[!--a]', '.', false],
    ['[a-c-e]', '-', true],
    ['[a-c-e]', 'd', false],
    ['[a-c--e]', '0', true],
    ['[a-c--e]', 'f', false],
    ['[a-zb-c]', 'x', true],
    ['[b-ca-z]', 'x', true],
    ['[a-cb-e]', 'e', true],
    ['[a-cd-fm]', 'm', true],
    ['[a-cd-fm]', 'g', false],
    ['[!a-zb-c]', 'x', false],
    ['[a-cg-ik-m]', 'j', false],
    ['[a-b-d-f]', 'e', true],
    ['[a-b-d-f]', 'c', false],
    ['[z-a]', 'z', false],
    ['[!z-a]', 'z', true],
    ['[xz-ay]', 'x', true],
    ['[xz-ay]', 'z', false],
    ['[b-a!x]', 'x', false],
    ['[b-a!x]', 'q', true],
    ['[b-a!-z]', '-', false],
    ['[b-a!-z]', 'z', false],
    ['[b-a!-z]', 'c', true],
    ['[!]', '[!]', true],
    ['[!]a', '[!]a', true],
    ['[[]', '[', true],
    ['[\\]', '\\', true],
    ['[a-\\]', 'b', false],
    ['[日-本]', '月', true],
    ['[a-z]*[0-9]', 'abc7', true],
  ])('%j on %j: %s', (pattern, text, expected) => {
    expect(matches(pattern, text)).toBe(expected);
  });
});

describe('the ignore argument', () => {
  it.each([
    ['a pattern without a slash sees the name alone', 'src*', 'src/a', 'src', false],
    ['a pattern with one sees the path from the root', 'src/*', 'src/a', 'src', true],
    ['and the name', 'a\\b', 'src/a\\b', 'src', true],
    ['a leading **/ may stand for nothing', '**/foo', 'foo', '.', true],
    ['and for something', '**/foo', 'x/foo', 'x', true],
    ['what is behind it is tried on the path, too', '**/x/foo', 'x/foo', 'x', true],
    ['only one is taken off', '**/**/foo', 'foo', '.', false],
    ['a directory is not what is below it', 'out/**', 'out', '.', false],
    ['what is below it is', 'out/**', 'out/a', 'out', true],
  ])('%s', async (_, pattern, path, target, expected) => {
    expect(await hides(pattern, path, target)).toBe(expected);
  });

  it('says which pattern decided', async () => {
    const { judge } = await ignorePatterns(['*.md', 'a?c'])(placeAt(''), Budget.unlimited());
    expect(verdictOn(bytesOf('abc'), 'file', judge)).toEqual({
      by: 'argument',
      hidden: true,
      source: null,
      line: null,
      pattern: 'a?c',
    });
  });

  it('counts a byte that is no UTF-8 as one character', async () => {
    const { judge } = await ignorePatterns(['a?', 'b\udcff'])(placeAt(''), Budget.unlimited());
    expect(verdictOn('a\xff' as Bytes, 'file', judge)).not.toBeNull();
    expect(verdictOn('a\xff\xff' as Bytes, 'file', judge)).toBeNull();
    expect(verdictOn('b\xff' as Bytes, 'file', judge)).not.toBeNull();
  });
});

describe('a pattern is compiled to no more than it needs', () => {
  it('several stars are one', () => {
    expect(compileFnmatch('a***b**')).toEqual(compileFnmatch('a*b*'));
  });

  it.each([
    ['what is too short costs nothing', '*a?b', 'ab', 0],
    ['what is refused costs what was tried', 'ab?', 'acb', 2],
    ['a star at the end takes the rest', 'a*', 'abbbbbbbb', 2],
    ['a star before it does not', 'a*c', 'abbbbbbbb', 19],
  ])('%s', (_, pattern, text, expected) => {
    const effort = { steps: 7 };
    tokenMatcher(compileFnmatch(pattern))(bytesOf(text), effort);
    expect(effort.steps).toBe(7 + expected);
  });
});

describe('a hostile pattern costs steps in proportion to pattern × name', () => {
  it.each(hostilePatterns())('$id', async ({ pattern, text }) => {
    for (const subject of [text, text.split('/').at(-1) as string, 'é'.repeat(120)]) {
      const call = Budget.unlimited();
      verdictOn(bytesOf(subject), 'file', (await ignorePatterns([pattern])(placeAt(''), call)).judge);
      // The pattern is tried on the name and on the path, and once more without a leading `**/`.
      expect(call.steps).toBeLessThanOrEqual(4 * (pattern.length + 1) * (subject.length + 1));
    }
  });

  it('and the steps are real: the product is reached', async () => {
    const call = Budget.unlimited();
    verdictOn(
      bytesOf('a'.repeat(200)),
      'file',
      (await ignorePatterns([`a${'*a'.repeat(20)}b`])(placeAt(''), call)).judge,
    );
    expect(call.steps).toBeGreaterThan(200);
  });
});
