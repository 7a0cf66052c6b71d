import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileGlob, matchesGlob } from '../../src/git/wildmatch.ts';
import { type Bytes, bytesOf } from '../../src/names/bytes.ts';
import { IgnoreChain } from '../../src/rules/gitignore.ts';
import type { IgnoreScope } from '../../src/rules/ignore-scope.ts';
import { entryNamed } from '../../src/rules/rule.ts';
import { EntryBuffer, type EntryType } from '../../src/workspace/reader.ts';
import type { Steps } from '../../src/workspace/steps.ts';
import { hostilePatterns } from '../support/corpus.ts';
import { askGit } from '../support/git.ts';
import { below, decide, parseIgnoreFile, scopeIn } from '../support/ignore-file.ts';
import { makeRepositoryTree } from '../support/repository.ts';
import { rounds } from '../support/rounds.ts';

/** The lines that decide about some paths; a path that ends in a slash is a directory. */
function linesFor(content: string, paths: readonly string[], ignoreCase: boolean): (number | null | undefined)[] {
  const file = parseIgnoreFile(content as Bytes, bytesOf('.gitignore'), { ignoreCase });
  return paths.map((path) => {
    const isDirectory = path.endsWith('/');
    return decide(file, (isDirectory ? path.slice(0, -1) : path) as Bytes, isDirectory, { steps: 0 })?.line;
  });
}

type Row = readonly [clause: string, content: string, matched: readonly string[], others: readonly string[]];

