/**
 * Numbers of entries that are brought into the order of their keys, as far as somebody looks.
 *
 * Perf: by radix. Entries are dealt out by one byte of their keys after the other, and only those piles that a page
 * touches are looked at again. That is linear in the bytes, and can pause at any place: a pile that is half dealt out
 * stays where it is, and whoever comes next, for the same page or for another, goes on with it.
 */
import type { Budget } from '../workspace/budget.ts';

/** Piles this small are sorted by comparing. */
const SMALL = 24;

/** Entries that are dealt out between two looks at the clock. */
const HANDFUL = 2 ** 15;

/** The key of an entry begins at its start and ends with 0; its bytes compare as `fold` has them. */
export interface Keys {
  readonly bytes: Uint8Array;
  readonly starts: Uint32Array;
  readonly fold: Uint8Array;
  /** The order of two entries whose keys are equal. */
  compareNames(a: number, b: number): number;
}

/** Entries from `start` to `end`, the keys of which are equal up to `depth`. */
interface Pile {
  readonly start: number;
  readonly end: number;
  readonly depth: number;
  /** What is known since somebody began to deal it out. */
  deal: Deal | null;
}

/** First the bytes are counted, then each entry is put where those with its byte go. */
interface Deal {
  readonly sizes: Uint32Array;
  counted: number;
  /** Null until all bytes are counted. */
  move: Move | null;
}

interface Move {
  /** The piles that it makes. */
  readonly parts: Pile[];
  /** For each byte, where the next entry with it goes. */
  readonly places: Uint32Array;
  readonly dealt: Uint32Array;
  moved: number;
}

export class Piles {
  readonly #keys: Keys;
  readonly #ids: Uint32Array;
  readonly #piles: Pile[];

  constructor(count: number, keys: Keys) {
    this.#keys = keys;
    this.#ids = sequence(count);
    this.#piles = [pileOf(0, count, 0)];
  }

  /** Entry numbers, of which those at the positions from `from` to `to` are in order, and all others on their side. */
  async arranged(from: number, to: number, budget: Budget): Promise<Uint32Array> {
    while (!this.#arrangeSome(from, to, budget)) await budget.yieldIfDue();
    return this.#ids;
  }

  /** Deals out piles that reach into the range until none is left, or until the slice is over, and then returns false. */
  #arrangeSome(from: number, to: number, budget: Budget): boolean {
    const piles = this.#piles;
    for (let i = piles.length - 1; i >= 0; i--) {
      const pile = piles[i] as Pile;
      if (pile.start >= to || pile.end <= from) continue;
      const isSmall = pile.end - pile.start <= SMALL;
      const parts = isSmall ? this.#sortSmall(pile) : this.#dealSome(pile);
      if (parts !== null) {
        // The last pile takes its place. It was looked at already, unless it is this one.
        piles[i] = piles.at(-1) as Pile;
        piles.pop();
        piles.push(...parts);
      }
      if (isSmall) continue;
      if (budget.isDue) return false;
      i = piles.length;
    }
    return true;
  }

  /** By insertion. No piles are left of it. */
  #sortSmall({ start, end, depth }: Pile): Pile[] {
    const ids = this.#ids;
    for (let i = start + 1; i < end; i++) {
      const id = ids[i] as number;
      let at = i;
      for (; at > start && this.#compare(ids[at - 1] as number, id, depth) > 0; at--) ids[at] = ids[at - 1] as number;
      ids[at] = id;
    }
    return [];
  }

  /** Goes on with dealing out a pile by the byte at its depth; the piles that this makes, or null if it is not done. */
  #dealSome(pile: Pile): Pile[] | null {
    const { start, end } = pile;
    pile.deal ??= { sizes: new Uint32Array(256), counted: start, move: null };
    const { deal } = pile;
    if (deal.move === null) {
      this.#countSome(pile, deal);
      if (deal.counted < end) return null;
      // All keys end here: they are equal but for case, and few.
      if (deal.sizes[0] === end - start) {
        this.#ids.subarray(start, end).sort((a, b) => this.#keys.compareNames(a, b));
        return [];
      }
      const { parts, places } = partsOf(pile, deal.sizes);
      // Perf: names often share a prefix, and then there is nothing to move.
      if (parts.length === 1) return parts;
      deal.move = { parts, places, dealt: new Uint32Array(end - start), moved: start };
    }
    this.#moveSome(pile, deal.move);
    if (deal.move.moved < end) return null;
    this.#ids.set(deal.move.dealt, start);
    return deal.move.parts;
  }

  #countSome({ end, depth }: Pile, deal: Deal): void {
    const { bytes, starts, fold } = this.#keys;
    const ids = this.#ids;
    const { sizes } = deal;
    const stop = Math.min(deal.counted + HANDFUL, end);
    for (let i = deal.counted; i < stop; i++) {
      const byte = fold[bytes[(starts[ids[i] as number] as number) + depth] as number] as number;
      sizes[byte] = (sizes[byte] as number) + 1;
    }
    deal.counted = stop;
  }

  #moveSome({ start, end, depth }: Pile, move: Move): void {
    const { bytes, starts, fold } = this.#keys;
    const ids = this.#ids;
    const { places, dealt } = move;
    const stop = Math.min(move.moved + HANDFUL, end);
    for (let i = move.moved; i < stop; i++) {
      const id = ids[i] as number;
      const byte = fold[bytes[(starts[id] as number) + depth] as number] as number;
      const to = places[byte] as number;
      dealt[to - start] = id;
      places[byte] = to + 1;
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

function pileOf(start: number, end: number, depth: number): Pile {
  return { start, end, depth, deal: null };
}

function partsOf({ start, depth }: Pile, sizes: Uint32Array): Pick<Move, 'parts' | 'places'> {
  const parts: Pile[] = [];
  const places = new Uint32Array(256);
  let place = start;
  for (let byte = 0; byte < 256; byte++) {
    const size = sizes[byte] as number;
    // Keys that end here stay at this depth: behind their end there is nothing to compare.
    if (size > 0) parts.push(pileOf(place, place + size, byte === 0 ? depth : depth + 1));
    places[byte] = place;
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
