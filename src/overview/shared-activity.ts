/**
 * What git tells of recent work, asked no more often than it helps. To start a program takes milliseconds in which nobody
 * is answered, and on a busy machine many: so maps of one directory that are drawn at about the same time share an answer,
 * and where many programs run already, a map does without.
 */
import { isAbsolute, relative, sep } from 'node:path';
import { ALL_PARTS, gitHistory, plainParts } from '../rules/git-history.ts';
import type { RuleCall } from '../rules/rule.ts';
import { type Bytes, textOf } from '../workspace/bytes.ts';
import type { Visit } from '../workspace/workspace.ts';
import { type Activity, type History, type PendingActivity, recentActivity } from './activity.ts';

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

const known = new Map<string, Shared>();
let running = 0;

/** As `recentActivity`, of a directory; null when it has no history, or too many ask. Git ends when all have given up. */
export async function sharedActivity(
  directory: Visit,
  call: RuleCall,
  { timeLimit, signal }: Terms,
): Promise<PendingActivity | null> {
  const history = await gitHistory(directory, call);
  const objects = history === null ? null : textOf(history.objects);
  if (history === null || objects === null || signal.aborted) return null;
  const { commit, shallow } = history;
  const hash = commit.length === 64 ? 'sha256' : 'sha1';
  const key = [objects, commit, history.directory].join('\0');
  const start = (descriptor: number | null, parts: readonly string[]) =>
    begin(key, { descriptor, objects, parts, commit, shallow, hash, directory: history.directory }, timeLimit);
  const shared = known.get(key) ?? (await withObjects(directory, history.objects, call, start));
  if (shared === null) return null;
  shared.users++;
  signal.addEventListener('abort', () => {
    shared.users--;
    if (shared.users > 0 || shared.hasEnded) return;
    // What is told of a history that was not read to its end is no answer for others.
    known.delete(key);
    shared.stop.abort();
  });
  // Others may want to wait for longer.
  return { take: () => Promise.race([shared.told, nothingAfter(signal)]) };
}

function nothingAfter(signal: AbortSignal): Promise<null> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(null);
    signal.addEventListener('abort', () => resolve(null), { once: true });
  });
}

/** Objects in the workspace are held, so that no others can be put in their place; and nothing among them may be a link. */
async function withObjects<T>(
  directory: Visit,
  objects: Bytes,
  call: RuleCall,
  use: (descriptor: number | null, parts: readonly string[]) => T,
): Promise<T | null> {
  const inner = relative(directory.rootPath, objects) as Bytes;
  if (inner === '..' || inner.startsWith(`..${sep}`) || isAbsolute(inner)) return use(null, ALL_PARTS);
  const held = directory.descendTo(inner);
  if (held === null) return null;
  try {
    const parts = await plainParts(held, call);
    return parts === null ? null : use(held.descriptor, parts);
  } finally {
    held.leave();
  }
}

function begin(key: string, history: History, timeLimit: number): Shared | null {
  if (running === MOST_AT_A_TIME) return null;
  const stop = new AbortController();
  const told = recentActivity(history, { timeLimit, signal: stop.signal }).take();
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
