/**
 * Sorts entry numbers by their keys with a radix sort, and only as far as requested.
 *
 * Perf: entries are distributed by one byte of their keys after another, and only the buckets that a page touches are
 * distributed further. That is linear in the number of bytes, and can pause anywhere: a bucket that is half distributed
 * stays as it is, and the next request, for the same page or for another, continues with it.
 */

import { firstIndex } from '../names/ranges.ts';
import type { Budget } from '../workspace/budget.ts';

/** Buckets up to this size are sorted by comparison. */
const SMALL = 24;

/** Entries that are counted or moved at a time. */
const BLOCK = 2 ** 15;

/** Steps of work for each entry that is counted or moved, and for each entry of a small bucket. */
const COST_OF_MOVE = 4;
const COST_OF_COMPARING = 20;

/** The number of values that a first digit can have. */
const WIDE = 2 ** 16;

/** The keys of the entries. A key begins at the entry's start and ends with 0; its bytes compare through `fold`. */
interface Keys {
  readonly bytes: Uint8Array;
  readonly starts: Uint32Array;
  readonly fold: Uint8Array;
  /** The number of leading bytes that all keys with the same first digit share. No key ends before that. */
  readonly sharedBytes: number;
  /** Compares two entries whose keys are equal. */
  compareNames(a: number, b: number): number;
}

/** The entries from `start` to `end`, whose keys are equal up to `depth`. */
interface Bucket {
  readonly start: number;
  readonly end: number;
  readonly depth: number;
  /** The progress of its distribution; null if that has not begun. */
  pass: Pass | null;
}

/** One distribution: first the bytes are counted, then each entry is moved to the part for its byte. */
interface Pass {
  readonly sizes: Uint32Array;
  counted: number;
  /** Null until all bytes are counted. */
  move: Move | null;
}

interface Move {
  /** The buckets that result. */
  readonly parts: Bucket[];
  /** For each byte, the position for the next entry with it. */
  readonly places: Uint32Array;
  readonly distributed: Uint32Array;
  moved: number;
}

export class RadixBuckets {
  readonly #keys: Keys;
  readonly #ids: Uint32Array;
  /**
   * For each entry, a number that orders the keys as far as it distinguishes them; null after the first pass. Perf:
   * these numbers are contiguous; the keys themselves would have to be fetched from memory again.
   */
  #firstDigits: Uint16Array | null;
  /** The buckets that are not in order yet, by position. */
  #buckets: Bucket[];

  constructor(count: number, keys: Keys, firstDigits: Uint16Array) {
    this.#keys = keys;
    this.#firstDigits = firstDigits;
    this.#ids = sequence(count);
    this.#buckets = [bucketOf(0, count, 0)];
  }

  /** Returns entry numbers. Those at positions `from` to `to` are in order; the others are on the correct side. */
  async arranged(from: number, to: number, budget: Budget): Promise<Uint32Array> {
    while (!this.#arrangeSome(from, to, budget)) await budget.yieldIfDue();
    return this.#ids;
  }

  /** Distributes the buckets that overlap the range. Returns false if the slice is over before that is finished. */
  #arrangeSome(from: number, to: number, budget: Budget): boolean {
    const reaching = () => firstIndex(this.#buckets.length, (i) => (this.#buckets[i] as Bucket).end > from);
    // The buckets from `first` up to `next` are in order.
    let [first, next] = [reaching(), reaching()];
    let isDone = true;
    for (let bucket = this.#buckets[next]; isDone && bucket !== undefined && bucket.start < to; ) {
      const size = bucket.end - bucket.start;
      if (size <= SMALL) {
        this.#sortSmall(bucket);
        next++;
        budget.steps += COST_OF_COMPARING * size;
      } else {
        this.#replace(next, this.#distributeSome(bucket));
        // Some parts of the first bucket may lie before the range now.
        if (first === next) first = next = reaching();
        budget.steps += COST_OF_MOVE * Math.min(size, BLOCK);
      }
      bucket = this.#buckets[next];
      isDone = !budget.isDue;
    }
    this.#buckets.splice(first, next - first);
    return isDone;
  }

  /** Replaces a bucket by its parts. Not with `splice`: there may be more parts than a call can take arguments. */
  #replace(at: number, parts: readonly Bucket[] | null): void {
    if (parts === null) return;
    this.#buckets = [...this.#buckets.slice(0, at), ...parts, ...this.#buckets.slice(at + 1)];
    this.#firstDigits = null;
  }

