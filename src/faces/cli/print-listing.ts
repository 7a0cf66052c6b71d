/** How a listing is printed where a program reads it: as it is found. What a person sees is another file's matter. */
import { isOneLevel, listDirectory, type OpenListing, openListing } from '../../listing/list.ts';
import type { Entry, Page, Query } from '../../listing/query.ts';
import { entryLine } from '../../text/lines.ts';
import { Budget } from '../../workspace/budget.ts';
import { type Bytes, below } from '../../workspace/bytes.ts';
import { asGiven } from '../../workspace/paths.ts';
import { inJson, shown } from '../../workspace/quote.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { structured } from '../library/list.ts';
import { type CommandLine, colorIn } from './options.ts';
import { complainOf, LISTING_OPTIONS, Printer } from './printer.ts';
import type { SecondThread } from './second-thread.ts';
import { jsonText, type Streams } from './streams.ts';

export async function printListing(
  query: Query,
  workspace: Workspace,
  line: CommandLine,
  streams: Streams,
): Promise<void> {
  const color = colorIn(line);
  if (line.switch('json')) {
    const listing = await listDirectory(query, workspace, LISTING_OPTIONS);
    return streams.print(jsonText(await structured(listing, line.switch('long'))));
  }
  if (streams.isTerminal || color === 'always') {
    const { showListing } = await import('./show.ts');
    return showListing(query, workspace, line, color, streams);
  }
  const located = { ...query, path: await realPathOf(query.path, workspace) };
  if (isOneLevel(query)) return printInBlocks(located, workspace, streams);
  if (isStream(query)) return printWhileWalking(located, workspace, streams);
  const listing = await listDirectory(query, workspace, LISTING_OPTIONS);
  complainOf(listing, streams);
  const printer = new Printer(streams);
  if (query.metadata === 'none') {
    for (const { parent, name, type } of listing.entries) await printer.add(`${lineOf(below(parent, name), type)}\n`);
  } else {
    const { longLines } = await import('./walk-job.ts');
    await printer.add(longLines()(listing.entries));
  }
  await printer.flush();
}

/** By its real path a second thread finds the directory, too, whatever the cwd is. */
async function realPathOf(path: string, workspace: Workspace): Promise<string> {
  const budget = Budget.unlimited();
  const directory = await budget.run(workspace.entering(asGiven(path), budget));
  directory.leave();
  return inJson(directory.path === '' ? workspace.rootBytes : below(workspace.rootBytes, directory.path));
}

/** A trailing slash may be sent back, a mark for links may not. */
function lineOf(path: Bytes, type: Entry['type']): string {
  return type === 'link' ? shown(path) : entryLine(path, type);
}

/** Entries of a block. Perf: so few are garbage before the collector would have to move them. */
const ENTRIES = 2048;

async function printInBlocks(query: Query, workspace: Workspace, streams: Streams): Promise<void> {
  const printer = new Printer(streams);
  const listing = await openListing(query, workspace, LISTING_OPTIONS);
  try {
    const { offset, limit } = query.page;
    const end = Math.min(offset + limit, listing.count);
    if (query.metadata === 'none') await printNames(listing, offset, end, printer);
    else await printLong(listing, offset, end, printer, await helperFor(query, workspace));
    complainOf({ unreadable: [], notes: listing.notes }, streams);
  } finally {
    listing.close();
  }
  await printer.flush();
}

async function printNames(listing: OpenListing, offset: number, end: number, printer: Printer): Promise<void> {
  for (let from = offset; from < end; from += ENTRIES) {
    const entries = await listing.entries({ offset: from, limit: Math.min(ENTRIES, end - from) });
    await printer.add(entries.map(({ name, type }) => `${lineOf(name, type)}\n`).join(''));
  }
}

/** To ask the system for each entry takes most of the time, so a second thread takes blocks from the end. */
async function printLong(
  listing: OpenListing,
  offset: number,
  end: number,
  printer: Printer,
  helper: SecondThread,
): Promise<void> {
  const { longLines } = await import('./walk-job.ts');
  const make = longLines();
  const lines = async (page: Page) => Buffer.from(make(await listing.described(page)));
  const given: { readonly page: Page; readonly result: Promise<Uint8Array | null> }[] = [];
  try {
    let to = end;
    for (let from = offset; from < to; from += ENTRIES) {
      while (helper.wantsWork && to - from > 2 * ENTRIES) {
        const page = { offset: to - ENTRIES, limit: ENTRIES };
        const entries = await listing.entries(page);
        given.push({ page, result: helper.describe(entries.map(({ name }) => name)) });
        to -= ENTRIES;
      }
      await printer.write(await lines({ offset: from, limit: Math.min(ENTRIES, to - from) }));
      // What the other thread has to say is heard between two turns.
      await new Promise(setImmediate);
    }
    for (const { page, result } of given.toReversed()) await printer.write((await result) ?? (await lines(page)));
  } finally {
    helper.close();
  }
}

async function helperFor(query: Query, workspace: Workspace): Promise<SecondThread> {
  const { SecondThread } = await import('./second-thread.ts');
  return new SecondThread(query, workspace);
}

/** Whether paths can be printed in the order in which they are found. */
function isStream({ order, page, metadata }: Query): boolean {
  return order === 'folded' && metadata === 'none' && page.offset === 0 && page.limit === Number.POSITIVE_INFINITY;
}

async function printWhileWalking(query: Query, workspace: Workspace, streams: Streams): Promise<void> {
  const { walkLines } = await import('./walk-job.ts');
  const helper = await helperFor(query, workspace);
  try {
    complainOf(await walkLines(query, workspace, streams.write, helper), streams);
  } finally {
    helper.close();
  }
}
