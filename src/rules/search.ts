/**
 * Resumable searches through patterns. An ignore file may have so many patterns, each of them so slow, that judging one
 * name would block the event loop. So a long search stops after a while, and resumes there when it is repeated.
 */

import type { Budget, Effort, Searches } from '../workspace/budget.ts';
import { loading } from '../workspace/steps.ts';

/** Thrown when a decision takes long, so that other calls can run. Asking the same again resumes the search. */
export const UNFINISHED: unique symbol = Symbol('unfinished');

/** Steps since the clock was last read, after which a search records its position, and after which it stops. */
const NOTED_AFTER = 100_000;
const STOPPED_AFTER = 300_000;

/** Returns the position of the first item for which `matches` holds, or `all.length`. `text` is what is matched. */
export function positionOf<T>(all: readonly T[], text: string, effort: Effort, matches: (one: T) => boolean): number {
  const searches = effort.searches ?? null;
  let at = searches === null || searches.size === 0 ? 0 : (searches.get(all)?.get(text) ?? 0);
  for (; at < all.length && !matches(all[at] as T); at++) {
    if (searches === null || effort.steps <= STOPPED_AFTER) continue;
    note(searches, all, text, at + 1);
    throw UNFINISHED;
  }
  // The same search is repeated if a later one does not finish.
  if (searches !== null && effort.steps > NOTED_AFTER) note(searches, all, text, at);
  return at;
}

function note(searches: Searches, all: object, text: string, next: number): void {
  searches.set(all, new Map(searches.get(all)).set(text, next));
}

/** Calls `ask` until no search in it is left unfinished and all is loaded, and yields to other calls in between. */
export async function withPauses<T>(ask: () => T | Promise<T>, budget: Budget): Promise<T> {
  const searches: Searches = new Map();
  const asked = () => {
    budget.searches = searches;
    try {
      return ask();
    } finally {
      budget.searches = null;
    }
  };
  for (;;) {
    try {
      return await asked();
    } catch (error) {
      if (error !== UNFINISHED) await budget.waitFor(loading(error));
    }
    await budget.checkpoint();
  }
}
