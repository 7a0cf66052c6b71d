/**
 * A tree that has to be asked asynchronously: a network, another program, a virtual file system. `asyncSource` makes a
 * source of it, which all tools can use.
 *
 *     const workspace = await openWorkspace(asyncSource({
 *       realPath: bytesOf('/sandbox'),
 *       list: async (path) => (await api.list(path)).map(({ name, isDir }) => ({ name: bytesOf(name), type: isDir ? 'dir' : 'file' })),
 *       readFile: async (path) => api.read(path),
 *     }));
 *
 * Paths start at the root, '' being the root itself, and never hold `.` or `..`. Names and paths are bytes, one a
 * character; `bytesOf` and `textOf` translate. A question that fails rejects with an error that has a system code
 * (`ENOENT`, `EACCES`, `EIO`, `ETIMEDOUT`), or with a ListingError, whose message is shown as it stands.
 */
import type { Bytes } from '../bytes.ts';
import type { RootPath } from '../paths.ts';
import type { EntryType } from '../reader.ts';
import type { PathStyle, RevisionRepository, SkippedFile } from '../source.ts';

/** What is known of an entry. What cannot be told is left out, never invented. */
export interface AsyncEntry {
  /** In answers of `walk`, the path from where it began. */
  readonly name: Bytes;
  /** A link is never followed for it. */
  readonly type: EntryType;
  /** Bytes. */
  readonly size?: number | undefined;
  /** Milliseconds since 1970. */
  readonly modified?: number | undefined;
  /** Mode bits as POSIX has them. */
  readonly mode?: number | undefined;
  /** The number of the owner. */
  readonly user?: number | undefined;
  readonly group?: number | undefined;
  /** Of a directory whose entries are kept elsewhere, so that only listing it says why it cannot be listed. */
  readonly isClosed?: boolean | undefined;
  /** Where a link leads, as it is stored. */
  readonly target?: Bytes | undefined;
}

/** The limits of a question. */
export interface AskOptions {
  /** Aborted when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
}

/** The limits of a walk. */
export interface WalkOptions extends AskOptions {
  /** How many levels are wanted; `Infinity` for all. What is below them may be left out. */
  readonly levels: number;
}

/** Entries as they come: a promise of all of them, or some at a time. */
export type AsyncEntries = Promise<readonly AsyncEntry[]> | AsyncIterable<readonly AsyncEntry[]>;

/** A tree of directories that is asked asynchronously. Only `list` and `readFile` are needed. */
export interface AsyncTree {
  /** The name of the root: an absolute path. People and absolute arguments use it. */
  readonly realPath: Bytes;
  /**
   * Further absolute paths that lead to the root.
   * @default []
   */
  readonly aliases?: readonly Bytes[];
  /**
   * How absolute arguments and links are written.
   * @default 'posix'
   */
  readonly pathStyle?: PathStyle;
  /** The name of what the tree holds (a commit, a checksum), if that can never change: it is then remembered for ever. */
  readonly revision?: string | undefined;
  /**
   * The repository that the tree is a revision of.
   * @internal
   */
  readonly repository?: RevisionRepository | undefined;
  /**
   * Whether `list` tells all that is known of an entry, so that `describe` would add nothing.
   * @default false
   */
  readonly listsDetails?: boolean;
  /**
   * How many questions may be under way at a time.
   * @default 8
   */
  readonly concurrency?: number;
  /**
   * The entries of a directory, in any order. Given some at a time, a directory of any size is read without being held,
   * and the next are asked for when these were taken.
   */
  list(path: RootPath, options: AskOptions): AsyncEntries;
  /**
   * Everything below a directory, if that takes fewer round trips than to list each directory. Names are paths from
   * there, depth first: a directory is told right before all that is below it, or left out if there is something below
   * it. What was not told before an error is listed.
   */
  walk?(path: RootPath, options: WalkOptions): AsyncIterable<readonly AsyncEntry[]>;
  /**
   * What is known of some entries of a directory, in the same order; '.' is the directory itself. Null for what is not
   * there. Without it directories are listed to find an entry.
   */
  describe?(path: RootPath, names: readonly Bytes[], options: AskOptions): Promise<readonly (AsyncEntry | null)[]>;
  /** The content of a file; null when there is none. No link is followed. It may end after `largest` + 1 bytes. */
  readFile(path: RootPath, largest: number, options: AskOptions): Promise<Uint8Array | SkippedFile | null>;
  /** Where a link leads, for trees that do not tell it of an entry; null when it has vanished. */
  readLink?(path: RootPath, options: AskOptions): Promise<Bytes | null>;
  /** What a reader of any listing of it should know; asked after something was loaded. */
  readonly notes?: readonly string[];
  /** The workspace is closed. */
  close?(): void | Promise<void>;
}
