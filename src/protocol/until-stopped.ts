// Waits for a tool until it answers, is cancelled, or reaches its time limit.
import type { ErrorCode } from './envelope.ts';
import { messageOf } from './plain.ts';

/** Milliseconds in which a cancelled tool may still answer with what it has so far. */
const ABORT_GRACE = 250;

/** The same after a timeout. It is shorter: "a time limit that is overrun by 100 ms at most". */
const TIMEOUT_GRACE = 50;

/** The longest delay of a timer, in milliseconds. A longer time limit is treated as none. */
const LONGEST_WAIT = 2 ** 31 - 1;

class StoppedCall extends Error {
  readonly code: ErrorCode = 'TIMEOUT';
}

/** Rejects soon after the signal or the time limit, even if the tool ignores its own signal. */
export function untilStopped<T>(
  tool: string,
  { signal, timeLimit = Number.POSITIVE_INFINITY }: { signal: AbortSignal; timeLimit: number | undefined },
  start: (signal: AbortSignal) => T | Promise<T>,
): Promise<T> {
  const cancelled = (when: string) =>
    new StoppedCall(`The call of '${tool}' was cancelled ${when}: ${messageOf(signal.reason)}`);
  if (signal.aborted) throw cancelled('before it started');
  return new Promise<T>((resolve, reject) => {
    const own = new AbortController();
    let stopped: StoppedCall | undefined;
    let grace: NodeJS.Timeout | undefined;
    const stop = (reason: StoppedCall, passedOn: unknown, patience: number) => {
      stopped ??= reason;
      // Not at once: a tool may answer an abort with what it has so far.
      grace ??= setTimeout(() => {
        // A tool that never ends must not keep its listener on a signal that many calls share.
        signal.removeEventListener('abort', onAbort);
        reject(reason);
      }, patience);
      own.abort(passedOn);
    };
    const onAbort = () => stop(cancelled('while it ran'), signal.reason, ABORT_GRACE);
    const onTimeout = () => {
      const reason = new StoppedCall(`The call of '${tool}' took longer than its time limit of ${timeLimit} ms.`);
      stop(reason, new DOMException(reason.message, 'TimeoutError'), TIMEOUT_GRACE);
    };
    const timer = timeLimit > LONGEST_WAIT ? undefined : setTimeout(onTimeout, timeLimit);
    signal.addEventListener('abort', onAbort, { once: true });
    new Promise<T>((begin) => begin(start(own.signal)))
      .finally(() => {
        signal.removeEventListener('abort', onAbort);
        clearTimeout(timer);
        clearTimeout(grace);
      })
      .then(resolve, (error) => reject(stopped ?? error));
  });
}
