/** A line that says how far a long walk is, once a person has waited for a second. */
import { now } from '../../listing/clock.ts';
import type { CallOptions } from '../../listing/query.ts';

const PATIENCE = 1000;

/** Milliseconds between two looks. */
const INTERVAL = 100;

export function progressTo(
  status: (text: string) => void,
  clock: () => number = now,
): NonNullable<CallOptions['onProgress']> {
  let next = clock() + PATIENCE;
  return (entries) => {
    if (clock() < next) return;
    next = clock() + INTERVAL;
    status(`${String(entries).replace(/\B(?=(?:\d{3})+$)/g, ',')} entries read`);
  };
}
