/** A listing: pin the directory, bind the rules, and read; or use what was read before, if that has not changed. */
import { type Scope, scopeOf } from '../rules/rule.ts';
import { rulesFor } from '../rules/rule-spec.ts';
import { Budget } from '../workspace/budget.ts';
import type { Bytes } from '../workspace/bytes.ts';
import { fromSystem, ListingError } from '../workspace/listing-error.ts';
import type { Visit } from '../workspace/visit.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { directoryCache } from './cache.ts';
import { type Contents, readContents } from './contents.ts';
import type { CallOptions, Entry, Listing, Page, Query, Stop } from './query.ts';

export async function listDirectory(query: Query, workspace: Workspace, options: CallOptions): Promise<Listing> {
  const budget = new Budget(options);
  const stopped = budget.stopReason();
  if (stopped !== null) throw new ListingError(stopped, 'nothing was read');
  // Perf: a walk is much code that a single level does without.
  const walking = isOneLevel(query) ? null : await (await import('./walk-listing.ts')).prepareWalk(query, budget);
  const rules = await rulesFor(query.rules);
  const directory = await budget.run(workspace.entering(query.path, budget));
  try {
    const scope = await scopeOf(rules, directory, budget);
    if (walking !== null) return await walking(directory, scope);
    const key = options.cache === false ? null : keyOf(query, directory, scope);
    const known = key === null ? null : directoryCache.find(key, directory);
    const contents = known ?? (await contentsOf(query, directory, scope, budget, key));
    return { ...(await pageOf(contents, query, directory, budget)), isFromCache: known !== null };
  } catch (error) {
    throw fromSystem(error, directory.path);
  } finally {
    directory.leave();
  }
}

/** A single level that was read, of which any entries can be had, until it is closed. For queries that `isOneLevel`. */
export interface OpenListing {
  readonly path: Bytes;
  readonly count: number;
  readonly notes: readonly string[];
  entries(page: Page): Promise<readonly Entry[]>;
  /** The same with metadata; what has vanished is left out. */
  described(page: Page): Promise<readonly Entry[]>;
  close(): void;
}

export async function openListing(query: Query, workspace: Workspace, options: CallOptions): Promise<OpenListing> {
  const budget = new Budget(options);
  const rules = await rulesFor(query.rules);
  const directory = await budget.run(workspace.entering(query.path, budget));
  const { path } = directory;
  try {
    const scope = await scopeOf(rules, directory, budget);
    const { collector, totals } = await contentsOf(query, directory, scope, budget, null);
    return {
      path,
      notes: budget.notes,
      count: totals.file + totals.dir + totals.link + totals.other,
      entries: (page) => collector.page(page, budget),
      described: async (page) => (await withMetadata(await collector.page(page, budget), directory, budget)).entries,
      close: () => directory.leave(),
    };
  } catch (error) {
    directory.leave();
    throw fromSystem(error, path);
  }
}

/** Whether it is what the pages of a single directory are made for; everything else takes a walk. */
export function isOneLevel({ depth, order, reverse, select, metadata }: Query): boolean {
  const isPlain =
    !reverse && select.pattern === null && select.types === 'all' && metadata !== 'all' && metadata !== 'links';
  return depth === 1 && isPlain && (order === 'folded' || order === 'english');
}

function keyOf({ order }: Query, { rootPath, path }: Visit, scope: Scope): string {
  return JSON.stringify([rootPath, path, order, scope.key()]);
}

/** Read anew; and kept under `key` for the next call, unless that is null or later changes could not be noticed. */
async function contentsOf(
  { order, page, after }: Query,
  directory: Visit,
  scope: Scope,
  budget: Budget,
  key: string | null,
): Promise<Contents> {
  const before = key === null ? null : directory.stamp();
  const all = before === null ? null : directoryCache.roomFor(before);
  const keep = { after, end: page.offset + page.limit, all };
  const contents = await readContents(directory, scope, order, keep, budget);
  if (key !== null && before !== null && all !== null) directoryCache.keep(key, contents, before, directory);
  return contents;
}

async function pageOf(
  { collector, totals, hidden, stopped }: Contents,
  { page, after, metadata }: Query,
  directory: Visit,
  budget: Budget,
): Promise<Omit<Listing, 'isFromCache'>> {
  const offset = after === null ? page.offset : await collector.positionAfter(after, budget);
  const found = await collector.page({ offset, limit: page.limit }, budget);
  const whole = { entries: found, asked: found.length, stopped: null };
  const described = metadata === 'none' ? whole : await withMetadata(found, directory, budget);
  const end = offset + described.asked;
  const about = { path: directory.path, end, totals, hidden, unreadable: [], size: 0, notes: budget.notes };
  return { ...about, entries: described.entries, stopped: stopped ?? described.stopped };
}

/** Entries that are described between two looks at the clock: about a millisecond. */
const HANDFUL = 256;

interface DescribedEntries {
  readonly entries: readonly Entry[];
  /** How many were asked for, those included that had vanished. */
  readonly asked: number;
  /** Why not all of them were; null when they were. */
  readonly stopped: Stop | null;
}

/** What has vanished meanwhile is left out. */
async function withMetadata(entries: readonly Entry[], directory: Visit, budget: Budget): Promise<DescribedEntries> {
  const described: Entry[] = [];
  let asked = 0;
  let stopped: Stop | null = null;
  while (asked < entries.length && stopped === null) {
    describeSome(entries.slice(asked, asked + HANDFUL), directory, described);
    asked = Math.min(asked + HANDFUL, entries.length);
    await budget.yieldIfDue();
    if (asked < entries.length) stopped = budget.stopReason();
  }
  return { entries: described, asked, stopped };
}

function describeSome(entries: readonly Entry[], directory: Visit, described: Entry[]): void {
  for (const { name, parent, type, leadsToDirectory } of entries) {
    const metadata = directory.metadata(name);
    if (metadata === null) continue;
    const known = metadata === 'refused' ? null : metadata;
    described.push({ name, parent, type, leadsToDirectory, metadata: known });
  }
}
