/** Sorts in steps that can pause. */
import { compareBytes } from '../names/bytes.ts';
import { HANDFUL } from '../workspace/steps.ts';

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

export function* sortedBy<T>(items: readonly T[], nameOf: (item: T) => string): Steps<readonly T[]> {
  const compare = (a: T, b: T) => compareBytes(nameOf(a), nameOf(b));
  if (yield* isSorted(items, nameOf)) return items;
  if (items.length <= HANDFUL.names) return items.toSorted(compare);
  const runs: T[][] = [];
  for (let i = 0; i < items.length; i += HANDFUL.names) {
    runs.push(items.slice(i, i + HANDFUL.names).sort(compare));
    yield;
  }
  return yield* mergedRuns(runs, compare);
}

/** Perf: a walk emits the names of many directories in this order already. */
function* isSorted<T>(items: readonly T[], nameOf: (item: T) => string): Steps<boolean> {
  for (let i = 1; i < items.length; i++) {
    if (nameOf(items[i - 1] as T) > nameOf(items[i] as T)) return false;
    if (i % HANDFUL.names === 0) yield;
  }
  return true;
}
