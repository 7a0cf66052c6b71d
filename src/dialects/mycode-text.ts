/** The four texts of mycode's `LS`: one level, a table, a tree, a list of paths; and what each of them leaves out. */
import { totalOf } from '../listing/entry.ts';
import type { Entry, Listing, Query } from '../listing/query.ts';
import { type Bytes, below, textOf } from '../names/bytes.ts';
import { namesOn, type RootPath, relativeTo } from '../names/paths.ts';
import { shown, shownAsGiven, shownBesideArrow, shownUnlike, withArrow } from '../names/quote.ts';
import { counted } from '../text/count.ts';
import { sizeText } from '../text/metadata.ts';
import { tableLines } from '../text/table.ts';
import { localTime } from '../text/time.ts';
import { LINE_BRANCHES, treeLinesOf } from '../text/tree.ts';
import { splitPath } from '../workspace/argument.ts';
import { mapped, type Steps } from '../workspace/steps.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { hiddenIn, STOP_REASONS } from './dialect.ts';

export const SORTS = ['name', 'size', 'modified', 'type'] as const;

/** The presentation of a listing that a call asks for. */
export interface View {
  readonly long: boolean;
  readonly recursive: boolean;
  readonly pattern: string | null;
  readonly sort: (typeof SORTS)[number];
  readonly reverse: boolean;
  readonly types: Query['select']['types'];
  /** The depth limit of a recursive call that sends no `depth`; null for any other call. */
  readonly defaultDepth: number | null;
}

/** The view itself, and the counts below it, if it has any. */
type TextParts = { readonly body: readonly string[]; readonly counts: readonly string[] };

/** Paths are shown relative to the cwd, as a caller would write them (docs/decisions/0035-shown-means-usable.md). */
type Place = Pick<Workspace, 'cwdBytes' | 'rootBytes'>;

export function* viewText(listing: Listing, view: View, place: Place): Steps<string> {
  const directory = `${shown(asArgument(listing.path, place.cwdBytes))}/`;
  const { totals, unselected, hidden, stopped } = listing;
  const total = totalOf(totals);
  if (total + unselected + hidden.size === 0 && stopped === null) return `${directory} is empty.`;
  const { body, counts } = yield* textParts(listing, view, directory, place.cwdBytes);
  // If nothing matched, counts of zero do not help: `leftOut` names the filter instead.
  const said = total === 0 && unselected > 0 ? [] : counts;
  const footer = [...said, ...leftOut(listing, view, directory, place)];
  return [...body, ...(footer.length === 0 ? [] : ['', ...footer])].join('\n');
}

/** Converts a path relative to the root into one relative to the cwd, as an argument. */
function asArgument(path: Bytes, cwd: RootPath): Bytes {
  return (relativeTo(cwd, namesOn(path)) || '.') as Bytes;
}

function* textParts(listing: Listing, view: View, directory: string, cwd: RootPath): Steps<TextParts> {
  const { long, recursive, pattern, sort, types } = view;
  if (long) return yield* longTable(listing, view, directory, cwd);
  // If directories are left out, or moved by another order, there are no branches to draw.
  const isTree = pattern === null && sort === 'name' && types !== 'files';
  if (recursive && !isTree) return yield* pathList(listing, view, directory, cwd);
  const heading = withDetails(directory, headingDetails(view));
  const lines = yield* branches(listing);
  if (recursive) return { body: [heading, ...lines], counts: [] };
  const items = counted(totalOf(listing.totals), 'item');
  return { body: [`Contents of ${heading}:`, ...lines], counts: [`${items} (${countsOf(listing).join(', ')})`] };
}

const ORDER_WORDS: Readonly<Record<View['sort'], readonly [string, string]>> = {
  name: ['', 'last first'],
  size: ['largest first', 'smallest first'],
  modified: ['newest first', 'oldest first'],
  type: ['by type', 'reversed by type'],
};

/** Returns the order in words; '' for the default order. */
function orderOf({ sort, reverse }: View): string {
  return ORDER_WORDS[sort][reverse ? 1 : 0];
}

/** Returns the filter and the order, for a heading. */
function headingDetails(view: View): string[] {
  const { pattern, types } = view;
  const filter = pattern === null ? '' : `matching ${shownAsGiven(pattern)}`;
  return [filter, types === 'all' ? '' : `${types} only`, orderOf(view)];
}

