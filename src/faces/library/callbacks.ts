/**
 * Functions that the caller passes may throw. A dialect turns every failure into an answer, so the model would read
 * about a bug in the caller's program. Instead, the call itself rejects with the error that was thrown.
 */

/** Runs one call. If any of the options' functions throws, the call throws the first such error. */
export async function withCallbacks<Options extends object, T>(options: Options, call: (own: Options) => Promise<T>) {
  const thrown: unknown[] = [];
  try {
    const answer = await call(watched(options, thrown));
    if (thrown.length === 0) return answer;
  } catch (error) {
    if (thrown.length === 0) throw error;
  }
  throw thrown[0];
}

type Callback = (...args: unknown[]) => unknown;

/** Returns the same options, with functions that also add the errors they throw to `thrown`. */
export function watched<Options extends object>(options: Options, thrown: unknown[]): Options {
  const watching =
    (callback: Callback) =>
    (...args: unknown[]) => {
      try {
        return callback(...args);
      } catch (error) {
        thrown.push(error);
        throw error;
      }
    };
  const ours = (value: unknown) => (typeof value === 'function' ? watching(value as Callback) : value);
  return Object.fromEntries(Object.entries(options).map(([name, value]) => [name, ours(value)])) as Options;
}
