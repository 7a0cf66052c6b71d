/** What a collector is, and which one an order needs. */
import type { Bytes } from '../names/bytes.ts';
import type { Budget } from '../workspace/budget.ts';
import type { EntryBuffer } from '../workspace/reader.ts';
import type { Metadata } from '../workspace/source.ts';
import type { Bookmark, Entry } from './entry.ts';
import { NameCollector } from './name-collector.ts';
import { ORDERS, type Order } from './orders.ts';
import type { Page } from './query.ts';

/** Gathers entries and returns them in order, one page at a time. */
export interface Collector {
  /** True if `settle` should be called before more entries are added. */
  readonly isFull: boolean;
  /** Approximate size in bytes. */
  readonly size: number;
  /** Adds the entry at position `at`, which lies in the directory `parent`. */
  add(entries: EntryBuffer, at: number, leadsToDirectory: boolean, parent?: Bytes, metadata?: Metadata | null): void;
  /** Promises that no position from `end` on will be requested. Positions count from the bookmark, if there is one. */
  keepUpTo(end: number, after: Bookmark | null): void;
  /** Drops the entries past the end, and makes room. To be called soon after `isFull` becomes true. */
  settle(budget: Budget): Promise<void>;
  positionAfter(mark: Bookmark, budget: Budget): Promise<number>;
  page(page: Page, budget: Budget): Promise<Entry[]>;
}

/** Returns a factory of collectors. With `keepsMetadata`, entries are collected together with their metadata. */
export async function collectorsFor(order: Order, reverse = false, keepsMetadata = false): Promise<() => Collector> {
  const { comparison, directoriesFirst } = ORDERS[order];
  if (comparison !== null && !reverse && !keepsMetadata) return () => new NameCollector(comparison, directoriesFirst);
  // Perf: a plain call does not need this module.
  const { KeyCollector } = await import('./key-collector.ts');
  return () => new KeyCollector(order, reverse);
}
