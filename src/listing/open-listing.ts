/** A single level that was read, and returns any entries until it is closed. For queries that pass `isOneLevel`. */

import type { Bytes } from '../names/bytes.ts';
import { onlyHidesDotfiles } from '../rules/builtin.ts';
import { Budget, type CallOptions } from '../workspace/budget.ts';
import { fromSystem } from '../workspace/listing-error.ts';
import { EntryBuffer } from '../workspace/reader.ts';
import type { LongTexts, SortedLevel } from '../workspace/sorted-level.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type { Entry } from './entry.ts';
import { linksToDirectories } from './level.ts';
import { contentsOf, describe } from './list.ts';
import type { Page, Query } from './query.ts';
import { openReading, type Reading } from './reading.ts';

interface OpenListing {
  readonly count: number;
  readonly notes: readonly string[];
  entries(page: Page): Promise<readonly Entry[]>;
  /** Returns entries with their metadata. Those that have vanished are left out. */
  described(page: Page): Promise<readonly Entry[]>;
  /** Returns their lines in a long listing; null if the source cannot write them itself. */
  longLines(page: Page, prefix: Bytes, texts: LongTexts): readonly Uint8Array[] | null;
  close(): void;
}

export async function openListing(query: Query, workspace: Workspace, options: CallOptions): Promise<OpenListing> {
  const reading = await openReading(query, workspace, new Budget(options));
  const { directory, budget } = reading;
  try {
    const sorted = sortedIn(query, reading);
    const { count, entries, longLines } = await (sorted === null
      ? collected(query, reading)
      : asSorted(sorted, reading));
    return {
      notes: budget.notes,
      count,
      entries,
      described: async (page) => (await describe(await entries(page), directory, budget)).described,
      longLines,
      close: () => {
        sorted?.close();
        directory.leave();
      },
    };
  } catch (error) {
    directory.leave();
    throw fromSystem(error, directory.path);
  }
}

type Contents = Pick<OpenListing, 'count' | 'entries' | 'longLines'>;

async function collected(query: Query, reading: Reading): Promise<Contents> {
  const { directory, budget } = reading;
  const { contents } = await contentsOf(query, reading, false);
  const pages = await contents.pages(query.page, null, directory, budget);
  return { count: contents.count, entries: (page) => pages.page(page, budget), longLines: () => null };
}

/** Asks the source to read and sort everything at once, if everything is requested; null if it cannot. */
function sortedIn({ order, page }: Query, { directory, scope }: Reading): SortedLevel | null {
  const hidesDotfiles = onlyHidesDotfiles(scope);
  const isWhole = page.offset === 0 && page.limit === Number.POSITIVE_INFINITY;
  return order === 'folded' && isWhole && hidesDotfiles !== null ? directory.readSorted(hidesDotfiles) : null;
}

async function asSorted(sorted: SortedLevel, { directory, budget }: Reading): Promise<Contents> {
  try {
    sorted.sort(await linksToDirectories(sorted.links, directory, budget));
  } catch (error) {
    sorted.close();
    throw error;
  }
  const to = ({ offset, limit }: Page) => Math.min(offset + limit, sorted.count);
  return {
    count: sorted.count,
    entries: async (page) => {
      const buffer = new EntryBuffer();
      sorted.appendTo(buffer, page.offset, to(page));
      const [names, parent] = [buffer.namesOf(0, buffer.count), '' as Bytes];
      return names.map((name, i) => {
        const [type, leadsToDirectory] = [buffer.typeAt(i), buffer.leadsToDirectory(i)];
        return { name, parent, type, leadsToDirectory, metadata: null };
      });
    },
    longLines: (page, prefix, texts) => sorted.longLines(page.offset, to(page), prefix, texts),
  };
}
