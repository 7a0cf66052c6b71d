/** A single level that was read, and returns any entries until it is closed. For queries that pass `isOneLevel`. */

import { Budget, type CallOptions } from '../workspace/budget.ts';
import { fromSystem } from '../workspace/listing-error.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type { Entry } from './entry.ts';
import { contentsOf, describe } from './list.ts';
import type { Page, Query } from './query.ts';
import { openReading } from './reading.ts';

interface OpenListing {
  readonly count: number;
  readonly notes: readonly string[];
  entries(page: Page): Promise<readonly Entry[]>;
  /** Returns entries with their metadata. Those that have vanished are left out. */
  described(page: Page): Promise<readonly Entry[]>;
  close(): void;
}

export async function openListing(query: Query, workspace: Workspace, options: CallOptions): Promise<OpenListing> {
  const reading = await openReading(query, workspace, new Budget(options));
  const { directory, budget } = reading;
  try {
    const { contents } = await contentsOf(query, reading, false);
    const pages = await contents.pages(query.page, null, directory, budget);
    return {
      notes: budget.notes,
      count: contents.count,
      entries: (page) => pages.page(page, budget),
      described: async (page) => (await describe(await pages.page(page, budget), directory, budget)).described,
      close: () => directory.leave(),
    };
  } catch (error) {
    directory.leave();
    throw fromSystem(error, directory.path);
  }
}
