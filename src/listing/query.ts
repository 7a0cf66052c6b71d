/** What a listing is: the question, complete before the engine sees it, and the answer before any dialect speaks it. */
import type { Origin } from '../rules/rule.ts';
import type { CallOptions, Stop } from '../workspace/budget.ts';
import type { Bytes } from '../workspace/bytes.ts';
import type { RootPath } from '../workspace/paths.ts';
import type { EntryType } from '../workspace/reader.ts';
import type { Bookmark, Entry, Totals } from './entry.ts';
import type { Order } from './orders.ts';
import type { Target } from './reading.ts';

export type { Bookmark, CallOptions, Entry, EntryType, Stop };

export interface Query extends Target {
  /** How many levels are listed: 1 is the directory alone. */
  readonly depth: number;
  readonly order: Order;
  /** The order turned around; a directory stays before what it contains. */
  readonly reverse: boolean;
  /** Selects among the entries that no rule hides. Directories that are not selected are entered all the same. */
  readonly select: Selection;
  /**
   * Of which entries the system is asked for metadata: the links of the page, all of the page, or everything, so that
   * its size can be told.
   */
  readonly metadata: 'none' | 'links' | 'page' | 'all';
  readonly page: Page;
  /** Where the page begins, in place of its offset; null where that counts. For one level. */
  readonly after: Bookmark | null;
}

/** Which entries are listed, of those that no rule hides. */
export interface Selection {
  /**
   * A minimatch pattern: on the name, or with a `/` on the path relative to the listed directory; null for any. Of several
   * one has to match, and none of those that begin with `!` may.
   */
  readonly pattern: string | readonly string[] | null;
  readonly types: 'all' | 'directories' | 'files';
  /**
   * Conditions on what the system knows of entries; undefined for none.
   * @internal
   */
  readonly where?: Where | undefined;
  /**
   * A condition of the caller's, asked last.
   * @internal
   */
  readonly filter?: Filter | undefined;
}

/** Conditions that all have to hold, as data. */
export interface Where {
  /** Null for all. Executables are files that somebody may execute. */
  readonly types: readonly (EntryType | 'executable')[] | null;
  /** Extensions of files, in lower case and without the dot; null for any. */
  readonly extensions: readonly string[] | null;
  /** Milliseconds since 1970; -Infinity and Infinity for any time. */
  readonly changedAfter: number;
  readonly changedBefore: number;
  /** Bytes, of files alone; 0 and Infinity for any entry. */
  readonly least: number;
  readonly most: number;
}

/** Whether an entry is selected. `path` is relative to the directory that paths are shown from. */
export type Filter = (name: Bytes, path: Bytes, type: EntryType) => boolean;

/** What a query asks for where nothing else is said: one level, everything in it, by name. */
export const PLAIN = {
  depth: 1,
  order: 'folded',
  reverse: false,
  select: { pattern: null, types: 'all' },
  metadata: 'none',
  after: null,
} as const satisfies Partial<Query>;

/** The entries from position `offset` on, `limit` at the most; `Infinity` is everything. */
export interface Page {
  readonly offset: number;
  readonly limit: number;
}

/** A directory that could not be read, relative to the listed one, and why: a clause without a full stop. */
export interface Unreadable {
  readonly path: Bytes;
  readonly reason: string;
}

export interface Listing<T = Entry> {
  /** The directory's real path relative to the root; '' is the root. */
  readonly path: RootPath;
  /** This page, in order. */
  readonly entries: readonly T[];
  /** The position behind the page's last entry: where the next page starts, if `total` is greater. */
  readonly end: number;
  /** How many entries the rules let pass, on all pages. */
  readonly totals: Readonly<Totals>;
  /** How many entries each kind of rule hid. */
  readonly hidden: ReadonlyMap<Origin, number>;
  /** How many entries the rules let pass and the selection did not. */
  readonly unselected: number;
  /** How many directories a walk did not open, because they are as deep as the query goes; 0 for one level by pages. */
  readonly unopened: number;
  /** Directories below the listed one that could not be read. */
  readonly unreadable: readonly Unreadable[];
  /** Bytes of all files that were let pass, on all pages, where the query asks for the metadata of all; else 0. */
  readonly size: number;
  /** Whether the directory was not read, because it was known. */
  readonly isFromCache: boolean;
  /** Why reading ended before the directory did; null when it did not. */
  readonly stopped: Stop | null;
  /** Rules that could not be used, and why: clauses without a full stop. */
  readonly notes: readonly string[];
}
