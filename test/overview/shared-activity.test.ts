/** How often git is asked, and by how many at a time. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type RecentActivity, recentActivity } from '../../src/overview/activity.ts';
import { historyOf } from '../../src/overview/shared-activity.ts';
import { gitHistory, plainParts } from '../../src/rules/git-history.ts';
import { Budget } from '../../src/workspace/budget.ts';
import { type Bytes, bytesOf } from '../../src/workspace/bytes.ts';
import type { Visit } from '../../src/workspace/visit.ts';

vi.mock('../../src/overview/activity.ts', () => ({ recentActivity: vi.fn() }));
vi.mock('../../src/rules/git-history.ts', () => ({
  gitHistory: vi.fn(),
  ALL_PARTS: ['pack', '00'],
  plainParts: vi.fn(async () => ['pack']),
}));

interface Question {
  readonly directory: Bytes;
  readonly descriptor: number | null;
  readonly parts: readonly string[];
  readonly signal: AbortSignal | undefined;
  end(activity: RecentActivity): void;
}

/** What git was asked, in order; it answers when the test says so, or when it is ended. */
let asked: Question[] = [];
let maps: AbortController[] = [];

beforeEach(() => {
  vi.useFakeTimers();
  asked = [];
  maps = [];
  vi.mocked(recentActivity).mockImplementation(({ directory, descriptor, parts }, { signal }) => {
    return new Promise<RecentActivity>((resolve) => {
      asked.push({ directory, descriptor, parts, signal, end: resolve });
      signal.addEventListener('abort', () => resolve({ weights: null, isWhole: false }));
    });
  });
});

afterEach(async () => {
  for (const done of maps) done.abort();
  // What is kept for the next map is forgotten.
  await vi.runAllTimersAsync();
  vi.useRealTimers();
});

const COMMIT = '0123456789'.repeat(4);
const DESCRIPTOR = 42;

const HISTORY = { shallow: null, workTree: '/root' as Bytes, index: '/root/.git/index' as Bytes, checkout: new Map() };

/** A map of a directory that is being drawn. */
async function map(directory: string, commit = COMMIT, objects = '/root/.git/objects') {
  const done = new AbortController();
  maps.push(done);
  const history = { ...HISTORY, commit, directory: bytesOf(directory), objects: bytesOf(objects) };
  vi.mocked(gitHistory).mockResolvedValueOnce(history);
  const held = { descriptor: DESCRIPTOR, leave: () => {} };
  const place = { rootRealPath: bytesOf('/root'), descendTo: () => held };
  const shared = await historyOf(place as unknown as Visit, Budget.unlimited());
  const pending = (await shared?.begin({ timeLimit: 400, signal: done.signal })) ?? null;
  return { take: async () => (pending === null ? null : pending.take()), done: () => done.abort() };
}

const ACTIVITY: RecentActivity = { weights: new Map([[bytesOf('a'), 1]]), isWhole: false };

it('asks once for maps of one directory that are drawn at the same time', async () => {
  const drawn = [await map('a'), await map('a'), await map('b')];
  expect(asked.map(({ directory }) => directory)).toEqual(['a', 'b']);
  asked[0]?.end(ACTIVITY);
  expect(await drawn[0]?.take()).toBe(ACTIVITY);
  expect(await drawn[1]?.take()).toBe(ACTIVITY);
});

it('asks again about a commit only if git could not tell everything', async () => {
  const commit = 'c'.repeat(40);
  const whole = { ...ACTIVITY, isWhole: true };
  const first = await map('a', commit);
  asked[0]?.end(whole);
  expect(await first.take()).toBe(whole);
  first.done();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(await (await map('a', commit)).take()).toBe(whole);
  expect(asked.length).toBe(1);
  await map('a', 'd'.repeat(40));
  expect(asked.length).toBe(2);
});

it('uses any other answer again for three seconds', async () => {
  const first = await map('a');
  asked[0]?.end(ACTIVITY);
  await first.take();
  first.done();
  await vi.advanceTimersByTimeAsync(2_999);
  expect(await (await map('a')).take()).toBe(ACTIVITY);
  expect(asked.length).toBe(1);
  await vi.advanceTimersByTimeAsync(1);
  await map('a');
  expect(asked.length).toBe(2);
});

it('keeps eight answers, and no more', async () => {
  for (let i = 0; i < 9; i++) {
    const one = await map(`${i}`);
    asked[i]?.end(ACTIVITY);
    await one.take();
  }
  await map('7');
  expect(asked.length).toBe(9);
  await map('8');
  expect(asked.length).toBe(10);
});

it('asks eight at a time, and does without for more', async () => {
  const drawn = [];
  for (let i = 0; i < 9; i++) drawn.push(await map(`${i}`));
  expect(asked.length).toBe(8);
  expect(await drawn[8]?.take()).toBeNull();
  asked[1]?.end(ACTIVITY);
  expect(await drawn[1]?.take()).toBe(ACTIVITY);
  await map('9');
  expect(asked.map(({ directory }) => directory).slice(7)).toEqual(['7', '9']);
});

it('ends git when the last who wanted to know has given up, and asks anew for the next', async () => {
  const [first, second] = [await map('a'), await map('a')];
  first.done();
  expect(asked[0]?.signal?.aborted).toBe(false);
  second.done();
  expect(asked[0]?.signal?.aborted).toBe(true);
  await map('a');
  expect(asked.length).toBe(2);
});

it('shares no answer with another directory, another commit or other objects', async () => {
  await map('a');
  await map('b');
  await map('a', COMMIT.replaceAll('0', 'f'));
  await map('a', COMMIT, '/root/inner/.git/objects');
  expect(asked.length).toBe(4);
});

it('holds objects that lie in the workspace, and names those that do not', async () => {
  await map('a');
  await map('a', COMMIT, '/elsewhere/objects');
  await map('a', COMMIT, '/root/..x/objects');
  expect(asked.map(({ descriptor }) => descriptor)).toEqual([DESCRIPTOR, null, DESCRIPTOR]);
  expect(asked.map(({ parts }) => parts)).toEqual([['pack'], ['pack', '00'], ['pack']]);
});

it('does without where something among the objects is not a plain file', async () => {
  vi.mocked(plainParts).mockResolvedValueOnce(null);
  expect(await (await map('a')).take()).toBeNull();
  expect(asked).toEqual([]);
});

it('waits for nothing once its own call has ended, though others wait for the same', async () => {
  const [first, second] = [await map('a'), await map('a')];
  const told = first.take();
  first.done();
  expect(await told).toBeNull();
  asked[0]?.end(ACTIVITY);
  expect(await second.take()).toBe(ACTIVITY);
});

it('does without where there is no history, or the call has ended', async () => {
  vi.mocked(gitHistory).mockResolvedValue(null);
  expect(await historyOf({} as Visit, Budget.unlimited())).toBeNull();
  vi.mocked(gitHistory).mockResolvedValue({
    ...HISTORY,
    commit: COMMIT,
    directory: '' as Bytes,
    objects: '/o' as Bytes,
  });
  const history = await historyOf({} as Visit, Budget.unlimited());
  expect(await history?.begin({ timeLimit: 400, signal: AbortSignal.abort() })).toBeNull();
  expect(asked).toEqual([]);
});
