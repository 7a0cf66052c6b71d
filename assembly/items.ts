/**
 * Sorts entries: directories first, then by lower-cased name; names that differ only in case are compared as they are.
 */

/** The types of entries, with the same values as in an `EntryBuffer`. */
export const FILE: u16 = 0;
export const DIRECTORY: u16 = 1;
export const LINK: u16 = 2;
export const OTHER: u16 = 3;
/** The bits of a type. Those above them are marks. */
export const TYPE: u16 = 3;
/** Marks a link to a directory. */
export const LEADS_TO_DIRECTORY: u16 = 4;
/** Marks a directory that is not shown itself, only its contents. */
export const DESCEND_ONLY: u16 = 8;
/** Marks a directory that rules may match, so that other rules may apply in it. */
export const HAS_RULES: u16 = 16;

/** An entry, with the address of its name. */
@unmanaged
export class Item {
  name: u32;
  length: u16;
  type: u16;
  /** Of ASCII, the first eight bytes of its name in lower case, with the highest bit set unless it leads to a directory. */
  key: u64;
}

@inline
export function itemAt(items: usize, at: i32): Item {
  return changetype<Item>(items + <usize>at * offsetof<Item>());
}

export const ONES: u64 = 0x0101010101010101;
export const SPACES: u64 = 0x20 * ONES;
export const HIGHEST_BITS: u64 = 0x80 * ONES;

/** Returns the key by which an item is sorted first. The highest bit of ASCII is free. */
@inline
export function keyOf(name: usize, length: i32, leadsToDirectory: bool): u64 {
  return lowerCased(bytesAt(name, length)) | (leadsToDirectory ? 0 : <u64>1 << 63);
}

/** Returns eight bytes as a word, the first byte highest; zeros after the end of the name. */
@inline
function bytesAt(name: usize, length: i32): u64 {
  const word = bswap<u64>(load<u64>(name));
  return length >= 8 ? word : length <= 0 ? 0 : word & (~(<u64>0) << (64 - 8 * length));
}

/** Lower-cases eight bytes of ASCII at once: sets the lower-case bit of each capital. */
@inline
function lowerCased(word: u64): u64 {
  const isCapital = (word + 0x3f * ONES) & ~(word + 0x25 * ONES) & HIGHEST_BITS;
  return word | (isCapital >> 2);
}

@inline
function swap(a: Item, b: Item): void {
  const first = load<u64>(changetype<usize>(a));
  const key = a.key;
  move(b, a);
  store<u64>(changetype<usize>(b), first);
  b.key = key;
}

@inline
function move(from: Item, to: Item): void {
  store<u64>(changetype<usize>(to), load<u64>(changetype<usize>(from)));
  to.key = from.key;
}

/** The length of runs that are sorted by insertion; longer runs are merged. */
const RUN: i32 = 12;

/** Merge sort. There is as much room again at `spare`. */
export function sortItems(items: usize, count: i32, spare: usize): void {
  for (let from = 0; from < count; from += RUN) insertAll(items, from, min(from + RUN, count));
  let source = items;
  let target = spare;
  for (let width = RUN; width < count; width *= 2) {
    for (let from = 0; from < count; from += 2 * width) {
      merge(source, target, from, min(from + width, count), min(from + 2 * width, count));
    }
    const other = source;
    source = target;
    target = other;
  }
  if (source != items) memory.copy(items, source, <usize>count * offsetof<Item>());
}

function insertAll(items: usize, from: i32, to: i32): void {
  for (let i = from + 1; i < to; i++) {
    for (let at = i; at > from && isBefore(itemAt(items, at), itemAt(items, at - 1)); at--) {
      swap(itemAt(items, at), itemAt(items, at - 1));
    }
  }
}

function merge(source: usize, target: usize, from: i32, middle: i32, to: i32): void {
  let a = from;
  let b = middle;
  for (let at = from; at < to; at++) {
    const isFirst = a < middle && (b == to || !isBefore(itemAt(source, b), itemAt(source, a)));
    move(itemAt(source, isFirst ? a++ : b++), itemAt(target, at));
  }
}

@inline
function isBefore(a: Item, b: Item): bool {
  return a.key != b.key ? a.key < b.key : isBeforeFurtherOn(a, b);
}

/** Compares two names with equal keys. */
function isBeforeFurtherOn(a: Item, b: Item): bool {
  const shorter = min<i32>(a.length, b.length);
  for (let at = 8; at < shorter; at += 8) {
    const one = lowerCased(bytesAt(a.name + at, a.length - at));
    const other = lowerCased(bytesAt(b.name + at, b.length - at));
    if (one != other) return one < other;
  }
  if (a.length != b.length) return a.length < b.length;
  for (let at = 0; at < shorter; at += 8) {
    const one = bytesAt(a.name + at, a.length - at);
    const other = bytesAt(b.name + at, b.length - at);
    if (one != other) return one < other;
  }
  return false;
}