/** Returns a heading such as `src/ (matching *.ts, largest first)`. */
function withDetails(directory: string, details: readonly string[]): string {
  const said = details.filter(Boolean);
  return said.length === 0 ? directory : `${directory} (${said.join(', ')})`;
}

/** Returns `1 file`, `0 directories`, and links and others if there are any. */
function countsOf({ totals: { file, dir, link, other } }: Listing): string[] {
  const counts = [counted(file, 'file'), counted(dir, 'directory')];
  if (link > 0) counts.push(counted(link, 'link'));
  if (other > 0) counts.push(counted(other, 'other'));
  return counts;
}

function* branches({ entries, unreadable, totals, stopped }: Listing): Steps<string[]> {
  const markOf = unreadableMarks(unreadable);
  const rows = yield* mapped(entries, (entry) => ({
    label: marked(entry.name, entry) + markOf(entry),
    depth: splitPath(entry.parent).names.length,
  }));
  const isCut = entries.length > 0 && (entries.length < totalOf(totals) || stopped !== null);
  // No open branch of a tree that was cut is known to be the last, so the mark comes at the end.
  return isCut ? [...treeLinesOf(rows, LINE_BRANCHES, rows.at(-1)?.depth), '…'] : treeLinesOf(rows);
}

const COUNT = '\\d+ (?:files?|director(?:y|ies)|items?|links?|others?)';

/** The headings of the views, their counts, and what `leftOut` says. */
const shownInView = shownUnlike(
  new RegExp(
    [
      '^(?:Contents of |Matches for |Files in |(?:Largest|Smallest|Newest|Oldest) first in |(?:By|Reversed by) type in )',
      `^${COUNT}(?:$| \\()`,
      `^Summary: ${COUNT}`,
      '^(?:0 of \\d+ items |Patterns are relative to |A pattern with a "/" |\\d+ dotfiles? (?:is|are) hidden)',
      '^(?:Could not read \\d+ director|Depth limit \\d+ reached: |Incomplete: |Showing \\d+ of \\d+ |…$)',
      '/ is empty\\.$',
    ].join('|'),
  ),
);

/** Writes a name or path with the mark of its type. */
function marked(path: Bytes, { type, metadata }: Entry): string {
  const label = shownBesideArrow(path, shownInView);
  if (type === 'dir') return `${label}/`;
  return metadata === null || metadata.target === null ? label : withArrow(label, metadata.target);
}

/** Returns a function that writes why a directory could not be read: ` [permission denied]`; '' for other entries. */
function unreadableMarks(unreadable: Listing['unreadable']): (entry: Entry) => string {
  const marks = new Map(unreadable.map(({ path, reason }) => [path, ` [${reason}]`]));
  return ({ parent, name }) => marks.get(below(parent, name)) ?? '';
}

function* longTable(listing: Listing, view: View, directory: string, cwd: RootPath): Steps<TextParts> {
  const markOf = unreadableMarks(listing.unreadable);
  const rows = yield* mapped(listing.entries, (entry) => {
    const { type, metadata } = entry;
    const hasSize = metadata !== null && (type === 'file' || type === 'other');
    const path = view.recursive ? pathFromCwd(entry, listing.path, cwd) : entry.name;
    return {
      name: marked(path, entry) + markOf(entry),
      type,
      size: hasSize ? sizeText(metadata.size) : '-',
      modified: metadata === null ? '-' : localTime(new Date(metadata.modified)),
    };
  });
  const body = yield* tableLines(withDetails(directory, headingDetails(view)), rows);
  return { body, counts: [`Summary: ${[...countsOf(listing), `${sizeText(listing.size)} total`].join(', ')}`] };
}

function pathFromCwd({ parent, name }: Entry, directory: RootPath, cwd: RootPath): Bytes {
  return asArgument(below(directory, below(parent, name)), cwd);
}

function* pathList(listing: Listing, view: View, directory: string, cwd: RootPath): Steps<TextParts> {
  const markOf = unreadableMarks(listing.unreadable);
  const lineOf = (entry: Entry) => `  ${marked(pathFromCwd(entry, listing.path, cwd), entry)}${markOf(entry)}`;
  const paths = yield* mapped(listing.entries, lineOf);
  const total = totalOf(listing.totals);
  const isCut = listing.entries.length < total;
  return { body: [pathHeading(view, directory), ...paths], counts: isCut ? [] : [counted(total, nounOf(listing))] };
}

