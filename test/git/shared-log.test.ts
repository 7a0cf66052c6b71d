/** How often git is asked, and how many run at a time. */
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { ALL_PARTS } from '../../src/git/history.ts';
import { historyOf, withObjects } from '../../src/git/shared-log.ts';
import { memorySource, openWorkspace } from '../../src/index.ts';
import { type Bytes, bytesOf } from '../../src/names/bytes.ts';
import { Budget } from '../../src/workspace/budget.ts';
import { directoryCache } from '../../src/workspace/cache.ts';
import type { Visit } from '../../src/workspace/visit.ts';
import { descriptors } from '../support/descriptors.ts';
import { git, makeRepository } from '../support/git.ts';
import { at, enterAt, enterRoot } from '../support/paths.ts';
import { isolateGit } from '../support/repository.ts';
import { COMMIT, heard, logOf, type ToldGit, withHistory } from '../support/told-git.ts';
import { addTree, makeTree } from '../support/tree.ts';
import { skipOnWindows } from '../support/windows.ts';

/** Every git that was asked, in order; it answers when the test says so. */
let asked: ToldGit[] = [];
let calls: AbortController[] = [];
/** Another one for each test: what is known of a commit is known for good. */
let commits = 0;

beforeEach(() => {
  [asked, calls] = [[], []];
  commits += 100;
});

afterEach(async () => {
  for (const done of calls) done.abort();
  await heard();
});

interface Place {
  readonly commit?: string;
  readonly objects?: string;
  readonly shallow?: Bytes;
}

const TREE = {
  ...Object.fromEntries([...'abcdefghij'].map((name) => [`${name}/`, {}])),
  '.git/objects/pack/one.pack': '',
  '.git/objects/7f/rest': '',
  'odd/pack/link': { link: '/elsewhere' },
  link: { link: '.git/objects' },
};

/** The history of a directory in memory, whose repository is told by the test. */
async function historyIn(directory: string, place: Place = {}) {
  const source = withHistory(memorySource(TREE, { root: '/root' }), { ...place, asked });
  const visit = enterAt(await openWorkspace(source), at(directory));
  return historyOf(visit, Budget.unlimited());
}

const commitOf = (name: string) => (commits + name.charCodeAt(0)).toString(16).padStart(39, '0').padStart(40, 'f');

/** A call that asks for the log of a commit, which has a letter. */
async function call(name: string, place: Place = {}) {
  const done = new AbortController();
  calls.push(done);
  const history = await historyIn('a', { commit: commitOf(name), ...place });
  const pending = history?.begin(done.signal) ?? null;
  await heard();
  return { take: async () => (await pending)?.take() ?? null, done: () => done.abort() };
}

/** The letters of the commits that git was asked about. */
const letters = () =>
  asked.map(({ words }) => String.fromCharCode(Number.parseInt(words.at(-2)?.slice(-3) ?? '', 16) - commits));
const LOG = { paths: ['x'], commits: [{ subject: 'x', files: [0] }] };

const tell = (git: ToldGit | undefined) => git?.finish(logOf(['x']));

