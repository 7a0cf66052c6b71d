/**
 * The lines in the text of mycode's `LS` that say what it does not show, why, and what to send to see it: "Nothing is
 * cut silently."
 *
 *     0 of 14 items match *.md
 *     Depth limit 3 reached: 12 directories were not opened. depth: 4 shows more.
 */
import { totalOf } from '../listing/entry.ts';
import type { Listing } from '../listing/query.ts';
import { type Bytes, below, textOf } from '../names/bytes.ts';
import { shownAsGiven } from '../names/quote.ts';
import { counted } from '../text/count.ts';
import { STOP_REASONS } from './dialect.ts';
import type { View } from './mycode-view.ts';

/** `ownNames` are names of the listed directory that a pattern may begin with by mistake. */
export function leftOut(listing: Listing, view: View, directory: string, ownNames: readonly Bytes[]): string[] {
  return [
    ...nothingMatched(listing, view),
    ...patternHints(listing, view, directory, ownNames),
    ...hiddenOnly(listing),
    ...unreadableUnseen(listing),
    ...closedByDepth(listing, view),
    ...stoppedEarly(listing),
    ...cutByLimit(listing),
  ];
}

/** "A filter that matched nothing names the filter." */
function nothingMatched({ totals, unselected }: Listing, { pattern, types }: View): string[] {
  if (totalOf(totals) > 0 || unselected === 0) return [];
  const match = pattern === null ? '' : `match ${shownAsGiven(pattern)}`;
  const kind = types === 'all' ? match : `are ${types}${match === '' ? '' : ` that ${match}`}`;
  return [`0 of ${unselected} items ${kind}`];
}

function patternHints(
  { totals }: Listing,
  { pattern, recursive }: View,
  directory: string,
  ownNames: readonly Bytes[],
): string[] {
  if (pattern === null || !pattern.includes('/')) return [];
  const given = pattern.replace(/^\.\//, '');
  const own = ownNames.map(textOf).find((name) => name !== null && given.startsWith(`${name}/`));
  const rest = typeof own === 'string' && totalOf(totals) === 0 ? given.slice(own.length + 1) : '';
  const needsRecursive = !recursive && (rest || pattern).includes('/');
  if (rest !== '') {
    const send = `pattern: ${JSON.stringify(rest)}${needsRecursive ? ' with recursive: true' : ''}`;
    return [`Patterns are relative to ${directory}: send ${shownAsGiven(send)}.`];
  }
  return needsRecursive ? [`A pattern with a "/" is for paths below ${directory}: send recursive: true.`] : [];
}

/** Hiding dotfiles is what everybody expects, so it is mentioned only if nothing else is left to show. */
function hiddenOnly({ totals, hidden }: Listing): string[] {
  const count = [...hidden.values()].reduce((sum, one) => sum + one, 0);
  if (totalOf(totals) > 0 || count === 0) return [];
  return [
    `${counted(count, 'dotfile')} ${count === 1 ? 'is' : 'are'} hidden. all: true includes ${count === 1 ? 'it' : 'them'}.`,
  ];
}

/** Counts the unreadable directories that the view does not show; it marks the others. */
function unreadableUnseen({ entries, unreadable }: Listing): string[] {
  if (unreadable.length === 0) return [];
  const seen = new Set(entries.map(({ parent, name }) => below(parent, name)));
  const unseen = unreadable.filter(({ path }) => !seen.has(path)).length;
  if (unseen === 0) return [];
  return [`Could not read ${counted(unseen, 'directory')} that ${unseen === 1 ? 'is' : 'are'} not shown`];
}

/** Mentions the default depth only: a caller who sent a depth knows about it. */
function closedByDepth({ unopened }: Listing, { defaultDepth }: View): string[] {
  if (defaultDepth === null || unopened === 0) return [];
  const closed = `${counted(unopened, 'directory')} ${unopened === 1 ? 'was' : 'were'} not opened`;
  return [`Depth limit ${defaultDepth} reached: ${closed}. depth: ${defaultDepth + 1} shows more.`];
}

function stoppedEarly({ stopped }: Listing): string[] {
  if (stopped === null) return [];
  return [`Incomplete: ${stopped === 'aborted' ? 'cancelled' : STOP_REASONS[stopped]}.`];
}

/** "The last line of any view that `limit` cut." */
function cutByLimit(listing: Listing): string[] {
  const total = totalOf(listing.totals);
  if (listing.entries.length >= total) return [];
  return [`Showing ${listing.entries.length} of ${counted(total, nounOf(listing))} (truncated)`];
}

/** Returns the noun that fits everything that matched. */
export function nounOf({ totals }: Listing): string {
  const total = totalOf(totals);
  if (total > 0 && totals.file === total) return 'file';
  return total > 0 && totals.dir === total ? 'directory' : 'item';
}
