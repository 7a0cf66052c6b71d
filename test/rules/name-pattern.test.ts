import fc from 'fast-check';
import { minimatch } from 'minimatch';
import { describe, expect, it } from 'vitest';
import { type Bytes, bytesOf } from '../../src/names/bytes.ts';
import { compileNamePattern } from '../../src/rules/name-pattern.ts';
import { ListingError } from '../../src/workspace/listing-error.ts';
import { corpus, hostilePatterns } from '../support/corpus.ts';
import { minimatchWork } from '../support/minimatch-work.ts';

async function matches(pattern: string, name: Bytes, path: Bytes = name): Promise<boolean> {
  return (await compileNamePattern(pattern)).matches(name, path, { steps: 0 });
}

/** The steps that a match costs; null for a pattern that is refused. */
async function steps(pattern: string, text: string): Promise<number | null> {
  const compiled = await compileNamePattern(pattern).catch((error) => {
    if (error instanceof ListingError) return null;
    throw error;
  });
  const effort = { steps: 0 };
  compiled?.matches(bytesOf(text), bytesOf(text), effort);
  return compiled && effort.steps;
}

describe('a pattern matches as minimatch', () => {
  const rows = corpus<{ pattern: string; path: string; match: boolean }>('minimatch');

  it('has 150 cases', () => {
    expect(rows).toHaveLength(150);
  });

  it.each(rows)('$pattern on $path: $match', async ({ pattern, path, match }) => {
    expect(await matches(pattern, bytesOf(path))).toBe(match);
  });

  it.each<[string, string, string, string, boolean]>([
    ['without a slash it is tried on the name', '*.ts', 'a.ts', 'src/a.ts', true],
    ['and not on the path', 'src*', 'a', 'src/a', false],
    ['with one it is tried on the path', 'src/*.ts', 'a.ts', 'src/a.ts', true],
    ['and not on the name', '**/a', 'a', 'src/b', false],
    ['a slash in braces counts', '{a,src/b}', 'b', 'src/b', true],
    ['the path may be any number of levels deep', 'src/**', 'c', 'src/a/b/c', true],
    ['a hidden directory is not entered by **', '**/*.ts', 'a.ts', '.git/a.ts', false],
    ['! takes what does not match', '!*.ts', 'a.js', 'src/a.js', true],
    ['!( at the start is that same !', '!(a)', 'a', 'a', true],
    ['letters have their case', 'A', 'a', 'a', false],
    ['a backslash in a name is no slash', 'a/b', 'a\\b', 'a\\b', false],
    ['a range with many numbers', 'img-{001..400}.png', 'img-042.png', 'img-042.png', true],
    ['and a number outside', 'img-{001..400}.png', 'img-401.png', 'img-401.png', false],
    ['every day of a year', '2024-{01..12}-{01..31}.log', '2024-07-09.log', '2024-07-09.log', true],
    ['years with brackets', '{1990..2020}-[01][0-9]-[0-3][0-9].*', '1999-12-31.txt', '1999-12-31.txt', true],
    ['two negations', '@(!(*.test)).!(ts|js)', 'a.css', 'a.css', true],
    ['one inside of another', '@(!(!(a)))', 'a', 'a', true],
    ['the same negation in each expansion', '{1..12}/@(!(a|b))', 'c', '4/c', true],
  ])('%s: %s on %s in %s', async (_, pattern, name, path, expected) => {
    expect(await matches(pattern, bytesOf(name), bytesOf(path))).toBe(expected);
  });

  it.each<[string, Bytes, boolean]>([
    ['a?', 'a\xff' as Bytes, true],
    ['a?', 'a\xff\xff' as Bytes, false],
    ['a??', 'a\xff\xff' as Bytes, true],
    ['?', '\xf0\x9f\x98\x80' as Bytes, true],
    ['??', '\xf0\x9f\x98\x80\xff' as Bytes, true],
    ['[!b]é', '\xff\xc3\xa9' as Bytes, true],
    ['*é', '\xe2\x82\xc3\xa9' as Bytes, true],
    ['a/?', 'a/\xff' as Bytes, true],
    ['\ufffd', '\xff' as Bytes, false],
  ])('a byte that is not valid UTF-8 is one character: %j on %j', async (pattern, name, expected) => {
    expect(await matches(pattern, name)).toBe(expected);
  });
});

