import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { trackedPaths } from '../../src/git/index-file.ts';
import { type Bytes, bytesIn } from '../../src/names/bytes.ts';
import { atOnce, HANDFUL, loaded } from '../../src/workspace/steps.ts';
import { makeRepository } from '../support/git.ts';
import { diceFor } from '../support/ignore-trees.ts';
import { indexOf, runGit } from '../support/indexes.ts';
import { emptyDirectory } from '../support/tree.ts';

function paths(content: string, shared: (name: Bytes) => Bytes | null = () => null): readonly string[] | null {
  return atOnce(trackedPaths(content as Bytes, 20, (name) => loaded(() => shared(name))));
}

/** The index of a repository that git tracks these paths in, without the files, and what it shares. */
function gits(names: readonly string[], ...args: string[][]) {
  const root = emptyDirectory();
  makeRepository(root);
  const lines = names.map((name) => `100644 ${'1'.repeat(40)} 0\t${name}`);
  runGit(root, ['update-index', '-z', '--index-info'], lines);
  for (const words of args) runGit(root, words);
  const read = (name: string) => bytesIn(readFileSync(join(root, '.git', name)));
  return { index: read('index'), read };
}

const NAMES = ['a', 'a/b', 'a/b c', 'a0', 'lib/x.ts', 'lib/y.ts', 'z\xff', `${'d/'.repeat(2500)}long`];
// Of a path, version 4 drops as much as differs from the next: here the most that one byte can say, and one more.
for (const length of [127, 128]) NAMES.push(`${length}/${'m'.repeat(length)}`, `${length}/n`);
NAMES.sort();
const UNSORTED = ['a', 'lib/x.ts'];
const EXTENSION = 'ABCD\0\0\0\x03xyz';

describe('an index as git writes it', () => {
  it.each([2, 4])('version %i, with a path of more than 4,095 bytes', (version) => {
    const { index } = gits(
      NAMES.filter((name) => name !== 'a'),
      ['update-index', '--index-version', `${version}`],
    );
    expect(index.charCodeAt(7)).toBe(version);
    expect(paths(index)).toEqual(NAMES.filter((name) => name !== 'a'));
  });

  it('a split one, whose shared one it names', () => {
    const { index, read } = gits(['b', 'c', 'd'], ['update-index', '--split-index'], ['rm', '-q', '--cached', 'c']);
    expect(paths(index, read)).toEqual(['b', 'd']);
    expect(paths(index)).toBeNull();
    expect(paths(index, () => indexOf(['b', 'c', 'd']) as Bytes)).toBeNull();
  });

  it('a split one, of which paths are gone, changed and new', () => {
    const many = Array.from({ length: 700 }, (_, i) => `p${1000 + i}`);
    // Runs of bits that are all 1 or all 0, and words of both, one after the other.
    const gone = many.filter((_, i) => i < 200 || [320, 321, 351, 352, 353, 383, 389, 424].includes(i));
    const changed = ['--cacheinfo', `100644,${'2'.repeat(40)},${many[300]}`];
    const { index, read } = gits(
      many,
      ['update-index', '--split-index'],
      ['update-index', '--force-remove', ...gone],
      ['update-index', ...changed, '--add', '--cacheinfo', `100644,${'2'.repeat(40)},p1500x`],
    );
    expect(index).toContain('link\0');
    expect(paths(index, read)).toEqual([...many.filter((path) => !gone.includes(path)), 'p1500x'].sort());
  });

  it('a split one that takes all of the shared one, or nothing', () => {
    const id = 'x'.repeat(20);
    const shared = (extensions: string) => `${indexOf(['a', 'c'], extensions).slice(0, -20)}${id}` as Bytes;
    const link = `link\0\0\0\x14${id}`;
    expect(paths(indexOf(['b'], link), () => shared(''))).toEqual(['a', 'b', 'c']);
    expect(paths(indexOf(['b'], link), () => shared(link))).toBeNull();
    expect(paths(indexOf(['b'], `link\0\0\0\x14${'\0'.repeat(20)}`))).toEqual(['b']);
  });

  it.each([3, 4])('version %i with longer flags', (version) => {
    const words = version === 4 ? [['update-index', '--index-version', '4']] : [];
    const { index } = gits(['a', 'b', 'c'], ...words, ['update-index', '--skip-worktree', 'b']);
    expect(index.charCodeAt(7)).toBe(version);
    expect(paths(index)).toEqual(['a', 'b', 'c']);
  });

  it('extensions that may be skipped', () => {
    expect(paths(indexOf(UNSORTED, EXTENSION))).toEqual(UNSORTED);
    expect(paths(indexOf(UNSORTED, EXTENSION.toLowerCase()))).toBeNull();
    expect(paths(indexOf(UNSORTED, EXTENSION.replace('A', 'a')))).toBeNull();
  });

  it('a sparse one, with a directory in place of what is in it', () => {
    expect(paths(indexOf(['a', 'b/'], 'sdir\0\0\0\0'))).toEqual(['a', 'b/']);
  });

  it('a large one, which is read with pauses', () => {
    const many = Array.from({ length: 2 * HANDFUL.entries + 1 }, (_, i) => `p${i}`);
    const pauses = [...trackedPaths(indexOf(many) as Bytes, 20, (name) => loaded(() => name))];
    expect(pauses).toHaveLength(2);
  });
});

