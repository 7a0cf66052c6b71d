/**
 * Long work that can pause: a generator that yields every few hundred microseconds, wherever it can be left as it
 * stands, so that nobody else has to wait for its end. Where it yields a promise, it goes on when that has settled.
 *
 * Work waits for sources that have to load. Questions to a source are synchronous, because that is several times as fast
 * on a disk; a source with a network behind it cannot answer all of them at once. It then throws `Unloaded`, and is
 * asked again when that has loaded. A disk never throws it, and pays nothing for it.
 *
 *     const found = yield* loaded(() => directory.lookup(name));                 in steps
 *     const found = await retrying(() => directory.readFile(name), budget);      in asynchronous code (retrying.ts)
 */
export type Steps<T> = Generator<Promise<void> | undefined, T, void>;

/**
 * Thrown by a source for a question that it cannot answer before something is loaded. Not a failure, and no `Error`: to
 * note where it was thrown would take longer than to ask again.
 */
export class Unloaded {
  /**
   * Resolves when the question can be asked again; if it rejects, that is the answer to the question. May be called more
   * than once. What it loaded stays at hand at least as long as the root is held that the question was asked through.
   */
  readonly load: () => Promise<void>;

  constructor(load: () => Promise<void>) {
    this.load = load;
  }
}

/** For the `catch` around a question: loads what is missing, or throws the error on. */
export function loading(error: unknown): Promise<void> {
  if (error instanceof Unloaded) return error.load();
  throw error;
}

/** All steps, for those who keep nobody waiting, or know that there are few. Throws `Unloaded` where they have to wait. */
export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    const { value } = step;
    if (value === undefined) continue;
    // Whoever asks again is told of a failure; nobody else has to be.
    value.catch(() => {});
    // What the steps hold is let go of.
    steps.throw(new Unloaded(() => value));
  }
}

/** Asks a source until all that the question needs is loaded. */
export function* loaded<T>(ask: () => T): Steps<T> {
  for (;;) {
    try {
      return ask();
    } catch (error) {
      yield loading(error);
    }
  }
}

/** What is done between two steps, or two looks at the clock: so many as take about a tenth of a millisecond. */
export const HANDFUL = {
  /** That are made, copied or emitted. */
  entries: 1024,
  /** That are compared, or looked through. */
  names: 256,
  /** That the system is asked about. */
  directories: 64,
  /** Each of which may have 4 KB. */
  paths: 32,
} as const;

/** As `Array.map`, in steps. */
export function* mapped<T, R>(items: readonly T[], map: (item: T) => R): Steps<R[]> {
  const results: R[] = [];
  for (const item of items) {
    results.push(map(item));
    if (results.length % HANDFUL.paths === 0) yield undefined;
  }
  return results;
}
