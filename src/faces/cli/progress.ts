/** Shows the progress of a long walk on stderr, after a second of waiting. */
import type { CallOptions } from '../../listing/query.ts';
import { grouped } from '../../protocol/size.ts';
import { now } from '../../workspace/clock.ts';
import type { Streams } from './streams.ts';

/** In milliseconds, before the first line and between two. */
const STATUS_DELAY = 1000;
const STATUS_INTERVAL = 100;

/** Undefined unless the answer goes to a terminal: with `| less`, stderr is the pager's screen. */
export function progressTo(
  { isTerminal, status }: Pick<Streams, 'isTerminal' | 'status'>,
  clock: () => number = now,
): CallOptions['onProgress'] {
  if (!isTerminal) return undefined;
  let next = clock() + STATUS_DELAY;
  return (entries) => {
    if (clock() < next) return;
    next = clock() + STATUS_INTERVAL;
    status(`${grouped(entries)} entries read`);
  };
}
