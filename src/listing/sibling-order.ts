/**
 * Sorts the entries of one directory by name: lower-cased by code point, and names that differ only in case by code
 * point.
 *
 * Perf: ASCII names are sorted by WebAssembly, eight bytes at a time. It is fast from the start, while V8 takes a tenth
 * of a second to compile as much JavaScript.
 */

import type { Bytes } from '../names/bytes.ts';
import { type Budget, COST } from '../workspace/budget.ts';
import type { EntryBuffer } from '../workspace/reader.ts';
import { type Constant, instantiated } from '../workspace/web-assembly.ts';
import { FOLD, naturalKey, orderKey } from './name-keys.ts';
import { appendKey, NameOrder } from './name-order.ts';
import { SORTING_CODE } from './sorting-code.ts';

/** Steps of work to sort a name. */
const COST_OF_SORTING = 30;

/** Sorts a range of entries in place. Returns a promise only if there are very many, or not all are ASCII. */
export function sortSiblings(entries: EntryBuffer, from: number, to: number, budget: Budget): void | Promise<void> {
  const count = to - from;
  if (count < 2) return;
  budget.steps += COST_OF_SORTING * count;
  sorter ??= Sorter.orNull();
  if (!sorter?.sort(entries, from, to)) return sortMany(entries, from, to, budget);
}

/** Does the same with numbers compared by value. If no name contains a digit, that is the same order. */
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

interface SortingCode {
  readonly memory: { readonly buffer: ArrayBuffer };
  sortSiblings(count: number, base: number): number;
  readonly MOST: Constant;
  readonly STARTS: Constant;
  readonly ENDS: Constant;
  readonly TYPES: Constant;
  readonly NAMES: Constant;
}

/** Null if WebAssembly is not available; undefined before the first use. */
let sorter: Sorter | null | undefined;

/** The WebAssembly code with its memory. */
class Sorter {
  readonly #code = instantiated<SortingCode>(SORTING_CODE);
  readonly #most = this.#code.MOST.value;
  readonly #starts = new Uint32Array(this.#code.memory.buffer, this.#code.STARTS.value, this.#most);
  readonly #ends = new Uint32Array(this.#code.memory.buffer, this.#code.ENDS.value, this.#most);
  readonly #types = new Uint8Array(this.#code.memory.buffer, this.#code.TYPES.value, this.#most);
  readonly #names = new Uint8Array(this.#code.memory.buffer, this.#code.NAMES.value);

  static orNull(): Sorter | null {
    try {
      return new Sorter();
    } catch {
      return null;
    }
  }

  /** Returns false and changes nothing if there are too many entries, or not all are ASCII. */
  sort({ bytes, starts, ends, types }: EntryBuffer, from: number, to: number): boolean {
    const count = to - from;
    if (count > this.#most) return false;
    let [first, last] = [Number.POSITIVE_INFINITY, 0];
    for (let i = from; i < to; i++) {
      first = Math.min(first, starts[i] as number);
      last = Math.max(last, ends[i] as number);
    }
    // The code reads words of eight bytes.
    if (last - first + 8 > this.#names.length) return false;
    this.#names.set(bytes.subarray(first, last));
    this.#starts.set(starts.subarray(from, to));
    this.#ends.set(ends.subarray(from, to));
    this.#types.set(types.subarray(from, to));
    if (this.#code.sortSiblings(count, first) === 0) return false;
    starts.set(this.#starts.subarray(0, count), from);
    ends.set(this.#ends.subarray(0, count), from);
    types.set(this.#types.subarray(0, count), from);
    return true;
  }
}

/** Sorts any number of any names, in slices. Names that are not ASCII are compared by a key that is made for them. */
async function sortMany(
  entries: EntryBuffer,
  from: number,
  to: number,
  budget: Budget,
  keyOf: ((name: Bytes) => Bytes) | null = null,
): Promise<void> {
  const count = to - from;
  const starts = new Uint32Array(count);
  for (let found = 0; found < count; ) {
    found = findKeys(starts, found, entries, from, keyOf, budget);
    // After the deadline, the order of the rest does not matter.
    if (found < count && !(await budget.proceed())) return;
  }
  const positions = await new NameOrder(entries, from, starts, FOLD).arranged(0, count, budget);
  const columns = [entries.starts, entries.ends, entries.types].map(
    (column) => [column, column.slice(from, to)] as const,
  );
  for (let at = 0; at < count; at += BLOCK) {
    for (const [column, old] of columns) arrange(column, from + at, old, positions.subarray(at, at + BLOCK));
    await budget.yieldIfDue();
  }
}

/** Entries that are handled between two checks of the clock. */
const BLOCK = 2 ** 15;

/**
 * Finds where the keys of entries begin, from the one at `found` on, until the call should yield. Returns how many are
 * found. Perf: V8 does not optimise a loop while an async function runs it.
 */
function findKeys(
  starts: Uint32Array,
  found: number,
  entries: EntryBuffer,
  from: number,
  keyOf: ((name: Bytes) => Bytes) | null,
  budget: Budget,
): number {
  for (let i = found; i < starts.length; i++) {
    const at = from + i;
    starts[i] = keyOf === null ? keyStart(entries, at) : appendKey(entries, keyOf(entries.nameAt(at)));
    budget.steps += COST.entry + COST.nameByte * ((entries.ends[at] as number) - (entries.starts[at] as number));
    if (budget.isDue) return i + 1;
  }
  return starts.length;
}

type Column = Uint32Array | Uint8Array;

/** Puts values of a column in order, from position `start` on. `positions` has the old position of each. */
function arrange(column: Column, start: number, old: Column, positions: Uint32Array): void {
  for (let i = 0; i < positions.length; i++) column[start + i] = old[positions[i] as number] as number;
}

/** Returns the position where an entry's key begins. A key that differs from the name is appended after all names. */
function keyStart(entries: EntryBuffer, at: number): number {
  const [start, end] = [entries.starts[at] as number, entries.ends[at] as number];
  let union = 0;
  for (let i = start; i < end; i++) union |= entries.bytes[i] as number;
  if (union < 0x80) return start;
  return appendKey(entries, orderKey(entries.nameAt(at)));
}
