/** Holds a directory with direct system calls, from its descriptor. No paths are used, so it needs no `/proc`. */
import { constants } from 'node:os';
import { type Bytes, below, DOT } from '../names/bytes.ts';
import { AT_ROOT, type RootPath } from '../names/paths.ts';
import { COST } from '../workspace/budget.ts';
import { UNREACHABLE } from '../workspace/listing-error.ts';
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
import { type LookupResult, SkippedFile, type Stamp } from '../workspace/source.ts';
import { Unloaded } from '../workspace/steps.ts';
import { type DiskDirectory, hasProc, LOCAL_FILE_SYSTEMS, metadataOfError, resultOfCode } from './disk-directory.ts';
import { HeldDirectory, type Operations } from './held-directory.ts';
import { contentOf } from './plain-file.ts';
import { writeBelow } from './subtree-writer.ts';
import { codeOf, type SystemCalls, systemError } from './system-calls.ts';

const { EACCES, EINVAL, ELOOP, ENOENT, ENOTDIR } = constants.errno;

/** Opens a path name by name from the system's root down, so that no link is followed. */
export function pinByCall(realPath: Bytes, calls: SystemCalls): DiskDirectory | null {
  const names = realPath.split('/').filter((name) => name !== '') as Bytes[];
  let here = checked(calls.openRoot(), 'open');
  for (const name of names) {
    const inner = calls.openToPass(here, name);
    const isLink = inner < 0 && typeof calls.readLink(here, name) === 'string';
    calls.close(here);
    if (isLink) return null;
    here = checked(inner, 'open');
  }
  return callOperations(calls).hold(here, false, AT_ROOT, null);
}

/** Asks by direct system calls, whatever kind of descriptor holds the directory. */
export function callOperations(calls: SystemCalls): Operations {
  const hold: Operations['hold'] = (fd, isReadable, path, parent) =>
    new CallDirectory(calls, fd, isReadable, path, parent, () => operations);
  const operations: Operations = {
    hold,
    openChild(directory, name) {
      const found = (fd: number, isReadable: boolean): LookupResult => {
        return { kind: 'directory', directory: hold(fd, isReadable, below(directory.path, name), directory) };
      };
      const fd = calls.openDirectory(directory.descriptor, name);
      if (fd >= 0) return found(fd, true);
      // A directory that may be passed through but not read is held all the same.
      const passed = fd === -EACCES ? calls.openToPass(directory.descriptor, name) : fd;
      if (passed >= 0) return found(passed, false);
      return passed === -ENOTDIR || passed === -ELOOP ? null : resultOf(passed, 'open');
    },
    openParent(fd) {
      const parent = calls.openToPass(fd, '..' as Bytes);
      if (parent >= 0) return parent;
      // Rethrows anything but a missing entry or a refusal.
      resultOf(parent, 'open');
      return null;
    },
    link(fd, name) {
      const target = calls.readLink(fd, name);
      if (typeof target === 'string') return { kind: 'link', target };
      return target === -EINVAL ? null : resultOf(target, 'readlink');
    },
    metadata(fd, name) {
      const found = calls.describe(fd, name);
      // Perf: an error takes as long to make as several calls.
      if (found === -ENOENT) return null;
      if (typeof found === 'number') return metadataOfError(systemError(found, 'stat'));
      if (found.type !== 'link') return found;
      const target = calls.readLink(fd, name);
      if (typeof target === 'number') return metadataOfError(systemError(target, 'readlink'));
      found.target = target;
      return found;
    },
    open: ({ descriptor }, { isReadable }) =>
      isReadable ? direntReader(calls, descriptor, false) : direntReader(calls, opened(descriptor), true),
    readFile(directory, name, largest) {
      const found = calls.describe(directory, name);
      if (typeof found === 'number') return UNREACHABLE.has(codeOf(found)) ? null : thrown(found, 'stat');
      if (found.type === 'link') return SkippedFile.link;
      // Opening a pipe or a device can have side effects.
      if (found.type !== 'file') return SkippedFile.notPlain;
      const fd = calls.openFile(directory, name);
      if (fd === -ENOENT) return null;
      if (fd < 0) return UNREACHABLE.has(codeOf(fd)) ? SkippedFile.unreadable : thrown(fd, 'open');
      try {
        const now = calls.describe(fd, '' as Bytes);
        if (typeof now === 'number') return thrown(now, 'stat');
        if (now.type !== 'file') return SkippedFile.unreadable;
        return contentOf((buffer) => checked(calls.readFile(fd, buffer), 'read'), now.size, largest);
      } finally {
        calls.close(fd);
      }
    },
    stats(fd) {
      const stamp = calls.stamp(fd);
      return typeof stamp === 'number' ? thrown(stamp, 'stat') : stamp;
    },
    hasDirectory(directory, path) {
      const fd = calls.openToPassBeneath(directory, path);
      if (fd >= 0) calls.close(fd);
      return fd >= 0 || (fd === -ENOENT || fd === -ENOTDIR ? false : null);
    },
    isLocal: (fd) => LOCAL_FILE_SYSTEMS.has(calls.fileSystem(fd)),
    links: (fd) => calls.links(fd),
    close: (fd) => calls.close(fd),
    writeBelow(directory, name, form) {
      const first = below(directory.path, name);
      const pathOf = (path: Bytes): RootPath => (path === '' ? first : below(first, path));
      let above = directory;
      const adopt = (fd: number, path: Bytes) => {
        above = hold(fd, false, pathOf(path), above);
        return above;
      };
      const lone = (fd: number, path: Bytes) => hold(fd, false, pathOf(path), null);
      return writeBelow(calls, directory.descriptor, name, form, adopt, lone);
    },
  };
  /** Opens a held directory for reading. One that may be read but not passed through cannot be opened as its own `.`. */
  const opened = (descriptor: number): number => {
    const fd = calls.openDirectory(descriptor, '.' as Bytes);
    return checked(fd === -EACCES && hasProc() ? calls.openHeld(descriptor) : fd, 'open');
  };
  return operations;
}