describe('git is asked', () => {
  it('once for calls about one commit that are answered at the same time', async () => {
    const made = [await call('a'), await call('a'), await call('b')];
    expect(letters()).toEqual(['a', 'b']);
    await tell(asked[0]);
    const told = await made[0]?.take();
    expect(told).toEqual(LOG);
    expect(await made[1]?.take()).toBe(told);
  });

  it('once for calls that begin together, also where it takes time to look at the objects', async () => {
    const objects = '/root/.git/objects';
    const made = await Promise.all([call('a', { objects }), call('a', { objects })]);
    expect(asked.length).toBe(1);
    made[0].done();
    await tell(asked[0]);
    expect(await made[1].take()).toEqual(LOG);
  });

  it('once about a commit of which it has told everything', async () => {
    const first = await call('a');
    await tell(asked[0]);
    first.done();
    expect(await (await call('a')).take()).toEqual(LOG);
    expect(asked.length).toBe(1);
    await call('b');
    expect(asked.length).toBe(2);
  });

  it('again where it has not', async () => {
    const first = await call('a');
    await asked[0]?.finish(logOf(['x']), 128);
    expect(await first.take()).toBeNull();
    const second = await call('a');
    await tell(asked[1]);
    expect(await second.take()).toEqual(LOG);
  });

  it('again where there is no room to keep what it told', async () => {
    const before = [directoryCache.limit, directoryCache.size] as const;
    onTestFinished(() => {
      directoryCache.limit = before[0];
    });
    directoryCache.limit = 1000;
    await call('a');
    await asked[0]?.finish(logOf(Array.from({ length: 10 }, (_, i) => `path/${i}`)));
    expect(directoryCache.size).toBe(before[1]);
    await call('a');
    expect(asked.length).toBe(2);
    // Fewer paths take less.
    directoryCache.limit = before[0];
    await tell(asked[1]);
    await call('a');
    expect(asked.length).toBe(2);
    expect(directoryCache.size - before[1]).toBeGreaterThan(180);
    expect(directoryCache.size - before[1]).toBeLessThan(600);
  });

  it('about eight commits at a time, and others wait until one is told', async () => {
    const made = [];
    for (const name of 'abcdefghi') made.push(await call(name));
    expect(letters().join('')).toBe('abcdefgh');
    // Who asks what is asked already does not wait.
    const same = await call('b');
    await tell(asked[1]);
    expect(await same.take()).toEqual(LOG);
    expect(letters().join('')).toBe('abcdefghi');
    await tell(asked[8]);
    expect(await made[8]?.take()).toEqual(LOG);
  });
});

describe('who has given up', () => {
  it('ends git if nobody else wants to know, and the next one asks anew', async () => {
    const [first, second] = [await call('a'), await call('a')];
    first.done();
    expect(asked[0]?.ends).toBe(0);
    second.done();
    expect(asked[0]?.ends).toBe(1);
    const next = await call('a');
    expect(asked.length).toBe(2);
    await heard();
    // The one that was ended takes nothing away from the one that was not.
    const another = await call('a');
    expect(asked.length).toBe(2);
    await tell(asked[1]);
    expect([await next.take(), await another.take()]).toEqual([LOG, LOG]);
  });

  it('waits no longer, though others wait for the same', async () => {
    const [first, second] = [await call('a'), await call('a')];
    const told = first.take();
    first.done();
    expect(await told).toBeNull();
    expect(await first.take()).toBeNull();
    await tell(asked[0]);
    expect(await second.take()).toEqual(LOG);
  });

  it('while eight others were asked does not ask', async () => {
    const made = [];
    for (const name of 'abcdefghi') made.push(await call(name));
    made[8]?.done();
    expect(await made[8]?.take()).toBeNull();
    await tell(asked[0]);
    expect(asked.length).toBe(8);
  });

  it('before the beginning does not ask', async () => {
    const history = await historyIn('a', { commit: commitOf('a') });
    expect(await history?.begin(AbortSignal.abort())).toBeNull();
    expect(asked).toEqual([]);
  });
});

it('a log is for one commit and one place of objects, whatever the directory', async () => {
  const others: Place[] = [
    { commit: COMMIT.replaceAll('0', 'f') },
    { objects: '/other' },
    { shallow: bytesOf(COMMIT) },
  ];
  const histories = [await historyIn('a'), ...(await Promise.all(others.map((one) => historyIn('a', one))))];
  expect(new Set(histories.map((history) => history?.key)).size).toBe(4);
  expect(await historyIn('b')).toMatchObject({ key: histories[0]?.key, directory: 'b' });
  // What stands in one part of a key is not taken for what stands in the next.
  const [one, other] = [{ shallow: bytesOf('a') }, { commit: `${COMMIT}a` }];
  expect((await historyIn('b', one))?.key).not.toBe((await historyIn('b', other))?.key);
});

