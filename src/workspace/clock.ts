/** Returns the time of a monotonic clock, in milliseconds. Perf: `performance` makes Node load a dozen modules. */
export function now(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1000 + nanoseconds / 1e6;
}

/** The longest delay of a timer, in milliseconds. */
export const LONGEST_TIMER = 2 ** 31 - 1;

/** Resolves to what `late` returns, or rejects with what it throws, if the result takes longer. */
export async function within<T, Late>(milliseconds: number, result: Promise<T>, late: () => Late): Promise<T | Late> {
  // A timer would keep the process alive.
  if (milliseconds === Number.POSITIVE_INFINITY) return result;
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, Math.min(milliseconds, LONGEST_TIMER));
  });
  return Promise.race([result, timeout.then(late)]).finally(() => clearTimeout(timer));
}

/** Settles as the promise does, or rejects with the signal's reason if that is aborted first. */
export async function unlessAborted<T>(answer: Promise<T>, signal: AbortSignal): Promise<T> {
  let stop = () => {};
  const stopped = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason);
    signal.addEventListener('abort', stop);
    if (signal.aborted) stop();
  });
  try {
    return await Promise.race([answer, stopped]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
