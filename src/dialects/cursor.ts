/**
 * The cursor of `LS` records where a page ended: the last entry's place in the sort order, not its index.
 *
 *     f-1f3c-package.json     class (d: among the directories, f: after them), check, name
 *
 * A cursor is safe in JSON and in a URL, and a plain name costs few tokens. The check is a hash of the directory, the
 * class and the name. It detects a cursor of another directory, or one that was not copied exactly. It is not a secret
 * and need not be one: a cursor only chooses where a page begins.
 */
import type { Bookmark } from '../listing/query.ts';
import { type Bytes, percentEncoded } from '../names/bytes.ts';

const FORM = /^([df])-[0-9a-f]{4}-((?:[\w.~-]|%[0-9A-F]{2})+)$/;

export function cursorAfter({ name, leadsToDirectory }: Bookmark, directory: Bytes): string {
  const kind = leadsToDirectory ? 'd' : 'f';
  return `${kind}-${checkOf(`${directory}/${kind}${name}`)}-${percentEncoded(name)}`;
}

/** In characters. The longest name of any file system takes about half as many. */
const LONGEST_CURSOR = 4096;

/** Returns null for a string that is not a cursor. Does not check which directory the cursor belongs to. */
export function bookmarkIn(cursor: string): Bookmark | null {
  if (cursor.length > LONGEST_CURSOR) return null;
  const [, kind, text = ''] = FORM.exec(cursor) ?? [];
  const name = text.replace(/%([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))) as Bytes;
  return kind === undefined || percentEncoded(name) !== text ? null : { name, leadsToDirectory: kind === 'd' };
}

/** FNV-1a, folded to 16 bits. */
function checkOf(bytes: string): string {
  let hash = 0x811c9dc5;
  for (let i = 0; i < bytes.length; i++) hash = Math.imul(hash ^ bytes.charCodeAt(i), 0x01000193);
  return ((hash ^ (hash >>> 16)) & 0xffff).toString(16).padStart(4, '0');
}
