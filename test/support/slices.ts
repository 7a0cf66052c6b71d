/** A budget for reading that is due after every `count` entries. */
import type { ReadBudget } from '../../src/workspace/reader.ts';

export function slices(count: number): ReadBudget {
  return {
    steps: 0,
    entriesRead: 0,
    get isDue() {
      return this.entriesRead % count === 0;
    },
  };
}
