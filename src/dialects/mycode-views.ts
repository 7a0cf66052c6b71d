/** The four texts of mycode's `LS`: one level, a table, a tree, a list of paths. */
import { totalOf } from '../listing/entry.ts';
import type { Entry, Listing } from '../listing/query.ts';
import { type Bytes, below } from '../names/bytes.ts';
import { namesOn, type RootPath, relativeTo } from '../names/paths.ts';
import { shown, shownAsGiven, shownBesideArrow, shownUnlike, withArrow } from '../names/quote.ts';
import { counted } from '../text/count.ts';
import { sizeText } from '../text/metadata.ts';
import { tableLines } from '../text/table.ts';
import { localTime } from '../text/time.ts';
import { cutTreeLines, treeLinesOf } from '../text/tree.ts';
import { splitPath } from '../workspace/argument.ts';
import { mapped, type Steps } from '../workspace/steps.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { leftOut, nounOf } from './mycode-left-out.ts';
import type { View } from './mycode-view.ts';

/** The view itself, and the counts below it. */
interface TextParts {
  readonly body: readonly string[];
  /** Empty for a view without counts. */
  readonly counts: readonly string[];
}

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
  const footer = [...said, ...leftOut(listing, view, directory, ownNames(listing.path, place))];
  return [...body, ...(footer.length === 0 ? [] : ['', ...footer])].join('\n');
}

/** Converts a path relative to the root into one relative to the cwd, as an argument. */
function asArgument(path: Bytes, cwd: RootPath): Bytes {
  return (relativeTo(cwd, namesOn(path)) || '.') as Bytes;
}

/** Returns the names by which a pattern may mention the listed directory: its path from the cwd, and its own name. */
function ownNames(path: RootPath, { cwdBytes: cwd, rootBytes: realPath }: Place): Bytes[] {
  const name = namesOn(path).at(-1) ?? splitPath(realPath).names.at(-1);
  return [asArgument(path, cwd), ...(name === undefined ? [] : [name])];
}

function* textParts(listing: Listing, view: View, directory: string, cwd: RootPath): Steps<TextParts> {
  if (view.long) return yield* longTable(listing, view, directory, cwd);
  if (!view.recursive) return yield* oneLevel(listing, view, directory);
  if (!isTreeView(view)) return yield* pathList(listing, view, directory, cwd);
  return { body: [withDetails(directory, headingDetails(view)), ...(yield* branches(listing))], counts: [] };
}

/** True if no directory is left out or moved by another order; otherwise there are no branches to draw. */
function isTreeView({ long, recursive, pattern, sort, types }: View): boolean {
  return recursive && !long && pattern === null && sort === 'name' && types !== 'files';
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
  return [
    pattern === null ? '' : `matching ${shownAsGiven(pattern)}`,
    types === 'all' ? '' : `${types} only`,
    orderOf(view),
  ];
}

/** Returns a heading such as `src/ (matching *.ts, largest first)`. */
function withDetails(directory: string, details: readonly string[]): string {
  const said = details.filter(Boolean);
  return said.length === 0 ? directory : `${directory} (${said.join(', ')})`;
}

function* oneLevel(listing: Listing, view: View, directory: string): Steps<TextParts> {
  const items = counted(totalOf(listing.totals), 'item');
  const body = [`Contents of ${withDetails(directory, headingDetails(view))}:`, ...(yield* branches(listing))];
  return { body, counts: [`${items} (${countsOf(listing).join(', ')})`] };
}

/** Returns `1 file`, `0 directories`, and links and others if there are any. */
function countsOf({ totals: { file, dir, link, other } }: Listing): string[] {
  return [
    counted(file, 'file'),
    counted(dir, 'directory'),
    ...(link > 0 ? [counted(link, 'link')] : []),
    ...(other > 0 ? [counted(other, 'other')] : []),
  ];
}

function* branches({ entries, unreadable, totals, stopped }: Listing): Steps<string[]> {
  const markOf = unreadableMarks(unreadable);
  const rows = yield* mapped(entries, (entry) => ({
    label: marked(entry.name, entry) + markOf(entry),
    depth: splitPath(entry.parent).names.length,
  }));
  const isCut = entries.length > 0 && (entries.length < totalOf(totals) || stopped !== null);
  return isCut ? cutTreeLines(rows) : treeLinesOf(rows);
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
  const paths = yield* mapped(
    listing.entries,
    (entry) => `  ${marked(pathFromCwd(entry, listing.path, cwd), entry)}${markOf(entry)}`,
  );
  const total = totalOf(listing.totals);
  const isCut = listing.entries.length < total;
  return {
    body: [pathHeading(view, directory), ...paths],
    counts: isCut ? [] : [counted(total, nounOf(listing))],
  };
}

/** Does not mention that only files or only directories are shown: the last line does. */
function pathHeading(view: View, directory: string): string {
  const { pattern, sort } = view;
  const order = orderOf(view);
  if (pattern !== null) return `Matches for ${shownAsGiven(pattern)} in ${withDetails(directory, [order])}:`;
  if (sort === 'name') return `Files in ${withDetails(directory, [order])}:`;
  return `${order.charAt(0).toUpperCase()}${order.slice(1)} in ${directory}:`;
}
