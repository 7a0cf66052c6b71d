import { ListingError } from '../listing-error.ts';
import { unlessAborted } from './unless-aborted.ts';

/** For what cannot be used as an answer: what the runtime says of it would help nobody. */
const NO_ANSWER = new ListingError('failed', 'the source answered with something else than was asked for');

/** Lets so many questions through at a time. Whoever stops waiting for an answer gives the place back. */
export class Gate {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(places: number) {
    this.#free = places;
  }

  /** Rejects when the signal is aborted, whatever becomes of the question. */
  async ask<T>(question: () => Promise<T>, signal: AbortSignal): Promise<T> {
    signal.throwIfAborted();
    if (this.#free > 0) this.#free--;
    else await unlessAborted(this.#turn(signal), signal);
    try {
      return await unlessAborted(question(), signal);
    } catch (error) {
      throw error instanceof TypeError ? NO_ANSWER : error;
    } finally {
      this.#leave();
    }
  }

  /** Resolves when a place was given back. */
  #turn(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(() => {
        // Its turn goes on to the next, if nobody waits for it any more.
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
