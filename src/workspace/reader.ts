/** Reads a directory's entries in slices, so that a large directory does not block the event loop. */
import type { Bytes } from '../names/bytes.ts';
import { type Budget, COST } from './budget.ts';
import type { ListingError } from './listing-error.ts';

/** The type of an entry itself: a link is never followed. */
export type EntryType = 'file' | 'dir' | 'link' | 'other';

/** An `EntryBuffer` stores a type as its position in this list. */
export const ENTRY_TYPES: readonly EntryType[] = ['file', 'dir', 'link', 'other'];
export const FILE = 0;
export const DIRECTORY = 1;
export const LINK = 2;
export const OTHER = 3;

/** Keyed by the upper bits of a mode. */
const TYPE_OF_KIND: Readonly<Record<number, EntryType>> = { 4: 'dir', 8: 'file', 10: 'link' };

export function typeOfMode(mode: number): EntryType {
  return TYPE_OF_KIND[(mode >> 12) & 0o17] ?? 'other';
}

/** The number of bytes read at once. The buffer has this many bytes of padding after the last name. */
export const WORD = 4;
/** The bits of the type; those above are marks. */
const TYPE = 0x3;
/** Marks a link that leads to a directory inside the workspace. */
export const LEADS_TO_DIRECTORY = 0x4;
/** Marks a directory that is descended into but not shown itself. */
export const DESCEND_ONLY = 0x8;
/** Marks a directory that git ignores, and that is shown for something below it that git tracks. */
export const IGNORED = 0x10;

/**
 * Entries in the order in which they were read. Their names are bytes in one buffer, each followed by a 0. Perf: making
 * a string for each name takes longer than reading it, and collecting the garbage even longer.
 */
export class EntryBuffer {
  #buffer: Buffer;
  #words: DataView;
  bytes: Uint8Array;
  used = 0;
  /** The position of the first byte of each name, and the position after its last. */
  starts: Uint32Array;
  ends: Uint32Array;
  types: Uint8Array;
  count = 0;

  /** Allocates room for so many bytes and entries. The buffer grows as needed. */
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
    this.#record(start, start + this.#buffer.write(name, start, 'latin1'), ENTRY_TYPES.indexOf(type));
  }

  /** Records an entry whose name stands between two positions, the last in the buffer. */
  #record(start: number, end: number, type: number): void {
    this.bytes[end] = 0;
    this.used = end + 1;
    this.starts[this.count] = start;
    this.ends[this.count] = end;
    this.types[this.count++] = type;
  }

  /** Adds an entry whose name is a part of `bytes`. */
  addPart(bytes: Uint8Array, from: number, to: number, type: number): void {
    this.reserve(to - from + 1, 1);
    const own = this.bytes;
    const start = this.used;
    // Perf: names are short, so calling a copy function takes longer than copying here.
    for (let i = from, at = start; i < to; i++, at++) own[at] = bytes[i] as number;
    this.#record(start, start + to - from, type);
  }

  /** Adds an entry of another buffer, with one byte before its name. Returns true if the name is ASCII. */
  addBehind(byte: number, other: EntryBuffer, at: number): boolean {
    const from = other.starts[at] as number;
    const length = (other.ends[at] as number) - from;
    this.reserve(length + 2 + WORD, 1);
    this.bytes[this.used] = byte;
    const start = this.used + 1;
    // Perf: word by word takes a third of the time.
    let union = 0;
    for (let i = 0; i < length; i += WORD) {
      const word = other.wordAt(from + i);
      this.#words.setInt32(start + i, word);
      union |= length - i < WORD ? cutWord(word, length - i) : word;
    }
    this.#record(start, start + length, other.codeAt(at));
    return (union & HIGHEST_BITS) === 0;
  }

  /** Adds entries of another buffer. Their names must be contiguous there, in the order in which they were added. */
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

  /** Appends the first `length` bytes, and returns the position where they begin. */
  appendBytes(bytes: Uint8Array, length: number): number {
    this.reserve(length, 0);
    const start = this.used;
    (bytes as Buffer).copy(this.#buffer, start, 0, length);
    this.used = start + length;
    return start;
  }

  /** Makes room for so many more bytes and entries, and for a word of padding, so that one can be read anywhere. */
  reserve(bytes: number, entries: number): void {
    if (this.#lacksBytes(bytes)) {
      const larger = Buffer.allocUnsafeSlow(Math.max(roomAfter(this.bytes.length), this.used + bytes + WORD));
      this.#buffer.copy(larger, 0, 0, this.used);
      this.#use(larger);
    }
    if (this.#lacksEntries(entries)) {
      const length = Math.max(2 * this.starts.length, this.count + entries);
      this.starts = grown(this.starts, new Uint32Array(length));
      this.ends = grown(this.ends, new Uint32Array(length));
      this.types = grown(this.types, new Uint8Array(length));
    }
  }

  /** True if the buffer is large, and has no room for so many more bytes and entries. */
  isCrowded(bytes: number, entries: number): boolean {
    return this.bytes.length >= LARGE && (this.#lacksBytes(bytes) || this.#lacksEntries(entries));
  }

  #lacksBytes(bytes: number): boolean {
    return this.used + bytes + WORD > this.bytes.length;
  }

  #lacksEntries(entries: number): boolean {
    return this.count + entries > this.starts.length;
  }

  /** Makes room in slices: copying megabytes at once would block the event loop. */
  async reserveInSlices(bytes: number, entries: number, budget: Pick<Budget, 'yieldIfDue'>): Promise<void> {
    if (this.#lacksBytes(bytes)) {
      this.#use(await grownInSlices(this.#buffer, Buffer.allocUnsafeSlow(roomAfter(this.bytes.length)), budget));
    }
    if (!this.#lacksEntries(entries)) return;
    const length = 4 * this.starts.length;
    this.starts = await grownInSlices(this.starts, new Uint32Array(length), budget);
    this.ends = await grownInSlices(this.ends, new Uint32Array(length), budget);
    this.types = await grownInSlices(this.types, new Uint8Array(length), budget);
  }

  #use(buffer: Buffer): void {
    this.#buffer = buffer;
    this.#words = asWords(buffer);
    this.bytes = buffer;
  }

  nameAt(at: number): Bytes {
    return this.textOf(this.starts[at] as number, this.ends[at] as number);
  }

  textOf(start: number, end: number): Bytes {
    return this.#buffer.toString('latin1', start, end) as Bytes;
  }

  /** Returns the names in a range. Perf: taking substrings of one string takes a tenth of the time. */
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

  /** Returns four bytes of a name, big-endian. Perf: reading four takes no longer than reading one. */
  wordAt(position: number): number {
    return this.#words.getInt32(position);
  }

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

  /** Returns the type as a number, without marks. */
  codeAt(at: number): number {
    return (this.types[at] as number) & TYPE;
  }

  isDirectory(at: number): boolean {
    return ((this.types[at] as number) & TYPE) === DIRECTORY;
  }

  /** Returns true for a directory, and for a link that was followed to one. */
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

  move(from: number, to: number): void {
    this.starts[to] = this.starts[from] as number;
    this.ends[to] = this.ends[from] as number;
    this.types[to] = this.types[from] as number;
  }

  /** Keeps only the first `count` entries and the first `used` bytes. */
  truncate(count: number, used: number): void {
    this.count = count;
    this.used = used;
  }
}

