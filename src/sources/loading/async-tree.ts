/**
 * A tree that is read asynchronously: over a network, from another program, from a virtual file system. `asyncSource`
 * turns it into a source that all tools can use.
 *
 *     const workspace = await openWorkspace(asyncSource({
 *       realPath: bytesOf('/sandbox'),
 *       list: async (path) => (await api.list(path)).map(({ name, isDir }) => ({ name: bytesOf(name), type: isDir ? 'dir' : 'file' })),
 *       readFile: async (path) => api.read(path),
 *     }));
 *
 * Paths are relative to the root, which is '', and never contain `.` or `..`. Names and paths are bytes, one per
 * character; `bytesOf` and `textOf` convert. A method that fails rejects with an error that has a system code
 * (`ENOENT`, `EACCES`, `EIO`, `ETIMEDOUT`), or with a ListingError, whose message is shown unchanged.
 */
import type { Bytes } from '../../names/bytes.ts';
import type { RootPath } from '../../names/paths.ts';
import type { EntryType } from '../../workspace/reader.ts';
import type { PathStyle, RevisionRepository, SkippedFile } from '../../workspace/source.ts';

/** An entry and what is known of it. Unknown fields are left out, never guessed. */
export interface AsyncEntry {
  /** In entries from `walk`, the path relative to its start. */
  readonly name: Bytes;
  /** The type of the entry itself: links are not followed. */
  readonly type: EntryType;
  /** In bytes. */
  readonly size?: number | undefined;
  /** Milliseconds since 1970. */
  readonly modified?: number | undefined;
  /** POSIX mode bits. */
  readonly mode?: number | undefined;
  /** The user id of the owner. */
  readonly user?: number | undefined;
  readonly group?: number | undefined;
  /** Set for a directory whose entries are kept elsewhere. It is not empty: listing it says why it cannot be listed. */
  readonly isClosed?: boolean | undefined;
  /** The target of a link, as stored. */
  readonly target?: Bytes | undefined;
}

/** Options of every request to a tree. */
export interface AskOptions {
  /** Aborted when the answer is no longer needed. */
  readonly signal: AbortSignal;
}

/** Options of a walk. */
export interface WalkOptions extends AskOptions {
  /** The number of levels to walk; `Infinity` for all. Anything below them may be left out. */
  readonly levels: number;
}

/** A promise of all entries, or batches of them. */
export type AsyncEntries = Promise<readonly AsyncEntry[]> | AsyncIterable<readonly AsyncEntry[]>;

/** A tree of directories that is read asynchronously. Only `realPath`, `list` and `readFile` are required. */
export interface AsyncTree {
  /** The absolute path that names the root, in output and in absolute arguments. */
  readonly realPath: Bytes;
  /**
   * Further absolute paths that lead to the root.
   * @default []
   */
  readonly aliases?: readonly Bytes[];
  /**
   * The syntax of absolute arguments and links.
   * @default 'posix'
   */
  readonly pathStyle?: PathStyle;
  /** Identifies the content (a commit, a checksum) if it can never change. What was loaded is then cached for ever. */
  readonly revision?: string | undefined;
  /** The repository of which the tree is a revision. @internal */
  readonly repository?: RevisionRepository | undefined;
  /**
   * Set if `list` returns everything that is known of an entry, so that `describe` would add nothing.
   * @default false
   */
  readonly listsDetails?: boolean;
  /**
   * The most requests in flight at a time.
   * @default 8
   */
  readonly concurrency?: number;
  /**
   * Lists the entries of a directory, in any order. If they come in batches, a directory of any size is read without
   * being held in memory, and each batch is requested only when the one before has been consumed.
   */
  list(path: RootPath, options: AskOptions): AsyncEntries;
  /**
   * Lists everything below a directory; worthwhile if that takes fewer round trips than listing each directory. Names
   * are paths relative to it, depth first: a directory comes right before everything below it, and may be left out
   * unless it is empty. After an error, what is missing is listed.
   */
  walk?(path: RootPath, options: WalkOptions): AsyncIterable<readonly AsyncEntry[]>;
  /**
   * Returns what is known of some entries of a directory, in the same order; null for a missing one. '.' is the
   * directory itself. Without this method, directories are listed to find an entry.
   */
  describe?(path: RootPath, names: readonly Bytes[], options: AskOptions): Promise<readonly (AsyncEntry | null)[]>;
  /** Reads a file without following links; null if there is none. May stop after `largest` + 1 bytes. */
  readFile(path: RootPath, largest: number, options: AskOptions): Promise<Uint8Array | SkippedFile | null>;
  /** Returns the target of a link, for trees whose entries lack it; null if the link has vanished. */
  readLink?(path: RootPath, options: AskOptions): Promise<Bytes | null>;
  /** Notes for the reader of any listing of the tree; read each time something was loaded. */
  readonly notes?: readonly string[];
  /** Called when the workspace is closed. */
  close?(): void | Promise<void>;
}
