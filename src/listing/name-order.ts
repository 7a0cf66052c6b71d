/**
 * Puts entry numbers in the order of their keys, and only as far as requested. It can pause anywhere.
 *
 * Perf: six bytes of a key at a time are compared as one number, its digit. Entries are partitioned around a pivot, and
 * only the segments that a page touches are partitioned further: a page costs a few passes over all entries.
 */
import type { Bytes } from '../names/bytes.ts';
import { firstIndex } from '../names/ranges.ts';
import type { Budget } from '../workspace/budget.ts';
import type { EntryBuffer } from '../workspace/reader.ts';

/** Segments up to this size are sorted by comparison. */
const SMALL = 24;

/** Entries that are examined at a time. */
const BLOCK = 2 ** 15;

/** Steps of work for each entry that is examined, and for each entry of a small segment. */
const COST_OF_LOOK = 4;
const COST_OF_COMPARING = 20;

/** The bytes of a digit: as many as a number holds exactly. */
const DIGIT = 6;

/** The entries from `start` to `end`, whose keys are equal up to `depth`; or whose keys are equal, and their names so. */
interface Segment {
  readonly isByName: boolean;
  readonly start: number;
  readonly end: number;
  readonly depth: number;
  /** The position up to which the digits at that depth are known. */
  known: number;
  /** The progress of its partition; null if that has not begun. */
  partition: Partition | null;
}

/** Up to `less`, digits are below the pivot; from there up to `next`, equal; from `more` on, above. */
interface Partition {
  readonly pivot: number;
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
  /** The segments that are not in order yet, by position. */
  readonly #segments: Segment[];

  /** `digits` are the first of each key, if they are known; their order is changed. */
  constructor(
    entries: EntryBuffer,
    first: number,
    keys: Uint32Array,
    fold: Uint8Array,
    digits: Float64Array | null = null,
  ) {
    this.#entries = entries;
    this.#names = entries.starts.subarray(first);
    this.#keys = keys;
    this.#fold = fold;
    this.#ids = sequence(keys.length);
    this.#digits = digits ?? new Float64Array(keys.length);
    this.#segments = [segmentOf(0, keys.length, 0, false, digits === null ? 0 : keys.length)];
  }

