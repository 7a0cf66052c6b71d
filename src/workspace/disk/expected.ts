/** The directories in one that a walk is going to read, in order: the thread is asked for some of them at a time. */
import type { Bytes } from '../bytes.ts';
import { readingThread, threadFor } from './process-thread.ts';
import { type Ahead, drop, type ReadingThread, type Requested, type ThreadCalls } from './reading-thread.ts';

/** How many are asked for at a time, and how few are left when others are. */
const MOST = 4;
const FEW = 2;

/** What lies between the urgencies of two: more than the levels that the thread can be ahead, which come in between. */
const BETWEEN = 64;

/** How much less it gives to be ahead of a walk that has to say of each directory whether it is read. */
const PRUNED = 1 / 32;

/** The thread, if it is there by now to read ahead of a walk; everything will be read of so many levels more. */
export function threadForWalk(levels: number, calls: ThreadCalls): ReadingThread | null {
  return threadFor(levels > 0 ? 1 : PRUNED, calls);
}

/** Then what was expected before is over, and nothing else begins. */
export function isNone(names: Iterable<Bytes>): boolean {
  return Array.isArray(names) && names.length === 0;
}

export class Expected {
  readonly #parent: number;
  readonly #isStamped: boolean;
  readonly #levels: number;
  readonly #names: Iterator<Bytes, undefined>;
  /** The first that was not asked for yet; undefined when there is none. */
  #next: Bytes | undefined;
  #requested: Requested[] = [];
  /** Those that the thread has gone on with by itself, and the walk has not come to yet. */
  #found: readonly Requested[];
  /** The thread that was asked. */
  #thread: ReadingThread | null = null;

  /** `isStamped` if each is stamped before it is read; of the levels below them everything will be read. */
  constructor(
    parent: number,
    names: Iterable<Bytes>,
    isStamped: boolean,
    levels: number,
    found: readonly Requested[] = [],
  ) {
    this.#parent = parent;
    this.#names = names[Symbol.iterator]();
    this.#isStamped = isStamped;
    this.#levels = levels;
    this.#found = found;
    this.#advance();
  }

  #advance(): void {
    const { done, value } = this.#names.next();
    this.#next = done ? undefined : value;
  }

  /** Asks for some, if it is time. */
  request(): void {
    if (this.#next === undefined || this.#requested.length > FEW) return;
    const thread = readingThread();
    if (thread === null) return;
    this.#thread = thread;
    let urgency = thread.nextUrgency(MOST * BETWEEN);
    for (let name = this.#next; name !== undefined && this.#requested.length < MOST; name = this.#next) {
      const requested =
        this.#hurried(name, urgency) ?? thread.request(this.#parent, name, urgency, this.#isStamped, this.#levels);
      if (requested === null) break;
      this.#requested.push(requested);
      this.#advance();
      urgency -= BETWEEN;
    }
    thread.wake();
  }

  #hurried(name: Bytes, urgency: number): Requested | null {
    const found = this.#found.find((one) => one.name === name);
    if (found === undefined) return null;
    this.#found = this.#found.filter((one) => one !== found);
    found.thread.hurry(found.slot, urgency);
    return found;
  }

  /** What was read of a directory ahead; null where it was not. */
  take(name: Bytes): Ahead | null {
    const at = this.#requested.findIndex((requested) => requested.name === name);
    // The walk has passed them over.
    if (at > 0) drop(this.#requested.splice(0, at));
    const requested = at < 0 ? undefined : this.#requested.shift();
    const ahead = requested?.thread.take(requested.slot) ?? null;
    if (name === this.#next) this.#advance();
    this.request();
    return ahead;
  }

  /**
   * The directory that they are in is about to be closed. The thread that must do it, for it may just be opening one of
   * them: a descriptor's number may soon be another's. Null where it is not asked for any.
   */
  close(): ReadingThread | null {
    drop(this.#requested);
    drop(this.#found);
    this.#requested = [];
    this.#found = [];
    return this.#thread;
  }
}
