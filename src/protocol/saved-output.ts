// Keeps the full output of a call in a file of its own, and removes the files that have become old.
import { constants } from 'node:fs';
import { type FileHandle, lstat, mkdir, open, readdir, realpath, stat, unlink } from 'node:fs/promises';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import { isError, messageOf } from './plain.ts';
import { isNamedBefore, isSavedByUs, markedTime } from './saved-mark.ts';

interface SaveRequest {
  content: string;
  tool: string;
  root: string;
  /** Relative to the root, or absolute where the user wants it. */
  directory: string;
  retentionDays: number;
  /** The one moment that names the file and from which ages are counted. */
  now: Date;
}

/** Where the output is, relative to the root when it lies inside; or why it could not be saved. */
export type Saved = { path: string; problem: null } | { path: null; problem: string };

const DAY = 24 * 60 * 60 * 1000;

/** Old files that one save looks at: a directory may be full of names that look like ours. */
const MOST_LOOKED_AT = 1000;

/** Never throws: an answer without its full output is better than none. */
export async function saveOutput(request: SaveRequest): Promise<Saved> {
  const { content, tool, now } = request;
  try {
    const place = await locate(request.root, request.directory);
    if (place.outside) await mkdir(place.start, { recursive: true, mode: 0o700 });
    const name = await inDirectory(place.start, place.steps, true, async (directory) => {
      const written = await writeNew(directory, `tool_${timestamp(now)}_${safeName(tool)}`, content, now);
      await removeOld(directory, written, now.getTime() - request.retentionDays * DAY);
      return written;
    });
    return { path: [place.shown, name].filter(Boolean).join('/'), problem: null };
  } catch (error) {
    // The system's code alone: its message would name `/proc/self/fd/…`, which helps nobody.
    return { path: null, problem: isError(error) && 'code' in error ? String(error.code) : messageOf(error) };
  }
}

interface Place {
  /** A directory that may be reached through links: the root, or what the user chose outside of it. */
  start: string;
  /** The names from there on, none of which may be a link. */
  steps: string[];
  shown: string;
  outside: boolean;
}

async function locate(root: string, directory: string): Promise<Place> {
  const target = resolve(root, directory);
  // The user may have written the root's real path while the root itself was given through a link.
  for (const start of [resolve(root), await realpath(root)]) {
    const below = relative(start, target);
    const steps = below.split(sep).filter(Boolean);
    if (!isAbsolute(below) && steps[0] !== '..') return { start, steps, shown: steps.join('/'), outside: false };
  }
  return { start: target, steps: [], shown: target, outside: true };
}

/**
 * Goes down `steps`, creating what is missing, and works in the last directory. Each directory is held open on the way,
 * so that nobody can put a link in its place between the check and the use.
 */
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
    await mkdir(next, { mode: 0o700 }).catch(unless('EEXIST'));
    return await inDirectory(next, rest, false, work);
  } finally {
    await directory.close();
  }
}

interface Pinned {
  path: string;
  close(): Promise<void>;
}

async function pin(path: string, mayBeLink: boolean): Promise<Pinned> {
  if (process.platform === 'linux') {
    const handle = await open(path, constants.O_DIRECTORY | (mayBeLink ? 0 : constants.O_NOFOLLOW));
    return { path: `/proc/self/fd/${handle.fd}`, close: () => handle.close() };
  }
  // Elsewhere a directory cannot be used through its descriptor, so looking first is the best there is.
  const found = await (mayBeLink ? stat(path) : lstat(path));
  if (!found.isDirectory()) throw new Error('its directory is a link or a file');
  return { path, close: async () => {} };
}

/** Writes a file that was not there before, and leaves none behind when writing fails. Returns its name. */
async function writeNew(directory: string, base: string, content: string, now: Date): Promise<string> {
  for (let count = 1; ; count++) {
    const name = count === 1 ? `${base}.json` : `${base}_${count}.json`;
    const path = join(directory, name);
    // `x` is O_EXCL: it neither overwrites nor follows a link.
    const file = await open(path, 'wx', 0o600).catch(unless('EEXIST'));
    if (file === undefined) continue;
    try {
      await file
        .writeFile(content)
        .then(() => mark(file, name, now))
        .finally(() => file.close());
      return name;
    } catch (error) {
      await unlink(path).catch(() => {});
      throw error;
    }
  }
}

/** Where that fails the file is only never removed. */
async function mark(file: FileHandle, name: string, now: Date): Promise<void> {
  try {
    const time = markedTime(name, await file.stat({ bigint: true }), now);
    await file.utimes(time, time);
  } catch {}
}

/** "Retention touches `tool_*.json` alone", and of those what is provably ours. What fails is left for the next time. */
async function removeOld(directory: string, justWritten: string, before: number): Promise<void> {
  const names = await readdir(directory).catch(() => []);
  const candidates = someOf(names).filter((name) => name !== justWritten && isNamedBefore(name, before));
  const remove = async (name: string) => {
    const path = join(directory, name);
    const found = await lstat(path, { bigint: true });
    if (Number(found.mtimeMs) < before && isSavedByUs(name, found)) await unlink(path);
  };
  await Promise.allSettled(candidates.map(remove));
}

/** All, where they are not too many; else a stretch that starts anywhere, so that each has its turn sooner or later. */
function someOf(names: readonly string[]): readonly string[] {
  if (names.length <= MOST_LOOKED_AT) return names;
  const start = Math.floor(Math.random() * names.length);
  return [...names.slice(start), ...names.slice(0, start)].slice(0, MOST_LOOKED_AT);
}

/** For a promise's `catch`: this one error is expected and gives undefined. */
function unless(code: string): (error: NodeJS.ErrnoException) => undefined {
  return (error) => {
    if (error.code !== code) throw error;
  };
}

/** Local time as YYYYMMDD_HHMMSS. */
function timestamp(now: Date): string {
  const two = (number: number) => String(number).padStart(2, '0');
  const date = `${String(now.getFullYear()).padStart(4, '0')}${two(now.getMonth() + 1)}${two(now.getDate())}`;
  return `${date}_${two(now.getHours())}${two(now.getMinutes())}${two(now.getSeconds())}`;
}

function safeName(tool: string): string {
  return tool.replace(/[^A-Za-z0-9._-]+/g, '_').slice(0, 64) || 'tool';
}
