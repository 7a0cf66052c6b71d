/** Writes an entry as one line: its name or path, quoted if necessary, and a mark for its type outside the quotes. */
import type { EntryType } from '../listing/query.ts';
import { type Bytes, bytesOf } from '../workspace/bytes.ts';
import { shown } from '../workspace/quote.ts';

const TYPE_MARKS: Readonly<Record<EntryType, string>> = { dir: '/', link: '@', file: '', other: '' };

export function entryLine(path: Bytes, type: EntryType): string {
  return shown(path) + TYPE_MARKS[type];
}

/** How paths are written for a program. */
export interface PathForm {
  /** Leads from the current directory to the listed one: `src/`. '' where that is the same. */
  readonly prefix: Bytes;
  /** Each path is written byte by byte and ends with a NUL, not quoted at the end of a line. */
  readonly isNull: boolean;
}

/** Bytes of a path and its end. A trailing slash may be sent back, a mark for links may not. */
export function pathLine(path: Bytes, isDirectory: boolean, { prefix, isNull }: PathForm): Bytes {
  const whole = `${prefix}${path}` as Bytes;
  const mark = isDirectory ? '/' : '';
  return (isNull ? `${whole}${mark}\0` : `${bytesOf(shown(whole))}${mark}\n`) as Bytes;
}

/** A directory's path in a sentence: '.' for the root itself. */
export function shownPath(path: Bytes): string {
  return path === '' ? '.' : shown(path);
}
