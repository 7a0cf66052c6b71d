/**
 * Plain files that hold rules: ignore files and configuration. Nothing else of a file is ever read.
 *
 * Nothing is opened that is not known to be a plain file: to open a pipe or a device can have effects of its own.
 */
import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, statSync } from 'node:fs';
import type { Bytes } from '../bytes.ts';
import { isUnreachable, systemCode } from '../listing-error.ts';
import { LARGEST_RULE_FILE, SkippedFile } from '../source.ts';
import { realBytes } from './disk-directory.ts';
import { fsPath } from './fs-path.ts';

/** Should a pipe be put in the file's place after all, it must not make the call wait for a writer. */
const READ = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0);

/** The content of a file; null when nothing is there. A link is not followed. */
export function readPlainFile(path: string, largest = LARGEST_RULE_FILE): Bytes | SkippedFile | null {
  // Perf: mostly nothing is there, and an error costs several times the question.
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

/** Null when it has vanished meanwhile. */
function openedOrReason(path: string): number | SkippedFile | null {
  try {
    return openSync(fsPath(path), READ);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return null;
    if (isUnreachable(systemCode(error))) return SkippedFile.unreadable;
    throw error;
  }
}

/** The content of a file that has `size` bytes by now. `read` fills a buffer with the next ones, and says how many. */
export function contentOf(read: (buffer: Buffer) => number, size: number, largest: number): Bytes | SkippedFile {
  if (size > largest) return SkippedFile.largerThan(largest);
  const buffer = Buffer.allocUnsafe(Math.max(size, 512));
  for (let content = ''; ; ) {
    const length = read(buffer);
    if (length === 0) return content as Bytes;
    content += buffer.toString('latin1', 0, length);
    // It may grow while it is read.
    if (content.length > largest) return SkippedFile.largerThan(largest);
  }
}

/** The content of a file of the system's or the user's own, through links; null for whatever cannot be read. */
export function readThroughLinks(path: string, largest?: number): Bytes | null {
  const real = exists(path) ? realPath(path) : null;
  const content = real === null ? null : readPlainFile(real, largest);
  return typeof content === 'string' ? content : null;
}

/** Perf: to ask first is several times as fast as to fail where nothing is there. */
export function exists(path: string): boolean {
  return unlessUnreachable(() => statSync(fsPath(path), { throwIfNoEntry: false })) != null;
}

/** Where a path leads, without any link; null when it leads nowhere. */
export function realPath(path: string): Bytes | null {
  return unlessUnreachable(() => realBytes(path as Bytes));
}

function unlessUnreachable<T>(ask: () => T): T | null {
  try {
    return ask();
  } catch (error) {
    if (isUnreachable(systemCode(error))) return null;
    throw error;
  }
}
