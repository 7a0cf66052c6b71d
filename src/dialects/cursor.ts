/**
 * The cursor of `LS`: where a page ended, by the last entry's place in the order, not by its position.
 *
 *     f-1f3c-package.json     class (d: among the directories, f: behind them), check, name
 *
 * All of it is safe in JSON and in a URL, and a plain name costs few tokens. The check is made of the directory and the
 * rest: it reveals a cursor of another directory, or one that was not copied as it was. It is not a secret, and need not be
 * one: whatever a cursor says, it only chooses where a page begins.
 */
import type { Bookmark } from '../listing/query.ts';
import type { Bytes } from '../workspace/bytes.ts';

const FORM = /^([df])-[0-9a-f]{4}-((?:[\w.~-]|%[0-9A-F]{2})+)$/;

export function cursorAfter({ name, leadsToDirectory }: Bookmark, directory: Bytes): string {
  const kind = leadsToDirectory ? 'd' : 'f';
  return `${kind}-${checkOf(`${directory}/${kind}${name}`)}-${percentEncoded(name)}`;
}

/** Characters; the longest name of any file system takes about half of it. */
const LONGEST_CURSOR = 4096;

/** Null for a string that is not a cursor, whatever directory it may be of. */
export function bookmarkIn(cursor: string): Bookmark | null {
  if (cursor.length > LONGEST_CURSOR) return null;
  const [, kind, text = ''] = FORM.exec(cursor) ?? [];
  const name = text.replace(/%([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))) as Bytes;
  return kind === undefined || percentEncoded(name) !== text ? null : { name, leadsToDirectory: kind === 'd' };
}

/** Each byte but those that need no escape in a URL. */
function percentEncoded(name: Bytes): string {
  return name.replace(/[^\w.~-]/g, (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`);
}

/** FNV-1a, folded to 16 bits. */
function checkOf(bytes: string): string {
  let hash = 0x811c9dc5;
  for (let i = 0; i < bytes.length; i++) hash = Math.imul(hash ^ bytes.charCodeAt(i), 0x01000193);
  return ((hash ^ (hash >>> 16)) & 0xffff).toString(16).padStart(4, '0');
}
