/** An answered call, as an observer sees it: `onCall` of the library, the trace, and the view. */
import type { DialectName } from '../../dialects/table.ts';

/** One call with its answer. */
export interface ObservedCall {
  /** Null for a tool that is not part of agent-ls. */
  readonly dialect: DialectName | null;
  readonly tool: string;
  /** The real path of the root; null if the call reached none. */
  readonly root: string | null;
  /** The directory that relative paths start at, relative to the root. */
  readonly cwd: string;
  /** The parameters as they were sent. */
  readonly params: unknown;
  /** The dialect's own answer object. */
  readonly answer: unknown;
  /** The tool's answer, as a model reads it. */
  readonly text: string;
  /** The text that was sent if it differs from `text`: shortened, or prefixed with the name of a root. */
  readonly sent?: string;
  readonly isError: boolean;
  /** True if nothing had to be read, because the whole answer was cached and has provably not changed. */
  readonly isFromCache?: boolean;
  /** When the call arrived, in milliseconds since 1970. */
  readonly startedAt: number;
  /** Milliseconds from the call to its answer. */
  readonly timeMs: number;
}

/** Called with each call and its answer. */
export type CallObserver = (call: ObservedCall) => unknown;

/** The part of an answer that observers see. */
export type Answered = Pick<ObservedCall, 'answer' | 'text' | 'isError' | 'isFromCache'>;

type Place = { readonly realPath: string; readonly cwd: string } | null;

/** Starts the clock of a call. Returns the function that makes the observed call of its answer. */
export function startCall({ dialect, tool, params }: Pick<ObservedCall, 'dialect' | 'tool' | 'params'>) {
  const startedAt = Date.now();
  const started = performance.now();
  return ({ answer, text, isError, isFromCache = false }: Answered, place: Place): ObservedCall => {
    const [root, cwd, timeMs] = [place?.realPath ?? null, place?.cwd ?? '.', performance.now() - started];
    // Perf: one literal, because V8 is slow to build an object from parts.
    return { dialect, tool, root, cwd, params, answer, text, isError, isFromCache, startedAt, timeMs };
  };
}

/**
 * Makes a call and passes it to the observer, if there is one. If the observer throws, so does the call. `placeOf` is
 * called after the call, because only then is it known which of several workspaces the call used.
 */
export async function observing<Reply extends Answered>(
  onCall: CallObserver | undefined,
  about: Pick<ObservedCall, 'dialect' | 'tool' | 'params'>,
  placeOf: () => Place,
  call: () => Promise<Reply>,
): Promise<Reply> {
  if (onCall === undefined) return call();
  const answered = startCall(about);
  const reply = await call();
  await onCall(answered(reply, placeOf()));
  return reply;
}
