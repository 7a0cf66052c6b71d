/** The directory cache is never wrong: whatever changes between two calls, the answer is that of a fresh reading. */

import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { call, openWorkspace, type Workspace } from '../../src/index.ts';
import { asGiven } from '../../src/names/paths.ts';
import { DirectoryCache, hasSettled } from '../../src/workspace/cache.ts';
import type { Metadata, Stamp } from '../../src/workspace/source.ts';
import { ownHome } from '../support/home.ts';
import { diceFor } from '../support/ignore-trees.ts';
import { settle, unsettle } from '../support/settled.ts';
import { addTree, emptyDirectory, makeTree } from '../support/tree.ts';

afterEach(unsettle);

const CLOCK = { now: () => 0, timeOfDay: () => Date.now() };

const home = ownHome();

/** What the two dialects say of the directory `d`, without what depends on the clock. */
async function answers(workspace: Workspace, root: string, cache: boolean) {
  const standard = await call('standard', { path: 'd', limit: 3 }, workspace, { cache });
  const gemini = await call('gemini', { path: join(root, 'd'), ignore: ['*.tmp'], debug: true }, workspace, { cache });
  const { fromCache = false, timings: _, ...counts } = gemini.debug ?? {};
  return {
    fromCache,
    text: [standard.text, gemini.llmContent, gemini.returnDisplay],
    standard: standard.data,
    counts,
  };
}

async function expectFresh(workspace: Workspace, root: string): Promise<boolean> {
  const { fromCache, ...cached } = await answers(workspace, root, true);
  const { fromCache: never, ...fresh } = await answers(workspace, root, false);
  expect(cached).toEqual(fresh);
  expect(never).toBe(false);
  return fromCache;
}

const TREE = {
  '.gitignore': '*.log\nbuild/\n',
  '.geminiignore': '*.bak\n',
  'd/a.txt': '1',
  'd/b.log': '',
  'd/c.bak': '',
  'd/B.LOG': '',
  'd/sub/x': '',
  'd/link': { link: '../elsewhere/target' },
  'd/outer': { link: '../../outside' },
  'elsewhere/target/x': '',
  'other/a.txt': '1',
  'other/z.txt': '',
};

function project(): { root: string; git: (...args: string[]) => void } {
  const root = makeTree(TREE);
  const git = (...args: string[]) => {
    execFileSync('git', args, { cwd: root, stdio: 'pipe' });
  };
  git('init', '-q');
  return { root, git };
}

type Change = (root: string, git: (...args: string[]) => void) => void;

const write =
  (path: string, content: string): Change =>
  (root) =>
    addTree(root, { [path]: content });
const config =
  (...args: string[]): Change =>
  (_, git) =>
    git('config', ...args);

