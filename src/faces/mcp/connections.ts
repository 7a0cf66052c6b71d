/**
 * The connections of the HTTP server, and the bodies that arrive on them. A connection is unproven until a request on it passes the guard: with a token, or
 * with complete headers if no token is required. Unproven connections may use a share of all connections. In it, the
 * oldest is dropped for the newest. So idle connections, however many, do not lock out a client that sends a request.
 */
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { readBody } from '../http/local-server.ts';
import { LARGEST_MESSAGE } from './message.ts';

/** In milliseconds. */
export const CONNECTION_TIMES = {
  /** Timeouts for a request's head, for the whole request, and for an idle connection. */
  head: 10_000,
  request: 30_000,
  silence: 60_000,
  /** The interval at which the first two are checked. Node's default of 30 s tripled them. */
  check: 500,
};

export class Connections {
  readonly #most: number;
  readonly #mostUnproven: number;
  readonly #all = new Set<Socket>();
  /** In order of arrival. */
  readonly #unproven = new Set<Socket>();

  constructor(most: number) {
    this.#most = most;
    // Node accepts up to 511 connections in one turn of the event loop. Half of 2,048 is two turns' worth, so a request
    // is read before later connections can displace its own.
    this.#mostUnproven = Math.ceil(most / 2);
  }

  add(socket: Socket): void {
    this.#all.add(socket);
    this.#unproven.add(socket);
    socket.once('close', () => {
      this.#all.delete(socket);
      this.#unproven.delete(socket);
    });
    if (this.#unproven.size > this.#mostUnproven || this.#all.size > this.#most) this.#dropOldest();
  }

  /** A proven connection is never dropped for another. */
  prove(socket: Socket): void {
    this.#unproven.delete(socket);
  }

  #dropOldest(): void {
    for (const socket of this.#unproven) {
      // At once, not when the socket closes: many may arrive in one turn of the event loop.
      this.#unproven.delete(socket);
      this.#all.delete(socket);
      socket.destroy();
      return;
    }
  }
}

/** In bytes, of all together. */
const MAX_BYTES = 64 * LARGEST_MESSAGE;

/**
 * The bodies of HTTP requests that are still arriving. Where no token is required, anybody on this machine can begin a
 * request and never end it. So a request counts as a call only once its body is there, and until then it may use a
 * share of the memory and of the connections. In it, the oldest is dropped for the newest: it had the most time.
 */
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
