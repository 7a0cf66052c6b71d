import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Bytes, bytesOf, codePointsOf } from '../../src/names/bytes.ts';
import { compileBraceGlob } from '../../src/rules/brace-glob.ts';
import { hostilePatterns } from '../support/corpus.ts';
import { rounds } from '../support/rounds.ts';

const matches = (pattern: string, name: Bytes) => compileBraceGlob(pattern)(name, { steps: 0 });

function steps(pattern: string, name: string): number {
  const effort = { steps: 0 };
  compileBraceGlob(pattern)(bytesOf(name), effort);
  return effort.steps;
}

describe('a glob with braces', () => {
  it.each<[string, string, readonly string[], readonly string[]]>([
    ['a name is itself', 'a.md', ['a.md'], ['A.md', 'a.mdx', 'xa.md', 'axmd', '']],
    ['an empty glob is the empty name', '', [''], ['a']],
    ['* is any run, also none', '*', ['', 'a', '.a', 'a/b', '\n'], []],
    ['* in front', '*.md', ['.md', 'a.md', 'é.md'], ['a.md2', 'a.MD', 'md']],
    ['* behind', 'tmp*', ['tmp', 'tmp1', 'tmpé'], ['atmp', 'tm', 'Tmp']],
    ['* on both sides', '*a*', ['a', 'ba', 'ab', 'bab'], ['', 'b']],
    ['* in the middle', 'a*b*c', ['abc', 'a1b2b3c'], ['a1b2b3', 'ac']],
    ['** is *', '**', ['', 'a', 'a/b'], []],
    ['? is one character', 'a?c', ['abc', 'aéc', 'a😀c', 'a?c'], ['ac', 'abbc', 'aBC']],
    ['?? is two', '??', ['ab', '😀é'], ['😀', 'abc', 'a']],
    ['brackets are literal', '[ab]', ['[ab]'], ['a', 'b']],
    ['brackets beside a * are literal', '[a]*[!b]', ['[a][!b]', '[a]x[!b]'], ['ac', '[a]c']],
    ['a backslash is literal', '\\*', ['\\', '\\a', '\\*'], ['*', 'a']],
    ['a backslash does not save a brace', '\\{a,b}', ['\\a', '\\b'], ['{a,b}', '\\{a,b}']],
    ['! + ( | ) $ ^ . / are literal', '!+(a|b)$^./', ['!+(a|b)$^./'], ['!a$^./', '+(a|b)$^./']],
    ['a character beyond ASCII', 'é*日', ['é日', 'éa日'], ['e日', 'é']],
    ['one of two', '{a,b}', ['a', 'b'], ['', 'ab', '{a,b}', 'A', 'a,b']],
    ['one of three', 'x{a,bc,d}y', ['xay', 'xbcy', 'xdy'], ['xy', 'xby', 'xabcy', 'xady']],
    ['endings', '*.{js,ts}', ['a.js', '.ts', 'a.js.ts', 'é.ts'], ['a.jsx', 'js', 'a.jsts', 'a.sj']],
    ['beginnings', '{tmp,log}*', ['tmp', 'log1', 'logé'], ['tm', 'alog', 'lotmp']],
    ['both', '*{a,b}*', ['a', 'xbx', 'ba'], ['', 'x']],
    ['one pair after the other', '{a,b}{c,d}', ['ac', 'ad', 'bc', 'bd'], ['ab', 'cd', 'a', 'acd']],
    ['nested', '{a,{b,c}}', ['a', 'b', 'c'], ['', 'bc', 'ab']],
    ['nested in front', '{{a,b}c,d}e', ['ace', 'bce', 'de'], ['ae', 'ce', 'cde']],
    ['nested in a star that leads', '{*{x,y},z}', ['x', 'ay', 'z', 'zx'], ['az', 'a', '']],
    ['an empty alternative in front', '{,x}', ['', 'x'], [',x', 'xx']],
    ['behind', 'a{x,}', ['a', 'ax'], ['x', 'ax,']],
    ['in the middle', '{a,,b}', ['', 'a', 'b'], ['ab', 'a,,b']],
    ['nothing else', 'a{,}b', ['ab'], ['a,b', 'a{,}b']],
    ['stars inside of alternatives', '{a*,*b}', ['a', 'ax', 'b', 'xb', 'axb'], ['', 'xa', 'bx']],
    ['* as an alternative', '{a,*}b', ['b', 'ab', 'xxb'], ['a', 'bx']],
    ['* behind a pair is for every alternative', '{a,*}*', ['a', 'b', ''], []],
    ['? inside of alternatives', '{?,ab}c', ['xc', 'abc', 'éc'], ['c', 'xxc', 'ab']],
    ['brackets inside of alternatives', '{[a],b}', ['[a]', 'b'], ['a']],
    ['no comma: literal', '{a}', ['{a}'], ['a']],
    ['no comma, and a star', '{a}*b', ['{a}b', '{a}xb'], ['ab', '{a}']],
    ['nothing inside: literal', '{}', ['{}'], ['']],
    ['no range', '{1..3}', ['{1..3}'], ['1', '2', '3']],
    ['unclosed: literal', '{a,b', ['{a,b'], ['a', 'b', '{a', 'a,b']],
    ['unclosed, and what follows still counts', 'a{b{c,d}', ['a{bc', 'a{bd'], ['abc', 'a{b{c,d}', 'a{b']],
    ['the comma of an unclosed one is literal', '{a,b{c,d}', ['{a,bc', '{a,bd'], ['a', '{a', 'bc']],
    ['unopened: literal', 'a}', ['a}'], ['a']],
    ['unopened behind a pair', '{a,b}}', ['a}', 'b}'], ['a', 'b', '{a,b}}']],
    ['unopened behind a comma', 'a,b}', ['a,b}'], ['a', 'b', 'a}']],
    ['unopened in front of a pair', '},{a,b}', ['},a', '},b'], ['}', 'a']],
    ['a comma outside is literal', 'a,{b,c},d', ['a,b,d', 'a,c,d'], ['a', 'b', 'd']],
    ['a pair without a comma around one with', '{a{b,c}d}', ['{abd}', '{acd}'], ['abd', '{ab', 'cd}', '{a{b,c}d}']],
    ['a pair without a comma in an alternative', '{a{b}c,d}', ['a{b}c', 'd'], ['abc', '{d}']],
    ['twice around', '{{a,b}}', ['{a}', '{b}'], ['a', 'b', '{a,b}']],
    ['a character beyond ASCII in an alternative', '*{é,😀}', ['é', 'a😀', 'éé'], ['e', '😀a']],
  ])('%s: %s', (_, pattern, hits, misses) => {
    const found = [...hits, ...misses].filter((name) => matches(pattern, bytesOf(name)));
    expect(found).toEqual(hits);
  });

  it.each<[string, Bytes, boolean]>([
    ['a?', 'a\xff' as Bytes, true],
    ['a?', 'a\xff\xff' as Bytes, false],
    ['{a,b}?', 'a\xff' as Bytes, true],
    ['{a,b}?', 'a\xff\xff' as Bytes, false],
    ['*{?é,x}', '\xff\xc3\xa9' as Bytes, true],
    ['*é', '\xe2\x82\xc3\xa9' as Bytes, true],
    ['é*', '\xc3\xa9\xa9' as Bytes, true],
  ])('counts a byte that is not valid UTF-8 as one character: %j on %j', (pattern, name, expected) => {
    expect(matches(pattern, name)).toBe(expected);
  });

  it.each(['\udcff', '*\udcff', '\udcff*', '?\udcff', '{\udcff,\udcfe}', '{b,\udcff}'])(
    'a lone surrogate matches nothing, not even a stray byte or U+FFFD: %j',
    (pattern) => {
      for (const name of ['\xff' as Bytes, 'a\xff' as Bytes, bytesOf('\ufffd'), bytesOf('a\ufffd')]) {
        expect(matches(pattern, name)).toBe(false);
      }
    },
  );

  it('a lone surrogate spoils its own alternative alone', () => {
    expect(matches('{a,\ud83d}', bytesOf('a'))).toBe(true);
    expect(matches('\ud83d{,}\ude00', bytesOf('😀'))).toBe(false);
  });

  it.each(['{a,b}{c,d}*x', 'a?*x'])('remembers nothing from name to name: %s', (pattern) => {
    const isMatch = compileBraceGlob(pattern);
    const names = ['acyyyx', 'acy', 'acx', 'ac', 'adéx', 'éx', 'acé', '', 'x', 'adyx'].map(bytesOf);
    const found = names.filter((name) => isMatch(name, { steps: 0 }));
    expect(found).toEqual(['acyyyx', 'acx', 'adéx', 'adyx'].map(bytesOf));
  });
});

