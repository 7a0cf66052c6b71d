/**
 * The entries of one directory in order of their names: lower-cased by code point, and names that are equal but for case
 * by code point.
 *
 * Perf: names mostly share a beginning and differ soon after it; so the next bytes of each are packed into a number
 * together with its position, and numbers are sorted. Names that are still equal there are packed again, further on.
 */
import { type Budget, COST } from '../workspace/budget.ts';
import type { Bytes } from '../workspace/bytes.ts';
import type { EntryBuffer } from '../workspace/reader.ts';
import { FOLD, naturalKey, orderKey } from './name-keys.ts';
import { RadixBuckets } from './radix-buckets.ts';

/** As many positions as a number has room for beside the bytes: 40 bits and 13 make the 53 that it holds exactly. */
const POSITIONS = 8192;
const PACKED = 5;

/** Steps of work to sort a name. */
const COST_OF_SORTING = 30;

/** Numbers that are sorted sooner than the runtime is called. */
const FEW = 128;
/** Names that are compared sooner than they are packed. */
const VERY_FEW = 8;

/** Puts the entries of a range in order, in place. It takes time only where there are very many, or not all are ASCII. */
export function sortSiblings(entries: EntryBuffer, from: number, to: number, budget: Budget): void | Promise<void> {
  const count = to - from;
  if (count < 2) return;
  budget.steps += COST_OF_SORTING * count;
  const shared = count > POSITIONS ? -1 : sharedBeginning(entries, from, to);
  if (shared < 0) return sortMany(entries, from, to, budget);
  if (keys.length < count) {
    [keys, firstBytes, order] = [new Float64Array(POSITIONS), new Uint8Array(POSITIONS), new Uint32Array(POSITIONS)];
  }
  if (!sortFrom(entries, from, to, shared)) return sortMany(entries, from, to, budget);
}

/** The same with numbers in names by their value. Where no name holds a digit, that is the same order. */
export function sortNaturally(entries: EntryBuffer, from: number, to: number, budget: Budget): void | Promise<void> {
  if (!hasDigit(entries, from, to)) return sortSiblings(entries, from, to, budget);
  return sortMany(entries, from, to, budget, naturalKey);
}

function hasDigit({ bytes, starts, ends }: EntryBuffer, from: number, to: number): boolean {
  for (let i = from; i < to; i++) {
    const end = ends[i] as number;
    for (let at = starts[i] as number; at < end; at++) {
      const byte = bytes[at] as number;
      if (byte >= 0x30 && byte <= 0x39) return true;
    }
  }
  return false;
}

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

/** The packed bytes of each name, the first of them, and the order that results. */
let keys = new Float64Array(FEW);
let firstBytes = new Uint8Array(FEW);
let order = new Uint32Array(FEW);

/**
 * By the bytes from a depth on. False where they are not enough: one that counts is not ASCII, so that its lower case
 * depends on its neighbours, or many names are equal but for case.
 */
function sortFrom(entries: EntryBuffer, from: number, to: number, depth: number): boolean {
  const count = to - from;
  if (!packKeys(entries, from, count, depth)) return false;
  if (!isAscending(count)) {
    if (count > FEW) keys.subarray(0, count).sort();
    else sortFew(count);
    for (let i = 0; i < count; i++) order[i] = positionIn(keys[i] as number);
    arrange(entries, from, count, order);
  }
  const runs = runsOf(count);
  for (let i = 0; i < runs.length; i += 2) {
    const [start, end] = [from + (runs[i] as number), from + (runs[i + 1] as number)];
    const deeper = depth + PACKED;
    const isEnd = (entries.ends[start] as number) - (entries.starts[start] as number) < deeper;
    if (end - start <= VERY_FEW) {
      if (!insertAll(entries, start, end, deeper)) return false;
      // Those that end here are equal but for case, which is not packed.
    } else if (isEnd || !sortFrom(entries, start, end, deeper)) return false;
  }
  return true;
}

function packKeys(entries: EntryBuffer, from: number, count: number, depth: number): boolean {
  const { bytes, starts, ends } = entries;
  let union = 0;
  for (let i = 0; i < count; i++) {
    const start = (starts[from + i] as number) + depth;
    const length = (ends[from + i] as number) - start;
    const word =
      length >= 4 ? entries.wordAt(start) : length <= 0 ? 0 : entries.wordAt(start) & (-1 << (32 - 8 * length));
    const last = length < PACKED ? 0 : (bytes[start + 4] as number);
    union |= word | (last << 24);
    const folded = lowerCased(word) >>> 0;
    firstBytes[i] = folded >>> 24;
    keys[i] = (folded * 256 + (FOLD[last] as number)) * POSITIONS + i;
  }
  return (union & 0x80808080) === 0;
}

/** Lower-cases four ASCII bytes at once: each capital gets the bit of its lower case. */
function lowerCased(word: number): number {
  const isCapital = (word + 0x3f3f3f3f) & ~(word + 0x25252525) & 0x80808080;
  return word | (isCapital >>> 2);
}

/** Perf: the remainder of so large a number takes ten times as long to divide out. */
function positionIn(key: number): number {
  return key - Math.floor(key / POSITIONS) * POSITIONS;
}

function isAscending(count: number): boolean {
  for (let i = 1; i < count; i++) if ((keys[i - 1] as number) > (keys[i] as number)) return false;
  return true;
}

const unsorted = new Float64Array(FEW);
/** For each byte of ASCII, where the next key that begins with it goes. */
const places = new Uint8Array(128);

