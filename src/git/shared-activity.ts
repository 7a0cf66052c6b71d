/**
 * Shares the activity that git reports between maps. Starting a program blocks for milliseconds, and longer on a busy
 * machine. So maps of one directory at one commit share a result, and while many programs run, a map does without.
 */

import { type Bytes, textOf } from '../names/bytes.ts';
import type { Budget } from '../workspace/budget.ts';
import { directoryCache } from '../workspace/cache.ts';
import type { Visit } from '../workspace/visit.ts';
import { type ActivityOptions, type History, type RecentActivity, recentActivity } from './activity.ts';
import { GitFiles } from './files.ts';
import { ALL_PARTS, gitHistory, plainParts } from './history.ts';

const MAX_AT_A_TIME = 8;

/** Milliseconds for which an incomplete result is reused. */
const FRESH = 3_000;

/** The most incomplete results kept. Some are megabytes. */
const MAX_KEPT = 8;

/** Bytes of overhead per path. */
const OVERHEAD = 80;

interface Shared {
  readonly result: Promise<RecentActivity | null>;
  readonly stop: AbortController;
  /** The number of maps that wait for it. */
  users: number;
  hasEnded: boolean;
}

export interface PendingActivity {
  /** Resolves to null if the signal is aborted first. Never rejects. */
  take(): Promise<RecentActivity | null>;
}

/** The history of a directory in a work tree. */
interface SharedHistory {
  /** Identifies repository, commit and directory, and thus the activity. */
  readonly key: string;
  /** Resolves to null if too many programs run. Git is killed when all users have aborted. */
  begin(options: ActivityOptions): Promise<PendingActivity | null>;
}

const answers = new Map<string, Shared>();
let running = 0;

/** Resolves to null if the directory has no history. */
export async function historyOf(directory: Visit, budget: Budget): Promise<SharedHistory | null> {
  const history = await gitHistory(directory, budget);
  const objects = history === null ? null : textOf(history.objects);
  if (history === null || objects === null) return null;
  const { commit, shallow } = history;
  const hash = commit.length === 64 ? 'sha256' : 'sha1';
  const key = ['history', objects, commit, shallow ?? '', history.directory].join('\0');
  const begin = ({ timeLimit, signal }: ActivityOptions): Promise<PendingActivity | null> =>
    share(key, signal, () =>
      withObjects(directory, history.objects, budget, (descriptor, parts) =>
        start(key, { ...history, descriptor, objects, parts, hash }, timeLimit),
      ),
    );
  return { key, begin };
}

async function share(
  key: string,
  signal: AbortSignal,
  startGit: () => Promise<Shared | null>,
): Promise<PendingActivity | null> {
  if (signal.aborted) return null;
  const known = directoryCache.find<RecentActivity>(key);
  if (known !== null) return { take: async () => known };
  const shared = answers.get(key) ?? (await startGit());
  if (shared === null) return null;
  shared.users++;
  signal.addEventListener('abort', () => {
    shared.users--;
    if (shared.users > 0 || shared.hasEnded) return;
    // An incomplete result must not be shared.
    answers.delete(key);
    shared.stop.abort();
  });
  // Others may wait longer.
  return { take: () => Promise.race([shared.result, nothingAfter(signal)]) };
}

function nothingAfter(signal: AbortSignal): Promise<null> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(null);
    signal.addEventListener('abort', () => resolve(null));
  });
}

/** Holds objects in the workspace open, so that they cannot be replaced. They must not contain links. */
export async function withObjects<T>(
  directory: Visit,
  objects: Bytes,
  budget: Budget,
  use: (descriptor: number | null, parts: readonly string[]) => T,
): Promise<T | null> {
  const path = new GitFiles(directory).fromRoot(objects);
  if (path === null) return use(null, ALL_PARTS);
  const held = directory.descendTo(path);
  if (held === null) return null;
  try {
    const parts = await plainParts(held, budget);
    return parts === null ? null : use(held.descriptor, parts);
  } finally {
    held.leave();
  }
}

function start(key: string, history: History, timeLimit: number): Shared | null {
  // Another map may have started git while the objects were checked.
  const known = answers.get(key);
  if (known !== undefined) return known;
  if (running === MAX_AT_A_TIME) return null;
  const stop = new AbortController();
  const result = recentActivity(history, { timeLimit, signal: stop.signal });
  const shared: Shared = { result, stop, users: 0, hasEnded: false };
  running++;
  answers.set(key, shared);
  result.then((recent) => {
    running--;
    shared.hasEnded = true;
    if (answers.get(key) !== shared) return;
    if (recent.isWhole && directoryCache.remember(key, recent, sizeOf(recent))) answers.delete(key);
    else if (answers.size > MAX_KEPT) answers.delete(key);
    else setTimeout(() => answers.delete(key), FRESH).unref();
  });
  return shared;
}

function sizeOf({ weights }: RecentActivity): number {
  let bytes = 0;
  for (const path of weights?.keys() ?? []) bytes += path.length + OVERHEAD;
  return bytes;
}
