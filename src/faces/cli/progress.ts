/** A line that says how far a long walk is, once a person has waited for a second. */

import type { CallOptions } from '../../listing/query.ts';
import { now } from '../../workspace/clock.ts';
import type { Streams } from './streams.ts';

const PATIENCE = 1000;

/** Milliseconds between two looks. */
const INTERVAL = 100;

/** Undefined where it is no terminal that the answer goes to: with `| less`, stderr is the pager's screen. */
export function progressTo(
  { isTerminal, status }: Pick<Streams, 'isTerminal' | 'status'>,
  clock: () => number = now,
): CallOptions['onProgress'] {
  if (!isTerminal) return undefined;
  let next = clock() + PATIENCE;
  return (entries) => {
    if (clock() < next) return;
    next = clock() + INTERVAL;
    status(`${String(entries).replace(/\B(?=(?:\d{3})+$)/g, ',')} entries read`);
  };
}
