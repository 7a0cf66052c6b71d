/** A listing that takes a walk: several levels, an order over everything, a selection. */
import type { Effort, Scope } from '../rules/rule.ts';
import type { Bytes } from '../workspace/bytes.ts';
import type { Visit } from '../workspace/workspace.ts';
import type { Patience } from './patience.ts';
import type { Listing, Query } from './query.ts';
import { selectorFor } from './select.ts';
import { sinkFor } from './sinks.ts';
import { type SiblingOrder, type WalkPlan, walk } from './walk.ts';

export type Walking = (directory: Visit, scope: Scope, patience: Patience) => Promise<Listing>;

/** What can be refused is refused here, before anything is looked at. */
export async function prepareWalk(query: Query, effort: Effort): Promise<Walking> {
  const plan = await planFor(query, effort);
  return (directory, scope, patience) => listByWalking(query, plan, directory, scope, effort, patience);
}

export async function planFor({ depth, reverse, order, select }: Query, effort: Effort): Promise<WalkPlan> {
  const start = '' as Bytes;
  const selector = await selectorFor(select, effort);
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
  effort: Effort,
  patience: Patience,
): Promise<Listing> {
  const sink = sinkFor(query);
  const result = await walk(directory, scope, plan, sink, effort, patience);
  const entries = await sink.page(patience);
  const end = query.page.offset + entries.length;
  const totals = without(result.totals, sink.vanished);
  return { path: directory.path, entries, end, size: sink.size, isFromCache: false, ...result, totals };
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
