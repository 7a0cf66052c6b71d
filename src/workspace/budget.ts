/**
 * The time and the work of one call: its time limit, its abort signal, and when it yields to other calls.
 *
 * Directories are read synchronously, three to five times as fast as with promises. So work is charged in steps where
 * it is done; after some hundred thousand the clock is read, and after 2 ms the call yields. All calls share one queue,
 * and each turn of the event loop resumes one: a small call waits for one slice, not for 64. Whatever begins in one
 * turn shares a slice, so that a hundred small calls that arrive together do not block the event loop as a long one
 * would.
 */
import { LONGEST_TIMER, now } from './clock.ts';
import { ListingError } from './listing-error.ts';
import { loading, type Steps } from './steps.ts';

/** The limits that a caller may set for a call. */
export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  /**
   * Milliseconds after which the call ends with what it has.
   * @default 30000
   */
  readonly timeLimit?: number | undefined;
  /**
   * Allows the call to reuse what was read before, as long as it has provably not changed.
   * @default true
   */
  readonly cache?: boolean | undefined;
  /** Called from time to time during a long call, with the approximate number of entries read so far. */
  readonly onProgress?: ((entries: number) => void) | undefined;
}

/** The reason why a call had to end early: it was cancelled, or its time ran out. */
export type CallStop = 'aborted' | 'timeout';

/** The reason why not everything was read. `interrupted`: the source failed in the middle of a directory. */
export type Stop = 'aborted' | 'timeout' | 'interrupted';

const DEFAULT_TIME_LIMIT = 30_000;
/** The share of the time limit reserved for sorting and answering, and its maximum in milliseconds. */
const KEPT_BACK = 0.3;
const MAX_KEPT_BACK = 200;
/** Milliseconds of work before a call yields. */
const SLICE = 2;
/** Steps between two readings of the clock: up to a millisecond of work. */
const STEPS_PER_LOOK = 100_000;

/** The cost of the commonest operations, in steps. A step takes about as long as comparing two bytes: 5 to 10 ns. */
export const COST = {
  /** Reading and sorting an entry, and each byte of its name, in whatever script. */
  entry: 60,
  nameByte: 8,
  /** Looking up one name of a path or of a link's target. */
  lookup: 2_000,
  /** Opening, reading and closing a directory, without its entries. */
  directory: 6_000,
  describe: 500,
  /** A small unit of anything: a row of an answer, a copied name. */
  piece: 20,
} as const;

/** The limit, in bytes, for the ignore files and settings that one call reads. */
const MAX_RULES = 64 * 1024 * 1024;
/** The limit for notes. More would only repeat each other. */
const MAX_NOTES = 8;

/** The work done, in steps of pattern matching. Readers pause by it, so that hostile patterns do not block others. */
export interface Effort {
  steps: number;
  note?(text: string): void;
  run?<T>(steps: Steps<T>): Promise<T>;
}

export class Budget {
  readonly #signal: AbortSignal | undefined;
  readonly #deadline: number;
  readonly #onProgress: CallOptions['onProgress'];
  #sliceEnds: number;
  entriesRead = 0;
  /** The work done since the clock was last read. */
  steps = 0;
  /** True if the call may block the thread, because nothing else needs it meanwhile. */
  mayBlock = false;
  #workBefore = 0;
  turns = 0;
  /** The reason why the call ends with what it has; null while it continues. */
  stopped: CallStop | null = null;
  readonly #notes = new Set<string>();
  #rulesRead = 0;

  constructor({ signal, timeLimit = DEFAULT_TIME_LIMIT, onProgress }: CallOptions = {}) {
    const start = now();
    this.#signal = signal;
    this.#onProgress = onProgress;
    this.#deadline = start + timeLimit - Math.min(KEPT_BACK * timeLimit, MAX_KEPT_BACK);
    this.#sliceEnds = sharedSlice();
  }

  /** Makes a budget for work that is not part of a call, or that a person waits for. */
  static unlimited(): Budget {
    return new Budget({ timeLimit: Number.POSITIVE_INFINITY });
  }

  /** Returns the reason why the call has to end now; null if it may continue. */
  stopReason(): CallStop | null {
    if (this.#signal?.aborted) return 'aborted';
    return now() >= this.#deadline ? 'timeout' : null;
  }

  get remaining(): number {
    return Math.max(0, this.#deadline - now());
  }

  /** True if the call should yield now. Perf: cheap enough to check for each entry, as the clock is rarely read. */
  get isDue(): boolean {
    return this.steps >= STEPS_PER_LOOK && this.#sliceIsOver();
  }

  get work(): number {
    return this.#workBefore + this.steps;
  }

  /** Stays true until the call has yielded, because the code that checks is not always the code that yields. */
  #sliceIsOver(): boolean {
    const isOver = now() >= this.#sliceEnds;
    if (!isOver) this.#countSteps();
    return isOver;
  }

  #countSteps(): void {
    this.#workBefore += this.steps;
    this.steps = 0;
  }

