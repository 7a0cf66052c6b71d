/** Reads plain files of rules and settings. Nothing else is opened: a pipe or a device can have side effects. */
import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, statSync } from 'node:fs';
import type { Bytes } from '../names/bytes.ts';
import { systemCode, UNREACHABLE } from '../workspace/listing-error.ts';
import { LARGEST_RULE_FILE, SkippedFile } from '../workspace/source.ts';
import { realBytes } from './disk-directory.ts';
import { fsPath } from './fs-path.ts';

/** Non-blocking: if a pipe is put in the file's place after all, the call must not wait for a writer. */
const READ = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0);

/** Returns the content of a file; null if nothing is there. A link is not followed. */
export function readPlainFile(path: string, largest = LARGEST_RULE_FILE): Bytes | SkippedFile | null {
  // Perf: usually nothing is there, and an error costs several times as much as this check.
  const found = unlessUnreachable(() => lstatSync(fsPath(path), { throwIfNoEntry: false }));
  if (found === null || found === undefined) return null;
  if (found.isSymbolicLink()) return SkippedFile.link;
  if (!found.isFile()) return SkippedFile.notPlain;
  const fd = openedOrReason(path);
  if (typeof fd !== 'number') return fd;
  try {
    const stats = fstatSync(fd);
    if (!stats.isFile()) return SkippedFile.unreadable;
    return contentOf((buffer) => readSync(fd, buffer, 0, buffer.length, null), stats.size, largest);
  } finally {
    closeSync(fd);
  }
}

/** Returns null if the file has vanished meanwhile. */
function openedOrReason(path: string): number | SkippedFile | null {
  try {
    return openSync(fsPath(path), READ);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return null;
    if (UNREACHABLE.has(systemCode(error))) return SkippedFile.unreadable;
    throw error;
  }
}

/** Perf: for small files, used again. */
const small = Buffer.allocUnsafeSlow(513);

/** Reads a file of currently `size` bytes. `read` fills a buffer with the next bytes, and returns their number. */
export function contentOf(read: (buffer: Buffer) => number, size: number, largest: number): Bytes | SkippedFile {
  if (size > largest) return SkippedFile.largerThan(largest);
  // One byte more than the file has: a read of the whole file that does not fill it needs no second one.
  const buffer = size < small.length ? small : Buffer.allocUnsafe(size + 1);
  for (let content = ''; ; ) {
    const length = read(buffer);
    content += buffer.toString('latin1', 0, length);
    // The file may grow while it is read.
    if (content.length > largest) return SkippedFile.largerThan(largest);
    // A short read alone is not the end: the system may return less than there is.
    if (length === 0 || (length < buffer.length && content.length === size)) return content as Bytes;
  }
}

/** Reads a file of the system or the user, and follows links; null for anything that cannot be read. */
export function readThroughLinks(path: string, largest?: number): Bytes | null {
  const real = exists(path) ? realPath(path) : null;
  const content = real === null ? null : readPlainFile(real, largest);
  return typeof content === 'string' ? content : null;
}

/** Perf: if nothing is there, checking first is several times as fast as failing. */
export function exists(path: string): boolean {
  return unlessUnreachable(() => statSync(fsPath(path), { throwIfNoEntry: false })) != null;
}

/** Resolves all links of a path; null if it leads nowhere. */
export function realPath(path: string): Bytes | null {
  return unlessUnreachable(() => realBytes(path as Bytes));
}

function unlessUnreachable<T>(ask: () => T): T | null {
  try {
    return ask();
  } catch (error) {
    if (UNREACHABLE.has(systemCode(error))) return null;
    throw error;
  }
}
