import { describe, expect, it } from 'vitest';
import { type Bytes, bytesOf } from '../../src/names/bytes.ts';
import { globSelector, wordsOf } from '../../src/overview/match.ts';
import { type SelectBelow, WordMatch } from '../../src/overview/match-words.ts';
import { Budget } from '../../src/workspace/budget.ts';
import { entriesOf } from '../support/entries.ts';

/** As a map selects at first. */
async function selectorOf(match: string): Promise<SelectBelow> {
  return wordsOf(match)?.inNames ?? (await globSelector(match, Budget.unlimited()));
}

/** Which of the paths below the listed directory match. */
async function matching(match: string, paths: readonly string[], listed = ''): Promise<string[]> {
  const select = (await selectorOf(match))(bytesOf(listed));
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

  it('may begin with the root', async () => {
    for (const word of ['src/a', './src/a', '/src/a', '././src/a']) {
      expect(await matching(word, ['src/a.ts', 'src/b.ts', 'x/src/a.ts', 'xsrc/a.ts'])).toContain('src/a.ts');
    }
    expect(await matching('/src/a', ['x/src/a.ts', 'xsrc/a.ts'])).toEqual(['x/src/a.ts']);
    expect(await matching('./a.ts', ['a.ts', 'b.ts'])).toEqual(['a.ts']);
  });

  it('is compared as text where a name is text, and as bytes where it is not', async () => {
    expect(await matching('É', ['café', 'cafe'])).toEqual(['café']);
    const select = (await selectorOf('caf'))('' as Bytes);
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

  it.each(['./src/*.ts', '/src/*.ts', './/src/*.ts'])('may begin with the root: %s', async (glob) => {
    const paths = ['src/a.ts', 'src/b.js', 'x/src/a.ts'];
    expect(await matching(glob, paths)).toEqual(['src/a.ts']);
    expect(await matching(`!${glob}`, paths)).toEqual(['src/b.js', 'x/src/a.ts']);
    expect(await matching(glob, ['a.ts'], 'src')).toEqual(['a.ts']);
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
      (await globSelector(glob, call))(bytesOf('x'))(entriesOf([bytesOf('aaaabbbb.ts')]), 0, '' as Bytes);
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

/** Which of the paths below the listed directory a selection takes. */
function selected(select: SelectBelow, paths: readonly string[], listed = ''): string[] {
  const selects = select(bytesOf(listed));
  return paths.filter((path) => {
    const slash = path.lastIndexOf('/');
    return selects(entriesOf([bytesOf(path.slice(slash + 1))]), 0, bytesOf(path.slice(0, Math.max(slash, 0))));
  });
}

describe('several words', () => {
  it('are divided by any white space, in lower case', () => {
    expect(new WordMatch('  Use \t AUTH\n').words).toEqual(['use', 'auth']);
    expect(new WordMatch(' ').words).toEqual([]);
  });

  it('are looked for in the path from the root, one of them at least in the name', () => {
    const { inNames } = new WordMatch('auth Test');
    const paths = ['auth/test.ts', 'test/Auth.ts', 'auth/test/x.ts', 'auth-TEST', 'test', 'auth', 'x/test'];
    expect(selected(inNames, paths)).toEqual(['auth/test.ts', 'test/Auth.ts', 'auth-TEST']);
    expect(selected(inNames, paths, 'src/AUTH')).toEqual([
      ...['auth/test.ts', 'test/Auth.ts', 'auth-TEST', 'test', 'x/test'],
    ]);
  });

  it('may be anywhere if one of them has a slash', () => {
    const { inNames } = new WordMatch('src/a lib');
    expect(selected(inNames, ['src/a/lib/x', 'src/lib/a', 'lib/src/ab/x', 'a/lib'])).toEqual([
      ...['src/a/lib/x', 'lib/src/ab/x'],
    ]);
    expect(selected(inNames, ['lib/x', 'x'], 'src/a')).toEqual(['lib/x']);
  });

  it('may be anywhere if nothing has them in its name', () => {
    const { inPaths } = new WordMatch('auth Test');
    const paths = ['auth/test/x.ts', 'TEST/a/auth/y', 'auth/x', 'test/x', 'testauth'];
    expect(selected(inPaths, paths)).toEqual(['auth/test/x.ts', 'TEST/a/auth/y', 'testauth']);
    expect(selected(inPaths, paths, 'Auth')).toEqual(['auth/test/x.ts', 'TEST/a/auth/y', 'test/x', 'testauth']);
  });
});

it('one word is looked for in names, and with a slash in paths from the root', () => {
  expect(selected(new WordMatch('Auth').inNames, ['auth/x', 'x/AUTH.ts', 'oauth'])).toEqual(['x/AUTH.ts', 'oauth']);
  expect(selected(new WordMatch('Auth').inNames, ['x'], 'auth')).toEqual([]);
  expect(selected(new WordMatch('c/X').inNames, ['x', 'a/c/x1', 'a/xc'], 'src')).toEqual(['x', 'a/c/x1']);
  expect(selected(new WordMatch('').inNames, ['x', 'y/z'])).toEqual(['x', 'y/z']);
});

describe('what a file is worth', () => {
  /** The points of a file: each is twice as much as the one before. */
  const points = (match: string, path: string) => Math.log2(new WordMatch(match).worth(bytesOf(path)));

  it.each<[string, string, number]>([
    // The whole name without its extension, and nothing else.
    ['auth', 'src/Auth.ts', 13 + 4],
    ['auth', 'auth', 13 + 4],
    ['auth', 'src/.auth.json', 13 + 4],
    ['use-auth', 'src/use-auth.test.ts', 13 + 4],
    // A word of the name, which covers a part of it.
    ['auth', 'src/use-auth.ts', 9 + 2],
    ['auth', 'src/UserAuth.ts', 9 + 2],
    ['auth', 'src/user2Auth.ts', 9 + 2],
    ['ts', 'src/auth.ts', 9],
    ['use-auth', 'src/x.use-auth', 6],
    // A part of a word.
    ['aut', 'src/auth.ts', 6 + 3],
    ['uth', 'src/oauthorized-all.ts', 6 + 1],
    // The directory that the file is in.
    ['auth', 'auth/x.ts', 7],
    ['auth', 'src/use-auth/x.ts', 7],
    ['auth', 'src/oauth/x.ts', 4],
    ['AUTH', 'src/OAUTH/x.ts', 4],
    // Elsewhere.
    ['auth', 'auth/src/x.ts', 1],
    ['auth', 'x.ts', 1],
  ])('for %s, %s has its points', (match, path, expected) => {
    expect(points(match, path)).toBe(expected);
  });

  it('is the sum for several words, and the longest counts for what the name has', () => {
    expect(points('user auth', 'src/user-auth.ts')).toBe(9 + 9 + 2);
    expect(points('auth test', 'test/auth.ts')).toBe(13 + 7 + 4);
    expect(points('a user', 'src/user-a.ts')).toBe(9 + 9 + 3);
  });

  it('is that of the directory where a word is said again', () => {
    expect(points('auth auth', 'auth/auth.ts')).toBe(13 + 7 + 4);
    expect(points('auth auth', 'src/auth.ts')).toBe(13 + 1 + 4);
    expect(points('auth auth', 'oauth/use-auth.ts')).toBe(9 + 4 + 2);
    expect(points('aut aut', 'xaut/auth.ts')).toBe(6 + 4 + 3);
  });

  it('is known of every name', () => {
    expect(points('auth', '...')).toBe(1);
    expect(points('auth', 'src/...auth')).toBe(13 + 4);
    expect(points('', 'x')).toBe(0);
    expect(Math.log2(new WordMatch('caf').worth('src/caf\xe9' as Bytes))).toBeGreaterThan(6);
    expect(points('é', 'src/é.ts')).toBe(13 + 4);
  });
});

describe('a word that nothing has', () => {
  /** The words after these names were met. */
  function corrected(match: string, names: readonly string[]): readonly string[] | null {
    const words = new WordMatch(match);
    selected(words.inPaths, names);
    return words.corrected()?.words ?? null;
  }

  it('is the nearest of those that were met', () => {
    expect(corrected('controler', ['user-controller.ts', 'UserService.ts'])).toEqual(['controller']);
    expect(corrected('servise', ['user-controller.ts', 'UserService.ts'])).toEqual(['service']);
    expect(corrected('Servise', ['src/x', 'serviceÉtat'])).toEqual(['service']);
    expect(corrected('stylse', ['café/stylés.css', 'styles'])).toEqual(['styles']);
    expect(corrected('use-auht', ['use-auth.ts'])).toEqual(['use-auth']);
  });

  it('is corrected beside those that are there, also as a part of a word', () => {
    expect(corrected('user controler', ['users', 'controller'])).toEqual(['user', 'controller']);
    expect(corrected('servise controler', ['service', 'controller'])).toEqual(['service', 'controller']);
  });

  it('is given up where nothing is near, or nothing was wrong', () => {
    expect(corrected('controler', [])).toBeNull();
    expect(corrected('controler', ['zebra'])).toBeNull();
    expect(corrected('controler zebra', ['controller', 'apple'])).toBeNull();
    expect(corrected('user', ['users'])).toBeNull();
  });
});
