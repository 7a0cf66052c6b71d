// Saves the full output of a call in a file of its own, and removes old ones.
import { constants, type Stats } from 'node:fs';
import { lstat, mkdir, open, readdir, realpath, stat, unlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Limits } from './limits.ts';
import { isError, messageOf } from './plain.ts';
import { namesBelow } from './relative-path.ts';

interface SaveRequest extends Pick<Limits, 'directory' | 'retentionDays'> {
  content: string;
  tool: string;
  root: string;
  /** The time in the file's name, and the moment from which ages are counted. */
  now: Date;
}

/** The path of the file, relative to the root if it is inside; or the reason why nothing was saved. */
export type Saved = { path: string; problem: null } | { path: null; problem: string };

const DAY = 24 * 60 * 60 * 1000;

/** The most files that one save examines: a directory may be full of names that look like ours. */
const MAX_LOOKED_AT = 1000;

/** Never throws: an answer without its full output is better than none. */
export async function saveOutput(request: SaveRequest): Promise<Saved> {
  const { content, tool, now } = request;
  try {
    const place = await targetOf(request.root, request.directory);
    if (place.outside) await mkdir(place.start, { recursive: true, mode: 0o700 });
    const name = await inDirectory(place.start, place.steps, true, async (directory) => {
      const safeName = tool.replace(/[^A-Za-z0-9._-]+/g, '_').slice(0, 64) || 'tool';
      const written = await writeNew(directory, `tool_${timestamp(now)}_${safeName}`, content);
      await removeOld(directory, written, now.getTime() - request.retentionDays * DAY);
      return written;
    });
    const path = place.outside ? join(place.shown, name) : [place.shown, name].filter(Boolean).join('/');
    return { path, problem: null };
  } catch (error) {
    // Uses only the system's code, because its message would mention `/proc/self/fd/…`.
    return { path: null, problem: isError(error) && 'code' in error ? String(error.code) : messageOf(error) };
  }
}

/**
 * `start` is the root, or a directory outside of it that the user chose, and may be reached through links. Of the names
 * from there on, the `steps`, none may be one.
 */
async function targetOf(root: string, directory: string) {
  const target = resolve(root, directory);
  // The user may have written the root's real path while the root itself was given through a link.
  for (const start of [resolve(root), await realpath(root)]) {
    const steps = namesBelow(start, target);
    if (steps !== null) return { start, steps, shown: steps.join('/'), outside: false };
  }
  return { start: target, steps: [], shown: target, outside: true };
}

/** Works in the last of `steps`. Each directory on the way is held open, so that no link can be put in its place. */
async function inDirectory<T>(
  path: string,
  steps: readonly string[],
  mayBeLink: boolean,
  work: (directory: string) => Promise<T>,
): Promise<T> {
  const directory = await pin(path, mayBeLink);
  try {
    const [step, ...rest] = steps;
    if (step === undefined) return await work(directory.path);
    const next = join(directory.path, step);
    await mkdir(next, { mode: 0o700 }).catch(unlessExists);
    return await inDirectory(next, rest, false, work);
  } finally {
    await directory.close();
  }
}

async function pin(path: string, mayBeLink: boolean): Promise<{ path: string; close(): Promise<void> }> {
  if (process.platform === 'linux') {
    const handle = await open(path, constants.O_DIRECTORY | (mayBeLink ? 0 : constants.O_NOFOLLOW));
    return { path: `/proc/self/fd/${handle.fd}`, close: () => handle.close() };
  }
  // Elsewhere a directory cannot be used through its descriptor, so it is only checked first.
  const found = await (mayBeLink ? stat(path) : lstat(path));
  if (!found.isDirectory()) throw new Error('its directory is a link or a file');
  return { path, close: async () => {} };
}

/** Writes a new file, and removes it when writing fails. Returns its name. */
async function writeNew(directory: string, base: string, content: string): Promise<string> {
  for (let count = 1; ; count++) {
    const name = count === 1 ? `${base}.json` : `${base}_${count}.json`;
    const path = join(directory, name);
    // `x` is O_EXCL: it neither overwrites nor follows a link.
    const file = await open(path, 'wx', 0o600).catch(unlessExists);
    if (file === undefined) continue;
    try {
      await file.writeFile(content).finally(() => file.close());
      return name;
    } catch (error) {
      await unlink(path).catch(() => {});
      throw error;
    }
  }
}

/** Matches the names that `writeNew` makes: a time, a tool's name and a counter. */
const SAVED_NAME = /^tool_\d{8}_\d{6}_[A-Za-z0-9._-]{1,80}\.json$/;

/** "Retention touches `tool_*.json` alone", and only files like ours (docs/decisions/0017-retention.md). */
async function removeOld(directory: string, justWritten: string, before: number): Promise<void> {
  const names = await readdir(directory).catch(() => []);
  const candidates = someOf(names).filter((name) => name !== justWritten && SAVED_NAME.test(name));
  const remove = async (name: string) => {
    const path = join(directory, name);
    const found = await lstat(path);
    if (found.mtimeMs < before && found.isFile() && found.nlink === 1 && isPrivate(found)) await unlink(path);
  };
  await Promise.allSettled(candidates.map(remove));
}

/** Returns all names; if they are too many, a run that starts at random, so that each is examined eventually. */
function someOf(names: readonly string[]): readonly string[] {
  if (names.length <= MAX_LOOKED_AT) return names;
  const start = Math.floor(Math.random() * names.length);
  return [...names.slice(start), ...names.slice(0, start)].slice(0, MAX_LOOKED_AT);
}

/** For a promise's `catch`: turns the one expected error into undefined. */
function unlessExists(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'EEXIST') throw error;
}

/** Formats the local time as YYYYMMDD_HHMMSS. */
function timestamp(now: Date): string {
  const local = new Date(now.getTime() - now.getTimezoneOffset() * 60_000).toISOString();
  return local.slice(0, 19).replace(/[-:]/g, '').replace('T', '_');
}

/** True if this user owns the file and nobody else can access it. Windows has neither owners nor modes. */
function isPrivate({ uid, mode }: Stats): boolean {
  const user = process.geteuid?.();
  return user === undefined || (uid === user && (mode & 0o777) === 0o600);
}