// Git is asked about each row below.
const ROWS: readonly Row[] = [
  ['a blank line matches nothing', '\n\n', [], ['a']],
  ['nor does a line of spaces', '   \n', [], [' ', '   ']],
  ['nor do the bare marks', '!\n/\n//\n!/\n', [], ['a', 'a/', '!', '!/']],
  ['a comment starts with a hash', '#a\n', [], ['a', '#a']],
  ['only at the start of a line', 'a#b\n #c\n', ['a#b', ' #c'], ['a', '#c']],
  ['an escaped hash is none', '\\#a\n', ['#a'], ['a', '\\#a']],
  ['an escaped ! does not negate', '\\!a\n', ['!a'], ['a']],
  ['spaces at the end do not count', 'a  \n', ['a'], ['a ', 'a  ']],
  ['an escaped one does', 'a\\ \n', ['a '], ['a', 'a\\']],
  ['and those behind it do not', 'a\\   \n', ['a '], ['a', 'a  ']],
  ['nor one behind an escaped backslash', 'a\\\\  \n', ['a\\'], ['a\\ ']],
  ['spaces at the start count', ' a\n', [' a'], ['a']],
  ['a tab at the end counts', 'a\t\nb\t \n', ['a\t', 'b\t'], ['a', 'b']],
  ['a slash before the spaces is still final', 'a/ \n', ['a/'], ['a', 'a /']],
  ['a carriage return before the line feed does not count', 'a\r\nb \r\n', ['a', 'b'], ['a\r']],
  ['not at the end of the file either', 'a\r', ['a'], ['a\r']],
  ['but one alone, of two, or with a space behind it', 'a\rb\nc\r\r\nd\r \n', ['a\rb', 'c\r', 'd\r'], ['c', 'd']],
  ['a NUL ends the pattern', 'a\0b\nc \0d\n', ['a', 'c'], ['ab', 'c ']],
  ['a byte order mark at the start is skipped', '\xef\xbb\xbfa\n', ['a'], ['\xef\xbb\xbfa']],
  ['once', '\xef\xbb\xbf\xef\xbb\xbfa\n\xef\xbb\xbfb', ['\xef\xbb\xbfa', '\xef\xbb\xbfb'], ['a', 'b']],
  ['a name matches at any depth', 'a\n', ['a', 'b/a', 'b/c/a', 'a/'], ['ab', 'ba', 'b/ab']],
  ['a final slash asks for a directory', 'a/\n', ['a/', 'b/a/'], ['a', 'b/a']],
  ['a second one is part of the pattern', 'a//\n', [], ['a', 'a/']],
  ['a slash at the start anchors', '/a\n', ['a', 'a/'], ['b/a']],
  ['only one', '//a\n', [], ['a', 'b/a']],
  ['so does one in the middle', 'b/a\n', ['b/a'], ['a', 'c/b/a', 'b/ac']],
  ['also with a star', '/*.c\nb/*.c\n', ['a.c', 'b/a.c'], ['c/a.c', 'b/c/a.c']],
  ['an escaped slash is a slash', 'b\\/a\n', ['b/a'], ['c/b/a', 'a']],
  ['one in a bracket anchors and matches nothing', 'b[/]a\n[/x]\n', ['x'], ['b/a', 'c/x']],
  ['./ means nothing special', './a\n', [], ['a']],
  ['a star matches a dot, and nothing at all', '*a\n', ['.a', 'a', 'xa'], ['ab']],
  ['a star stops at a slash', 'a/*/b\na/*c\n', ['a/x/b', 'a/c'], ['a/b', 'a/x/y/b', 'a/x/c']],
  ['a question mark is one byte', '?\n', ['a', '\xff'], ['ab', '\xc3\xa9']],
  ['no less than one', '*a?*\n*[!b]*x\n', ['bab', 'cx'], ['ba', 'a', 'bx', 'x']],
  ['and no byte more', 'a?\n', ['ab'], ['ab\x05', 'abc']],
  ['and no slash', 'a?b\nx/a?b\n', ['axb', 'x/acb'], ['a/b', 'x/a/b']],
  ['extensions', '*.c\n*.tar.gz\n*.\n', ['.c', 'a.b.c', 'a.tar.gz', 'a.'], ['a.cc', 'c', 'tar.gz', 'a.gz']],
  ['** at the start: at any depth', '**/a/b\n', ['a/b', 'x/a/b', 'x/y/a/b'], ['b', 'xa/b']],
  ['also with a name alone', '**/a\n/**/b\n**/**/c/\n', ['a', 'x/a', 'b', 'x/y/b', 'x/c/'], ['xa', 'c']],
  ['** at the end: everything below', 'a/**\n', ['a/x', 'a/x/y', 'a/x/'], ['a', 'a/', 'b/a/x']],
  ['** in the middle: any directories or none', 'a/**/b\n', ['a/b', 'a/x/b', 'a/x/y/b'], ['ab', 'a/xb', 'a']],
  ['several of them', 'a/**/b/**/c\n', ['a/b/c', 'a/b/b/c', 'a/x/b/y/z/c'], ['a/c', 'a/b/x', 'a/x/c']],
  ['three stars are two', 'a/***/b\n***/c/d\n', ['a/b', 'a/x/y/b', 'c/d', 'x/y/c/d'], ['a/xb']],
  ['any other ** is a star', 'x/?**b\n', ['x/ab', 'x/ayb'], ['x/ay/b', 'x/b']],
  ['git: ** straight behind a plain beginning is whole', 'a**/b\n', ['ab', 'a/b', 'ax/y/b'], ['axb', 'xa/b']],
  ['git: not behind another wildcard', '?**/b\n', ['a/b', 'ax/b'], ['ab', 'ax/y/b']],
  ['git: **\\/ is one directory at least', 'a/**\\/b\n', ['a/x/b', 'a/x/y/b'], ['a/b']],
  ['an escape', '\\*\n\\a\\?\n', ['*', 'a?'], ['a', 'ab']],
  ['a backslash at the end matches nothing', 'a\\\nb\\/\n', [], ['a', 'a\\', 'b/', 'b\\/']],
  ['a bracket', '[ab]\n', ['a', 'b'], ['c', '[ab]']],
  ['a range', '[a-c]\n', ['a', 'b', 'c'], ['d', '-']],
  ['negated by ! or ^', '[!a]x\n[^b]y\n', ['bx', '^x', 'ay', '!y'], ['ax', 'by']],
  ['never a slash', 'a[!b]c\nx/a[!b]c\nx/[!-~]y', ['x/adc', 'x/ay'], ['x/a/c']],
  ['a ] right at the start belongs to it', '[]a]\n[!]b]x\n', [']', 'a', 'cx'], [']x', 'bx', 'a]']],
  ['a hyphen at an end is one', '[a-]\n[-b]\n', ['a', '-', 'b'], ['c']],
  ['and behind a range', '[a-c-e]\n', ['b', '-', 'e'], ['d']],
  ['an escape in a bracket', '[\\]\\-x]\n', [']', '-', 'x'], ['\\']],
  ['at the ends of a range', '[\\a-\\c]\n', ['a', 'b', 'c'], ['\\']],
  ['git: a range backwards is its first byte', '[c-a]\n', ['c'], ['a', 'b', '-']],
  ['an unclosed bracket matches nothing', '[a\n[\nb[\nc[!]\n*[', [], ['[a', '[', 'b[', 'c[!]', 'a']],
  ['nor one that ends in a backslash', '[a\\]\n', [], ['a', '\\', '[a]']],
  ['bytes beyond ASCII in a range', '[\xe0-\xff]\n', ['\xe9'], ['\xdf', 'a']],
  ['a class', '[[:alpha:]]\n[^[:alnum:]]x\n', ['a', 'Z', '-x'], ['1', 'ax', '\xe9']],
  ['with others', '[[:digit:]a-c[:punct:]]\n', ['1', 'b', '!'], ['d', ':d']],
  ['a hyphen behind a class is one', '[a[:digit:]-z]\n', ['a', '1', '-', 'z'], ['b']],
  ['git: VT is no space', '[[:space:]]\n', [' ', '\t', '\r'], ['\v', '\f']],
  ['an unknown class matches nothing', '[[:word:]]\n[a[::]]\n[[:ALPHA:]]', [], ['a', ':', 'w', 'w]', 'a]']],
  ['nor one that never ends', '[[:\n[[:alpha\n[[:alpha:\nx[a[:\n', [], ['[', ':', 'a', '[[:', 'xa', 'x[']],
  ['a class that is not closed is no class', '[[:alpha]x\n[[:]y\n', ['ax', '[x', ':x', '[y', ':y'], ['bx']],
  ['braces and extglobs are plain', '{a,b}\n+(a)\n', ['{a,b}', '+(a)'], ['a', 'b']],
];

