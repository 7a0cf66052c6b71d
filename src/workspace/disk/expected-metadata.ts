/** Entries whose metadata a listing is going to ask for, in order: the thread is asked for some hundreds of them at a time. */
import type { Bytes } from '../bytes.ts';
import { readingThread, threadFor } from './process-thread.ts';
import type { ReadingThread, ThreadCalls } from './reading-thread.ts';
import { LAYOUT } from './reading-thread-code.ts';
import { type Described, describedIn } from './system-calls.ts';

/** To be ahead of so many entries gives as much as to be ahead of a directory. */
const ENTRIES = 9;

/** Blocks that are asked for at a time. */
const BLOCKS = 8;

/** Names of which the thread was asked, from one position up to another. */
interface Block {
  readonly names: readonly Bytes[];
  readonly from: number;
  readonly to: number;
  readonly slot: number;
  readonly thread: ReadingThread;
}

/** A block that is being taken. */
interface Current {
  readonly block: Block;
  /** The position of the name that is asked for next. */
  at: number;
  /** Null where the system has to be asked. */
  readonly answers: Uint32Array | null;
}

export class ExpectedMetadata {
  readonly #parent: number;
  readonly #unasked: (readonly Bytes[])[] = [];
  /** How many of the first of these were asked for. */
  #asked = 0;
  readonly #blocks: Block[] = [];
  #current: Current | null = null;
  /** Names that were announced and not given yet. */
  #announced = 0;
  #thread: ReadingThread | null = null;

  constructor(parent: number) {
    this.#parent = parent;
  }

  /** Further names, and how many more there will be. */
  add(names: readonly Bytes[], more: number, calls: ThreadCalls): void {
    threadFor(Math.max(0, names.length + more - this.#announced) / ENTRIES, calls);
    this.#announced = more;
    if (names.length > 0) this.#unasked.push(names);
    this.#request();
  }

  #request(): void {
    const thread = readingThread();
    if (thread === null || this.#unasked.length === 0 || this.#blocks.length >= BLOCKS) return;
    this.#thread = thread;
    for (let names = this.#unasked[0]; names !== undefined && this.#blocks.length < BLOCKS; names = this.#unasked[0]) {
      const requested = thread.requestMetadata(this.#parent, names, this.#asked);
      if (requested === null) break;
      const { slot, to } = requested;
      this.#blocks.push({ names, from: this.#asked, to, slot, thread });
      this.#asked = to;
      if (to === names.length) {
        this.#unasked.shift();
        this.#asked = 0;
      }
    }
    thread.wake();
  }

  /** What the system said of an entry; null where it has to be asked. */
  take(name: Bytes): Described | null {
    this.#current ??= this.#nextBlock();
    const current = this.#current;
    // Another listing of the same directory may ask, too.
    if (current === null || current.block.names[current.at] !== name) return null;
    const { block, answers } = current;
    const at = LAYOUT.answerSize * (current.at++ - block.from);
    const isTold = answers !== null && answers[at] === 0;
    const told = isTold ? describedIn(answers, at + 1, at + 9) : null;
    if (current.at === block.to) this.#release();
    return told;
  }

  #nextBlock(): Current | null {
    const block = this.#blocks.shift();
    this.#request();
    if (block === undefined) return null;
    return { block, at: block.from, answers: block.thread.takeMetadata(block.slot) };
  }

  #release(): void {
    if (this.#current !== null && this.#current.answers !== null) {
      const { slot, thread } = this.#current.block;
      thread.release(slot);
    }
    this.#current = null;
  }

  /** As `close` of `Expected`. */
  close(): ReadingThread | null {
    this.#release();
    for (const { slot, thread } of this.#blocks.splice(0)) if (thread.takeMetadata(slot) !== null) thread.release(slot);
    return this.#thread;
  }
}
