/**
 * The roots of the client, for a server on stdio that was given none. A root of the command line is the user's word,
 * which no client changes.
 *
 * The server requests them from a client of the 2025 protocol once, and again after each notification of a change. In
 * the 2026 protocol a server sends no requests: it answers a call with what it needs, and the client repeats the call
 * with the response.
 */
import { fileURLToPath } from 'node:url';
import {
  CLIENT_CAPABILITIES_META_KEY,
  type InputRequiredResult,
  inputRequired,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { Roots } from './roots.ts';

/** In milliseconds. A client that declares roots but does not list them in time is treated as having none. */
const ROOTS_TIMEOUT = 5_000;

/** Each root holds a directory open. No editor has more folders open. */
const MAX_ROOTS = 32;

const ROOTS_REQUEST = 'roots';

export class ClientRoots {
  /** The directory that the server was started in, for a client that names no roots. */
  readonly #started: Roots;
  readonly #git: boolean;
  #asked: Promise<Roots> | null = null;
  #named: Roots | null = null;
  #paths: readonly string[] = [];

  constructor(started: Roots, git: boolean) {
    this.#started = started;
    this.#git = git;
  }

  listen(server: Server): void {
    server.setNotificationHandler('notifications/roots/list_changed', () => {
      this.#asked = null;
    });
  }

  /** Returns the roots that a call may use, or the question that the client must answer first. */
  async forCall(server: Server, { mcpReq }: ServerContext): Promise<Roots | InputRequiredResult> {
    const { envelope, inputResponses } = mcpReq;
    if (!declaresRoots(server, envelope)) return this.#started;
    if (envelope === undefined) {
      this.#asked ??= server.listRoots(undefined, { timeout: ROOTS_TIMEOUT }).then(
        (answer) => this.#namedBy(answer),
        () => this.#started,
      );
      return this.#asked;
    }
    if (inputResponses !== undefined) return this.#namedBy(inputResponses[ROOTS_REQUEST]);
    return inputRequired({ inputRequests: { [ROOTS_REQUEST]: inputRequired.listRoots() } });
  }

  /** Accepts anything that a client may send. */
  #namedBy(answer: unknown): Roots {
    const { roots } = (answer ?? {}) as { roots?: unknown };
    const paths = (Array.isArray(roots) ? roots : []).slice(0, MAX_ROOTS).flatMap(pathOf);
    const [first, ...others] = paths;
    if (first === undefined) return this.#started;
    if (this.#named === null || paths.join('\0') !== this.#paths.join('\0')) {
      this.close();
      this.#named = Roots.serving([first, ...others], '.', this.#git);
      this.#paths = paths;
    }
    return this.#named;
  }

  /** Running calls still finish. */
  close(): void {
    this.#named?.close();
  }
}

function declaresRoots(server: Server, envelope: object | undefined): boolean {
  const { [CLIENT_CAPABILITIES_META_KEY]: declared = server.getClientCapabilities() } = (envelope ?? {}) as Record<
    string,
    { roots?: unknown } | undefined
  >;
  return declared?.roots !== undefined;
}

function pathOf(root: { uri?: unknown } | null): string[] {
  try {
    const url = new URL(String(root?.uri));
    // On Windows, a host would be asked for a share, with the user's credentials.
    return url.host === '' ? [fileURLToPath(url)] : [];
  } catch {
    return [];
  }
}
