/** Calls that have to end on the way. */
import { vi } from 'vitest';
import { Budget, type Stop } from '../../src/workspace/budget.ts';
import { loadedSystemCalls, useSystemCalls } from '../../src/workspace/disk/system-calls.ts';

/**
 * While `run` lasts, others get a turn after every entry, and a call has to end when it has read so many. Directories are
 * read entry by entry, and not in blocks.
 */
export async function endingAfter<T>(entries: number, reason: Stop, run: () => Promise<T>): Promise<T> {
  const calls = loadedSystemCalls();
  useSystemCalls(null);
  const due = vi.spyOn(Budget.prototype, 'isDue', 'get').mockReturnValue(true);
  const stop = vi.spyOn(Budget.prototype, 'stopReason').mockImplementation(function (this: Budget) {
    return this.entriesRead >= entries ? reason : null;
  });
  try {
    return await run();
  } finally {
    useSystemCalls(calls);
    due.mockRestore();
    stop.mockRestore();
  }
}
