/**
 * The lines of a trace, version 1: see docs/trace.md. A session starts with a line about itself, followed by one line
 * per call. Only types, because the page uses them, too.
 */

/** The face that calls arrive by. */
export type TraceFace = 'mcp' | 'library';

/** Settings that affect an answer, in addition to the call. */
export interface TraceSettings {
  readonly maxCharacters?: number;
  readonly structured?: boolean;
  readonly brief?: boolean;
}

/** The first line of a session, which is one run of a server or a program. */
export interface SessionRecord {
  readonly v: 1;
  readonly kind: 'session';
  readonly session: string;
  /** ISO 8601, UTC. */
  readonly at: string;
  /** The version of agent-ls. */
  readonly version: string;
  readonly face: TraceFace;
  readonly roots: readonly string[];
  readonly settings: TraceSettings;
}

/** A call and its answer. */
export interface CallRecord {
  readonly v: 1;
  readonly kind: 'call';
  readonly session: string;
  /** The number of the call in its session, from 1. */
  readonly n: number;
  /** When the call arrived: ISO 8601, UTC. */
  readonly at: string;
  /** Milliseconds from the call to its answer. */
  readonly ms: number;
  /** Null for a tool that is not part of agent-ls. */
  readonly dialect: string | null;
  readonly tool: string;
  readonly root: string | null;
  readonly cwd: string;
  /** Only those that the tool declares; null if they were not an object, or too large to be accepted. */
  readonly params: Readonly<Record<string, unknown>> | null;
  /** The names of other parameters that were sent, without their values; absent if there are none. */
  readonly undeclared?: readonly string[];
  readonly isError: boolean;
  /** The tool's answer, as a model reads it; null for a tool that is not part of agent-ls. */
  readonly text: string | null;
  /** The number of tokens (o200k_base) of what was sent; absent if there is no text. */
  readonly tokens?: number;
  /** The text that was sent, if it differs from `text`. */
  readonly sent?: string;
  /** True if nothing had to be read, because the whole answer was cached and has provably not changed. */
  readonly isFromCache?: boolean;
}

/** A line of a trace. */
export type TraceRecord = SessionRecord | CallRecord;

interface Change<Value> {
  readonly before: Value;
  readonly after: Value;
}

type Which = Pick<CallRecord, 'session' | 'n' | 'dialect' | 'tool' | 'root' | 'params'>;

/** The result of repeating a call. */
export type Replayed =
  | (Which & {
      readonly outcome: 'same' | 'changed';
      readonly tokens: Change<number>;
      readonly ms: Change<number>;
      readonly isError: Change<boolean>;
      /** Removed lines start with `- `, added lines with `+ `. */
      readonly lines: readonly string[];
    })
  | (Which & { readonly outcome: 'skipped'; readonly reason: string });
