/**
 * Decides which calls run and which wait. A walk holds dozens of directories open, so the queue admits calls by the
 * descriptors that they may need, first come, first served. It also limits the number of calls, no matter how they
 * arrive: alone, in a batch, on one connection or on many.
 */
import { ProtocolError } from '@modelcontextprotocol/server';
import { readThroughLinks } from '../../disk/plain-file.ts';

/** The number of descriptors that a call may hold: 32 directories of a walk, and a few to read one more. */
const CALL_COST = 40;

/** The maximum number of calls that run or wait. */
export const MAX_CALLS = 512;

/** The number of descriptors that all running calls may hold: enough for 64 calls. More would only slow each down. */
export const QUEUE_CAPACITY = 64 * CALL_COST;

/** Milliseconds that a call may wait for its turn. */
const LONGEST_WAIT = 20_000;

/** JSON-RPC reserves this code for servers. */
export const CALL_REFUSED = -32000;

export const TOO_MANY_CALLS =
  `Too many calls at a time: ${MAX_CALLS} wait for their answers. ` +
  'Wait for some of them, then send this one again.';

export class CallQueue {
  readonly #mostRunning: number;
  readonly #longestWait: number;
  /** Each starts its call. */
  readonly #waiting: (() => void)[] = [];
  #calls = 0;
  #running = 0;

  /** `capacity` is the number of descriptors that all running calls may hold. One call always runs. */
  constructor(capacity: number = QUEUE_CAPACITY, longestWait: number = LONGEST_WAIT) {
    this.#mostRunning = Math.max(Math.floor(capacity / CALL_COST), 1);
    this.#longestWait = longestWait;
  }

  /** Runs the work when its turn comes. Throws a ProtocolError if there are too many calls, or the wait is aborted. */
  async run<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    if (this.#calls >= MAX_CALLS) throw new ProtocolError(CALL_REFUSED, TOO_MANY_CALLS);
    this.#calls++;
    try {
      await this.#turn(signal);
      try {
        return await work();
      } finally {
        this.#running--;
        this.#startNext();
      }
    } finally {
      this.#calls--;
    }
  }

  #turn(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const giveUp = (message: string) => {
        settle();
        this.#waiting.splice(this.#waiting.indexOf(start), 1);
        reject(new ProtocolError(CALL_REFUSED, message));
      };
      const cancel = () => giveUp('The call was cancelled before its turn came.');
      const late = () => giveUp('The server is busy: the call waited too long for its turn. Send it again later.');
      const timer = setTimeout(late, this.#longestWait);
      const settle = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', cancel);
      };
      const start = () => {
        settle();
        resolve();
      };
      signal.addEventListener('abort', cancel);
      this.#waiting.push(start);
      if (signal.aborted) cancel();
      else this.#startNext();
    });
  }

  #startNext(): void {
    while (this.#running < this.#mostRunning) {
      const start = this.#waiting.shift();
      if (start === undefined) return;
      this.#running++;
      start();
    }
  }
}

/** The number of connections to the HTTP server, if there are enough descriptors. */
export const MAX_CONNECTIONS = 2048;

/** Reserved for Node itself, the roots of the command line, and the pipes of git. */
const RESERVED_DESCRIPTORS = 64;

/** The assumed descriptor limit of the process if the system does not report it. */
const ASSUMED_LIMIT = 1024;

/** Grants connections and all running calls the descriptors they ask for, or half each if there are not enough. */
export function shareDescriptors(wished: { connections: number; calls: number }, limit: number = descriptorLimit()) {
  const room = Math.max(limit - RESERVED_DESCRIPTORS, 0);
  const connections = Math.min(wished.connections, Math.max(Math.floor(room / 2), 8));
  return { connections, calls: Math.min(wished.calls, Math.max(room - connections, 1)) };
}

/** Returns how many descriptors the process may open. Node raises that limit as far as allowed when it starts. */
function descriptorLimit(): number {
  const limits = readThroughLinks('/proc/self/limits') ?? '';
  return Number(/^Max open files +(\d+)/m.exec(limits)?.[1] ?? ASSUMED_LIMIT);
}
