/**
 * The entries of one directory in order of their names: lower-cased by code point, and names that are equal but for case
 * by code point.
 *
 * Perf: names mostly share a beginning and differ soon after it; so the next bytes of each are packed into a number
 * together with its position, and numbers are sorted. Only names that are still equal there are compared.
 */
import { type Budget, COST } from '../workspace/budget.ts';
import type { EntryBuffer } from '../workspace/reader.ts';
import { FOLD, orderKey } from './name-keys.ts';
import { RadixBuckets } from './radix-buckets.ts';

/** As many positions as a number has room for beside the bytes: 40 bits and 13 make the 53 that it holds exactly. */
const POSITIONS = 8192;
const PACKED = 5;

/** Steps of work to sort a name. */
const COST_OF_SORTING = 30;

/** Numbers that are sorted by insertion. */
const FEW = 24;

/** Puts the entries of a range in order, in place. It takes time only where there are very many. */
export function sortSiblings(entries: EntryBuffer, from: number, to: number, budget: Budget): void | Promise<void> {
  const count = to - from;
  if (count < 2) return;
  if (count > POSITIONS) return sortMany(entries, from, to, budget);
  budget.steps += COST_OF_SORTING * count;
  const shared = sharedBeginning(entries, from, to);
  const isPacked = shared >= 0 && packKeys(entries, from, to, shared);
  if (!isPacked) return sortMany(entries, from, to, budget);
  const packed = keys.subarray(0, count);
  if (!isAscending(packed)) {
    if (count > FEW) packed.sort();
    else sortByInsertion(packed);
    for (let i = 0; i < count; i++) order[i] = positionIn(packed[i] as number);
    arrange(entries, from, count, order);
  }
  sortTies(entries, from, packed);
}

let keys = new Float64Array(64);
let order = new Uint32Array(64);

/** Bytes that all names begin with; negative if one of these is not ASCII. */
function sharedBeginning({ bytes, starts, ends }: EntryBuffer, from: number, to: number): number {
  const first = starts[from] as number;
  let shared = (ends[from] as number) - first;
  for (let i = from + 1; i < to && shared > 0; i++) {
    const start = starts[i] as number;
    let length = 0;
    // The 0 behind a name differs from every byte of another.
    while (length < shared && bytes[start + length] === bytes[first + length]) length++;
    shared = length;
  }
  for (let i = 0; i < shared; i++) if ((bytes[first + i] as number) >= 0x80) return -1;
  return shared;
}

/** False when a byte that counts is not ASCII: its lower case depends on its neighbours. */
function packKeys({ bytes, starts }: EntryBuffer, from: number, to: number, shared: number): boolean {
  if (keys.length < to - from) {
    keys = new Float64Array(POSITIONS);
    order = new Uint32Array(POSITIONS);
  }
  let union = 0;
  for (let i = from; i < to; i++) {
    let key = 0;
    let at = (starts[i] as number) + shared;
    for (let packed = 0; packed < PACKED; packed++) {
      const byte = bytes[at] as number;
      union |= byte;
      key = key * 256 + (FOLD[byte] as number);
      // Behind the 0 there is nothing more of the name.
      if (byte !== 0) at++;
    }
    keys[i - from] = key * POSITIONS + (i - from);
  }
  return union < 0x80;
}

/** Perf: the remainder of so large a number takes ten times as long to divide out. */
function positionIn(key: number): number {
  return key - Math.floor(key / POSITIONS) * POSITIONS;
}

function isAscending(numbers: Float64Array): boolean {
  for (let i = 1; i < numbers.length; i++) if ((numbers[i - 1] as number) > (numbers[i] as number)) return false;
  return true;
}

function sortByInsertion(numbers: Float64Array): void {
  for (let i = 1; i < numbers.length; i++) {
    const key = numbers[i] as number;
    let at = i;
    for (; at > 0 && (numbers[at - 1] as number) > key; at--) numbers[at] = numbers[at - 1] as number;
    numbers[at] = key;
  }
}

let [oldStarts, oldEnds, oldTypes] = [new Uint32Array(64), new Uint32Array(64), new Uint8Array(64)];

/** Puts the entries from a position on in the order that their positions, counted from there, are given in. */
function arrange({ starts, ends, types }: EntryBuffer, from: number, count: number, positions: Uint32Array): void {
  if (oldStarts.length < count) {
    [oldStarts, oldEnds, oldTypes] = [new Uint32Array(count), new Uint32Array(count), new Uint8Array(count)];
  }
  for (let i = 0; i < count; i++) {
    oldStarts[i] = starts[from + i] as number;
    oldEnds[i] = ends[from + i] as number;
    oldTypes[i] = types[from + i] as number;
  }
  for (let i = 0; i < count; i++) {
    const position = positions[i] as number;
    starts[from + i] = oldStarts[position] as number;
    ends[from + i] = oldEnds[position] as number;
    types[from + i] = oldTypes[position] as number;
  }
}

/** Names that are alike as far as they were packed. */
function sortTies(entries: EntryBuffer, from: number, packed: Float64Array): void {
  for (let start = 0; start < packed.length; ) {
    const key = Math.floor((packed[start] as number) / POSITIONS);
    let end = start + 1;
    while (end < packed.length && Math.floor((packed[end] as number) / POSITIONS) === key) end++;
    if (end - start > 1) sortByComparing(entries, from + start, from + end);
    start = end;
  }
}

function sortByComparing(entries: EntryBuffer, from: number, to: number): void {
  const rows = entries.namesOf(from, to).map((name, position) => ({ name, key: orderKey(name), position }));
  rows.sort((a, b) => (a.key === b.key ? (a.name < b.name ? -1 : 1) : a.key < b.key ? -1 : 1));
  arrange(
    entries,
    from,
    to - from,
    Uint32Array.from(rows, ({ position }) => position),
  );
}

/** Any number of any names, in steps: those that are not ASCII by a key that is made for them. */
async function sortMany(entries: EntryBuffer, from: number, to: number, budget: Budget): Promise<void> {
  const starts = new Uint32Array(to - from);
  for (let i = from; i < to; i++) {
    starts[i - from] = keyStart(entries, i);
    budget.steps += COST.piece;
    if (budget.isDue) await budget.yieldIfDue();
  }
  const { bytes } = entries;
  const buckets = new RadixBuckets(to - from, {
    bytes,
    starts,
    fold: FOLD,
    compareNames: (a, b) => compareNames(entries, from + a, from + b),
  });
  arrange(entries, from, to - from, await buckets.arranged(0, to - from, budget));
}

/** Where the key of an entry begins; one that is not the name itself is put behind all names. */
function keyStart(entries: EntryBuffer, at: number): number {
  const [start, end] = [entries.starts[at] as number, entries.ends[at] as number];
  let union = 0;
  for (let i = start; i < end; i++) union |= entries.bytes[i] as number;
  if (union < 0x80) return start;
  const key = orderKey(entries.nameAt(at));
  entries.reserve(key.length + 1, 0);
  const keyStartsAt = entries.used;
  entries.used += entries.bytes.write(key, keyStartsAt, 'latin1');
  entries.bytes[entries.used++] = 0;
  return keyStartsAt;
}

function compareNames({ bytes, starts }: EntryBuffer, a: number, b: number): number {
  let [i, j] = [starts[a] as number, starts[b] as number];
  while (bytes[i] === bytes[j] && bytes[i] !== 0) {
    i++;
    j++;
  }
  return (bytes[i] as number) - (bytes[j] as number);
}
