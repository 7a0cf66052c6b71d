/** What is in one directory: read, judged and counted, ready to be given out page by page. */
import type { Origin, Scope } from '../rules/rule.ts';
import type { Bytes } from '../workspace/bytes.ts';
import { ListingError } from '../workspace/listing-error.ts';
import { type DirectoryReader, type EntryType, TypesUnknown, type Visitor } from '../workspace/reader.ts';
import type { Visit } from '../workspace/workspace.ts';
import { type Collector, collectorFor } from './collector.ts';
import type { Patience } from './patience.ts';
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

/** Entries between two looks at the clock: about half a millisecond. */
const HANDFUL = 1024;

/** Steps of pattern matching after which the clock is worth a look before the handful is over. */
const EFFORT = 100_000;

/** What it costs to look up one name on the way of a link, in such steps. */
export const EFFORT_OF_LOOKUP = 1_000;

export async function readContents(
  directory: Visit,
  scope: Scope,
  order: Order,
  keep: Keep,
  patience: Patience,
): Promise<Contents> {
  return read(true).catch((error) => {
    if (!(error instanceof TypesUnknown)) throw error;
    return read(false);
  });

  async function read(withTypes: boolean): Promise<Contents> {
    const contents = nothingIn(order);
    const visit = visitorFor(contents, directory, scope, patience);
    const reader = directory.open(withTypes);
    try {
      contents.stopped = await readAll(reader, visit, contents, keep, patience);
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
  effort: Patience,
): Visitor {
  const { judge } = scope;
  const followed = (name: Bytes): boolean => {
    const before = directory.stepsWalked;
    const leadsToDirectory = directory.linksToDirectory(name);
    effort.steps += EFFORT_OF_LOOKUP * (directory.stepsWalked - before);
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
    return effort.steps < EFFORT;
  };
}

async function readAll(
  reader: DirectoryReader,
  visit: Visitor,
  contents: Contents,
  keep: Keep,
  patience: Patience,
): Promise<Stop | null> {
  const { collector } = contents;
  if (keep.all === null) keepPage(contents, keep);
  while (reader.read(HANDFUL, visit)) {
    patience.steps = 0;
    patience.entriesRead += HANDFUL;
    if (keep.all !== null && collector.size > keep.all.bytes) keepPage(contents, keep);
    if (collector.isFull) await collector.settle(patience);
    await patience.giveWay();
    const stopped = patience.ended();
    if (stopped !== null) return stopped;
  }
  return null;
}

/** From here on only what can be on the page. */
function keepPage(contents: Contents, { end, after }: Keep): void {
  contents.isWhole = false;
  contents.collector.keepUpTo(end, after);
}
