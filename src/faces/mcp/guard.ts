/**
 * Decides who may talk to the HTTP server. It listens on this machine alone, but a web page that the user visits can send
 * requests to it, through a host name that resolves to 127.0.0.1, and so can any other user of the machine.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

interface HttpRefusal {
  readonly status: number;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Matched as a whole. The SDK's own checks parse the header with `URL`, which ignores a user before an `@`, a path and a
 * fragment, and accept any scheme.
 */
const HOST = /^(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?$/i;
const ORIGIN = /^https?:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?$/i;

export class Guard {
  readonly #token: Buffer | null;

  /** Null requires no token. */
  constructor(token: string | null) {
    this.#token = token === null ? null : digest(token);
  }

  refusal({ headers }: IncomingMessage): HttpRefusal | null {
    if (!HOST.test(headers.host ?? '')) {
      return { status: 403, message: 'The Host header must be 127.0.0.1, localhost or [::1], with or without a port.' };
    }
    if (headers.origin !== undefined && !ORIGIN.test(headers.origin)) {
      return {
        status: 403,
        message: 'Only pages of this machine may send requests: http://localhost or http://127.0.0.1.',
      };
    }
    if (this.#token === null || this.#isToken(headers.authorization)) return null;
    const message = 'Send the token of AGENT_LS_TOKEN: Authorization: Bearer TOKEN';
    return { status: 401, message, headers: { 'www-authenticate': 'Bearer' } };
  }

  #isToken(header: string | undefined): boolean {
    const given = /^Bearer +(\S+) *$/i.exec(header ?? '')?.[1];
    return given !== undefined && timingSafeEqual(digest(given), this.#token as Buffer);
  }
}

/** Digests have equal length, so the time of a comparison reveals nothing. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
