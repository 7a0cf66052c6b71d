/** A tree can be made so that choosing among its names takes seconds, and nobody else should wait for that. */
import type { Steps } from '../workspace/steps.ts';

export type { Steps };

/** Names, or other small things, between two steps. */
export const HANDFUL = 256;
