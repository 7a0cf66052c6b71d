/**
 * Returns the time of a monotonic clock, in milliseconds.
 *
 * Perf: `performance` would do, but its first use makes Node load a dozen modules, a few milliseconds of every start.
 */
export function now(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1000 + nanoseconds / 1e6;
}

/** The longest delay of a timer, in milliseconds. */
export const LONGEST_TIMER = 2 ** 31 - 1;
