/**
 * Holds a directory with `/proc` (Linux): by an `O_PATH` descriptor, accessed through `/proc/self/fd/N/…`. It needs no
 * permission to read the directory, only to pass through it.
 */
import { type BigIntStats, closeSync, constants, fstatSync, openSync, statfsSync } from 'node:fs';
import { type Bytes, below } from '../names/bytes.ts';
import { AT_ROOT, type RootPath } from '../names/paths.ts';
import { systemCode } from '../workspace/listing-error.ts';
import type { DirectoryReader } from '../workspace/reader.ts';
import type { SortedLevel } from '../workspace/sorted-level.ts';
import {
  type LookupResult,
  type Metadata,
  type SkippedFile,
  type SourceDirectory,
  type Stamp,
  same,
} from '../workspace/source.ts';
import type { Subtree, SubtreeForm } from '../workspace/subtree.ts';
import {
  closedUnless,
  type DiskDirectory,
  isLocalFileSystem,
  latin1Link,
  metadataAt,
  resultOfError,
} from './disk-directory.ts';
import { openReader, type Size } from './disk-reader.ts';
import { fsPath } from './fs-path.ts';
import { O_PATH } from './kernel.ts';
import { type Held, linkIn, metadataIn, openedChild, readerIn, sortedIn, subtreeIn } from './pinned-by-call.ts';
import { readPlainFile } from './plain-file.ts';
import { loadedSystemCalls, type SystemCalls, systemCalls } from './system-calls.ts';

const PIN = O_PATH | (constants.O_DIRECTORY ?? 0) | (constants.O_NOFOLLOW ?? 0);

export function pinByDescriptor(realPath: Bytes): DiskDirectory | null {
  return pin(realPath, NEVER);
}

/** Pins a root by descriptor until direct system calls pay off; directories opened after that are held by those. */
export function pinUntilCallsPay(realPath: Bytes): DiskDirectory | null {
  return pin(realPath, whenTheyPay);
}

/** Returns the system calls, if they are worth loading after so many directories, or for one of that size. */
type CallsFor = (directories: number, bytes: bigint) => SystemCalls | null;

const NEVER: CallsFor = () => null;

/** Loading the calls takes as long as reading some ten thousand entries without them, or `MANY` directories. */
const LARGE = 512n * 1024n;
const MANY = 64;

const whenTheyPay: CallsFor = (directories, bytes) => {
  return directories >= MANY || bytes >= LARGE ? systemCalls() : loadedSystemCalls();
};

/** The number of directories opened by this process. */
let opened = 0;

function pin(realPath: Bytes, calls: CallsFor): DiskDirectory | null {
  const fd = openSync(fsPath(realPath), PIN);
  // The flags only keep the last component from being a link. The kernel's own path shows whether an earlier one was.
  const isThere = () => latin1Link(`/proc/self/fd/${fd}`) === realPath;
  return closedUnless(isThere, new DescriptorDirectory(fd, AT_ROOT, null, calls));
}

type FirstStats = Pick<BigIntStats, 'dev' | 'ino' | 'size'>;

/** Sentinel: stat failed, so it matches no directory. */
const UNKNOWN: FirstStats = { dev: -1n, ino: -1n, size: 0n };

class DescriptorDirectory implements DiskDirectory, Held {
  readonly path: RootPath;
  readonly parent: Held | null;
  readonly #calls: CallsFor;
  /** As it was at the first query; its identity does not change. */
  #first: FirstStats | null = null;
  openChildren = 0;
  #fd: number;

  constructor(fd: number, path: RootPath, parent: Held | null, calls: CallsFor) {
    this.#fd = fd;
    this.path = path;
    this.parent = parent;
    this.#calls = calls;
    if (parent !== null) parent.openChildren++;
  }

  get identity(): FirstStats {
    this.#first ??= this.#stats();
    return this.#first;
  }

  lookup(name: Bytes): LookupResult {
    const path = `${this.#handle()}/${name}`;
    // Neither a link nor a file can be opened as a directory, so the system is asked which of the two it is. If it
    // turns out to be neither, it was swapped between the two calls, and is opened once more.
    return (
      this.#openChild(path, name) ??
      this.#linkAt(path, name) ??
      this.#openChild(path, name) ?? { kind: 'not-a-directory' }
    );
  }

