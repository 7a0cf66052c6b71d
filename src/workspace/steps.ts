/**
 * Long work that can pause: a generator that yields every few hundred microseconds, wherever it can be left as it
 * stands, so that nobody else has to wait for its end. Where it yields a promise, it goes on when that has settled.
 */
import { loading, Unloaded } from './unloaded.ts';

export type Steps<T> = Generator<Promise<void> | undefined, T, void>;

/** All steps, for those who keep nobody waiting, or know that there are few. Throws `Unloaded` where they have to wait. */
export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    const { value } = step;
    if (value === undefined) continue;
    // Whoever asks again is told of a failure; nobody else has to be.
    value.catch(() => {});
    // What the steps hold is let go of.
    steps.throw(new Unloaded(() => value));
  }
}

/** Asks a source until all that the question needs is loaded. */
export function* loaded<T>(ask: () => T): Steps<T> {
  for (;;) {
    try {
      return ask();
    } catch (error) {
      yield loading(error);
    }
  }
}

/** Small things, each of which may be a path of 4 KB, between two steps. */
const HANDFUL = 32;

/** As `Array.map`, in steps. */
export function* mapped<T, R>(items: readonly T[], map: (item: T) => R): Steps<R[]> {
  const results: R[] = [];
  for (const item of items) {
    results.push(map(item));
    if (results.length % HANDFUL === 0) yield undefined;
  }
  return results;
}
