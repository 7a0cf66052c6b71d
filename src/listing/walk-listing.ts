/** Lists by walking, for queries with several levels, a global order or a selection. */

import { systemCalls } from '../disk/system-calls.ts';
import type { Bytes } from '../names/bytes.ts';
import type { RootPath } from '../names/paths.ts';
import type { Budget } from '../workspace/budget.ts';
import { type DirectoryCache, directoryCache } from '../workspace/cache.ts';
import { type EntryForm, eachMade, type Totals } from './entry.ts';
import { KeptAnswer } from './kept-answer.ts';
import { ORDERS } from './orders.ts';
import { sinkFor } from './page-sinks.ts';
import type { Listing, Query } from './query.ts';
import type { Reading } from './reading.ts';
import { selectedTypes, selectorFor } from './select.ts';
import { walk } from './walk.ts';
import type { WalkPlan } from './walk-plan.ts';

/** Prepares a listing. Rejects an invalid query before anything is read. */
export async function prepareWalk<T>(
  formAt: (path: RootPath) => EntryForm<T>,
  query: Query,
  mayUseCache: boolean,
  budget: Budget,
): Promise<(reading: Reading) => Promise<Listing<T>>> {
  const plan = { ...(await planFor(query, budget)), cache: mayUseCache ? cacheOfWalks() : null };
  return (reading) => listOrRecall(query, plan, reading, formAt(reading.directory.path));
}

export async function planFor({ depth, reverse, order, select }: Query, budget: Budget): Promise<WalkPlan> {
  const { isGlobal, directoriesFirst } = ORDERS[order];
  const byName = directoriesFirst ? 'directories-first' : 'by-name';
  const siblings = isGlobal ? 'any' : order === 'natural' ? 'natural' : byName;
  const selector = await selectorFor(select, budget);
  return {
    start: '' as Bytes,
    depth,
    reverse,
    siblings,
    mayBlock: false,
    select: selector,
    types: selectedTypes(select),
    cache: null,
  };
}

/** Returns the cache. Only native calls can prove directories cheaply, so they are loaded before the root is opened. */
export function cacheOfWalks(): DirectoryCache {
  systemCalls();
  return directoryCache;
}

/** Approximate bytes that an entry takes, including its name. */
const ENTRY_SIZE = 140;

/** Returns an earlier listing if it is still valid. Metadata is always read anew, because no stamp covers it. */
async function listOrRecall<T>(
  query: Query,
  plan: WalkPlan,
  reading: Reading,
  form: EntryForm<T>,
): Promise<Listing<T>> {
  const { depth, order, reverse, select, metadata, page } = query;
  const isByName = select.filter === undefined && select.where === undefined;
  const mayRecall = metadata === 'none' && !ORDERS[order].needsMetadata && isByName;
  if (plan.cache === null || !mayRecall) return listByWalking(query, plan, reading, form);
  const question = ['listing', `${depth}`, order, reverse, select, page.offset, `${page.limit}`, form.key];
  const kept = new KeptAnswer<Listing<T>>(plan.cache, JSON.stringify(question));
  const known = await kept.recall(reading);
  const copied = async (listing: Listing<T>) => {
    return { ...listing, entries: await eachMade(listing.entries, reading.budget, form.copy) };
  };
  if (known !== null) return { ...(await copied(known)), isFromCache: true };
  // A partial page would have to be cut anew; notes and marks apply to the whole listing.
  const isAll = !ORDERS[order].isGlobal && page.offset === 0 && page.limit === Number.POSITIVE_INFINITY;
  const isBare = kept.before?.answer.notes.length === 0 && kept.before.answer.hiddenOnly.length === 0;
  const before = isAll && isBare ? kept.before : null;
  const watched = { ...plan, evidence: kept.evidence, seen: before?.seen ?? null };
  const listing = await listByWalking(query, watched, reading, form, before?.answer.entries);
  const isWhole = listing.stopped === null && listing.unreadable.length === 0;
  const isKept = isWhole && kept.keep(listing, ENTRY_SIZE * listing.entries.length);
  return isKept || before !== null ? copied(listing) : listing;
}

async function listByWalking<T>(
  query: Query,
  plan: WalkPlan,
  reading: Reading,
  form: EntryForm<T>,
  before?: readonly T[],
): Promise<Listing<T>> {
  const { directory, budget } = reading;
  const sink = await sinkFor(query, form, before);
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
