/**
 * The connections of the HTTP server. A connection is unproven until a request on it has passed the guard: with a token, or
 * with complete headers if no token is required. Unproven connections have a share of all connections, in which the oldest
 * makes room for the newest. So silent connections, however many, do not lock out a client that sends a request.
 */
import type { Socket } from 'node:net';

/** In milliseconds. */
export const CONNECTION_TIMES = {
  /** For a request's head, for all of it, and for a connection on which nothing moves. */
  head: 10_000,
  request: 30_000,
  silence: 60_000,
  /** How often the first two are looked at. Node does so every 30 s, which made them three times as long. */
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
    // Node accepts up to 511 in one turn of the event loop. Half of 2,048 are two turns' worth: a request is read before
    // later connections can displace its own.
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
      // At once, not when it is closed: many may arrive in one turn of the event loop.
      this.#unproven.delete(socket);
      this.#all.delete(socket);
      socket.destroy();
      return;
    }
  }
}
