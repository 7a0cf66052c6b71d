/** What the entries of a directory come together in, to be given out in order, a page at a time. */
import type { Bytes } from '../workspace/bytes.ts';
import { EnglishCollector } from './english-collector.ts';
import { NameCollector } from './name-collector.ts';
import type { Patience } from './patience.ts';
import type { Entry, EntryType, Order, Page } from './query.ts';

export interface Collector {
  /** Whether it is worth to drop what lies behind the last page. */
  readonly isFull: boolean;
  /** Bytes, about. */
  readonly size: number;
  add(name: Bytes, type: EntryType, leadsToDirectory: boolean): void;
  /** Positions from `end` on will not be asked for. */
  keepUpTo(end: number): void;
  /** Drops what lies behind the end. To be called when it is full. */
  trim(patience: Patience): Promise<void>;
  /** The entries of a page, in order. */
  page(page: Page, patience: Patience): Promise<Entry[]>;
}

export function collectorFor(order: Order): Collector {
  return order === 'folded' ? new NameCollector() : new EnglishCollector();
}