describe('an index that cannot be used', () => {
  it.each([
    ['version 2', []],
    ['version 4', [['update-index', '--index-version', '4']]],
    [
      'split',
      [
        ['update-index', '--split-index'],
        ['rm', '-q', '--cached', 'c'],
      ],
    ],
  ])('is cut short anywhere: %s', (_, args) => {
    const { index, read } = gits(['b', 'c', 'd/e'], ...args);
    const whole = paths(index, read) as readonly string[];
    expect(whole.length).toBeGreaterThan(0);
    for (let length = 0; length < index.length; length++) {
      // What is left may look whole, with the end of an extension for its checksum, which git does not check either.
      const found = paths(index.slice(0, length), read);
      expect(found === null || found.every((path) => whole.includes(path))).toBe(true);
      if (!index.includes('link')) expect(found).toBeNull();
    }
  });

  it.each<readonly [string, string]>([
    ['another signature', indexOf(['a']).replace('DIRC', 'DIRD')],
    ...[0, 1, 5, 2 ** 31].map((version) => [`version ${version}`, indexOf(['a'], '', 1, version)] as const),
    ...[2, 2 ** 31, 2 ** 32 - 1].map((count) => [`${count} entries`, indexOf(['a'], '', count)] as const),
    ['an extension of 2 GB', indexOf(['a'], 'ABCD\x7f\x7f\x7f\x7fx')],
    ['a link to a shared index that is cut', indexOf(['a'], 'link\0\0\0\x02xy')],
    ['a link to nothing', indexOf(['a'], 'link\0\0\0\0')],
    ['version 4 with less of a path than nothing', indexOf([], `${'\0'.repeat(62)}\x01a\0`, 1, 4)],
    ['no end of a path', indexOf(['a']).replace(/\0*$/, 'x'.repeat(40))],
    ['nothing', ''],
  ])('%s', (_, content) => {
    expect(paths(content)).toBeNull();
  });

  it('version 4 with paths that grow beyond any bound', () => {
    const entry = (byte: string) => `${'\0'.repeat(62)}\0${byte}\0`;
    const content = indexOf([], entry('a').repeat(20_000), 20_000, 4);
    expect(paths(content)).toBeNull();
  });
});

it('noise: any change of a few bytes gives paths or none, and never fails', () => {
  const dice = diceFor(1);
  const forms = [
    gits(['b', 'c', 'd/e'], ['update-index', '--index-version', '4']).index,
    indexOf(['a', 'b'], EXTENSION),
  ];
  const { index, read } = gits(['b', 'c', 'd'], ['update-index', '--split-index'], ['rm', '-q', '--cached', 'c']);
  for (let i = 0; i < 20_000; i++) {
    const bytes = Buffer.from([...forms, index][i % 3] as string, 'latin1');
    for (let flips = 1 + dice.below(4); flips > 0; flips--) bytes[dice.below(bytes.length)] = dice.below(256);
    const found = paths(bytes.toString('latin1'), (name) => trySharing(read, name));
    expect(found === null || Array.isArray(found)).toBe(true);
  }
});

function trySharing(read: (name: string) => Bytes, name: string): Bytes | null {
  try {
    return read(name);
  } catch {
    return null;
  }
}
