/**
 * What stands behind a workspace: a tree of directories that can be asked, wherever it is kept. A local disk is one
 * source, a tree in memory another; nothing above a source knows which.
 *
 * Questions are synchronous. A source that cannot answer one of them yet throws `Unloaded`, and is asked again later. A
 * question that fails throws an error with a system code (`EACCES`, `EIO`), which says what kind of failure it is.
 *
 * Names and paths are bytes, one a character; `bytesOf` and `textOf` translate.
 */

import type { Bytes } from './bytes.ts';
import type { StartedGit } from './git-program.ts';
import type { RootPath } from './paths.ts';
import type { DirectoryReader, EntryType } from './reader.ts';
import type { SortedLevel } from './sorted-level.ts';
import type { Subtree, SubtreeForm } from './subtree.ts';

/** How paths are written. */
export type PathStyle = 'posix' | 'win32';

/** A tree of directories that a workspace can be opened on. */
export interface Source {
  /** The name of the root: an absolute path that leads there without any link. People and absolute arguments use it. */
  readonly realPath: Bytes;
  /** Further absolute paths that lead to the root. */
  readonly aliases: readonly Bytes[];
  /**
   * How paths to the root, arguments and links are written.
   * @default 'posix'
   */
  readonly pathStyle?: PathStyle;
  /**
   * Whether it is not a directory of this machine's disk.
   * @internal
   */
  readonly isElsewhere?: boolean;
  /**
   * Whether what it tells has to be loaded, so that it should not be asked for anything twice.
   * @default false
   */
  readonly loads?: boolean;
  /** Pins the root for one call, which releases it. Throws where there is no root any more. */
  root(): SourceRoot;
  /** The workspace is closed: nothing more is asked but by calls that are under way. */
  close?(): void;
}

/** A root while a call uses it. What was loaded for the call is kept at least as long. */
export interface SourceRoot {
  readonly directory: SourceDirectory;
  /**
   * What lies around the root, which only a local disk has. Where it is null there is nothing above the root, no
   * configuration of the user, and nothing that a program could be started on.
   */
  readonly outside: Outside | null;
  /** The repository whose revision the root is, or is a part of. */
  readonly repository?: RevisionRepository | undefined;
  release(): void;
}

/** A repository of which a revision is listed: nothing of git's own lies in the tree itself. */
export interface RevisionRepository {
  /** The absolute path of the revision's own root, which the source's root is, or lies below. */
  readonly workTree: Bytes;
  /** What the revision is called: `HEAD~3`. */
  readonly revision: Bytes;
  /** The directories above the source's root, from the work tree down. */
  readonly above: readonly { readonly directory: Bytes; readonly gitignore: Bytes | SkippedFile | null }[];
  /** The history that leads to it; null for a tree without a commit. */
  readonly history: {
    readonly commit: string;
    readonly objects: Bytes;
    readonly shallow: Bytes | null;
    /**
     * Starts git where the revision is read; null when that cannot be.
     * @internal
     */
    readonly start?: (words: readonly string[]) => StartedGit | null;
  } | null;
}

/**
 * A directory that is held, not named: whatever is put in its place meanwhile, it stays the same. A name is never '',
 * '..' or one with a '/'.
 */
