/** Calls that have to end on the way. */
import { vi } from 'vitest';
import { Budget, type Stop } from '../../src/workspace/budget.ts';

/** While `run` lasts, others get a turn after every entry, and a call has to end when it has read so many. */
export async function endingAfter<T>(entries: number, reason: Stop, run: () => Promise<T>): Promise<T> {
  const due = vi.spyOn(Budget.prototype, 'isDue', 'get').mockReturnValue(true);
  const stop = vi.spyOn(Budget.prototype, 'stopReason').mockImplementation(function (this: Budget) {
    return this.entriesRead >= entries ? reason : null;
  });
  try {
    return await run();
  } finally {
    due.mockRestore();
    stop.mockRestore();
  }
}
