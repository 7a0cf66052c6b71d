/** One directory: read, judge, count, order, page. */
import { judgeBy, type Origin } from '../rules/rule.ts';
import type { Bytes } from '../workspace/bytes.ts';
import { fromSystem, ListingError } from '../workspace/listing-error.ts';
import { type DirectoryReader, type EntryType, TypesUnknown, type Visitor } from '../workspace/reader.ts';
import type { Visit, Workspace } from '../workspace/workspace.ts';
import { PageCollector } from './collector.ts';
import { Patience } from './patience.ts';
import type { CallOptions, Listing, Query, Stop } from './query.ts';

/** Entries between two looks at the clock: about half a millisecond. */
const HANDFUL = 1024;

/** Steps of pattern matching after which the clock is worth a look before the handful is over. */
const EFFORT = 100_000;

/** What it costs to look up one name on the way of a link, in such steps. */
const EFFORT_OF_LOOKUP = 1_000;

export async function listDirectory(query: Query, workspace: Workspace, options: CallOptions): Promise<Listing> {
  const patience = new Patience(options);
  const stopped = patience.ended();
  if (stopped !== null) throw new ListingError(stopped, 'nothing was read');
  const directory = workspace.enter(query.path);
  try {
    return await readPage(query, directory, patience, true).catch((error) => {
      if (!(error instanceof TypesUnknown)) throw error;
      return readPage(query, directory, patience, false);
    });
  } catch (error) {
    throw fromSystem(error, directory.path);
  } finally {
    directory.leave();
  }
}

async function readPage(query: Query, directory: Visit, patience: Patience, withTypes: boolean): Promise<Listing> {
  const totals: Record<EntryType, number> = { file: 0, dir: 0, link: 0, other: 0 };
  const hidden = new Map<Origin, number>();
  const effort = { steps: 0 };
  const judge = judgeBy(query.rules, directory.path, effort);
  const collector = new PageCollector(query.page);

  const amongDirectories = (name: Bytes): boolean => {
    const before = directory.stepsWalked;
    const leadsToDirectory = directory.linksToDirectory(name);
    effort.steps += EFFORT_OF_LOOKUP * (directory.stepsWalked - before);
    return leadsToDirectory;
  };

  const visit: Visitor = (name, type) => {
    const verdict = judge(name, type);
    if (verdict !== null) {
      hidden.set(verdict.by, (hidden.get(verdict.by) ?? 0) + 1);
    } else {
      totals[type]++;
      collector.add(name, type, type === 'dir' || (type === 'link' && amongDirectories(name)));
    }
    return effort.steps < EFFORT;
  };

  const reader = directory.open(withTypes);
  let stopped: Stop | null;
  try {
    stopped = await readAll(reader, visit, effort, collector, patience);
  } finally {
    reader.close();
  }
  const nothing = totals.file + totals.dir + totals.link + totals.other + hidden.size === 0;
  if (stopped !== null && nothing) throw new ListingError(stopped, 'nothing was read', directory.path);
  const entries = await collector.pageEntries(patience);
  return { path: directory.path, entries, end: query.page.offset + entries.length, totals, hidden, stopped };
}

async function readAll(
  reader: DirectoryReader,
  visit: Visitor,
  effort: { steps: number },
  collector: PageCollector,
  patience: Patience,
): Promise<Stop | null> {
  while (reader.read(HANDFUL, visit)) {
    effort.steps = 0;
    if (collector.isFull) await collector.trim(patience);
    await patience.giveWay();
    const stopped = patience.ended();
    if (stopped !== null) return stopped;
  }
  return null;
}
