/**
 * Long work that can pause: a generator that yields every few hundred microseconds, so that it does not block the event
 * loop. If it yields a promise, it is resumed when that has settled.
 *
 * A source that has to load something before it can answer throws `Unloaded`, and is asked again once that has loaded:
 *
 *     const found = yield* loaded(() => directory.lookup(name));                 in steps
 *     const found = await retrying(() => directory.readFile(name), budget);      in asynchronous code (budget.ts)
 */
export type Steps<T> = Generator<Promise<void> | undefined, T, void>;

/** Not a failure, and not an `Error`: capturing a stack trace would take longer than asking again. */
export class Unloaded {
  /**
   * Resolves when the query can be repeated; if it rejects, that is the answer to the query. It may be called more than
   * once. What it loads stays available at least as long as the root through which the source was asked is held.
   */
  readonly load: () => Promise<void>;

  constructor(load: () => Promise<void>) {
    this.load = load;
  }
}

/** For the `catch` around a query: loads what is missing, or rethrows the error. */
export function loading(error: unknown): Promise<void> {
  if (error instanceof Unloaded) return error.load();
  throw error;
}

/** Runs all steps without pauses, if blocking is harmless or they are few. Throws `Unloaded` if they have to wait. */
export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    const { value } = step;
    if (value === undefined) continue;
    // A failure reaches whoever repeats the query, so the rejection need not be reported here.
    value.catch(() => {});
    // Lets the steps release what they hold.
    steps.throw(new Unloaded(() => value));
  }
}

/** Repeats a query until everything that it needs is loaded. */
export function* loaded<T>(ask: () => T): Steps<T> {
  for (;;) {
    try {
      return ask();
    } catch (error) {
      yield loading(error);
    }
  }
}

/** The number of items to process between two steps, or two checks of the clock: about a tenth of a millisecond. */
export const HANDFUL = {
  /** Entries that are created, copied or emitted. */
  entries: 1024,
  /** Names that are compared or searched. */
  names: 256,
  /** Directories that take a system call. */
  directories: 64,
  /** Paths, each of which may have 4 KB. */
  paths: 32,
} as const;

/** Calls `use` with each number below `count`, and pauses. Perf: short functions are compiled sooner. */
export function* each(count: number, use: (i: number) => void, handful: number = HANDFUL.entries): Steps<void> {
  for (let from = 0; from < count; from += handful) {
    callEach(from, Math.min(count, from + handful), use);
    yield undefined;
  }
}

function callEach(from: number, to: number, use: (i: number) => void): void {
  for (let i = from; i < to; i++) use(i);
}

/** Joins the texts of many items, in steps: joining a million of them at once would block for a third of a second. */
export function* joined<T>(items: readonly T[], textOf: (item: T) => string, separator: string): Steps<string> {
  const blocks: string[] = [];
  for (let from = 0; from < items.length; from += HANDFUL.entries) {
    const texts = yield* mapped(items.slice(from, from + HANDFUL.entries), textOf);
    blocks.push(texts.join(separator));
  }
  return blocks.join(separator);
}

/** Works like `Array.map`, in steps. */
export function* mapped<T, R>(items: readonly T[], map: (item: T) => R, handful: number = HANDFUL.paths): Steps<R[]> {
  const results: R[] = [];
  for (let from = 0; from < items.length; from += handful) {
    // Perf: the loop of Array.map needs not be compiled first.
    results.push(...items.slice(from, from + handful).map((item) => map(item)));
    yield undefined;
  }
  return results;
}