it.each<[string, string, boolean, boolean]>([
  ['*', '.a', false, true],
  ['*', 'a', true, true],
  ['**/*', 'b/.a', false, true],
  ['.*', '.a', true, true],
])('a leading dot is matched by a wildcard where that is wished: %s on %s', async (pattern, path, ...expected) => {
  for (const [i, dot] of [false, true].entries()) {
    const compiled = await compileNamePattern(pattern, { dot });
    expect(compiled.matches(bytesOf(path), bytesOf(path), { steps: 0 })).toBe(expected[i]);
    expect(expected[i]).toBe(minimatch(path, pattern, { dot }));
  }
});

describe('against minimatch itself', () => {
  const text = (units: readonly string[], maxLength: number) =>
    fc.string({ unit: fc.constantFrom(...units), maxLength, size: 'max' });
  const syntax = ['**', '**/', '{a,b}', '[ab]', '+(a|b)', '!(a)', '{1..3}', '*(a)', '[[:alpha:]]', '..', '😀'];
  const pattern = text([...'ab.*?[]!-{},/\\(|)+@#^:é$', ...syntax], 12);
  const names = fc.array(text([...'abab./é-!{1\\[(,', '😀'], 8), { minLength: 10, maxLength: 10 });

  it('agrees on all that is not refused, refuses little, and hits often enough to count', async () => {
    const counts = { tried: 0, refused: 0, hits: 0 };
    const property = fc.asyncProperty(pattern, names, async (pattern, paths) => {
      const compiled = await compileNamePattern(pattern).catch(() => null);
      counts.tried++;
      if (compiled === null) {
        counts.refused++;
        return;
      }
      for (const path of [pattern, ...paths]) {
        const name = path.slice(path.lastIndexOf('/') + 1);
        // A backslash escapes, on Windows too, where minimatch would take it for a slash.
        const expected = minimatch(pattern.includes('/') ? path : name, pattern, { platform: 'linux' });
        const found = compiled.matches(bytesOf(name), bytesOf(path), { steps: 0 });
        expect({ pattern, path, found }).toEqual({ pattern, path, found: expected });
        counts.hits += Number(found);
      }
    });
    await fc.assert(property, { numRuns: 5_000 });
    expect(counts.hits).toBeGreaterThan(2_500);
    expect(counts.refused / counts.tried).toBeLessThan(0.02);
  });
});

