/**
 * How long a call may go on, and how long it may keep others waiting.
 *
 * Directories are read synchronously, because that is three to five times as fast as promises; so a long reading has
 * to give way by itself. All readings share one queue, and each turn of the event loop continues one of them: with 64
 * large listings under way, somebody else's small call waits for one slice, not for 64.
 */
import { now } from './clock.ts';
import type { CallOptions, Stop } from './query.ts';

const DEFAULT_TIME_LIMIT = 30_000;

/** Milliseconds of work before others get a turn. */
const SLICE = 2;

export class Patience {
  readonly #signal: AbortSignal | undefined;
  readonly #deadline: number;
  readonly #onProgress: CallOptions['onProgress'];
  #sliceEnds: number;
  /** How many entries were read, for those who want to know how far it is. */
  entriesRead = 0;

  constructor({ signal, timeLimit = DEFAULT_TIME_LIMIT, onProgress }: CallOptions) {
    const start = now();
    this.#signal = signal;
    this.#onProgress = onProgress;
    this.#deadline = start + timeLimit;
    this.#sliceEnds = start + SLICE;
  }

  /** Why the call should end now; null to go on. */
  ended(): Stop | null {
    if (this.#signal?.aborted) return 'aborted';
    return now() >= this.#deadline ? 'timeout' : null;
  }

  get sliceIsOver(): boolean {
    return now() >= this.#sliceEnds;
  }

  /** Lets everybody else have a turn, if it is their turn. */
  async giveWay(): Promise<void> {
    if (!this.sliceIsOver) return;
    this.#onProgress?.(this.entriesRead);
    await nextTurn();
    this.#sliceEnds = now() + SLICE;
  }
}

const waiting: (() => void)[] = [];

function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    if (waiting.length === 1) setImmediate(continueOne);
  });
}

function continueOne(): void {
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(continueOne);
}