  /** Returns entry numbers. Those at positions `from` to `to` are in order; the others are on the correct side. */
  async arranged(from: number, to: number, budget: Budget): Promise<Uint32Array> {
    while (!this.#arrangeSome(from, to, budget)) await budget.yieldIfDue();
    return this.#ids;
  }

  /** Partitions the segments that overlap the range. Returns false if the slice is over before that is finished. */
  #arrangeSome(from: number, to: number, budget: Budget): boolean {
    const segments = this.#segments;
    for (;;) {
      const at = firstIndex(segments.length, (i) => (segments[i] as Segment).end > from);
      const segment = segments[at];
      if (segment === undefined || segment.start >= to) return true;
      const size = segment.end - segment.start;
      budget.steps += size <= SMALL ? COST_OF_COMPARING * size : COST_OF_LOOK * Math.min(size, BLOCK);
      segments.splice(at, 1, ...this.#workOn(segment, from, to));
      if (budget.isDue) return false;
    }
  }

  /** Returns what is left to do of a segment. */
  #workOn(segment: Segment, from: number, to: number): Segment[] {
    const { start, end, depth } = segment;
    if (end - start <= SMALL) {
      this.#sortSmall(segment);
      return [];
    }
    if (segment.known < end) {
      this.#readDigits(segment);
      return [segment];
    }
    segment.partition ??= { pivot: this.#pivotOf(segment, from, to), less: start, next: start, more: end };
    const { pivot, less, next, more } = this.#partitionSome(segment.partition);
    if (next < more) return [segment];
    // A 0 is the end of a key. Entries of one key are ordered by name, and those of one name as they came.
    const isEnd = pivot % 256 === 0;
    const { isByName } = segment;
    if (isEnd && isByName) this.#ids.subarray(less, more).sort();
    return [
      segmentOf(start, less, depth, isByName, less),
      ...(isEnd && isByName ? [] : [segmentOf(less, more, isEnd ? 0 : depth + DIGIT, isByName || isEnd)]),
      segmentOf(more, end, depth, isByName, end),
    ].filter((part) => part.end > part.start);
  }

  #readDigits(segment: Segment): void {
    const { bytes } = this.#entries;
    const { depth, known, end, isByName } = segment;
    const [ids, digits] = [this.#ids, this.#digits];
    const [keys, fold] = isByName ? [this.#names, PLAIN] : [this.#keys, this.#fold];
    const stop = Math.min(known + BLOCK, end);
    for (let i = known; i < stop; i++) digits[i] = digitAt(bytes, (keys[ids[i] as number] as number) + depth, fold);
    segment.known = stop;
  }

  /**
   * Returns the digit that probably cuts off most of what was not requested; the median, if most was. It is one of some
   * that are chosen at random: no names can make all choices bad.
   */
  #pivotOf({ start, end }: Segment, from: number, to: number): number {
    const size = end - start;
    const count = size > BLOCK ? 100 : 9;
    const anyDigit = () => this.#digits[start + Math.floor(Math.random() * size)] as number;
    const [before, upTo] = [Math.max(from - start, 0) / size, Math.min(to - start, size) / size];
    const margin = 0.5 / Math.sqrt(count);
    const cut = upTo - before > 0.5 ? 0.5 : before + upTo < 1 ? upTo + margin : before - margin;
    return Float64Array.from({ length: count }, anyDigit).sort()[Math.floor(cut * count)] as number;
  }

  #partitionSome(partition: Partition): Partition {
    const [ids, digits] = [this.#ids, this.#digits];
    const { pivot } = partition;
    let { less, next, more } = partition;
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
    return Object.assign(partition, { less, next, more });
  }

  #sortSmall({ start, end, depth, isByName }: Segment): void {
    const ids = this.#ids;
    for (let i = start + 1; i < end; i++) {
      const id = ids[i] as number;
      let at = i;
      for (; at > start && this.#compare(ids[at - 1] as number, id, depth, isByName) > 0; at--)
        ids[at] = ids[at - 1] as number;
      ids[at] = id;
    }
  }

  #compare(a: number, b: number, depth: number, isByName: boolean): number {
    const { bytes } = this.#entries;
    const [keys, names] = [this.#keys, this.#names];
    const byKey = isByName
      ? 0
      : compareKeys(this.#fold, bytes, (keys[a] as number) + depth, bytes, (keys[b] as number) + depth);
    const from = isByName ? depth : 0;
    return byKey || compareNames(bytes, (names[a] as number) + from, bytes, (names[b] as number) + from) || a - b;
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

/** Bytes as they are. */
const PLAIN = new Uint8Array(256).map((_, byte) => byte);

export function compareKeys(fold: Uint8Array, a: Uint8Array, i: number, b: Uint8Array, j: number): number {
  for (let at = 0; ; at++) {
    const byte = a[i + at] as number;
    const difference = (fold[byte] as number) - (fold[b[j + at] as number] as number);
    if (difference !== 0 || byte === 0) return difference;
  }
}

export function compareNames(a: Uint8Array, i: number, b: Uint8Array, j: number): number {
  let at = 0;
  while (a[i + at] === b[j + at] && a[i + at] !== 0) at++;
  return (a[i + at] as number) - (b[j + at] as number);
}

/** Appends a key behind its rank, or with none, and returns the position where it begins. */
export function appendKey(entries: EntryBuffer, key: Bytes, rank: number | null = null): number {
  const text = `${rank === null ? '' : String.fromCharCode(rank)}${key}\0`;
  return entries.appendBytes(Buffer.from(text, 'latin1'), text.length);
}

function segmentOf(start: number, end: number, depth: number, isByName: boolean, known = start): Segment {
  return { start, end, depth, isByName, known, partition: null };
}

/** Returns 0, 1, 2, … Perf: V8 does not optimise a loop while an async function runs it. */
function sequence(length: number): Uint32Array {
  const numbers = new Uint32Array(length);
  for (let i = 0; i < length; i++) numbers[i] = i;
  return numbers;
}
