/** Which failures a walk goes on after. */
import { concernsOneEntry, fromSystem } from '../workspace/listing-error.ts';
import type { Visit } from '../workspace/visit.ts';

/** Whether it is a reason to go on without what it was said of, and to note that. */
export function isPassedOver(error: unknown): boolean {
  const { kind, code } = fromSystem(error, null);
  return kind === 'denied' || concernsOneEntry(code);
}

/** Null where a directory cannot be opened, and the walk goes on without it. */
export function orNull(open: () => Visit | null | undefined): Visit | null {
  try {
    return open() ?? null;
  } catch (error) {
    if (isPassedOver(error)) return null;
    throw error;
  }
}
