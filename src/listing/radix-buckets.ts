/**
 * A radix sort of entry numbers by their keys, which sorts only what is asked for.
 *
 * Perf: entries are distributed by one byte of their keys after the other, and only the buckets that a page touches are
 * distributed further. That is linear in the bytes, and can pause at any place: a bucket that is half distributed stays
 * where it is, and whoever comes next, for the same page or for another, goes on with it.
 */
import type { Budget } from '../workspace/budget.ts';
import { firstIndex } from '../workspace/ranges.ts';

/** Buckets this small are sorted by comparing. */
const SMALL = 24;

/** Entries that are counted or moved at a time. */
const BLOCK = 2 ** 15;

/** Steps of work for each of them, and for each entry of a small bucket. */
const COST_OF_MOVE = 4;
const COST_OF_COMPARING = 20;

/** The values of a first digit. */
const WIDE = 2 ** 16;

/** The key of an entry begins at its start and ends with 0; its bytes compare as `fold` has them. */
interface Keys {
  readonly bytes: Uint8Array;
  readonly starts: Uint32Array;
  readonly fold: Uint8Array;
  /** Bytes in which all keys with one first digit are equal; none of them ends before. */
  readonly told: number;
  /** The order of two entries whose keys are equal. */
  compareNames(a: number, b: number): number;
}

/** Entries from `start` to `end`, the keys of which are equal up to `depth`. */
interface Bucket {
  readonly start: number;
  readonly end: number;
  readonly depth: number;
  /** How far it is distributed; null when nobody has begun. */
  pass: Pass | null;
}

/** First the bytes are counted, then each entry is put where those with its byte go. */
interface Pass {
  readonly sizes: Uint32Array;
  counted: number;
  /** Null until all bytes are counted. */
  move: Move | null;
}

interface Move {
  /** The buckets that it makes. */
  readonly parts: Bucket[];
  /** For each byte, where the next entry with it goes. */
  readonly places: Uint32Array;
  readonly distributed: Uint32Array;
  moved: number;
}

export class RadixBuckets {
  readonly #keys: Keys;
  readonly #ids: Uint32Array;
  /**
   * For each entry a number that orders the keys as far as it tells them apart; null after the first pass. Perf: it goes by
   * these, for they stand one behind the other; the keys themselves would have to be fetched from memory once more.
   */
  #firstDigits: Uint16Array | null;
  /** Those that are not in order yet, from the first positions to the last. */
  #buckets: Bucket[];

  constructor(count: number, keys: Keys, firstDigits: Uint16Array) {
    this.#keys = keys;
    this.#firstDigits = firstDigits;
    this.#ids = sequence(count);
    this.#buckets = [bucketOf(0, count, 0)];
  }

  /** Entry numbers, of which those at the positions from `from` to `to` are in order, and all others on their side. */
  async arranged(from: number, to: number, budget: Budget): Promise<Uint32Array> {
    while (!this.#arrangeSome(from, to, budget)) await budget.yieldIfDue();
    return this.#ids;
  }

  /** Distributes buckets that reach into the range until none is left, or until the slice is over, and then returns false. */
  #arrangeSome(from: number, to: number, budget: Budget): boolean {
    const reaching = () => firstIndex(this.#buckets.length, (i) => (this.#buckets[i] as Bucket).end > from);
    // Those between the two are in order.
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
        // Of the first some may stand before the range now.
        if (first === next) first = next = reaching();
        budget.steps += COST_OF_MOVE * Math.min(size, BLOCK);
      }
      bucket = this.#buckets[next];
      isDone = !budget.isDue;
    }
    this.#buckets.splice(first, next - first);
    return isDone;
  }

  /** Puts buckets in the place of one. Not by `splice`: there may be more than a call takes arguments. */
  #replace(at: number, parts: readonly Bucket[] | null): void {
    if (parts === null) return;
    this.#buckets = [...this.#buckets.slice(0, at), ...parts, ...this.#buckets.slice(at + 1)];
    this.#firstDigits = null;
  }

  /** By insertion. */
  #sortSmall({ start, end, depth }: Bucket): void {
    const ids = this.#ids;
    for (let i = start + 1; i < end; i++) {
      const id = ids[i] as number;
      let at = i;
      for (; at > start && this.#compare(ids[at - 1] as number, id, depth) > 0; at--) ids[at] = ids[at - 1] as number;
      ids[at] = id;
    }
  }

  /** Goes on distributing a bucket by the byte at its depth; the buckets that this makes, or null if it is not done. */
  #distributeSome(bucket: Bucket): Bucket[] | null {
    const { start, end } = bucket;
    bucket.pass ??= { sizes: new Uint32Array(bucket.depth === 0 ? WIDE : 256), counted: start, move: null };
    const { pass } = bucket;
    if (pass.move === null) {
      this.#countSome(bucket, pass);
      if (pass.counted < end) return null;
      // All keys end here: they are equal but for case, and few.
      if (bucket.depth > 0 && pass.sizes[0] === end - start) {
        this.#ids.subarray(start, end).sort((a, b) => this.#keys.compareNames(a, b));
        return [];
      }
      const { parts, places } = partsOf(bucket, pass.sizes, this.#keys.told);
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

function partsOf({ start, depth }: Bucket, sizes: Uint32Array, told: number): Pick<Move, 'parts' | 'places'> {
  const parts: Bucket[] = [];
  const places = new Uint32Array(sizes.length);
  let place = start;
  for (let digit = 0; digit < sizes.length; digit++) {
    const size = sizes[digit] as number;
    // Keys that end here stay at the depth of their end: behind it there is nothing to compare.
    const inner = depth === 0 ? told : digit === 0 ? depth : depth + 1;
    if (size > 0) parts.push(bucketOf(place, place + size, inner));
    places[digit] = place;
    place += size;
  }
  return { parts, places };
}

/** 0, 1, 2, … Perf: V8 does not optimise a loop while an async function runs it. */
function sequence(length: number): Uint32Array {
  const numbers = new Uint32Array(length);
  for (let i = 0; i < length; i++) numbers[i] = i;
  return numbers;
}
