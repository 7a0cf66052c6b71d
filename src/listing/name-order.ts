/**
 * Puts entry numbers in the order of their keys, and only as far as requested. It can pause anywhere.
 *
 * Perf: six bytes of a key at a time are compared as one number, its digit. Many entries are partitioned around a pivot,
 * and only the segments that a page touches are partitioned further: a page costs a few passes over all entries.
 */
import { endianness } from 'node:os';
import type { Bytes } from '../names/bytes.ts';
import { firstIndex } from '../names/ranges.ts';
import type { Budget } from '../workspace/budget.ts';
import type { EntryBuffer } from '../workspace/reader.ts';

/** Entries that are examined, or sorted by digit, at a time: a position among them has 16 bits. */
const BLOCK = 2 ** 15;

/** Segments of up to so many entries are sorted by comparing them. */
const FEW = 16;

/** Steps of work for each entry that is examined, and for each comparison, in addition to what two keys share. */
const COST_OF_LOOK = 4;

/** Where the upper half of a number of 64 bits is. */
const HIGH = endianness() === 'LE' ? 1 : 0;

/** The bytes of a digit: as many as a number holds exactly. */
const DIGIT = 6;

/** The most bytes that are passed over at once. */
const FAR = 24;

/** The entries from `start` to `end`, whose keys are equal up to `depth`; or whose keys are equal, and their names so. */
interface Segment {
  readonly isByName: boolean;
  readonly start: number;
  readonly end: number;
  depth: number;
  /** The position up to which the digits at that depth are known. */
  known: number;
  /** Its digits are partitioned around this one; null if that has not begun. */
  pivot: number | null;
  /** Up to `less`, digits are below the pivot; from there up to `next`, equal; from `more` on, above. */
  less: number;
  next: number;
  more: number;
}

/** Entries of a buffer, from the one at `first` on. Each has a key: bytes that compare through `fold`, and then a 0. */
export class NameOrder {
  readonly #entries: EntryBuffer;
  /** The position of each name in the buffer, and of each key. */
  readonly #names: Uint32Array;
  readonly #keys: Uint32Array;
  readonly #fold: Uint8Array;
  readonly #ids: Uint32Array;
  /** The digit of each entry, by position. */
  readonly #digits: Float64Array;
  /** Used while a segment is sorted: integers, the same as words of 32 bits, and the entry numbers before. */
  readonly #pairs: BigUint64Array;
  readonly #words: Uint32Array;
  readonly #old: Uint32Array;
  /** The segments that are not in order yet, by position, the first last. */
  readonly #segments: Segment[];

  /** `digits` are the first of each key, if they are known; their order is changed. */
  constructor(entries: EntryBuffer, first: number, keys: Uint32Array, fold: Uint8Array, digits?: Float64Array) {
    this.#entries = entries;
    this.#names = entries.starts.subarray(first);
    this.#keys = keys;
    this.#fold = fold;
    this.#ids = sequence(keys.length);
    this.#digits = digits ?? new Float64Array(keys.length);
    this.#pairs = new BigUint64Array(Math.min(keys.length, BLOCK));
    this.#words = new Uint32Array(this.#pairs.buffer);
    this.#old = new Uint32Array(this.#pairs.length);
    this.#segments = [segmentOf(0, keys.length, 0, false, digits ? keys.length : 0)];
  }