  #linkAt(path: string, name: Bytes): LookupResult | null {
    const calls = this.#calls(opened, 0n);
    return calls === null ? linkAt(path) : linkIn(calls, this.descriptor, name);
  }

  /** Returns null if it is not a directory. */
  #openChild(path: string, name: Bytes): LookupResult | null {
    const calls = this.#calls(opened++, 0n);
    if (calls !== null) return openedChild(calls, this.descriptor, name, this);
    try {
      const fd = openSync(fsPath(path), PIN);
      const directory = new DescriptorDirectory(fd, below(this.path, name), this, this.#calls);
      return { kind: 'directory', directory };
    } catch (error) {
      return systemCode(error) === 'ENOTDIR' || systemCode(error) === 'ELOOP' ? null : resultOfError(error);
    }
  }

  writeBelow(name: Bytes, form: SubtreeForm<SourceDirectory>): Subtree<SourceDirectory> | null {
    const calls = this.#calls(opened, 0n);
    return calls === null ? null : subtreeIn(calls, this.descriptor, name, form, this);
  }

  readSorted(hidesDotfiles: boolean): SortedLevel | null {
    const calls = this.#calls(opened, this.identity.size);
    return calls === null ? null : sortedIn(calls, this.descriptor, hidesDotfiles);
  }

  up(): DiskDirectory | null {
    const { parent } = this;
    if (parent === null) return null;
    const fd = openOrNull(`${this.#handle()}/..`);
    if (fd === null) return null;
    const above = new DescriptorDirectory(fd, parent.path, parent.parent, this.#calls);
    return closedUnless(() => same(above.identity, parent.identity), above);
  }

  open(withTypes: boolean, atOnce: boolean): DirectoryReader {
    const handle = this.#handle();
    const calls = this.#calls(opened, this.identity.size);
    if (calls !== null) return readerIn(calls, this.descriptor);
    return openReader(handle, atOnce ? 'small' : sizeOf(this.identity, handle), withTypes, () => {});
  }

  readFile(name: Bytes, largest: number): Bytes | SkippedFile | null {
    return readPlainFile(`${this.#handle()}/${name}`, largest);
  }

  metadata(name: Bytes): Metadata | 'refused' | null {
    const calls = this.#calls(opened, 0n);
    return calls === null ? metadataAt(`${this.#handle()}/${name}`) : metadataIn(calls, this.descriptor, name);
  }

  stamp(): Stamp | null {
    return isLocalFileSystem(statfsSync(this.#handle()).type) ? this.#stats() : null;
  }

  upwards(levels: number): string {
    return `${this.#handle()}${'/..'.repeat(levels)}`;
  }

  get descriptor(): number {
    // A closed descriptor's number may already belong to another file.
    if (this.#fd < 0) throw new Error('a pinned directory was used after it was closed');
    return this.#fd;
  }

  isDeleted(): boolean {
    return fstatSync(this.#fd).nlink === 0;
  }

  close(): void {
    if (this.#fd < 0) return;
    if (this.openChildren > 0) this.#first ??= this.#statsOrUnknown();
    if (this.parent !== null) this.parent.openChildren--;
    closeSync(this.#fd);
    this.#fd = -1;
  }

  #statsOrUnknown(): FirstStats {
    try {
      return this.#stats();
    } catch {
      return UNKNOWN;
    }
  }

  #stats(): BigIntStats {
    return fstatSync(this.descriptor, { bigint: true });
  }

  #handle(): string {
    return `/proc/self/fd/${this.descriptor}`;
  }
}

/** In bytes, as local file systems count them. A directory of this size has at most a few hundred entries. */
const SMALL = 16n * 1024n;

const isLocal = new Map<bigint, boolean>();

/** It does not matter if the directory has grown since: reading it at once is only a matter of speed. */
function sizeOf({ dev, size }: FirstStats, path: string): Size {
  if (size > SMALL) return 'unknown';
  const local = isLocal.get(dev) ?? isLocalFileSystem(statfsSync(path).type);
  isLocal.set(dev, local);
  return local ? 'small' : 'unknown';
}

/** Returns null if it is not a link. */
function linkAt(path: string): LookupResult | null {
  try {
    return { kind: 'link', target: latin1Link(path) };
  } catch (error) {
    return systemCode(error) === 'EINVAL' ? null : resultOfError(error);
  }
}

function openOrNull(path: string): number | null {
  try {
    return openSync(path, PIN);
  } catch (error) {
    // Rethrows anything but a missing entry or a refusal.
    resultOfError(error);
    return null;
  }
}