const FOLDED: readonly Row[] = [
  ['a name, an extension, a path, a wildcard', 'A\n*.B\nC/D\n/e?\nF*/', ['a', 'x.b', 'X.B', 'c/d', 'EX', 'fg/'], ['b']],
  ['no letter beyond ASCII', '\xc9\nx\xc9*\n', ['\xc9', 'X\xc9'], ['\xe9', 'x\xe9']],
  ['a range and a class', '[B-C]\n[[:upper:]]x\n[[:lower:]]y\n', ['b', 'C', 'ax', 'AX', 'Ay'], ['a', '1x']],
  ['a range across the cases', '[Z-a]\n', ['z', 'Z', 'a', 'A', '_'], ['b', 'Y']],
  ['nothing but letters', '[?-@]\n[\\[-^]\n', ['?', '@', '[', '^'], ['_', '`', '{', '~']],
  ['git: no single capital in a bracket', '[A]\nx[!A]\n[b]', ['xa', 'XA', 'B'], ['a', 'A']],
  ['git: no escaped capital', '\\A\nx/\\B*\n\\c', ['C', 'c'], ['a', 'A', 'x/b', 'x/B']],
];

describe.each([
  ['with regard to case', ROWS, false],
  ['without', FOLDED, true],
])('one clause after the other, %s', (_, rows, ignoreCase) => {
  it.each(rows)('%s', (_clause, content, matched, others) => {
    const found = linesFor(content, matched, ignoreCase);
    expect(matched.filter((_path, i) => found[i] === undefined)).toEqual([]);
    const wrong = linesFor(content, others, ignoreCase);
    expect(others.filter((_path, i) => wrong[i] !== undefined)).toEqual([]);
  });

  it('and git says the same of each', () => {
    const root = makeRepositoryTree({});
    // A directory has to be there, so what is not a directory is asked about in another place.
    const placed = (row: number, path: string) =>
      path.endsWith('/') ? `${row}d/${path.slice(0, -1)}` : `${row}f/${path}`;
    for (const [row, [, content, matched, others]] of rows.entries()) {
      const directories = [...matched, ...others].filter((path) => path.endsWith('/'));
      for (const path of [`${row}d`, `${row}f`, ...directories.map((path) => placed(row, path))]) {
        mkdirSync(join(root, path), { recursive: true });
      }
      for (const kind of 'df') writeFileSync(join(root, `${row}${kind}/.gitignore`), content, 'latin1');
    }
    const all = rows.flatMap(([, , matched, others], row) => [...matched, ...others].map((path) => placed(row, path)));
    const expected = rows.flatMap(([, , matched], row) => matched.map((path) => placed(row, path)));
    expect(ignoredByGit(root, all, ignoreCase)).toEqual(expected);
  });
});

