/**
 * Holds a directory with direct system calls: by a descriptor, from which everything else is opened and queried. No
 * paths are used, so it needs no `/proc`.
 */
import { constants } from 'node:os';
import { type Bytes, below } from '../names/bytes.ts';
import { AT_ROOT, type RootPath } from '../names/paths.ts';
import { isUnreachable } from '../workspace/listing-error.ts';
import type { DirectoryReader } from '../workspace/reader.ts';
import type { SortedLevel } from '../workspace/sorted-level.ts';
import {
  type Identity,
  type LookupResult,
  type Metadata,
  SkippedFile,
  type SourceDirectory,
  type Stamp,
  same,
} from '../workspace/source.ts';
import type { Subtree, SubtreeForm } from '../workspace/subtree.ts';
import { DirentReader } from './dirent-reader.ts';
import {
  closedUnless,
  type DiskDirectory,
  hasProc,
  isLocalFileSystem,
  metadataOfError,
  resultOfCode,
} from './disk-directory.ts';
import { sortedLevel } from './level-sorter.ts';
import { contentOf } from './plain-file.ts';
import { writeBelow } from './subtree-writer.ts';
import { codeOf, type SystemCalls, systemError } from './system-calls.ts';

const { EACCES, EINVAL, ELOOP, ENOENT, ENOTDIR } = constants.errno;

/** A directory from which others were opened. */
export interface Held {
  readonly path: RootPath;
  readonly identity: Identity;
  readonly parent: Held | null;
  /** Each of them may go up again, and then compares what it finds with this directory. */
  openChildren: number;
}

/** Opens a path name by name from the system's root down, so that no link is followed. */
export function pinByCall(realPath: Bytes, calls: SystemCalls): DiskDirectory | null {
  const names = realPath.split('/').filter((name) => name !== '') as Bytes[];
  let here = opened(calls.openRoot());
  for (const name of names) {
    const inner = calls.openToPass(here, name);
    const isLink = inner < 0 && typeof calls.readLink(here, name) === 'string';
    calls.close(here);
    if (isLink) return null;
    here = opened(inner);
  }
  return new CallDirectory(calls, here, false, AT_ROOT, null);
}

function opened(descriptor: number): number {
  if (descriptor < 0) throw systemError(descriptor, 'open');
  return descriptor;
}

/** Reads the link `name` of a directory held by any kind of descriptor; null if it is not a link. */
export function linkIn(calls: SystemCalls, descriptor: number, name: Bytes): LookupResult | null {
  const target = calls.readLink(descriptor, name);
  if (typeof target === 'string') return { kind: 'link', target };
  return target === -EINVAL ? null : resultOf(target, 'readlink');
}

/** Returns the metadata of the entry `name` of such a directory. */
export function metadataIn(calls: SystemCalls, descriptor: number, name: Bytes): Metadata | 'refused' | null {
  const found = calls.describe(descriptor, name);
  if (typeof found === 'number') return withoutMetadata(found, 'stat');
  if (found.type !== 'link') return found;
  const target = calls.readLink(descriptor, name);
  if (typeof target === 'number') return withoutMetadata(target, 'readlink');
  found.target = target;
  return found;
}

function foundAt(directory: CallDirectory): LookupResult {
  return { kind: 'directory', directory };
}

/** Opens a held directory for reading. One that may be read but not passed through cannot be opened as its own `.`. */
function openedAnew(calls: SystemCalls, descriptor: number): number {
  const fd = calls.openDirectory(descriptor, '.' as Bytes);
  return opened(fd === -EACCES && hasProc() ? calls.openHeld(descriptor) : fd);
}

/** Reads a directory held by any kind of descriptor. Other readers may use the directory at the same time. */
export function readerIn(calls: SystemCalls, descriptor: number): DirectoryReader {
  return new DirentReader(calls, openedAnew(calls, descriptor), true);
}

