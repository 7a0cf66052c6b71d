/** What a walk finds, brought into the order that was asked for, of which one page is kept. */

import type { Budget } from '../workspace/budget.ts';
import { type Bytes, below } from '../workspace/bytes.ts';
import type { Metadata } from '../workspace/pinned.ts';
import type { EntryType } from '../workspace/reader.ts';
import { NameCollector } from './name-collector.ts';
import { BY_PATH, orderKey } from './name-order.ts';
import type { Entry, Order, Page, Query } from './query.ts';
import { sortInSlices } from './sort.ts';
import type { Level, WalkSink } from './walk.ts';

export interface ListingSink extends WalkSink {
  /** Bytes of all files of which the metadata was asked. */
  readonly size: number;
  /** Entries that were told, and were gone when the system was asked for more. */
  readonly vanished: Readonly<Record<EntryType, number>>;
  page(budget: Budget): Promise<Entry[]>;
}

export function sinkFor({ order, reverse, metadata, page }: Query): ListingSink {
  if (order === 'size' || order === 'modified' || order === 'type') return new RankedSink(order, reverse, page);
  return order === 'path' ? new PathSink(page) : new OrderedSink(page, metadata);
}

function none(): Record<EntryType, number> {
  return { file: 0, dir: 0, link: 0, other: 0 };
}

/** Of entries that come in order: those of the page. */
class OrderedSink implements ListingSink {
  readonly #page: Page;
  readonly #end: number;
  readonly #metadata: Query['metadata'];
  readonly #entries: Entry[] = [];
  #position = 0;
  size = 0;
  readonly vanished = none();

  constructor(page: Page, metadata: Query['metadata']) {
    this.#page = page;
    this.#end = page.offset + page.limit;
    this.#metadata = metadata;
  }

  take(level: Level, from: number, to: number): void {
    const first = this.#metadata === 'all' ? from : Math.max(from, from + this.#page.offset - this.#position);
    const last = this.#metadata === 'all' ? to : Math.min(to, from + this.#end - this.#position);
    for (let i = first; i < last; i++) {
      const metadata = this.#wants(level, i) ? metadataOf(level, i) : null;
      if (metadata === 'vanished') {
        this.vanished[typeAt(level, i)]++;
        continue;
      }
      if (metadata?.type === 'file') this.size += metadata.size;
      const position = this.#position + i - from;
      if (position >= this.#page.offset && position < this.#end) this.#entries.push(entryAt(level, i, metadata));
    }
    this.#position += to - from;
  }

  async page(): Promise<Entry[]> {
    return this.#entries;
  }

  #wants(level: Level, at: number): boolean {
    return this.#metadata === 'links' ? typeAt(level, at) === 'link' : this.#metadata !== 'none';
  }
}

/** Null where the system tells nothing but the name. */
function metadataOf({ directory, names }: Level, at: number): Metadata | 'vanished' | null {
  if (directory === null) return null;
  const metadata = directory.metadata(names[at] as Bytes) ?? 'vanished';
  return metadata === 'refused' ? null : metadata;
}

function typeAt({ names, types }: Level, at: number): EntryType {
  return types.get(names[at] as Bytes) ?? 'file';
}

function entryAt(level: Level, at: number, metadata: Metadata | null): Entry {
  const { names, leading, path } = level;
  const name = names[at] as Bytes;
  const type = typeAt(level, at);
  return { name, parent: path, type, leadsToDirectory: type === 'dir' || leading.has(name), metadata };
}

/** Entries beyond what the page needs that come together before they are sorted out. */
const SPARE = 4096;

interface Ranked {
  readonly entry: Entry;
  readonly rank: number;
  /** Where ranks are equal: the name without regard to case, when that comes before the path; '' when it does not. */
  readonly tie: Bytes;
  readonly path: Bytes;
}

const TYPE_RANKS: Readonly<Record<EntryType, number>> = { dir: 0, file: 1, link: 2, other: 3 };

/** Everything together in one order, of which only what can still be on the page is kept. */
class RankedSink implements ListingSink {
  readonly #order: Order;
  readonly #reverse: boolean;
  readonly #page: Page;
  #rows: readonly Ranked[] = [];
  #added: Ranked[] = [];
  size = 0;
  readonly vanished = none();

  constructor(order: Order, reverse: boolean, page: Page) {
    this.#order = order;
    this.#reverse = reverse;
    this.#page = page;
  }

  get isFull(): boolean {
    return this.#added.length > this.#end + SPARE;
  }

  take(level: Level, from: number, to: number): void {
    for (let i = from; i < to; i++) {
      const metadata = metadataOf(level, i);
      if (metadata === 'vanished') {
        this.vanished[typeAt(level, i)]++;
        continue;
      }
      if (metadata?.type === 'file') this.size += metadata.size;
      const entry = entryAt(level, i, metadata);
      const tie = this.#order === 'type' ? orderKey(entry.name) : ('' as Bytes);
      this.#added.push({ entry, rank: rankOf(this.#order, entry), tie, path: below(level.path, entry.name) });
    }
  }

  async settle(budget: Budget): Promise<void> {
    const rows = this.#rows.concat(this.#added);
    this.#added = [];
    const sign = this.#reverse ? -1 : 1;
    const compare = (a: Ranked, b: Ranked) => a.rank - b.rank || compareTies(a, b) || compareBytes(a.path, b.path);
    this.#rows = (await sortInSlices(rows, (a, b) => sign * compare(a, b), budget)).slice(0, this.#end);
  }

  async page(budget: Budget): Promise<Entry[]> {
    await this.settle(budget);
    return this.#rows.slice(this.#page.offset).map(({ entry }) => entry);
  }

  get #end(): number {
    return this.#page.offset + this.#page.limit;
  }
}

/** The largest, or the newest, has the least rank. Directories and links have no size in an order. */
function rankOf(order: Order, { type, metadata }: Entry): number {
  if (order === 'type') return TYPE_RANKS[type];
  // What the system does not tell comes last.
  if (order === 'modified') return metadata === null ? Number.MAX_VALUE : -metadata.modified;
  return metadata === null || type === 'dir' || type === 'link' ? 0 : -metadata.size;
}

function compareTies(a: Ranked, b: Ranked): number {
  return a.tie === '' ? 0 : compareBytes(a.tie, b.tie) || compareBytes(a.entry.name, b.entry.name);
}

function compareBytes(a: Bytes, b: Bytes): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Everything together by the bytes of its path. */
class PathSink implements ListingSink {
  readonly #page: Page;
  readonly #collector = new NameCollector(BY_PATH);
  readonly size = 0;
  readonly vanished = none();

  constructor(page: Page) {
    this.#page = page;
    this.#collector.keepUpTo(page.offset + page.limit);
  }

  get isFull(): boolean {
    return this.#collector.isFull;
  }

  take({ path, names, types }: Level, from: number, to: number): void {
    for (let i = from; i < to; i++) {
      const name = names[i] as Bytes;
      this.#collector.add(below(path, name), types.get(name) ?? 'file', false);
    }
  }

  settle(budget: Budget): Promise<void> {
    return this.#collector.settle(budget);
  }

  async page(budget: Budget): Promise<Entry[]> {
    const entries = await this.#collector.page(this.#page, budget);
    return entries.map((entry) => {
      const slash = entry.name.lastIndexOf('/');
      const parent = entry.name.slice(0, Math.max(slash, 0)) as Bytes;
      return { ...entry, name: entry.name.slice(slash + 1) as Bytes, parent, leadsToDirectory: entry.type === 'dir' };
    });
  }
}