function ignoredByGit(root: string, paths: readonly string[], ignoreCase: boolean): string[] {
  const args = ['-c', `core.ignorecase=${ignoreCase}`, 'check-ignore', '--no-index', '-z', '--stdin'];
  const output = askGit(root, args, undefined, paths.map((path) => `${path}\0`).join(''));
  return (output ?? '').split('\0').slice(0, -1);
}

describe('the last rule that matches decides', () => {
  it.each([
    ['of two names', 'a\n!a\n', 'a', 2],
    ['of a name and an extension', 'x.c\n*.c\n', 'x.c', 2],
    ['of an extension and a name', '*.c\nx.c\n', 'x.c', 2],
    ['of a path and a wildcard', '/x\n!?\n', 'x', 2],
    ['of a wildcard and a path', '!?\n/x\n', 'x', 2],
    ['of a wildcard for names and one for paths', 'x?\n!/x*\n', 'xy', 2],
    ['of a wildcard for paths and one for names', '!/x*\nx?\n', 'xy', 2],
    ['and a later one that does not match does not', '*\na/\n!b\n/c\n*.d\n?e', 'a', 1],
    ['a directory sees the rules for directories', 'a\n!a/\n', 'a/', 2],
    ['anything else does not', 'a\n!a/\n', 'a', 1],
    ['also where a later one is for both', '!a/\na\n', 'a/', 2],
  ])('%s', (_, content, path, line) => {
    expect(linesFor(content, [path], false)).toEqual([line]);
  });
});

it('prints a rule as it is written, without its line end and trailing spaces', () => {
  const file = parseIgnoreFile('\xef\xbb\xbf!/a/  \r\n\\b\\ \n' as Bytes, bytesOf('x/.gitignore'), {
    ignoreCase: false,
  });
  const effort = { steps: 0 };
  expect(decide(file, bytesOf('a'), true, effort)).toEqual({
    ...{ by: 'git', hidden: false, source: 'x/.gitignore', line: 1, pattern: '!/a/' },
  });
  expect(decide(file, bytesOf('b '), true, effort)).toMatchObject({ hidden: true, line: 2, pattern: '\\b\\ ' });
});

/** `x` and each byte but NUL and the slash. */
const ONE_BYTE = Array.from({ length: 255 }, (_, i) => `x${String.fromCharCode(i + 1)}`).filter(
  (name) => name !== 'x/',
);
const CLASSES = ['alnum', 'alpha', 'blank', 'cntrl', 'digit', 'graph', 'lower', 'print', 'punct', 'space', 'upper'];

it.each([true, false])('a class has the bytes that git says, byte by byte (core.ignorecase: %s)', (ignoreCase) => {
  const names = [...CLASSES, 'xdigit', 'word'];
  const content = names.map((name) => `/${name}/x[[:${name}:]]\n`).join('');
  const paths = names.flatMap((name) => ONE_BYTE.map((one) => `${name}/${one}`));
  const ignored = ignoredByGit(makeRepositoryTree({ '.gitignore': content }), paths, ignoreCase);
  expect(ignored.length).toBeGreaterThan(400);
  const found = linesFor(content, paths, ignoreCase);
  expect(paths.filter((_, i) => found[i] !== undefined)).toEqual(ignored);
});

