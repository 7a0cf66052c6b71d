/** The entries of a loaded directory. */
import type { Bytes } from '../../names/bytes.ts';
import type { DirectoryReader, EntryType } from '../../workspace/reader.ts';
import { CutShort, charge, ENTRY_TYPES, EntryBuffer, grown } from '../../workspace/reader.ts';
import { HANDFUL } from '../../workspace/steps.ts';
import type { AsyncEntry } from './async-tree.ts';
import type { LevelBounds } from './usable-names.ts';

/** Up to this many entries are searched one by one, without an index. */
const FEW = 8;

const NOTHING: Partial<AsyncEntry> = {};

export class LoadedLevel {
  readonly #all: LoadedEntries;
  readonly bounds: LevelBounds;
  /** The positions of its entries, in the order in which they were added. */
  readonly #positions: number[] = [];
  #index: Map<Bytes, number> | null = null;

  /** `all` may also hold the entries of other directories. */
  constructor(bounds: LevelBounds, all = new LoadedEntries(FEW)) {
    this.#all = all;
    this.bounds = bounds;
  }

  get count(): number {
    return this.#positions.length;
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
    this.#positions.push(at);
    if (this.#index !== null) this.#indexAt(this.#index, at);
  }

  /** Adds an entry, in place of another of the same name. */
  put(entry: AsyncEntry): void {
    const at = this.#at(entry.name);
    if (at === undefined) {
      this.add(entry);
      return;
    }
    this.#all.names.types[at] = ENTRY_TYPES.indexOf(entry.type);
    this.#all.describe(at, entry);
  }

  *entries(): Generator<AsyncEntry> {
    for (const at of this.#positions) yield this.#all.entryAt(at);
  }

  /** Finds an entry by name. Of two, it is the one of `type`, or else the directory, so that it can be entered. */
  find(name: Bytes, type?: EntryType): AsyncEntry | null {
    const at = this.#at(name, type);
    return at === undefined ? null : this.#all.entryAt(at);
  }

  #at(name: Bytes, type?: EntryType): number | undefined {
    const { names } = this.#all;
    if (type === undefined && this.count > FEW) {
      if (this.#index === null) {
        this.#index = new Map();
        for (const at of this.#positions) this.#indexAt(this.#index, at);
      }
      return this.#index.get(name);
    }
    const isMeant = (at: number) => names.nameAt(at) === name && (type === undefined || names.typeAt(at) === type);
    const found = this.#positions.filter(isMeant);
    return found.find((at) => names.isDirectory(at)) ?? found[0];
  }

  #indexAt(index: Map<Bytes, number>, at: number): void {
    const { names } = this.#all;
    const name = names.nameAt(at);
    if (!index.has(name) || names.isDirectory(at)) index.set(name, at);
  }

  reader(): DirectoryReader {
    const { names } = this.#all;
    const { failure } = this.bounds;
    const positions = this.#positions;
    const count = positions.length;
    // Perf: entries usually stand next to each other, and are then copied in batches.
    const atATime = (positions.at(-1) ?? 0) - (positions[0] ?? 0) === count - 1 ? HANDFUL.names : 1;
    let next = 0;
    return {
      read(entries, budget) {
        if (next === count && failure !== null) throw new CutShort(failure);
        while (next < count) {
          const at = positions[next] as number;
          const end = at + Math.min(count - next, atATime);
          entries.addAll(names, at, end);
          for (let i = at; i < end; i++) charge(budget, (names.ends[i] as number) - (names.starts[i] as number));
          next += end - at;
          if (budget.isDue) break;
        }
        return next < count || failure !== null;
      },
      close() {},
    };
  }
}

/** The estimated bytes of a name; of an entry without it; and of the fields that are rarely known. */
const NAME = 16;
const OVERHEAD = 33;
const OVERHEAD_OF_RARE = 128;

/** Entries of one or more directories, stored in columns: one object per entry would take many times the memory. */
export class LoadedEntries {
  readonly names: EntryBuffer;
  /** NaN if unknown. */
  #sizes: Float64Array;
  #times: Float64Array;
  readonly #rare = new Map<number, Pick<AsyncEntry, 'mode' | 'user' | 'group' | 'target'>>();

  /** `most` is the expected number of entries; there may be more. */
  constructor(most: number) {
    this.names = new EntryBuffer(most * NAME, most);
    this.#sizes = new Float64Array(most);
    this.#times = new Float64Array(most);
  }

  /** The estimated memory, in bytes. */
  get bytes(): number {
    return this.names.bytes.length + OVERHEAD * this.#sizes.length + OVERHEAD_OF_RARE * (1 + this.#rare.size);
  }

  /** Stores what is known of the entry at a position, other than its name and type. */
  describe(at: number, known: Partial<AsyncEntry>): void {
    const { size = Number.NaN, modified = Number.NaN, mode, user, group, target } = known;
    const { length } = this.names.starts;
    if (this.#sizes.length < length) {
      this.#sizes = grown(this.#sizes, new Float64Array(length));
      this.#times = grown(this.#times, new Float64Array(length));
    }
    this.#sizes[at] = size;
    this.#times[at] = modified;
    if ((mode ?? user ?? group ?? target) !== undefined) this.#rare.set(at, { mode, user, group, target });
    else this.#rare.delete(at);
  }

  entryAt(at: number): AsyncEntry {
    const [size = 0, modified = 0] = [this.#sizes[at], this.#times[at]];
    return {
      ...this.#rare.get(at),
      name: this.names.nameAt(at),
      type: this.names.typeAt(at),
      size: Number.isNaN(size) ? undefined : size,
      modified: Number.isNaN(modified) ? undefined : modified,
    };
  }
}