const changes: Record<string, Change> = {
  'a new file': write('d/new', ''),
  'a file that goes': (root) => fs.rmSync(join(root, 'd/a.txt')),
  'a file renamed': (root) => fs.renameSync(join(root, 'd/a.txt'), join(root, 'd/A.txt')),
  'a file renamed over another': (root) => fs.renameSync(join(root, 'd/a.txt'), join(root, 'd/b.log')),
  'a file moved in over another': (root) => fs.renameSync(join(root, 'other/a.txt'), join(root, 'd/a.txt')),
  'two names swapped': (root) => {
    fs.renameSync(join(root, 'd/a.txt'), join(root, 'd/swap'));
    fs.renameSync(join(root, 'd/sub'), join(root, 'd/a.txt'));
    fs.renameSync(join(root, 'd/swap'), join(root, 'd/sub'));
  },
  'a file that becomes a directory': (root) => {
    fs.rmSync(join(root, 'd/a.txt'));
    fs.mkdirSync(join(root, 'd/a.txt'));
  },
  'a file that comes and one that goes, with the old time set again': (root) => {
    const { atime, mtime } = fs.statSync(join(root, 'd'));
    fs.rmSync(join(root, 'd/a.txt'));
    fs.writeFileSync(join(root, 'd/c.txt'), '1');
    fs.utimesSync(join(root, 'd'), atime, mtime);
  },
  'a mode that changes': (root) => fs.chmodSync(join(root, 'd'), 0o711),
  'a link to another place': (root) => {
    fs.rmSync(join(root, 'd/link'));
    fs.symlinkSync('../other/z.txt', join(root, 'd/link'));
  },
  "a link's target that becomes a file": (root) => {
    fs.rmSync(join(root, 'elsewhere/target'), { recursive: true });
    fs.writeFileSync(join(root, 'elsewhere/target'), '');
  },
  "a link's target that goes": (root) => fs.rmSync(join(root, 'elsewhere'), { recursive: true }),
  'an outside target that comes': (root) => fs.mkdirSync(join(root, '../outside')),
  'the directory replaced by another': (root) => {
    fs.renameSync(join(root, 'd'), join(root, 'was'));
    fs.renameSync(join(root, 'other'), join(root, 'd'));
  },
  'the directory replaced by a link': (root) => {
    fs.renameSync(join(root, 'd'), join(root, 'was'));
    fs.symlinkSync('other', join(root, 'd'));
  },
  'the root replaced by another': (root) => {
    fs.renameSync(root, `${root}-was`);
    addTree(root, { 'd/only': '' });
  },
  'an ignore file of the same size': write('.gitignore', '*.txt\nbuild/\n'),
  'an ignore file renamed over': (root) => {
    fs.writeFileSync(join(root, 'new'), '*.txt\nbuild/\n');
    fs.renameSync(join(root, 'new'), join(root, '.gitignore'));
  },
  'an ignore file that goes': (root) => fs.rmSync(join(root, '.gitignore')),
  'an ignore file that becomes a link': (root) => {
    fs.renameSync(join(root, '.gitignore'), join(root, 'rules'));
    fs.symlinkSync('rules', join(root, '.gitignore'));
  },
  'a nested ignore file': write('d/.gitignore', '!b.log\n'),
  'a rule that ignores the directory': write('.gitignore', 'd/\n'),
  'rules in .git/info/exclude': write('.git/info/exclude', 'sub\n'),
  'a .geminiignore of the same size': write('.geminiignore', '*.txt\n'),
  'a .geminiignore that goes': (root) => fs.rmSync(join(root, '.geminiignore')),
  'a .geminiconfig': write('.geminiconfig', '{"fileFiltering": {"respectGitIgnore": false}}'),
  'patterns in a .geminiconfig': write('.geminiconfig', '{"fileFiltering": {"defaultIgnorePatterns": ["a*"]}}'),
  'core.ignorecase': config('core.ignorecase', 'true'),
  'core.excludesFile': (root, git) => {
    fs.writeFileSync(join(root, '../excludes'), 'a.txt\n');
    git('config', 'core.excludesFile', join(root, '../excludes'));
  },
  "the user's own ignore file": () => addTree(home, { 'xdg/git/ignore': 'a.*\n' }),
  "the user's own configuration": (root) => {
    fs.writeFileSync(join(root, '../mine'), 'sub\n');
    addTree(home, { '.gitconfig': `[core]\nexcludesFile = ${join(root, '../mine')}\n` });
  },
  'no repository any more': (root) => fs.rmSync(join(root, '.git'), { recursive: true }),
  'a repository in the directory': (root) => {
    execFileSync('git', ['init', '-q', join(root, 'd')], { stdio: 'pipe' });
  },
};

