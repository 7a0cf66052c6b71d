/** Writes a trace of calls to a file, for programs that use the library and for the MCP server. */
import { randomBytes } from 'node:crypto';
import { UsageError } from '../../protocol/usage-error.ts';
import type { ObservedCall } from './observed.ts';
import { callRecord, type SessionStart, sessionRecord } from './record.ts';
import { TraceFile } from './trace-file.ts';

/** An open trace file. */
export interface Trace {
  /** Writes a line about the call. Pass it as `onCall`. It never throws; see `problem`. */
  readonly onCall: (call: ObservedCall) => void;
  /** Why lines are missing: the first error while writing, or null if there was none. */
  readonly problem: string | null;
  close(): void;
}

/**
 * Opens or creates a file, and appends each call to it as a line of JSON. Secrets are left out. Throws an Error if the
 * file cannot be written.
 *
 * @example const trace = openTrace('calls.jsonl'); await call('standard', {}, root, { onCall: trace.onCall })
 */
export function openTrace(file: string): Trace {
  if (typeof file !== 'string' || file === '') throw new UsageError('openTrace needs the path of a file.');
  return startTrace(file, { face: 'library', roots: [], settings: {}, isDeferred: false });
}

/** Pending calls are written after this many milliseconds, or once there are this many. */
const LONGEST_DELAY = 10;
const MAX_PENDING = 64;

interface TraceStart extends SessionStart {
  /**
   * Write calls after their answers have been sent, so that no answer waits for the disk: after 10 ms, and before the
   * process exits, unless it is killed in between.
   */
  readonly isDeferred: boolean;
  /** Called once, if a line cannot be written. */
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
      // Calls continue: a full disk must not keep the agent from its answers.
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
      if (!isDeferred || pending.length === MAX_PENDING) write();
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