describe('most rules are found by lookup, and others are refused at once', () => {
  /** The steps of the last question: what was asked before it may be remembered. */
  function stepsFor(content: string, ...paths: readonly string[]): number {
    const file = parseIgnoreFile(content as Bytes, bytesOf('.gitignore'), { ignoreCase: false });
    const [directory] = /^.*\/|^/.exec(paths[0] as string) ?? [''];
    const scope = scopeIn(file, directory, { steps: 0 });
    let effort = { steps: 0 };
    for (const path of paths) {
      effort = { steps: 0 };
      scope.decide(path.slice(directory.length) as Bytes, false, effort);
    }
    return effort.steps;
  }
  const many = (line: string) => Array.from({ length: 100 }, (_, i) => line.replaceAll('#', `n${i}`)).join('\n');

  it.each<[string, string, readonly string[], number]>([
    ['names', many('#'), ['x'], 1],
    ['names in any directory', many('**/#'), ['a/x'], 1],
    ['also behind a slash', many('/**/#'), ['a/x'], 1],
    ['behind several stars', many('**/***/**/#'), ['a/x'], 1],
    ['extensions', many('*.#'), ['a.x'], 1],
    ['paths', many('/a/#'), ['a/x'], 1],
    ['wildcards for paths that lead elsewhere', many('/#/*x'), ['a/x'], 1],
    ['wildcards for paths, by the beginning of the name', '/a/b*c', ['a/c'], 2],
    ['by its end', '/a/b*c', ['a/b'], 2],
    ['by neither', '/a/b*c', ['a/bxc'], 7],
    ['wildcards for names, by the beginning', 'b*c', ['xc'], 2],
    ['by the end', '*abcd', ['xxxd'], 2],
    ['also by that of a long one', `*${'a'.repeat(40)}`, [`${'b'.repeat(9)}${'a'.repeat(31)}`], 2],
    ['by a bracket at the end', '*[ab]', ['xxc'], 2],
    ['by the length', 'a???', ['abc'], 2],
    ['of which brackets are a part', 'a[b][c]*', ['ab'], 2],
    ['and stars are not', 'a?*', ['ab'], 4],
    ['a star at the end takes the rest', 'a*', ['abbbbbbbbbb'], 3],
    ['one before a slash has done its work', '/*a????????/b', ['aaaaaaaaa/cb'], 15],
    ['what a ** at the end says is asked once', 'a/**', ['a/x', 'a/y'], 2],
    ['also behind other wildcards', 'a/?/**', ['a/b/x', 'a/b/y'], 2],
    ['and behind another **', 'a/**/**', ['a/b/x', 'a/b/y'], 2],
    ['and behind the beginning of a name', '/a/b**', ['a/bx', 'a/by'], 2],
    ['whatever it says', 'a/c?/**', ['a/cdd/x', 'a/cdd/y'], 2],
    ['what another one says is not', 'a/?*/x*', ['a/b/xy', 'a/b/xz'], 8],
  ])('%s', (_, content, paths, expected) => {
    expect(stepsFor(content, ...paths)).toBe(expected);
  });

  it('where no rule asks for a path, all directories look alike', () => {
    const scopeOf = (content: string) => parseIgnoreFile(bytesOf(content), bytesOf(''), { ignoreCase: false }).scope;
    const names = scopeOf('a\n*.b\nc*d\n');
    const effort = { steps: 0 };
    expect(below(names, 'x', effort)).toBe(names);
    expect(effort.steps).toBe(0);
    for (const content of ['/a', 'b/*']) {
      const paths = scopeOf(content);
      expect(below(paths, 'x', effort)).not.toBe(paths);
    }
  });

  it('to look from a directory below costs steps for each wildcard for paths', () => {
    const scope = parseIgnoreFile(bytesOf('a\n/b\nb/*\nc/?/d\n'), bytesOf(''), { ignoreCase: false }).scope;
    const effort = { steps: 0 };
    const inner = below(scope, 'x', effort);
    expect(effort.steps).toBe(32);
    // None of them leads there.
    below(inner, 'y', effort);
    expect(effort.steps).toBe(32);
  });

  it('however long the end of a pattern is', () => {
    const name = `b${'a'.repeat(200_000)}`;
    expect(linesFor(`*${name}\n`, [name, `x${name}`, name.slice(1)], false)).toEqual([1, 1, undefined]);
  });
});

