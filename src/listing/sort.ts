/** Sorting that lets others have a turn: short runs are sorted at once, and merged slice by slice. */
import type { Budget } from '../workspace/budget.ts';

/** Elements that are sorted or merged at a time: about a millisecond. */
const RUN = 2048;

export async function sortInSlices<T>(
  items: readonly T[],
  compare: (a: T, b: T) => number,
  budget: Budget,
): Promise<readonly T[]> {
  let sorted: T[] = [];
  for (let start = 0; start < items.length; start += RUN) {
    appendAll(sorted, items.slice(start, start + RUN).sort(compare));
    await budget.yieldIfDue();
  }
  for (let width = RUN; width < items.length; width *= 2) {
    const merged: T[] = [];
    for (let start = 0; start < items.length; start += 2 * width) {
      const merge = new Merge(sorted, start, Math.min(start + width, items.length), start + 2 * width, compare);
      while (merge.some(merged)) await budget.yieldIfDue();
    }
    sorted = merged;
  }
  return sorted;
}

function appendAll<T>(target: T[], items: readonly T[]): void {
  for (const item of items) target.push(item);
}

/** Two neighbouring runs, of which each is in order. */
class Merge<T> {
  readonly #items: readonly T[];
  readonly #compare: (a: T, b: T) => number;
  readonly #middle: number;
  readonly #end: number;
  #left: number;
  #right: number;

  constructor(items: readonly T[], start: number, middle: number, end: number, compare: (a: T, b: T) => number) {
    this.#items = items;
    this.#compare = compare;
    this.#left = start;
    this.#right = middle;
    this.#middle = middle;
    this.#end = Math.min(end, items.length);
  }

  /** Appends some of them to `merged`; false when there are no more. */
  some(merged: T[]): boolean {
    for (let count = 0; count < RUN; count++) {
      const left = this.#left < this.#middle;
      const right = this.#right < this.#end;
      if (!left && !right) return false;
      // Equal ones keep their order.
      const takeLeft = left && (!right || this.#compare(this.#at(this.#left), this.#at(this.#right)) <= 0);
      merged.push(this.#at(takeLeft ? this.#left++ : this.#right++));
    }
    return true;
  }

  #at(index: number): T {
    return this.#items[index] as T;
  }
}
