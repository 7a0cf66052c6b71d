/** Lists a directory: reads one level or walks several, or reuses what was read before if it is unchanged. */
import type { RootPath } from '../names/paths.ts';
import { Budget, type CallOptions } from '../workspace/budget.ts';
import type { DirectoryCache } from '../workspace/cache.ts';
import { fromSystem } from '../workspace/listing-error.ts';
import { HANDFUL } from '../workspace/steps.ts';
import type { Visit } from '../workspace/visit.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { ENTRY, type Entry, type EntryForm, formed } from './entry.ts';
import { LevelContents } from './level-contents.ts';
import { ORDERS } from './orders.ts';
import type { Listing, Page, Query } from './query.ts';
import { openReading, type Reading, withReading } from './reading.ts';

export function listDirectory(query: Query, workspace: Workspace, options: CallOptions): Promise<Listing> {
  return listDirectoryAs(() => ENTRY, query, workspace, options);
}

/** Lists a directory with its entries in another form, which may depend on the directory's path. */
export async function listDirectoryAs<T>(
  formAt: (path: RootPath) => EntryForm<T>,
  query: Query,
  workspace: Workspace,
  options: CallOptions,
): Promise<Listing<T>> {
  const budget = new Budget(options);
  if (isOneLevel(query)) {
    const { entries, ...listing } = await withReading(query, workspace, budget, (reading) =>
      listLevel(query, reading, options.cache ?? true),
    );
    return { ...listing, entries: await formed(entries, formAt(listing.path), budget) };
  }
  // Perf: a walk needs much code that a single level does not.
  const { listByWalking, listOrRecall, planFor } = await import('./walk-listing.ts');
  const plan = await planFor(query, budget);
  const list = (options.cache ?? true) ? listOrRecall : listByWalking;
  return withReading(query, workspace, budget, (reading) => list(query, plan, reading, formAt(reading.directory.path)));
}

/** True if the pages of a single directory can answer the query. Any other query needs a walk. */
export function isOneLevel({ depth, order, reverse, select, metadata }: Query): boolean {
  const isPlain = !reverse && select.pattern === null && select.types === 'all' && !select.where && !select.filter;
  return depth === 1 && isPlain && (metadata === 'none' || metadata === 'page') && ORDERS[order].directoriesFirst;
}

async function listLevel(query: Query, reading: Reading, mayUseCache: boolean): Promise<Listing> {
  const { directory, budget } = reading;
  const { page, after, metadata } = query;
  const { contents, isFromCache } = await contentsOf(query, reading, mayUseCache);
  const pages = await contents.pages(page, after, directory, budget);
  const offset = after === null ? page.offset : await pages.positionAfter(after, budget);
  const found = await pages.page({ offset, limit: page.limit }, budget);
  const { described, asked } =
    metadata === 'none' ? { described: found, asked: found.length } : await describe(found, directory, budget);
  return {
    path: directory.path,
    entries: described,
    end: offset + asked,
    ...contents.counts,
    unselected: 0,
    unopened: 0,
    unreadable: [],
    hiddenOnly: [],
    size: 0,
    isFromCache,
    stopped: contents.stopped ?? budget.stopped,
    notes: budget.notes,
  };
}

/** Bytes that even an empty directory takes, because buffers for some entries are allocated in advance. */
const MIN_SIZE = 8 * 1024;

/** Loaded on first use, because the command rarely needs it. */
let cache: DirectoryCache | null = null;

/** Returns the cached contents of the directory, or reads them and caches them if changes can be detected. */
async function contentsOf({ order, page, after }: Query, { directory, scope, budget }: Reading, mayUseCache: boolean) {
  const read = (bytes: number) =>
    LevelContents.read(directory, scope, order, { bytes, end: page.offset + page.limit, after }, budget);
  if (!mayUseCache) return { contents: await read(0), isFromCache: false };
  cache ??= (await import('../workspace/cache.ts')).directoryCache;
  const key = JSON.stringify([directory.rootRealPath, directory.path, order, scope.key()]);
  const known = cache.find<LevelContents>(key, () => directory.stamp());
  if (known !== null) return { contents: known, isFromCache: true };
  const before = directory.stamp();
  const isSettled = before !== null && cache.isSettled(before);
  const contents = await read(isSettled ? cache.limit : 0);
  if (isSettled && contents.isWhole && contents.stopped === null) {
    cache.keep(key, contents, MIN_SIZE + contents.size, before, directory.stamp());
  }
  return { contents, isFromCache: false };
}

/** Adds metadata to entries. Those that have vanished are left out, but counted in `asked`. */
async function describe(entries: readonly Entry[], directory: Visit, budget: Budget) {
  await directory.loadMetadata(() => entries.map(({ name }) => name));
  const described: Entry[] = [];
  let asked = 0;
  do {
    const some = entries.slice(asked, asked + HANDFUL.directories);
    described.push(...some.map((entry) => withMetadata(entry, directory)).filter((entry) => entry !== null));
    asked += some.length;
  } while (asked < entries.length && (await budget.proceed()));
  return { described, asked };
}

function withMetadata({ name, parent, type, leadsToDirectory }: Entry, directory: Visit): Entry | null {
  const metadata = directory.metadata(name, type);
  if (metadata === null) return null;
  return { name, parent, type, leadsToDirectory, metadata: metadata === 'refused' ? null : metadata };
}

/** Reads a single level, which returns any entries until it is closed. For queries that pass `isOneLevel`. */
export async function openListing(query: Query, workspace: Workspace, options: CallOptions) {
  const reading = await openReading(query, workspace, new Budget(options));
  const { directory, budget } = reading;
  try {
    const { contents } = await contentsOf(query, reading, false);
    const pages = await contents.pages(query.page, null, directory, budget);
    return {
      notes: budget.notes,
      count: contents.count,
      /** Returns entries with their metadata. Those that have vanished are left out. */
      described: async (page: Page) => (await describe(await pages.page(page, budget), directory, budget)).described,
      close: () => directory.leave(),
    };
  } catch (error) {
    directory.leave();
    throw fromSystem(error, directory.path);
  }
}
