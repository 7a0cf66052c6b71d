/** What the entries of a directory come together in, to be given out in order, a page at a time. */

import type { Budget } from '../workspace/budget.ts';
import type { Bytes } from '../workspace/bytes.ts';
import { EnglishCollector } from './english-collector.ts';
import { NameCollector } from './name-collector.ts';
import type { Bookmark, Entry, EntryType, Order, Page } from './query.ts';

export interface Collector {
  /** Whether it wants to settle before more comes. */
  readonly isFull: boolean;
  /** Bytes, about. */
  readonly size: number;
  add(name: Bytes, type: EntryType, leadsToDirectory: boolean): void;
  /** Positions from `end` on will not be asked for; behind a bookmark, if there is one, they are counted from there. */
  keepUpTo(end: number, after?: Bookmark | null): void;
  /** Drops what lies behind the end, and makes room. To be called when it is full, a handful of entries later at most. */
  settle(budget: Budget): Promise<void>;
  /** The position of the first entry behind a bookmark. */
  positionAfter(mark: Bookmark, budget: Budget): Promise<number>;
  /** The entries of a page, in order. */
  page(page: Page, budget: Budget): Promise<Entry[]>;
}

export function collectorFor(order: Order): Collector {
  return order === 'folded' ? new NameCollector() : new EnglishCollector();
}
