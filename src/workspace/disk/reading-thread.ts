/**
 * A thread that reads directories ahead: while a walk judges and prints one, the system already reads the next. What it
 * has not got to yet the walk reads itself, so that nobody ever waits for it.
 */
import { createRequire } from 'node:module';
import type { Bytes } from '../bytes.ts';
import { DIRENT, STATX } from './kernel.ts';
import { LAYOUT, readDirectories, type ThreadData } from './reading-thread-code.ts';

/** How often it is looked whether something was read. Perf: it is mostly a matter of microseconds. */
const PATIENCE = 5000;

/** Seconds: more than the grain of the coarsest times that file systems keep. */
const LONGEST_GRAIN = 3;

/** Milliseconds for which a process that exits waits for its thread. */
const LONGEST_END = 5000;

/** What it takes of the system's calls. */
export interface ThreadCalls {
  readonly koffiPath: string;
  readonly directoryFlags: number;
  close(descriptor: number): void;
}

/** A directory that was read ahead; until it is released, its bytes stay as they are. */
export interface Ahead {
  readonly descriptor: number;
  /** What `statx` said before it was read; null where that was not asked. */
  readonly stamp: Uint32Array | null;
  /** Whether that proves what it contained: not if it had just been changed, for it may have been changed once more. */
  readonly wasSettled: boolean;
  readonly entries: Buffer;
  readonly length: number;
  /** Whether these are all entries; the others are still to be read from the descriptor. */
  readonly isWhole: boolean;
  /** Those of its own directories that the thread has gone on with. */
  readonly children: readonly Requested[];
  readonly thread: ReadingThread;
  release(): void;
}

/** One that the thread was asked for. */
export interface Requested {
  readonly name: Bytes;
  readonly slot: number;
  readonly thread: ReadingThread;
}

interface Slot {
  readonly name: Buffer;
  readonly stamp: Uint32Array;
  readonly entries: Buffer;
}

const NO_CHILDREN: readonly Requested[] = [];

/** Perf: most commands do without. */
export function workerThreads(): typeof import('node:worker_threads') {
  return createRequire(import.meta.url)('node:worker_threads');
}

export class ReadingThread {
  #shared: Int32Array;
  #slots: readonly Slot[];
  #cursor = 0;
  #urgency = 0;
  /** What it was asked for, and nobody has taken or dropped yet. */
  #open = 0;
  /** Descriptors that are still to be closed, and were not given to it. */
  #unclosed: number[] = [];
  #hasEnded = false;
  readonly #calls: ThreadCalls;

