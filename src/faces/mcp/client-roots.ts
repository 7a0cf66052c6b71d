/**
 * What the client of a connection says of its roots.
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

/** A client that says it has roots and does not tell them in so many milliseconds has none. */
const PATIENCE = 5_000;

const KEY = 'roots';

/** What a client of 2025 has told once, for the calls until it says that it changed. */
interface Told {
  readonly roots: Promise<Roots>;
  calls: number;
  isOld: boolean;
}

export class ClientRoots {
  readonly #server: Server;
  readonly #roots: Roots;
  #told: Told | null = null;

  constructor(server: Server, roots: Roots) {
    this.#server = server;
    this.#roots = roots;
    server.setNotificationHandler('notifications/roots/list_changed', () => {
      const before = this.#told;
      this.#told = null;
      if (before === null) return;
      before.isOld = true;
      this.#closeIfDone(before);
    });
  }

  /** Descriptors that a call may need for its client's roots. */
  cost({ mcpReq: { envelope } }: ServerContext): number {
    const declares = envelope === undefined ? this.#isToldRoots : declaresRoots(envelope);
    return declares ? MOST_ROOTS : 0;
  }

  get #isToldRoots(): boolean {
    return this.#server.getClientCapabilities()?.roots !== undefined;
  }

  /** Does `work` with the roots that a call may look at, unless the client has to be asked first. */
  async with<T>(context: ServerContext, work: (roots: Roots) => Promise<T>): Promise<T | InputRequiredResult> {
    const { envelope, inputResponses } = context.mcpReq;
    if (envelope === undefined) return this.#withTold(work);
    if (!declaresRoots(envelope)) return work(this.#roots);
    if (inputResponses === undefined) return inputRequired({ inputRequests: { [KEY]: inputRequired.listRoots() } });
    const narrowed = await this.#narrowedBy(inputResponses[KEY]);
    try {
      return await work(narrowed);
    } finally {
      if (narrowed !== this.#roots) narrowed.close();
    }
  }

  async #withTold<T>(work: (roots: Roots) => Promise<T>): Promise<T> {
    if (!this.#isToldRoots) return work(this.#roots);
    this.#told ??= { roots: this.#ask(), calls: 0, isOld: false };
    const told = this.#told;
    told.calls++;
    try {
      return await work(await told.roots);
    } finally {
      told.calls--;
      this.#closeIfDone(told);
    }
  }

  #ask(): Promise<Roots> {
    return this.#server.listRoots(undefined, { timeout: PATIENCE }).then(
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
  #closeIfDone({ roots, calls, isOld }: Told): void {
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

/** Of whatever the client sent. */
function addressesIn(answer: unknown): string[] {
  const { roots } = (answer ?? {}) as { roots?: unknown };
  if (!Array.isArray(roots)) return [];
  return roots.map((root) => root?.uri).filter((uri) => typeof uri === 'string');
}
