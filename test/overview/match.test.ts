import { describe, expect, it } from 'vitest';
import { matchSelector } from '../../src/overview/match.ts';
import { WordMatch } from '../../src/overview/match-words.ts';
import { Budget } from '../../src/workspace/budget.ts';
import { type Bytes, bytesOf } from '../../src/workspace/bytes.ts';
import { entriesOf } from '../support/entries.ts';

/** Which of the paths below the listed directory match. */
async function matching(match: string, paths: readonly string[], listed = ''): Promise<string[]> {
  const select = (await matchSelector(match, Budget.unlimited()))(bytesOf(listed));
  return paths.filter((path) => {
    const slash = path.lastIndexOf('/');
    return select(entriesOf([bytesOf(path.slice(slash + 1))]), 0, bytesOf(path.slice(0, Math.max(slash, 0))));
  });
}

describe('a word', () => {
  it('is looked for in the name, in any case', async () => {
    expect(await matching('Tree', ['tree.ts', 'a/street', 'SUBTREES', 'tree/a', 'ree'])).toEqual([
      ...['tree.ts', 'a/street', 'SUBTREES'],
    ]);
  });

  it('is looked for in the path from the root, if it has a slash', async () => {
    expect(await matching('LIB/a', ['lib/a.ts', 'a.ts', 'x/lib/abc'], 'src')).toEqual(['lib/a.ts', 'x/lib/abc']);
    expect(await matching('src/A', ['a.ts', 'b/a.ts', 'b'], 'src')).toEqual(['a.ts']);
    expect(await matching('src/a', ['a.ts', 'src/a.ts'], '')).toEqual(['src/a.ts']);
  });

  it('is compared as text where a name is text, and as bytes where it is not', async () => {
    expect(await matching('É', ['café', 'cafe'])).toEqual(['café']);
    const select = (await matchSelector('caf', Budget.unlimited()))('' as Bytes);
    expect(select(entriesOf(['CAF\xe9' as Bytes]), 0, '' as Bytes)).toBe(true);
  });

  it.each(['a+b', 'a@b', 'a!b', 'a(b', '!a', 'a]b', 'a}b'])('may hold what begins no glob: %s', async (word) => {
    expect(await matching(word, [`x${word}x`, 'ab'])).toEqual([`x${word}x`]);
  });
});

describe('a glob', () => {
  it.each<[string, string[]]>([
    ['*.ts', ['a.ts', 'd/b.ts', '.c.ts']],
    ['?.ts', ['a.ts', 'd/b.ts']],
    ['[ab].ts', ['a.ts', 'd/b.ts']],
    ['{a,x}.*', ['a.ts', 'x.js']],
    ['+(a|b).ts', ['a.ts', 'd/b.ts']],
    ['@(x).js', ['x.js']],
    ['n!(x)e.md', ['name.md']],
  ])('%s is tried on the name', async (glob, found) => {
    expect(await matching(glob, ['a.ts', 'd/b.ts', '.c.ts', 'x.js', 'name.md'])).toEqual(found);
  });

  it('with a slash is tried on the path from the root, from the listed directory, and from between', async () => {
    const paths = ['a.ts', 'lib/a.ts', 'x/lib/a.ts'];
    expect(await matching('lib/*.ts', paths)).toEqual(['lib/a.ts']);
    expect(await matching('*/a.ts', paths)).toEqual(['lib/a.ts']);
    expect(await matching('lib/*.ts', paths, 'src/lib')).toEqual(['a.ts', 'lib/a.ts']);
    expect(await matching('src/lib/*.ts', paths, 'src/lib')).toEqual(['a.ts']);
    expect(await matching('rc/lib/*.ts', paths, 'src/lib')).toEqual([]);
    expect(await matching('b/*.ts', paths, 'a/b/c')).toEqual([]);
  });

  it('that is negated leaves out what it matches from any of these places', async () => {
    const paths = ['a.ts', 'b.js'];
    expect(await matching('!lib/*.ts', paths)).toEqual(paths);
    expect(await matching('!lib/*.ts', paths, 'src/lib')).toEqual(['b.js']);
    expect(await matching('!src/lib/*.ts', paths, 'src/lib')).toEqual(['b.js']);
    expect(await matching('!*/lib/*.ts', paths, 'src')).toEqual(paths);
  });

  it('counts as work', async () => {
    for (const glob of ['*a*b*c*.ts', 'x/*a*b*c*.ts']) {
      const call = Budget.unlimited();
      (await matchSelector(glob, call))(bytesOf('x'))(entriesOf([bytesOf('aaaabbbb.ts')]), 0, '' as Bytes);
      expect(call.steps).toBeGreaterThan(0);
    }
  });
});

describe('how well a file matches', () => {
  const ranked = (match: string, paths: readonly string[]) => {
    const words = new WordMatch(match);
    const worth = (path: string) => words.worth(bytesOf(path));
    return paths.toSorted((a, b) => worth(b) - worth(a));
  };

  it.each([
    ['queue', ['src/Queue.php', 'src/QueueWorker.php', 'src/QueueExceptionOccurredTest.php', 'src/Dequeued.php']],
    [
      'queue queue',
      [
        'queue/Queue.php',
        'queue/QueueWorker.php',
        'queue/QueueExceptionOccurredTest.php',
        'a/QueueExceptionOccurredTest.php',
      ],
    ],
    ['router test', ['test/router.ts', 'test/router-errors.ts', 'src/test/a-router-of-all-other-errors.ts']],
  ])('%s', (match, paths) => {
    expect(ranked(match, paths.toReversed())).toEqual(paths);
  });
});
