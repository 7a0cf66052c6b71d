/** How often git is asked, and by how many at a time. */
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { ALL_PARTS } from '../../src/git/history.ts';
import { historyOf, withObjects } from '../../src/git/shared-activity.ts';
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

/** Every git that was asked, in order; it answers when the test says so. */
let asked: ToldGit[] = [];
let maps: AbortController[] = [];

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  asked = [];
  maps = [];
});

afterEach(async () => {
  for (const done of maps) done.abort();
  await heard();
  // What is kept for the next map is forgotten.
  await vi.runAllTimersAsync();
  vi.useRealTimers();
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

/** A map of a directory that is being drawn. */
async function map(directory: string, place: Place = {}) {
  const done = new AbortController();
  maps.push(done);
  const history = await historyIn(directory, place);
  const pending = (await history?.begin({ timeLimit: 400, signal: done.signal })) ?? null;
  return { take: async () => (pending === null ? null : pending.take()), done: () => done.abort() };
}

/** The directories that git was asked about. */
const places = () => asked.map(({ words }) => /^:\(literal\)(.*)$/.exec(words.at(-1) ?? '')?.[1]);
const ACTIVITY = { weights: new Map([['x', expect.any(Number)]]), isWhole: true };
const INCOMPLETE = { ...ACTIVITY, isWhole: false };

/** Another one for each test: what is known of a commit is known for good. */
let commits = 0;
const newCommit = () => (++commits).toString(16).padStart(40, 'f');

/** Git fails after it has told something. */
async function fail(one: ToldGit | undefined): Promise<void> {
  await one?.say(`${logOf(['x'])}\0`);
  one?.events.emit('error', new Error('killed'));
  await heard();
}

describe('git is asked', () => {
  it('once for maps of one directory that are drawn at the same time', async () => {
    const drawn = [await map('a'), await map('a'), await map('b')];
    expect(places()).toEqual(['a', 'b']);
    await fail(asked[0]);
    const told = await drawn[0]?.take();
    expect(told).toEqual(INCOMPLETE);
    expect(await drawn[1]?.take()).toBe(told);
  });

  it('once for maps that begin together, also where it takes time to look at the objects', async () => {
    const objects = '/root/.git/objects';
    const drawn = await Promise.all([map('a', { objects }), map('a', { objects })]);
    expect(asked.length).toBe(1);
    drawn[0].done();
    await fail(asked[0]);
    expect(await drawn[1].take()).toEqual(INCOMPLETE);
  });

  it('once about a commit of which it has told everything', async () => {
    const commit = newCommit();
    const first = await map('a', { commit });
    await asked[0]?.finish(logOf(['x']));
    expect(await first.take()).toEqual(ACTIVITY);
    first.done();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(await (await map('a', { commit })).take()).toEqual(ACTIVITY);
    expect(asked.length).toBe(1);
    await map('a', { commit: newCommit() });
    expect(asked.length).toBe(2);
  });

  it('again after three seconds where it has not', async () => {
    const first = await map('a');
    await fail(asked[0]);
    first.done();
    await vi.advanceTimersByTimeAsync(2_999);
    expect(await (await map('a')).take()).toEqual(INCOMPLETE);
    expect(asked.length).toBe(1);
    await vi.advanceTimersByTimeAsync(1);
    await map('a');
    expect(asked.length).toBe(2);
  });

  it('again where eight such answers are kept already', async () => {
    for (const [i, name] of [...'abcdefghi'].entries()) {
      await map(name);
      await fail(asked[i]);
    }
    await map('h');
    expect(asked.length).toBe(9);
    await map('i');
    expect(asked.length).toBe(10);
  });

  it('again where there is no room to keep what it told', async () => {
    const commit = newCommit();
    const before = [directoryCache.limit, directoryCache.size] as const;
    onTestFinished(() => {
      directoryCache.limit = before[0];
    });
    directoryCache.limit = 1000;
    await map('a', { commit });
    await asked[0]?.finish(logOf(Array.from({ length: 10 }, (_, i) => `path/${i}`)));
    expect(directoryCache.size).toBe(before[1]);
    await vi.advanceTimersByTimeAsync(3_000);
    await map('a', { commit });
    expect(asked.length).toBe(2);
    // Fewer paths take less.
    directoryCache.limit = before[0];
    await asked[1]?.finish(logOf(['x']));
    await vi.advanceTimersByTimeAsync(3_000);
    await map('a', { commit });
    expect(asked.length).toBe(2);
    expect(directoryCache.size - before[1]).toBeGreaterThan(80);
    expect(directoryCache.size - before[1]).toBeLessThan(400);
  });

  it('by eight maps at a time, and others do without', async () => {
    const drawn = [];
    for (const name of 'abcdefghi') drawn.push(await map(name));
    expect(asked.length).toBe(8);
    expect(await drawn[8]?.take()).toBeNull();
    await fail(asked[1]);
    expect(await drawn[1]?.take()).toEqual(INCOMPLETE);
    await map('j');
    expect(places().slice(7)).toEqual(['h', 'j']);
  });

  it('for the time that a map has', async () => {
    const drawn = await map('a');
    await vi.advanceTimersByTimeAsync(399);
    expect(asked[0]?.ends).toBe(0);
    await vi.advanceTimersByTimeAsync(1);
    expect(asked[0]?.ends).toBe(1);
    expect(await drawn.take()).toEqual({ weights: null, isWhole: false });
  });
});

describe('who has given up', () => {
  it('ends git if nobody else wants to know, and the next one asks anew', async () => {
    const [first, second] = [await map('a'), await map('a')];
    first.done();
    expect(asked[0]?.ends).toBe(0);
    second.done();
    expect(asked[0]?.ends).toBe(1);
    const next = await map('a');
    expect(asked.length).toBe(2);
    await heard();
    // The one that was ended takes nothing away from the one that was not.
    await vi.advanceTimersByTimeAsync(399);
    await fail(asked[1]);
    expect(await next.take()).toEqual(INCOMPLETE);
    await vi.advanceTimersByTimeAsync(2_700);
    await map('a');
    expect(asked.length).toBe(2);
  });

  it('waits no longer, though others wait for the same', async () => {
    const [first, second] = [await map('a'), await map('a')];
    const told = first.take();
    first.done();
    expect(await told).toBeNull();
    expect(await first.take()).toBeNull();
    await fail(asked[0]);
    expect(await second.take()).toEqual(INCOMPLETE);
  });

  it('leaves what was told to the others', async () => {
    const first = await map('a');
    await fail(asked[0]);
    first.done();
    expect(await (await map('a')).take()).toEqual(INCOMPLETE);
    expect(asked.length).toBe(1);
  });

  it('before the beginning does not ask', async () => {
    const history = await historyIn('a');
    expect(await history?.begin({ timeLimit: 400, signal: AbortSignal.abort() })).toBeNull();
    expect(asked).toEqual([]);
  });
});

it('an answer is for one directory, one commit and one place of objects', async () => {
  const others: Place[] = [
    { commit: COMMIT.replaceAll('0', 'f') },
    { objects: '/other' },
    { shallow: bytesOf(COMMIT) },
  ];
  const keys = [
    await historyIn('a'),
    await historyIn('b'),
    ...(await Promise.all(others.map((one) => historyIn('a', one)))),
  ];
  expect(new Set(keys.map((history) => history?.key)).size).toBe(5);
  expect((await historyIn('a'))?.key).toBe(keys[0]?.key);
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
    const drawn = await map('a', { objects });
    expect(asked.length).toBe(times);
    if (times === 0) expect(await drawn.take()).toBeNull();
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
    const pending = await history?.begin({ timeLimit: 60_000, signal: new AbortController().signal });
    visit.leave();
    expect(await pending?.take()).toEqual(ACTIVITY);
  });
});
