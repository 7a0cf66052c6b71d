/**
 * A directory that is held, not named.
 *
 * To check a path and then read it is a race that a link swap can win. A pinned directory is opened once, from its
 * pinned parent and never through a link, and everything about it is then asked through what was opened. Two ways:
 *
 * `pinned-by-descriptor.ts` where the system has `/proc`, `pinned-by-path.ts` elsewhere.
 */
import { lstatSync, readlinkSync, realpathSync } from 'node:fs';
import type { Bytes } from './bytes.ts';
import { fsPath } from './fs-path.ts';
import { concernsOneEntry, isUnreachable, systemCode } from './listing-error.ts';
import type { RootPath } from './paths.ts';
import type { Unusable } from './plain-file.ts';
import { type DirectoryReader, type EntryType, typeOf } from './reader.ts';

/** What stands behind a name in a pinned directory. A link is told, never followed. */
export type LookupResult =
  | { readonly kind: 'directory'; readonly directory: PinnedDirectory }
  | { readonly kind: 'link'; readonly target: Bytes }
  | { readonly kind: 'not-a-directory' | 'missing' | 'denied' };

export interface PinnedDirectory {
  /** Where it really is, relative to the root; '' is the root. */
  readonly path: RootPath;
  readonly parent: PinnedDirectory | null;
  readonly identity: Identity;
  lookup(name: Bytes): LookupResult;
  /** The directory above; null at the root, where the tree was moved meanwhile, and where the system refuses. */
  up(): PinnedDirectory | null;
  /** With `atOnce` it is read in one go, however large it is: that is faster, if nobody else waits meanwhile. */
  open(withTypes: boolean, atOnce: boolean): DirectoryReader;
  /** The content of the plain file `name`; null when there is none. */
  readFile(name: Bytes, largest?: number): Bytes | Unusable | null;
  /** What the system knows of the entry `name` itself; null when it has vanished. */
  metadata(name: Bytes): Metadata | Refusal | null;
  /** When it was changed last; null where that is not told reliably. */
  stamp(): Stamp | null;
  /** A path that leads up from here for certain, so many levels; null where nothing is held open. */
  upwards(levels: number): string | null;
  /** By which a program that is started can be given it; null where nothing is held open. */
  readonly descriptor: number | null;
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

const MISSING = new Set(['ENOENT', 'ENOTDIR', 'ENAMETOOLONG', 'ELOOP', 'ERR_INVALID_ARG_VALUE']);
const REFUSED = new Set(['EACCES', 'EPERM']);

export function resultOfError(error: unknown): LookupResult {
  const code = systemCode(error);
  if (MISSING.has(code)) return { kind: 'missing' };
  if (REFUSED.has(code)) return { kind: 'denied' };
  throw error;
}

export function same(a: Identity, b: Identity): boolean {
  return a.dev === b.dev && a.ino === b.ino;
}

/** `path` leads to the entry for certain. */
export function metadataAt(path: string): Metadata | Refusal | null {
  try {
    const stats = lstatSync(fsPath(path));
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

export function latin1Link(path: string): Bytes {
  return readlinkSync(fsPath(path), { encoding: 'latin1' }) as Bytes;
}

export function realBytes(path: Bytes): Bytes {
  return realpathSync.native(fsPath(path), { encoding: 'latin1' }) as Bytes;
}

/** What `ask` finds of the entry that a path from `start` names; null where the way is none. No link is followed. */
export function atPath<T>(
  start: PinnedDirectory,
  path: readonly Bytes[],
  ask: (directory: PinnedDirectory, name: Bytes) => T,
): T | null {
  let here = start;
  try {
    for (const name of path.slice(0, -1)) {
      const found = here.lookup(name);
      if (found.kind !== 'directory') return null;
      if (here !== start) here.close();
      here = found.directory;
    }
    return ask(here, path.at(-1) ?? ITSELF);
  } finally {
    if (here !== start) here.close();
  }
}

const ITSELF = '.' as Bytes;

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
