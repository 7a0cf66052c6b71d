/** A listing that takes a walk: several levels, an order over everything, a selection. */
import type { Budget } from '../workspace/budget.ts';
import type { Bytes } from '../workspace/bytes.ts';
import { systemCalls } from '../workspace/disk/system-calls.ts';
import { type DirectoryCache, directoryCache } from './cache.ts';
import type { Totals } from './entry.ts';
import { KeptAnswer } from './kept-answer.ts';
import { ORDERS } from './orders.ts';
import { sinkFor } from './page-sinks.ts';
import type { Listing, Query } from './query.ts';
import type { Reading } from './reading.ts';
import { selectorFor } from './select.ts';
import { walk } from './walk.ts';
import type { WalkPlan } from './walk-plan.ts';

/** Refuses a bad query here, before anything is read. */
export async function prepareWalk(
  query: Query,
  mayUseCache: boolean,
  budget: Budget,
): Promise<(reading: Reading) => Promise<Listing>> {
  const plan = { ...(await planFor(query, budget)), cache: mayUseCache ? cacheOfWalks() : null };
  return (reading) => listOrRecall(query, plan, reading);
}

export async function planFor({ depth, reverse, order, select }: Query, budget: Budget): Promise<WalkPlan> {
  const { isGlobal, directoriesFirst } = ORDERS[order];
  const byName = directoriesFirst ? 'directories-first' : 'by-name';
  const siblings = isGlobal ? 'any' : order === 'natural' ? 'natural' : byName;
  const selector = await selectorFor(select, budget);
  return { start: '' as Bytes, depth, reverse, siblings, mayBlock: false, select: selector, cache: null };
}

/** Only directories that are held by the system's own calls can be proved cheaply, so these are loaded before the root is. */
export function cacheOfWalks(): DirectoryCache {
  systemCalls();
  return directoryCache;
}

/** Bytes that an entry takes beside its name. */
const ENTRY = 120;

/** What was listed before is not listed again, unless somebody asks for what no directory tells: metadata. */
async function listOrRecall(query: Query, plan: WalkPlan, reading: Reading): Promise<Listing> {
  const { depth, order, reverse, select, metadata, page } = query;
  const isByName = select.filter === undefined && select.where === undefined;
  const mayRecall = metadata === 'none' && !ORDERS[order].needsMetadata && isByName;
  if (plan.cache === null || !mayRecall) return listByWalking(query, plan, reading);
  const question = ['listing', `${depth}`, order, reverse, select, page.offset, `${page.limit}`];
  const kept = new KeptAnswer<Listing>(plan.cache, JSON.stringify(question));
  const known = await kept.recall(reading);
  if (known !== null) return { ...known, isFromCache: true };
  const listing = await listByWalking(query, { ...plan, evidence: kept.evidence }, reading);
  const bytes = listing.entries.reduce((sum, { name }) => sum + ENTRY + name.length, 0);
  if (listing.stopped === null && listing.unreadable.length === 0) kept.keep(listing, bytes);
  return listing;
}

async function listByWalking(query: Query, plan: WalkPlan, reading: Reading): Promise<Listing> {
  const { directory, budget } = reading;
  const sink = await sinkFor(query);
  const { totals, ...found } = await walk(reading, plan, sink);
  const entries = await sink.entries(budget);
  return {
    path: directory.path,
    entries,
    end: query.page.offset + entries.length,
    ...found,
    totals: without(totals, sink.vanished),
    size: sink.size,
    notes: budget.notes,
  };
}

function without(totals: Readonly<Totals>, vanished: Readonly<Totals>): Totals {
  return {
    file: totals.file - vanished.file,
    dir: totals.dir - vanished.dir,
    link: totals.link - vanished.link,
    other: totals.other - vanished.other,
  };
}
