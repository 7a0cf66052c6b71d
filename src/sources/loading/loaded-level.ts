/** The entries of a loaded directory. */
import type { Bytes } from '../../names/bytes.ts';
import { charge, type DirectoryReader, type EntryType } from '../../workspace/reader.ts';
import { HANDFUL } from '../../workspace/steps.ts';
import type { AsyncEntry } from './async-tree.ts';
import { LoadedEntries } from './loaded-entries.ts';

/** Up to this many entries are searched one by one, without an index. */
const FEW = 8;

export class LoadedLevel {
  readonly #all: LoadedEntries;
  #first = 0;
  #last = 0;
  #index: Map<Bytes, number> | null = null;
  count = 0;

  /** `all` may also hold the entries of other directories. */
  constructor(all: LoadedEntries) {
    this.#all = all;
  }

  /** Creates a level with its own entries, and room for about this many. */
  static ofAbout(entries: number): LoadedLevel {
    return new LoadedLevel(new LoadedEntries(Math.max(entries, FEW)));
  }

  /** The estimated memory in bytes, including all levels that share its entries. */
  get bytes(): number {
    return this.#all.bytes;
  }

  /** `name` is used instead of the entry's own, which may be a path. */
  add(entry: AsyncEntry, name = entry.name): void {
    this.#append(this.#all.add(entry, name));
  }

  /** Like `add`, for an entry of which only its type and its name, a part of `bytes`, are known. */
  addName(bytes: Uint8Array, start: number, end: number, type: number): void {
    this.#append(this.#all.addName(bytes, start, end, type));
  }

  #append(at: number): void {
    if (this.count === 0) this.#first = at;
    else this.#all.nexts[this.#last] = at;
    this.#last = at;
    this.#index = null;
    this.count++;
  }

  /** Returns all entries, in the order in which they were added. */
  entries(): AsyncEntry[] {
    return this.#positions().map((at) => this.#all.entryAt(at));
  }

  /** Finds an entry by name. Of two, it is the one of `type`, or else the directory, so that it can be entered. */
  find(name: Bytes, type?: EntryType): AsyncEntry | null {
    const at = type === undefined && this.count > FEW ? this.#indexed().get(name) : this.#search(name, type);
    return at === undefined ? null : this.#all.entryAt(at);
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
      const { names } = this.#all;
      this.#index = new Map();
      for (const at of this.#positions()) {
        const name = names.nameAt(at);
        if (!this.#index.has(name) || names.isDirectory(at)) this.#index.set(name, at);
      }
    }
    return this.#index;
  }

  #positions(): number[] {
    const positions = new Array<number>(this.count);
    for (let i = 0, at = this.#first; i < this.count; i++, at = this.#all.nexts[at] as number) positions[i] = at;
    return positions;
  }

  reader(): DirectoryReader {
    const { names, nexts } = this.#all;
    let [left, at] = [this.count, this.#first];
    // Perf: entries usually stand next to each other, and are then copied in batches.
    const atATime = this.#last - this.#first === this.count - 1 ? HANDFUL.names : 1;
    return {
      read(entries, budget) {
        while (left > 0) {
          const end = at + Math.min(left, atATime);
          entries.addAll(names, at, end);
          for (let i = at; i < end; i++) charge(budget, (names.ends[i] as number) - (names.starts[i] as number));
          left -= end - at;
          at = nexts[end - 1] as number;
          if (budget.isDue) return left > 0;
        }
        return false;
      },
      close() {},
    };
  }
}
