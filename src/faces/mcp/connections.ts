/**
 * The connections of the HTTP server. A connection is unproven until a request on it has passed the guard: with a token, or
 * with a complete head where no token is asked for. Unproven connections have a share of all connections, and within it the
 * oldest makes room for the newest. So silent connections, however many, do not keep out a client that sends a request.
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
  /** In the order in which they came. */
  readonly #unproven = new Set<Socket>();

  constructor(most: number) {
    this.#most = most;
    // Node accepts up to 511 in one turn of the event loop. Of 2,048 the half is two turns' worth: what was sent on a
    // connection is read before those that came later can push it out.
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
      // At once, and not when it is closed: many may come in one turn of the event loop.
      this.#unproven.delete(socket);
      this.#all.delete(socket);
      socket.destroy();
      return;
    }
  }
}
