/** Sinks that keep one page of the entries that a walk finds, in the requested order. */
import type { Bytes } from '../names/bytes.ts';
import type { Budget } from '../workspace/budget.ts';
import type { EntryType } from '../workspace/reader.ts';
import type { Metadata } from '../workspace/source.ts';
import { endOf, isPrefix, kindOf, leadsToDirectory, type SubtreeForm, typeOf } from '../workspace/subtree.ts';
import { type Collector, collectorsFor } from './collectors.ts';
import { type EntryForm, formed, noTotals } from './entry.ts';
import { ORDERS } from './orders.ts';
import type { Page, Query } from './query.ts';
import type { Level, WalkSink } from './walk-plan.ts';

export async function sinkFor<T>(query: Query, form: EntryForm<T>): Promise<PageSink<T> & WalkSink> {
  const { order, reverse, page } = query;
  if (!ORDERS[order].isGlobal) return new SiblingSink(query, form);
  const wanted = ORDERS[order].needsMetadata ? 'all' : query.metadata;
  const makeCollector = await collectorsFor(order, reverse, wanted !== 'none');
  return new GlobalSink(makeCollector(), page, wanted, form);
}

/** Reads the metadata of entries while their directory is held open. */
abstract class PageSink<T> implements WalkSink {
  readonly #wanted: Query['metadata'];
  /** The total size, in bytes, of all files whose metadata was read. */
  size = 0;
  /** The number of entries that were emitted, but had vanished when their metadata was read. */
  readonly vanished = noTotals();

  constructor(wanted: Query['metadata']) {
    this.#wanted = wanted;
  }

  get describes(): boolean {
    return this.#wanted !== 'none';
  }

  abstract take(level: Level, from: number, to: number): void;
  abstract entries(budget: Budget): Promise<readonly T[]>;

  /** Returns null if metadata is not wanted, or the system refuses it. */
  describe({ directory, entries }: Level, at: number, type: EntryType): Metadata | 'vanished' | null {
    const isWanted = this.#wanted === 'links' ? type === 'link' : this.describes;
    if (!isWanted || directory === null) return null;
    const metadata = directory.metadata(entries.nameAt(at), entries.typeAt(at));
    if (metadata === 'refused') return null;
    if (metadata === null) {
      this.vanished[type]++;
      return 'vanished';
    }
    if (metadata.type === 'file') this.size += metadata.size || 0;
    return metadata;
  }
}

/** The length at which a list is full, and another begins. */
const LONG = 2048;

/** Keeps one page of entries that arrive in order. */
export class SiblingSink<T> extends PageSink<T> {
  readonly #offset: number;
  readonly #end: number;
  readonly #describesAll: boolean;
  readonly #form: EntryForm<T>;
  /** Perf: several lists, because a long one outlives its contents, which the garbage collector then takes for used. */
  #parts: T[][] = [];
  #position = 0;

  constructor({ page, metadata }: Query, form: EntryForm<T>) {
    super(metadata);
    this.#form = form;
    this.#offset = page.offset;
    this.#end = page.offset + page.limit;
    this.#describesAll = metadata === 'all';
  }

  get isPastPage(): boolean {
    return !this.#describesAll && this.#position >= this.#end;
  }

  take(level: Level, from: number, to: number): void {
    const start = from + this.#offset - this.#position;
    const end = from + this.#end - this.#position;
    const [first, last] = this.#describesAll ? [from, to] : [Math.max(from, start), Math.min(to, end)];
    const { entries, path: parent } = level;
    const names = first < last ? entries.namesOf(first, last) : [];
    const isPrintable = entries.arePrintable(first, last);
    const [form, kept] = [this.#form, this.#lastPart()];
    for (let i = first; i < last; i++) {
      const type = entries.typeAt(i);
      const metadata = this.describe(level, i, type);
      if (metadata === 'vanished' || i < start || i >= end) continue;
      const name = names[i - first] as Bytes;
      kept.push(form.make(name, parent, type, entries.leadsToDirectory(i), metadata, isPrintable));
    }
    this.#position += to - from;
  }

  /** Returns a form only if all entries are kept as they are. */
  formBelow(path: Bytes): Pick<SubtreeForm<unknown>, 'prefix' | 'end'> | null {
    const isWhole = this.#offset === 0 && this.#end === Number.POSITIVE_INFINITY && !this.describes;
    const prefix = isWhole ? this.#form.prefixIn(path) : null;
    return prefix === null ? null : { prefix, end: null };
  }

  takeLines({ buffer, byteOffset, length }: Uint8Array, index: Uint32Array): void {
    const text = Buffer.from(buffer, byteOffset, length).toString('latin1');
    const [form, kept] = [this.#form, this.#lastPart()];
    const before = kept.length;
    let prefix = '' as Bytes;
    let start = 0;
    for (let i = 0; i < index.length; i++) {
      const word = index[i] as number;
      const end = endOf(word);
      const part = text.slice(start, end) as Bytes;
      if (isPrefix(word)) prefix = part;
      else kept.push(form.makeBehind(prefix, part, typeOf(word), leadsToDirectory(kindOf(word))));
      start = end;
    }
    this.#position += kept.length - before;
  }

  #lastPart(): T[] {
    if ((this.#parts.at(-1)?.length ?? LONG) >= LONG) this.#parts.push([]);
    return this.#parts.at(-1) as T[];
  }

  protected get count(): number {
    return this.#parts.reduce((count, part) => count + part.length, 0);
  }

  /** Returns the entries that were taken since the last call. */
  protected drain(): readonly T[] {
    const parts = this.#parts;
    this.#parts = [];
    return parts.length === 1 ? (parts[0] as T[]) : ([] as T[]).concat(...parts);
  }

  async entries(): Promise<readonly T[]> {
    return this.drain();
  }
}

/** Orders all entries together, and keeps only those that can still be on the page. */
class GlobalSink<T> extends PageSink<T> {
  readonly #page: Page;
  readonly #form: EntryForm<T>;
  readonly #collector: Collector;

  constructor(collector: Collector, page: Page, wanted: Query['metadata'], form: EntryForm<T>) {
    super(wanted);
    this.#form = form;
    this.#page = page;
    this.#collector = collector;
    this.#collector.keepUpTo(page.offset + page.limit, null);
  }

  get isFull(): boolean {
    return this.#collector.isFull;
  }

  take(level: Level, from: number, to: number): void {
    const { entries, path } = level;
    for (let i = from; i < to; i++) {
      const metadata = this.describe(level, i, entries.typeAt(i));
      if (metadata !== 'vanished') this.#collector.add(entries, i, entries.isDirectory(i), path, metadata);
    }
  }

  settle(budget: Budget): Promise<void> {
    return this.#collector.settle(budget);
  }

  async entries(budget: Budget): Promise<readonly T[]> {
    return formed(await this.#collector.page(this.#page, budget), this.#form, budget);
  }
}