class CallDirectory extends HeldDirectory {
  readonly #calls: SystemCalls;

  constructor(calls: SystemCalls, ...held: ConstructorParameters<typeof HeldDirectory>) {
    super(...held);
    this.#calls = calls;
  }

  passTo(path: Bytes): HeldDirectory | null {
    const fd = this.#calls.openToPassBeneath(this.descriptor, path);
    return fd < 0 ? null : this.choose().hold(fd, false, below(this.path, path), null);
  }

  /** Only its own device is certain to stay the same: the number of another may be used again after an unmount. */
  stampAt(path: Bytes): Stamp | null {
    const stamp = this.#calls.stampAt(this.descriptor, path);
    if (typeof stamp === 'number' || !this.isLocal) return null;
    return stamp.device === this.identity.device ? stamp : null;
  }
}

function thrown(result: number, call: string): never {
  throw systemError(result, call);
}

const checked = (result: number, call: string): number => (result < 0 ? thrown(result, call) : result);

/** Perf: creates an error only if it is going to be thrown. */
function resultOf(result: number, call: string): LookupResult {
  return resultOfCode(codeOf(result)) ?? thrown(result, call);
}

/** Receives one read; a slice has time for several. Perf: copying it costs less than making another view of memory. */
const BLOCK = Buffer.allocUnsafeSlow(64 * 1024);

/** Offsets in `struct linux_dirent64`. */
const LENGTH_AT = 16;
const TYPE_AT = 18;
const NAME_AT = 19;
const SHORTEST_RECORD = 24;
/** The alignment of records, in bytes. */
const ALIGNED = 8;

/** Maps the system's types to ours. `DT_UNKNOWN` means that the file system does not say. */
const TYPES = new Uint8Array(256).fill(OTHER);
const DT_UNKNOWN = 0;
TYPES[4] = DIRECTORY;
TYPES[8] = FILE;
TYPES[10] = LINK;

/** Names are returned as bytes, with their types. With `isOwn`, the reader closes the descriptor. */
function direntReader(calls: SystemCalls, descriptor: number, isOwn: boolean): DirectoryReader {
  let isOpen = true;
  let bytesRead = 0;
  let ahead: ReadAhead | null = null;
  return {
    read(entries, budget) {
      do {
        const block = ahead?.taken() ?? null;
        const length = block?.length ?? calls.readEntries(descriptor, BLOCK);
        // A directory that was removed has no entries left.
        if (length === 0 || length === -ENOENT) return false;
        if (length < 0) throw systemError(length, 'getdents');
        entries.reserve(length, length / SHORTEST_RECORD);
        const start = entries.appendBytes(block ?? BLOCK, length);
        bytesRead += length;
        if (isOwn && bytesRead > BLOCK.length) {
          ahead ??= new ReadAhead();
          ahead.begin(calls, descriptor);
        }
        const before = entries.count;
        takeRecords(entries, start, (name) => typeOf(calls, descriptor, name, budget));
        budget.steps += COST.entry * (entries.count - before) + (COST.nameByte / 2) * length;
        budget.entriesRead += entries.count - before;
      } while (ahead === null && !budget.isDue);
      return true;
    },
    close() {
      if (isOpen && isOwn && ahead === null) calls.close(descriptor);
      else if (isOpen && isOwn) ahead?.ended.then(() => calls.close(descriptor));
      isOpen = false;
    },
  };
}

/** Reads a large directory on another thread, while what was read before is used. */
class ReadAhead {
  readonly #block = Buffer.allocUnsafeSlow(8 * BLOCK.length);
  /** Null while it is being read. */
  #length: number | null = null;
  ended = Promise.resolve();

  begin(calls: SystemCalls, descriptor: number): void {
    this.#length = null;
    this.ended = calls.readEntriesBeside(descriptor, this.#block).then((length) => {
      this.#length = length;
    });
  }

  /** Returns what was read; null if it failed, so that it has to be read again to know why. */
  taken(): Buffer | null {
    if (this.#length === null) throw new Unloaded(() => this.ended);
    return this.#length < 0 ? null : this.#block.subarray(0, this.#length);
  }
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
