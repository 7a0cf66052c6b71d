/** Long work in steps: choosing among the names of a hostile tree can take seconds, and must not block the event loop. */
import { HANDFUL } from '../workspace/steps.ts';

/** Steps that never have to load anything. */
export type Steps<T> = Generator<undefined, T, void>;

/** Returns the root of a tree and everything below it, parents first. It does not recurse, because trees can be deep. */
export function* allBelow<T>(root: T, insideOf: (one: T) => readonly T[]): Steps<T[]> {
  const all = [root];
  for (let i = 0; i < all.length; i++) {
    for (const inner of insideOf(all[i] as T)) all.push(inner);
    if (i % HANDFUL.names === HANDFUL.names - 1) yield;
  }
  return all;
}