/** Every text without braces that a pattern stands for; `‹` and `›` are braces that turned out to be literal. */
function expansions(pattern: string): string[] {
  const pair = /\{[^{}]*\}/.exec(pattern);
  if (pair === null) return [pattern];
  const before = pattern.slice(0, pair.index);
  const after = pattern.slice(pair.index + pair[0].length);
  const inside = pair[0].slice(1, -1);
  if (!inside.includes(',')) return expansions(`${before}‹${inside}›${after}`);
  return inside.split(',').flatMap((alternative) => expansions(before + alternative + after));
}

/** Row by row: which prefixes of the name does the pattern match so far? */
function matchesExpansion(expansion: string, name: readonly number[]): boolean {
  let row = [true, ...name.map(() => false)];
  for (const character of expansion.replaceAll('‹', '{').replaceAll('›', '}')) {
    const before = row;
    row = before.map((_, at) => at > 0 && before[at - 1] === true && fits(character, name[at - 1]));
    if (character !== '*') continue;
    const first = before.indexOf(true);
    row = before.map((_, at) => first >= 0 && at >= first);
  }
  return row.at(-1) === true;
}

const fits = (character: string, point: number | undefined) => character === '?' || character.codePointAt(0) === point;

describe('against a reference that expands every brace', () => {
  const agrees = (pattern: string, name: Bytes) => {
    const expected = expansions(pattern).some((expansion) => matchesExpansion(expansion, codePointsOf(name)));
    expect({ pattern, name, matches: matches(pattern, name) }).toEqual({ pattern, name, matches: expected });
    return expected;
  };
  const text = (units: string, maxLength: number) =>
    fc.string({ unit: fc.constantFrom(...units), maxLength, size: 'max' });

  it('agrees on patterns of braces, commas and wildcards, and hits often enough to count', () => {
    let hits = 0;
    fc.assert(
      fc.property(text('ab{},{},*?', 12), fc.array(text('ab', 4), { maxLength: 6 }), (pattern, names) => {
        for (const name of ['', 'a', ...names, pattern]) hits += Number(agrees(pattern, bytesOf(name)));
      }),
      { numRuns: rounds(10_000) },
    );
    expect(hits).toBeGreaterThan(rounds(5_000));
  });

  it('agrees on names of which an expansion is made', () => {
    const well: fc.Arbitrary<string> = fc.letrec<{ glob: string; part: string }>((tie) => ({
      glob: fc.array(tie('part'), { maxLength: 3, depthIdentifier: 'glob' }).map((parts) => parts.join('')),
      part: fc.oneof(
        { depthIdentifier: 'glob', maxDepth: 3 },
        fc.constantFrom('a', 'b', 'é', '*', '?', '{', '}', ','),
        fc.array(tie('glob'), { maxLength: 3 }).map((alternatives) => `{${alternatives.join(',')}}`),
      ),
    })).glob;
    fc.assert(
      fc.property(well, fc.nat(), text('abé', 3), (pattern, pick, run) => {
        const all = expansions(pattern);
        const chosen = (all[pick % all.length] as string).replaceAll('‹', '{').replaceAll('›', '}');
        const name = chosen.replaceAll('*', run).replaceAll('?', '😀');
        expect(agrees(pattern, bytesOf(name))).toBe(true);
        agrees(pattern, bytesOf(name.slice(0, -1).toWellFormed()));
        agrees(pattern, `${bytesOf(name)}\xff` as Bytes);
      }),
      { numRuns: rounds(3_000) },
    );
  });
});

