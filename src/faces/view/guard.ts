/**
 * Decides who may send requests to the page's server. It listens on this machine only, but other users of the machine
 * and pages of other sites can send requests to it, too. So every request about the project needs the token. It must
 * also address this very server, and must not come from another site's page.
 */
import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { secretChecker } from '../http/local-server.ts';

/** An error whose message says what is wrong with a request, with the status of the response. */
export class RequestError extends Error {
  readonly status: number;

  constructor(message: string, status = 400) {
    super(message);
    this.status = status;
  }
}

const newSecret = (): string => randomBytes(24).toString('base64url');

export class ViewGuard {
  readonly token = newSecret();
  readonly #isToken = secretChecker(this.token);
  #isTicket: ((given: string) => boolean) | null = null;

  /** Applies to every request, even for the page's own files, which are the same for everyone. Throws a refusal. */
  checkOrigin({ headers }: IncomingMessage, port: number): void {
    const { host = '', origin } = headers;
    const own = [`127.0.0.1:${port}`, `localhost:${port}`];
    if (!own.includes(host)) throw new RequestError(`The Host header must be ${own[0]}.`, 403);
    const site = headers['sec-fetch-site'] ?? 'none';
    const isOwn = origin === undefined || own.some((one) => origin === `http://${one}`);
    if (isOwn && (site === 'same-origin' || site === 'none')) return;
    throw new RequestError('Only the page of this server may send requests.', 403);
  }

  /** Applies to every request about the project. Throws a refusal. */
  checkToken({ headers: { authorization = '' } }: IncomingMessage): void {
    const given = /^Bearer (\S+)$/.exec(authorization)?.[1];
    if (given !== undefined && this.#isToken(given)) return;
    throw new RequestError('The token is not valid. Open the address that agent-ls printed.', 401);
  }

  /**
   * Creates a ticket that can be exchanged for the token once. The browser is started with it, because other users of
   * the machine can see the arguments of programs.
   */
  newTicket(): string {
    const ticket = newSecret();
    this.#isTicket = secretChecker(ticket);
    return ticket;
  }

  redeem(ticket: unknown): string | null {
    if (typeof ticket !== 'string' || this.#isTicket === null || !this.#isTicket(ticket)) return null;
    this.#isTicket = null;
    return this.token;
  }
}
