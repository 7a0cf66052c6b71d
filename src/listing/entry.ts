/** An entry of a listing, and a place among entries. */
import type { Bytes } from '../workspace/bytes.ts';
import type { EntryType } from '../workspace/reader.ts';
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

export function totalOf({ file, dir, link, other }: Readonly<Totals>): number {
  return file + dir + link + other;
}
