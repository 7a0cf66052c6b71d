import { unlessAborted } from '../../workspace/clock.ts';
import { ListingError } from '../../workspace/listing-error.ts';

/** Replaces the TypeError that an answer of the wrong shape causes, because its message would not help. */
const NO_ANSWER = new ListingError('failed', 'the source returned an invalid answer');

/** Limits the number of concurrent requests. A caller that stops waiting frees its slot. */
export class Gate {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(places: number) {
    this.#free = places;
  }

  /** Rejects when the signal is aborted, even if the request never settles. */
  async ask<T>(question: () => Promise<T>, signal: AbortSignal): Promise<T> {
    signal.throwIfAborted();
    if (this.#free > 0) this.#free--;
    else await unlessAborted(this.#turn(signal), signal);
    try {
      return await unlessAborted(question(), signal);
    } catch (error) {
      // Without a reason it would look as if nothing had failed.
      throw error instanceof TypeError || error === null || error === undefined ? NO_ANSWER : error;
    } finally {
      this.#leave();
    }
  }

  /** Resolves when a slot becomes free. */
  #turn(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(() => {
        // An aborted request passes its slot on to the next.
        if (signal.aborted) this.#leave();
        else resolve();
      });
    });
  }

  #leave(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#free++;
    else next();
  }
}
