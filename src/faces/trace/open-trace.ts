/** A trace of calls in a file, for a program of one's own and for the MCP server. */
import { randomBytes } from 'node:crypto';
import { UsageError } from '../../protocol/usage-error.ts';
import type { ObservedCall } from './observed.ts';
import { callRecord, type SessionRecord, sessionRecord } from './record.ts';
import { TraceFile } from './trace-file.ts';

/** A file that calls are written to. */
export interface Trace {
  /** Writes a line about the call: pass it as `onCall`. It never throws; see `problem`. */
  readonly onCall: (call: ObservedCall) => void;
  /** Why lines are missing: the first thing that went wrong while writing; null while nothing has. */
  readonly problem: string | null;
  close(): void;
}

/**
 * Opens a file, or creates it, to which each call is written as a line of JSON. Lines are added at its end; secrets are
 * left out. Throws an Error where the file cannot be written.
 *
 * @example const trace = openTrace('calls.jsonl'); await call('standard', {}, root, { onCall: trace.onCall })
 */
export function openTrace(file: string): Trace {
  if (typeof file !== 'string' || file === '') throw new UsageError('openTrace needs the path of a file.');
  return startTrace(file, { face: 'library', roots: [], settings: {}, isDeferred: false });
}

/** Milliseconds, and calls, after which what is pending is written. */
const LONGEST_DELAY = 10;
const MOST_PENDING = 64;

interface TraceStart extends Pick<SessionRecord, 'face' | 'roots' | 'settings'> {
  /**
   * Calls are written when their answers have been sent, so that nobody waits for it: after 10 ms, and before the process
   * ends, unless it is killed in between.
   */
  readonly isDeferred: boolean;
  /** Hears once if a line cannot be written. */
  onProblem?(message: string): void;
}

export function startTrace(path: string, { isDeferred, onProblem, ...about }: TraceStart): Trace {
  const file = new TraceFile(path);
  const session = randomBytes(8).toString('hex');
  let problem: string | null = null;
  let calls = 0;
  let pending: ObservedCall[] = [];
  const append = (records: () => readonly unknown[]) => {
    try {
      file.append(records());
    } catch (error) {
      // The calls go on: a full disk must not keep the agent from its answers.
      if (problem !== null) return;
      problem = `the trace is incomplete: ${(error as Error).message}`;
      onProblem?.(problem);
    }
  };
  const write = () => {
    const written = pending;
    pending = [];
    if (written.length > 0) append(() => written.map((call) => callRecord(session, ++calls, call)));
  };
  append(() => [sessionRecord(session, about)]);
  if (isDeferred) process.once('exit', write);
  return {
    onCall: (call) => {
      pending.push(call);
      if (!isDeferred || pending.length === MOST_PENDING) write();
      else if (pending.length === 1) setTimeout(write, LONGEST_DELAY).unref();
    },
    get problem() {
      return problem;
    },
    close: () => {
      write();
      process.removeListener('exit', write);
      file.close();
    },
  };
}