describe('the directory cache', () => {
  it.each(Object.entries(changes))('notices %s', async (_, change) => {
    const { root, git } = project();
    const workspace = await openWorkspace(root);
    settle();
    await expectFresh(workspace, root);
    const before = await answers(workspace, root, true);
    expect(before.fromCache).toBe(true);
    unsettle();
    change(root, git);
    await expectFresh(workspace, root);
    settle();
    await expectFresh(workspace, root);
    fs.rmSync(join(home, '.gitconfig'), { force: true });
    fs.rmSync(join(home, 'xdg'), { recursive: true, force: true });
    workspace.close();
  });

  it('never keeps what was changed a moment ago', async () => {
    const root = emptyDirectory();
    fs.mkdirSync(join(root, 'd'));
    const workspace = await openWorkspace(root);
    // Each round has its own name of the same length: what a clock that stands still could not tell apart.
    for (let i = 100; i < 400; i++) {
      fs.writeFileSync(join(root, `d/${i}`), '');
      await expectFresh(workspace, root);
      fs.renameSync(join(root, `d/${i}`), join(root, `d/${i + 400}`));
      await expectFresh(workspace, root);
      fs.rmSync(join(root, `d/${i + 400}`));
    }
    workspace.close();
  });

  it('is right after any row of changes, with any pause between them', async () => {
    const dice = diceFor(7);
    const { root } = project();
    const workspace = await openWorkspace(root);
    let hits = 0;
    for (let round = 0; round < 60; round++) {
      unsettle();
      const [from, to] = [join(root, `d/${dice.below(5)}`), join(root, `d/${dice.below(5)}`)];
      if (dice.percent(40)) fs.writeFileSync(from, '');
      else if (dice.percent(50)) fs.rmSync(from, { force: true });
      else if (fs.existsSync(from)) fs.renameSync(from, to);
      if (dice.percent(30)) settle();
      if (await expectFresh(workspace, root)) hits++;
      if (await expectFresh(workspace, root)) hits++;
    }
    // Otherwise nothing was tried.
    expect(hits).toBeGreaterThan(3);
    workspace.close();
  });

  it('keeps no more than fits, and what was used last', async () => {
    const workspace = await openWorkspace(makeTree({ 'd/a': '' }));
    settle();
    const directory = workspace.enter(asGiven('d'));
    const stamp = directory.stamp() as Stamp;
    const cache = new DirectoryCache(CLOCK);
    cache.limit = 10_000;
    for (let i = 0; i < 20; i++) {
      cache.keep(`${i}`, i, 990, stamp, stamp);
      expect(cache.find('0', () => stamp)).toBe(0);
    }
    const kept = Array.from({ length: 20 }, (_, i) => i).filter((i) => cache.find(`${i}`, () => stamp) !== null);
    expect(kept).toEqual([0, ...Array.from({ length: kept.length - 1 }, (_, i) => 21 - kept.length + i)]);
    expect(kept.length).toBeGreaterThan(6);
    expect(cache.size).toBeLessThanOrEqual(10_000);
    cache.keep('too large', 1, 10_001, stamp, stamp);
    cache.keep('changed', 1, 1, stamp, { ...stamp, ctimeNs: stamp.ctimeNs + 1n });
    expect([cache.find('too large', () => stamp), cache.find('changed', () => stamp)]).toEqual([null, null]);
    directory.leave();
    workspace.close();
  });

  it('does not lose what is asked for again to a flood of what is not', () => {
    const cache = new DirectoryCache(CLOCK);
    cache.limit = 10_000;
    for (const [key, size] of [
      ['map', 3_000],
      ['page', 5_000],
    ] as const) {
      cache.remember(key, key, size);
      expect(cache.find(key)).toBe(key);
    }
    for (let i = 0; i < 20; i++) cache.remember(`flood ${i}`, i, 4_000);
    expect([cache.find('map'), cache.find('page')]).toEqual(['map', 'page']);
    // What nobody asks for any more makes room for what is asked for now.
    for (let i = 0; i < 6; i++) {
      cache.remember(`new ${i}`, i, 1_900);
      expect(cache.find(`new ${i}`)).toBe(i);
    }
    expect([cache.find('map'), cache.find('page')]).toEqual([null, null]);
    expect(cache.size).toBeLessThanOrEqual(10_000);
  });

  it('gives any page of what it knows', async () => {
    const names = Array.from({ length: 500 }, (_, i) => `${(i * 7919) % 500}`.padStart(3, '0'));
    const root = makeTree(Object.fromEntries(names.map((name) => [`d/${name}`, ''])));
    const workspace = await openWorkspace(root);
    settle();
    for (const offset of [0, 100, 400, 37, 490, 250]) {
      const page = await call('standard', { path: 'd', offset, limit: 20 }, workspace);
      const paths = page.status === 'error' ? [] : page.data.entries.map(({ path }) => path);
      expect(paths).toEqual(
        names
          .toSorted()
          .slice(offset, offset + 20)
          .map((name) => `d/${name}`),
      );
    }
    workspace.close();
  });
});

