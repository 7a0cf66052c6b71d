/** The entries of a directory that was loaded. */
import type { Bytes } from '../bytes.ts';
import { charge, type DirectoryReader, type EntryType } from '../reader.ts';
import { HANDFUL } from '../steps.ts';
import type { AsyncEntry } from './async-tree.ts';
import { LoadedEntries } from './loaded-entries.ts';

/** Entries that are searched one by one rather than by an index. */
const FEW = 8;

export class LoadedLevel {
  readonly #all: LoadedEntries;
  #first = 0;
  #last = 0;
  #index: Map<Bytes, number> | null = null;
  count = 0;

  /** `all` may hold the entries of other directories, too. */
  constructor(all: LoadedEntries) {
    this.#all = all;
  }

  /** One that has its entries for itself; about so many are expected. */
  static ofAbout(entries: number): LoadedLevel {
    return new LoadedLevel(new LoadedEntries(Math.max(entries, FEW)));
  }

  /** About what it takes in memory, where it has its entries for itself. */
  get bytes(): number {
    return this.#all.bytes;
  }

  /** `name` is what it is called here, where the entry has a path. */
  add(entry: AsyncEntry, name = entry.name): void {
    this.#append(this.#all.add(entry, name));
  }

  /** The same of an entry of which nothing is known but its name, as a part of some bytes, and its type. */
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

  /** All entries, in the order in which they came. */
  entries(): AsyncEntry[] {
    return this.#positions().map((at) => this.#all.entryAt(at));
  }

  /** The entry of a name. Where there are two of it, the directory, so that it can be entered; or that of a type. */
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
    // Perf: mostly they came one behind the other.
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
