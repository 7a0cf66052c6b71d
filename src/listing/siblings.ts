/** The entries of one directory of a walk, put in order. */
import { afterwards } from '../rules/rule.ts';
import type { Budget } from '../workspace/budget.ts';
import { type EntryBuffer, LEADS_TO_DIRECTORY, LINK } from '../workspace/reader.ts';
import type { Visit } from '../workspace/visit.ts';
import { linksToDirectories } from './level.ts';
import { sortSiblings } from './sibling-order.ts';

export type SiblingOrder =
  /** By name; with `directories-first` directories, and links to them, stand before everything else. */
  | 'directories-first'
  | 'by-name'
  /** As the disk has them. */
  | 'any';

/** Entries that are put in order where the walk has to end: it emits no more of them. */
const LAST_ENTRIES = 1024;

/** Puts the entries from a position on in order. */
export function putInOrder(
  entries: EntryBuffer,
  from: number,
  order: SiblingOrder,
  reverse: boolean,
  directory: Visit,
  budget: Budget,
): void | Promise<void> {
  if (budget.stopped !== null) entries.count = Math.min(entries.count, from + LAST_ENTRIES);
  if (order === 'any') return;
  const classes = order === 'directories-first' ? partition(entries, from, directory, budget) : from;
  const sorted = afterwards(classes, (rest) =>
    afterwards(sortSiblings(entries, from, rest, budget), () => sortSiblings(entries, rest, entries.count, budget)),
  );
  return afterwards(sorted, () => {
    if (reverse) reverseRange(entries, from);
  });
}

/** Puts directories, and links to them, before everything else, and returns where the others begin. */
function partition(entries: EntryBuffer, from: number, directory: Visit, budget: Budget): number | Promise<number> {
  const links: number[] = [];
  for (let i = from; i < entries.count; i++) if (entries.codeAt(i) === LINK) links.push(i);
  if (links.length === 0) return directoriesFirst(entries, from);
  const names = links.map((at) => entries.nameAt(at));
  return linksToDirectories(names, directory, budget).then((leading) => {
    for (const [i, at] of links.entries()) {
      if (leading.has(names[i] as (typeof names)[number])) {
        entries.types[at] = (entries.types[at] as number) | LEADS_TO_DIRECTORY;
      }
    }
    return directoriesFirst(entries, from);
  });
}

/** The order among either of them is not kept. */
function directoriesFirst(entries: EntryBuffer, from: number): number {
  let rest = from;
  for (let i = from; i < entries.count; i++) {
    if (!entries.leadsToDirectory(i)) continue;
    if (i !== rest) entries.swap(i, rest);
    rest++;
  }
  return rest;
}

function reverseRange(entries: EntryBuffer, from: number): void {
  for (let low = from, high = entries.count - 1; low < high; low++, high--) entries.swap(low, high);
}
