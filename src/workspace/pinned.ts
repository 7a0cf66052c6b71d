/**
 * A directory that is held, not named.
 *
 * To check a path and then read it is a race that a link swap can win. A pinned directory is opened once, from its
 * pinned parent and never through a link, and everything about it is then asked through what was opened. Two ways:
 *
 * - with `/proc` (Linux): an `O_PATH` descriptor, asked through `/proc/self/fd/N/…`. It needs no permission to read
 *   the directory, only to pass through it.
 * - elsewhere: the real path, with device and inode compared before and after each reading.
 */
import {
  type BigIntStats,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readlinkSync,
  realpathSync,
  statfsSync,
  statSync,
} from 'node:fs';
import { sep } from 'node:path';
import { type Bytes, below } from './bytes.ts';
import { fsPath } from './fs-path.ts';
import { concernsOneEntry, isUnreachable, systemCode } from './listing-error.ts';
import { readPlainFile } from './plain-file.ts';
import { type DirectoryReader, type EntryType, openReader, type Size, typeOf } from './reader.ts';

/** What stands behind a name in a pinned directory. A link is told, never followed. */
export type Sight =
  | { readonly kind: 'directory'; readonly directory: PinnedDirectory }
  | { readonly kind: 'link'; readonly target: Bytes }
  | { readonly kind: 'not-a-directory' | 'missing' | 'denied' };

export interface PinnedDirectory {
  /** Where it really is, relative to the root; '' is the root. */
  readonly path: Bytes;
  readonly parent: PinnedDirectory | null;
  readonly identity: Identity;
  look(name: Bytes): Sight;
  /** The directory above; null at the root, where the tree was moved meanwhile, and where the system refuses. */
  up(): PinnedDirectory | null;
  /** With `atOnce` it is read in one go, however large it is: that is faster, if nobody else waits meanwhile. */
  open(withTypes: boolean, atOnce: boolean): DirectoryReader;
  /** The content of the plain file `name`; null when there is none, or a link in its place. */
  readFile(name: Bytes): Bytes | null;
  /** What `ask` finds by the path that it is given, which leads here for certain while it is asked. */
  reach<T>(ask: (path: Bytes) => T): T;
  /** What the system knows of the entry `name` itself; null when it has vanished. */
  metadata(name: Bytes): Metadata | Refusal | null;
  /** When it was changed last; null where that is not told reliably. */
  stamp(): Stamp | null;
  /** Whether it was removed while it was held. */
  isDeleted(): boolean;
  close(): void;
}

export interface Identity {
  readonly dev: bigint;
  readonly ino: bigint;
}

/** Of an entry itself: a link is not followed. */
export interface Metadata {
  readonly type: EntryType;
  readonly size: number;
  /** Milliseconds since 1970, with their fraction. */
  readonly modified: number;
  /** The system's mode bits, the kind of file among them. */
  readonly mode: number;
  readonly user: number;
  readonly group: number;
  /** A link's own text. */
  readonly target: Bytes | null;
}

/** The system tells that there is such an entry, and nothing else: the directory may be read, but not entered. */
export type Refusal = 'refused';

/** In nanoseconds. While it stands still, and was old enough when it was taken, the directory's entries do, too. */
export interface Stamp extends Identity {
  readonly mtimeNs: bigint;
  readonly ctimeNs: bigint;
}

/** Pins the directory at a real path, which must lead there without any link; null when it does not. */
export type PinRoot = (realPath: Bytes) => PinnedDirectory | null;

export const pinRoot: PinRoot = pinRootOn(process.platform);

/** A Linux may be without `/proc`, too. */
export function pinRootOn(platform: string): PinRoot {
  try {
    return platform === 'linux' && statSync('/proc/self/fd').isDirectory() ? pinByDescriptor : pinByPath;
  } catch {
    return pinByPath;
  }
}

const MISSING = new Set(['ENOENT', 'ENOTDIR', 'ENAMETOOLONG', 'ELOOP', 'ERR_INVALID_ARG_VALUE']);
const REFUSED = new Set(['EACCES', 'EPERM']);

function sightOfError(error: unknown): Sight {
  const code = systemCode(error);
  if (MISSING.has(code)) return { kind: 'missing' };
  if (REFUSED.has(code)) return { kind: 'denied' };
  throw error;
}

export function same(a: Identity, b: Identity): boolean {
  return a.dev === b.dev && a.ino === b.ino;
}

/** `path` leads to the entry for certain. */
function metadataAt(path: string | Buffer): Metadata | Refusal | null {
  try {
    const stats = lstatSync(path);
    const type = typeOf(stats);
    return {
      type,
      size: stats.size,
      modified: stats.mtimeMs,
      mode: stats.mode,
      user: stats.uid,
      group: stats.gid,
      target: type === 'link' ? latin1Link(path) : null,
    };
  } catch (error) {
    if (REFUSED.has(systemCode(error))) return 'refused';
    if (isUnreachable(error)) return null;
    if (concernsOneEntry(systemCode(error))) return 'refused';
    throw error;
  }
}

