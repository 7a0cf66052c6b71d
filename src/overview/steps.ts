/** A tree can be made so that choosing among its names takes seconds, and nobody else should wait for that. */
import { HANDFUL } from '../workspace/steps.ts';

/** Steps that never have to load anything. */
export type Steps<T> = Generator<undefined, T, void>;

/** The root of a tree and everything below it, each after the one that it is in. Nothing recurses: it may be deep. */
export function* allBelow<T>(root: T, insideOf: (one: T) => readonly T[]): Steps<T[]> {
  const all = [root];
  for (let i = 0; i < all.length; i++) {
    for (const inner of insideOf(all[i] as T)) all.push(inner);
    if (i % HANDFUL.names === HANDFUL.names - 1) yield;
  }
  return all;
}
