/** Runs the command `mcp`. It is bundled into a separate file, which no other command loads. */
import { setFlagsFromString } from 'node:v8';
import { shownAsGiven } from '../../names/quote.ts';
import type { Streams } from '../cli/streams.ts';
import type { CallObserver } from '../trace/observed.ts';
import type { RootSettings } from '../view/roots.ts';
import { CallQueue, MAX_CONNECTIONS, QUEUE_CAPACITY, shareDescriptors } from './call-queue.ts';
import { complaintsTo } from './ending.ts';
import type { HttpSettings } from './http.ts';
import { clientRoots, Roots } from './roots.ts';
import { type ServerSettings, serverFor } from './server.ts';
import { serveOnStdio } from './stdio.ts';

export interface ServeSettings extends Omit<ServerSettings, 'onCall' | 'app' | 'client'>, Required<RootSettings> {
  /** True if the user has named no root, so that the client's count. */
  readonly isRootless: boolean;
  /** Null for stdio. */
  readonly http: HttpSettings | null;
  /** Offer a page to clients that support MCP Apps. */
  readonly apps: boolean;
  /** The file that each call is written to; null for none. */
  readonly trace: string | null;
  /** Serves a page beside the server, and optionally opens it in a browser; null for no page. */
  readonly view: { readonly open: boolean } | null;
}

export async function serve(settings: ServeSettings, streams: Streams): Promise<number> {
  const roots = new Roots(settings.roots, settings.cwd, settings.git);
  const isHttp = settings.http !== null;
  const shares = shareDescriptors({ connections: isHttp ? MAX_CONNECTIONS : 0, calls: QUEUE_CAPACITY });
  const queue = new CallQueue(shares.calls);
  const complain = complaintsTo(streams);
  const tellProblems = () => {
    for (const { problem } of roots.all) if (problem !== null) complain(problem);
  };
  tellProblems();
  // A remote root may be slow to open, and must not delay the handshake.
  if (roots.all.some(({ isOnDisk }) => !isOnDisk)) void roots.prepare().then(tellProblems);
  const watching = await watchCalls(settings, streams, complain);
  const app = settings.apps ? (await import('../view/page-files.ts')).readAppPage() : null;
  // Only a client that starts the server has the user's rights anyway; on HTTP another user's might ask for anything.
  const client = settings.isRootless && !isHttp ? clientRoots(roots, settings.git) : null;
  const factory = () => {
    const server = serverFor(roots, { ...settings, onCall: watching.onCall, app, client }, queue);
    server.onerror = ({ message }) => complain(message);
    return server;
  };
  const stop = new AbortController();
  // Node makes a pipe non-blocking when it creates its stream. Before that, a client that does not read would block the
  // whole process in a write, and no signal could interrupt it.
  void [process.stdout, process.stderr];
  learnSoon();
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => stop.abort());
  if (settings.http === null) {
    if ((streams.input as { isTTY?: boolean }).isTTY) streams.complain(waitingText(roots.all.map(({ name }) => name)));
    await serveOnStdio(factory, streams, stop.signal);
  } else {
    // Perf: this imports `node:http`, which takes milliseconds to load.
    const { serveOnHttp } = await import('./http.ts');
    await serveOnHttp(factory, settings.http, streams, stop.signal, shares);
  }
  await watching.close();
  client?.close();
  roots.close();
  // Something may still keep the process alive, such as an answer that is never read.
  setTimeout(() => process.exit(0), 500).unref();
  return 0;
}

/** For a person who has started the server by hand. */
function waitingText(roots: readonly string[]): string {
  return [
    `agent-ls mcp: serving ${roots.map(shownAsGiven).join(', ')}, and waiting for an MCP client to write JSON on stdin.`,
    "Usually a client starts it: 'agent-ls setup' says how, and docs/mcp.md shows the settings of each client.",
    'Ctrl-C ends it.',
  ].join('\n');
}

/**
 * Perf: by default V8 collects no type feedback in the first runs of a function. With it, the first dozens of a server's
 * calls are a quarter faster. Set after all precompiled code is loaded, which V8 recompiles if the flags differ.
 */
function learnSoon(): void {
  try {
    setFlagsFromString('--no-lazy-feedback-allocation');
  } catch {
    // Another runtime may lack the flag.
  }
}

/** Connects the observers: a trace, the page, and OpenTelemetry. Throws an Error if the trace cannot be written. */
async function watchCalls(settings: ServeSettings, streams: Streams, onProblem: (message: string) => void) {
  const observers: CallObserver[] = [];
  const closing: (() => void | Promise<void>)[] = [];
  const { trace: file, view, roots, git, dialect, maxCharacters, structured, brief } = settings;
  const about = { face: 'mcp', roots, settings: { maxCharacters, structured, brief } } as const;
  if (file !== null) {
    const { startTrace } = await import('../trace/open-trace.ts');
    const trace = startTrace(file, { ...about, isDeferred: true, onProblem });
    observers.push(trace.onCall);
    closing.push(() => trace.close());
  }
  if (view !== null) {
    const { serveView } = await import('../view/serve.ts');
    const { LiveCalls } = await import('../view/call-log.ts');
    const calls = new LiveCalls(about.settings);
    const page = await serveView({ roots, git, dialect, calls, port: 0, open: view.open, mustExist: false }, streams);
    observers.push(calls.onCall);
    closing.push(() => page.close());
  }
  const spans = await spansIfRegistered();
  if (spans !== null) observers.push(spans);
  const all: CallObserver = (call) => Promise.all(observers.map((observe) => observe(call)));
  return {
    onCall: observers.length < 2 ? observers[0] : all,
    close: async () => {
      for (const close of closing) await close();
    },
  };
}

/** Set by the API when a program registers an exporter for its spans: `node --import ./telemetry.js`. */
const REGISTERED = Symbol.for('opentelemetry.js.api.1');

async function spansIfRegistered(): Promise<CallObserver | null> {
  if (!(REGISTERED in globalThis)) return null;
  try {
    const api = await import('@opentelemetry/api');
    const { spansOf } = await import('../trace/spans.ts');
    return spansOf(api);
  } catch {
    // It was registered by a copy of the API that cannot be found from here.
    return null;
  }
}
