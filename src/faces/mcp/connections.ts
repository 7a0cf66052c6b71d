/**
 * The connections of the HTTP server. A connection is unproven until a request on it passes the guard: with a token, or
 * with complete headers if no token is required. Unproven connections may use a share of all connections. In it, the
 * oldest is dropped for the newest. So idle connections, however many, do not lock out a client that sends a request.
 */
import type { Socket } from 'node:net';

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