  /** Yields to other calls if the slice is over; otherwise returns undefined, and there is nothing to await. */
  yieldIfDue(): Promise<void> | undefined {
    return this.#sliceIsOver() ? this.#yield() : undefined;
  }

  async #yield(): Promise<void> {
    this.#onProgress?.(this.entriesRead);
    await nextTurn(calls);
    this.turns++;
    this.#countSteps();
    this.#sliceEnds = now() + SLICE;
  }

  /** Yields if due, in a call that has something to answer; false if the call has to end here with what it has. */
  async proceed(): Promise<boolean> {
    await this.yieldIfDue();
    this.stopped ??= this.stopReason();
    return this.stopped === null;
  }

  /** Yields if due, in a call that has nothing to answer yet: throws if the call has to end. */
  async checkpoint(): Promise<void> {
    await this.yieldIfDue();
    this.throwIfOver();
  }

  throwIfOver(): void {
    const stopped = this.stopReason();
    if (stopped !== null) throw endOf(stopped);
  }

  /** Runs all steps with pauses; throws if the call has to end first. */
  run<T>(steps: Steps<T>): Promise<T> {
    return this.#runWith(steps, () => this.checkpoint());
  }

  /** Runs all steps with pauses, to completion whatever the limits, to answer with what has already been read. */
  finish<T>(steps: Steps<T>): Promise<T> {
    return this.#runWith(steps, () => this.yieldIfDue());
  }

  async #runWith<T>(steps: Steps<T>, pause: () => Promise<void> | undefined): Promise<T> {
    for (let step = steps.next(); ; ) {
      if (step.done) return step.value;
      try {
        if (step.value !== undefined) await this.waitFor(step.value);
        const paused = pause();
        if (paused !== undefined) await paused;
      } catch (error) {
        step = steps.throw(error);
        continue;
      }
      step = steps.next();
    }
  }

  /** Waits for something to load; throws if the call has to end first. A new slice begins afterwards. */
  async waitFor(loading: Promise<void>): Promise<void> {
    let cancel = () => {};
    // A timer may fire just before the clock reaches the deadline. The result is missing all the same.
    const over = new Promise<never>((_, reject) => {
      const timer = setTimeout(() => reject(endOf('timeout')), Math.min(this.remaining, LONGEST_TIMER));
      const abort = () => reject(endOf('aborted'));
      if (this.#signal?.aborted) abort();
      this.#signal?.addEventListener('abort', abort);
      cancel = () => {
        clearTimeout(timer);
        this.#signal?.removeEventListener('abort', abort);
      };
    });
    try {
      await Promise.race([loading, over]);
    } finally {
      cancel();
    }
    this.throwIfOver();
    this.#sliceEnds = sharedSlice();
  }

  /** Counts the bytes of a rule file; false if the call has read so many that this file must not be used. */
  mayRead(bytes: number): boolean {
    this.#rulesRead += bytes;
    return this.#rulesRead <= MAX_RULES;
  }

  /** Notes for the caller that something was left out. `text` is a clause without a full stop. */
  note(text: string): void {
    if (this.#notes.size < MAX_NOTES) this.#notes.add(text);
  }

  get notes(): readonly string[] {
    return [...this.#notes];
  }
}

const endOf = (reason: CallStop): ListingError => new ListingError(reason, 'nothing was read');

/** The end of the slice that is shared by everything that begins in this turn; null if nothing has begun in it. */
let shared: number | null = null;

function sharedSlice(): number {
  if (shared === null) setImmediate(endSlice);
  shared ??= now() + SLICE;
  return shared;
}

function endSlice(): void {
  shared = null;
}

/** Yields if the shared slice is used up. For requests that are not calls yet, and need not queue behind those. */
export function yieldIfBusy(): Promise<void> | undefined {
  return now() >= sharedSlice() ? nextTurn(arrivals) : undefined;
}

type Queue = (() => void)[];

const arrivals: Queue = [];
const calls: Queue = [];

function nextTurn(queue: Queue): Promise<void> {
  return new Promise((resolve) => {
    queue.push(resolve);
    if (arrivals.length + calls.length === 1) setImmediate(continueSome);
  });
}

/** Resumes one waiter from each queue. */
function continueSome(): void {
  endSlice();
  arrivals.shift()?.();
  calls.shift()?.();
  if (arrivals.length + calls.length > 0) setImmediate(continueSome);
}

/**
 * Calls `ask` until everything that it needs is loaded. If nothing has to be, it returns the answer, not a promise.
 * `ask` starts from the beginning each time, so it must not change anything before its last query.
 */
export function retrying<T>(ask: () => T | Promise<T>, budget: Budget): T | Promise<T> {
  try {
    const answer = ask();
    return answer instanceof Promise ? answer.catch((error) => askAgain(error, ask, budget)) : answer;
  } catch (error) {
    return askAgain(error, ask, budget);
  }
}

function askAgain<T>(error: unknown, ask: () => T | Promise<T>, budget: Budget): Promise<T> {
  return budget.waitFor(loading(error)).then(() => retrying(ask, budget));
}
