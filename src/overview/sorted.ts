/** Sorting in steps. */
import { mergedRuns } from '../listing/sort.ts';
import { compareBytes } from '../names/bytes.ts';
import { HANDFUL } from '../workspace/steps.ts';
import type { Steps } from './steps.ts';

/** Sorts by name, as bytes. */
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
