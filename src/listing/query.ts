/** The query of a listing, complete before the engine sees it, and the answer before any dialect formats it. */
import type { Bytes } from '../names/bytes.ts';
import type { RootPath } from '../names/paths.ts';
import type { Origin } from '../rules/rule.ts';
import type { CallOptions, Stop } from '../workspace/budget.ts';
import type { EntryType } from '../workspace/reader.ts';
import type { Bookmark, Entry, Totals } from './entry.ts';
import type { Order } from './orders.ts';
import type { Target } from './reading.ts';

export type { Bookmark, CallOptions, Entry, EntryType, Stop };

export interface Query extends Target {
  /** The number of levels to list; 1 is the directory alone. */
  readonly depth: number;
  readonly order: Order;
  /** Reverses the order; a directory still comes before its contents. */
  readonly reverse: boolean;
  /** Selects among the entries that no rule hides. Directories that are not selected are still entered. */
  readonly select: Selection;
  /** The entries whose metadata is read; with `all`, the total size is known. */
  readonly metadata: 'none' | 'links' | 'page' | 'all';
  readonly page: Page;
  /** The place where the page begins, instead of its offset; null to use the offset. For one level only. */
  readonly after: Bookmark | null;
}

/** Selects which of the entries that no rule hides are listed. */
export interface Selection {
  /**
   * A minimatch pattern for the name or, if it contains a `/`, for the path relative to the listed directory; null for
   * any. Of several patterns, one has to match, and none that begins with `!` may exclude the entry.
   */
  readonly pattern: string | readonly string[] | null;
  readonly types: 'all' | 'directories' | 'files';
  /** Conditions on the type, extension, time and size of entries; undefined for none. @internal */
  readonly where?: Where | undefined;
  /** A condition of the caller's own, checked last. @internal */
  readonly filter?: Filter | undefined;
}

/** Conditions as data. All of them have to hold. */
export interface Where {
  /** Null for all. An executable is a file with any execute permission. */
  readonly types: readonly (EntryType | 'executable')[] | null;
  /** Extensions of files, in lower case and without the dot; null for any. */
  readonly extensions: readonly string[] | null;
  /** Milliseconds since 1970; -Infinity and Infinity for any time. */
  readonly changedAfter: number;
  readonly changedBefore: number;
  /** Limits on the size in bytes, which only files can meet; 0 and Infinity for any entry. */
  readonly least: number;
  readonly most: number;
}

/** Returns true if an entry is selected. `path` is relative to the directory that paths are shown from. */
export type Filter = (name: Bytes, path: Bytes, type: EntryType) => boolean;

/** The defaults of a query: one level, everything in it, by name. */
export const PLAIN = {
  depth: 1,
  order: 'folded',
  reverse: false,
  select: { pattern: null, types: 'all' },
  metadata: 'none',
  after: null,
} as const satisfies Partial<Query>;

/** At most `limit` entries, from position `offset` on; `Infinity` means all of them. */
export interface Page {
  readonly offset: number;
  readonly limit: number;
}

/** A directory that could not be read, relative to the listed one, and the reason: a clause without a full stop. */
export interface Unreadable {
  readonly path: Bytes;
  readonly reason: string;
}

export interface Listing<T = Entry> {
  /** The directory's real path relative to the root; '' is the root. */
  readonly path: RootPath;
  readonly entries: readonly T[];
  /** The position after the page's last entry. The next page starts there, if the total is greater. */
  readonly end: number;
  /** The number of entries that pass the rules and the selection, on all pages. */
  readonly totals: Readonly<Totals>;
  /** The number of entries that each kind of rule hid. */
  readonly hidden: ReadonlyMap<Origin, number>;
  /** The number of entries that pass the rules but not the selection. */
  readonly unselected: number;
  /** The number of directories that a walk did not open, because of the query's depth; 0 for one level by pages. */
  readonly unopened: number;
  /** Directories below the listed one that could not be read. */
  readonly unreadable: readonly Unreadable[];
  /** Directories below the listed one in which rules hide everything. */
  readonly hiddenOnly: readonly Bytes[];
  /** The bytes of all selected files, on all pages. Complete only if the query requests the metadata of all. */
  readonly size: number;
  /** True if the directory was not read, because its contents were cached. */
  readonly isFromCache: boolean;
  /** The reason why reading ended early; null if it did not. */
  readonly stopped: Stop | null;
  /** Notes on what was left out and why, such as rules that could not be used: clauses without a full stop. */
  readonly notes: readonly string[];
}
