/** A binary heap: the item with the highest rank comes first. */
export class Heap<T extends { readonly rank: number }> {
  readonly #items: T[] = [];

  get best(): T | undefined {
    return this.#items[0];
  }

  add(item: T): void {
    const items = this.#items;
    let at = items.push(item) - 1;
    while (at > 0) {
      const above = (at - 1) >> 1;
      if ((items[above] as T).rank >= item.rank) break;
      items[at] = items[above] as T;
      at = above;
    }
    items[at] = item;
  }

  dropBest(): void {
    const items = this.#items;
    const last = items.pop();
    if (last === undefined || items.length === 0) return;
    let at = 0;
    for (;;) {
      let inner = 2 * at + 1;
      if (inner >= items.length) break;
      if (inner + 1 < items.length && (items[inner + 1] as T).rank > (items[inner] as T).rank) inner++;
      if ((items[inner] as T).rank <= last.rank) break;
      items[at] = items[inner] as T;
      at = inner;
    }
    items[at] = last;
  }
}
