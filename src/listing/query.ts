/** What a listing is: the question, complete before the engine sees it, and the answer before any dialect speaks it. */
import type { Origin, Rule } from '../rules/rule.ts';
import type { Bytes } from '../workspace/bytes.ts';
import type { EntryType } from '../workspace/reader.ts';

export type { EntryType };

export interface Query {
  /** The path argument, as the caller sent it. */
  readonly path: string;
  /** In order: the first rule that hides an entry decides. */
  readonly rules: readonly Rule[];
  readonly page: Page;
}

/** The entries from position `offset` on, `limit` at the most; `Infinity` is everything. */
export interface Page {
  readonly offset: number;
  readonly limit: number;
}

export interface Entry {
  readonly name: Bytes;
  readonly type: EntryType;
}

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
  /** Why reading ended before the directory did; null when it did not. */
  readonly stopped: Stop | null;
}

export type Stop = 'aborted' | 'timeout';

/** What a caller may say about the time a call takes. */
export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  /**
   * Milliseconds after which the call ends with what it has.
   * @default 30000
   */
  readonly timeLimit?: number | undefined;
}
