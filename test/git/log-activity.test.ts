/** How much the files of a directory count by the commits that touched them. */
import { describe, expect, it } from 'vitest';
import { activityIn } from '../../src/git/log.ts';
import type { Bytes } from '../../src/names/bytes.ts';

/** The weights in a directory after commits to these paths, the last commit first. */
function activity(commits: readonly (readonly string[])[], directory = '') {
  const paths = [...new Set(commits.flat())];
  const log = commits.map((touched) => ({ subject: 'x', files: touched.map((path) => paths.indexOf(path)) }));
  return activityIn({ paths: paths as Bytes[], commits: log }, directory as Bytes) as Map<string, number> | null;
}

const many = (count: number) => Array.from({ length: count }, (_, i) => `many/${i}`);
const apart = (count: number) => Array.from({ length: count }, (_, i) => `${i}/file`);

describe('a file counts', () => {
  it('by the part of the commits that touched it', () => {
    const weights = activity([['a'], ['a', 'b']]);
    const [a = 0, b = 0] = [weights?.get('a'), weights?.get('b')];
    expect([...(weights?.keys() ?? [])]).toEqual(['a', 'b']);
    // The first commit counts 1 and 16/17 for its file, the one before it 100/101 and 16/18 for two in one directory.
    const before = 100 / 101;
    const each = (before * 16) / 18 / Math.SQRT2;
    expect(a).toBeCloseTo((16 / 17 + each) / (1 + before), 9);
    expect(b).toBeCloseTo(each / (1 + before), 9);
  });

  it.each([
    [100, 1 / 2],
    [200, 1 / 3],
    [900, 1 / 10],
  ])('less %i commits later: %d', (later, part) => {
    const between = Array.from({ length: later - 1 }, () => ['other']);
    const weights = activity([['new'], ...between, ['old']]);
    expect((weights?.get('old') ?? 0) / (weights?.get('new') ?? 1)).toBeCloseTo(part, 9);
  });

  it('not at all after 1500 commits', () => {
    const commits = Array.from({ length: 1499 }, () => ['other']);
    expect(activity([...commits, ['last'], ['late']])?.has('last')).toBe(true);
    expect(activity([...commits, ['last'], ['late']])?.has('late')).toBe(false);
  });

  it('half as much among 16, and a third among 32', () => {
    expect(activity([apart(16)])?.get('1/file')).toBeCloseTo(1 / 2, 9);
    expect(activity([apart(32)])?.get('1/file')).toBeCloseTo(1 / 3, 9);
  });

  it('half as much where 4 in one directory were touched, because one call finds them all', () => {
    const [together, alone] = [[...many(4), ...apart(4)], [...apart(8)]].map((touched) => activity([touched]));
    expect(together?.get('many/1')).toBeCloseTo((alone?.get('1/file') ?? 0) / 2, 9);
    expect(together?.get('1/file')).toBe(alone?.get('1/file'));
  });

  it('less after a commit that touched too many files to name them', () => {
    expect(activity([[], ['one']])?.get('one')).toBeLessThan(0.5);
  });
});

describe('a directory', () => {
  it('is told of what is below it, by paths that begin there', () => {
    const weights = activity([['a/b/c', 'a/d', 'ab', 'e']], 'a');
    expect([...(weights?.keys() ?? [])]).toEqual(['b/c', 'd']);
    // Only what it has counts for how many the commit touched.
    expect(weights?.get('d')).toBeCloseTo(16 / 18, 9);
  });

  it('does not count what happened elsewhere, or what touched too many files', () => {
    const elsewhere = Array.from({ length: 1500 }, () => ['elsewhere']);
    expect(activity([...elsewhere, [], ['quiet/file']], 'quiet')).toEqual(activity([['file']]));
  });

  it.each([
    ['no commit', [], ''],
    ['no commit to it', [['a']], 'b'],
    ['only commits that touched too many files', [[], []], ''],
  ])('has no activity with %s', (_, commits, directory) => {
    expect(activity(commits, directory)).toBeNull();
  });
});
