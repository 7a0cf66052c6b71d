/**
 * Handles impossible names. A tree that is kept elsewhere may hold any: empty ones, `..`, names with a slash. Used
 * unchanged, they would lead somewhere else, so they are shown in another form, which leads nowhere.
 */
import type { Bytes } from '../../names/bytes.ts';
import type { AsyncEntry } from './async-tree.ts';

const WITHOUT_MEANING = /[/\0]/g;
const IMPOSSIBLE = /^(?:\.{0,2})$|[/\0]/;

export function isUsable(name: Bytes): boolean {
  return !IMPOSSIBLE.test(name);
}

/** Returns the entry itself, or one that shows its name and can be neither entered nor read. */
export function usable(entry: AsyncEntry): AsyncEntry {
  return isUsable(entry.name) ? entry : { name: shownForm(entry.name), type: 'other', size: entry.size };
}

/** Returns, for instance, `(empty)`, `\x2e\x2e` or `a\x2fb`. A real entry is unlikely to have such a name. */
export function shownForm(name: Bytes): Bytes {
  if (name === '') return '(empty)' as Bytes;
  const escaped = (character: string) => `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`;
  return (/^\.+$/.test(name) ? name.replace(/\./g, escaped) : name.replace(WITHOUT_MEANING, escaped)) as Bytes;
}
