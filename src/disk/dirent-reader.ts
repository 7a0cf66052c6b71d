/** Reads a directory by a direct system call, which returns names as bytes, with their types. */
import { constants } from 'node:os';
import { type Bytes, DOT } from '../names/bytes.ts';
import { COST } from '../workspace/budget.ts';
import {
  DIRECTORY,
  type DirectoryReader,
  ENTRY_TYPES,
  type EntryBuffer,
  FILE,
  LINK,
  OTHER,
  type ReadBudget,
} from '../workspace/reader.ts';
import { type SystemCalls, systemError } from './system-calls.ts';

const { ENOENT } = constants.errno;

/** Receives one read; a slice has time for several. Perf: copying it costs less than making another view of memory. */
const BLOCK = Buffer.allocUnsafeSlow(64 * 1024);

/** Offsets in `struct linux_dirent64`. */
const LENGTH_AT = 16;
const TYPE_AT = 18;
const NAME_AT = 19;
/** The minimum size of a record, in bytes. */
const SHORTEST_RECORD = 24;
/** The alignment of records, in bytes. */
const ALIGNED = 8;

/** Maps the system's types to ours. `DT_UNKNOWN` means that the file system does not say. */
const TYPES = new Uint8Array(256).fill(OTHER);
const DT_UNKNOWN = 0;
TYPES[4] = DIRECTORY;
TYPES[8] = FILE;
TYPES[10] = LINK;

export class DirentReader implements DirectoryReader {
  readonly #calls: SystemCalls;
  readonly #descriptor: number;
  readonly #isOwn: boolean;
  #isOpen = true;

  /** With `isOwn`, the reader closes the descriptor. */
  constructor(calls: SystemCalls, descriptor: number, isOwn: boolean) {
    this.#calls = calls;
    this.#descriptor = descriptor;
    this.#isOwn = isOwn;
  }

  read(entries: EntryBuffer, budget: ReadBudget): boolean {
    do {
      const length = this.#calls.readEntries(this.#descriptor, BLOCK);
      // A directory that was removed has no entries left.
      if (length === 0 || length === -ENOENT) return false;
      if (length < 0) throw systemError(length, 'getdents');
      this.#append(entries, length, budget);
    } while (!budget.isDue);
    return true;
  }

  #append(entries: EntryBuffer, length: number, budget: ReadBudget): void {
    entries.reserve(length, length / SHORTEST_RECORD);
    const start = entries.appendBytes(BLOCK, length);
    const before = entries.count;
    this.#take(entries, start, budget);
    budget.steps += COST.entry * (entries.count - before) + (COST.nameByte / 2) * length;
    budget.entriesRead += entries.count - before;
  }

  /** Adds the records in place. Perf: only the start and the end of each name are recorded. */
  #take(entries: EntryBuffer, from: number, budget: ReadBudget): void {
    const { bytes, starts, ends, types, used } = entries;
    let { count } = entries;
    for (let record = from; record < used; ) {
      const start = record + NAME_AT;
      record += (bytes[record + LENGTH_AT] as number) | ((bytes[record + LENGTH_AT + 1] as number) << 8);
      if (bytes[start] === DOT && isDotOrDots(bytes, start)) continue;
      // The name ends within the last bytes of the record. A short one also starts there.
      let end = Math.max(start, record - ALIGNED);
      while (bytes[end] !== 0) end++;
      const type = bytes[start - NAME_AT + TYPE_AT] as number;
      const known = type === DT_UNKNOWN ? this.#typeOf(entries.textOf(start, end), budget) : (TYPES[type] as number);
      if (known < 0) continue;
      starts[count] = start;
      ends[count] = end;
      types[count++] = known;
    }
    entries.count = count;
  }

  /** Looks up a type that the file system does not say; negative if the entry has vanished. */
  #typeOf(name: Bytes, budget: ReadBudget): number {
    budget.steps += COST.describe;
    const described = this.#calls.describe(this.#descriptor, name);
    if (typeof described !== 'number') return ENTRY_TYPES.indexOf(described.type);
    // It exists, but nothing else is known about it.
    return described === -ENOENT ? described : OTHER;
  }

  close(): void {
    if (this.#isOpen && this.#isOwn) this.#calls.close(this.#descriptor);
    this.#isOpen = false;
  }
}

function isDotOrDots(bytes: Uint8Array, start: number): boolean {
  return bytes[start + 1] === 0 || (bytes[start + 1] === DOT && bytes[start + 2] === 0);
}
