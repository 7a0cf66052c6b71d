/** Calls that have to end on the way. */
import { vi } from 'vitest';
import { Budget, type CallStop } from '../../src/workspace/budget.ts';
import { interceptBy } from './odd-calls.ts';

/** Bytes that a name of up to 20 takes, and two never do. */
const ONE_ENTRY = 40;

/**
 * While `run` lasts, others get a turn after every entry, and a call has to end when it has read so many. Directories are
 * read entry by entry, and not in blocks.
 */
export async function endingAfter<T>(entries: number, reason: CallStop, run: () => Promise<T>): Promise<T> {
  const before = interceptBy((call) => (call === 'getdents64' ? { most: ONE_ENTRY } : null));
  const due = vi.spyOn(Budget.prototype, 'isDue', 'get').mockReturnValue(true);
  const stop = vi.spyOn(Budget.prototype, 'stopReason').mockImplementation(function (this: Budget) {
    return this.entriesRead >= entries ? reason : null;
  });
  try {
    return await run();
  } finally {
    interceptBy(before);
    due.mockRestore();
    stop.mockRestore();
  }
}
