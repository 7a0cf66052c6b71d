/**
 * The interface between a workspace and the tree of directories behind it, wherever that is kept. A local disk is one
 * source, a tree in memory another; nothing above a source knows which.
 *
 * Queries are synchronous. A source that cannot answer yet throws `Unloaded`, and is asked again later. A query that
 * fails throws an error with a system code (`EACCES`, `EIO`), which says what kind of failure it is.
 *
 * Names and paths are bytes, one for each character; `bytesOf` and `textOf` convert them.
 */
import type { EventEmitter } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import type { Bytes } from '../names/bytes.ts';
import type { RootPath } from '../names/paths.ts';
import type { Budget } from './budget.ts';
import type { DirectoryReader, EntryType } from './reader.ts';
import type { Subtree, SubtreeForm } from './subtree.ts';

/** The syntax of paths. */
export type PathStyle = 'posix' | 'win32';

/** A tree of directories that a workspace can be opened on. */
export interface Source {
  /** The name of the root: an absolute path without links. People and absolute arguments use it. */
  readonly realPath: Bytes;
  /** Further absolute paths that lead to the root. */
  readonly aliases: readonly Bytes[];
  /**
   * The syntax of paths to the root, of arguments and of links.
   * @default 'posix'
   */
  readonly pathStyle?: PathStyle;
  /**
   * True if its answers have to be loaded, so that it should not be asked for anything twice.
   * @default false
   */
  readonly loads?: boolean;
  /** Pins the root for one call, which releases it. Throws if the root no longer exists. */
  root(): SourceRoot;
  /** Called when the workspace is closed: from then on only calls in progress use the source. */
  close?(): void;
}

/** A root while a call uses it. Whatever was loaded for the call is kept at least as long. */
export interface SourceRoot {
  readonly directory: SourceDirectory;
  /**
   * The surroundings of the root, which only a local disk has. If null, there is nothing above the root, no user
   * configuration, and nothing that a program could be started on.
   */
  readonly outside: Outside | null;
  /** The repository, if the root is one of its revisions or a part of one. */
  readonly repository?: RevisionRepository | undefined;
  release(): void;
}

/** A repository whose revision is listed: the tree itself contains none of git's own files. */
export interface RevisionRepository {
  /** The absolute path of the revision's own root. The source's root is the same directory, or one below it. */
  readonly workTree: Bytes;
  /** The name of the revision: `HEAD~3`. */
  readonly revision: Bytes;
  /** The directories above the source's root, from the work tree down. */
  readonly above: readonly { readonly directory: Bytes; readonly gitignore: Bytes | SkippedFile | null }[];
  /** The history of the revision; null for a tree without a commit. */
  readonly history: {
    /** In hexadecimal. */
    readonly commit: string;
    /** The absolute path of the object directory. */
    readonly objects: Bytes;
    /** The content of git's file `shallow`, which names commits whose parents are missing; null if there is none. */
    readonly shallow: Bytes | null;
    /** Starts git in the revision's scratch repository; null if that is not possible. @internal */
    readonly start?: (words: readonly string[]) => StartedGit | null;
  } | null;
}

/** The names of users and groups. */
export interface Owners {
  /** Returns '?' if the source does not know the id. */
  user(id: number | null): string;
  group(id: number | null): string;
}

/** A git that runs. @internal */
export interface StartedGit {
  readonly git: EventEmitter & {
    readonly stdin: Writable | null;
    readonly stdout: Readable;
    /** Whether the process keeps the event loop alive. */
    ref(): void;
    unref(): void;
  };
  /** Kills git and its children, and leaves nothing behind. */
  end(): void;
}

/**
 * A directory that is held, not named: it stays the same, whatever is put in its place meanwhile. A name is never '' or
 * '..', and never contains a '/'.
 */
export interface SourceDirectory {
  readonly path: RootPath;
  readonly identity: Identity;
  /**
   * True if one entry may be found by several spellings of its name, as on a disk that ignores case.
   * @default false
   */
  readonly mayFold?: boolean;
  /** Perf: what is expected to be a link need not be opened first. */
  lookup(name: Bytes, isLink?: boolean): LookupResult;
  /**
   * Opens the directory at a path below this one in one step, for one query, after which it is closed. No link is
   * followed. For sources that can; null if it has to be looked up name by name, which finds out why.
   */
  passTo?(path: Bytes): SourceDirectory | null;
  /**
   * Returns true if a directory is at a path below this one, and null if that is not certain because there is a link on
   * the way. For sources that can find out in one step.
   */
  hasDirectory?(path: Bytes): boolean | null;
  /** Returns the parent directory; null at the root, if the tree was moved meanwhile, or if access is refused. */
  up(): SourceDirectory | null;
  /**
   * Starts reading it. `withTypes` is false only after `TypesUnknown` was thrown. With `atOnce` it may be read in one
   * go, however large it is, because blocking the event loop is harmless.
   */
  open(withTypes: boolean, atOnce: boolean): DirectoryReader;
  /** Returns the content of the plain file `name`, at most `largest` bytes; null if there is none. Follows no link. */
  readFile(name: Bytes, largest: number): Bytes | SkippedFile | null;
  /** Announces a walk of `levels` levels, which may take `milliseconds`. For sources that can load it in one go. */
  beginWalk?(levels: number, milliseconds: number): void;
  /** Announces that a walk will read these subdirectories, in this order. For sources that can load them ahead. */
  expect?(names: readonly Bytes[]): void;
  /** Writes everything below `name` at once, for sources that can; null if it takes a walk. @internal */
  writeBelow?(name: Bytes, form: SubtreeForm<SourceDirectory>): Subtree<SourceDirectory> | null;
  /** Loads the metadata of these entries before it is queried. For sources that have to. */
  loadMetadata?(names: readonly Bytes[]): Promise<void>;
  /**
   * Returns the metadata of the entry `name` itself ('.' is the directory); null if it has vanished. `listedAs` is the
   * type that it was listed with, for sources where one name may stand for two entries.
   */
  metadata(name: Bytes, listedAs?: EntryType): Metadata | 'refused' | null;
  /** Returns the time of the last change to its entries; null if that is not certain. It never has to be loaded. */
  stamp(): Stamp | null;
  /** Returns the same for the entry at a path below this one, without opening it. For sources that can. */
  stampAt?(path: Bytes): Stamp | null;
  /** The descriptor through which the directory can be passed to a program, if it has one. */
  readonly descriptor?: number | null;
  close(): void;
}