describe('work is proportional to pattern × path', () => {
  const FACTOR = 2;
  function stepsFor(line: string, path: string): number {
    const effort = { steps: 0 };
    decide(parseIgnoreFile(bytesOf(line), bytesOf(''), { ignoreCase: false }), bytesOf(path), false, effort);
    return effort.steps;
  }
  const bound = (line: string, path: string) => FACTOR * (bytesOf(line).length + 1) * (bytesOf(path).length + 1);

  it.each(hostilePatterns())('$id', ({ pattern, text }) => {
    const paths = [text, text.split('/').at(-1) as string, `a/${text}`];
    for (const line of [pattern, `/${pattern}`, `**/${pattern}/**/${pattern}`, `a/**/${pattern}`]) {
      for (const path of paths) expect(stepsFor(line, path)).toBeLessThanOrEqual(bound(line, path));
    }
  });

  it('whatever the pattern', () => {
    const piece = (...pieces: string[]) => fc.array(fc.constantFrom(...pieces), { maxLength: 40 });
    const patterns = piece('a', 'a', '*', '*', '?', '/', '**/', '/**/', '*a*/', '[ab]', 'b', '**\\/');
    const paths = piece('a', 'aa', 'aaaaaaaa', 'a/', 'a/a/a/a/', 'b', 'aaab/');
    fc.assert(
      fc.property(patterns, paths, (pattern, path) => {
        const line = pattern.join('');
        const text = path.join('');
        expect(stepsFor(line, text)).toBeLessThanOrEqual(bound(line, text));
      }),
      { numRuns: rounds(3000), seed: 1 },
    );
  });

  it('and the steps are real: a good part of the product is reached', () => {
    const line = `x/**/${'*a'.repeat(20)}*b*/c`;
    const path = `x/${`${'a'.repeat(50)}b/`.repeat(40)}d/c`;
    expect(stepsFor(line, path)).toBeGreaterThan(path.length);
  });

  // Were reading quadratic, these would take a minute and more.
  it.each([
    ['spaces', ' '.repeat(1e6)],
    ['escaped spaces', `${'\\ '.repeat(5e5)}b`],
    ['backslashes', `${'\\'.repeat(1e6)} `],
    ['stars', `${'*'.repeat(1e6)}/a/b`],
    ['directories', `${'**/'.repeat(3e5)}a/b`],
    ['brackets', '[a]'.repeat(3e5)],
    ['classes that are none', `${'[[:'.repeat(1e6)}a]`],
    ['unclosed classes', '[[:'.repeat(1e6)],
    ['unclosed brackets', '['.repeat(1e6)],
    ['lines', '[\n'.repeat(5e5)],
    ['carriage returns', `${'\r'.repeat(1e6)}\r\n`],
  ])('a megabyte of %s is read in time', (_, content) => {
    expect(stepsFor(content, 'x')).toBeLessThan(10);
    expect(stepsFor(`a${content}`, 'x')).toBeLessThan(10);
  });
});

