/**
 * The names of one directory in order: lower-cased by code point, and names that are equal but for case by code point.
 *
 * Perf: comparing strings takes as long as reading them from disk. Names mostly share a beginning and differ soon after
 * it; so the next bytes of each are packed into a number together with its position, and numbers are sorted. Only names
 * that are still equal there are compared.
 */
import { type Bytes, isAscii } from '../workspace/bytes.ts';
import { FOLD, orderKey } from './name-keys.ts';

/** As many positions as a number has room for beside the bytes: 40 bits and 13 make the 53 that it holds exactly. */
const POSITIONS = 8192;
const PACKED = 5;

/** Names that are compared one by one, without keeping anybody waiting. */
const MOST_COMPARED = 512;

/** Puts the names in order, in place; false, and nothing is done, where that would take long. */
export function sortSiblings(names: Bytes[]): boolean {
  if (names.length < 2) return true;
  const keys = names.length > POSITIONS ? null : packedKeys(names, sharedBeginning(names));
  if (keys === null) {
    if (names.length > MOST_COMPARED) return false;
    sortRun(names, 0, names.length);
    return true;
  }
  keys.sort();
  const before = names.slice();
  for (let i = 0; i < keys.length; i++) {
    // Perf: the remainder of so large a number takes ten times as long to divide out.
    const key = keys[i] as number;
    names[i] = before[key - Math.floor(key / POSITIONS) * POSITIONS] as Bytes;
  }
  sortTies(names, keys);
  return true;
}

/** What all of them begin with. Perf: once it is short enough, one comparison is all that each name takes. */
function sharedBeginning(names: readonly Bytes[]): string {
  let shared: string = names[0] as Bytes;
  for (const name of names) {
    if (name.startsWith(shared)) continue;
    let length = 0;
    while (name.charCodeAt(length) === shared.charCodeAt(length)) length++;
    shared = shared.slice(0, length);
  }
  return shared;
}

/** Null when a byte that counts is not ASCII: its lower case depends on its neighbours. */
function packedKeys(names: readonly Bytes[], shared: string): Float64Array | null {
  if (!isAscii(shared)) return null;
  const keys = new Float64Array(names.length);
  const from = shared.length;
  let union = 0;
  for (let i = 0; i < names.length; i++) {
    const name = names[i] as Bytes;
    let key = 0;
    for (let at = from; at < from + PACKED; at++) {
      const byte = at < name.length ? name.charCodeAt(at) : 0;
      union |= byte;
      key = key * 256 + (FOLD[byte] as number);
    }
    keys[i] = key * POSITIONS + i;
  }
  return union < 0x80 ? keys : null;
}

/** Names that are alike as far as they were packed. */
function sortTies(names: Bytes[], keys: Float64Array): void {
  for (let start = 0; start < keys.length; ) {
    const key = Math.floor((keys[start] as number) / POSITIONS);
    let end = start + 1;
    while (end < keys.length && Math.floor((keys[end] as number) / POSITIONS) === key) end++;
    if (end - start > 1) sortRun(names, start, end);
    start = end;
  }
}

function sortRun(names: Bytes[], start: number, end: number): void {
  const rows = names.slice(start, end).map((name) => ({ name, key: orderKey(name) }));
  rows.sort((a, b) => (a.key === b.key ? (a.name < b.name ? -1 : 1) : a.key < b.key ? -1 : 1));
  for (const [i, { name }] of rows.entries()) names[start + i] = name;
}

/** Whether they are in the order of their bytes, which for names without capitals is the order of siblings. */
export function isAscending(names: readonly Bytes[]): boolean {
  for (let i = 1; i < names.length; i++) if ((names[i - 1] as Bytes) >= (names[i] as Bytes)) return false;
  return true;
}
