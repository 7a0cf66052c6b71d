/** Counts unanswered requests, so that a server can wait for them. The same key may have several. */
export class InFlight<T> {
  readonly #counts = new Map<T, number>();
  #whenEmpty: (() => void) | null = null;
  size = 0;

  /** A negative number takes as many away, as far as there are any. */
  add(one: T, number = 1): void {
    const before = this.#counts.get(one) ?? 0;
    const after = Math.max(before + number, 0);
    if (after === 0) this.#counts.delete(one);
    else this.#counts.set(one, after);
    this.size += after - before;
    if (this.size === 0) this.#whenEmpty?.();
  }

  async drained(): Promise<void> {
    if (this.size === 0) return;
    await new Promise<void>((resolve) => {
      this.#whenEmpty = resolve;
    });
  }
}
