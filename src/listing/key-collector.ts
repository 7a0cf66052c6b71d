/** Collects entries and compares them by key, for orders that bytes alone cannot express. */
import { type Bytes, below, compareBytes } from '../names/bytes.ts';
import { firstIndex } from '../names/ranges.ts';
import type { Budget } from '../workspace/budget.ts';
import type { EntryBuffer } from '../workspace/reader.ts';
import type { Metadata } from '../workspace/source.ts';
import { mapped, type Steps } from '../workspace/steps.ts';
import type { Bookmark, Entry } from './entry.ts';
import { ORDERS, type Order, type SortKey } from './orders.ts';
import type { Page } from './query.ts';
import { mergedRuns } from './sort.ts';

interface Row extends SortKey {
  readonly entry: Entry;
  readonly path: Bytes;
}

/** Rows in a run, which is sorted in one go as soon as it is full: a few milliseconds even for the longest names. */
const RUN = 512;

/** Rows that may accumulate beyond what the page needs before they are dropped. */
const SPARE = 4096;

/** Bytes that a row takes in addition to its names. */
const ROW_SIZE = 150;

export class KeyCollector {
  readonly #order: Order;
  readonly #compare: (a: Row, b: Row) => number;
  /** Each run is sorted. Perf: rows that are sorted as they arrive need no sorting after the deadline. */
  #runs: (readonly Row[])[] = [];
  #added: Row[] = [];
  #count = 0;
  /** All rows in order; null while rows are being added. */
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
    return this.#added.length >= RUN;
  }

  get size(): number {
    return 2 * this.#nameBytes + ROW_SIZE * this.#count;
  }

  add(
    entries: EntryBuffer,
    at: number,
    leadsToDirectory: boolean,
    parent = '' as Bytes,
    metadata: Metadata | null = null,
  ): void {
    const name = entries.nameAt(at);
    this.#nameBytes += name.length;
    this.#count++;
    this.#added.push(this.#rowOf({ name, parent, type: entries.typeAt(at), leadsToDirectory, metadata }));
    this.#sorted = null;
  }

  /** With a bookmark, all rows are kept: none can be dropped before the order is known. */
  keepUpTo(end: number, after: Bookmark | null): void {
    if (after === null) this.#end = end;
  }

  async settle(budget: Budget): Promise<void> {
    await budget.finish(this.#sortAdded());
    if (this.#count <= this.#end + SPARE) return;
    const rows = (await this.#inOrder(budget)).slice(0, this.#end);
    this.#runs = [rows];
    this.#count = rows.length;
    this.#sorted = null;
  }

  async positionAfter(mark: Bookmark, budget: Budget): Promise<number> {
    const place = this.#rowOf({ ...mark, parent: '' as Bytes, type: 'file', metadata: null });
    const rows = await this.#inOrder(budget);
    return firstIndex(rows.length, (i) => this.#compare(place, rows[i] as Row) < 0);
  }

  async page({ offset, limit }: Page, budget: Budget): Promise<Entry[]> {
    const rows = (await this.#inOrder(budget)).slice(offset, offset + limit);
    return budget.finish(mapped(rows, ({ entry }) => entry));
  }

  #rowOf(entry: Entry): Row {
    return { entry, ...ORDERS[this.#order].keyOf(entry), path: below(entry.parent, entry.name) };
  }

  #inOrder(budget: Budget): Promise<readonly Row[]> {
    this.#sorted ??= budget.finish(this.#sortAll());
    return this.#sorted;
  }

  *#sortAll(): Steps<readonly Row[]> {
    yield* this.#sortAdded();
    return yield* mergedRuns(this.#runs, this.#compare);
  }

  *#sortAdded(): Steps<void> {
    const added = this.#added;
    this.#added = [];
    for (let from = 0; from < added.length; from += RUN) {
      this.#runs.push(added.slice(from, from + RUN).sort(this.#compare));
      yield undefined;
    }
  }
}