function latin1Link(path: string | Buffer): Bytes {
  return readlinkSync(path, { encoding: 'latin1' }) as Bytes;
}

// ── with /proc ──────────────────────────────────────────────────────────────────────────────────────────────────────

/** Node does not name it; the value is the same on every Linux that Node runs on. */
const O_PATH = 0o10000000;
const PIN = O_PATH | (constants.O_DIRECTORY ?? 0) | (constants.O_NOFOLLOW ?? 0);

export function pinByDescriptor(realPath: Bytes): PinnedDirectory | null {
  const fd = openSync(fsPath(realPath), PIN);
  // Only the last component is kept from being a link; the kernel tells whether an earlier one was.
  const isThere = () => latin1Link(`/proc/self/fd/${fd}`) === realPath;
  return keptIf(isThere, new DescriptorDirectory(fd, '' as Bytes, null));
}

/** What does not pass is closed; and so is what the system will not tell of. */
export function keptIf(isRight: () => boolean, directory: PinnedDirectory): PinnedDirectory | null {
  let isKept = false;
  try {
    isKept = isRight();
    return isKept ? directory : null;
  } finally {
    if (!isKept) directory.close();
  }
}

type FirstStats = Pick<BigIntStats, 'dev' | 'ino' | 'size'>;

/** Of a directory that the system would not tell of: it is never found again. */
const NONE: FirstStats = { dev: -1n, ino: -1n, size: 0n };

class DescriptorDirectory implements PinnedDirectory {
  readonly path: Bytes;
  readonly parent: PinnedDirectory | null;
  /** As it was when it was asked for first; its identity does not change. */
  #first: FirstStats | null = null;
  #hasChildren = false;
  #fd: number;

  constructor(fd: number, path: Bytes, parent: PinnedDirectory | null) {
    this.#fd = fd;
    this.path = path;
    this.parent = parent;
  }

  get identity(): FirstStats {
    this.#first ??= this.#stats();
    return this.#first;
  }

  look(name: Bytes): Sight {
    const path = fsPath(`${this.#handle()}/${name}`);
    // Both a link and a file refuse to be opened as a directory; which of the two, the system must say. If by then it
    // is neither, it was swapped between the two questions, and is asked once more.
    return this.#openChild(path, name) ?? linkAt(path) ?? this.#openChild(path, name) ?? { kind: 'not-a-directory' };
  }

