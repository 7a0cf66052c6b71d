/**
 * Shows a listing to a person, in columns, as a tree or in detail, with colours and a note on what is hidden; or a map; and
 * how far a long walk has come.
 */
import { hostname } from 'node:os';
import { ignoredEntries } from '../../listing/ignored-entries.ts';
import { endsOfLinks } from '../../listing/link-ends.ts';
import { listDirectory } from '../../listing/list.ts';
import type { CallOptions, Entry, Listing, Query } from '../../listing/query.ts';
import { grouped } from '../../protocol/size.ts';
import { columnLines } from '../../terminal/columns.ts';
import { type Display, type DisplayOptions, displayFor } from '../../terminal/display.ts';
import { hiddenNote } from '../../terminal/footer.ts';
import { type Facts, Labels } from '../../terminal/labels.ts';
import { type MapLook, mapFor } from '../../terminal/map.ts';
import { FAINT, Palette, painted, type Sgr } from '../../terminal/palette.ts';
import { type LongColumn, LongLines } from '../../text/long-lines.ts';
import { ASCII_BRANCHES, LINE_BRANCHES, treeLinesOf } from '../../text/tree.ts';
import { splitPath } from '../../workspace/argument.ts';
import type { Bytes } from '../../workspace/bytes.ts';
import { now } from '../../workspace/clock.ts';
import { readOwners } from '../../workspace/owners.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import type { CommandLine } from './options.ts';
import { complainOf, LISTING_OPTIONS, Printer } from './printer.ts';
import type { Streams } from './streams.ts';

export async function showListing(
  query: Query,
  workspace: Workspace,
  line: CommandLine,
  color: DisplayOptions['color'],
  streams: Streams,
): Promise<void> {
  const display = displayFor({ color, hyperlink: line.switch('hyperlink') }, streams);
  const onProgress = progressTo(streams);
  const listing = await listDirectory(askingFor(query, display), workspace, { ...LISTING_OPTIONS, onProgress });
  streams.status('');
  complainOf(listing, streams);
  const palette = new Palette(streams.environment.LS_COLORS);
  const labels = new Labels(display, palette, await factsOf(listing, query, workspace, display, line));
  const printer = new Printer(streams);
  for (const text of entryLines(listing.entries, line, display, labels)) await printer.add(`${text}\n`);
  const note = display.width === null ? '' : hiddenNote(listing.hidden, { dotfile: '-a' });
  if (note !== '') await printer.add(`${display.hasColours ? painted(note, FAINT) : note}\n`);
  await printer.flush();
}

/** Colours need the mode of each entry, a tree needs the targets of links. */
function askingFor(query: Query, { hasColours }: Display): Query {
  if (query.metadata === 'page' || hasColours) return { ...query, metadata: 'page' };
  return query.depth > 1 ? { ...query, metadata: 'links' } : query;
}

async function factsOf(
  listing: Listing,
  { depth, select, rules, page }: Query,
  workspace: Workspace,
  { hasColours, hasLinks }: Display,
  line: CommandLine,
): Promise<Facts> {
  const isWhole =
    select.pattern === null &&
    select.types === 'all' &&
    rules.length === 0 &&
    page.offset === 0 &&
    page.limit === Number.POSITIVE_INFINITY &&
    depth === Number.POSITIVE_INFINITY;
  const showsIgnored = hasColours && line.switch('all') && !line.switch('git-ignore');
  return {
    ends: hasColours ? await endsOfLinks(listing, workspace) : new Map(),
    ignored: showsIgnored ? await ignoredEntries(listing, workspace, isWhole) : new Set(),
    place: hasLinks ? { host: hostname(), directory: absolute(listing.path, workspace) } : null,
  };
}

function absolute(path: Bytes, { rootBytes }: Workspace): Bytes {
  const root = rootBytes === '/' ? ('' as Bytes) : rootBytes;
  return path === '' ? root : (`${root}/${path}` as Bytes);
}

const LONG_COLOURS: Readonly<Record<LongColumn, Sgr>> = { permissions: FAINT, owner: FAINT, size: '32', time: '34' };

function paintedColumn(text: string, column: LongColumn): string {
  return painted(text, text.endsWith('-') && column === 'size' ? FAINT : LONG_COLOURS[column]);
}

function entryLines(entries: readonly Entry[], line: CommandLine, display: Display, labels: Labels): string[] {
  const { hasColours, width, isUnicode } = display;
  if (line.switch('long')) {
    const long = new LongLines({
      owners: readOwners(),
      sizes: width === null ? 'bytes' : 'human',
      paint: hasColours ? paintedColumn : (text) => text,
    });
    return long.of(entries, (entry) => labels.long(entry));
  }
  const isDeep = entries.some(({ parent }) => parent !== '');
  if (width === null || (isDeep && !canBeTree(line))) return entries.map((entry) => labels.path(entry));
  if (!isDeep) {
    return columnLines(
      entries.map((entry) => labels.cell(entry)),
      width,
    );
  }
  const rows = entries.map((entry) => ({ label: labels.name(entry), depth: splitPath(entry.parent).names.length }));
  return treeLinesOf(rows, isUnicode ? LINE_BRANCHES : ASCII_BRANCHES);
}

/** True if each directory comes right before its contents, and none is left out. */
function canBeTree(line: CommandLine): boolean {
  const isByName = (line.value('sort') ?? 'name') === 'name';
  return isByName && !line.switch('files') && !line.switch('pattern') && !line.switch('offset');
}

export function mapForEyes(text: string, color: DisplayOptions['color'], streams: Streams, look: MapLook): string {
  const display = displayFor({ color, hyperlink: false }, streams);
  return mapFor(display, text, new Palette(streams.environment.LS_COLORS), look);
}

/** In milliseconds, before the first line and between two. */
const STATUS_DELAY = 1000;
const STATUS_INTERVAL = 100;

/** Shows on stderr how far a walk has come. Undefined unless the answer goes to a terminal: with `| less`, stderr is the pager's screen. */
export function progressTo(
  { isTerminal, status }: Pick<Streams, 'isTerminal' | 'status'>,
  clock: () => number = now,
): CallOptions['onProgress'] {
  if (!isTerminal) return undefined;
  let next = clock() + STATUS_DELAY;
  return (entries) => {
    if (clock() < next) return;
    next = clock() + STATUS_INTERVAL;
    status(`${grouped(entries)} entries read`);
  };
}
