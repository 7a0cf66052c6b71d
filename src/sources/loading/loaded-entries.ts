/** Entries of one or more directories, stored in columns: one object per entry would take many times the memory. */
import { EntryBuffer, grown } from '../../workspace/reader.ts';
import type { AsyncEntry } from './async-tree.ts';

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
