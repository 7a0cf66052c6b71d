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

  typeAt(at: number): EntryType {
    return ENTRY_TYPES[this.#types[at] as number] as EntryType;
  }

  /** The entry of a name. Where there are two of it, the directory, so that it can be entered. */
  find(name: Bytes): AsyncEntry | null {
    const at = this.#positionOf(name);
    return at === undefined || at < 0 ? null : this.#entryAt(at);
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
