/** Shows a listing, a map or found files to a person: in columns, as a tree or in detail, with colours and notes. */
import { hostname } from 'node:os';
import type { TreeData, TreeResponse } from '../../dialects/tree.ts';
import { readOwners } from '../../disk/owners.ts';
import { totalOf } from '../../listing/entry.ts';
import { ignoredEntries } from '../../listing/ignored-entries.ts';
import { endsOfLinks } from '../../listing/link-ends.ts';
import { listDirectory } from '../../listing/list.ts';
import { ORDERS } from '../../listing/orders.ts';
import type { Entry, Listing, Query } from '../../listing/query.ts';
import type { Bytes } from '../../names/bytes.ts';
import { inAbsolute } from '../../names/paths.ts';
import { escapedToAscii } from '../../names/quote.ts';
import { grouped } from '../../protocol/size.ts';
import { columnLines } from '../../terminal/columns.ts';
import { type Display, type DisplayOptions, displayFor } from '../../terminal/display.ts';
import { countsNote, hiddenNote } from '../../terminal/footer.ts';
import { type Facts, type Labels, labelsFor } from '../../terminal/labels.ts';
import { type DrawnFold, mapFor } from '../../terminal/map.ts';
import { FAINT, Palette, painted } from '../../terminal/palette.ts';
import { twinsAmong } from '../../terminal/terminal-names.ts';
import { counted } from '../../text/count.ts';
import { type LongColumn, LongLines } from '../../text/long-lines.ts';
import { ASCII_BRANCHES, LINE_BRANCHES, treeLinesOf } from '../../text/tree.ts';
import { splitPath } from '../../workspace/argument.ts';
import { now } from '../../workspace/clock.ts';
import type { Owners } from '../../workspace/source.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { colorIn } from './command-line.ts';
import { beginColumns, type Columns, unpaged } from './extra-columns.ts';
import { complainOf, filtersText, isLong, LISTING_OPTIONS, type Printing, type Shown } from './list-lines.ts';
import type { Streams } from './streams.ts';

export async function showListing(workspace: Workspace, printing: Printing): Promise<number> {
  const { streams } = printing;
  const onProgress = progressTo(streams);
  // Colours and the mark of an executable need the mode of each entry, and a tree needs the targets of links.
  const asked: Query = { ...unpaged(printing), metadata: 'page' };
  const columns = await beginColumns(workspace, printing, onProgress);
  const listing = await listDirectory(asked, workspace, { ...LISTING_OPTIONS, onProgress });
  streams.status('');
  const status = complainOf(listing, streams);
  await showFound(listing, columns, printing);
  return status;
}

/** Shows a complete listing. `columns` is null for entries that were named one by one, wherever they are. */
export async function showFound(listing: Listing, columns: Columns | null, printing: Printing): Promise<void> {
  const { line, form, streams } = printing;
  const look = { color: colorIn(line), hyperlink: line.switch('hyperlink'), icons: line.switch('icons') };
  const display = displayFor(look, streams);
  const onPage = columns && (await columns.columnsOf(listing));
  const facts = columns === null ? NO_FACTS : await factsOf(listing, columns.workspace, display, printing);
  const palette = new Palette(streams.environment.LS_COLORS);
  const labels = labelsFor(display, palette, facts, form.prefix);
  const lines = entryLines(onPage ?? listing, display, labels, printing);
  const note = display.width === null || onPage === null ? '' : footer(listing, onPage, printing);
  if (note !== '') lines.push(display.hasColours ? painted(note, FAINT) : note);
  for (let from = 0; from < lines.length; from += BLOCK)
    await streams.write(Buffer.from(`${lines.slice(from, from + BLOCK).join('\n')}\n`));
}

/** The number of lines written at once. */
const BLOCK = 2048;

const NO_FACTS: Facts = { ends: new Map(), ignored: new Set(), twins: new Set(), hiddenOnly: new Set(), place: null };

function footer(listing: Listing, { entries, sizes }: Shown, { query, line }: Printing): string {
  const hasDetails = isLong(line) || query.depth > 1;
  const total = totalOf(listing.totals);
  const isEmpty = entries.length === 0 && listing.unselected > 0;
  const parts = [
    isEmpty ? `none of ${counted(listing.unselected, 'entry')} matches ${filtersText(line)}` : '',
    entries.length < total ? `${grouped(entries.length)} of ${grouped(total)} shown` : '',
    hasDetails && entries.length > 0 ? countsNote(entries, isLong(line) ? sizes : undefined, isLong(line)) : '',
    // With a filter, `-a` shows only those of them that match.
    hiddenNote(listing.hidden, filtersText(line) === '' ? { dotfile: '-a' } : {}),
  ];
  return parts.filter((part) => part !== '').join('; ');
}

async function factsOf(
  listing: Listing,
  workspace: Workspace,
  { hasColours, hasLinks }: Display,
  { query: { depth, select, rules, page }, line }: Printing,
): Promise<Facts> {
  const isAll = select.pattern === null && select.types === 'all' && select.where === undefined && rules.length === 0;
  const isWhole = isAll && page.offset === 0 && page.limit === Infinity && depth === Infinity;
  const isAsked = ['all', 'A', 'git'].some((name) => line.switch(name));
  const showsIgnored = hasColours && isAsked && !line.switch('git-ignore');
  return {
    ends: hasColours ? await endsOfLinks(listing, workspace) : new Map(),
    ignored: showsIgnored ? await ignoredEntries(listing, workspace, isWhole) : new Set(),
    twins: twinsAmong(listing.entries.map(({ name }) => name)),
    hiddenOnly: new Set(listing.hiddenOnly),
    place: hasLinks ? { host: hostname(), directory: inAbsolute(workspace.rootBytes, listing.path) } : null,
  };
}

