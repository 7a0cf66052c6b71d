/**
 * The roots that the client of a connection names.
 *
 * A client of 2025 is asked by a request, once, and again after it said that they changed. In the protocol of 2026 a
 * server sends no requests: the answer to a call is what it needs to know, and the client sends the call again with it.
 */
import {
  CLIENT_CAPABILITIES_META_KEY,
  type InputRequiredResult,
  inputRequired,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { MOST_ROOTS, tooManyRoots } from './few-roots.ts';
import type { Roots } from './roots.ts';

/** A client that says it has roots and does not name them in so many milliseconds has none. */
const ROOTS_TIMEOUT = 5_000;

const ROOTS_KEY = 'roots';

/** A client of 2025 names its roots once, for the calls until it says that they changed. */
interface NamedRoots {
  readonly roots: Promise<Roots>;
  calls: number;
  isOld: boolean;
}

export class ClientRoots {
  readonly #server: Server;
  readonly #roots: Roots;
  #named: NamedRoots | null = null;

  constructor(server: Server, roots: Roots) {
    this.#server = server;
    this.#roots = roots;
    server.setNotificationHandler('notifications/roots/list_changed', () => {
      const before = this.#named;
      this.#named = null;
      if (before === null) return;
      before.isOld = true;
      this.#closeIfDone(before);
    });
  }

  /** Descriptors that a call may need for its client's roots. */
  cost({ mcpReq: { envelope } }: ServerContext): number {
    const declares = envelope === undefined ? this.#namesRoots : declaresRoots(envelope);
    return declares ? MOST_ROOTS : 0;
  }

  get #namesRoots(): boolean {
    return this.#server.getClientCapabilities()?.roots !== undefined;
  }

  /** Does `work` with the roots that a call may look at, unless the client has to be asked first. */
  async with<T>(context: ServerContext, work: (roots: Roots) => Promise<T>): Promise<T | InputRequiredResult> {
    const { envelope, inputResponses } = context.mcpReq;
    if (envelope === undefined) return this.#withNamed(work);
    if (!declaresRoots(envelope)) return work(this.#roots);
    if (inputResponses === undefined)
      return inputRequired({ inputRequests: { [ROOTS_KEY]: inputRequired.listRoots() } });
    const narrowed = await this.#narrowedBy(inputResponses[ROOTS_KEY]);
    try {
      return await work(narrowed);
    } finally {
      if (narrowed !== this.#roots) narrowed.close();
    }
  }

  async #withNamed<T>(work: (roots: Roots) => Promise<T>): Promise<T> {
    if (!this.#namesRoots) return work(this.#roots);
    this.#named ??= { roots: this.#ask(), calls: 0, isOld: false };
    const named = this.#named;
    named.calls++;
    try {
      return await work(await named.roots);
    } finally {
      named.calls--;
      this.#closeIfDone(named);
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
    // Not on our own transports, which have cut them.
    if (addresses.length > MOST_ROOTS) this.#server.onerror?.(new Error(tooManyRoots(addresses.length)));
    return this.#roots.narrowedTo(addresses.slice(0, MOST_ROOTS));
  }

  /** Their directories are held open. To leave them to the garbage collector could use up all descriptors before. */
  #closeIfDone({ roots, calls, isOld }: NamedRoots): void {
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

/** The client may have sent anything. */
function addressesIn(answer: unknown): string[] {
  const { roots } = (answer ?? {}) as { roots?: unknown };
  if (!Array.isArray(roots)) return [];
  return roots.map((root) => root?.uri).filter((uri) => typeof uri === 'string');
}
