/** A tree can be made so that choosing among its names takes seconds, and nobody else should wait for that. */
import type { Patience } from '../listing/patience.ts';
import type { Steps } from '../workspace/steps.ts';

export type { Steps };

/** Names, or other small things, between two steps. */
export const HANDFUL = 256;

/** All steps, with a pause whenever others should have a turn; never given up, for a map is always drawn to its end. */
export async function paced<T>(steps: Steps<T>, patience: Patience): Promise<T> {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    if (patience.sliceIsOver) await patience.giveWay();
  }
}
