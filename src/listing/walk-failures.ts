/** Decides which failures do not end a walk. */
import { concernsOneEntry, fromSystem } from '../workspace/listing-error.ts';
import type { Visit } from '../workspace/visit.ts';

/** True if the walk notes the failure and goes on without what failed. */
export function isSkippable(error: unknown): boolean {
  const { kind, code } = fromSystem(error, null);
  return kind === 'denied' || concernsOneEntry(code);
}

/** Returns null if a directory cannot be opened and the walk goes on without it. */
export function orNull(open: () => Visit | null | undefined): Visit | null {
  try {
    return open() ?? null;
  } catch (error) {
    if (isSkippable(error)) return null;
    throw error;
  }
}
