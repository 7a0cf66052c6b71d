/** The connections of the HTTP server, and the bodies that arrive on them. */
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

/**
 * A connection is unproven until a request on it passes the guard: with a token, or with complete headers if no token is
 * required. Unproven connections may use a share of all connections. In it, the oldest is dropped for the newest. So idle
 * connections, however many, do not lock out a client that sends a request.
 */
export function openConnections(most: number) {
  const all = new Set<Socket>();
  /** In order of arrival. */
  const unproven = new Set<Socket>();
  // Node accepts up to 511 connections in one turn of the event loop. Half of 2,048 is two turns' worth, so a request is
  // read before later connections can displace its own.
  const mostUnproven = Math.ceil(most / 2);
  const forget = (socket: Socket) => {
    all.delete(socket);
    unproven.delete(socket);
  };
  return {
    add: (socket: Socket) => {
      all.add(socket);
      unproven.add(socket);
      socket.once('close', () => forget(socket));
      const [oldest] = unproven;
      if (oldest === undefined || (unproven.size <= mostUnproven && all.size <= most)) return;
      // At once, not when the socket closes: many may arrive in one turn of the event loop.
      forget(oldest);
      oldest.destroy();
    },
    /** A proven connection is never dropped for another. */
    prove: (socket: Socket) => unproven.delete(socket),
  };
}

/** In bytes, of all together. */
const MAX_BYTES = 64 * LARGEST_MESSAGE;

/**
 * The bodies of HTTP requests that are still arriving. Where no token is required, anybody on this machine can begin a
 * request and never end it. So a request counts as a call only once its body is there, and until then it may use a
 * share of the memory and of the connections. In it, the oldest is dropped for the newest: it had the most time.
 */
export function incomingBodies(most: number) {
  /** The bytes that have arrived, in order of the requests. */
  const lengths = new Map<IncomingMessage, number>();
  let bytes = 0;
  const forget = (request: IncomingMessage) => {
    bytes -= lengths.get(request) ?? 0;
    lengths.delete(request);
  };
  const arrived = (request: IncomingMessage, length: number) => {
    bytes += length - (lengths.get(request) ?? 0);
    lengths.set(request, length);
    for (const [oldest] of lengths) {
      if (lengths.size <= most && bytes <= MAX_BYTES) return;
      forget(oldest);
      oldest.destroy();
    }
  };
  return {
    count: () => lengths.size,
    /** Returns null for a body that is too large. Rejects if the client disconnects, or is dropped. */
    read: async (request: IncomingMessage): Promise<Buffer | null> => {
      arrived(request, 0);
      try {
        return await readBody(request, LARGEST_MESSAGE, (length) => arrived(request, length));
      } finally {
        forget(request);
      }
    },
  };
}