export interface SourceDirectory {
  readonly path: RootPath;
  readonly identity: Identity;
  lookup(name: Bytes): LookupResult;
  /**
   * The directory at a path below this one in one step, to be asked one question and closed; no link is followed on the
   * way. For sources that can; null where it has to be looked up name by name, which tells why.
   */
  passTo?(path: Bytes): SourceDirectory | null;
  /** The directory above; null at the root, where the tree was moved meanwhile, and where that is refused. */
  up(): SourceDirectory | null;
  /**
   * Begins to read it. `withTypes` is false only after `TypesUnknown` was thrown. With `atOnce` it may be read in one go,
   * however large it is, for nobody else waits meanwhile.
   */
  open(withTypes: boolean, atOnce: boolean): DirectoryReader;
  /** The content of the plain file `name`, of at most `largest` bytes; null when there is none. No link is followed. */
  readFile(name: Bytes, largest: number): Bytes | SkippedFile | null;
  /** A walk of so many levels begins here, and may take so many milliseconds; for sources that can load it in one go. */
  beginWalk?(levels: number, milliseconds: number): void;
  /** A walk is going to read these of its directories, in this order; for sources that can load them ahead. */
  expect?(names: readonly Bytes[]): void;
  /**
   * Writes what is below the directory `name` at once, for sources that can; null where that directory is out of the
   * ordinary.
   * @internal
   */
  writeBelow?(name: Bytes, form: SubtreeForm<SourceDirectory>): Subtree<SourceDirectory> | null;
  /**
   * Reads it and sorts it at once, for sources that can; null where it is out of the ordinary.
   * @internal
   */
  readSorted?(hidesDotfiles: boolean): SortedLevel | null;
  /** Loads what is known of these entries, before they are asked for; for sources that have to. */
  loadMetadata?(names: readonly Bytes[]): Promise<void>;
  /**
   * What is known of the entry `name` itself, '.' being the directory; null when it has vanished. `listedAs` is the type
   * that it was listed with, for sources where a name may stand for two entries.
   */
  metadata(name: Bytes, listedAs?: EntryType): Metadata | 'refused' | null;
  /** When its entries were changed last; null where that cannot be told for certain. It never has to be loaded. */
  stamp(): Stamp | null;
  /** The same of the directory at a path below this one, without opening it; for sources that can tell. */
  stampAt?(path: Bytes): Stamp | null;
  /** The descriptor by which a program can be given it, where it has one. */
  readonly descriptor?: number | null;
  close(): void;
}

/** What stands behind a name. A link is told, never followed. */
export type LookupResult =
  | { readonly kind: 'directory'; readonly directory: SourceDirectory }
  | { readonly kind: 'link'; readonly target: Bytes }
  | { readonly kind: 'not-a-directory' | 'missing' | 'denied' };

/** Two directories are the same if both numbers are. */
export interface Identity {
  readonly dev: bigint;
  readonly ino: bigint;
}

/** In nanoseconds. While it stands still, and was old enough when it was taken, the directory's entries do, too. */
export interface Stamp extends Identity {
  readonly mtimeNs: bigint;
  readonly ctimeNs: bigint;
  /** Whether another is the same in all of it; for sources that can tell sooner. */
  equals?(other: Stamp): boolean;
}

/** What is known of an entry itself: a link is not followed. */
export interface Metadata {
  readonly type: EntryType;
  /** NaN where the source cannot tell. */
  readonly size: number;
  /** Milliseconds since 1970, with their fraction; NaN where the source cannot tell. */
  readonly modified: number;
  /** Mode bits as POSIX has them, the kind of file among them; null where the source has none. */
  readonly mode: number | null;
  /** The number of the owner; null where the source has none. */
  readonly user: number | null;
  readonly group: number | null;
  /** A link's own text. */
  readonly target: Bytes | null;
  /** The number of the inode, and of the names that it has; where the source has them. */
  readonly inode?: number;
  readonly links?: number;
}

/** What lies around the root of a local disk, by absolute paths. Whoever asks has to know what may be told of it. */
export interface Outside {
  exists(path: Bytes): boolean;
  /** Where a path leads, without any link; null when it leads nowhere. */
  realPath(path: Bytes): Bytes | null;
  /** The content of a plain file; null when there is none. No link is followed at the end of the path. */
  readFile(path: Bytes, largest: number): Bytes | SkippedFile | null;
  /** Null also where nothing can be told. */
  metadata(path: Bytes): Metadata | null;
}

/** Bytes of a file that holds rules. Fifty thousand rules take less. */
export const LARGEST_RULE_FILE = 1024 * 1024;

/** A file that is there, and is not read. */
export class SkippedFile {
  /** Completes "'.gitignore' …". */
  readonly reason: string;

  constructor(reason: string) {
    this.reason = reason;
  }

  static readonly link = new SkippedFile('is a link');
  static readonly notPlain = new SkippedFile('is not a plain file');
  static readonly unreadable = new SkippedFile('cannot be read');

  static largerThan(bytes: number): SkippedFile {
    const size = bytes < LARGEST_RULE_FILE ? `${bytes} bytes` : `${bytes / LARGEST_RULE_FILE} MB`;
    return new SkippedFile(`is larger than ${size}`);
  }
}

export function same(a: Identity, b: Identity): boolean {
  return a.dev === b.dev && a.ino === b.ino;
}

let sources = 0n;

/** A number for the directories of a source that is not a disk: no other source of this process has it. */
export function newDevice(): bigint {
  // Those of disks are positive.
  return -1n - ++sources;
}
