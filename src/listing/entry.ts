/** The entry of a listing, and the bookmark, which marks a place among entries. */
import { type Bytes, below } from '../names/bytes.ts';
import type { Origin } from '../rules/rule.ts';
import type { Budget } from '../workspace/budget.ts';
import { ENTRY_TYPES, type EntryBuffer, type EntryType } from '../workspace/reader.ts';
import type { Metadata } from '../workspace/source.ts';
import { HANDFUL, mapped } from '../workspace/steps.ts';

export interface Entry {
  readonly name: Bytes;
  /** The directory that contains it, relative to the listed directory; '' is the listed directory itself. */
  readonly parent: Bytes;
  readonly type: EntryType;
  /** True for a directory, or a link to one inside the workspace. Links are followed only if the order needs it. */
  readonly leadsToDirectory: boolean;
  /** Null if it was not requested, or the system refused it. */
  readonly metadata: Metadata | null;
}

/** Makes what the caller receives for each entry. Perf: made directly, without an intermediate entry. */
export interface EntryForm<T> {
  /** Distinguishes forms that make different results. */
  readonly key: string;
  /** `isPrintable` is true if the name is known to be printable ASCII. */
  make(
    name: Bytes,
    parent: Bytes,
    type: EntryType,
    leadsToDirectory: boolean,
    metadata: Metadata | null,
    isPrintable: boolean,
  ): T;
  /** Returns what precedes each name of a directory, for `makeBehind`; null if its entries need `make`. */
  prefixIn(parent: Bytes): Bytes | null;
  /** Makes the same from a prefix and a name in printable ASCII, without metadata. */
  makeBehind(prefix: Bytes, name: Bytes, type: EntryType, leadsToDirectory: boolean): T;
  /** Copies a result for an answer that is returned again, because the first caller may have changed it. */
  copy(made: T): T;
}

export const ENTRY: EntryForm<Entry> = {
  key: 'entry',
  make: (name, parent, type, leadsToDirectory, metadata) => ({ name, parent, type, leadsToDirectory, metadata }),
  prefixIn: (parent) => below(parent, '' as Bytes),
  makeBehind: (prefix, name, type, leads) => ENTRY.make(name, prefix.slice(0, -1) as Bytes, type, leads, null, true),
  copy: (entry) => entry,
};

export async function formed<T>(entries: readonly Entry[], form: EntryForm<T>, budget: Budget): Promise<readonly T[]> {
  if ((form as EntryForm<unknown>) === ENTRY) return entries as readonly T[];
  const make = ({ name, parent, type, leadsToDirectory, metadata }: Entry) =>
    form.make(name, parent, type, leadsToDirectory, metadata, false);
  return budget.finish(mapped(entries, make, HANDFUL.entries));
}

/** A place in the order: right after an entry, even if that is gone by now, or is a link that leads elsewhere. */
export type Bookmark = Pick<Entry, 'name' | 'leadsToDirectory'>;

export type Totals = Record<EntryType, number>;

export function noTotals(): Totals {
  return { file: 0, dir: 0, link: 0, other: 0 };
}

export function countTypes(totals: Totals, entries: EntryBuffer, from: number, to: number): void {
  const counts = new Uint32Array(ENTRY_TYPES.length);
  for (let i = from; i < to; i++) counts[entries.codeAt(i)] = (counts[entries.codeAt(i)] as number) + 1;
  for (let code = 0; code < counts.length; code++) totals[ENTRY_TYPES[code] as EntryType] += counts[code] as number;
}

export function totalOf({ file, dir, link, other }: Readonly<Totals>): number {
  return file + dir + link + other;
}

/** The counts that are kept while directories are read. */
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
