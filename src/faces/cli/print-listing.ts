/** Prints a listing for a program, as entries are found. `show.ts` prints for people. */
import { readOwners } from '../../disk/owners.ts';
import { formed } from '../../listing/entry.ts';
import { isOneLevel, listDirectory, openListing } from '../../listing/list.ts';
import type { Entry, Listing, Query } from '../../listing/query.ts';
import { below } from '../../names/bytes.ts';
import { shownAsGiven } from '../../names/quote.ts';
import { UsageError } from '../../protocol/usage-error.ts';
import { type PathForm, pathLine } from '../../text/lines.ts';
import { Budget } from '../../workspace/budget.ts';
import { ListingError } from '../../workspace/listing-error.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { ListedForm, structured } from '../library/list.ts';
import { colorIn } from './command-line.ts';
import {
  complainOf,
  isForEyes,
  LISTING_OPTIONS,
  type ListRequest,
  longLines,
  type Printing,
  pathPrefix,
  walkLines,
} from './list-lines.ts';
import { openTyped } from './open-path.ts';
import { jsonText, type Streams } from './streams.ts';

/** Lists one directory of a command line, and returns the exit status. */
export async function listDirectoryAt(
  path: string,
  { query: view, long, line }: ListRequest,
  streams: Streams,
  isOneOfSeveral: boolean,
): Promise<number> {
  const { workspace, path: listed } = await openTyped(path, line, line.switch('git') || undefined);
  const query = { ...view, path: listed };
  // Paths inside a root that is not on this machine stay relative: no program could open them prefixed with its
  // address.
  const isPath = isOneOfSeveral || (query.depth > 1 && !workspace.loads);
  const format = { prefix: pathPrefix(isPath ? path : '.'), isNull: line.switch('null'), long };
  try {
    return await printListing(workspace, { query, line, format, streams }, isOneOfSeveral ? path : null);
  } catch (error) {
    if (!(error instanceof ListingError)) throw error;
    if (error.kind === 'bad-pattern') throw new UsageError(error.message);
    throw new ListingError(error.kind, `cannot list '${shownAsGiven(path)}': ${error.message}`);
  }
}

/** Returns the exit status. `given` is the path to show in the output if there are several paths; else null. */
async function printListing(workspace: Workspace, printing: Printing, given: string | null): Promise<number> {
  const { query, line, format, streams } = printing;
  // A misspelt colour is refused even if nothing is coloured.
  colorIn(line);
  if (line.switch('json')) {
    const listing = await listDirectory(query, workspace, LISTING_OPTIONS);
    await printJson(listing, printing, given);
    return listing.unreadable.length === 0 ? 0 : 1;
  }
  if (isForEyes(line, streams)) {
    const { showListing } = await import('./show.ts');
    return showListing(workspace, printing);
  }
  const isPlain = !EXTRAS.some((name) => line.switch(name));
  if (isPlain && isOneLevel(query)) return printInBlocks(workspace, printing);
  if (isPlain && isStream(query)) return complainOf(await walkLines(query, workspace, streams.write, format), streams);
  const asked = isPlain ? query : (await import('./extra-columns.ts')).unpaged(printing);
  const listing = await listDirectory(asked, workspace, LISTING_OPTIONS);
  const status = complainOf(listing, streams);
  await printFound(listing, workspace, printing);
  return status;
}

/** Columns that need more than a look at each entry. */
const EXTRAS = ['git', 'total-size'];

export async function printJson(listing: Listing, { query, streams }: Printing, given: string | null): Promise<void> {
  const form = new ListedForm(query.metadata === 'none' ? null : readOwners(), null);
  const found = structured({ ...listing, entries: await formed(listing.entries, form, new Budget({})) });
  await streams.print(jsonText(given === null ? found : { ...found, path: shownAsGiven(given) }));
}

/** Prints a complete listing. `workspace` is null for entries that were named one by one, wherever they are. */
export async function printFound(listing: Listing, workspace: Workspace | null, printing: Printing): Promise<void> {
  const { query, line, format, streams } = printing;
  if (query.metadata === 'none') return streams.write(pathLines(listing.entries, format));
  const isPlain = workspace === null || !EXTRAS.some((name) => line.switch(name));
  const extras = isPlain
    ? undefined
    : await (await import('./extra-columns.ts')).extraColumns(listing, workspace, printing);
  const long = longLines(format, extras);
  const lines = long.of(extras?.entries ?? listing.entries);
  await streams.write(Buffer.from(long.header() + lines));
}

function pathLines(entries: readonly Entry[], form: PathForm): Uint8Array {
  const lines = entries.map(({ parent, name, type }) => pathLine(below(parent, name), type === 'dir', form));
  return Buffer.from(lines.join(''), 'latin1');
}

/** Entries per block. Perf: so small a block becomes garbage before the collector would have to move it. */
const ENTRIES = 2048;

async function printInBlocks(workspace: Workspace, { query, format, streams }: Printing): Promise<number> {
  const listing = await openListing(query, workspace, LISTING_OPTIONS);
  try {
    const long = query.metadata === 'none' ? null : longLines(format);
    const { offset, limit } = query.page;
    const end = Math.min(offset + limit, listing.count);
    for (let from = offset; from < end; from += ENTRIES) {
      const page = { offset: from, limit: Math.min(ENTRIES, end - from) };
      if (long === null) {
        await streams.write(pathLines(await listing.entries(page), format));
        continue;
      }
      const lines = long.of(await listing.described(page));
      await streams.write(Buffer.from(from === offset ? long.header() + lines : lines));
    }
    return complainOf({ unreadable: [], notes: listing.notes }, streams);
  } finally {
    listing.close();
  }
}

/** True if paths can be printed in the order in which they are found. */
function isStream({ order, page, metadata }: Query): boolean {
  return order === 'folded' && metadata === 'none' && page.offset === 0 && page.limit === Number.POSITIVE_INFINITY;
}
