/**
 * Who may talk to the HTTP server. It listens on this machine alone, but a web page that the user visits may send requests
 * there, too, by a name of its own that leads to 127.0.0.1; and so may any other user of the machine.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import {
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  validateHostHeader,
  validateOriginHeader,
} from '@modelcontextprotocol/server';

export interface Refusal {
  readonly status: number;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const HOSTS = localhostAllowedHostnames();
const ORIGINS = localhostAllowedOrigins();

export class Guard {
  readonly #token: Buffer | null;

  /** Without a token nobody is asked for one. */
  constructor(token: string | null) {
    this.#token = token === null ? null : digest(token);
  }

  refusal({ headers }: IncomingMessage): Refusal | null {
    const host = validateHostHeader(headers.host, HOSTS);
    if (!host.ok) return { status: 403, message: host.message };
    const origin = validateOriginHeader(headers.origin, ORIGINS);
    if (!origin.ok) return { status: 403, message: origin.message };
    if (this.#token === null || this.#isToken(headers.authorization)) return null;
    const message = 'Send the token of AGENT_LS_TOKEN: Authorization: Bearer TOKEN';
    return { status: 401, message, headers: { 'www-authenticate': 'Bearer' } };
  }

  #isToken(header: string | undefined): boolean {
    const given = /^Bearer +(\S+) *$/i.exec(header ?? '')?.[1];
    return given !== undefined && timingSafeEqual(digest(given), this.#token as Buffer);
  }
}

/** Of equal length, whatever was sent: how long a comparison takes then tells nothing. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
