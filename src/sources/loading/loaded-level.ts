/** The entries of a loaded directory. */
import type { Bytes } from '../../names/bytes.ts';
import {
  CutShort,
  charge,
  type DirectoryReader,
  ENTRY_TYPES,
  EntryBuffer,
  type EntryType,
  grown,
} from '../../workspace/reader.ts';
import { HANDFUL } from '../../workspace/steps.ts';
import type { AsyncEntry } from './async-tree.ts';
import type { LevelBounds } from './usable-names.ts';

/** Up to this many entries are searched one by one, without an index. */
const FEW = 8;

const NOTHING: Partial<AsyncEntry> = {};

export class LoadedLevel {
  readonly #all: LoadedEntries;
  readonly bounds: LevelBounds;
  #first = 0;
  #last = 0;
  #index: Map<Bytes, number> | null = null;
  count = 0;

  /** `all` may also hold the entries of other directories. */
  constructor(bounds: LevelBounds, all = new LoadedEntries(FEW)) {
    this.#all = all;
    this.bounds = bounds;
  }

  /** The estimated memory in bytes, including all levels that share its entries. */
  get bytes(): number {
    return this.#all.bytes;
  }

  /** `name` is used instead of the entry's own, which may be a path. */
  add(entry: AsyncEntry, name = entry.name): void {
    this.#all.names.add(name, entry.type);
    this.#append(entry);
  }

  /** Like `add`, for an entry of which only its type and its name, a part of `bytes`, are known. */
  addName(bytes: Uint8Array, start: number, end: number, type: number): void {
    this.#all.names.addPart(bytes, start, end, type);
    this.#append(NOTHING);
  }

  #append(known: Partial<AsyncEntry>): void {
    const at = this.#all.names.count - 1;
    this.#all.describe(at, known);
    if (this.count === 0) this.#first = at;
    else this.#all.nexts[this.#last] = at;
    this.#last = at;
    this.count++;
    if (this.#index !== null) this.#indexAt(this.#index, at);
  }

  /** Yields all entries, in the order in which they were added. */
  *entries(): Generator<AsyncEntry> {
    for (const at of this.#positions()) yield this.#all.entryAt(at);
  }

  /** Replaces an entry by another of the same name. */
  replace(entry: AsyncEntry): void {
    const at = this.#at(entry.name);
    if (at === undefined) return;
    this.#all.names.types[at] = ENTRY_TYPES.indexOf(entry.type);
    this.#all.describe(at, entry);
  }

  /** Finds an entry by name. Of two, it is the one of `type`, or else the directory, so that it can be entered. */
  find(name: Bytes, type?: EntryType): AsyncEntry | null {
    const at = this.#at(name, type);
    return at === undefined ? null : this.#all.entryAt(at);
  }

  #at(name: Bytes, type?: EntryType): number | undefined {
    return type === undefined && this.count > FEW ? this.#indexed().get(name) : this.#search(name, type);
  }

  #search(name: Bytes, type: EntryType | undefined): number | undefined {
    const { names } = this.#all;
    const found = this.#positions().filter(
      (at) => names.nameAt(at) === name && (type === undefined || names.typeAt(at) === type),
    );
    return found.find((at) => names.isDirectory(at)) ?? found[0];
  }

  #indexed(): Map<Bytes, number> {
    if (this.#index === null) {
      this.#index = new Map();
      for (const at of this.#positions()) this.#indexAt(this.#index, at);
    }
    return this.#index;
  }

  #indexAt(index: Map<Bytes, number>, at: number): void {
    const { names } = this.#all;
    const name = names.nameAt(at);
    if (!index.has(name) || names.isDirectory(at)) index.set(name, at);
  }

  #positions(): number[] {
    const positions = new Array<number>(this.count);
    for (let i = 0, at = this.#first; i < this.count; i++, at = this.#all.nexts[at] as number) positions[i] = at;
    return positions;
  }

  reader(): DirectoryReader {
    const { names, nexts } = this.#all;
    const { failure } = this.bounds;
    let [left, at] = [this.count, this.#first];
    // Perf: entries usually stand next to each other, and are then copied in batches.
    const atATime = this.#last - this.#first === this.count - 1 ? HANDFUL.names : 1;
    return {
      read(entries, budget) {
        if (left === 0 && failure !== null) throw new CutShort(failure);
        while (left > 0) {
          const end = at + Math.min(left, atATime);
          entries.addAll(names, at, end);
          for (let i = at; i < end; i++) charge(budget, (names.ends[i] as number) - (names.starts[i] as number));
          left -= end - at;
          at = nexts[end - 1] as number;
          if (budget.isDue) break;
        }
        return left > 0 || failure !== null;
      },
      close() {},
    };
  }
}

/** Entries of one or more directories, stored in columns: one object per entry would take many times the memory. */

/** The estimated bytes of a name. */
const NAME = 16;

/** The memory of an entry without its name, in bytes; and that of the fields that are rarely known. */
const OVERHEAD = 29;
const OVERHEAD_OF_RARE = 128;

export class LoadedEntries {
  readonly names: EntryBuffer;
  /** For each entry, the position of the next one in the same directory. */
  nexts: Uint32Array;
  /** NaN if unknown. */
  #sizes: Float64Array;
  #times: Float64Array;
  readonly #rare = new Map<number, Pick<AsyncEntry, 'mode' | 'user' | 'group' | 'target'>>();

  /** `most` is the expected number of entries; there may be more. */
  constructor(most: number) {
    this.names = new EntryBuffer(most * NAME, most);
    this.nexts = new Uint32Array(most);
    this.#sizes = new Float64Array(most);
    this.#times = new Float64Array(most);
  }

  /** The estimated memory, in bytes. */
  get bytes(): number {
    return this.names.bytes.length + OVERHEAD * this.nexts.length + OVERHEAD_OF_RARE * (1 + this.#rare.size);
  }

  /** Stores what is known of the entry at a position, other than its name and type. */
  describe(at: number, known: Partial<AsyncEntry>): void {
    const { size = Number.NaN, modified = Number.NaN, mode, user, group, target } = known;
    this.#grow();
    this.#sizes[at] = size;
    this.#times[at] = modified;
    if ((mode ?? user ?? group ?? target) !== undefined) this.#rare.set(at, { mode, user, group, target });
    else this.#rare.delete(at);
  }

  entryAt(at: number): AsyncEntry {
    return {
      ...this.#rare.get(at),
      name: this.names.nameAt(at),
      type: this.names.typeAt(at),
      size: known(this.#sizes[at] as number),
      modified: known(this.#times[at] as number),
    };
  }

  #grow(): void {
    const { length } = this.names.starts;
    if (this.nexts.length === length) return;
    this.nexts = grown(this.nexts, new Uint32Array(length));
    this.#sizes = grown(this.#sizes, new Float64Array(length));
    this.#times = grown(this.#times, new Float64Array(length));
  }
}

function known(value: number): number | undefined {
  return Number.isNaN(value) ? undefined : value;
}