/** By their first bytes, in which most of them differ, and then by insertion. */
function sortFew(count: number): void {
  places.fill(0);
  for (let i = 0; i < count; i++) {
    const byte = firstBytes[i] as number;
    places[byte] = (places[byte] as number) + 1;
    unsorted[i] = keys[i] as number;
  }
  for (let byte = 0, before = 0; byte < places.length; byte++) {
    const next = before + (places[byte] as number);
    places[byte] = before;
    before = next;
  }
  for (let i = 0; i < count; i++) {
    const byte = firstBytes[i] as number;
    const place = places[byte] as number;
    keys[place] = unsorted[i] as number;
    places[byte] = place + 1;
  }
  for (let i = 1; i < count; i++) {
    const key = keys[i] as number;
    let at = i;
    for (; at > 0 && (keys[at - 1] as number) > key; at--) keys[at] = keys[at - 1] as number;
    keys[at] = key;
  }
}

const NO_RUNS: readonly number[] = [];

/** Finds runs of names that are equal as far as they were packed: the start and the end of each. */
function runsOf(count: number): readonly number[] {
  let runs: number[] | null = null;
  for (let start = 0; start < count; ) {
    const next = (Math.floor((keys[start] as number) / POSITIONS) + 1) * POSITIONS;
    let end = start + 1;
    while (end < count && (keys[end] as number) < next) end++;
    if (end - start > 1) {
      runs ??= [];
      runs.push(start, end);
    }
    start = end;
  }
  return runs ?? NO_RUNS;
}

/** The same for names that are so few that each is soon compared with the others. */
function insertAll(entries: EntryBuffer, from: number, to: number, depth: number): boolean {
  for (let i = from + 1; i < to; i++) {
    for (let at = i; at > from; at--) {
      const order = compareFolded(entries, at - 1, at, depth);
      if (Number.isNaN(order)) return false;
      if (order <= 0) break;
      entries.swap(at - 1, at);
    }
  }
  return true;
}

/** Compares two names from a depth on, up to which they are equal but for case; NaN where a byte is not ASCII. */
function compareFolded(entries: EntryBuffer, a: number, b: number, depth: number): number {
  const { bytes, starts, ends } = entries;
  const [one, other] = [starts[a] as number, starts[b] as number];
  const shorter = Math.min((ends[a] as number) - one, (ends[b] as number) - other);
  for (let i = depth; i <= shorter; i++) {
    // The 0 behind the shorter name is less than any byte of the other.
    const [x, y] = [bytes[one + i] as number, bytes[other + i] as number];
    if ((x | y) >= 0x80) return Number.NaN;
    const order = (FOLD[x] as number) - (FOLD[y] as number);
    if (order !== 0) return order;
  }
  return compareNames(entries, a, b);
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

/** Any number of any names, in steps: those that are not ASCII by a key that is made for them. */
async function sortMany(
  entries: EntryBuffer,
  from: number,
  to: number,
  budget: Budget,
  keyOf: ((name: Bytes) => Bytes) | null = null,
): Promise<void> {
  const starts = new Uint32Array(to - from);
  let shared = Number.POSITIVE_INFINITY;
  for (let i = from; i < to; i++) {
    starts[i - from] = keyOf === null ? keyStart(entries, i) : appendKey(entries, keyOf(entries.nameAt(i)));
    shared = sharedWith(entries.bytes, starts[0] as number, starts[i - from] as number, shared);
    budget.steps += COST.entry + COST.nameByte * ((entries.ends[i] as number) - (entries.starts[i] as number));
    // When the time is over, the order of the rest does not matter.
    if (budget.isDue && !(await budget.proceed())) return;
  }
  // Perf: what all of them begin with need not be looked at again for each byte.
  for (let i = 0; i < starts.length; i++) starts[i] = (starts[i] as number) + shared;
  const { bytes } = entries;
  const digitOf = (start: number) =>
    ((FOLD[bytes[start] as number] as number) << 8) | (FOLD[bytes[start + 1] as number] as number);
  const firstDigits = Uint16Array.from(starts, digitOf);
  const compare = (a: number, b: number) => compareNames(entries, from + a, from + b);
  const keys = { bytes, starts, fold: FOLD, told: 1, compareNames: compare };
  const buckets = new RadixBuckets(to - from, keys, firstDigits);
  arrange(entries, from, to - from, await buckets.arranged(0, to - from, budget));
}

/** How many bytes, at most `most`, two keys have in common; of each at least one is left. */
function sharedWith(bytes: Uint8Array, one: number, other: number, most: number): number {
  let length = 0;
  while (length < most && bytes[one + length] === bytes[other + length] && bytes[one + length] !== 0) length++;
  return bytes[one + length] === 0 || bytes[other + length] === 0 ? Math.max(length - 1, 0) : length;
}

/** The position at which the key of an entry begins; a key that differs from the name is appended after all names. */
function keyStart(entries: EntryBuffer, at: number): number {
  const [start, end] = [entries.starts[at] as number, entries.ends[at] as number];
  let union = 0;
  for (let i = start; i < end; i++) union |= entries.bytes[i] as number;
  if (union < 0x80) return start;
  return appendKey(entries, orderKey(entries.nameAt(at)));
}

function appendKey(entries: EntryBuffer, key: Bytes): number {
  return entries.appendBytes(Buffer.from(`${key}\0`, 'latin1'), key.length + 1);
}

function compareNames({ bytes, starts }: EntryBuffer, a: number, b: number): number {
  let [i, j] = [starts[a] as number, starts[b] as number];
  while (bytes[i] === bytes[j] && bytes[i] !== 0) {
    i++;
    j++;
  }
  return (bytes[i] as number) - (bytes[j] as number);
}
