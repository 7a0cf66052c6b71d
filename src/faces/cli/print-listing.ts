/** Prints a listing for a program, as entries are found. `show.ts` prints for people. */
import { readOwners } from '../../disk/owners.ts';
import { formed } from '../../listing/entry.ts';
import { isOneLevel, listDirectory, openListing } from '../../listing/list.ts';
import type { Listing, Query } from '../../listing/query.ts';
import { below } from '../../names/bytes.ts';
import { shownAsGiven } from '../../names/quote.ts';
import { UsageError } from '../../protocol/usage-error.ts';
import { pathLine } from '../../text/lines.ts';
import { Budget } from '../../workspace/budget.ts';
import { ListingError } from '../../workspace/listing-error.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { ListedForm, structured } from '../library/list.ts';
import { colorIn } from './command-line.ts';
import type { Printing, Shown } from './list-lines.ts';
import { complainOf, isForEyes, LISTING_OPTIONS, longLines, pathPrefix, walkLines } from './list-lines.ts';
import { openTyped } from './open-path.ts';
import { jsonText } from './streams.ts';

/** Lists one directory of a command line, and returns the exit status. */
export async function listDirectoryAt(path: string, all: Printing, isOneOfSeveral: boolean): Promise<number> {
  const { workspace, path: listed } = await openTyped(path, all.line, all.line.switch('git') || undefined);
  const query = { ...all.query, path: listed };
  // Paths inside a root elsewhere stay relative: no program could open them prefixed with its address.
  const isPath = isOneOfSeveral || (query.depth > 1 && !workspace.loads);
  const form = { ...all.form, prefix: pathPrefix(isPath ? path : '.') };
  try {
    return await printListing(workspace, { ...all, query, form }, isOneOfSeveral ? path : null);
  } catch (error) {
    if (!(error instanceof ListingError)) throw error;
    if (error.kind === 'bad-pattern') throw new UsageError(error.message);
    throw new ListingError(error.kind, `cannot list '${shownAsGiven(path)}': ${error.message}`);
  }
}

/** Returns the exit status. `given` is the path to show in the output if there are several paths; else null. */
async function printListing(workspace: Workspace, printing: Printing, given: string | null): Promise<number> {
  const { query, line, streams } = printing;
  // A misspelt colour is refused even if nothing is coloured.
  colorIn(line);
  if (line.switch('json')) {
    const listing = await listDirectory(query, workspace, LISTING_OPTIONS);
    await printJson(listing, printing, given);
    return listing.unreadable.length === 0 ? 0 : 1;
  }
  if (isForEyes(line, streams)) return (await import('./show.ts')).showListing(workspace, printing);
  // Columns that need more than a look at each entry.
  const extras = ['git', 'total-size'].some((name) => line.switch(name)) ? await import('./extra-columns.ts') : null;
  if (extras === null && isStream(query)) return complainOf(await walkLines(printing, workspace), streams);
  if (extras === null && isOneLevel(query) && query.metadata === 'page') return printInBlocks(workspace, printing);
  const columns = await extras?.beginColumns(workspace, printing);
  const listing = await listDirectory(extras?.unpaged(printing) ?? query, workspace, LISTING_OPTIONS);
  const status = complainOf(listing, streams);
  await printEntries((await columns?.columnsOf(listing)) ?? listing, printing);
  return status;
}

export async function printJson(listing: Listing, { query, streams }: Printing, given: string | null) {
  const form = new ListedForm(query.metadata === 'none' ? null : readOwners(), null);
  const found = structured({ ...listing, entries: await formed(listing.entries, form, new Budget({})) });
  await streams.print(jsonText(given === null ? found : { ...found, path: shownAsGiven(given) }));
}

export async function printEntries(shown: Shown, printing: Printing): Promise<void> {
  const { query, form, streams } = printing;
  const { entries } = shown;
  if (query.metadata === 'none') {
    const paths = entries.map(({ parent, name, type }) => pathLine(below(parent, name), type === 'dir', form));
    return streams.write(Buffer.from(paths.join(''), 'latin1'));
  }
  for (const lines of longLines(printing, shown)(entries)) await streams.write(Buffer.from(lines));
}

/** Entries per block. Perf: so small a block becomes garbage before the collector would have to move it. */
const ENTRIES = 2048;

async function printInBlocks(workspace: Workspace, printing: Printing): Promise<number> {
  const { query, streams } = printing;
  const listing = await openListing(query, workspace, LISTING_OPTIONS);
  try {
    const long = longLines(printing);
    const { offset, limit } = query.page;
    const end = Math.min(offset + limit, listing.count);
    for (let from = offset; from < end; from += ENTRIES) {
      const page = { offset: from, limit: Math.min(ENTRIES, end - from) };
      for (const lines of long(await listing.described(page))) await streams.write(Buffer.from(lines));
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