  /** Returns entry numbers. Those at positions `from` to `to` are in order; the others are on the correct side. */
  async arranged(from: number, to: number, budget: Budget): Promise<Uint32Array> {
    while (!this.#arrangeSome(from, to, budget)) await budget.yieldIfDue();
    return this.#ids;
  }

  /** Orders the segments that overlap the range. Returns false if the slice is over before that is finished. */
  #arrangeSome(from: number, to: number, budget: Budget): boolean {
    const segments = this.#segments;
    for (;;) {
      const at = firstIndex(segments.length, (i) => (segments[i] as Segment).end <= from) - 1;
      const segment = segments[at];
      if (segment === undefined || segment.start >= to) return true;
      budget.steps += COST_OF_LOOK * Math.min(segment.end - segment.start, BLOCK);
      segments.splice(at, 1, ...this.#workOn(segment, from, to, budget).reverse());
      if (budget.isDue) return false;
    }
  }

  /** Returns what is left to do of a segment. */
  #workOn(segment: Segment, from: number, to: number, budget: Budget): Segment[] {
    const { start, end, depth, isByName } = segment;
    if (end - start <= FEW) return this.#sortFew(segment, budget);
    if (segment.known < end) {
      this.#readDigits(segment);
      return [segment];
    }
    if (end - start <= BLOCK) return this.#sortByDigit(segment);
    segment.pivot ??= this.#pivotOf(segment, from, to);
    const { less, next, more } = this.#partitionSome(segment, segment.pivot);
    if (next < more) return [segment];
    return [
      segmentOf(start, less, depth, isByName, less),
      ...this.#equalsOf(segment, less, more),
      segmentOf(more, end, depth, isByName, end),
    ].filter((part) => part.end - part.start > 1);
  }

  /** Returns what is left to do of those in a segment whose digits are equal. */
  #equalsOf({ depth, isByName }: Segment, start: number, end: number): Segment[] {
    // A 0 is the end of a key. Entries of one key are ordered by name, and those of one name as they came.
    const isEnd = (this.#digits[start] as number) % 256 === 0;
    if (!isEnd || !isByName) return [segmentOf(start, end, isEnd ? 0 : depth + DIGIT, isByName || isEnd)];
    this.#ids.subarray(start, end).sort();
    return [];
  }

  /** Perf: comparing a few takes less time than reading and sorting their digits takes to begin. */
  #sortFew({ start, end, depth, isByName }: Segment, budget: Budget): [] {
    const { bytes } = this.#entries;
    const by = (at: Uint32Array, fold: Uint8Array, behind: number, a: number, b: number) => {
      const [i, j] = [(at[a] as number) + behind, (at[b] as number) + behind];
      const shared = sharedLength(fold, bytes, i, bytes, j, Number.POSITIVE_INFINITY);
      budget.steps += COST_OF_LOOK + shared;
      return (fold[bytes[i + shared] as number] as number) - (fold[bytes[j + shared] as number] as number);
    };
    this.#ids.subarray(start, end).sort((a, b) => {
      const byKey = isByName ? 0 : by(this.#keys, this.#fold, depth, a, b);
      return byKey || by(this.#names, PLAIN, isByName ? depth : 0, a, b) || a - b;
    });
    return [];
  }

  /** Perf: a digit and a position make one integer, and V8 sorts integers in C++, which needs no time to become fast. */
  #sortByDigit(segment: Segment): Segment[] {
    const { start, end } = segment;
    const [ids, digits, old, words] = [this.#ids, this.#digits, this.#old, this.#words];
    for (let i = start, at = 0; i < end; i++, at++) {
      const digit = digits[i] as number;
      const high = Math.floor(digit / 2 ** 16);
      words[2 * at + HIGH] = high;
      words[2 * at + 1 - HIGH] = (digit - high * 2 ** 16) * 2 ** 16 + at;
      old[at] = ids[i] as number;
    }
    this.#pairs.subarray(0, end - start).sort();
    const rest: Segment[] = [];
    for (let i = start, at = 0; i < end; i++, at++) {
      const low = words[2 * at + 1 - HIGH] as number;
      ids[i] = old[low & 0xffff] as number;
      digits[i] = (words[2 * at + HIGH] as number) * 2 ** 16 + (low >>> 16);
    }
    for (let from = start, to = start + 1; from < end; from = to++) {
      while (to < end && digits[to] === digits[from]) to++;
      if (to - from > 1) rest.push(...this.#equalsOf(segment, from, to));
    }
    return rest;
  }

  #readDigits(segment: Segment): void {
    const { bytes } = this.#entries;
    const { start, known, end, isByName } = segment;
    const [ids, digits] = [this.#ids, this.#digits];
    const [keys, fold] = isByName ? [this.#names, PLAIN] : [this.#keys, this.#fold];
    const at = (i: number) => (keys[ids[i] as number] as number) + segment.depth;
    // Perf: what all keys share is passed over at once.
    let shared = end - start <= BLOCK ? FAR : 0;
    for (let i = start; i < end && shared > 0; i++) shared = sharedLength(fold, bytes, at(start), bytes, at(i), shared);
    segment.depth += shared;
    const stop = Math.min(known + BLOCK, end);
    for (let i = known; i < stop; i++) digits[i] = digitAt(bytes, at(i), fold);
    segment.known = stop;
  }

  /**
   * Returns the digit that probably cuts off most of what was not requested; the median, if most was. It is one of some
   * that are chosen at random: no names can make all choices bad.
   */
  #pivotOf({ start, end }: Segment, from: number, to: number): number {
    const size = end - start;
    const anyDigit = () => this.#digits[start + Math.floor(Math.random() * size)] as number;
    const [before, upTo] = [Math.max(from - start, 0) / size, Math.min(to - start, size) / size];
    const cut = upTo - before > 0.5 ? 0.5 : before + upTo < 1 ? upTo + 0.05 : before - 0.05;
    return Float64Array.from({ length: 100 }, anyDigit).sort()[Math.floor(cut * 100)] as number;
  }

  #partitionSome(segment: Segment, pivot: number): Segment {
    const [ids, digits] = [this.#ids, this.#digits];
    let { less, next, more } = segment;
    for (let looks = Math.min(BLOCK, more - next); looks > 0; looks--) {
      const digit = digits[next] as number;
      if (digit === pivot) {
        next++;
        continue;
      }
      const to = digit < pivot ? less++ : --more;
      const id = ids[next] as number;
      ids[next] = ids[to] as number;
      digits[next] = digits[to] as number;
      ids[to] = id;
      digits[to] = digit;
      if (digit < pivot) next++;
    }
    return Object.assign(segment, { less, next, more });
  }
}

