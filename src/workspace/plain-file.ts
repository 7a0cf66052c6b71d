/**
 * Plain files that hold rules: ignore files and configuration. Nothing else of a file is ever read.
 *
 * Whatever is no plain file, cannot be read or is larger than any such file has reason to be counts as not there.
 */
import { closeSync, constants, fstatSync, openSync, readlinkSync, readSync, realpathSync, statSync } from 'node:fs';
import type { Bytes } from './bytes.ts';
import { fsPath } from './fs-path.ts';
import { isUnreachable } from './listing-error.ts';

/** Bytes. A file of a hundred thousand rules is smaller, and to read and compile more would keep everybody waiting. */
export const LARGEST_PLAIN_FILE = 4 * 1024 * 1024;

/** A FIFO in place of the file must not make the call wait for a writer. */
const READ = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/** `follow` is for the user's own files alone, which often are links into a folder of settings. */
export type Links = 'refuse' | 'follow';

export function readPlainFile(path: string, links: Links = 'refuse'): Bytes | null {
  const flags = links === 'refuse' ? READ | (constants.O_NOFOLLOW ?? 0) : READ;
  const fd = unlessUnreachable(() => openSync(fsPath(path), flags));
  if (fd === null) return null;
  try {
    const stats = fstatSync(fd);
    if (!stats.isFile() || stats.size > LARGEST_PLAIN_FILE) return null;
    return contentOf(fd, stats.size);
  } finally {
    closeSync(fd);
  }
}

/** Null when it grows beyond the limit while it is read. */
function contentOf(fd: number, size: number): Bytes | null {
  const buffer = Buffer.allocUnsafe(Math.max(size, 512));
  let content = '';
  for (;;) {
    const length = readSync(fd, buffer, 0, buffer.length, null);
    if (length === 0) return content as Bytes;
    content += buffer.toString('latin1', 0, length);
    if (content.length > LARGEST_PLAIN_FILE) return null;
  }
}

/** What is at a path, at the end of a link, too; null when nothing is. */
export function kindAt(path: string): 'file' | 'directory' | 'other' | null {
  // Perf: mostly nothing is there, and an error costs several times the question.
  const stats = unlessUnreachable(() => statSync(fsPath(path), { throwIfNoEntry: false }));
  if (stats === null || stats === undefined) return null;
  if (stats.isDirectory()) return 'directory';
  return stats.isFile() ? 'file' : 'other';
}

/** Whether a directory is there, at the end of a link, too. */
export function isDirectory(path: string): boolean {
  return kindAt(path) === 'directory';
}

/** What a link says; null when there is none. */
export function readLink(path: string): Bytes | null {
  return unlessUnreachable(() => readlinkSync(fsPath(path), { encoding: 'latin1' }) as Bytes);
}

/** Where a path leads, without any link; null when it leads nowhere. */
export function realPath(path: string): Bytes | null {
  return unlessUnreachable(() => realpathSync.native(fsPath(path), { encoding: 'latin1' }) as Bytes);
}

function unlessUnreachable<T>(ask: () => T): T | null {
  try {
    return ask();
  } catch (error) {
    if (isUnreachable(error)) return null;
    throw error;
  }
}
