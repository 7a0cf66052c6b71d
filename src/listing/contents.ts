/** What is in one directory: read, judged and counted, ready to be given out page by page. */
import type { Origin, Scope } from '../rules/rule.ts';
import type { Budget } from '../workspace/budget.ts';
import type { Bytes } from '../workspace/bytes.ts';
import { ListingError } from '../workspace/listing-error.ts';
import { type Batch, type DirectoryReader, type EntryType, TypesUnknown } from '../workspace/reader.ts';
import type { Visit } from '../workspace/visit.ts';
import { type Collector, collectorFor } from './collector.ts';
import type { Bookmark, Order, Stop } from './query.ts';

export interface Contents {
  readonly collector: Collector;
  readonly totals: Record<EntryType, number>;
  readonly hidden: Map<Origin, number>;
  /** Of the links that were let pass: whether each leads to a directory. */
  readonly links: Map<Bytes, boolean>;
  /** Whether nothing was dropped, so that any page can be given. */
  isWhole: boolean;
  /** Why reading ended before the directory did; null when it did not. */
  stopped: Stop | null;
}

/** What is kept of a directory: the entries up to a position, or all of them as long as they take that many bytes. */
export interface Keep {
  /** Where the positions are counted from; null at the first entry. */
  readonly after: Bookmark | null;
  readonly end: number;
  readonly all: { readonly bytes: number } | null;
}

export async function readContents(
  directory: Visit,
  scope: Scope,
  order: Order,
  keep: Keep,
  budget: Budget,
): Promise<Contents> {
  return read(true).catch((error) => {
    if (!(error instanceof TypesUnknown)) throw error;
    return read(false);
  });

  async function read(withTypes: boolean): Promise<Contents> {
    const contents = nothingIn(order);
    const visit = visitorFor(contents, directory, scope);
    const reader = directory.open(withTypes);
    try {
      contents.stopped = await readAll(reader, visit, contents, keep, budget);
    } finally {
      reader.close();
    }
    const { totals, hidden, stopped } = contents;
    const isEmpty = totals.file + totals.dir + totals.link + totals.other + hidden.size === 0;
    if (stopped !== null && isEmpty) throw new ListingError(stopped, 'nothing was read', directory.path);
    return contents;
  }
}

function nothingIn(order: Order): Contents {
  return {
    collector: collectorFor(order),
    totals: { file: 0, dir: 0, link: 0, other: 0 },
    hidden: new Map(),
    links: new Map(),
    isWhole: true,
    stopped: null,
  };
}

function visitorFor(
  { collector, totals, hidden, links }: Contents,
  directory: Visit,
  scope: Scope,
): (name: Bytes, type: EntryType) => void {
  const { judge } = scope;
  const followed = (name: Bytes): boolean => {
    const leadsToDirectory = directory.linksToDirectory(name);
    links.set(name, leadsToDirectory);
    return leadsToDirectory;
  };
  return (name, type) => {
    const verdict = judge(name, type);
    if (verdict?.hidden) {
      hidden.set(verdict.by, (hidden.get(verdict.by) ?? 0) + 1);
    } else {
      totals[type]++;
      collector.add(name, type, type === 'dir' || (type === 'link' && followed(name)));
    }
  };
}

async function readAll(
  reader: DirectoryReader,
  visit: (name: Bytes, type: EntryType) => void,
  contents: Contents,
  keep: Keep,
  budget: Budget,
): Promise<Stop | null> {
  const { collector } = contents;
  if (keep.all === null) keepPage(contents, keep);
  for (let hasMore = true; hasMore; ) {
    const batch: Batch = { names: [], types: [] };
    hasMore = reader.read(batch, budget);
    for (let next = 0; next < batch.names.length; ) {
      do {
        visit(batch.names[next] as Bytes, batch.types[next] as EntryType);
        next++;
      } while (next < batch.names.length && !budget.isDue);
      await budget.yieldIfDue();
      const stopped = budget.stopReason();
      if (stopped !== null && (hasMore || next < batch.names.length)) return stopped;
    }
    if (keep.all !== null && collector.size > keep.all.bytes) keepPage(contents, keep);
    if (collector.isFull) await collector.settle(budget);
  }
  return null;
}

/** From here on only what can be on the page. */
function keepPage(contents: Contents, { end, after }: Keep): void {
  contents.isWhole = false;
  contents.collector.keepUpTo(end, after);
}