/** Returns the digit of the bytes from `at` on; those behind the end of a key count as 0. */
export function digitAt(bytes: Uint8Array, at: number, fold: Uint8Array): number {
  let digit = 0;
  for (let i = at, end = at + DIGIT; at < end; at++) {
    const byte = bytes[i] as number;
    digit = digit * 256 + (fold[byte] as number);
    if (byte !== 0) i++;
  }
  return digit;
}

/** Returns how many bytes two keys share, without the 0 at their end. */
function sharedLength(fold: Uint8Array, a: Uint8Array, i: number, b: Uint8Array, j: number, most: number): number {
  let at = 0;
  while (at < most && fold[a[i + at] as number] === fold[b[j + at] as number] && a[i + at] !== 0) at++;
  return at;
}

/** Bytes as they are. */
export const PLAIN = new Uint8Array(256).map((_, byte) => byte);

export function compareKeys(fold: Uint8Array, a: Uint8Array, i: number, b: Uint8Array, j: number): number {
  const at = sharedLength(fold, a, i, b, j, Number.POSITIVE_INFINITY);
  return (fold[a[i + at] as number] as number) - (fold[b[j + at] as number] as number);
}

/** Appends a key behind its rank, or with none, and returns the position where it begins. */
export function appendKey(entries: EntryBuffer, key: Bytes, rank: number | null = null): number {
  const text = `${rank === null ? '' : String.fromCharCode(rank)}${key}\0`;
  return entries.appendBytes(Buffer.from(text, 'latin1'), text.length);
}

function segmentOf(start: number, end: number, depth: number, isByName: boolean, known = start): Segment {
  return { start, end, depth, isByName, known, pivot: null, less: start, next: start, more: end };
}

/** Returns 0, 1, 2, … Perf: V8 does not optimise a loop while an async function runs it. */
function sequence(length: number): Uint32Array {
  const numbers = new Uint32Array(length);
  for (let i = 0; i < length; i++) numbers[i] = i;
  return numbers;
}
