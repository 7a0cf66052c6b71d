/** Sorts entries that JavaScript passes in: see src/listing/sibling-order.ts. */
import { HIGHEST_BITS, Item, itemAt, keyOf, sort } from './items';

/** The most entries that are sorted at a time. */
export const MOST: i32 = 8192;
/** The start and end of each entry's name, and its type with its marks; then items; then the bytes of all names. */
export const STARTS: usize = 1024;
export const ENDS: usize = STARTS + 4 * <usize>MOST;
export const TYPES: usize = ENDS + 4 * <usize>MOST;
const ITEMS: usize = TYPES + <usize>MOST;
const SPARE: usize = ITEMS + 16 * <usize>MOST;
export const NAMES: usize = SPARE + 16 * <usize>MOST;

const LONGEST: u32 = 0xffff;

/** Sorts entries, whose positions count from `base`. Returns false and changes nothing if not all are ASCII. */
export function sortSiblings(count: i32, base: u32): bool {
  for (let i = 0; i < count; i++) {
    const start = load<u32>(STARTS + 4 * <usize>i);
    const length = load<u32>(ENDS + 4 * <usize>i) - start;
    const name = NAMES + (start - base);
    if (length > LONGEST || !isAscii(name, length)) return false;
    const item = itemAt(ITEMS, i);
    item.name = <u32>name;
    item.length = <u16>length;
    item.type = load<u8>(TYPES + <usize>i);
    item.key = keyOf(name, length);
  }
  sort(ITEMS, count, SPARE);
  for (let i = 0; i < count; i++) {
    const item = itemAt(ITEMS, i);
    const start = base + (item.name - <u32>NAMES);
    store<u32>(STARTS + 4 * <usize>i, start);
    store<u32>(ENDS + 4 * <usize>i, start + item.length);
    store<u8>(TYPES + <usize>i, <u8>item.type);
  }
  return true;
}

@inline
function isAscii(name: usize, length: u32): bool {
  let union: u64 = 0;
  let at: u32 = 0;
  for (; at + 8 <= length; at += 8) union |= load<u64>(name + at);
  if (at < length) union |= load<u64>(name + at) & ~(~(<u64>0) << (8 * (length - at)));
  return (union & HIGHEST_BITS) == 0;
}
