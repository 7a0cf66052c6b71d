/**
 * Searches through patterns. An ignore file may have so many, and each may take so long, that one name keeps everybody waiting:
 * so a search stops after a while, and goes on where it was when it is asked for once more.
 */
import type { Budget, Searches } from '../workspace/budget.ts';
import type { Effort } from './rule.ts';

/** Thrown when a decision takes long, so that others can have a turn. Asked once more about the same, it goes on. */
export const UNFINISHED: unique symbol = Symbol('unfinished');

/** Steps since the clock was read: after so many a search notes where it has come to, and after so many it stops. */
const NOTED_AFTER = 100_000;
const STOPPED_AFTER = 300_000;

/** The position of the first that is looked for; behind the last where there is none. `text` is what they are compared with. */
export function positionOf<T>(all: readonly T[], text: string, effort: Effort, isIt: (one: T) => boolean): number {
  const searches = effort.searches ?? null;
  let at = searches === null || searches.size === 0 ? 0 : (searches.get(all)?.get(text) ?? 0);
  for (; at < all.length && !isIt(all[at] as T); at++) {
    if (searches === null || effort.steps <= STOPPED_AFTER) continue;
    note(searches, all, text, at + 1);
    throw UNFINISHED;
  }
  // It is asked again when another has not finished.
  if (searches !== null && effort.steps > NOTED_AFTER) note(searches, all, text, at);
  return at;
}

function note(searches: Searches, all: object, text: string, next: number): void {
  searches.set(all, new Map(searches.get(all)).set(text, next));
}

/** Asks until a search that takes long has come to its end; others have a turn meanwhile. */
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
      if (error !== UNFINISHED) throw error;
    }
    await budget.checkpoint();
  }
}
