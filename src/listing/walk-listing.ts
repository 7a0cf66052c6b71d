/** A listing that takes a walk: several levels, an order over everything, a selection. */
import type { Scope } from '../rules/rule.ts';
import type { Bytes } from '../workspace/bytes.ts';
import type { Visit } from '../workspace/workspace.ts';
import type { Patience } from './patience.ts';
import type { Listing, Query } from './query.ts';
import { selectorFor } from './select.ts';
import { sinkFor } from './sinks.ts';
import { type SiblingOrder, type WalkPlan, walk } from './walk.ts';

export type Walking = (directory: Visit, scope: Scope) => Promise<Listing>;

/** What can be refused is refused here, before anything is looked at. */
export async function prepareWalk(query: Query, patience: Patience): Promise<Walking> {
  const plan = await planFor(query, patience);
  return (directory, scope) => listByWalking(query, plan, directory, scope, patience);
}

export async function planFor({ depth, reverse, order, select }: Query, patience: Patience): Promise<WalkPlan> {
  const start = '' as Bytes;
  const selector = await selectorFor(select, patience);
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
  patience: Patience,
): Promise<Listing> {
  const sink = sinkFor(query);
  const result = await walk(directory, scope, plan, sink, patience);
  const entries = await sink.page(patience);
  const end = query.page.offset + entries.length;
  const totals = without(result.totals, sink.vanished);
  return {
    path: directory.path,
    entries,
    end,
    size: sink.size,
    isFromCache: false,
    notes: patience.notes,
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
