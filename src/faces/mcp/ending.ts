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

/** In characters. A complaint may quote a client. */
const LONGEST_COMPLAINT = 500;

export function complaintsTo(streams: Streams): (message: string) => void {
  return (message) => streams.complain(`agent-ls mcp: ${shownAsGiven(message.slice(0, LONGEST_COMPLAINT))}`);
}

/** Counts unanswered requests, so that a server can wait for them. The same key may have several. */
export class InFlight<T> {
  readonly #counts = new Map<T, number>();
  #whenEmpty: (() => void) | null = null;
  size = 0;

  /** A negative number takes as many away, as far as there are any. */
  add(one: T, number = 1): void {
    const before = this.#counts.get(one) ?? 0;
    const after = Math.max(before + number, 0);
    if (after === 0) this.#counts.delete(one);
    else this.#counts.set(one, after);
    this.size += after - before;
    if (this.size === 0) this.#whenEmpty?.();
  }

  async drained(): Promise<void> {
    if (this.size === 0) return;
    await new Promise<void>((resolve) => {
      this.#whenEmpty = resolve;
    });
  }
}