describe('a rule about paths that sleeps', () => {
  const compiled = (pattern: string, ignoreCase = false) =>
    parseIgnoreFile(bytesOf(pattern), bytesOf('.gitignore'), { ignoreCase }).scope;
  /** As a walk does it: from directory to directory. */
  const stepwise = (scope: IgnoreScope, directories: readonly string[]) =>
    directories.reduce((above, name) => below(above, name), scope);
  const isIgnored = (scope: IgnoreScope, name: string) => scope.decide(bytesOf(name), false, { steps: 0 }) !== null;

  it('wakes in the directory that it asks for, and below it', () => {
    const root = compiled('**/generated/**/*.json');
    expect(isIgnored(stepwise(root, ['src', 'x']), 'a.json')).toBe(false);
    for (const way of [['generated'], ['src', 'generated'], ['src', 'generated', 'a', 'b'], ['generated', 'generated']])
      expect(isIgnored(stepwise(root, way), 'a.json')).toBe(true);
    expect(isIgnored(stepwise(root, ['src', 'Generated']), 'a.json')).toBe(false);
    expect(isIgnored(stepwise(root, ['src', 'generated2']), 'a.json')).toBe(false);
    expect(isIgnored(stepwise(compiled('**/Generated/**/*.json', true), ['a', 'geneRated', 'b']), 'a.json')).toBe(true);
  });

  it('costs other directories nothing, and is looked for by the name of its own', () => {
    const names = new EntryBuffer();
    for (const name of ['a.json', 'package', 'generated']) names.add(name as Bytes, 'dir');
    const passing = (scope: IgnoreScope) =>
      [0, 1, 2]
        .filter((at) => scope.filters.all.some((filter) => filter.mayMatch(names, at)))
        .map((at) => names.nameAt(at));
    const root = compiled('**/generated/**/*.json');
    expect(root.filters.holdsBelow).toBe(true);
    expect(passing(root)).toEqual(['generated']);
    expect(passing(stepwise(root, ['src']))).toEqual(['generated']);
    expect(passing(stepwise(root, ['src', 'generated']))).toEqual(['a.json', 'generated']);
    expect(passing(stepwise(root, ['src', 'generated', 'x']))).toEqual(['a.json', 'generated']);
    // With the rest of a path it depends on the directory alone, which has to be told again in each.
    expect(compiled('**/generated/**').filters.holdsBelow).toBe(true);
    expect(stepwise(compiled('**/generated/**'), ['generated']).filters.holdsBelow).toBe(false);
  });

  it('decides what its pattern matches, and nothing else, however the directory is reached', () => {
    const parts = fc.constantFrom('a', 'b', 'ab', '*', '**', '?', 'a*', '*b', '[ab]', '[!a]', '**a', 'a**', '\\a');
    const patterns = fc
      .tuple(fc.array(parts, { minLength: 2, maxLength: 5 }), fc.constantFrom('', '', '/**', '/*'))
      .map(([names, end]) => `${names.join('/')}${end}`)
      // These are rules about names.
      .filter((pattern) => !/^(?:\*\*+\/)+[^/]*$/.test(pattern));
    const paths = fc.array(fc.constantFrom('a', 'b', 'ab', 'c', 'A'), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(
        fc.array(patterns, { minLength: 1, maxLength: 3 }),
        fc.array(paths),
        fc.boolean(),
        (all, some, ignoreCase) => {
          const globs = all.map((pattern) => compileGlob(pattern, ignoreCase));
          const root = compiled(all.join('\n'), ignoreCase);
          for (const names of some) {
            const path = ignoreCase ? names.join('/').toLowerCase() : names.join('/');
            const last = globs.findLastIndex((glob) => glob !== null && matchesGlob(glob, path, { steps: 0 }));
            const name = names.at(-1) as Bytes;
            const scope = stepwise(root, names.slice(0, -1));
            expect(scope.decide(name, false, { steps: 0 })?.line).toBe(last < 0 ? undefined : last + 1);
            if (last >= 0) expect(scope.mayMatch(entryNamed(names.at(-1) as Bytes, 'file'), 0)).toBe(true);
          }
        },
      ),
      { numRuns: rounds(1000) },
    );
  });
});

it('looks at names only where a rule about paths can match, and only at those that it can match', () => {
  const content = '/*.tar.*\n.vscode/*\n!/types/*/\npackages/*/lib*\ndeps/**/.*\n*.VC.*\n';
  const root = parseIgnoreFile(content as Bytes, bytesOf('.gitignore'), { ignoreCase: false }).scope;
  const names = ['a.tar.gz', 'index.ts', 'lib2', '.git', 'x.VC.db', 'types'];
  const passing = (directories: readonly string[], type: EntryType) =>
    names.filter((one) =>
      directories.reduce((scope, name) => below(scope, name), root).mayMatch(entryNamed(one as Bytes, type), 0),
    );
  expect(passing([], 'file')).toEqual(['a.tar.gz', 'x.VC.db']);
  expect(passing(['src'], 'file')).toEqual(['x.VC.db']);
  expect(passing(['.vscode'], 'file')).toEqual(names);
  expect(passing(['.vscode', 'a'], 'file')).toEqual(['x.VC.db']);
  expect(passing(['types'], 'file')).toEqual(['x.VC.db']);
  expect(passing(['types'], 'dir')).toEqual(names);
  expect(passing(['packages'], 'file')).toEqual(['x.VC.db']);
  expect(passing(['packages', 'a'], 'file')).toEqual(['lib2', 'x.VC.db']);
  expect(passing(['deps', 'a', 'b'], 'file')).toEqual(['.git', 'x.VC.db']);
});

