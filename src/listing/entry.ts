/** An entry of a listing, and a place among entries. */
import type { Budget } from '../workspace/budget.ts';
import { type Bytes, below } from '../workspace/bytes.ts';
import { DIRECTORY, type EntryBuffer, type EntryType, FILE, LINK } from '../workspace/reader.ts';
import type { Metadata } from '../workspace/source.ts';
import { HANDFUL } from '../workspace/steps.ts';

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
 * What the caller gets for an entry of the page. Perf: it is made at once, because an entry in between costs as much as
 * reading it did.
 */
export interface EntryForm<T> {
  /** Tells forms apart that make different things of an entry. */
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
  /** What stands before each name of a directory, for `makeBehind`; null where it takes `make`. */
  prefixIn(parent: Bytes): Bytes | null;
  /** The same of a name of printable ASCII, without metadata, that stands behind a prefix. */
  makeBehind(prefix: Bytes, name: Bytes, type: EntryType): T;
  /** For an answer that is given again: whoever was given the first may have changed it. */
  copy(made: T): T;
}

export const ENTRY: EntryForm<Entry> = {
  key: 'entry',
  make: (name, parent, type, leadsToDirectory, metadata) => ({ name, parent, type, leadsToDirectory, metadata }),
  prefixIn: (parent) => below(parent, '' as Bytes),
  makeBehind: (prefix, name, type) => ENTRY.make(name, prefix.slice(0, -1) as Bytes, type, type === 'dir', null, true),
  copy: (entry) => entry,
};

/** What a form makes of entries that are at hand. */
export async function formed<T>(entries: readonly Entry[], form: EntryForm<T>, budget: Budget): Promise<readonly T[]> {
  if ((form as EntryForm<unknown>) === ENTRY) return entries as readonly T[];
  return eachMade(entries, budget, ({ name, parent, type, leadsToDirectory, metadata }) =>
    form.make(name, parent, type, leadsToDirectory, metadata, false),
  );
}

/** As `map` does, and others have their turns. */
export async function eachMade<T, R>(list: readonly T[], budget: Budget, make: (one: T) => R): Promise<readonly R[]> {
  const made: R[] = [];
  for (let from = 0; from < list.length; from += HANDFUL.entries) {
    appendMade(made, list, from, Math.min(from + HANDFUL.entries, list.length), make);
    await budget.yieldIfDue();
  }
  return made;
}

/** Perf: V8 does not optimise a loop while an async function runs it. */
function appendMade<T, R>(made: R[], list: readonly T[], from: number, to: number, make: (one: T) => R): void {
  for (let i = from; i < to; i++) made.push(make(list[i] as T));
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
  let directories = 0;
  let links = 0;
  let others = 0;
  for (let i = from; i < to; i++) {
    const type = entries.codeAt(i);
    if (type === DIRECTORY) directories++;
    else if (type === LINK) links++;
    else if (type !== FILE) others++;
  }
  totals.file += to - from - directories - links - others;
  totals.dir += directories;
  totals.link += links;
  totals.other += others;
}

export function totalOf({ file, dir, link, other }: Readonly<Totals>): number {
  return file + dir + link + other;
}
