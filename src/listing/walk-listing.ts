/** A listing that takes a walk: several levels, an order over everything, a selection. */
import type { Scope } from '../rules/rule.ts';
import type { Budget } from '../workspace/budget.ts';
import type { Bytes } from '../workspace/bytes.ts';
import type { Visit } from '../workspace/visit.ts';
import type { Listing, Query } from './query.ts';
import { selectorFor } from './select.ts';
import { sinkFor } from './sinks.ts';
import { type SiblingOrder, type WalkPlan, walk } from './walk.ts';

export type Walking = (directory: Visit, scope: Scope) => Promise<Listing>;

/** What can be refused is refused here, before anything is looked at. */
export async function prepareWalk(query: Query, budget: Budget): Promise<Walking> {
  const plan = await planFor(query, budget);
  return (directory, scope) => listByWalking(query, plan, directory, scope, budget);
}

export async function planFor({ depth, reverse, order, select }: Query, budget: Budget): Promise<WalkPlan> {
  const start = '' as Bytes;
  const selector = await selectorFor(select, budget);
  return { start, depth, reverse, siblings: SIBLINGS[order], isAlone: false, select: selector };
}

const SIBLINGS: Readonly<Record<Query['order'], SiblingOrder>> = {
  folded: 'directories-first',
  english: 'directories-first',
  name: 'by-name',
  size: 'any',
  modified: 'any',
  type: 'any',
  path: 'any',
};

async function listByWalking(
  query: Query,
  plan: WalkPlan,
  directory: Visit,
  scope: Scope,
  budget: Budget,
): Promise<Listing> {
  const sink = sinkFor(query);
  const result = await walk(directory, scope, plan, sink, budget);
  const entries = await sink.page(budget);
  const end = query.page.offset + entries.length;
  const totals = without(result.totals, sink.vanished);
  return {
    path: directory.path,
    entries,
    end,
    size: sink.size,
    isFromCache: false,
    notes: budget.notes,
    ...result,
    totals,
  };
}

type Totals = Listing['totals'];

function without(totals: Totals, vanished: Totals): Totals {
  return {
    file: totals.file - vanished.file,
    dir: totals.dir - vanished.dir,
    link: totals.link - vanished.link,
    other: totals.other - vanished.other,
  };
}