const LONG_COLOURS = { inode: FAINT, permissions: FAINT, owner: FAINT, size: '32', time: '34', header: '4' } as const;

function paintedColumn(text: string, column: LongColumn): string {
  if (column !== 'git') return painted(text, text.endsWith('-') && column === 'size' ? FAINT : LONG_COLOURS[column]);
  const status = text.trimEnd();
  if (status === '--' || status === '!!' || status === '') return painted(text, FAINT);
  // Untracked is yellow, staged only is green, any other change is red, as in git's own colours.
  return painted(text, status.includes('?') ? '33' : status.endsWith('-') ? '32' : '31');
}

function entryLines(
  { entries, sizes, statusOf }: Shown,
  { hasColours, width, isUnicode }: Display,
  labels: Labels,
  printing: Printing,
): string[] {
  const { line, long: columns } = printing;
  const isDeep = entries.some(({ parent }) => parent !== '');
  const isTree = width !== null && isDeep && canBeTree(printing);
  const tree = (label: (entry: Entry, depth: number) => string) => {
    const rows = entries.map((entry) => {
      const depth = splitPath(entry.parent).names.length;
      return { label: label(entry, depth), depth };
    });
    return treeLinesOf(rows, isUnicode ? LINE_BRANCHES : ASCII_BRANCHES);
  };
  if (isLong(line)) {
    const owners = readOwners();
    const long = new LongLines({
      ...{ owners, width, sizes, statusOf },
      columns: width !== null && columns.time === 'default' ? { ...columns, time: 'short' } : columns,
      paint: hasColours ? paintedColumn : (text) => text,
      ...(width !== null && { isOwnGroup: ownGroups(owners) }),
    });
    let names: string[] | null = null;
    const blocks = long.of(entries, (entry, i, room) => {
      if (!isTree) return labels.long(entry, room);
      names ??= tree((inner, depth) => labels.name(inner, room - BRANCH * (depth + 1)));
      return names[i] as string;
    });
    const lines = blocks.flatMap((block) => block.split('\n').slice(0, -1));
    return columns.header ? [long.header, ...lines] : lines;
  }
  if (isTree) return tree((entry) => labels.name(entry));
  if (width === null || isDeep) return entries.map(labels.path);
  const cells = entries.map(labels.cell);
  return line.switch('oneline') ? cells.map(({ text }) => text) : columnLines(cells, width, line.switch('x'));
}

/** The width of a branch of the tree. */
const BRANCH = 4;

/** A group with the user's name, or that of the person who is looking, says nothing new. */
function ownGroups(owners: Owners): (user: number | null, group: number | null) => boolean {
  const [me, mine] = [process.getuid?.(), process.getgid?.()];
  return (user, group) => owners.user(user) === owners.group(group) || (user === me && group === mine);
}

/** True if each directory comes right before its contents, and none is left out. */
function canBeTree({ query: { order, select, page }, line }: Printing): boolean {
  const isWhole = select.types !== 'files' && select.pattern === null && select.where === undefined;
  return !ORDERS[order].isGlobal && isWhole && page.offset === 0 && !line.switch('oneline');
}

/** `path` is the path that the user typed; null if the heading already shows it. */
export function mapForEyes(
  { text, data, context }: Exclude<TreeResponse, { status: 'error' }>,
  folds: readonly DrawnFold[],
  color: DisplayOptions['color'],
  streams: Streams,
  path: string | null,
): string {
  const display = displayFor({ color, hyperlink: false, icons: false }, streams);
  const [first = ''] = text.replace('respect_git_ignore=false', '--no-git-ignore').split('\n', 1);
  const heading = path === null ? first : first.replace(/^# .*?(?=: \d+ files?, )/, () => `# ${path}`);
  const { entries, failed_items: failed = [] } = data as TreeData & { failed_items?: { path: string }[] };
  const unreadable = failed.map((one) => one.path);
  const map = { heading, listed: context.path_resolved ?? '.', entries, folds, unreadable };
  return mapFor(display, map, new Palette(streams.environment.LS_COLORS));
}

/** The files of `agent-ls find`, a line each, between what is said about them. */
export function foundForEyes(
  { heading, found, notes }: { heading: string; found: readonly Entry[]; notes: readonly string[] },
  prefix: Bytes,
  color: DisplayOptions['color'],
  streams: Streams,
): string {
  const display = displayFor({ color, hyperlink: false, icons: false }, streams);
  const labels = labelsFor(display, new Palette(streams.environment.LS_COLORS), NO_FACTS, prefix);
  const said = (text: string) => {
    const shown = display.isUnicode ? text : escapedToAscii(text);
    return display.hasColours ? painted(shown, FAINT) : shown;
  };
  return [said(heading), ...found.map(labels.path), ...notes.map(said)].join('\n');
}

/** Milliseconds before the first status line, and between two. */
const STATUS_DELAY = 1000;
const STATUS_INTERVAL = 100;

/** Shows progress on stderr; undefined unless the answer goes to a terminal: with `| less`, stderr is its screen. */
export function progressTo({ isTerminal, status }: Pick<Streams, 'isTerminal' | 'status'>, clock = now) {
  if (!isTerminal) return undefined;
  let next = clock() + STATUS_DELAY;
  return (entries: number) => {
    if (clock() < next) return;
    next = clock() + STATUS_INTERVAL;
    status(`${grouped(entries)} entries read`);
  };
}
