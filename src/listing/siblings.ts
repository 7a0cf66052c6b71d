/** Sorts the entries of one directory of a walk. */
import type { Bytes } from '../names/bytes.ts';
import { afterwards } from '../rules/rule.ts';
import type { Budget } from '../workspace/budget.ts';
import { type EntryBuffer, LEADS_TO_DIRECTORY, LINK } from '../workspace/reader.ts';
import type { Visit } from '../workspace/visit.ts';
import { linksToDirectories } from './level.ts';
import { LOWER_CASED, NATURAL } from './name-keys.ts';
import { sortSiblings } from './sibling-order.ts';

export type SiblingOrder =
  /** By name, with directories and links to them before everything else. */
  | 'directories-first'
  /** Like `directories-first`, but numbers in names compare by value. */
  | 'natural'
  | 'by-name'
  /** Directories by name, then everything else by name. Links are not followed. */
  | 'by-kind'
  /** Unsorted, as the source returns them. */
  | 'any';

/** True if links to directories are sorted among the directories. */
export function followsLinks(order: SiblingOrder): boolean {
  return order === 'directories-first' || order === 'natural';
}

/** The number of entries that are still sorted when the walk has to end. */
const LAST_ENTRIES = 1024;

/** Sorts the entries from position `from` on. A link that was not followed yet does not count as a directory. */
export function putInOrder(
  entries: EntryBuffer,
  from: number,
  order: SiblingOrder,
  reverse: boolean,
  budget: Budget,
): void | Promise<void> {
  // A walk that has to end emits no more than these.
  if (budget.stopped !== null) entries.count = Math.min(entries.count, from + LAST_ENTRIES);
  if (order === 'any') return;
  const rest = order === 'by-name' ? from : directoriesFirst(entries, from);
  const comparison = order === 'natural' ? NATURAL : LOWER_CASED;
  const sorted = afterwards(sortSiblings(entries, from, rest, comparison, budget), () =>
    sortSiblings(entries, rest, entries.count, comparison, budget),
  );
  if (!reverse) return sorted;
  return afterwards(sorted, () => {
    for (let low = from, high = entries.count - 1; low < high; low++, high--) entries.swap(low, high);
  });
}

/** Moves directories to the front, and returns the position after them. The partition is not stable. */
function directoriesFirst(entries: EntryBuffer, from: number): number {
  let rest = from;
  for (let i = from; i < entries.count; i++) {
    if (!entries.leadsToDirectory(i)) continue;
    if (i !== rest) entries.swap(i, rest);
    rest++;
  }
  return rest;
}

/** Follows the links from position `from` on, and marks those that lead to a directory. Null if there are none. */
export function markLinks(entries: EntryBuffer, from: number, directory: Visit, budget: Budget): Promise<void> | null {
  const links: number[] = [];
  for (let i = from; i < entries.count; i++) if (entries.codeAt(i) === LINK) links.push(i);
  if (links.length === 0) return null;
  const names = links.map((at) => entries.nameAt(at));
  return linksToDirectories(names, directory, budget).then((toDirectories) => {
    for (const [i, at] of links.entries()) {
      if (toDirectories.has(names[i] as Bytes)) entries.types[at] = (entries.types[at] as number) | LEADS_TO_DIRECTORY;
    }
  });
}

export function directoriesIn(entries: EntryBuffer, from: number, to: number): Bytes[] {
  const names: Bytes[] = [];
  for (let i = from; i < to; i++) if (entries.isDirectory(i)) names.push(entries.nameAt(i));
  return names;
}
