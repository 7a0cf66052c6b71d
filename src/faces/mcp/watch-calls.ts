/** Connects the observers of a server's calls: a trace, the page beside it, and OpenTelemetry if it is set up. */
import type { DialectName } from '../../dialects/table.ts';
import type { Streams } from '../cli/streams.ts';
import type { CallObserver } from '../trace/observed.ts';
import type { AnswerSettings } from './answer.ts';

export interface WatchSettings extends AnswerSettings {
  readonly dialect: DialectName;
  readonly roots: readonly [string, ...string[]];
  /** If false, `Tree` and `Find` do not start git. */
  readonly git: boolean;
  /** The file that each call is written to; null for none. */
  readonly trace: string | null;
  /** Serves a page beside the server, and optionally opens it in a browser; null for no page. */
  readonly view: { readonly open: boolean } | null;
}

interface Watching {
  /** Undefined if there are no observers. */
  readonly onCall: CallObserver | undefined;
  close(): Promise<void>;
}

/** Throws an Error if the trace cannot be written. */
export async function watchCalls(
  settings: WatchSettings,
  streams: Streams,
  complain: (message: string) => void,
): Promise<Watching> {
  const observers: CallObserver[] = [];
  const closing: (() => void | Promise<void>)[] = [];
  const { trace: file, view, roots, git, dialect, maxCharacters, structured, brief } = settings;
  const about = { face: 'mcp', roots, settings: { maxCharacters, structured, brief } } as const;
  if (file !== null) {
    const { startTrace } = await import('../trace/open-trace.ts');
    const trace = startTrace(file, { ...about, isDeferred: true, onProblem: complain });
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
  return {
    onCall: observers.length < 2 ? observers[0] : (call) => Promise.all(observers.map((observe) => observe(call))),
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
