/** Collects entries that are compared by a key of their own, for orders that bytes alone cannot express. */
import type { Budget } from '../workspace/budget.ts';
import { type Bytes, below } from '../workspace/bytes.ts';
import type { EntryType } from '../workspace/reader.ts';
import type { Metadata } from '../workspace/source.ts';
import type { Collector } from './collector.ts';
import type { Bookmark, Entry } from './entry.ts';
import { compareBytes, ORDERS, type Order, type SortKey } from './orders.ts';
import type { Page } from './query.ts';
import { sortInSteps } from './sort.ts';

interface Row extends SortKey {
  readonly entry: Entry;
  readonly path: Bytes;
}

/** Entries beyond what the page needs that come together before they are sorted out. */
const SPARE = 4096;

/** Bytes that a row takes beside its names. */
const ROW_SIZE = 150;

export class KeyCollector implements Collector {
  readonly #order: Order;
  readonly #compare: (a: Row, b: Row) => number;
  #rows: readonly Row[] = [];
  #added: Row[] = [];
  /** The rows in order, as far as they were there when it was asked for; null while rows come in. */
  #sorted: Promise<readonly Row[]> | null = null;
  #end = Number.POSITIVE_INFINITY;
  #nameBytes = 0;

  constructor(order: Order, reverse: boolean) {
    const compareTexts = ORDERS[order].compareTexts();
    const sign = reverse ? -1 : 1;
    this.#order = order;
    this.#compare = (a, b) => sign * (a.rank - b.rank || compareTexts(a.text, b.text) || compareBytes(a.path, b.path));
  }

  get isFull(): boolean {
    return this.#added.length > this.#end + SPARE;
  }

  get size(): number {
    return 2 * this.#nameBytes + ROW_SIZE * (this.#rows.length + this.#added.length);
  }

  add(name: Bytes, type: EntryType, leadsToDirectory: boolean, parent = '' as Bytes, metadata: Metadata | null = null) {
    this.#nameBytes += name.length;
    this.#added.push(this.#rowOf({ name, parent, type, leadsToDirectory, metadata }));
    this.#sorted = null;
  }

  /** Behind a bookmark all are kept: nothing can be dropped before the order is known. */
  keepUpTo(end: number, after: Bookmark | null): void {
    if (after === null) this.#end = end;
  }

  async settle(budget: Budget): Promise<void> {
    const rows = await this.#inOrder(budget);
    if (rows.length > this.#end) this.#rows = rows.slice(0, this.#end);
  }

  async positionAfter(mark: Bookmark, budget: Budget): Promise<number> {
    const place = this.#rowOf({ ...mark, parent: '' as Bytes, type: 'file', metadata: null });
    const rows = await this.#inOrder(budget);
    let [low, high] = [0, rows.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#compare(place, rows[middle] as Row) < 0) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  async page({ offset, limit }: Page, budget: Budget): Promise<Entry[]> {
    return (await this.#inOrder(budget)).slice(offset, offset + limit).map(({ entry }) => entry);
  }

  #rowOf(entry: Entry): Row {
    return { entry, ...ORDERS[this.#order].keyOf(entry), path: below(entry.parent, entry.name) };
  }

  #inOrder(budget: Budget): Promise<readonly Row[]> {
    if (this.#sorted === null) {
      this.#rows = this.#rows.concat(this.#added);
      this.#added = [];
      this.#sorted = budget.finish(sortInSteps(this.#rows, this.#compare));
    }
    return this.#sorted;
  }
}