  constructor(calls: ThreadCalls) {
    this.#calls = calls;
    const { slots, header, nameSize, stampSize, entriesSize } = LAYOUT;
    const size = nameSize + stampSize + entriesSize;
    const memory = new SharedArrayBuffer(header + slots * size);
    this.#shared = new Int32Array(memory, 0, header / 4);
    this.#slots = Array.from({ length: slots }, (_, slot) => {
      const start = header + slot * size;
      return {
        name: Buffer.from(memory, start, nameSize),
        stamp: new Uint32Array(memory, start + nameSize, stampSize / 4),
        entries: Buffer.from(memory, start + nameSize + stampSize, entriesSize),
      };
    });
    const kernel = { dirent: DIRENT, statx: STATX };
    const { koffiPath: koffi, directoryFlags: flags } = calls;
    const workerData: ThreadData = { memory, layout: LAYOUT, koffi, flags, kernel };
    const code = `
      const { workerData } = require('node:worker_threads');
      try { (${readDirectories})(workerData, require); }
      finally {
        const shared = new Int32Array(workerData.memory);
        Atomics.store(shared, ${LAYOUT.thread}, ${LAYOUT.OVER});
        Atomics.notify(shared, ${LAYOUT.thread});
      }`;
    // Nothing that the host loads into its own threads belongs into this one.
    const worker = new (workerThreads().Worker)(code, { eval: true, workerData, execArgv: [], env: {} });
    worker.unref();
    // Before those of the host, which may exit themselves.
    process.prependOnceListener('exit', this.#endNow);
    // Then nobody asks it any more.
    worker.on('error', () => {});
    worker.on('exit', () => {
      this.#hasEnded = true;
      process.off('exit', this.#endNow);
      this.#letGo();
    });
  }

  get isReady(): boolean {
    const state = this.#state;
    return !this.#hasEnded && (state === LAYOUT.AWAKE || state === LAYOUT.ASLEEP);
  }

  get isInUse(): boolean {
    return this.#open > 0 || this.#isClosing;
  }

  get #isClosing(): boolean {
    const { toClose, closed } = LAYOUT;
    return this.#unclosed.length > 0 || Atomics.load(this.#shared, closed) !== this.#shared[toClose];
  }

  /** Workspaces may know it for longer than there is anything in its memory, of which the numbers are a small part. */
  #letGo(): void {
    if (this.isInUse) return;
    this.#shared = this.#shared.slice();
    this.#slots = [];
  }

  /** Nobody asks it any more. */
  end(): void {
    this.#hasEnded = true;
    Atomics.store(this.#shared, LAYOUT.isOver, 1);
    this.wake();
  }

  /**
   * Waits until it has ended. When a process exits, Node stops its threads wherever they are, and one that is stopped
   * while it loads koffi takes the whole process down with it (seen with koffi 3 and Node 20).
   */
  readonly #endNow = (): void => {
    this.end();
    const { thread, OVER } = LAYOUT;
    const deadline = Date.now() + LONGEST_END;
    for (let state = this.#state; state !== OVER && Date.now() < deadline; state = this.#state) {
      Atomics.wait(this.#shared, thread, state, LONGEST_END);
    }
  };

  get #state(): number {
    return Atomics.load(this.#shared, LAYOUT.thread);
  }

  /** How urgent the first of so many is; what is asked for later is more urgent, for the walk has gone down. */
  nextUrgency(range: number): number {
    this.#urgency = (this.#urgency + range) & (2 ** 30 - 1);
    return this.#urgency + range;
  }

  /** Asks for a directory; null when there is no free slot. After some of them, it has to be woken. */
  request(parent: number, name: Bytes, urgency: number, isStamped: boolean, levels: number): Requested | null {
    const slot = name.length < LAYOUT.nameSize ? this.#claimed() : -1;
    if (slot < 0) return null;
    const shared = this.#shared;
    const at = numbersOf(slot);
    const bytes = (this.#slots[slot] as Slot).name;
    bytes[bytes.write(name, 'latin1')] = 0;
    shared[LAYOUT.urgencies + slot] = urgency;
    shared[at + LAYOUT.parent] = parent;
    shared[at + LAYOUT.isStamped] = isStamped ? 1 : 0;
    shared[at + LAYOUT.levels] = Math.min(levels, 2 ** 30);
    this.#requested(slot);
    return { name, slot, thread: this };
  }

  #requested(slot: number): void {
    Atomics.store(this.#shared, LAYOUT.states + slot, LAYOUT.REQUESTED);
    this.#open++;
  }

  release(slot: number): void {
    Atomics.store(this.#shared, LAYOUT.states + slot, LAYOUT.FREE);
  }

  #claimed(): number {
    const { FREE, CLAIMED, slots, states } = LAYOUT;
    for (let i = 0; i < slots; i++) {
      this.#cursor = (this.#cursor + 1) % slots;
      const at = states + this.#cursor;
      if (this.#shared[at] !== FREE) continue;
      if (Atomics.compareExchange(this.#shared, at, FREE, CLAIMED) === FREE) return this.#cursor;
    }
    return -1;
  }

  /** One that the thread has gone on with is now asked for by the walk. */
  hurry(slot: number, urgency: number): void {
    this.#shared[LAYOUT.urgencies + slot] = urgency;
  }

  wake(): void {
    const { asked, thread, ASLEEP } = LAYOUT;
    Atomics.add(this.#shared, asked, 1);
    if (Atomics.load(this.#shared, thread) === ASLEEP) Atomics.notify(this.#shared, asked);
  }

  /**
   * Closes a directory, also while the thread may be opening another from it. Perf: the thread does it, for it takes the
   * system several times as long to close a directory that another thread has read.
   */
  close(descriptor: number): void {
    const shared = this.#shared;
    const { toClose, closed, closing, mostToClose } = LAYOUT;
    const at = shared[toClose] as number;
    if (((at - Atomics.load(shared, closed)) | 0) < mostToClose) {
      shared[closing + (at & (mostToClose - 1))] = descriptor;
      Atomics.store(shared, toClose, (at + 1) | 0);
    } else this.#unclosed.push(descriptor);
    if (this.#unclosed.length > 0) this.#closeUnused();
    // A walk may be slower than the thread is patient.
    if (this.#hasEnded) this.settle();
    if (Atomics.load(shared, LAYOUT.thread) === LAYOUT.ASLEEP) this.wake();
  }

  /** Closes those from which nothing is being opened. */
  #closeUnused(): void {
    this.#unclosed = this.#unclosed.filter((descriptor) => {
      if (this.#isOpenedFrom(descriptor)) return true;
      this.#calls.close(descriptor);
      return false;
    });
  }

  /** Whatever was asked of a directory that is to be closed was dropped before, unless it had begun. */
  #isOpenedFrom(descriptor: number): boolean {
    const { slots, states, READING, ABANDONED, parent } = LAYOUT;
    for (let slot = 0; slot < slots; slot++) {
      const state = Atomics.load(this.#shared, states + slot);
      const isBegun = state === READING || state === ABANDONED;
      if (isBegun && this.#shared[numbersOf(slot) + parent] === descriptor) return true;
    }
    return false;
  }

  /** At the end of a call: what is to be closed is closed now, and not when the thread gets to it. */
  settle(): void {
    const shared = this.#shared;
    const { toClose, closed, closing, mostToClose } = LAYOUT;
    for (let done = Atomics.load(shared, closed); done !== shared[toClose]; done = Atomics.load(shared, closed)) {
      const descriptor = shared[closing + (done & (mostToClose - 1))] as number;
      // The thread closes it itself, as soon as it can.
      if (!this.#hasEnded && this.#isOpenedFrom(descriptor)) break;
      if (Atomics.compareExchange(shared, closed, done, (done + 1) | 0) === done) this.#unclosed.push(descriptor);
    }
    for (let i = 0; i < PATIENCE && Atomics.load(shared, LAYOUT.doing) === 1; i++);
    this.#closeUnused();
  }

  /** What was read; null where the thread has not got to it, or could not read it. */
  take(slot: number): Ahead | null {
    this.#open--;
    if (!this.#isRead(LAYOUT.states + slot)) return null;
    const shared = this.#shared;
    const at = numbersOf(slot);
    const descriptor = shared[at + LAYOUT.descriptor] as number;
    const release = () => this.release(slot);
    if (descriptor < 0) {
      release();
      return null;
    }
    const { stamp, entries } = this.#slots[slot] as Slot;
    const isStamped = shared[at + LAYOUT.isStamped] === 1;
    return {
      descriptor,
      stamp: isStamped ? stamp : null,
      wasSettled: isStamped && isSettled(stamp, shared[at + LAYOUT.readAt] as number),
      entries,
      length: shared[at + LAYOUT.length] as number,
      isWhole: shared[at + LAYOUT.isWhole] === 1,
      children: this.#childrenOf(at),
      thread: this,
      release,
    };
  }

  #childrenOf(at: number): readonly Requested[] {
    const count = this.#shared[at + LAYOUT.children] as number;
    if (count === 0) return NO_CHILDREN;
    this.#open += count;
    return Array.from({ length: count }, (_, i) => {
      const slot = this.#shared[at + LAYOUT.firstChild + i] as number;
      const bytes = (this.#slots[slot] as Slot).name;
      return { name: bytes.toString('latin1', 0, bytes.indexOf(0)) as Bytes, slot, thread: this };
    });
  }

  /** Gives the thread some time, if it is about to. When it is not ready then, it is not wanted any more. */
  #isRead(state: number): boolean {
    const shared = this.#shared;
    const { thread, AWAKE, REQUESTED, READING, READY, FREE, ABANDONED } = LAYOUT;
    const isAwake = Atomics.load(shared, thread) === AWAKE;
    for (let i = 0; isAwake && i < PATIENCE && Atomics.load(shared, state) !== READY; i++);
    if (Atomics.load(shared, state) === READY) return true;
    if (Atomics.compareExchange(shared, state, REQUESTED, FREE) === REQUESTED) return false;
    return Atomics.compareExchange(shared, state, READING, ABANDONED) !== READING;
  }
}

/** Whether a directory had not been changed for a while when it was read, in seconds. */
function isSettled(stamp: Uint32Array, readAt: number): boolean {
  return Math.max(stamp[STATX.changed] as number, stamp[STATX.modified] as number) + LONGEST_GRAIN < readAt;
}

function numbersOf(slot: number): number {
  return LAYOUT.first + slot * LAYOUT.numbers;
}

/** Nobody wants these after all. */
export function drop(requested: readonly Requested[]): void {
  for (const { slot, thread: by } of requested) {
    const ahead = by.take(slot);
    if (ahead === null) continue;
    drop(ahead.children);
    ahead.release();
    by.close(ahead.descriptor);
  }
}
