/** The counts that are kept while directories are read. */
import type { Origin } from '../rules/rule.ts';
import { ENTRY_TYPES } from '../workspace/reader.ts';
import { noTotals, type Totals } from './entry.ts';

export interface Counts {
  /** The number of entries that pass the rules and the selection; and the number that each kind of rule hid. */
  readonly totals: Totals;
  readonly hidden: Map<Origin, number>;
  /** Entries that pass the rules but not the selection. */
  unselected: number;
  /** Directories that were not opened, because they lie at the walk's maximum depth. */
  unopened: number;
}

export function noCounts(): Counts {
  return { totals: noTotals(), hidden: new Map(), unselected: 0, unopened: 0 };
}

export function addHidden({ hidden }: Counts, origin: Origin, count: number): void {
  hidden.set(origin, (hidden.get(origin) ?? 0) + count);
}

export function addCounts(counts: Counts, more: Readonly<Counts>): void {
  for (const type of ENTRY_TYPES) counts.totals[type] += more.totals[type];
  for (const [origin, count] of more.hidden) addHidden(counts, origin, count);
  counts.unselected += more.unselected;
  counts.unopened += more.unopened;
}
