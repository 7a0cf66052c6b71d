/**
 * The time and the work of one call: its time limit, its abort signal, and when it lets others have a turn.
 *
 * Directories are read synchronously, because that is three to five times as fast as promises; so a long call has to
 * yield by itself. Work is charged where it is done, in steps; after some hundred thousand of them the clock is read,
 * and after 2 ms the call yields. All calls share one queue, and each turn of the event loop continues one of them:
 * with 64 large listings under way, somebody else's small call waits for one slice, not for 64. Whatever begins in one
 * turn shares a slice: a hundred small calls that arrive together are not a long one.
 */
import { LONGEST_TIMER, now } from './clock.ts';
import { ListingError } from './listing-error.ts';
import type { Steps } from './steps.ts';

/** The limits that a caller may set for a call. */
export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  /**
   * Milliseconds after which the call ends with what it has.
   * @default 30000
   */
  readonly timeLimit?: number | undefined;
  /**
   * Whether what was read may be used again, as long as it has provably not changed.
   * @default true
   */
  readonly cache?: boolean | undefined;
  /** Called now and then while a call takes long, with about how many entries were read so far. */
  readonly onProgress?: ((entries: number) => void) | undefined;
}

/** Why a call had to end: it was cancelled, or its time was over. */
export type CallStop = 'aborted' | 'timeout';

/** Why not everything was read. `interrupted`: the source failed in the middle of a directory. */
export type Stop = 'aborted' | 'timeout' | 'interrupted';

const DEFAULT_TIME_LIMIT = 30_000;

/** The part of the time that is kept back to order and answer what was read, and the most of it in milliseconds. */
const KEPT_BACK = 0.3;
const MOST_KEPT_BACK = 200;

/** Milliseconds of work before others get a turn. */
const SLICE = 2;

/** Steps after which the clock is read: up to a millisecond of work. */
const STEPS_PER_LOOK = 100_000;

/** The work of the commonest operations, in steps. A step is about what it takes to compare two bytes: 5 to 10 ns. */
export const COST = {
  /** An entry that is read from a directory and put in order, and each byte of its name, which may be of any letters. */
  entry: 60,
  nameByte: 8,
  /** One name on the way of a path or of a link. */
  lookup: 2_000,
  /** A directory that is opened, read and closed, beside its entries. */
  directory: 6_000,
  /** An entry that the system is asked for its metadata. */
  describe: 500,
  /** A small piece of anything: a row of an answer, a name that is copied. */
  piece: 20,
} as const;

/** Bytes of ignore files and settings that one call reads. */
const MOST_RULES = 64 * 1024 * 1024;

/** Notes that are told; more would only repeat each other. */
const MOST_NOTES = 8;

/** How far long searches have come, by what is searched, and for which text: the position that comes next. */
export type Searches = Map<object, ReadonlyMap<string, number>>;

export class Budget {
  readonly #signal: AbortSignal | undefined;
  readonly #deadline: number;
  readonly #onProgress: CallOptions['onProgress'];
  #sliceEnds: number;
  /** Entries that were read, for progress. */
  entriesRead = 0;
  /** Work since the clock was read last. */
  steps = 0;
  /** Where work that can be asked for once more notes how far it has come, and may then stop; null where it must not. */
  searches: Searches | null = null;
  #workBefore = 0;
  /** How often others had a turn. */
  turns = 0;
  #stopped: CallStop | null = null;
  readonly #notes = new Set<string>();
  #rulesRead = 0;

  constructor({ signal, timeLimit = DEFAULT_TIME_LIMIT, onProgress }: CallOptions = {}) {
    const start = now();
    this.#signal = signal;
    this.#onProgress = onProgress;
    this.#deadline = start + timeLimit - Math.min(KEPT_BACK * timeLimit, MOST_KEPT_BACK);
    this.#sliceEnds = sharedSlice();
  }

