/**
 * Plain files that hold rules: ignore files and configuration. Nothing else of a file is ever read.
 *
 * Whatever is no plain file, cannot be read or is larger than any such file has reason to be counts as not there.
 */
import { closeSync, constants, fstatSync, openSync, readSync, statSync } from 'node:fs';
import { type Bytes, fsPath } from './bytes.ts';
import { isUnreachable } from './listing-error.ts';

/** Bytes. A file of a hundred thousand rules is smaller, and to read and compile more would keep everybody waiting. */
export const LARGEST_PLAIN_FILE = 4 * 1024 * 1024;

/** A FIFO in place of the file must not make the call wait for a writer. */
const READ = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/** `follow` is for the user's own files alone, which often are links into a folder of settings. */
export type Links = 'refuse' | 'follow';

export function readPlainFile(path: string, links: Links = 'refuse'): Bytes | null {
  let fd: number;
  try {
    fd = openSync(fsPath(path), links === 'refuse' ? READ | (constants.O_NOFOLLOW ?? 0) : READ);
  } catch (error) {
    if (isUnreachable(error)) return null;
    throw error;
  }
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

/** Whether a directory is there, at the end of a link, too. */
export function isDirectory(path: string): boolean {
  try {
    return statSync(fsPath(path)).isDirectory();
  } catch (error) {
    if (isUnreachable(error)) return false;
    throw error;
  }
}