describe('a hostile pattern costs steps in proportion to pattern × name', () => {
  it.each(hostilePatterns())('$id', ({ pattern, text }) => {
    for (const name of [text, text.split('/').at(-1) as string, 'é'.repeat(120)]) {
      expect(steps(pattern, name)).toBeLessThanOrEqual((pattern.length + 1) * (name.length + 1));
    }
  });

  const LEVELS = 10_000;
  it.each<[string, string, string, boolean]>([
    ['pairs in a row', '{a,b}'.repeat(200), 'ab'.repeat(100), true],
    ['pairs in a row, refused at the end', '{a,b}'.repeat(200), `${'ab'.repeat(99)}ac`, false],
    ['nested behind', `${'{a,'.repeat(LEVELS)}b${'}'.repeat(LEVELS)}`, 'b', true],
    ['nested behind, refused', `${'{a,'.repeat(LEVELS)}b${'}'.repeat(LEVELS)}`, 'ab', false],
    ['nested in front', `${'{'.repeat(LEVELS)}b${',a}'.repeat(LEVELS)}`, 'b', true],
    ['nested around a star', `*${'{a,'.repeat(LEVELS)}*${'}'.repeat(LEVELS)}c`, 'bac', true],
    ['nested without commas', `${'{'.repeat(LEVELS)}{a,b}${'}'.repeat(LEVELS)}`, 'a', false],
    ['never closed', '{a,'.repeat(LEVELS), '{a,', false],
    ['never opened', ',a}'.repeat(LEVELS), ',a}', false],
    ['stars in pairs', `${'{*,*}'.repeat(50)}b`, 'a'.repeat(255), false],
    ['stars in pairs, and a hit', `${'{*,*}'.repeat(50)}b`, `${'a'.repeat(254)}b`, true],
    ['stars in pairs, read forwards', `a${'{*,*}'.repeat(50)}b`, 'a'.repeat(255), false],
    ['two ways to spell a run', '{a,aa}'.repeat(100), 'a'.repeat(200), true],
    ['two ways to spell a run, too long', '{a,aa}'.repeat(100), 'a'.repeat(201), false],
    ['empty alternatives', '{,}'.repeat(2_000), 'a', false],
    ['alternatives that may be empty', `${'{,a}'.repeat(255)}b`, 'a'.repeat(255), false],
    ['many alternatives', `{${'a,'.repeat(5_000)}b}*c`, `${'b'.repeat(100)}c`, true],
  ])('%s', (_, pattern, name, expected) => {
    expect(matches(pattern, bytesOf(name))).toBe(expected);
    expect(steps(pattern, name)).toBeLessThanOrEqual((pattern.length + 1) * (name.length + 1));
  });

  it('and the steps are real: half the product is reached', () => {
    expect(steps(`a${'{*,*}'.repeat(50)}b`, 'a'.repeat(255))).toBeGreaterThan((252 * 255) / 2);
    expect(steps(`a${'*a'.repeat(20)}b`, 'a'.repeat(200))).toBeGreaterThan(200);
  });

  it.each(['a.md', '*.md', 'a*'])('a comparison of bytes is one step: %s', (pattern) => {
    expect(steps(pattern, 'a'.repeat(255))).toBe(1);
  });

  it.each(['*a?b', '?**??', 'ab?'])('a name that is too short costs nothing: %s', (pattern) => {
    for (const name of ['', 'ab', 'éé']) expect(steps(pattern, name)).toBe(0);
    expect(steps(pattern, 'acb')).toBeGreaterThan(0);
  });

  it('most names are refused by their last character where a star leads', () => {
    const name = `${'a'.repeat(200)}.md`;
    for (const pattern of ['*.{js,ts}', '{*.js,*.ts}']) expect(steps(pattern, name)).toBeLessThan(10);
  });

  it('a last star reads nothing', () => {
    expect(steps('{a,b}*', 'a'.repeat(200))).toBeLessThan(10);
    expect(steps('*.{js,ts}', `${'a'.repeat(200)}.ts`)).toBeLessThan(20);
  });
});
