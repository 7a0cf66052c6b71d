/**
 * The bodies of HTTP requests that are still arriving. Where no token is required, anybody on this machine can begin a
 * request and never end it. So a request counts as a call only once its body is there, and until then it may use a
 * share of the memory and of the connections. In it, the oldest is dropped for the newest: it had the most time.
 */
import type { IncomingMessage } from 'node:http';
import { readBody } from '../http/local-server.ts';
import { LARGEST_MESSAGE } from './message.ts';

/** In bytes, of all together. */
const MAX_BYTES = 64 * LARGEST_MESSAGE;

export class IncomingBodies {
  readonly #most: number;
  /** The bytes that have arrived, in order of the requests. */
  readonly #lengths = new Map<IncomingMessage, number>();
  #bytes = 0;

  constructor(most: number) {
    this.#most = most;
  }

  get size(): number {
    return this.#lengths.size;
  }

  /** Returns null for a body that is too large. Rejects if the client disconnects, or is dropped. */
  async read(request: IncomingMessage): Promise<Buffer | null> {
    this.#arrived(request, 0);
    try {
      return await readBody(request, LARGEST_MESSAGE, (length) => this.#arrived(request, length));
    } finally {
      this.#forget(request);
    }
  }

  #arrived(request: IncomingMessage, length: number): void {
    this.#bytes += length - (this.#lengths.get(request) ?? 0);
    this.#lengths.set(request, length);
    for (const [oldest] of this.#lengths) {
      if (this.#lengths.size <= this.#most && this.#bytes <= MAX_BYTES) return;
      this.#forget(oldest);
      oldest.destroy();
    }
  }

  #forget(request: IncomingMessage): void {
    this.#bytes -= this.#lengths.get(request) ?? 0;
    this.#lengths.delete(request);
  }
}