/** Opens the subdirectory `name` of a directory held by any kind of descriptor; null if it is not a directory. */
export function openedChild(calls: SystemCalls, parent: number, name: Bytes, held: Held): LookupResult | null {
  const fd = calls.openDirectory(parent, name);
  if (fd >= 0) return foundAt(new CallDirectory(calls, fd, true, below(held.path, name), held));
  // A directory that may be passed through but not read is held all the same.
  const passed = fd === -EACCES ? calls.openToPass(parent, name) : fd;
  if (passed >= 0) return foundAt(new CallDirectory(calls, passed, false, below(held.path, name), held));
  return passed === -ENOTDIR || passed === -ELOOP ? null : resultOf(passed, 'open');
}

/** Reads and sorts the entries of a directory held by any kind of descriptor. */
export function sortedIn(calls: SystemCalls, descriptor: number, hidesDotfiles: boolean): SortedLevel | null {
  return sortedLevel(calls, openedAnew(calls, descriptor), hidesDotfiles);
}

/** Writes everything below the subdirectory `name` of a directory held by any kind of descriptor. */
export function subtreeIn(
  calls: SystemCalls,
  parent: number,
  name: Bytes,
  form: SubtreeForm<SourceDirectory>,
  held: Held,
): Subtree<SourceDirectory> | null {
  const first = below(held.path, name);
  const made = (fd: number, path: Bytes, from: Held | null) =>
    new CallDirectory(calls, fd, false, path === '' ? first : below(first, path), from);
  let above = held;
  const adopt = (fd: number, path: Bytes) => {
    const directory = made(fd, path, above);
    above = directory;
    return directory;
  };
  return writeBelow<SourceDirectory>(calls, parent, name, form, adopt, (fd, path) => made(fd, path, null));
}

class CallDirectory implements DiskDirectory, Held {
  readonly path: RootPath;
  readonly parent: Held | null;
  readonly #calls: SystemCalls;
  #fd: number;
  #identity: Identity | null = null;
  openChildren = 0;
  /** The device, or `NOT_LOCAL`; null until it is needed. */
  #device: number | null = null;
  /** True while its own descriptor can be read from, which only one reader may do. */
  #isReadable: boolean;

  constructor(calls: SystemCalls, fd: number, isReadable: boolean, path: RootPath, parent: Held | null) {
    this.#calls = calls;
    this.#fd = fd;
    this.path = path;
    this.parent = parent;
    this.#isReadable = isReadable;
    if (parent !== null) parent.openChildren++;
  }