  /** Null when it is no directory. */
  #openChild(path: string | Buffer, name: Bytes): Sight | null {
    this.#hasChildren = true;
    try {
      const directory = new DescriptorDirectory(openSync(path, PIN), below(this.path, name), this);
      return { kind: 'directory', directory };
    } catch (error) {
      return systemCode(error) === 'ENOTDIR' || systemCode(error) === 'ELOOP' ? null : sightOfError(error);
    }
  }

  up(): PinnedDirectory | null {
    if (this.parent === null) return null;
    const fd = openOrNull(`${this.#handle()}/..`);
    if (fd === null) return null;
    const { parent } = this;
    const above = new DescriptorDirectory(fd, parent.path, parent.parent);
    return keptIf(() => same(above.identity, parent.identity), above);
  }

  open(withTypes: boolean, atOnce: boolean): DirectoryReader {
    const handle = this.#handle();
    return openReader(handle, atOnce ? 'small' : sizeOf(this.identity, handle), withTypes, () => {});
  }

  readFile(name: Bytes): Bytes | null {
    return readPlainFile(`${this.#handle()}/${name}`);
  }

  reach<T>(ask: (path: Bytes) => T): T {
    return ask(this.#handle() as Bytes);
  }

  metadata(name: Bytes): Metadata | Refusal | null {
    return metadataAt(fsPath(`${this.#handle()}/${name}`));
  }

  stamp(): Stamp | null {
    return LOCAL_FILE_SYSTEMS.has(statfsSync(this.#handle()).type) ? this.#stats() : null;
  }

  isDeleted(): boolean {
    return fstatSync(this.#fd).nlink === 0;
  }

  close(): void {
    if (this.#fd < 0) return;
    // A child that goes up again compares what it finds with this directory.
    if (this.#hasChildren) this.#first ??= this.#statsOrNone();
    closeSync(this.#fd);
    this.#fd = -1;
  }

  #statsOrNone(): FirstStats {
    try {
      return this.#stats();
    } catch {
      return NONE;
    }
  }

  #stats(): BigIntStats {
    if (this.#fd < 0) throw usedAfterClosing();
    return fstatSync(this.#fd, { bigint: true });
  }

  #handle(): string {
    if (this.#fd < 0) throw usedAfterClosing();
    return `/proc/self/fd/${this.#fd}`;
  }
}

/** A closed descriptor's number may already belong to another file. */
function usedAfterClosing(): Error {
  return new Error('a pinned directory was used after it was closed');
}

/**
 * File systems on a disk of this machine, which note each change of a directory at once: ext, xfs, btrfs, tmpfs,
 * overlay, f2fs, zfs, bcachefs. Of others (NFS, SMB, FUSE, 9p) the times may be late or made up.
 */
const LOCAL_FILE_SYSTEMS = new Set([
  ...[0xef53, 0x58465342, 0x9123683e, 0x01021994],
  ...[0x794c7630, 0xf2f52010, 0x2fc12fc1, 0xca451a4e],
]);

/** Bytes of a directory, as local file systems count them, that hold no more than some hundred entries. */
const SMALL = 16n * 1024n;

const isLocal = new Map<bigint, boolean>();

/** Whether it has grown since does not matter: to read it at once is only a matter of speed. */
function sizeOf({ dev, size }: FirstStats, path: string): Size {
  if (size > SMALL) return 'unknown';
  const local = isLocal.get(dev) ?? LOCAL_FILE_SYSTEMS.has(statfsSync(path).type);
  isLocal.set(dev, local);
  return local ? 'small' : 'unknown';
}

/** Null when it is no link. */
function linkAt(path: string | Buffer): Sight | null {
  try {
    return { kind: 'link', target: latin1Link(path) };
  } catch (error) {
    return systemCode(error) === 'EINVAL' ? null : sightOfError(error);
  }
}

function openOrNull(path: string): number | null {
  try {
    return openSync(path, PIN);
  } catch (error) {
    if (REFUSED.has(systemCode(error)) || MISSING.has(systemCode(error))) return null;
    throw error;
  }
}

// ── without /proc ───────────────────────────────────────────────────────────────────────────────────────────────────

export function pinByPath(realPath: Bytes): PinnedDirectory | null {
  const stats = lstatSync(fsPath(realPath), { bigint: true });
  if (!stats.isDirectory() || realBytes(realPath) !== realPath) return null;
  return new PathDirectory(realPath, stats, '' as Bytes, null);
}

export function realBytes(path: Bytes): Bytes {
  return realpathSync.native(fsPath(path), { encoding: 'latin1' }) as Bytes;
}

class PathDirectory implements PinnedDirectory {
  readonly path: Bytes;
  readonly parent: PathDirectory | null;
  readonly identity: Identity;
  readonly #absolute: Bytes;

  constructor(absolute: Bytes, identity: Identity, path: Bytes, parent: PathDirectory | null) {
    this.#absolute = absolute;
    this.identity = { dev: identity.dev, ino: identity.ino };
    this.path = path;
    this.parent = parent;
  }

  look(name: Bytes): Sight {
    const absolute = this.#entry(name);
    try {
      const stats = lstatSync(fsPath(absolute), { bigint: true });
      // What was asked is this directory's entry only if this directory still stands there.
      this.#verify();
      if (stats.isSymbolicLink()) return { kind: 'link', target: latin1Link(fsPath(absolute)) };
      if (!stats.isDirectory()) return { kind: 'not-a-directory' };
      return { kind: 'directory', directory: new PathDirectory(absolute, stats, below(this.path, name), this) };
    } catch (error) {
      return sightOfError(error);
    }
  }

  up(): PinnedDirectory | null {
    return this.parent;
  }

  open(withTypes: boolean): DirectoryReader {
    const reader = openReader(this.#absolute, 'unknown', withTypes, () => this.#verify());
    try {
      this.#verify();
      return reader;
    } catch (error) {
      reader.close();
      throw error;
    }
  }

  readFile(name: Bytes): Bytes | null {
    const content = readPlainFile(this.#entry(name));
    this.#verify();
    return content;
  }

  reach<T>(ask: (path: Bytes) => T): T {
    const found = ask(this.#absolute);
    this.#verify();
    return found;
  }

  metadata(name: Bytes): Metadata | Refusal | null {
    const metadata = metadataAt(fsPath(this.#entry(name)));
    this.#verify();
    return metadata;
  }

  /** What stands at the path now may be another directory, or one that was put back. */
  stamp(): null {
    return null;
  }

  /** Nothing is held, so what is no longer at its path is gone. */
  isDeleted(): boolean {
    return true;
  }

  close(): void {}

  #entry(name: Bytes): Bytes {
    return `${this.#absolute}${this.#absolute.endsWith(sep) ? '' : sep}${name}` as Bytes;
  }

  #verify(): void {
    const now = lstatSync(fsPath(this.#absolute), { bigint: true });
    if (now.isDirectory() && same(now, this.identity) && realBytes(this.#absolute) === this.#absolute) return;
    throw new Error('the directory was replaced while it was being read; call again');
  }
}
