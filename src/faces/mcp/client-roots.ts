/**
 * The roots of a connection's client.
 *
 * The server requests them from a client of the 2025 protocol once, and again after each notification of a change. In
 * the 2026 protocol a server sends no requests: it answers a call with what it needs, and the client repeats the call
 * with the response.
 */
import {
  CLIENT_CAPABILITIES_META_KEY,
  type InputRequiredResult,
  inputRequired,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { MAX_ROOTS, tooManyRoots } from './message.ts';
import type { Roots } from './roots.ts';

/** In milliseconds. A client that declares roots but does not list them in time is treated as having none. */
const ROOTS_TIMEOUT = 5_000;

const ROOTS_REQUEST = 'roots';

/** The roots that a client of the 2025 protocol has listed, in use until it notifies the server of a change. */
interface ListedRoots {
  readonly roots: Promise<Roots>;
  calls: number;
  isOld: boolean;
}

export class ClientRoots {
  readonly #server: Server;
  readonly #roots: Roots;
  #listed: ListedRoots | null = null;

  constructor(server: Server, roots: Roots) {
    this.#server = server;
    this.#roots = roots;
    server.setNotificationHandler('notifications/roots/list_changed', () => {
      const before = this.#listed;
      this.#listed = null;
      if (before === null) return;
      before.isOld = true;
      this.#closeIfDone(before);
    });
  }

  /** The number of descriptors that a call may need for its client's roots. */
  cost({ mcpReq: { envelope } }: ServerContext): number {
    const declares = envelope === undefined ? this.#hasRoots : declaresRoots(envelope);
    return declares ? MAX_ROOTS : 0;
  }

  get #hasRoots(): boolean {
    return this.#server.getClientCapabilities()?.roots !== undefined;
  }

  /** Runs `work` with the roots that a call may use, unless the client must be asked first. */
  async with<T>(context: ServerContext, work: (roots: Roots) => Promise<T>): Promise<T | InputRequiredResult> {
    const { envelope, inputResponses } = context.mcpReq;
    if (envelope === undefined) return this.#withListed(work);
    if (!declaresRoots(envelope)) return work(this.#roots);
    if (inputResponses === undefined)
      return inputRequired({ inputRequests: { [ROOTS_REQUEST]: inputRequired.listRoots() } });
    const narrowed = await this.#narrowedBy(inputResponses[ROOTS_REQUEST]);
    try {
      return await work(narrowed);
    } finally {
      if (narrowed !== this.#roots) narrowed.close();
    }
  }

  async #withListed<T>(work: (roots: Roots) => Promise<T>): Promise<T> {
    if (!this.#hasRoots) return work(this.#roots);
    // While a root is missing, the client is asked each time: its roots may be inside the missing one, and appear with
    // it.
    const listed = this.#listed ?? { roots: this.#ask(), calls: 0, isOld: !this.#roots.areAllThere };
    if (!listed.isOld) this.#listed = listed;
    listed.calls++;
    try {
      return await work(await listed.roots);
    } finally {
      listed.calls--;
      this.#closeIfDone(listed);
    }
  }

  #ask(): Promise<Roots> {
    return this.#server.listRoots(undefined, { timeout: ROOTS_TIMEOUT }).then(
      (answer) => this.#narrowedBy(answer),
      () => this.#roots,
    );
  }

  #narrowedBy(answer: unknown): Promise<Roots> {
    const addresses = addressesIn(answer);
    // Cannot happen with our own transports, which cut the list.
    if (addresses.length > MAX_ROOTS) this.#server.onerror?.(new Error(tooManyRoots(addresses.length)));
    return this.#roots.narrowedTo(addresses.slice(0, MAX_ROOTS));
  }

  /** Closes unused roots: they hold directories open, and garbage collection may be too late to free descriptors. */
  #closeIfDone({ roots, calls, isOld }: ListedRoots): void {
    if (!isOld || calls > 0) return;
    roots.then((old) => {
      if (old !== this.#roots) old.close();
    });
  }
}

function declaresRoots(envelope: object): boolean {
  const { [CLIENT_CAPABILITIES_META_KEY]: capabilities } = envelope as Record<string, { roots?: unknown } | undefined>;
  return capabilities?.roots !== undefined;
}

/** Accepts anything that a client may send. */
function addressesIn(answer: unknown): string[] {
  const { roots } = (answer ?? {}) as { roots?: unknown };
  if (!Array.isArray(roots)) return [];
  return roots.map((root) => root?.uri).filter((uri) => typeof uri === 'string');
}
