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

/**
 * Makes a call and passes it to the observer, if there is one. If the observer throws, so does the call. `rootOf` is
 * called after the call, because only then is it known which of several workspaces the call used.
 */
export async function observing<Answered extends Pick<ObservedCall, 'answer' | 'text' | 'isError' | 'isFromCache'>>(
  onCall: CallObserver | undefined,
  about: Pick<ObservedCall, 'dialect' | 'tool' | 'params'>,
  rootOf: () => { readonly realPath: string; readonly cwd: string } | null,
  call: () => Promise<Answered>,
): Promise<Answered> {
  if (onCall === undefined) return call();
  const startedAt = Date.now();
  const started = performance.now();
  const reply = await call();
  const timeMs = performance.now() - started;
  const { answer, text, isError, isFromCache = false } = reply;
  const workspace = rootOf();
  const place = { root: workspace?.realPath ?? null, cwd: workspace?.cwd ?? '.' };
  await onCall({ ...about, ...place, answer, text, isError, isFromCache, startedAt, timeMs });
  return reply;
}
