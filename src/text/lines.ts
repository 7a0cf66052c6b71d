/** Writes an entry as one line: its name or path, quoted if necessary, and a mark for its type outside the quotes. */
import type { EntryType } from '../listing/query.ts';
import type { Bytes } from '../workspace/bytes.ts';
import { shown } from '../workspace/quote.ts';

const TYPE_MARKS: Readonly<Record<EntryType, string>> = { dir: '/', link: '@', file: '', other: '' };

export function entryLine(path: Bytes, type: EntryType): string {
  return shown(path) + TYPE_MARKS[type];
}

/** A directory's path in a sentence: '.' for the root itself. */
export function shownPath(path: Bytes): string {
  return path === '' ? '.' : shown(path);
}
