/**
 * Decides who may talk to the HTTP server. The server listens on this machine only. But a web page that the user visits
 * can send requests to it, through a host name that resolves to 127.0.0.1, and so can any other user of the machine.
 */
import type { IncomingMessage } from 'node:http';
import { secretChecker } from '../http/local-server.ts';

interface HttpRefusal {
  readonly status: number;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export type Guard = (request: IncomingMessage) => HttpRefusal | null;

/**
 * Must match the whole header. The SDK's own checks parse it with `URL`, which ignores a user before an `@`, a path and
 * a fragment. They also accept any scheme.
 */
const HOST = /^(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?$/i;
const ORIGIN = /^https?:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?$/i;

const WRONG_HOST = 'The Host header must be 127.0.0.1, localhost or [::1], with or without a port.';
const WRONG_ORIGIN = 'Only pages of this machine may send requests: http://localhost or http://127.0.0.1.';
const WRONG_TOKEN = 'Send the token of AGENT_LS_TOKEN: Authorization: Bearer TOKEN';

/** A null token means that none is required. */
export function guardWith(token: string | null): Guard {
  const isToken = token === null ? null : secretChecker(token);
  return ({ headers: { host = '', origin, authorization = '' } }) => {
    if (!HOST.test(host)) return { status: 403, message: WRONG_HOST };
    if (origin !== undefined && !ORIGIN.test(origin)) return { status: 403, message: WRONG_ORIGIN };
    if (isToken === null) return null;
    const given = /^Bearer +(\S+) *$/i.exec(authorization)?.[1];
    if (given !== undefined && isToken(given)) return null;
    return { status: 401, message: WRONG_TOKEN, headers: { 'www-authenticate': 'Bearer' } };
  };
}