  /** Insertion sort. */
  #sortSmall({ start, end, depth }: Bucket): void {
    const ids = this.#ids;
    for (let i = start + 1; i < end; i++) {
      const id = ids[i] as number;
      let at = i;
      for (; at > start && this.#compare(ids[at - 1] as number, id, depth) > 0; at--) ids[at] = ids[at - 1] as number;
      ids[at] = id;
    }
  }

  /** Continues to distribute a bucket by the byte at its depth. Returns the resulting buckets; null if not finished. */
  #distributeSome(bucket: Bucket): Bucket[] | null {
    const { start, end } = bucket;
    bucket.pass ??= { sizes: new Uint32Array(bucket.depth === 0 ? WIDE : 256), counted: start, move: null };
    const { pass } = bucket;
    if (pass.move === null) {
      this.#countSome(bucket, pass);
      if (pass.counted < end) return null;
      // All keys end here: the names differ only in case, and are few.
      if (bucket.depth > 0 && pass.sizes[0] === end - start) {
        this.#ids.subarray(start, end).sort((a, b) => this.#keys.compareNames(a, b));
        return [];
      }
      const { parts, places } = partsOf(bucket, pass.sizes, this.#keys.sharedBytes);
      // Perf: names often share a prefix, and then there is nothing to move.
      if (parts.length === 1) return parts;
      pass.move = { parts, places, distributed: new Uint32Array(end - start), moved: start };
    }
    this.#moveSome(bucket, pass.move);
    if (pass.move.moved < end) return null;
    this.#ids.set(pass.move.distributed, start);
    return pass.move.parts;
  }

  #countSome({ end, depth }: Bucket, pass: Pass): void {
    const { bytes, starts, fold } = this.#keys;
    const [ids, firstDigits] = [this.#ids, this.#firstDigits];
    const { sizes } = pass;
    const stop = Math.min(pass.counted + BLOCK, end);
    for (let i = pass.counted; i < stop; i++) {
      const id = ids[i] as number;
      const digit = firstDigits === null ? fold[bytes[(starts[id] as number) + depth] as number] : firstDigits[id];
      sizes[digit as number] = (sizes[digit as number] as number) + 1;
    }
    pass.counted = stop;
  }

  #moveSome({ start, end, depth }: Bucket, move: Move): void {
    const { bytes, starts, fold } = this.#keys;
    const [ids, firstDigits] = [this.#ids, this.#firstDigits];
    const { places, distributed } = move;
    const stop = Math.min(move.moved + BLOCK, end);
    for (let i = move.moved; i < stop; i++) {
      const id = ids[i] as number;
      const digit = firstDigits === null ? fold[bytes[(starts[id] as number) + depth] as number] : firstDigits[id];
      const to = places[digit as number] as number;
      distributed[to - start] = id;
      places[digit as number] = to + 1;
    }
    move.moved = stop;
  }

  #compare(a: number, b: number, depth: number): number {
    for (let i = depth; ; i++) {
      const x = this.#keyByte(a, i);
      const y = this.#keyByte(b, i);
      if (x !== y) return x - y;
      if (x === 0) return this.#keys.compareNames(a, b);
    }
  }

  #keyByte(id: number, depth: number): number {
    const { bytes, starts, fold } = this.#keys;
    return fold[bytes[(starts[id] as number) + depth] as number] as number;
  }
}

function bucketOf(start: number, end: number, depth: number): Bucket {
  return { start, end, depth, pass: null };
}

function partsOf({ start, depth }: Bucket, sizes: Uint32Array, sharedBytes: number): Pick<Move, 'parts' | 'places'> {
  const parts: Bucket[] = [];
  const places = new Uint32Array(sizes.length);
  let place = start;
  for (let digit = 0; digit < sizes.length; digit++) {
    const size = sizes[digit] as number;
    // Keys that end here stay at the depth of their end, because there is nothing after it to compare.
    const inner = depth === 0 ? sharedBytes : digit === 0 ? depth : depth + 1;
    if (size > 0) parts.push(bucketOf(place, place + size, inner));
    places[digit] = place;
    place += size;
  }
  return { parts, places };
}

/** Returns 0, 1, 2, … Perf: V8 does not optimise a loop while an async function runs it. */
function sequence(length: number): Uint32Array {
  const numbers = new Uint32Array(length);
  for (let i = 0; i < length; i++) numbers[i] = i;
  return numbers;
}
