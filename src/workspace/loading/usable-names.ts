/**
 * Names that cannot be names. A tree that is kept elsewhere may hold any: empty ones, `..`, names with a slash. Taken as
 * they are they would lead somewhere else, so they are shown in another form, which leads nowhere.
 */
import type { Bytes } from '../bytes.ts';
import type { AsyncEntry } from './async-tree.ts';

const WITHOUT_MEANING = /[/\0]/g;
const IMPOSSIBLE = /^(?:\.{0,2})$|[/\0]/;

export function isUsable(name: Bytes): boolean {
  return !IMPOSSIBLE.test(name);
}

/** The entry itself, or something that shows its name and can be neither entered nor read. */
export function usable(entry: AsyncEntry): AsyncEntry {
  return isUsable(entry.name) ? entry : { name: shownForm(entry.name), type: 'other', size: entry.size };
}

/** `(empty)`, `\x2e\x2e`, `a\x2fb`: no name of a real entry is likely to be the same. */
export function shownForm(name: Bytes): Bytes {
  if (name === '') return '(empty)' as Bytes;
  const escaped = (character: string) => `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`;
  return (/^\.+$/.test(name) ? name.replace(/\./g, escaped) : name.replace(WITHOUT_MEANING, escaped)) as Bytes;
}
