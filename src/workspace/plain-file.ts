/**
 * Plain files that hold rules: ignore files and configuration. Nothing else of a file is ever read.
 *
 * Nothing is opened that is not known to be a plain file: to open a pipe or a device can have effects of its own.
 */
import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, realpathSync, statSync } from 'node:fs';
import type { Bytes } from './bytes.ts';
import { fsPath } from './fs-path.ts';
import { isUnreachable, systemCode } from './listing-error.ts';

/** Bytes of a file that holds rules. Fifty thousand rules take less. */
export const LARGEST_RULE_FILE = 1024 * 1024;

/** A file that is there, and is not read. */
export class Unusable {
  /** Completes "'.gitignore' …". */
  readonly reason: string;

  constructor(reason: string) {
    this.reason = reason;
  }
}

const UNREADABLE = new Unusable('cannot be read');

/** Should a pipe be put in the file's place after all, it must not make the call wait for a writer. */
const READ = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0);

/** The content of a file; null when nothing is there. A link is not followed. */
export function readPlainFile(path: string, largest = LARGEST_RULE_FILE): Bytes | Unusable | null {
  // Perf: mostly nothing is there, and an error costs several times the question.
  const found = unlessUnreachable(() => lstatSync(fsPath(path), { throwIfNoEntry: false }));
  if (found === null || found === undefined) return null;
  if (found.isSymbolicLink()) return new Unusable('is a link');
  if (!found.isFile()) return new Unusable('is not a plain file');
  const fd = openedOrReason(path);
  if (typeof fd !== 'number') return fd;
  try {
    const stats = fstatSync(fd);
    if (!stats.isFile()) return UNREADABLE;
    return stats.size > largest ? tooLarge(largest) : contentOf(fd, stats.size, largest);
  } finally {
    closeSync(fd);
  }
}

/** Null when it has vanished meanwhile. */
function openedOrReason(path: string): number | Unusable | null {
  try {
    return openSync(fsPath(path), READ);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return null;
    if (isUnreachable(error)) return UNREADABLE;
    throw error;
  }
}

function contentOf(fd: number, size: number, largest: number): Bytes | Unusable {
  const buffer = Buffer.allocUnsafe(Math.max(size, 512));
  let content = '';
  for (;;) {
    const length = readSync(fd, buffer, 0, buffer.length, null);
    if (length === 0) return content as Bytes;
    content += buffer.toString('latin1', 0, length);
    // It may grow while it is read.
    if (content.length > largest) return tooLarge(largest);
  }
}

function tooLarge(largest: number): Unusable {
  const size = largest < LARGEST_RULE_FILE ? `${largest} bytes` : `${largest / LARGEST_RULE_FILE} MB`;
  return new Unusable(`is larger than ${size}`);
}

/** The content of a file of the system's or the user's own, through links; null for whatever cannot be read. */
export function readThroughLinks(path: string, largest?: number): Bytes | null {
  const real = realPath(path);
  const content = real === null ? null : readPlainFile(real, largest);
  return typeof content === 'string' ? content : null;
}

/** Where a path leads, without any link; null when it leads nowhere. */
export function realPath(path: string): Bytes | null {
  return unlessUnreachable(() => {
    // Perf: as above.
    if (statSync(fsPath(path), { throwIfNoEntry: false }) === undefined) return null;
    return realpathSync.native(fsPath(path), { encoding: 'latin1' }) as Bytes;
  });
}

function unlessUnreachable<T>(ask: () => T | null): T | null {
  try {
    return ask();
  } catch (error) {
    if (isUnreachable(error)) return null;
    throw error;
  }
}