  get descriptor(): number {
    // A closed descriptor's number may already belong to another file.
    if (this.#fd < 0) throw new Error('a pinned directory was used after it was closed');
    return this.#fd;
  }

  get identity(): Identity {
    return this.#identity ?? this.#stampOrThrow();
  }

  lookup(name: Bytes): LookupResult {
    // Neither a link nor a file can be opened as a directory, so the system is asked which of the two it is. If it
    // turns out to be neither, it was swapped between the two calls, and is opened once more.
    return (
      this.#openChild(name) ?? linkIn(this.#calls, this.descriptor, name) ?? this.#openChild(name) ?? NOT_A_DIRECTORY
    );
  }

  writeBelow(name: Bytes, form: SubtreeForm<SourceDirectory>): Subtree<SourceDirectory> | null {
    return subtreeIn(this.#calls, this.descriptor, name, form, this);
  }

  readSorted(hidesDotfiles: boolean): SortedLevel | null {
    return sortedIn(this.#calls, this.descriptor, hidesDotfiles);
  }

  /** Returns null if it is not a directory. */
  #openChild(name: Bytes): LookupResult | null {
    return openedChild(this.#calls, this.descriptor, name, this);
  }

  passTo(path: Bytes): CallDirectory | null {
    const fd = this.#calls.openToPassBeneath(this.descriptor, path);
    return fd < 0 ? null : new CallDirectory(this.#calls, fd, false, below(this.path, path), null);
  }

  up(): DiskDirectory | null {
    const { parent } = this;
    if (parent === null) return null;
    const fd = this.#calls.openToPass(this.descriptor, '..' as Bytes);
    if (fd < 0) {
      // Rethrows anything but a missing entry or a refusal.
      resultOf(fd, 'open');
      return null;
    }
    const above = new CallDirectory(this.#calls, fd, false, parent.path, parent.parent);
    return closedUnless(() => same(above.identity, parent.identity), above);
  }

  open(): DirectoryReader {
    const fd = this.descriptor;
    if (!this.#isReadable) return readerIn(this.#calls, fd);
    this.#isReadable = false;
    return new DirentReader(this.#calls, fd, false);
  }

  readFile(name: Bytes, largest: number): Bytes | SkippedFile | null {
    const found = this.#calls.describe(this.descriptor, name);
    if (typeof found === 'number') return isNothing(found) ? null : thrown(found, 'stat');
    if (found.type === 'link') return SkippedFile.link;
    // Opening a pipe or a device can have side effects.
    if (found.type !== 'file') return SkippedFile.notPlain;
    const fd = this.#calls.openFile(this.descriptor, name);
    if (fd === -ENOENT) return null;
    if (fd < 0) return isNothing(fd) ? SkippedFile.unreadable : thrown(fd, 'open');
    try {
      return this.#contentOf(fd, largest);
    } finally {
      this.#calls.close(fd);
    }
  }

  #contentOf(fd: number, largest: number): Bytes | SkippedFile {
    const now = this.#calls.describe(fd, '' as Bytes);
    if (typeof now === 'number') return thrown(now, 'stat');
    if (now.type !== 'file') return SkippedFile.unreadable;
    const read = (buffer: Buffer) => {
      const length = this.#calls.readFile(fd, buffer);
      return length < 0 ? thrown(length, 'read') : length;
    };
    return contentOf(read, now.size, largest);
  }

  metadata(name: Bytes): Metadata | 'refused' | null {
    return metadataIn(this.#calls, this.descriptor, name);
  }

  stamp(): Stamp | null {
    const stamp = this.#stampOrThrow();
    return this.#isLocal(stamp.device) ? stamp : null;
  }

  stampAt(path: Bytes): Stamp | null {
    const stamp = this.#calls.stampAt(this.descriptor, path);
    return typeof stamp !== 'number' && this.#isLocal(stamp.device) ? stamp : null;
  }

  /**
   * True if it is on a device whose times can be trusted. Only its own device is certain to be the same as long as it
   * is held: the number of another may be used again after an unmount.
   */
  #isLocal(device: number): boolean {
    if (this.#device === null) {
      const own = this.#stampOrThrow().device;
      this.#device = isLocalFileSystem(this.#calls.fileSystem(this.descriptor)) ? own : NOT_LOCAL;
    }
    return device === this.#device;
  }

  upwards(levels: number): string | null {
    return hasProc() ? `/proc/self/fd/${this.descriptor}${'/..'.repeat(levels)}` : null;
  }

  isDeleted(): boolean {
    return this.#calls.links(this.descriptor) === 0;
  }

  close(): void {
    if (this.#fd < 0) return;
    if (this.openChildren > 0 && this.#identity === null) {
      const stamp = this.#calls.stamp(this.#fd);
      this.#identity = typeof stamp === 'number' ? UNKNOWN : stamp;
    }
    if (this.parent !== null) this.parent.openChildren--;
    this.#calls.close(this.#fd);
    this.#fd = -1;
  }

  #stampOrThrow(): Stamp & { readonly device: number } {
    const stamp = this.#calls.stamp(this.descriptor);
    if (typeof stamp === 'number') return thrown(stamp, 'stat');
    this.#identity ??= stamp;
    return stamp;
  }
}

const NOT_A_DIRECTORY: LookupResult = { kind: 'not-a-directory' };

const NOT_LOCAL = -1;

/** Sentinel: stat failed, so it matches no directory. */
const UNKNOWN: Identity = { dev: -1n, ino: -1n };

function thrown(result: number, call: string): never {
  throw systemError(result, call);
}

function isNothing(result: number): boolean {
  return isUnreachable(codeOf(result));
}

/** Perf: creates an error only if it is going to be thrown. */
function resultOf(result: number, call: string): LookupResult {
  return resultOfCode(codeOf(result)) ?? thrown(result, call);
}

function withoutMetadata(result: number, call: string): 'refused' | null {
  return metadataOfError(systemError(result, call));
}
