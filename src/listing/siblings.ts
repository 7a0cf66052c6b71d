/** The entries of one directory of a walk, put in order. */
import { afterwards } from '../rules/rule.ts';
import type { Budget } from '../workspace/budget.ts';
import type { Bytes } from '../workspace/bytes.ts';
import { type EntryBuffer, LEADS_TO_DIRECTORY, LINK } from '../workspace/reader.ts';
import type { Visit } from '../workspace/visit.ts';
import { linksToDirectories } from './level.ts';
import { sortNaturally, sortSiblings } from './sibling-order.ts';

export type SiblingOrder =
  /** By name; with `directories-first` directories, and links to them, stand before everything else. */
  | 'directories-first'
  /** The same with numbers in names by their value. */
  | 'natural'
  | 'by-name'
  /** As the disk has them. */
  | 'any';

/** Whether links to directories stand where those do. */
export function followsLinks(order: SiblingOrder): boolean {
  return order === 'directories-first' || order === 'natural';
}

/** Entries that are put in order where the walk has to end. */
const LAST_ENTRIES = 1024;

/** Puts the entries from a position on in order. A link that was not followed yet leads nowhere. */
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
  const sort = order === 'natural' ? sortNaturally : sortSiblings;
  const sorted = afterwards(sort(entries, from, rest, budget), () => sort(entries, rest, entries.count, budget));
  return reverse ? afterwards(sorted, () => reverseRange(entries, from)) : sorted;
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

export function hasLinks(entries: EntryBuffer, from: number): boolean {
  for (let i = from; i < entries.count; i++) if (entries.codeAt(i) === LINK) return true;
  return false;
}

/** Follows the links from a position on, and marks those that lead to a directory. */
export async function markLinks(entries: EntryBuffer, from: number, directory: Visit, budget: Budget): Promise<void> {
  const links: number[] = [];
  for (let i = from; i < entries.count; i++) if (entries.codeAt(i) === LINK) links.push(i);
  const names = links.map((at) => entries.nameAt(at));
  const leading = await linksToDirectories(names, directory, budget);
  for (const [i, at] of links.entries()) {
    if (leading.has(names[i] as Bytes)) entries.types[at] = (entries.types[at] as number) | LEADS_TO_DIRECTORY;
  }
}

/** The names of the directories from a position up to another. */
export function directoriesIn(entries: EntryBuffer, from: number, to: number): Bytes[] {
  const names: Bytes[] = [];
  for (let i = from; i < to; i++) if (entries.isDirectory(i)) names.push(entries.nameAt(i));
  return names;
}
