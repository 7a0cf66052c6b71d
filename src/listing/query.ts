/** What a listing is: the question, complete before the engine sees it, and the answer before any dialect speaks it. */
import type { Origin } from '../rules/rule.ts';
import type { RuleSpec } from '../rules/rule-spec.ts';
import type { CallOptions, Stop } from '../workspace/budget.ts';
import type { Bytes } from '../workspace/bytes.ts';
import type { Metadata } from '../workspace/pinned.ts';
import type { EntryType } from '../workspace/reader.ts';

export type { CallOptions, EntryType, Stop };

export interface Query {
  /** The path argument, as the caller sent it. */
  readonly path: string;
  /** In order: the first rule that hides an entry decides. */
  readonly rules: readonly RuleSpec[];
  /** How many levels are listed: 1 is the directory alone. */
  readonly depth: number;
  readonly order: Order;
  /** The order turned around; a directory stays before what it contains. */
  readonly reverse: boolean;
  /** Of what the rules let pass, only this is listed; but what a directory contains is, whether or not it is itself. */
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

export type Order =
  /** Directories first, then the lower-cased name by code point. A directory stands right before what it contains. */
  | 'folded'
  /** The same with names as `localeCompare` has them for English. For one level. */
  | 'english'
  /** As `folded`, but directories stand among everything else. */
  | 'name'
  /** Everything together: the largest first, the newest first, by type; and then by path. */
  | 'size'
  | 'modified'
  | 'type'
  /** Everything together, by the bytes of the path. */
  | 'path';

export interface Selection {
  /** A minimatch pattern: on the name, or with a `/` on the path relative to the listed directory; null for any. */
  readonly pattern: string | null;
  readonly types: 'all' | 'directories' | 'files';
}

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

export interface Entry {
  readonly name: Bytes;
  /** The directory that it is in, relative to the one that is listed; '' is that one. */
  readonly parent: Bytes;
  readonly type: EntryType;
  /** Whether it is a directory, or a link to one inside the workspace. */
  readonly leadsToDirectory: boolean;
  /** Null when it was not asked for, or where the system does not tell. */
  readonly metadata: Metadata | null;
}

/**
 * A place in the order of a directory: right behind an entry, whether or not that is still there. What it was counts,
 * so that a link that leads elsewhere by now does not move the place.
 */
export type Bookmark = Pick<Entry, 'name' | 'leadsToDirectory'>;

export interface Listing {
  /** The directory's real path relative to the root; '' is the root. */
  readonly path: Bytes;
  /** This page, in order. */
  readonly entries: readonly Entry[];
  /** The position behind the page's last entry: where the next page starts, if `total` is greater. */
  readonly end: number;
  /** How many entries the rules let pass, on all pages. */
  readonly totals: Readonly<Record<EntryType, number>>;
  /** How many entries each kind of rule hid. */
  readonly hidden: ReadonlyMap<Origin, number>;
  /** Directories below the listed one that could not be read, relative to it. */
  readonly unreadable: readonly Bytes[];
  /** Bytes of all files that were let pass, on all pages, where the query asks for the metadata of all; else 0. */
  readonly size: number;
  /** Whether the directory was not read, because it was known. */
  readonly isFromCache: boolean;
  /** Why reading ended before the directory did; null when it did not. */
  readonly stopped: Stop | null;
  /** What the rules could not use, and why: clauses without a full stop. */
  readonly notes: readonly string[];
}
