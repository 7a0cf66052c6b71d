/** How often git is asked, and by how many at a time. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type Activity, recentActivity } from '../../src/overview/activity.ts';
import { type Asked, sharedActivity } from '../../src/overview/shared-activity.ts';
import { type Bytes, bytesOf } from '../../src/workspace/bytes.ts';

vi.mock('../../src/overview/activity.ts', () => ({ recentActivity: vi.fn() }));

interface Question {
  readonly directory: Bytes;
  readonly timeLimit: number;
  readonly signal: AbortSignal | undefined;
  end(activity?: Activity): void;
}

/** What git was asked, in order; it answers when the test says so, or when it is ended. */
let asked: Question[] = [];
let maps: AbortController[] = [];

beforeEach(() => {
  vi.useFakeTimers();
  asked = [];
  maps = [];
  vi.mocked(recentActivity).mockImplementation((directory, { timeLimit, signal }) => {
    const told = new Promise<Activity | null>((resolve) => {
      asked.push({ directory, timeLimit, signal, end: (activity) => resolve(activity ?? null) });
      signal?.addEventListener('abort', () => resolve(null));
    });
    return { take: () => told };
  });
});

afterEach(async () => {
  for (const done of maps) done.abort();
  // What is kept for the next map is forgotten.
  await vi.runAllTimersAsync();
  vi.useRealTimers();
});

/** A map of a directory that is being drawn. */
function map(path: string, identity: Asked['identity'] = { dev: 1n, ino: identityOf(path) }, root = '/') {
  const done = new AbortController();
  maps.push(done);
  const directory: Asked = { rootPath: bytesOf(root), identity, reach: (ask) => ask(bytesOf(path)) };
  const pending = sharedActivity(directory, { timeLimit: 400, signal: done.signal });
  return { take: async () => (pending === null ? null : pending.take()), done: () => done.abort() };
}

function identityOf(path: string): bigint {
  return BigInt(path.charCodeAt(1));
}

const ACTIVITY: Activity = new Map([[bytesOf('a'), 1]]);

it('asks once for maps of one directory that are drawn at the same time', async () => {
  const drawn = [map('/a'), map('/a'), map('/b')];
  expect(asked.map(({ directory }) => directory)).toEqual(['/a', '/b']);
  asked[0]?.end(ACTIVITY);
  expect(await drawn[0]?.take()).toBe(ACTIVITY);
  expect(await drawn[1]?.take()).toBe(ACTIVITY);
});

it('uses an answer again for three seconds', async () => {
  const first = map('/a');
  asked[0]?.end(ACTIVITY);
  await first.take();
  first.done();
  await vi.advanceTimersByTimeAsync(2_999);
  expect(await map('/a').take()).toBe(ACTIVITY);
  expect(asked.length).toBe(1);
  await vi.advanceTimersByTimeAsync(1);
  map('/a');
  expect(asked.length).toBe(2);
});

it('keeps eight answers, and no more', async () => {
  for (let i = 0; i < 9; i++) {
    const one = map(`/${i}`);
    asked[i]?.end(ACTIVITY);
    await one.take();
  }
  map('/7');
  expect(asked.length).toBe(9);
  map('/8');
  expect(asked.length).toBe(10);
});

it('asks eight at a time, and does without for more', async () => {
  const drawn = Array.from({ length: 9 }, (_, i) => map(`/${i}`));
  expect(asked.length).toBe(8);
  expect(await drawn[8]?.take()).toBeNull();
  asked[1]?.end(ACTIVITY);
  expect(await drawn[1]?.take()).toBe(ACTIVITY);
  map('/9');
  expect(asked.map(({ directory }) => directory).slice(7)).toEqual(['/7', '/9']);
});

it('ends git when the last who wanted to know has given up, and asks anew for the next', async () => {
  const [first, second] = [map('/a'), map('/a')];
  first.done();
  expect(asked[0]?.signal?.aborted).toBe(false);
  second.done();
  expect(asked[0]?.signal?.aborted).toBe(true);
  map('/a');
  expect(asked.length).toBe(2);
});

it('shares no answer with another directory at the same path, nor with another root', () => {
  map('/a', { dev: 1n, ino: 1n });
  map('/a', { dev: 1n, ino: 2n });
  map('/a', { dev: 2n, ino: 1n });
  map('/a', { dev: 1n, ino: 1n }, '/other');
  expect(asked.length).toBe(4);
});
