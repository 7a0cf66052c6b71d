/** A directory held by a descriptor. How the system is asked is a table: direct system calls, or paths in `/proc`. */
import type { Bytes } from '../names/bytes.ts';
import type { RootPath } from '../names/paths.ts';
import type { DirectoryReader } from '../workspace/reader.ts';
import {
  type Identity,
  type LookupResult,
  type Metadata,
  type SkippedFile,
  type SourceDirectory,
  type Stamp,
  same,
} from '../workspace/source.ts';
import type { Subtree, SubtreeForm } from '../workspace/subtree.ts';
import { closedUnless, type DiskDirectory, hasProc } from './disk-directory.ts';

/** The questions that a directory held by a descriptor can be asked. Failures of the call are thrown. */
export interface Operations {
  /** Holds a descriptor. With `isReadable`, one reader may read from it. */
  hold(fd: number, isReadable: boolean, path: RootPath, parent: HeldDirectory | null): HeldDirectory;
  /** Opens the subdirectory `name`, without following a link; null if it is not a directory. */
  openChild(directory: HeldDirectory, name: Bytes): LookupResult | null;
  /** Opens `..`; null if that is missing or refused. */
  openParent(fd: number): number | null;
  /** Reads the link `name`; null if it is not a link. */
  link(fd: number, name: Bytes): LookupResult | null;
  metadata(fd: number, name: Bytes): Metadata | 'refused' | null;
  /** With `isReadable`, its own descriptor can be read from. */
  open(directory: HeldDirectory, how: { isReadable: boolean; withTypes: boolean; atOnce: boolean }): DirectoryReader;
  readFile(fd: number, name: Bytes, largest: number): Bytes | SkippedFile | null;
  /** Looks for a directory at a path; null if that is not certain because of a link. */
  hasDirectory?(fd: number, path: Bytes): boolean | null;
  stats(fd: number): Stats;
  isLocal(fd: number): boolean;
  /** Returns the number of hard links; 0 if it was removed. */
  links(fd: number): number;
  close(fd: number): void;
  writeBelow?(
    directory: HeldDirectory,
    name: Bytes,
    form: SubtreeForm<SourceDirectory>,
  ): Subtree<SourceDirectory> | null;
}

interface Stats extends Stamp {
  /** In bytes, as the file system counts them. */
  readonly size?: bigint;
  /** The device as a plain number, where comparing that is faster. */
  readonly device?: number;
}

/** What does not change while a directory is held, and its size as it was at the first query. */
type Held = Identity & Pick<Stats, 'size' | 'device'>;

/** Chooses the operations, by the size of a directory where that is to be read. */
export type Choose = (toRead?: HeldDirectory) => Operations;

/** Sentinel: stat failed, so it matches no directory. */
const UNKNOWN: Held = { dev: -1n, ino: -1n };

const NOT_A_DIRECTORY: LookupResult = { kind: 'not-a-directory' };

export class HeldDirectory implements DiskDirectory {
  readonly path: RootPath;
  readonly parent: HeldDirectory | null;
  readonly mayFold = true;
  protected readonly choose: Choose;
  #first: Held | null = null;
  /** Each of them may go up again, and then compares what it finds with this directory. */
  openChildren = 0;
  #fd: number;
  /** True while its own descriptor can be read from, which only one reader may do. */
  #isReadable: boolean;
  /** Null until it is needed. */
  #isLocal: boolean | null = null;

  constructor(fd: number, isReadable: boolean, path: RootPath, parent: HeldDirectory | null, choose: Choose) {
    this.#fd = fd;
    this.#isReadable = isReadable;
    this.path = path;
    this.parent = parent;
    this.choose = choose;
    if (parent !== null) parent.openChildren++;
  }

  get descriptor(): number {
    // A closed descriptor's number may already belong to another file.
    if (this.#fd < 0) throw new Error('a pinned directory was used after it was closed');
    return this.#fd;
  }

  get identity(): Held {
    this.#first ??= this.choose().stats(this.descriptor);
    return this.#first;
  }

  lookup(name: Bytes, isLink = false): LookupResult {
    const operations = this.choose();
    // Neither a link nor a file can be opened as a directory, so the system is asked which of the two it is. If it
    // turns out to be neither, it was swapped between the two calls, and is opened once more.
    return (
      (isLink ? operations.link(this.descriptor, name) : null) ??
      operations.openChild(this, name) ??
      operations.link(this.descriptor, name) ??
      operations.openChild(this, name) ??
      NOT_A_DIRECTORY
    );
  }

  writeBelow(name: Bytes, form: SubtreeForm<SourceDirectory>): Subtree<SourceDirectory> | null {
    return this.choose().writeBelow?.(this, name, form) ?? null;
  }

  up(): DiskDirectory | null {
    const { parent } = this;
    const operations = this.choose();
    const fd = parent === null ? null : operations.openParent(this.descriptor);
    if (parent === null || fd === null) return null;
    const above = operations.hold(fd, false, parent.path, parent.parent);
    return closedUnless(() => same(above.identity, parent.identity), above);
  }

  open(withTypes: boolean, atOnce: boolean): DirectoryReader {
    const isReadable = this.#isReadable;
    this.#isReadable = false;
    return this.choose(this).open(this, { isReadable, withTypes, atOnce });
  }

  readFile(name: Bytes, largest: number): Bytes | SkippedFile | null {
    return this.choose().readFile(this.descriptor, name, largest);
  }

  hasDirectory(path: Bytes): boolean | null {
    return path === '' || (this.choose().hasDirectory?.(this.descriptor, path) ?? null);
  }

  metadata(name: Bytes): Metadata | 'refused' | null {
    return this.choose().metadata(this.descriptor, name);
  }

  /** True if it is on a device whose times can be trusted. */
  protected get isLocal(): boolean {
    this.#isLocal ??= this.choose().isLocal(this.descriptor);
    return this.#isLocal;
  }

  stamp(): Stamp | null {
    const stamp = this.choose().stats(this.descriptor);
    this.#first ??= stamp;
    return this.isLocal ? stamp : null;
  }

  upwards(levels: number): string | null {
    return hasProc() ? `/proc/self/fd/${this.descriptor}${'/..'.repeat(levels)}` : null;
  }

  isDeleted(): boolean {
    return this.choose().links(this.descriptor) === 0;
  }

  close(): void {
    if (this.#fd < 0) return;
    try {
      if (this.openChildren > 0) this.#first ??= this.choose().stats(this.#fd);
    } catch {
      this.#first = UNKNOWN;
    }
    if (this.parent !== null) this.parent.openChildren--;
    this.choose().close(this.#fd);
    this.#fd = -1;
  }
}
