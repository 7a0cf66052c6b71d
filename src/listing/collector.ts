/** Entries come together in a collector, which gives them out in order, a page at a time. */
import type { Budget } from '../workspace/budget.ts';
import type { Bytes } from '../workspace/bytes.ts';
import type { EntryBuffer } from '../workspace/reader.ts';
import type { Metadata } from '../workspace/source.ts';
import type { Bookmark, Entry } from './entry.ts';
import type { Page } from './query.ts';

export interface Collector {
  /** Whether it wants to settle before more comes. */
  readonly isFull: boolean;
  /** Bytes, about. */
  readonly size: number;
  /** Takes the entry at a position, in the directory `parent`. */
  add(entries: EntryBuffer, at: number, leadsToDirectory: boolean, parent?: Bytes, metadata?: Metadata | null): void;
  /** Positions from `end` on will not be asked for; behind a bookmark, if there is one, they are counted from there. */
  keepUpTo(end: number, after: Bookmark | null): void;
  /** Drops what lies behind the end, and makes room. To be called soon after it is full. */
  settle(budget: Budget): Promise<void>;
  /** The position of the first entry behind a bookmark. */
  positionAfter(mark: Bookmark, budget: Budget): Promise<number>;
  /** The entries of a page, in order. */
  page(page: Page, budget: Budget): Promise<Entry[]>;
}