it('has one filter for all directories below, if a rule is about everything in one: there would be a table for each', () => {
  const root = parseIgnoreFile('!deps/v8/**\n/deps/*/x*\n' as Bytes, bytesOf('.gitignore'), {
    ignoreCase: false,
  }).scope;
  const scopes = [root];
  for (const name of ['deps', 'v8', 'src', 'objects', 'x']) scopes.push(below(scopes.at(-1) as IgnoreScope, name));
  const [, , v8, src, objects, x] = scopes.map(({ filters }) => filters.all.at(-1));
  expect(src).not.toBe(v8);
  expect([objects === src, x === src]).toEqual([true, true]);
});

describe('very many rules about paths', () => {
  const content = Array.from({ length: 6000 }, (_, i) => (i % 2 === 0 ? `src/x${i}*` : `**/src/**/y${i}*z`)).join('\n');
  const { scope } = parseIgnoreFile(bytesOf(content), bytesOf(''), { ignoreCase: false });
  const lineOf = (seen: IgnoreScope, name: string) => seen.decide(bytesOf(name), false, { steps: 0 })?.line;

  it('are looked at from another directory in steps', async () => {
    let pauses = 0;
    const effort = {
      steps: 0,
      run: async <T>(steps: Steps<T>): Promise<T> => {
        for (let step = steps.next(); ; step = steps.next(), pauses++) if (step.done) return step.value;
      },
    };
    const paused = scope.below('src/', effort);
    expect(paused).toBeInstanceOf(Promise);
    const [inSteps, atOnce] = [await paused, below(scope, 'src')];
    expect(pauses).toBe(5);
    for (const [name, line] of [
      ['x4000', 4001],
      ['y4001z', 4002],
      ['z', undefined],
    ] as const) {
      expect([lineOf(inSteps, name), lineOf(atOnce, name)]).toEqual([line, line]);
    }
    // Those of a walk that may be paused are entered from there all the same.
    const chain = await IgnoreChain.root([{ scope, serial: 1 }]).enter(bytesOf('src'), () => null, effort);
    expect(chain.decide(bytesOf('x4000'), false, effort)?.line).toBe(4001);
  });
});

describe('patterns that take long', () => {
  const lines = (count: number, pattern: (i: number) => string) => Array.from({ length: count }, (_, i) => pattern(i));
  const nasty = `${'*a'.repeat(20)}*`;
  const long = `${'a'.repeat(200)}hit`;
  const chainOf = (...patterns: string[]) =>
    IgnoreChain.root([parseIgnoreFile(bytesOf(patterns.join('\n')), bytesOf(''), { ignoreCase: false })]);
  const asked = (chain: IgnoreChain, name: string) => {
    const notes: string[] = [];
    const effort = { steps: 0, note: (text: string) => notes.push(text) };
    return { line: chain.decide(bytesOf(name), false, effort)?.line, notes, effort };
  };

  it('are tried up to a bound on each name, the last ones first, and a note says so', () => {
    const chain = chainOf('*h*t', '*z*t', ...lines(20_000, (i) => `${nasty}${i}b*`), '*w*t');
    const { line, notes, effort } = asked(chain, long);
    expect([line, notes]).toEqual([undefined, [expect.stringContaining('too many patterns to try all of them')]]);
    expect(effort.steps).toBeGreaterThan(1_000_000);
    expect(effort.steps).toBeLessThan(1_050_000);
    expect(asked(chain, `${long.replace('h', 'w')}`)).toMatchObject({ line: 20_003, notes: [] });
    // Other names are judged by all of them.
    expect(asked(chain, 'hit')).toMatchObject({ line: 1, notes: [] });
  });

  it('share the bound with those of the directories above', async () => {
    const slow = lines(400, (i) => `${nasty}${i}b*`).join('\n');
    const file = () => parseIgnoreFile(bytesOf(slow), bytesOf(''), { ignoreCase: false });
    let chain = chainOf('*h*t');
    for (let depth = 0; depth < 60; depth++) chain = await chain.enter(bytesOf('d'), file, { steps: 0 });
    const { line, notes, effort } = asked(chain, long);
    expect([line, notes.length > 0, effort.steps < 1_050_000]).toEqual([undefined, true, true]);
  });

  it('apply in full where they take less than the bound', () => {
    const chain = chainOf('*h*t', ...lines(300, (i) => `${nasty}${i}b*`));
    expect(asked(chain, long)).toMatchObject({ line: 1, notes: [] });
  });
});
