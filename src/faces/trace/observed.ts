/** A call that was answered, as whoever watches calls sees it: `onCall` of the library, the trace, and the view. */
import type { DialectName } from '../../dialects/table.ts';

/** One call with its answer. */
export interface ObservedCall {
  /** Null for a tool that is not of agent-ls. */
  readonly dialect: DialectName | null;
  readonly tool: string;
  /** The real path of the root; null if the call reached none. */
  readonly root: string | null;
  /** The directory that relative paths start at, relative to the root. */
  readonly cwd: string;
  /** As they were sent. */
  readonly params: unknown;
  /** The dialect's own answer object. */
  readonly answer: unknown;
  /** The tool's answer as a model reads it. */
  readonly text: string;
  /** What was sent in place of `text`, where that is another: shortened, or with the name of a root before it. */
  readonly sent?: string;
  readonly isError: boolean;
  /** True if nothing had to be read for it: all of it was known, and has provably not changed. */
  readonly isFromCache?: boolean;
  /** When the call came in, in milliseconds since 1970. */
  readonly startedAt: number;
  /** Milliseconds from the call to its answer. */
  readonly timeMs: number;
}

/** Sees each call with its answer. */
export type CallObserver = (call: ObservedCall) => unknown;

type Reply = Pick<ObservedCall, 'answer' | 'text' | 'isError' | 'isFromCache'>;

type About = Pick<ObservedCall, 'dialect' | 'tool' | 'params'>;

/**
 * Makes a call, and shows it to the observer if there is one. What the observer throws, the call throws. `rootOf` is
 * asked when the call is over, because only then it is known which of several workspaces it was about.
 */
export async function observing<Answered extends Reply>(
  onCall: CallObserver | undefined,
  about: About,
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
