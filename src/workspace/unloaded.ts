/**
 * Sources that have to load. Questions to a source are synchronous, because that is several times as fast on a disk; a
 * source with a network behind it cannot answer all of them at once. It then throws `Unloaded`, and is asked again when
 * that has loaded. A disk never throws it, and pays nothing for it.
 *
 *     const found = yield* loaded(() => directory.lookup(name));                 in steps (steps.ts)
 *     const found = await retrying(() => directory.readFile(name), budget);      in asynchronous code (retrying.ts)
 */

/** Thrown by a source for a question that it cannot answer before something is loaded. Not a failure. */
export class Unloaded extends Error {
  override readonly name = 'Unloaded';
  /**
   * Resolves when the question can be asked again; if it rejects, that is the answer to the question. May be called more
   * than once. What it loaded stays at hand at least as long as the root is held that the question was asked through.
   */
  readonly load: () => Promise<void>;

  constructor(load: () => Promise<void>) {
    super('this has to be loaded first');
    this.load = load;
  }
}

/** For the `catch` around a question: loads what is missing, or throws the error on. */
export function loading(error: unknown): Promise<void> {
  if (error instanceof Unloaded) return error.load();
  throw error;
}
