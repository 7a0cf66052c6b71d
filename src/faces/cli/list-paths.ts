/** Lists several paths, files, or directories themselves (`-d`): files first, then each directory under a heading. */
import { ORDERS, type Order } from '../../listing/orders.ts';
import type { Entry, Listing } from '../../listing/query.ts';
import type { Bytes } from '../../names/bytes.ts';
import { AT_ROOT, asGiven, namesOn, type RootPath } from '../../names/paths.ts';
import { escaped, shownAsGiven } from '../../names/quote.ts';
import { isAddress } from '../../sources/address.ts';
import { Budget, retrying } from '../../workspace/budget.ts';
import { ListingError } from '../../workspace/listing-error.ts';
import { folded } from '../../workspace/stored-name.ts';
import type { CommandLine } from './command-line.ts';
import { isForEyes, type Printing, writtenPath } from './list-lines.ts';
import { addressHint, failureIn, isConfined, missingPath, openAround, PathError } from './open-path.ts';
import { listDirectoryAt, printEntries, printJson } from './print-listing.ts';

const NO_STATUS =
  'agent-ls: --git shows the status of entries in a directory; for a single file, list its directory with -p NAME';

export async function listPaths(paths: readonly string[], printing: Printing): Promise<number> {
  const { line, streams } = printing;
  const entries: Entry[] = [];
  const directories: string[] = [];
  let status = 0;
  const attempt = async (act: () => Promise<number>) => {
    try {
      status = Math.max(status, await act());
    } catch (error) {
      // A missing path does not prevent the others from being listed.
      if (!(error instanceof ListingError)) throw error;
      const hints = error instanceof PathError ? error.hints : [];
      streams.complain([`agent-ls: ${error.message}`, ...hints].map(escaped).join('\n'));
      status = 1;
    }
  };
  for (const path of paths) {
    await attempt(async () => {
      const entry = await entryAt(path, line);
      if (entry === null) directories.push(path);
      else entries.push(entry);
      return 0;
    });
  }
  if (entries.length > 0) {
    await printNamed(entries, printing);
    if (line.switch('git')) streams.complain(NO_STATUS);
  }
  const hasHeadings = paths.length > 1 && isForEyes(line, streams) && !line.switch('json');
  for (const [i, path] of directories.entries()) {
    if (hasHeadings) await streams.print(`${i > 0 || entries.length > 0 ? '\n' : ''}${shownAsGiven(path)}:`);
    await attempt(() => listDirectoryAt(path, printing, paths.length > 1));
  }
  return status;
}

/** Returns null for a directory whose contents should be listed. */
async function entryAt(path: string, line: CommandLine): Promise<Entry | null> {
  // The root of a revision has no entry of its own.
  if (!isConfined(line) && isAddress(path)) return null;
  if (path === '') throw await missingPath(path, line, 'file or directory');
  const workspace = await openAround(path, line);
  const budget = Budget.unlimited();
  try {
    const { path: place, type } = await budget.run(workspace.locating(asGiven(path)));
    if (type === null) throw await missingPath(path, line, 'file or directory');
    const leadsToDirectory = type === 'dir' || (type === 'link' && (await failureIn(path, workspace)) === null);
    if (leadsToDirectory && !line.switch('directory')) return null;
    if (!leadsToDirectory && /[\\/]$/.test(path)) {
      const message = `cannot list '${shownAsGiven(path)}': not a directory`;
      throw new PathError('not-a-directory', message, [addressHint(path)]);
    }
    const root = await budget.run(workspace.enteringAt(AT_ROOT, budget));
    try {
      const name = asStored((writtenPath(path) || '.') as Bytes, place);
      const metadata = await retrying(() => root.entryAt(place), budget);
      return { name, parent: '' as Bytes, type, leadsToDirectory, metadata };
    } finally {
      root.leave();
    }
  } finally {
    workspace.close();
  }
}

/** On a disk that ignores case, the last name of a path may be stored in another spelling than it was written. */
function asStored(written: Bytes, place: RootPath): Bytes {
  const stored = namesOn(place).at(-1) ?? '';
  const start = written.slice(0, written.length - stored.length);
  return folded(written) === folded(`${start}${stored}` as Bytes) ? (`${start}${stored}` as Bytes) : written;
}

async function printNamed(named: readonly Entry[], printing: Printing): Promise<void> {
  const { query, line, streams } = printing;
  const listing = listingOf(inOrder(named, query.order, query.reverse));
  if (line.switch('json')) return printJson(listing, printing, null);
  if (!isForEyes(line, streams)) return printEntries(listing, printing);
  await (await import('./show.ts')).showFound(listing, null, printing);
}

function inOrder(entries: readonly Entry[], order: Order, reverse: boolean): Entry[] {
  const { keyOf, compareTexts } = ORDERS[order];
  const compare = compareTexts();
  const rows = entries.map((entry) => ({ entry, key: keyOf(entry) }));
  rows.sort((a, b) => a.key.rank - b.key.rank || compare(a.key.text, b.key.text));
  return (reverse ? rows.reverse() : rows).map(({ entry }) => entry);
}

/** Makes a listing of entries that were named one by one. No rule hides an entry that was named. */
function listingOf(entries: readonly Entry[]): Listing {
  const totals = { file: 0, dir: 0, link: 0, other: 0 };
  for (const { type } of entries) totals[type]++;
  return {
    ...{ path: AT_ROOT, entries, end: entries.length, totals, hidden: new Map(), unselected: 0, unopened: 0, size: 0 },
    ...{ unreadable: [], hiddenOnly: [], isFromCache: false, stopped: null, notes: [] },
  };
}
