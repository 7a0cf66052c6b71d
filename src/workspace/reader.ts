/** Reads a directory's entries in slices, so that nobody else has to wait for a large one. */
import { COST } from './budget.ts';
import type { Bytes } from './bytes.ts';
import type { ListingError } from './listing-error.ts';

/** What an entry is; a link is never followed for it. */
export type EntryType = 'file' | 'dir' | 'link' | 'other';

/** The types as an `EntryBuffer` has them: the position of each here. */
export const ENTRY_TYPES: readonly EntryType[] = ['file', 'dir', 'link', 'other'];
export const FILE = 0;
export const DIRECTORY = 1;
export const LINK = 2;
export const OTHER = 3;

/** By the upper bits of a mode. */
const TYPE_OF_KIND: Readonly<Record<number, EntryType>> = { 4: 'dir', 8: 'file', 10: 'link' };

/** The type that the mode bits of POSIX say. */
export function typeOfMode(mode: number): EntryType {
  return TYPE_OF_KIND[(mode >> 12) & 0o17] ?? 'other';
}

/** Bytes that are read at once; behind the last name there are as many more, of no meaning. */
export const WORD = 4;

/** The bits of a type; those above it are marks. */
const TYPE = 0x3;
/** A link that leads to a directory inside of the workspace. */
export const LEADS_TO_DIRECTORY = 0x4;
/** A directory that is descended into, and is not shown itself. */
export const DESCEND_ONLY = 0x8;

/**
 * Entries in the order in which they were read: their names stand as bytes in one buffer, a 0 behind each, so that none
 * of them costs anything before somebody wants to see it.
 *
 * Perf: a string for each name takes longer than reading it, and the garbage collector longer than that.
 */
export class EntryBuffer {
  #buffer: Buffer;
  #words: DataView;
  bytes: Uint8Array;
  /** Bytes that are used. */
  used = 0;
  /** Where the name of each entry begins, and the position behind its last byte. */
  starts: Uint32Array;
  ends: Uint32Array;
  /** The type of each, and its marks. */
  types: Uint8Array;
  count = 0;

  /** Made for so many bytes and entries; it grows with what is added. */
  constructor(bytes = 4096, entries = 64) {
    this.#buffer = Buffer.allocUnsafeSlow(bytes);
    this.#words = asWords(this.#buffer);
    this.bytes = this.#buffer;
    this.starts = new Uint32Array(entries);
    this.ends = new Uint32Array(entries);
    this.types = new Uint8Array(entries);
  }

  add(name: Bytes, type: EntryType): void {
    this.reserve(name.length + 1, 1);
    const start = this.used;
    const end = start + this.#buffer.write(name, start, 'latin1');
    this.bytes[end] = 0;
    this.used = end + 1;
    this.starts[this.count] = start;
    this.ends[this.count] = end;
    this.types[this.count++] = ENTRY_TYPES.indexOf(type);
  }

  /** The same of a name that is a part of some bytes. */
  addPart(bytes: Uint8Array, from: number, to: number, type: number): void {
    this.reserve(to - from + 1, 1);
    const own = this.bytes;
    const start = this.used;
    // Perf: names are short, and to call for a copy takes longer than to make it.
    for (let i = from, at = start; i < to; i++, at++) own[at] = bytes[i] as number;
    const end = start + to - from;
    own[end] = 0;
    this.used = end + 1;
    this.starts[this.count] = start;
    this.ends[this.count] = end;
    this.types[this.count++] = type;
  }

  /** Entries of another buffer that stand there one behind the other, as they were added. */
  addAll(other: EntryBuffer, from: number, to: number): void {
    const first = other.starts[from] as number;
    const length = (other.ends[to - 1] as number) + 1 - first;
    const shift = this.appendBytes(other.bytes.subarray(first), length) - first;
    this.reserve(0, to - from);
    const { starts, ends, types } = this;
    for (let i = from; i < to; i++, this.count++) {
      starts[this.count] = (other.starts[i] as number) + shift;
      ends[this.count] = (other.ends[i] as number) + shift;
      types[this.count] = other.types[i] as number;
    }
  }

  /** Appends some bytes, so many of them, and returns where they begin. */
  appendBytes(bytes: Uint8Array, length: number): number {
    this.reserve(length, 0);
    const start = this.used;
    (bytes as Buffer).copy(this.#buffer, start, 0, length);
    this.used = start + length;
    return start;
  }

  /** Appends some bytes that are at hand as a text, and returns where they begin. */
  appendText(text: Bytes): number {
    this.reserve(text.length, 0);
    const start = this.used;
    this.used += this.#buffer.write(text, start, 'latin1');
    return start;
  }

  /** Makes room for so many bytes and entries more; and for a word, so that one can be read anywhere. */
  reserve(bytes: number, entries: number): void {
    if (this.used + bytes + WORD > this.bytes.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(2 * this.bytes.length, this.used + bytes + WORD));
      this.#buffer.copy(larger, 0, 0, this.used);
      this.#buffer = larger;
      this.#words = asWords(larger);
      this.bytes = larger;
    }
    if (this.count + entries > this.starts.length) {
      const length = Math.max(2 * this.starts.length, this.count + entries);
      this.starts = grown(this.starts, new Uint32Array(length));
      this.ends = grown(this.ends, new Uint32Array(length));
      this.types = grown(this.types, new Uint8Array(length));
    }
  }

  nameAt(at: number): Bytes {
    return this.textOf(this.starts[at] as number, this.ends[at] as number);
  }

  textOf(start: number, end: number): Bytes {
    return this.#buffer.toString('latin1', start, end) as Bytes;
  }

