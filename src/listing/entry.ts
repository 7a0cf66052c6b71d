/** An entry of a listing, and a place among entries. */
import type { Bytes } from '../workspace/bytes.ts';
import { ENTRY_TYPES, type EntryBuffer, type EntryType } from '../workspace/reader.ts';
import type { Metadata } from '../workspace/source.ts';

export interface Entry {
  readonly name: Bytes;
  /** The directory that it is in, relative to the one that is listed; '' is that one. */
  readonly parent: Bytes;
  readonly type: EntryType;
  /** Whether it is a directory, or a link to one inside the workspace. Links are followed only if the order asks for it. */
  readonly leadsToDirectory: boolean;
  /** Null when it was not asked for, or where the system does not tell. */
  readonly metadata: Metadata | null;
}

/**
 * A place in the order of a directory: right behind an entry, whether or not that is still there. The class that the
 * entry had then is part of it, so that a link that leads elsewhere by now does not move the place.
 */
export type Bookmark = Pick<Entry, 'name' | 'leadsToDirectory'>;

/** How many entries there are of each type. */
export type Totals = Record<EntryType, number>;

export function noTotals(): Totals {
  return { file: 0, dir: 0, link: 0, other: 0 };
}

/** Adds the entries from one position up to another. */
export function countTypes(totals: Totals, entries: EntryBuffer, from: number, to: number): void {
  const counts = [0, 0, 0, 0];
  for (let i = from; i < to; i++) {
    const type = entries.codeAt(i);
    counts[type] = (counts[type] as number) + 1;
  }
  for (const [i, type] of ENTRY_TYPES.entries()) totals[type] += counts[i] as number;
}

export function totalOf({ file, dir, link, other }: Readonly<Totals>): number {
  return file + dir + link + other;
}