describe('what would take too long is refused, and the message says what to do', () => {
  const LENGTH = /^pattern must be at most 1000 characters long\. Send a shorter one\.$/;
  const BRACES = /^pattern must have at most 20 pairs of braces\. Use \* in place/;
  const EXPANSIONS = /^The braces of pattern must stand for at most 1000 patterns, of 10000 .* Use \* in place/;
  const WILDCARDS = /^The braces of pattern stand for too many wildcards: .* Use \* in place/;
  const BRACKETS = /^pattern must have at most 50 brackets that are not closed .* Use \? or \* in place/;
  const NEGATIONS = /^pattern must have at most 8 !\(…\), in parts of 160 characters together.* Join some of them/;
  const NESTED = /^A part of pattern that has a !\(…\) inside of another must be at most 32 .* Send a shorter one\.$/;

  it.each<[string, string, RegExp]>([
    ['65,000 characters', 'a'.repeat(65_000), LENGTH],
    ['more than minimatch takes', '*a'.repeat(50_000), LENGTH],
    ['{a,b} × 20', '{a,b}'.repeat(20), EXPANSIONS],
    ['{a,b} × 20 behind a !', `!${'{a,b}'.repeat(20)}`, EXPANSIONS],
    ['{a,a} × 20, all of them alike', '{a,a}'.repeat(20), EXPANSIONS],
    ['{,} × 20, most of them empty', `{,a}${'{,}'.repeat(19)}`, EXPANSIONS],
    ['a product behind {}, which is literal there and nowhere else', '{}{1..99}{1..99}', EXPANSIONS],
    ['and behind a !', '!{}{1..99}{1..99}', EXPANSIONS],
    ['{1..1000000}', '{1..1000000}', EXPANSIONS],
    ['{1..1001}', '{1..1001}', EXPANSIONS],
    ['a product of ranges', '{1..40}{1..40}', EXPANSIONS],
    ['ranges as alternatives', '{{1..600},{1..600}}', EXPANSIONS],
    ['few expansions, but long ones', `${'a'.repeat(400)}{1..30}`, EXPANSIONS],
    ['10,100 characters together', `${'a'.repeat(97)}{100..199}`, EXPANSIONS],
    ['a ! that does not lead is one of them', `${'a'.repeat(96)}!{100..199}`, EXPANSIONS],
    ['{a,{a,…}}', `${'{a,'.repeat(21)}b${'}'.repeat(21)}`, BRACES],
    ['{{{{…', '{'.repeat(900), BRACES],
    ['{a}}}}…,z}', `{a${'}'.repeat(900)},z}`, BRACES],
    ['a star in each of many expansions', `${'{*a,*b}'.repeat(8)}c`, WILDCARDS],
    ['seven expansions with a star, and 4,006 characters', `*${'a'.repeat(569)}{1..7}`, WILDCARDS],
    ['[[[[…', '['.repeat(51), BRACKETS],
    ['[ in each of many expansions', '{1..60}[a', BRACKETS],
    ['a [ that only looks closed', '[!]'.repeat(51), BRACKETS],
    ['!(a) × 9', `*${'!(a)'.repeat(9)}`, NEGATIONS],
    ['!(a) in one part after the other', [...'123456789'].map((n) => `@(!(${n}))`).join('/'), NEGATIONS],
    ['one !(…) in each of many expansions', '{1..9}!(a)', NEGATIONS],
    ['a long !(…)', `*!(${'a'.repeat(160)})`, NEGATIONS],
    ['two !(…), long together', `*!(${'a'.repeat(80)})/*!(${'b'.repeat(80)})`, NEGATIONS],
    ['33 characters with one inside of another', `*!(*!(${'a'.repeat(24)})b)`, NESTED],
    ['a long !(…) inside of another', `*!(*!(${'a'.repeat(30)})b)`, NESTED],
    ['inside of another, and not at its start', `*!(+(a|*!(${'a'.repeat(30)})))`, NESTED],
    ['a long one that a bracket hides', `*!([)]!(${'a'.repeat(30)}))`, NESTED],
    ['a long one that an odd bracket may hide', `*!([])]!(${'a'.repeat(30)}))`, NESTED],
  ])('%s', async (_, pattern, message) => {
    const refusal = compileNamePattern(pattern);
    await expect(refusal).rejects.toMatchObject({ kind: 'bad-pattern' });
    await expect(refusal).rejects.toThrow(message);
    await expect(refusal).rejects.toBeInstanceOf(ListingError);
  });

  it.each<[string, string, string, boolean]>([
    ['1,000 characters', `${'a'.repeat(999)}*`, 'a'.repeat(999), true],
    ['{a,b} × 9', '{a,b}'.repeat(9), 'abababbbb', true],
    ['{1..1000}', '{1..1000}', '1000', true],
    ['10,000 characters together', `${'a'.repeat(96)}{100..199}`, `${'a'.repeat(96)}123`, true],
    ['each ! that leads is none of them', `!!${'a'.repeat(96)}{100..199}`, `${'a'.repeat(96)}123`, true],
    ['seven expansions with a star, and 3,999', `*${'a'.repeat(568)}{1..7}`, `${'a'.repeat(600)}7`, true],
    ['{a,{a,…}} 20 levels deep', `${'{a,'.repeat(20)}b${'}'.repeat(20)}`, 'b', true],
    ['nested braces without commas', `${'{'.repeat(10)}a,b${'}'.repeat(10)}`, '{{{{{{{{{b}}}}}}}}}', true],
    ['+(+(a))', '+(+(a))', 'aaa', true],
    ['*(a|aa) × 30', `${'*(a|aa)'.repeat(30)}b`, `${'a'.repeat(254)}b`, true],
    ['@(a|b) × 50', '@(a|b)'.repeat(50), 'ab'.repeat(25), true],
    ['+( × 200', `${'+('.repeat(200)}a${')'.repeat(200)}`, 'aaaa', true],
    ['**/ × 200', `${'**/'.repeat(200)}a`, 'b/b/a', true],
    ['**/a/ × 100', `${'**/a/'.repeat(100)}b`, `${'a/'.repeat(99)}b`, false],
    ['[ab] × 200', '[ab]'.repeat(200), 'ab'.repeat(100), true],
    ['[[:alpha:]] × 50', '[[:alpha:]]'.repeat(50), 'é'.repeat(50), true],
    ['[ × 50', '['.repeat(50), '['.repeat(50), true],
    ['escaped !( are no negations', `*${'\\!(a)'.repeat(9)}`, '!(a)'.repeat(9), true],
    ['one !(…) and endings', 'a/!(*.@(test|spec)).{js,jsx,ts,tsx}', 'a/b.tsx', true],
    ['one !(…) and endings, a miss', 'a/!(*.@(test|spec)).{js,jsx,ts,tsx}', 'a/b.test.tsx', false],
    ['!(a) × 8', `*${'!(a)'.repeat(8)}`, 'bb', true],
    ['160 characters with a !(…)', `*!(${'a'.repeat(156)})`, 'b', true],
    ['32 characters with one inside of another', `*!(*!(${'a'.repeat(23)})b)`, 'cc', true],
    ['one !(…), long, behind an odd bracket', `*[!(${'a'.repeat(40)})`, 'x[b', true],
    ['long, and one after the other', `@(!(${'b'.repeat(20)}))[(]!(${'b'.repeat(20)})`, 'a(a', true],
  ])('and what only looks like it is not: %s', async (_, pattern, text, expected) => {
    expect(await matches(pattern, bytesOf(text))).toBe(expected);
  });
});

