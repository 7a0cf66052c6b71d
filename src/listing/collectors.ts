/** Chooses the collector for an order. */
import { type Collector, NameCollector } from './name-collector.ts';
import { ORDERS, type Order } from './orders.ts';

/** Returns a factory of collectors. With `keepsMetadata`, entries are collected together with their metadata. */
export async function collectorsFor(order: Order, reverse = false, keepsMetadata = false): Promise<() => Collector> {
  const { comparison, directoriesFirst } = ORDERS[order];
  if (comparison !== null && !reverse && !keepsMetadata) return () => new NameCollector(comparison, directoriesFirst);
  // Perf: a plain call does not need this module.
  const { KeyCollector } = await import('./key-collector.ts');
  return () => new KeyCollector(order, reverse);
}
