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

/** With `isOwn`, the reader closes the descriptor. */
export function direntReader(calls: SystemCalls, descriptor: number, isOwn: boolean): DirectoryReader {
  let isOpen = true;
  return {
    read(entries, budget) {
      do {
        const length = calls.readEntries(descriptor, BLOCK);
        // A directory that was removed has no entries left.
        if (length === 0 || length === -ENOENT) return false;
        if (length < 0) throw systemError(length, 'getdents');
        entries.reserve(length, length / SHORTEST_RECORD);
        const start = entries.appendBytes(BLOCK, length);
        const before = entries.count;
        takeRecords(entries, start, (name) => typeOf(calls, descriptor, name, budget));
        budget.steps += COST.entry * (entries.count - before) + (COST.nameByte / 2) * length;
        budget.entriesRead += entries.count - before;
      } while (!budget.isDue);
      return true;
    },
    close() {
      if (isOpen && isOwn) calls.close(descriptor);
      isOpen = false;
    },
  };
}

/** Adds the records in place. Perf: only the start and the end of each name are recorded. */
function takeRecords(entries: EntryBuffer, from: number, typeOf: (name: Bytes) => number): void {
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
    const known = type === DT_UNKNOWN ? typeOf(entries.textOf(start, end)) : (TYPES[type] as number);
    if (known < 0) continue;
    starts[count] = start;
    ends[count] = end;
    types[count++] = known;
  }
  entries.count = count;
}

/** Looks up a type that the file system does not say; negative if the entry has vanished. */
function typeOf(calls: SystemCalls, descriptor: number, name: Bytes, budget: ReadBudget): number {
  budget.steps += COST.describe;
  const described = calls.describe(descriptor, name);
  if (typeof described !== 'number') return ENTRY_TYPES.indexOf(described.type);
  // It exists, but nothing else is known about it.
  return described === -ENOENT ? described : OTHER;
}

function isDotOrDots(bytes: Uint8Array, start: number): boolean {
  return bytes[start + 1] === 0 || (bytes[start + 1] === DOT && bytes[start + 2] === 0);
}