  /** For work that is not part of a call, or that a person waits for. */
  static unlimited(): Budget {
    return new Budget({ timeLimit: Number.POSITIVE_INFINITY });
  }

  /** Why the call has to end now; null to go on. */
  stopReason(): CallStop | null {
    if (this.#signal?.aborted) return 'aborted';
    return now() >= this.#deadline ? 'timeout' : null;
  }

  /** Milliseconds until it has to end. */
  get remaining(): number {
    return Math.max(0, this.#deadline - now());
  }

  /** Whether others should have a turn now. Perf: a loop may ask for each entry, for the clock is read only now and then. */
  get isDue(): boolean {
    return this.steps >= STEPS_PER_LOOK && this.#sliceIsOver();
  }

  /** All work so far, in steps. */
  get work(): number {
    return this.#workBefore + this.steps;
  }

  /** It stays over until others had their turn: the one who asks is not always the one who yields. */
  #sliceIsOver(): boolean {
    const isOver = now() >= this.#sliceEnds;
    if (!isOver) this.#countSteps();
    return isOver;
  }

  #countSteps(): void {
    this.#workBefore += this.steps;
    this.steps = 0;
  }

  /** Lets everybody else have a turn, if it is their turn; undefined where it is not, and nothing has to be waited for. */
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

  /** Lets others have a turn, where the call has more to do; false when it has to end here with what it has. */
  async proceed(): Promise<boolean> {
    await this.yieldIfDue();
    this.#stopped ??= this.stopReason();
    return this.#stopped === null;
  }

  /** Ends the call for a reason that was found elsewhere. */
  stop(reason: CallStop): void {
    this.#stopped ??= reason;
  }

  /** Why the call has ended before it was done; null as long as it has not. */
  get stopped(): CallStop | null {
    return this.#stopped;
  }

  /** Lets others have a turn, where the call has nothing to answer yet: throws when it has to end. */
  async checkpoint(): Promise<void> {
    await this.yieldIfDue();
    this.throwIfOver();
  }

  throwIfOver(): void {
    const stopped = this.stopReason();
    if (stopped !== null) throw endOf(stopped);
  }

  /** Runs all steps with pauses; throws when the call has to end before. */
  run<T>(steps: Steps<T>): Promise<T> {
    return this.#runWith(steps, () => this.checkpoint());
  }

  /** Runs all steps with pauses, to their end, for an answer to what was read already. */
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

  /** Waits for something that is loaded, and throws when the call has to end before. A slice begins afterwards. */
  async waitFor(loading: Promise<void>): Promise<void> {
    let cancel = () => {};
    // A timer may fire just before the clock says so. What was waited for is missing all the same.
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

  /** Counts the bytes of a file of rules; false when the call has read so many that this one must not be used. */
  mayRead(bytes: number): boolean {
    this.#rulesRead += bytes;
    return this.#rulesRead <= MOST_RULES;
  }

  /** Tells the caller about something that was left out: a clause without a full stop. */
  note(text: string): void {
    if (this.#notes.size < MOST_NOTES) this.#notes.add(text);
  }

  get notes(): readonly string[] {
    return [...this.#notes];
  }
}

function endOf(reason: CallStop): ListingError {
  return new ListingError(reason, 'nothing was read');
}

/** When the slice ends that begins in this turn of the event loop; null as long as nothing has begun. */
let shared: number | null = null;

function sharedSlice(): number {
  if (shared === null) {
    shared = now() + SLICE;
    setImmediate(endSlice);
  }
  return shared;
}

function endSlice(): void {
  shared = null;
}

/**
 * Lets others have a turn, where so much has begun in this one that it is their turn. For what arrives and is not a call
 * yet: calls that wait for their turns do not hold it up.
 */
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

/** One of each queue. */
function continueSome(): void {
  endSlice();
  arrivals.shift()?.();
  calls.shift()?.();
  if (arrivals.length + calls.length > 0) setImmediate(continueSome);
}
