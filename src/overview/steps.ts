/**
 * Long work that can pause: a generator that yields every few hundred microseconds, wherever it can be left as it
 * stands. A tree can be made so that choosing among its names takes seconds, and nobody else should wait for that.
 */
import type { Patience } from '../listing/patience.ts';

export type Steps<T> = Generator<undefined, T, void>;

/** Names, or other small things, between two steps. */
export const HANDFUL = 256;

/** All steps, with a pause whenever others should have a turn. */
export async function paced<T>(steps: Steps<T>, patience: Patience): Promise<T> {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    if (patience.sliceIsOver) await patience.giveWay();
  }
}