describe('there is no history', () => {
  it('where there is no repository', async () => {
    const visit = enterRoot(await openWorkspace(memorySource(TREE)));
    expect(await historyOf(visit, Budget.unlimited())).toBeNull();
  });

  it('where no text stands for the place of its objects', async () => {
    const source = withHistory(memorySource(TREE), { asked });
    const { root } = source;
    const odd = () => {
      const { repository, ...rest } = root();
      const history = repository?.history ?? null;
      const objects = '/\xe9' as Bytes;
      return { ...rest, repository: repository && { ...repository, history: history && { ...history, objects } } };
    };
    const visit = enterRoot(await openWorkspace({ ...source, root: odd }));
    expect(await historyOf(visit, Budget.unlimited())).toBeNull();
  });
});

describe('objects', () => {
  /** What of these objects is used, and how; nothing is held any more afterwards. */
  async function used(visit: Visit, objects: string) {
    const open = descriptors();
    const use = (descriptor: number | null, parts: readonly string[]) => {
      return { isHeld: descriptor !== null && descriptor !== visit.descriptor, parts: parts.toSorted() };
    };
    const found = await withObjects(visit, bytesOf(objects), Budget.unlimited(), use);
    expect(descriptors()).toBe(open);
    return found;
  }

  it('that lie in the workspace are held, and used as far as they are there', async () => {
    const root = makeTree({ 'objects/pack/x': '', 'objects/7f/x': '', 'objects/info/x': '', '..x/objects/00': null });
    const workspace = await openWorkspace(root);
    const visit = enterRoot(workspace);
    onTestFinished(() => {
      visit.leave();
      workspace.close();
    });
    const isHeld = visit.descriptor !== null;
    expect(await used(visit, join(root, 'objects'))).toEqual({ isHeld, parts: ['7f', 'pack'] });
    expect(await used(visit, join(root, '..x/objects'))).toEqual({ isHeld, parts: ['00'] });
    symlinkSync('/elsewhere', join(root, 'objects/pack/link'));
    expect(await used(visit, join(root, 'objects'))).toBeNull();
  });

  it('that lie elsewhere are named', async () => {
    const visit = enterRoot(await openWorkspace(memorySource(TREE, { root: '/root' })));
    expect(await used(visit, '/elsewhere/objects')).toEqual({ isHeld: false, parts: ALL_PARTS.toSorted() });
  });

  it.each([
    ['are there', '/root/.git/objects', 1],
    ['are elsewhere', '/elsewhere/objects', 1],
    ['are not there', '/root/nowhere', 0],
    ['are a link', '/root/link', 0],
    ['have something that is not a plain file', '/root/odd', 0],
  ])('that %s are asked about, or not', async (_, objects, times) => {
    if (times === 0) skipOnWindows('a disk whose paths start with a slash');
    const made = await call('a', { objects });
    expect(asked.length).toBe(times);
    if (times === 0) expect(await made.take()).toBeNull();
  });
});

describe('git itself', () => {
  isolateGit();

  it.each([
    ['sha1', (root: string) => makeRepository(root)],
    ['sha256', (root: string) => git('/', 'init', '--quiet', '--template=', '--object-format=sha256', root)],
  ] as const)('tells the history of a repository whose objects are named by %s', async (_, make) => {
    const root = makeTree({ first: '' });
    make(root);
    for (const name of ['first', 'x']) {
      addTree(root, { [name]: '1' });
      git(root, 'add', '--all');
      git(root, 'commit', '--quiet', '-m', name);
    }
    const workspace = await openWorkspace(root);
    onTestFinished(() => workspace.close());
    const visit = enterRoot(workspace);
    const history = await historyOf(visit, Budget.unlimited());
    const pending = await history?.begin(new AbortController().signal);
    visit.leave();
    expect(await pending?.take()).toEqual(LOG);
  });
});
