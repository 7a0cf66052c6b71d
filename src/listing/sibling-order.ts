/**
 * The names of one directory in order: lower-cased by code point, and names that are equal but for case by code point.
 *
 * Perf: comparing strings takes as long as reading them from disk. Names mostly share a beginning and differ soon after
 * it; so the next bytes of each are packed into a number together with its position, and numbers are sorted. Only names
 * that are still equal there are compared.
 */
import { type Bytes, isAscii } from '../workspace/bytes.ts';
import { FOLD, orderKey } from './name-order.ts';

/** As many positions as a number has room for beside the bytes: 40 bits and 13 make the 53 that it holds exactly. */
const POSITIONS = 8192;
const PACKED = 5;

/** As many names as can be put in order at once. */
export const MOST_SIBLINGS = POSITIONS;

/** Puts the names in order, in place. */
export function sortSiblings(names: Bytes[]): void {
  if (names.length < 2) return;
  if (names.length > POSITIONS || !names.every(isAscii)) {
    sortRun(names, 0, names.length);
    return;
  }
  const from = sharedLength(names);
  const keys = new Float64Array(names.length);
  for (let i = 0; i < names.length; i++) keys[i] = packed(names[i] as Bytes, from) * POSITIONS + i;
  keys.sort();
  const before = names.slice();
  for (let i = 0; i < keys.length; i++) names[i] = before[(keys[i] as number) % POSITIONS] as Bytes;
  sortTies(names, keys);
}

/** How many bytes all of them begin with, whatever their case. */
function sharedLength(names: readonly Bytes[]): number {
  const first = names[0] as Bytes;
  let length = first.length;
  for (const name of names) {
    let at = 0;
    while (at < length && at < name.length && foldedAt(name, at) === foldedAt(first, at)) at++;
    length = at;
  }
  return length;
}

function packed(name: Bytes, from: number): number {
  let key = 0;
  for (let at = from; at < from + PACKED; at++) key = key * 256 + (at < name.length ? foldedAt(name, at) : 0);
  return key;
}

function foldedAt(name: Bytes, at: number): number {
  return FOLD[name.charCodeAt(at)] as number;
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
