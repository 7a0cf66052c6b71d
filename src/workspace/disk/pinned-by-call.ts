/**
 * With the system's own calls: a descriptor, from which everything else is opened and asked. Nothing is named by a path,
 * so it needs no `/proc`.
 */
import { constants } from 'node:os';
import { type Bytes, below } from '../bytes.ts';
import { isUnreachable } from '../listing-error.ts';
import { AT_ROOT, type RootPath } from '../paths.ts';
import type { DirectoryReader } from '../reader.ts';
import type { SortedLevel } from '../sorted-level.ts';
import {
  type Identity,
  type LookupResult,
  type Metadata,
  SkippedFile,
  type SourceDirectory,
  type Stamp,
  same,
} from '../source.ts';
import type { Subtree, SubtreeForm } from '../subtree.ts';
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

/** A directory that others were opened from. */
export interface Held {
  readonly path: RootPath;
  readonly identity: Identity;
  readonly parent: Held | null;
  /** Each may go up again, and then compares what it finds with this one. */
  openChildren: number;
}

/** From the system's root down, name by name, so that no link is on the way. */
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

/** The link `name` of a directory that is held by a descriptor, whichever way; null when it is something else. */
export function linkIn(calls: SystemCalls, descriptor: number, name: Bytes): LookupResult | null {
  const target = calls.readLink(descriptor, name);
  if (typeof target === 'string') return { kind: 'link', target };
  return target === -EINVAL ? null : resultOf(target, 'readlink');
}

/** The metadata of the entry `name` of such a directory. */
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

/** A directory that is held, to be read. One that may be read, and not passed through, does not lead to itself. */
function openedAnew(calls: SystemCalls, descriptor: number): number {
  const fd = calls.openDirectory(descriptor, '.' as Bytes);
  return opened(fd === -EACCES && hasProc() ? calls.openHeld(descriptor) : fd);
}

/** Reads a directory that is held by a descriptor, whichever way, which others may read from at the same time. */
export function readerIn(calls: SystemCalls, descriptor: number): DirectoryReader {
  return new DirentReader(calls, openedAnew(calls, descriptor), true);
}

/** The directory `name` of another, whichever way that is held; null when it is something else. */
export function openedChild(calls: SystemCalls, parent: number, name: Bytes, held: Held): LookupResult | null {
  const fd = calls.openDirectory(parent, name);
  if (fd >= 0) return foundAt(new CallDirectory(calls, fd, true, below(held.path, name), held));
  // One that may be passed through, and not read, is held all the same.
  const passed = fd === -EACCES ? calls.openToPass(parent, name) : fd;
  if (passed >= 0) return foundAt(new CallDirectory(calls, passed, false, below(held.path, name), held));
  return passed === -ENOTDIR || passed === -ELOOP ? null : resultOf(passed, 'open');
}

/** The entries of a directory that is held by a descriptor, whichever way. */
export function sortedIn(calls: SystemCalls, descriptor: number, hidesDotfiles: boolean): SortedLevel | null {
  return sortedLevel(calls, openedAnew(calls, descriptor), hidesDotfiles);
}

/** What is below the directory `name` of another, whichever way that is held. */
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
  /** Whether its own descriptor can be read from, which only one may. */
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
    // Both a link and a file refuse to be opened as a directory; which of the two, the system must say. If by then it
    // is neither, it was swapped between the two questions, and is asked once more.
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

  /** Null when it is not a directory. */
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
      // What is neither missing nor refused is thrown on.
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
    // To open a pipe or a device can have effects of its own.
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
    return this.#isTrusted(stamp.device, () => this.#calls.fileSystem(this.descriptor)) ? stamp : null;
  }

  stampAt(path: Bytes): Stamp | null {
    const stamp = this.#calls.stampAt(this.descriptor, path);
    return typeof stamp !== 'number' && this.#isTrusted(stamp.device, () => UNKNOWN_FILE_SYSTEM) ? stamp : null;
  }

  /** Perf: of each device the system is asked once what it is. */
  #isTrusted(device: number, fileSystem: () => number): boolean {
    const known = trusted.get(device);
    if (known !== undefined) return known;
    const kind = fileSystem();
    if (kind >= 0) trusted.set(device, isLocalFileSystem(kind));
    return isLocalFileSystem(kind);
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

const UNKNOWN_FILE_SYSTEM = -1;

/** Devices, and whether the times on them can be trusted. */
const trusted = new Map<number, boolean>();

/** It matches no directory. */
const UNKNOWN: Identity = { dev: -1n, ino: -1n };

function thrown(result: number, call: string): never {
  throw systemError(result, call);
}

function isNothing(result: number): boolean {
  return isUnreachable(codeOf(result));
}

/** Perf: an error that nobody will see is not made. */
function resultOf(result: number, call: string): LookupResult {
  return resultOfCode(codeOf(result)) ?? thrown(result, call);
}

function withoutMetadata(result: number, call: string): 'refused' | null {
  return metadataOfError(systemError(result, call));
}
