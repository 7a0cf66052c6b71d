/**
 * Functions that the caller hands over may throw. A dialect answers every failure, so without this the model would read
 * of a fault in the program; instead the call itself fails with what was thrown.
 */

/** For one call: what one of the options' functions throws first is thrown by the call. */
export async function withCallbacks<Options extends object, T>(
  options: Options,
  call: (watched: Options) => Promise<T>,
): Promise<T> {
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

/** The same options; what their functions throw is also kept in `thrown`. */
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
  const entries = Object.entries(options).map(([name, value]) => [
    name,
    typeof value === 'function' ? watching(value as Callback) : value,
  ]);
  return Object.fromEntries(entries) as Options;
}
