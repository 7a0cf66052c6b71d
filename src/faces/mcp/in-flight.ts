/** What was asked and is not answered yet, to end only when that is done. */

/** Milliseconds that a server takes to finish before it ends anyway. */
const PATIENCE = 10_000;

export class InFlight<T> {
  readonly #all = new Set<T>();
  #whenEmpty: (() => void) | null = null;

  get size(): number {
    return this.#all.size;
  }

  add(one: T): void {
    this.#all.add(one);
  }

  delete(one: T): void {
    this.#all.delete(one);
    if (this.#all.size === 0) this.#whenEmpty?.();
  }

  async drained(): Promise<void> {
    if (this.#all.size === 0) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, PATIENCE);
      this.#whenEmpty = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
