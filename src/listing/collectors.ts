/** Which collector an order takes. */
import type { Collector } from './collector.ts';
import { NameCollector } from './name-collector.ts';
import { ORDERS, type Order } from './orders.ts';

/** Makes collectors. With `keepsMetadata`, entries come with what the system told about them. */
export async function collectorsFor(order: Order, reverse = false, keepsMetadata = false): Promise<() => Collector> {
  const { comparison, directoriesFirst } = ORDERS[order];
  if (comparison !== null && !reverse && !keepsMetadata) return () => new NameCollector(comparison, directoriesFirst);
  // Perf: a plain call does without.
  const { KeyCollector } = await import('./key-collector.ts');
  return () => new KeyCollector(order, reverse);
}
