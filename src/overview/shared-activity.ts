/**
 * What git tells of recent work, asked no more often than it helps. To start a program takes milliseconds in which nobody
 * is answered, and on a busy machine many: so maps of one directory that are drawn at about the same time share an answer,
 * and where many programs run already, a map does without.
 */
import type { Identity } from '../workspace/pinned.ts';
import type { Visit } from '../workspace/workspace.ts';
import { type Activity, type PendingActivity, recentActivity } from './activity.ts';

const MOST_AT_A_TIME = 8;

/** Milliseconds for which an answer is used again. It only weighs, so the last commit may be missing for a moment. */
const FRESH = 3_000;

/** Answers that are used again. Some are megabytes. */
const MOST_KEPT = 8;

interface Shared {
  readonly told: Promise<Activity | null>;
  readonly stop: AbortController;
  /** How many still want to know. */
  users: number;
  hasEnded: boolean;
}

interface Terms {
  /** In milliseconds. */
  readonly timeLimit: number;
  readonly signal: AbortSignal;
}

/** A directory that is held, so that its path leads to no other. */
export type Asked = Pick<Visit, 'rootPath' | 'reach'> & { readonly identity: Identity };

const known = new Map<string, Shared>();
let running = 0;

/** As `recentActivity`, of a directory; null when too many ask. Git is ended when all who asked have given up. */
export function sharedActivity(directory: Asked, { timeLimit, signal }: Terms): PendingActivity | null {
  // By what it is, not by its path, where another may stand by now. What may be started depends on the root.
  const key = `${directory.identity.dev} ${directory.identity.ino} ${directory.rootPath}`;
  const shared = known.get(key) ?? begin(key, directory, timeLimit);
  if (shared === null) return null;
  shared.users++;
  signal.addEventListener('abort', () => {
    shared.users--;
    if (shared.users > 0 || shared.hasEnded) return;
    // What is told of a history that was not read to its end is no answer for others.
    known.delete(key);
    shared.stop.abort();
  });
  return { take: () => shared.told };
}

function begin(key: string, directory: Asked, timeLimit: number): Shared | null {
  if (running === MOST_AT_A_TIME) return null;
  const stop = new AbortController();
  const terms = { rootPath: directory.rootPath, timeLimit, signal: stop.signal };
  const told = directory.reach((path) => recentActivity(path, terms)).take();
  const shared: Shared = { told, stop, users: 0, hasEnded: false };
  running++;
  known.set(key, shared);
  told.then(() => {
    running--;
    shared.hasEnded = true;
    if (known.get(key) !== shared) return;
    if (known.size > MOST_KEPT) known.delete(key);
    else setTimeout(() => known.delete(key), FRESH).unref();
  });
  return shared;
}
