/** What the servers share: their complaints on stderr, and an end within ten seconds, whatever is running. */
import { shownAsGiven } from '../../names/quote.ts';
import { within } from '../../workspace/clock.ts';
import type { Streams } from '../cli/streams.ts';

/** In milliseconds. */
export const ENDING = {
  /** Time to finish pending answers. Calls that still run after that are aborted. */
  grace: 7_000,
  /** Time for connections to close after that. */
  closing: 1_000,
};

/** Resolves to true when the work is done, or to false after a timeout. */
export function settlesWithin(milliseconds: number, work: Promise<unknown>): Promise<boolean> {
  const done = work.then(() => true);
  return within(milliseconds, done, () => false);
}

/** Exits the process if anything still keeps it alive after a moment, such as an answer that is never read. */
export function endProcessSoon(): void {
  setTimeout(() => process.exit(0), 500).unref();
}

/** In characters. A complaint may quote a client. */
const LONGEST_COMPLAINT = 500;

export function complaintsTo(streams: Streams): (message: string) => void {
  return (message) => streams.complain(`agent-ls mcp: ${shownAsGiven(message.slice(0, LONGEST_COMPLAINT))}`);
}