  /** The names from one position up to another. Perf: parts of one string are made in a tenth of the time. */
  namesOf(from: number, to: number): Bytes[] {
    const { starts, ends } = this;
    let [first, last] = [Number.POSITIVE_INFINITY, 0];
    for (let i = from; i < to; i++) {
      first = Math.min(first, starts[i] as number);
      last = Math.max(last, ends[i] as number);
    }
    const names = new Array<Bytes>(to - from);
    const text = from === to ? '' : this.textOf(first, last);
    for (let i = from; i < to; i++) {
      names[i - from] = text.substring((starts[i] as number) - first, (ends[i] as number) - first) as Bytes;
    }
    return names;
  }

  /** Four bytes of a name, the first of them the highest. Perf: they take no longer to read than one. */
  wordAt(position: number): number {
    return this.#words.getInt32(position);
  }

  /** Whether all names from one position up to another are printable ASCII. */
  arePrintable(from: number, to: number): boolean {
    const words = this.#words;
    let odd = 0;
    for (let i = from; i < to; i++) {
      const end = this.ends[i] as number;
      let at = this.starts[i] as number;
      for (; at + WORD <= end; at += WORD) odd |= unprintable(words.getInt32(at));
      if (at < end) odd |= unprintable(cutWord(words.getInt32(at), end - at));
    }
    return odd === 0;
  }

  typeAt(at: number): EntryType {
    return ENTRY_TYPES[this.codeAt(at)] as EntryType;
  }

  /** The type as a number, without its marks. */
  codeAt(at: number): number {
    return (this.types[at] as number) & TYPE;
  }

  isDirectory(at: number): boolean {
    return ((this.types[at] as number) & TYPE) === DIRECTORY;
  }

  /** Whether it is a directory, or a link that was followed to one. */
  leadsToDirectory(at: number): boolean {
    return this.isDirectory(at) || ((this.types[at] as number) & LEADS_TO_DIRECTORY) !== 0;
  }

  swap(a: number, b: number): void {
    const [start, end, type] = [this.starts[a] as number, this.ends[a] as number, this.types[a] as number];
    this.move(b, a);
    this.starts[b] = start;
    this.ends[b] = end;
    this.types[b] = type;
  }

  /** Puts the entry at one position in another's place. */
  move(from: number, to: number): void {
    this.starts[to] = this.starts[from] as number;
    this.ends[to] = this.ends[from] as number;
    this.types[to] = this.types[from] as number;
  }

  /** Drops the entries from a position on, and the bytes from another. */
  truncate(count: number, used: number): void {
    this.count = count;
    this.used = used;
  }
}

const SPACES = 0x20202020;
const HIGHEST_BITS = 0x80808080;

/** Four bytes at once: not 0 if one of them is below a space, beyond ASCII, or the last of ASCII. */
export function unprintable(word: number): number {
  return (word | (word - SPACES) | (word + 0x01010101)) & HIGHEST_BITS;
}

/** The first one to three bytes of four, and spaces in place of the others. */
export function cutWord(word: number, bytes: number): number {
  return (word & (-1 << (8 * (4 - bytes)))) | (SPACES >>> (8 * bytes));
}

export function asWords({ buffer, byteOffset, length }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, length);
}

/** A larger array, with what a smaller one holds. */
export function grown<T extends Uint8Array | Uint16Array | Uint32Array | Float64Array>(from: T, to: T): T {
  to.set(from);
  return to;
}

/** The part of a call's budget that reading is charged to. */
export interface ReadBudget {
  /** Work that was done; an entry takes 100. */
  steps: number;
  entriesRead: number;
  /** Whether others should have a turn now. */
  readonly isDue: boolean;
  /** Tells the caller about something. */
  note?(text: string): void;
}

/** Reads the entries of a directory, some at a time. */
export interface DirectoryReader {
  /** Appends further entries until others should have a turn; false when there are no more. */
  read(entries: EntryBuffer, budget: ReadBudget): boolean;
  close(): void;
}

/** Adds an entry that was read, and charges for it. */
export function addCharged(entries: EntryBuffer, name: Bytes, type: EntryType, budget: ReadBudget): void {
  entries.add(name, type);
  charge(budget, name.length);
}

/** Charges for an entry that was read, whose name has so many bytes. */
export function charge(budget: ReadBudget, length: number): void {
  budget.steps += COST.entry + COST.nameByte * length;
  budget.entriesRead++;
}

/** The source does not know types while it is read: the directory has to be opened again, without them. */
export class TypesUnknown extends Error {}

/**
 * Thrown by a reader that cannot go on after it has given entries: those count, and the reason is told beside them. Only
 * readers of sources that load throw it.
 */
export class CutShort extends Error {
  readonly reason: ListingError;

  constructor(reason: ListingError) {
    super(reason.message);
    this.reason = reason;
  }
}

/** For sources that have all entries of a directory at hand: each with its name and its type. */
export function entryReader(entries: Iterable<readonly [name: Bytes, type: EntryType]>): DirectoryReader {
  const rest = entries[Symbol.iterator]();
  return {
    read(buffer, budget) {
      do {
        const { done, value } = rest.next();
        if (done) return false;
        addCharged(buffer, value[0], value[1], budget);
      } while (!budget.isDue);
      return true;
    },
    close() {},
  };
}

/** Reads a directory to its end, or until more than `most` entries were read. */
export function readAtOnce(reader: DirectoryReader, most: number, budget: ReadBudget): EntryBuffer {
  const entries = new EntryBuffer();
  try {
    while (entries.count <= most && reader.read(entries, budget));
    return entries;
  } finally {
    reader.close();
  }
}