describe('what is kept', () => {
  const SECOND = 1_000_000_000n;
  const MINUTES = 60_000;
  /** Times in nanoseconds; the clock says ten seconds. */
  const stamped = (mtimeNs: bigint, ctimeNs = mtimeNs): Stamp => ({ dev: 1n, ino: 2n, mtimeNs, ctimeNs });
  const stamp = stamped(1n);

  function cacheOf(limit: number, clock = { now: () => 0, timeOfDay: () => 10_000 }): DirectoryCache {
    const cache = new DirectoryCache(clock);
    cache.limit = limit;
    return cache;
  }

  const kept = (cache: DirectoryCache, keys: string) => [...keys].filter((key) => cache.find(key) !== null).join('');

  it.each<[string, boolean, Stamp]>([
    ['long ago', true, stamped(1n)],
    ['a tenth of a second ago, by a fine clock', false, stamped(10n * SECOND - 99_999_999n)],
    ['just longer ago than that', true, stamped(10n * SECOND - 100_000_001n)],
    ['two seconds ago, by a clock of whole microseconds', false, stamped(8n * SECOND)],
    ['three seconds ago, by such a clock', true, stamped(7n * SECOND)],
    ['its entries just now, itself long ago', false, stamped(10n * SECOND - 1n, 1n)],
    ['itself just now, its entries long ago', false, stamped(1n, 10n * SECOND - 1n)],
    ['exactly as long ago as the clock needs', false, stamped(10n * SECOND - 2_500_000_000n)],
  ])('was changed %s: %s', (_, isTrusted, found) => {
    expect(cacheOf(77).isSettled(found)).toBe(isTrusted);
  });

  it.each<[modified: number, changed: number | undefined, boolean]>([
    [7_499, undefined, true],
    [7_500, undefined, false],
    [7_499, 7_499, true],
    [1, 7_500, false],
    [7_500, 1, false],
  ])('a file of %d and %d milliseconds is trusted after ten seconds: %s', (modified, changed, isTrusted) => {
    vi.spyOn(Date, 'now').mockReturnValue(10_000);
    onTestFinished(() => void vi.restoreAllMocks());
    expect(hasSettled({ modified, changed } as Metadata)).toBe(isTrusted);
  });

  it('counts each once, with its key, up to the limit', () => {
    const cache = cacheOf(100);
    expect(cache.remember('a', 1, 100)).toBe(false);
    expect(cache.size).toBe(0);
    expect(cache.remember('a', 1, 99)).toBe(true);
    expect(cache.size).toBe(100);
    expect(cache.remember('a', 2, 9)).toBe(true);
    expect([cache.size, cache.find('a')]).toEqual([10, 2]);
  });

  it('is there while its directory is as it was', () => {
    const cache = cacheOf(100);
    expect(cache.keep('a', 1, 10, stamp, stamped(2n))).toBe(false);
    expect(cache.keep('a', 1, 10, stamp, null)).toBe(false);
    expect(cache.keep('a', 1, 10, stamp, stamped(1n))).toBe(true);
    expect(cache.find('a', () => stamped(1n))).toBe(1);
    expect(cache.find('a', () => stamped(1n, 2n))).toBeNull();
    for (const other of [{ dev: 7n }, { ino: 7n }, { mtimeNs: 7n }]) {
      cache.keep('a', 1, 10, stamp, stamp);
      expect(cache.find('a', () => ({ ...stamp, ...other }))).toBeNull();
    }
    expect([cache.find('a', () => stamp), cache.size]).toEqual([null, 0]);
    cache.keep('a', 1, 10, stamp, stamp);
    expect(cache.find('a')).toBeNull();
    // A source may tell by itself.
    cache.keep('b', 1, 10, { ...stamp, equals: () => true }, stamp);
    expect(cache.find('b', () => stamped(9n))).toBe(1);
  });

  it('makes room by what was not used for longest, down to a part of the limit', () => {
    const cache = cacheOf(1000);
    for (const key of 'abcdefghijklmnopqrstuvwxy') cache.remember(key, key, 39);
    expect(cache.size).toBe(1000);
    cache.remember('z', 'z', 39);
    expect(cache.size).toBe(840);
    expect(kept(cache, 'abcdefghijklmnopqrstuvwxyz')).toBe('fghijklmnopqrstuvwxyz');
  });

  it('makes room by what nobody asked for again, then by no more of the rest than exceeds that part', () => {
    const cache = cacheOf(1000);
    cache.remember('-', '-', 39);
    for (const key of 'abcdefghijklmnopqrstuv') {
      cache.remember(key, key, 39);
      cache.find(key);
    }
    cache.remember('+', '+', 89);
    expect(cache.size).toBe(930);
    expect(kept(cache, '-abcdefghijklmnopqrstuv+')).toBe('bcdefghijklmnopqrstuv+');
  });

  it('keeps what is large as long as it fits, and what has just come', () => {
    const sizes = { s: 29, t: 29, L: 599, M: 299, n: 49 };
    const filled = () => {
      const cache = cacheOf(1000);
      for (const [key, size] of Object.entries(sizes)) cache.remember(key, key, size);
      return cache;
    };
    const cache = filled();
    expect([cache.size, kept(cache, 'stLMn')]).toEqual([950, 'LMn']);
    const fuller = filled();
    fuller.remember('N', 1, 299);
    expect([fuller.size, kept(fuller, 'LMnN')]).toEqual([650, 'MnN']);
  });

  it('is forgotten when that is said', () => {
    const cache = cacheOf(100);
    cache.remember('a', 1, 9);
    cache.forget('nobody');
    expect(cache.size).toBe(10);
    cache.forget('a');
    expect([cache.size, cache.find('a')]).toEqual([0, null]);
  });

  it('is forgotten when nobody asks for it for five minutes', () => {
    let sweep: (() => void) | null = null;
    const timer = { unref: () => timer };
    vi.spyOn(globalThis, 'setInterval').mockImplementation(((tick: () => void) => {
      sweep = tick;
      return timer;
    }) as never);
    vi.spyOn(globalThis, 'clearInterval').mockImplementation(() => {
      sweep = null;
    });
    onTestFinished(() => void vi.restoreAllMocks());
    let time = 0;
    const cache = cacheOf(100, { now: () => time, timeOfDay: () => 10_000 });
    cache.remember('a', 1, 9);
    cache.remember('b', 1, 9);
    const pass = (minutes: number) => {
      time += minutes * MINUTES;
      if (time % (5 * MINUTES) === 0) sweep?.();
    };
    pass(4);
    expect(cache.find('a')).toBe(1);
    pass(1);
    expect([cache.size, cache.find('b')]).toEqual([10, null]);
    pass(5);
    expect([cache.size, sweep]).toEqual([0, null]);
    cache.remember('c', 1, 9);
    expect(sweep).not.toBeNull();
    pass(5);
    expect([cache.size, sweep]).toEqual([0, null]);
  });
});
