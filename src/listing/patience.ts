/**
 * How long a call may go on, and how long it may keep others waiting.
 *
 * Directories are read synchronously, because that is three to five times as fast as promises; so a long reading has
 * to give way by itself. All readings share one queue, and each turn of the event loop continues one of them: with 64
 * large listings under way, somebody else's small call waits for one slice, not for 64.
 */
import type { RuleCall } from '../rules/rule.ts';
import { ListingError } from '../workspace/listing-error.ts';
import { now } from './clock.ts';
import type { CallOptions, Stop } from './query.ts';

const DEFAULT_TIME_LIMIT = 30_000;

/** The part of the time that is kept back to order and tell what was read, and the most of it in milliseconds. */
const KEPT_BACK = 0.3;
const MOST_KEPT_BACK = 200;

/** Milliseconds of work before others get a turn. */
const SLICE = 2;

/** Bytes of ignore files and settings that one call reads. */
const MOST_RULES = 64 * 1024 * 1024;

/** Notes that are told; more would only repeat each other. */
const MOST_NOTES = 8;

export class Patience implements RuleCall {
  readonly #signal: AbortSignal | undefined;
  readonly #deadline: number;
  readonly #onProgress: CallOptions['onProgress'];
  #sliceEnds: number;
  /** How many entries were read, for those who want to know how far it is. */
  entriesRead = 0;
  /** Work that was done since the last look at the clock. */
  steps = 0;
  readonly #notes = new Set<string>();
  #rulesRead = 0;

  constructor({ signal, timeLimit = DEFAULT_TIME_LIMIT, onProgress }: CallOptions) {
    const start = now();
    this.#signal = signal;
    this.#onProgress = onProgress;
    this.#deadline = start + timeLimit - Math.min(KEPT_BACK * timeLimit, MOST_KEPT_BACK);
    this.#sliceEnds = start + SLICE;
  }

  /** Why the call should end now; null to go on. */
  ended(): Stop | null {
    if (this.#signal?.aborted) return 'aborted';
    return now() >= this.#deadline ? 'timeout' : null;
  }

  /** Milliseconds until it has to end. */
  get remaining(): number {
    return Math.max(0, this.#deadline - now());
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

  async pause(): Promise<void> {
    this.steps = 0;
    await this.giveWay();
    const stopped = this.ended();
    if (stopped !== null) throw new ListingError(stopped, 'nothing was read');
  }

  mayRead(bytes: number): boolean {
    this.#rulesRead += bytes;
    return this.#rulesRead <= MOST_RULES;
  }

  note(text: string): void {
    if (this.#notes.size < MOST_NOTES) this.#notes.add(text);
  }

  /** What was left out, and why. */
  get notes(): readonly string[] {
    return [...this.#notes];
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
