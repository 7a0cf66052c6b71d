/** Shares the log of a commit between calls. While many programs run, a call waits for one of them to end. */
import { type Bytes, textOf } from '../names/bytes.ts';
import type { Budget } from '../workspace/budget.ts';
import { directoryCache } from '../workspace/cache.ts';
import { unlessAborted } from '../workspace/clock.ts';
import type { Visit } from '../workspace/visit.ts';
import { GitFiles } from './files.ts';
import { ALL_PARTS, gitHistory, plainParts } from './history.ts';
import { type CommitLog, type History, readLog } from './log.ts';

const MAX_AT_A_TIME = 8;
/** Bytes of overhead per path and per commit. */
const OVERHEAD = 100;

interface Shared {
  readonly log: Promise<CommitLog | null>;
  readonly stop: AbortController;
  users: number;
  hasEnded: boolean;
}

export type PendingLog = ReturnType<typeof pending>;

export type SharedHistory = NonNullable<Awaited<ReturnType<typeof historyOf>>>;

const logs = new Map<string, Shared>();
let running = 0;
const waiting: (() => void)[] = [];

/** Resolves to the history of a directory in a work tree; null if it has none. */
export async function historyOf(directory: Visit, budget: Budget) {
  const history = await gitHistory(directory, budget);
  const objects = history === null ? null : textOf(history.objects);
  if (history === null || objects === null) return null;
  const { commit, shallow } = history;
  const hash = commit.length === 64 ? 'sha256' : 'sha1';
  /** Identifies repository and commit, and thus the log. */
  const key = ['history', objects, commit, shallow ?? ''].join('\0');
  /** Resolves to null if git cannot be started, or the signal is aborted. Git is killed when all users have aborted. */
  const begin = async (signal: AbortSignal): Promise<PendingLog | null> => {
    while (!signal.aborted) {
      const known = directoryCache.find<CommitLog>(key);
      if (known !== null) return { take: async () => known };
      if (!logs.has(key) && running >= MAX_AT_A_TIME) {
        await unlessAborted(new Promise<void>((resolve) => waiting.push(resolve)), signal).catch(() => {});
        continue;
      }
      const shared =
        logs.get(key) ??
        (await withObjects(directory, history.objects, budget, (descriptor, parts) =>
          start(key, { ...history, descriptor, objects, parts, hash }),
        ));
      return shared === null ? null : pending(key, shared, signal);
    }
    return null;
  };
  return { key, directory: history.directory, begin };
}

function pending(key: string, shared: Shared, signal: AbortSignal) {
  shared.users++;
  signal.addEventListener('abort', () => {
    shared.users--;
    if (shared.users > 0 || shared.hasEnded) return;
    logs.delete(key);
    shared.stop.abort();
  });
  /** Resolves to null if git failed, or the signal is aborted first: others may wait longer. Never rejects. */
  const take = () => unlessAborted(shared.log, signal).catch(() => null);
  return { take };
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

function start(key: string, history: History): Shared {
  // Another call may have started git while the objects were checked.
  const known = logs.get(key);
  if (known !== undefined) return known;
  const stop = new AbortController();
  const log = readLog(history, stop.signal);
  const shared: Shared = { log, stop, users: 0, hasEnded: false };
  running++;
  logs.set(key, shared);
  log.then((read) => {
    running--;
    shared.hasEnded = true;
    if (logs.get(key) === shared) logs.delete(key);
    if (read !== null) directoryCache.remember(key, read, sizeOf(read));
    for (const resolve of waiting.splice(0)) resolve();
  });
  return shared;
}

function sizeOf({ paths, commits }: CommitLog): number {
  let bytes = 0;
  for (const path of paths) bytes += path.length + OVERHEAD;
  for (const { subject, files } of commits) bytes += 2 * subject.length + 8 * files.length + OVERHEAD;
  return bytes;
}