describe('a hostile pattern costs steps in proportion to pattern × path', () => {
  const a = 'a'.repeat(254);
  const mixed = Array.from({ length: 254 }, (_, i) => 'ab'[((i * i * 7 + i * 3) >> 2) & 1]).join('');

  /** Their texts, and texts that end as the pattern does: minimatch looks at the end first. */
  const hostile = hostilePatterns().flatMap(({ id, pattern, text }) => [
    { id, pattern, text },
    { id, pattern, text: `${text.slice(0, -1)}${pattern.at(-1)}` },
  ]);
  const costly = [
    `${'*a[a]?(a)'.repeat(110)}b`,
    `${'+(a|aa)'.repeat(140)}b`,
    `${'*(a|aa)'.repeat(140)}b`,
    `${'*a'.repeat(400)}b`,
    `${'*a'.repeat(10)}${'{a,b}'.repeat(7)}*b`,
    `${'+('.repeat(300)}a${')'.repeat(300)}b`,
    `${'?(a)'.repeat(240)}b`,
    `*!(${'a'.repeat(90)})b`,
    `*!(${'*a?'.repeat(30)})b`,
    `+(!(${'?(a)'.repeat(20)}b)|a)b`,
    `*${`!(${'a?'.repeat(10)})`.repeat(3)}b`,
    `*!(${'*a?'.repeat(50)})b`,
    `*!(${'a'.repeat(150)})b`,
    `*${'!(*a?a?)'.repeat(8)}b`,
    '*!(*!(*!(aaaaaaaaaaaaaa)*b)*b)b',
    '*!(*!(*a??????????????????)b)b',
  ].flatMap((pattern) => [`${a}b`, `${mixed}b`].map((text) => ({ pattern, text })));

  it('as minimatch really works them off', async () => {
    const counted = await Promise.all(
      [...hostile, ...costly].map(async (row) => ({ ...row, steps: await steps(row.pattern, row.text) })),
    );
    const accepted = counted.filter(({ steps }) => steps !== null);
    expect(accepted.length).toBeGreaterThan(80);
    const work = await minimatchWork(accepted);
    for (const [at, { pattern, text, steps }] of accepted.entries()) {
      // A step is a state to look at, which takes a few blocks of code; what every match costs comes on top.
      const tooMuch = (work[at] as number) > 8 * (steps as number) + 500;
      expect({ pattern, text, steps, work: work[at], tooMuch }).toMatchObject({ tooMuch: false });
    }
    // The work is real: it is not only a few patterns that minimatch refuses by their last letter.
    expect(work.filter((blocks) => blocks > 10_000).length).toBeGreaterThan(15);
  });

  it.each([
    ['a state for each character of a wildcard', '*ab', 9, 4 * 10],
    ['and none for a text', 'abc', 9, 2 * 10],
    ['of each expansion and part', '{*a,b/*c}', 4, (2 + 1 + 2 + 1) * 5],
    ['times the path once more for a !(…)', '*!(a)', 9, 6 * 10 * 10],
  ])('%s', async (_, pattern, length, expected) => {
    expect(await steps(pattern, 'x'.repeat(length))).toBe(expected);
  });

  it('and adds them to those that were there', async () => {
    const effort = { steps: 7 };
    (await compileNamePattern('*ab')).matches(bytesOf('x'), bytesOf('x'), effort);
    expect(effort.steps).toBe(7 + 4 * 2);
  });

  it.each(hostile)('$id', async ({ pattern, text }) => {
    const negated = pattern.includes('!(') ? text.length + 1 : 1;
    const states = pattern.includes('{') ? 4_000 : pattern.length + 2;
    expect((await steps(pattern, text)) ?? 0).toBeLessThanOrEqual(states * (text.length + 1) * negated);
  });
});
