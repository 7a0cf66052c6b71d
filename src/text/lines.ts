/** Writes an entry as one line: its name or path, quoted if necessary, and a mark for its type outside the quotes. */
import type { EntryType } from '../listing/query.ts';
import { type Bytes, bytesOf } from '../names/bytes.ts';
import { shown } from '../names/quote.ts';

const TYPE_MARKS: Readonly<Record<EntryType, string>> = { dir: '/', link: '@', file: '', other: '' };

export function entryLine(path: Bytes, type: EntryType, show: (path: Bytes) => string): string {
  return show(path) + TYPE_MARKS[type];
}

/** The format of paths for programs. */
export interface PathForm {
  /** The path from the current directory to the listed one: `src/`. '' if they are the same. */
  readonly prefix: Bytes;
  /** True to write each path as raw bytes with a NUL at its end, instead of quoted with a line break. */
  readonly isNull: boolean;
}

/** Returns the bytes of a path and its end. A trailing slash may be sent back with the path, a link's mark may not. */
export function pathLine(path: Bytes, isDirectory: boolean, { prefix, isNull }: PathForm): Bytes {
  const whole = `${prefix}${path}` as Bytes;
  const mark = isDirectory ? '/' : '';
  return (isNull ? `${whole}${mark}\0` : `${bytesOf(shown(whole))}${mark}\n`) as Bytes;
}

/** Writes a directory's path for a sentence: '.' for the root itself. */
export function shownPath(path: Bytes): string {
  return path === '' ? '.' : shown(path);
}

const MAX_CHARACTERS = 35;
const ELLIPSIS = '...';

/** Shortens a path to its first directory and as many of its last names as fit. */
export function shortPath(path: string): string {
  if (fits(path)) return path;
  const [first = '', ...rest] = path.split('/');
  const start = `${first}/${ELLIPSIS}`;
  let end = '';
  while (rest.length > 0 && fits(`${start}/${rest.at(-1)}${end}`)) end = `/${rest.pop()}${end}`;
  if (end !== '') return start + end;
  // The first and the last name are already too long: characters of both ends are kept.
  const characters = Array.from(path);
  const half = (MAX_CHARACTERS - ELLIPSIS.length) / 2;
  return [...characters.slice(0, half), ELLIPSIS, ...characters.slice(-half)].join('');
}

function fits(text: string): boolean {
  return Array.from(text).length <= MAX_CHARACTERS;
}
