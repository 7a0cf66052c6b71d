/** The four texts of mycode's `LS`: one level, a table, a tree, a list of paths. */
import { totalOf } from '../listing/entry.ts';
import type { Entry, Listing, Query } from '../listing/query.ts';
import { counted } from '../text/count.ts';
import { localTime, sizeText } from '../text/metadata.ts';
import { tableLines } from '../text/table.ts';
import { treeLinesOf } from '../text/tree.ts';
import { splitPath } from '../workspace/argument.ts';
import { type Bytes, below } from '../workspace/bytes.ts';
import { shown, shownAsGiven } from '../workspace/quote.ts';
import { mapped, type Steps } from '../workspace/steps.ts';

export const SORTS = ['name', 'size', 'modified', 'type'] as const;

/** How the listing is shown. */
export interface View {
  readonly long: boolean;
  readonly recursive: boolean;
  readonly pattern: string | null;
  readonly sort: (typeof SORTS)[number];
  readonly reverse: boolean;
  readonly types: Query['select']['types'];
}

export function* viewText(listing: Listing, view: View): Steps<string> {
  const total = totalOf(listing.totals);
  const directory = listing.path === '' ? './' : `${shown(listing.path)}/`;
  if (total === 0 && isWhole(listing, view)) {
    return `${directory} is empty.`;
  }
  const lines = yield* viewLines(listing, view, directory);
  if (listing.entries.length < total) {
    if (isTreeView(view)) lines.push('');
    lines.push(`Showing ${listing.entries.length} of ${counted(total, nounOf(listing))} (truncated)`);
  }
  const unseen = listing.unreadable.length - shownUnreadable(listing);
  if (unseen > 0)
    lines.push(`Could not read ${counted(unseen, 'directory')} that ${unseen === 1 ? 'is' : 'are'} not shown`);
  if (listing.stopped !== null) {
    lines.push(listing.stopped === 'timeout' ? 'Incomplete: the time limit was reached.' : 'Incomplete: cancelled.');
  }
  return lines.join('\n');
}

/** True if everything that the directory holds was there to be shown. */
function isWhole({ hidden, stopped }: Listing, { pattern, types }: View): boolean {
  return hidden.size === 0 && stopped === null && pattern === null && types === 'all';
}

function* viewLines(listing: Listing, view: View, directory: string): Steps<string[]> {
  if (view.long) return yield* longTable(listing, view, directory);
  if (!view.recursive) return yield* oneLevelLines(listing, directory);
  return isTreeView(view) ? [directory, ...(yield* branches(listing))] : yield* pathLines(listing, view, directory);
}

/** There are no branches to draw if directories are left out, or stand elsewhere. */
function isTreeView({ long, recursive, pattern, sort, types }: View): boolean {
  return recursive && !long && pattern === null && sort === 'name' && types !== 'files';
}

function* oneLevelLines(listing: Listing, directory: string): Steps<string[]> {
  const { file, dir, link, other } = listing.totals;
  const counts = [
    counted(file, 'file'),
    counted(dir, 'directory'),
    ...(link > 0 ? [counted(link, 'link')] : []),
    ...(other > 0 ? [counted(other, 'other')] : []),
  ];
  const items = counted(totalOf(listing.totals), 'item');
  return [`Contents of ${directory}:`, ...(yield* branches(listing)), '', `${items} (${counts.join(', ')})`];
}

function* branches({ entries, unreadable }: Listing): Steps<string[]> {
  const reasons = reasonsOf(unreadable);
  const rows = yield* mapped(entries, (entry) => ({
    label: shown(entry.name) + typeMark(entry) + unreadableMark(entry, reasons),
    depth: splitPath(entry.parent).names.length,
  }));
  return treeLinesOf(rows);
}

function typeMark({ type, metadata }: Entry): string {
  if (type === 'dir') return '/';
  return metadata === null || metadata.target === null ? '' : ` -> ${shown(metadata.target)}`;
}

/** Why directories could not be read, by their paths. */
function reasonsOf(unreadable: Listing['unreadable']): ReadonlyMap<Bytes, string> {
  return new Map(unreadable.map(({ path, reason }) => [path, reason]));
}

function unreadableMark({ parent, name }: Entry, reasons: ReadonlyMap<Bytes, string>): string {
  const reason = reasons.get(below(parent, name));
  return reason === undefined ? '' : ` [${reason}]`;
}

function* longTable(listing: Listing, { recursive }: View, directory: string): Steps<string[]> {
  const reasons = reasonsOf(listing.unreadable);
  const rows = yield* mapped(listing.entries, (entry) => {
    const { name, parent, type, metadata } = entry;
    const hasSize = metadata !== null && (type === 'file' || type === 'other');
    return {
      name: shown(recursive ? below(parent, name) : name) + typeMark(entry) + unreadableMark(entry, reasons),
      type,
      size: hasSize ? sizeText(metadata.size) : '-',
      modified: metadata === null ? '-' : localTime(new Date(metadata.modified)),
    };
  });
  const { file, dir } = listing.totals;
  const summary = `Summary: ${counted(file, 'file')}, ${counted(dir, 'directory')}, ${sizeText(listing.size)} total`;
  return [...(yield* tableLines(directory, rows)), '', summary];
}

function* pathLines(listing: Listing, view: View, directory: string): Steps<string[]> {
  const reasons = reasonsOf(listing.unreadable);
  const paths = yield* mapped(listing.entries, (entry) => {
    const path = below(listing.path, below(entry.parent, entry.name));
    return `  ${shown(path)}${entry.type === 'dir' ? '/' : ''}${unreadableMark(entry, reasons)}`;
  });
  const lines = [`${headingOf(view)} ${directory}:`, ...paths, ''];
  const total = totalOf(listing.totals);
  return listing.entries.length < total ? lines : [...lines, counted(total, nounOf(listing))];
}

const HEADINGS: Readonly<Record<View['sort'], readonly [string, string]>> = {
  name: ['Files in', 'Files, last first, in'],
  size: ['Largest first in', 'Smallest first in'],
  modified: ['Newest first in', 'Oldest first in'],
  type: ['By type in', 'By type, reversed, in'],
};

function headingOf({ pattern, sort, reverse }: View): string {
  if (pattern !== null) return `Matches for ${shownAsGiven(pattern)} in`;
  return HEADINGS[sort][reverse ? 1 : 0];
}

/** How many of the directories that could not be read are marked in the view. */
function shownUnreadable({ entries, unreadable }: Listing): number {
  if (unreadable.length === 0) return 0;
  const reasons = reasonsOf(unreadable);
  return entries.filter(({ parent, name }) => reasons.has(below(parent, name))).length;
}

/** Names what all that matched have in common. */
function nounOf(listing: Listing): string {
  const total = totalOf(listing.totals);
  if (total > 0 && listing.totals.file === total) return 'file';
  return total > 0 && listing.totals.dir === total ? 'directory' : 'item';
}
