/** Counts unanswered requests, so that a server can wait for them. The same key may be added several times. */
export class InFlight<T> {
  readonly #counts = new Map<T, number>();
  #size = 0;
  #whenEmpty: (() => void) | null = null;

  get size(): number {
    return this.#size;
  }

  add(one: T): void {
    this.#counts.set(one, (this.#counts.get(one) ?? 0) + 1);
    this.#size++;
  }

  delete(one: T): void {
    const count = this.#counts.get(one);
    if (count === undefined) return;
    if (count === 1) this.#counts.delete(one);
    else this.#counts.set(one, count - 1);
    this.#size--;
    if (this.#size === 0) this.#whenEmpty?.();
  }

  deleteAll(one: T): void {
    while (this.#counts.has(one)) this.delete(one);
  }

  async drained(): Promise<void> {
    if (this.#size === 0) return;
    await new Promise<void>((resolve) => {
      this.#whenEmpty = resolve;
    });
  }
}