/** The result of looking up a name. A link is reported, never followed. */
export type LookupResult =
  | { readonly kind: 'directory'; readonly directory: SourceDirectory }
  | { readonly kind: 'link'; readonly target: Bytes }
  | { readonly kind: 'not-a-directory' | 'missing' | 'denied' };

/** Two directories are the same if both numbers are. */
export interface Identity {
  readonly dev: bigint;
  readonly ino: bigint;
}

/** In nanoseconds. While a stamp that was old enough when it was taken does not change, the entries do not either. */
export interface Stamp extends Identity {
  readonly mtimeNs: bigint;
  readonly ctimeNs: bigint;
  /** Returns true if all parts are equal. For sources that can compare faster. */
  equals?(other: Stamp): boolean;
}

/** The metadata of an entry itself: a link is not followed. */
export interface Metadata {
  readonly type: EntryType;
  /** NaN if the source does not know it. */
  readonly size: number;
  /** Milliseconds since 1970, with a fraction; NaN if the source does not know it. */
  readonly modified: number;
  /** The mode bits of POSIX, including the file type; null if the source has none. */
  readonly mode: number | null;
  /** The numeric id of the owner; null if the source has none. */
  readonly user: number | null;
  readonly group: number | null;
  /** The text of a link. */
  readonly target: Bytes | null;
  /** The inode number, and the number of hard links, if the source has them. */
  readonly inode?: number;
  readonly links?: number;
  /** The time of the last change to the content or to the metadata, if the source has it; as `modified`. */
  readonly changed?: number;
}

/** Access to the surroundings of a local root by absolute paths. The caller is responsible for what it reveals. */
export interface Outside {
  exists(path: Bytes): boolean;
  /** Resolves all links of a path; null if it leads nowhere. */
  realPath(path: Bytes): Bytes | null;
  /** Returns the content of a plain file; null if there is none. A link at the end of the path is not followed. */
  readFile(path: Bytes, largest: number): Bytes | SkippedFile | null;
  /** Returns null also if the metadata is unavailable. */
  metadata(path: Bytes): Metadata | null;
}

/** The limit, in bytes, for a rule file. Fifty thousand rules take less. */
export const LARGEST_RULE_FILE = 1024 * 1024;

/** A file that exists but is not read. */
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

/** Returns a device number for a source that is not a disk, unique in this process. */
export function newDevice(): bigint {
  // The device numbers of disks are positive.
  return -1n - ++sources;
}

/** Returns the content of a rule file; null if it is missing or cannot be used. A note says why it cannot be used. */
export function readRuleFile(content: Bytes | SkippedFile | null, name: () => string, budget: Budget): Bytes | null {
  if (content === null) return null;
  if (content instanceof SkippedFile) budget.note(`'${name()}' ${content.reason}, and is not used`);
  else if (budget.mayRead(content.length)) return content;
  else budget.note(`'${name()}' is not used: there are too many rules in all`);
  return null;
}

/** Access to files below the root. No link is followed, neither along a path nor at its end. */
export interface FilesBelowRoot {
  readonly rootRealPath: Bytes;
  /** The surroundings of the root; null if it has none. */
  readonly outside: Outside | null;
  /** Returns the content of a plain file; null if nothing is there. */
  fileAt(path: RootPath, largest?: number): Bytes | SkippedFile | null;
  /** Returns the metadata of the entry at a path; null if there is none, or its metadata is unavailable. */
  entryAt(path: RootPath): Metadata | null;
}

/** A directory that rules are bound to. */
export interface PlaceInRoot extends FilesBelowRoot {
  readonly path: RootPath;
  /** The repository whose revision is listed; null if repositories are recognised by their `.git`. */
  readonly repository: RevisionRepository | null;
  /** Calls `visit` for each directory from the root down to this one, except below one that was moved away. */
  eachFromRoot(visit: (directory: HeldPlace) => Promise<void>): Promise<void>;
}

/** A directory that is held open. */
export interface HeldPlace extends FilesBelowRoot {
  readonly path: RootPath;
  readFile(name: Bytes): Bytes | SkippedFile | null;
}
