/**
 * Long work that can pause: a generator that yields every few hundred microseconds, wherever it can be left as it
 * stands, so that nobody else has to wait for its end.
 */
export type Steps<T> = Generator<undefined, T, void>;

/** All steps, for those who keep nobody waiting, or know that there are few. */
export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
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