/** Does not mention that only files or only directories are shown: the last line does. */
function pathHeading(view: View, directory: string): string {
  const { pattern, sort } = view;
  const order = orderOf(view);
  if (pattern !== null) return `Matches for ${shownAsGiven(pattern)} in ${withDetails(directory, [order])}:`;
  if (sort === 'name') return `Files in ${withDetails(directory, [order])}:`;
  return `${order.charAt(0).toUpperCase()}${order.slice(1)} in ${directory}:`;
}

/**
 * Says what the text does not show, why, and what to send to see it: "Nothing is cut silently."
 *
 *     0 of 14 items match *.md
 *     Depth limit 3 reached: 12 directories were not opened. depth: 4 shows more.
 */
function leftOut(listing: Listing, view: View, directory: string, place: Place): string[] {
  const { totals, unselected, unopened, stopped, entries } = listing;
  const { pattern, types, defaultDepth } = view;
  const [total, hidden] = [totalOf(totals), hiddenIn(listing)];
  const lines: string[] = [];
  if (total === 0 && unselected > 0) {
    const match = pattern === null ? '' : `match ${shownAsGiven(pattern)}`;
    const kind = types === 'all' ? match : `are ${types}${match === '' ? '' : ` that ${match}`}`;
    lines.push(`0 of ${unselected} items ${kind}`);
  }
  lines.push(...patternHints(listing, view, directory, place));
  // Hiding dotfiles is what everybody expects, so it is mentioned only if nothing else is left to show.
  if (total === 0 && hidden > 0) {
    const it = hidden === 1 ? 'it' : 'them';
    lines.push(`${counted(hidden, 'dotfile')} ${hidden === 1 ? 'is' : 'are'} hidden. all: true includes ${it}.`);
  }
  // The view marks the unreadable directories that it shows.
  const seen = new Set(listing.unreadable.length === 0 ? [] : entries.map(({ parent, name }) => below(parent, name)));
  const unseen = listing.unreadable.filter(({ path }) => !seen.has(path)).length;
  if (unseen > 0)
    lines.push(`Could not read ${counted(unseen, 'directory')} that ${unseen === 1 ? 'is' : 'are'} not shown`);
  // A caller who sent a depth knows about it.
  if (defaultDepth !== null && unopened > 0) {
    const closed = `${counted(unopened, 'directory')} ${unopened === 1 ? 'was' : 'were'} not opened`;
    lines.push(`Depth limit ${defaultDepth} reached: ${closed}. depth: ${defaultDepth + 1} shows more.`);
  }
  if (stopped !== null) lines.push(`Incomplete: ${stopped === 'aborted' ? 'cancelled' : STOP_REASONS[stopped]}.`);
  // "The last line of any view that `limit` cut."
  if (entries.length < total) lines.push(`Showing ${entries.length} of ${counted(total, nounOf(listing))} (truncated)`);
  return lines;
}

/** A pattern may begin by mistake with the path of the listed directory from the cwd, or with its own name. */
function patternHints({ totals, path }: Listing, view: View, directory: string, place: Place): string[] {
  const { pattern, recursive } = view;
  if (pattern === null || !pattern.includes('/')) return [];
  const given = pattern.replace(/^\.\//, '');
  const ownName = namesOn(path).at(-1) ?? splitPath(place.rootBytes).names.at(-1);
  const ownNames = [asArgument(path, place.cwdBytes), ...(ownName === undefined ? [] : [ownName])];
  const own = ownNames.map(textOf).find((name) => name !== null && given.startsWith(`${name}/`));
  const rest = typeof own === 'string' && totalOf(totals) === 0 ? given.slice(own.length + 1) : '';
  const needsRecursive = !recursive && (rest || pattern).includes('/');
  if (rest !== '') {
    const send = `pattern: ${JSON.stringify(rest)}${needsRecursive ? ' with recursive: true' : ''}`;
    return [`Patterns are relative to ${directory}: send ${shownAsGiven(send)}.`];
  }
  return needsRecursive ? [`A pattern with a "/" is for paths below ${directory}: send recursive: true.`] : [];
}

/** Returns the noun that fits everything that matched. */
function nounOf({ totals }: Listing): string {
  const total = totalOf(totals);
  if (total > 0 && totals.file === total) return 'file';
  return total > 0 && totals.dir === total ? 'directory' : 'item';
}
