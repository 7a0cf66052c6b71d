/**
 * The connections of the HTTP server. Whoever has not shown yet that they may come in, because they sent no token, or not
 * even the head of a request, has a share of them, and there the oldest makes room for the newest. So any number of
 * connections that say nothing does not keep out somebody who does.
 */
import type { Socket } from 'node:net';

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

  /** From now on nobody pushes it out. */
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