const SPACES = 0x20202020;
const HIGHEST_BITS = 0x80808080;

/** Tests four bytes at once: not 0 if any of them is a control character (below space, or DEL) or beyond ASCII. */
export function unprintable(word: number): number {
  return (word | (word - SPACES) | (word + 0x01010101)) & HIGHEST_BITS;
}

/** Returns the first one to three bytes of a word, with spaces in place of the others. */
export function cutWord(word: number, bytes: number): number {
  return (word & (-1 << (8 * (4 - bytes)))) | (SPACES >>> (8 * bytes));
}

export function asWords({ buffer, byteOffset, length }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, length);
}

export function grown<T extends Uint8Array | Uint16Array | Uint32Array | Float64Array>(from: T, to: T): T {
  to.set(from);
  return to;
}

/** Bytes that can be copied within one slice. */
const LARGE = 2 ** 22;
/** Above this, buffers have at least so many bytes. Perf: glibc retains freed blocks of up to 32 MB for ever. */
const RESERVED = 40 * 2 ** 20;

const roomAfter = (bytes: number): number => (bytes < LARGE ? 2 * bytes : Math.max(2 * bytes, RESERVED));

/** Copies a smaller array into a larger one, some elements at a time, and returns that. */
export async function grownInSlices<T extends Uint8Array | Uint32Array | Float64Array>(
  from: T,
  to: T,
  budget: Pick<Budget, 'yieldIfDue'>,
): Promise<T> {
  for (let start = 0; start < from.length; start += COPIED) {
    to.set(from.subarray(start, start + COPIED), start);
    await budget.yieldIfDue();
  }
  return to;
}

const COPIED = 2 ** 18;

/** The part of a call's budget that reading is charged to. */
export interface ReadBudget {
  /** The work done, in steps; an entry takes about 100. */
  steps: number;
  entriesRead: number;
  /** True if the call should yield now. */
  readonly isDue: boolean;
  note?(text: string): void;
}

/** Reads the entries of a directory, some at a time. */
export interface DirectoryReader {
  /** Appends entries until the call should yield; false if there are no more. */
  read(entries: EntryBuffer, budget: ReadBudget): boolean;
  close(): void;
}

export function addCharged(entries: EntryBuffer, name: Bytes, type: EntryType, budget: ReadBudget): void {
  entries.add(name, type);
  charge(budget, name.length);
}

/** Charges for an entry that was read, whose name has `length` bytes. */
export function charge(budget: ReadBudget, length: number): void {
  budget.steps += COST.entry + COST.nameByte * length;
  budget.entriesRead++;
}

/** Thrown if reading does not yield types: the directory has to be opened again without them. */
export class TypesUnknown extends Error {}

/** Thrown by a reader that fails after it has returned entries: those are kept, and the reason is reported. */
export class CutShort extends Error {
  readonly reason: ListingError;

  constructor(reason: ListingError) {
    super(reason.message);
    this.reason = reason;
  }
}

/** Makes a reader for sources that have all entries of a directory available. */
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
