/** The entries of a directory that was loaded, in columns: an object for each would take three times the memory. */
import type { Bytes } from '../bytes.ts';
import { ENTRY_TYPES, type EntryType } from '../reader.ts';
import type { AsyncEntry } from './async-tree.ts';

/** Bytes that an entry takes beside its name, about. */
const OVERHEAD = 64;

/** Entries that are searched one by one rather than by an index. */
const FEW = 8;

interface Rare extends Pick<AsyncEntry, 'mode' | 'user' | 'group' | 'target'> {}

export class LoadedLevel {
  readonly names: Bytes[] = [];
  readonly #types: number[] = [];
  #sizes: number[] | null = null;
  #times: number[] | null = null;
  #rare: Map<number, Rare> | null = null;
  #index: Map<Bytes, number> | null = null;
  /** About what it takes in memory. */
  bytes = 256;

  get count(): number {
    return this.names.length;
  }

  /** `name` is what it is called here, where the entry has a path. */
  add(entry: AsyncEntry, name = entry.name): void {
    const { type, size, modified, mode, user, group, target } = entry;
    const at = this.names.push(name) - 1;
    this.#types.push(ENTRY_TYPES.indexOf(type));
    if (size !== undefined) this.#sizes = put(this.#sizes, at, size);
    if (modified !== undefined) this.#times = put(this.#times, at, modified);
    if (mode !== undefined || user !== undefined || target !== undefined) {
      this.#rare ??= new Map();
      this.#rare.set(at, { mode, user, group, target });
      this.bytes += OVERHEAD;
    }
    this.#index = null;
    this.bytes += OVERHEAD + name.length;
  }

  /** All entries, in the order in which they came. */
  entries(): AsyncEntry[] {
    return this.names.map((_, at) => this.#entryAt(at));
  }

  typeAt(at: number): EntryType {
    return ENTRY_TYPES[this.#types[at] as number] as EntryType;
  }

  /** The entry of a name. Where there are two of it, the directory, so that it can be entered; or that of a type. */
  find(name: Bytes, type?: EntryType): AsyncEntry | null {
    const at = type === undefined ? this.#positionOf(name) : this.#positionOfType(name, type);
    return at === undefined || at < 0 ? null : this.#entryAt(at);
  }

  #positionOfType(name: Bytes, type: EntryType): number {
    let at = this.names.indexOf(name);
    while (at >= 0 && this.typeAt(at) !== type) at = this.names.indexOf(name, at + 1);
    return at;
  }

  #positionOf(name: Bytes): number | undefined {
    if (this.#index === null && this.count <= FEW) {
      const first = this.names.indexOf(name);
      const second = first < 0 ? first : this.names.indexOf(name, first + 1);
      return second >= 0 && this.typeAt(second) === 'dir' ? second : first;
    }
    this.#index ??= this.#indexed();
    return this.#index.get(name);
  }

  #indexed(): Map<Bytes, number> {
    const index = new Map<Bytes, number>();
    for (const [at, name] of this.names.entries()) {
      const other = index.get(name);
      if (other === undefined || this.typeAt(at) === 'dir') index.set(name, at);
    }
    return index;
  }

  #entryAt(at: number): AsyncEntry {
    return {
      ...(this.#rare?.get(at) ?? {}),
      name: this.names[at] as Bytes,
      type: this.typeAt(at),
      size: known(this.#sizes?.[at]),
      modified: known(this.#times?.[at]),
    };
  }
}

function put(column: number[] | null, at: number, value: number): number[] {
  const filled = column ?? [];
  while (filled.length < at) filled.push(Number.NaN);
  filled.push(value);
  return filled;
}

function known(value: number | undefined): number | undefined {
  return value === undefined || Number.isNaN(value) ? undefined : value;
}
