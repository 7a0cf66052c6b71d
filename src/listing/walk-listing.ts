/** Lists by walking, for queries with several levels, a global order or a selection. */
import type { Budget } from '../workspace/budget.ts';
import { directoryCache } from '../workspace/cache.ts';
import { ENTRY_TYPES } from '../workspace/reader.ts';
import { HANDFUL, mapped } from '../workspace/steps.ts';
import type { EntryForm } from './entry.ts';
import { KeptAnswer } from './kept-answer.ts';
import { ORDERS } from './orders.ts';
import { sinkFor } from './page-sinks.ts';
import type { Listing, Query } from './query.ts';
import type { Reading } from './reading.ts';
import { selectedTypes, selectorFor } from './select.ts';
import { walk } from './walk.ts';
import type { WalkPlan } from './walk-plan.ts';

/** Rejects an invalid query before anything is read. */
export async function planFor({ depth, reverse, order, select }: Query, budget: Budget): Promise<WalkPlan> {
  const { isGlobal, directoriesFirst } = ORDERS[order];
  const byName = directoriesFirst ? 'directories-first' : 'by-name';
  const siblings = isGlobal ? 'any' : order === 'natural' ? 'natural' : byName;
  return { depth, reverse, siblings, select: await selectorFor(select, budget), types: selectedTypes(select) };
}

/** Approximate bytes that an entry takes, including its name. */
const ENTRY_SIZE = 140;

/** Returns an earlier listing if it is still valid. Metadata is always read anew, because no stamp covers it. */
export async function listOrRecall<T>(query: Query, plan: WalkPlan, reading: Reading, form: EntryForm<T>) {
  const { depth, order, reverse, select, metadata, page } = query;
  const isByName = select.filter === undefined && select.where === undefined;
  const mayRecall = metadata === 'none' && !ORDERS[order].needsMetadata && isByName;
  if (!mayRecall) return listByWalking(query, plan, reading, form);
  const question = ['listing', `${depth}`, order, reverse, select, page.offset, `${page.limit}`, form.key];
  const kept = new KeptAnswer<Listing<T>>(directoryCache, JSON.stringify(question));
  const known = await kept.recall(reading);
  const copied = async (listing: Listing<T>) => {
    return { ...listing, entries: await reading.budget.finish(mapped(listing.entries, form.copy, HANDFUL.entries)) };
  };
  if (known !== null) return { ...(await copied(known)), isFromCache: true };
  const listing = await listByWalking(query, { ...plan, evidence: kept.evidence }, reading, form);
  const isWhole = listing.stopped === null && listing.unreadable.length === 0;
  return isWhole && kept.keep(listing, ENTRY_SIZE * listing.entries.length) ? copied(listing) : listing;
}

export async function listByWalking<T>(query: Query, plan: WalkPlan, reading: Reading, form: EntryForm<T>) {
  const { directory, budget } = reading;
  const sink = await sinkFor(query, form);
  const { totals, ...found } = await walk(reading, plan, sink);
  for (const type of ENTRY_TYPES) totals[type] -= sink.vanished[type];
  const entries = await sink.entries(budget);
  return {
    path: directory.path,
    entries,
    end: query.page.offset + entries.length,
    ...found,
    totals,
    size: sink.size,
    isFromCache: false,
    notes: budget.notes,
  };
}
