/** Who sees the calls of a server: a trace, the page beside it, and OpenTelemetry where the user has set that up. */
import type { DialectName } from '../../dialects/table.ts';
import type { Streams } from '../cli/streams.ts';
import type { CallObserver } from '../trace/observed.ts';
import type { AnswerSettings } from './answer.ts';

export interface WatchSettings extends AnswerSettings {
  readonly dialect: DialectName;
  readonly roots: readonly [string, ...string[]];
  /** False keeps `Tree` from starting git. */
  readonly git: boolean;
  /** The file that each call is written to; null for none. */
  readonly trace: string | null;
  /** A page beside the server, and whether it is opened in a browser; null serves none. */
  readonly view: { readonly open: boolean } | null;
}

interface Watching {
  /** Undefined if nobody watches. */
  readonly onCall: CallObserver | undefined;
  close(): Promise<void>;
}

/** Throws an Error where the trace cannot be written. */
export async function watchCalls(
  settings: WatchSettings,
  streams: Streams,
  complain: (message: string) => void,
): Promise<Watching> {
  const observers: CallObserver[] = [];
  const closing: (() => void | Promise<void>)[] = [];
  const { trace: file, view, roots, git, dialect } = settings;
  if (file !== null) {
    const { startTrace } = await import('../trace/open-trace.ts');
    const { maxCharacters, structured, brief } = settings;
    const about = { face: 'mcp', roots, settings: { maxCharacters, structured, brief } } as const;
    const trace = startTrace(file, { ...about, isDeferred: true, onProblem: complain });
    observers.push(trace.onCall);
    closing.push(() => trace.close());
  }
  if (view !== null) {
    const { serveView } = await import('../view/serve.ts');
    const { LiveCalls } = await import('../view/live-calls.ts');
    const calls = new LiveCalls();
    const page = await serveView({ roots, git, dialect, calls, port: 0, open: view.open }, streams);
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

/** Set by the API when a program registers where its spans go: `node --import ./telemetry.js`. */
const REGISTERED = Symbol.for('opentelemetry.js.api.1');

async function spansIfRegistered(): Promise<CallObserver | null> {
  if (!(REGISTERED in globalThis)) return null;
  try {
    const api = await import('@opentelemetry/api');
    const { spansOf } = await import('../trace/spans.ts');
    return spansOf(api);
  } catch {
    // It is registered by a copy that cannot be found from here.
    return null;
  }
}
