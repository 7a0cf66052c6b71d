/** Sorting that can pause: short runs are sorted at once, and merged step by step. */
import type { Steps } from '../workspace/steps.ts';

/** Elements that are sorted or merged in a step: about a millisecond. */
const RUN = 2048;

/** Equal elements keep their order. */
export function* sortInSteps<T>(items: readonly T[], compare: (a: T, b: T) => number): Steps<readonly T[]> {
  let sorted: T[] = [];
  for (let start = 0; start < items.length; start += RUN) {
    for (const item of items.slice(start, start + RUN).sort(compare)) sorted.push(item);
    yield undefined;
  }
  for (let width = RUN; width < items.length; width *= 2) {
    const merged: T[] = [];
    for (let start = 0; start < items.length; start += 2 * width) {
      yield* mergeRuns(sorted, start, width, compare, merged);
    }
    sorted = merged;
  }
  return sorted;
}

/** Appends two neighbouring runs to `merged`, each of which is in order. */
function* mergeRuns<T>(
  items: readonly T[],
  start: number,
  width: number,
  compare: (a: T, b: T) => number,
  merged: T[],
): Steps<void> {
  const middle = Math.min(start + width, items.length);
  const end = Math.min(start + 2 * width, items.length);
  let [left, right] = [start, middle];
  while (left < middle || right < end) {
    const isLeft = left < middle && (right === end || compare(items[left] as T, items[right] as T) <= 0);
    merged.push(items[isLeft ? left++ : right++] as T);
    if (merged.length % RUN === 0) yield undefined;
  }
}
