/** Sorts in steps that can pause. */

/** Steps that never have to load anything. */
type Steps<T> = Generator<undefined, T, void>;

/** Elements that are merged in one step, which takes about a millisecond. */
const STEP = 2048;

/** Merges several sorted runs into one. Of equal elements, those of the earlier run come first. */
export function* mergedRuns<T>(runs: readonly (readonly T[])[], compare: (a: T, b: T) => number): Steps<readonly T[]> {
  let rest = runs;
  while (rest.length > 1) {
    const merged: (readonly T[])[] = [];
    for (let i = 0; i < rest.length; i += 2) {
      merged.push(yield* mergedPair(rest[i] ?? [], rest[i + 1] ?? [], compare));
      // Short runs end before their first step, and there may be thousands of them.
      yield undefined;
    }
    rest = merged;
  }
  return rest[0] ?? [];
}

function* mergedPair<T>(a: readonly T[], b: readonly T[], compare: (a: T, b: T) => number): Steps<readonly T[]> {
  const merged: T[] = [];
  let [left, right] = [0, 0];
  while (left < a.length && right < b.length) {
    merged.push((compare(a[left] as T, b[right] as T) <= 0 ? a[left++] : b[right++]) as T);
    if (merged.length % STEP === 0) yield undefined;
  }
  return merged.concat(a.slice(left), b.slice(right));
}
