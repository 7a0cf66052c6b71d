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
const FEW = 64;
const GAPS = [23, 10, 4, 1];

/** Puts the entries of a range in order, in place. It takes time only where there are very many, or not all are ASCII. */
export function sortSiblings(entries: EntryBuffer, from: number, to: number, budget: Budget): void | Promise<void> {
  const count = to - from;
  if (count < 2) return;
  budget.steps += COST_OF_SORTING * count;
  const shared = count > POSITIONS ? -1 : sharedBeginning(entries, from, to);
  if (shared < 0) return sortMany(entries, from, to, budget);
  if (keys.length < count) [keys, order] = [new Float64Array(POSITIONS), new Uint32Array(POSITIONS)];
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

let keys = new Float64Array(64);
let order = new Uint32Array(64);

/** By the bytes from a depth on. False when one that counts is not ASCII: its lower case depends on its neighbours. */
function sortFrom(entries: EntryBuffer, from: number, to: number, depth: number): boolean {
  const packed = keys.subarray(0, to - from);
  if (!packKeys(entries, from, packed, depth)) return false;
  if (!isAscending(packed)) {
    if (packed.length > FEW) packed.sort();
    else sortFew(packed);
    for (let i = 0; i < packed.length; i++) order[i] = positionIn(packed[i] as number);
    arrange(entries, from, packed.length, order);
  }
  const runs = runsOf(packed);
  for (let i = 0; i < runs.length; i += 2) {
    const [start, end] = [from + (runs[i] as number), from + (runs[i + 1] as number)];
    // Those that end here are equal but for case.
    if ((entries.ends[start] as number) - (entries.starts[start] as number) < depth + PACKED) {
      sortByBytes(entries, start, end);
    } else if (!sortFrom(entries, start, end, depth + PACKED)) return false;
  }
  return true;
}

function packKeys(entries: EntryBuffer, from: number, packed: Float64Array, depth: number): boolean {
  const { bytes, starts, ends } = entries;
  let union = 0;
  for (let i = 0; i < packed.length; i++) {
    const start = (starts[from + i] as number) + depth;
    const length = (ends[from + i] as number) - start;
    const word =
      length >= 4 ? entries.wordAt(start) : length <= 0 ? 0 : entries.wordAt(start) & (-1 << (32 - 8 * length));
    const last = length < PACKED ? 0 : (bytes[start + 4] as number);
    union |= word | (last << 24);
    packed[i] = ((lowerCased(word) >>> 0) * 256 + (FOLD[last] as number)) * POSITIONS + i;
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

function isAscending(numbers: Float64Array): boolean {
  for (let i = 1; i < numbers.length; i++) if ((numbers[i - 1] as number) > (numbers[i] as number)) return false;
  return true;
}

/** By insertion, from far to near. */
function sortFew(numbers: Float64Array): void {
  for (const gap of GAPS) {
    for (let i = gap; i < numbers.length; i++) {
      const key = numbers[i] as number;
      let at = i;
      for (; at >= gap && (numbers[at - gap] as number) > key; at -= gap) numbers[at] = numbers[at - gap] as number;
      numbers[at] = key;
    }
  }
}

const NO_RUNS: readonly number[] = [];

/** Finds runs of names that are equal as far as they were packed: the start and the end of each. */
function runsOf(packed: Float64Array): readonly number[] {
  let runs: number[] | null = null;
  for (let start = 0; start < packed.length; ) {
    const key = Math.floor((packed[start] as number) / POSITIONS);
    let end = start + 1;
    while (end < packed.length && Math.floor((packed[end] as number) / POSITIONS) === key) end++;
    if (end - start > 1) {
      runs ??= [];
      runs.push(start, end);
    }
    start = end;
  }
  return runs ?? NO_RUNS;
}

/** By insertion: there are few that are equal but for case. */
function sortByBytes(entries: EntryBuffer, from: number, to: number): void {
  for (let i = from + 1; i < to; i++) {
    for (let at = i; at > from && compareNames(entries, at - 1, at) > 0; at--) entries.swap(at - 1, at);
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
  const buckets = new RadixBuckets(to - from, {
    bytes,
    starts,
    fold: FOLD,
    compareNames: (a, b) => compareNames(entries, from + a, from + b),
  });
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
