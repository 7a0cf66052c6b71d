/** Columns that need more than a look at each entry: the total sizes of directories, and git's status. */
import { openWorkspace } from '../../disk/disk-source.ts';
import type { StatusOf } from '../../git/status.ts';
import { ignoredEntries } from '../../listing/ignored-entries.ts';
import type { CallOptions, Entry, Listing, Query } from '../../listing/query.ts';
import { totalSizes } from '../../listing/total-size.ts';
import { type Bytes, below, parentOf } from '../../names/bytes.ts';
import { asGiven, type RootPath } from '../../names/paths.ts';
import { Budget } from '../../workspace/budget.ts';
import type { Visit } from '../../workspace/visit.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { complainOf, LISTING_OPTIONS, type Printing, type Shown } from './list-lines.ts';
import type { Streams } from './streams.ts';

/** To sort by total size, everything must be measured before the page is cut. */
export function unpaged({ query, line }: Printing): Query {
  if (!line.switch('total-size') || query.order !== 'size') return query;
  return { ...query, page: { offset: 0, limit: Number.POSITIVE_INFINITY } };
}

export type Columns = Awaited<ReturnType<typeof beginColumns>>;

/** Starts git, which runs while the directory is listed. */
export async function beginColumns(workspace: Workspace, printing: Printing, onProgress?: CallOptions['onProgress']) {
  const { query, line, streams } = printing;
  const answer = line.switch('git') ? await startedStatus(query.path, workspace) : null;
  const columnsOf = async (listing: Listing): Promise<Shown> => {
    const budget = new Budget({ ...LISTING_OPTIONS, onProgress });
    const sizes = line.switch('total-size') ? await sizesIn(listing, workspace, streams, budget) : undefined;
    const entries = sizes && query.order === 'size' ? bySize(listing.entries, sizes, query) : listing.entries;
    const statusOf = answer ? statusColumn(await answer(), { ...listing, entries }, workspace, streams) : undefined;
    return { entries, sizes, statusOf: await statusOf };
  };
  return { workspace, columnsOf };
}

async function sizesIn(listing: Listing, workspace: Workspace, streams: Streams, budget: Budget) {
  const found = await totalSizes(listing, workspace, budget);
  streams.status('');
  complainOf({ unreadable: found.unreadable, notes: [] }, streams);
  return found.sizes;
}

function bySize(entries: readonly Entry[], totals: ReadonlyMap<Entry, number>, { reverse, page }: Query): Entry[] {
  const sizeOf = (entry: Entry) => totals.get(entry) ?? (entry.type === 'link' ? 0 : (entry.metadata?.size ?? 0));
  const sorted = entries.toSorted((a, b) => (reverse ? sizeOf(a) - sizeOf(b) : sizeOf(b) - sizeOf(a)));
  return sorted.slice(page.offset, page.offset + page.limit);
}

/** Returns a function that tells whether a directory below `path` is in a repository that begins below it, too. */
function innerRepositories(path: RootPath, visit: Visit): (directory: Bytes) => boolean {
  const known = new Map([['' as Bytes, false]]);
  return function isInner(directory: Bytes): boolean {
    const isRepository = () => visit.entryAt(below(below(path, directory), '.git' as Bytes)) !== null;
    const found = known.get(directory) ?? (isInner(parentOf(directory)) || isRepository());
    known.set(directory, found);
    return found;
  };
}

async function startedStatus(path: string, workspace: Workspace) {
  if (workspace.loads) return async () => 'only files on this machine have one';
  const { startStatus } = await import('../../git/status.ts');
  const budget = Budget.unlimited();
  const listed = await budget.run(workspace.entering(asGiven(path), budget));
  listed.leave();
  // Perf: git's objects are in many small directories, which are read before direct system calls would be loaded.
  const plain = await openWorkspace(workspace.realPath, { systemCalls: false });
  const directory = await budget.run(plain.enteringAt(listed.path, budget));
  try {
    return await startStatus(directory, budget);
  } finally {
    directory.leave();
    plain.close();
  }
}

async function statusColumn(status: StatusOf | string, listing: Listing, workspace: Workspace, streams: Streams) {
  if (typeof status === 'string') {
    streams.complain(`agent-ls: git's status is not shown: ${status}`);
    return () => '';
  }
  const budget = Budget.unlimited();
  const directory = await budget.run(workspace.enteringAt(listing.path, budget));
  try {
    // Git does not look into repositories inside this one.
    const isInner = innerRepositories(listing.path, directory);
    const inside = listing.entries.filter(({ parent }) => isInner(parent));
    const ignoredInside = await ignoredEntries({ ...listing, entries: inside }, workspace, false);
    return (entry: Entry) => (ignoredInside.has(entry) ? '!!' : status(below(entry.parent, entry.name)));
  } finally {
    directory.leave();
  }
}
