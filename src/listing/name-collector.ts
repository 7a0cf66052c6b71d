/**
 * Collects entries and returns pages of them in order of name, without sorting the rest.
 *
 * Perf: names are bytes in one buffer, because a million strings would cost the garbage collector more than reading them.
 * When twice as many entries as the page needs have accumulated, the later ones are dropped, and no more are kept.
 */
import { type Bytes, below, SLASH } from '../names/bytes.ts';
import { entryNamed } from '../rules/rule.ts';
import type { Budget } from '../workspace/budget.ts';
import { EntryBuffer, grown, grownInSlices } from '../workspace/reader.ts';
import { HANDFUL } from '../workspace/steps.ts';
import type { Bookmark, Entry } from './entry.ts';
import { type Comparison, DIRECTORY_RANK, LOWER_CASED, OTHER_RANK } from './name-keys.ts';
import { appendKey, compareKeys, digitAt, NameOrder, PLAIN } from './name-order.ts';
import type { Page } from './query.ts';

/** Below this many entries, dropping some is not worth the work. */
const SPARE = 1024;

/** Bytes that are enough for a handful of names, unless they are unusual. */
const ROOM = 256 * HANDFUL.entries;

export class NameCollector {
  readonly #comparison: Comparison;
  readonly #directoriesFirst: boolean;
  /** The names, each behind its rank, and the keys of those that are not their own key. */
  #names = new EntryBuffer(4096, 128);
  /** The position of each entry's key in the buffer. */
  #keys = new Uint32Array(128);
  /** The first digit of each key. Perf: it is read while the next entries are being fetched. */
  #digits = new Float64Array(128);
  /** Entries from this position on are on no page that will be requested. */
  #end = Number.POSITIVE_INFINITY;
  /** Contains the entry behind which the first page that will be requested begins; null for the start. */
  #after: NameCollector | null = null;
  /** The number of entries that were dropped because they do not come after it. */
  #before = 0;
  /** Contains the last entry that is worth keeping; null while every entry is. */
  #last: NameCollector | null = null;
  /** The order, as far as it was requested; null while entries are being added. */
  #order: NameOrder | null = null;

  constructor(comparison = LOWER_CASED, directoriesFirst = true) {
    this.#comparison = comparison;
    this.#directoriesFirst = directoriesFirst;
  }

  get isFull(): boolean {
    return this.#hasTooMany || this.#names.isCrowded(ROOM, HANDFUL.entries);
  }

  get #hasTooMany(): boolean {
    return this.#names.count > 2 * this.#end + SPARE;
  }

  get size(): number {
    return this.#names.used + 16 * this.#names.count;
  }

  keepUpTo(end: number, after: Bookmark | null): void {
    this.#end = end;
    this.#after = after === null ? null : this.#only(after);
  }

  /** An entry of an inner directory is ordered by its path. */
  add(entries: EntryBuffer, at: number, leadsToDirectory: boolean, parent = '' as Bytes): void {
    if (parent !== '') {
      this.add(entryNamed(below(parent, entries.nameAt(at)), entries.typeAt(at)), 0, leadsToDirectory);
      return;
    }
    const { count, used } = this.#names;
    this.#append(entries, at, this.#directoriesFirst && leadsToDirectory ? DIRECTORY_RANK : OTHER_RANK);
    const isBefore = this.#after !== null && this.#compare(count, this.#after) <= 0;
    if (isBefore) this.#before++;
    if (isBefore || (this.#last !== null && this.#compare(count, this.#last) > 0)) this.#names.truncate(count, used);
  }

  #append(entries: EntryBuffer, at: number, rank: number): void {
    const names = this.#names;
    const id = names.count;
    const isAscii = names.addBehind(rank, entries, at);
    if (id >= this.#keys.length) {
      this.#keys = grown(this.#keys, new Uint32Array(names.starts.length));
      this.#digits = grown(this.#digits, new Float64Array(names.starts.length));
    }
    const start = names.starts[id] as number;
    const { fold, longest, keyFor } = this.#comparison;
    const isKey = isAscii && (names.ends[id] as number) - start <= longest;
    const key = isKey ? start - 1 : appendKey(names, keyFor(names.nameAt(id)), rank);
    this.#keys[id] = key;
    this.#digits[id] = digitAt(names.bytes, key, fold);
  }

  /** Returns a collector of this one entry. */
  #only({ name, leadsToDirectory }: Bookmark): NameCollector {
    const only = new NameCollector(this.#comparison, this.#directoriesFirst);
    only.add(entryNamed(name, 'file'), 0, leadsToDirectory);
    return only;
  }

  /** Compares an entry to the only one of another collector. */
  #compare(id: number, other: NameCollector): number {
    const [own, names] = [this.#names, other.#names];
    return (
      compareKeys(this.#comparison.fold, own.bytes, this.#keys[id] as number, names.bytes, other.#keys[0] as number) ||
      compareKeys(PLAIN, own.bytes, own.starts[id] as number, names.bytes, names.starts[0] as number)
    );
  }

  async settle(budget: Budget): Promise<void> {
    if (this.#hasTooMany) await this.#dropRest(budget);
    if (!this.#names.isCrowded(ROOM, HANDFUL.entries)) return;
    await this.#names.reserveInSlices(ROOM, HANDFUL.entries, budget);
    const { length } = this.#names.starts;
    if (length <= this.#keys.length) return;
    this.#keys = await grownInSlices(this.#keys, new Uint32Array(length), budget);
    this.#digits = await grownInSlices(this.#digits, new Float64Array(length), budget);
  }

  async #dropRest(budget: Budget): Promise<void> {
    const start = this.#after === null ? 0 : await this.#indexBehind(this.#after, budget);
    const end = Math.min(start + this.#end, this.#names.count);
    // Perf: only the ends have to be in order.
    await this.#arranged(start, start + 1, budget);
    const order = await this.#arranged(end - 1, end, budget);
    const kept = new NameCollector(this.#comparison, this.#directoriesFirst);
    for (let from = start; from < end; from += HANDFUL.entries) {
      for (const id of order.subarray(from, Math.min(from + HANDFUL.entries, end)))
        kept.#append(this.#names, id, this.#rankOf(id));
      await kept.settle(budget);
      await budget.yieldIfDue();
    }
    if (end - start === this.#end) {
      this.#last = new NameCollector(this.#comparison, this.#directoriesFirst);
      const id = order[end - 1] as number;
      this.#last.#append(this.#names, id, this.#rankOf(id));
    }
    this.#before += start;
    this.#names = kept.#names;
    this.#keys = kept.#keys;
    this.#digits = kept.#digits;
    this.#order = null;
  }

  #rankOf(id: number): number {
    const { bytes, starts } = this.#names;
    return bytes[(starts[id] as number) - 1] as number;
  }

  async page({ offset, limit }: Page, budget: Budget): Promise<Entry[]> {
    const start = offset - this.#before;
    const end = Math.min(start + limit, this.#names.count);
    if (start >= end) return [];
    const order = await this.#arranged(start, end, budget);
    const entries: Entry[] = [];
    for (let from = start; from < end; from += HANDFUL.entries) {
      entries.push(...this.#entriesOf(order.subarray(from, Math.min(from + HANDFUL.entries, end))));
      await budget.yieldIfDue();
    }
    return entries;
  }

  /** Perf: names are put together first, because taking substrings of one string takes a fraction of the time. */
  #entriesOf(ids: Uint32Array): Entry[] {
    const names = new EntryBuffer(32 * ids.length, ids.length);
    for (const id of ids) names.addBehind(SLASH, this.#names, id);
    return names.namesOf(0, names.count).map((path, i) => {
      const slash = path.includes('/') ? path.lastIndexOf('/') : -1;
      const type = names.typeAt(i);
      return {
        name: slash < 0 ? path : (path.slice(slash + 1) as Bytes),
        parent: (slash < 0 ? '' : path.slice(0, slash)) as Bytes,
        type,
        leadsToDirectory: this.#directoriesFirst ? this.#rankOf(ids[i] as number) === DIRECTORY_RANK : type === 'dir',
        metadata: null,
      };
    });
  }

  async positionAfter(mark: Bookmark, budget: Budget): Promise<number> {
    return this.#before + (await this.#indexBehind(this.#only(mark), budget));
  }

  /** Returns an index among the entries that are kept. Binary search: only the segments that it touches are sorted. */
  async #indexBehind(mark: NameCollector, budget: Budget): Promise<number> {
    let [low, high] = [0, this.#names.count];
    while (low < high) {
      const middle = (low + high) >>> 1;
      const order = await this.#arranged(middle, middle + 1, budget);
      if (this.#compare(order[middle] as number, mark) > 0) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  /** Returns entry numbers. Those at positions `from` to `to` are in order; the others are on the correct side. */
  #arranged(from: number, to: number, budget: Budget): Promise<Uint32Array> {
    if (this.#order === null) {
      const { count } = this.#names;
      const [keys, digits] = [this.#keys.subarray(0, count), this.#digits.subarray(0, count)];
      this.#order = new NameOrder(this.#names, 0, keys, this.#comparison.fold, digits);
    }
    return this.#order.arranged(from, to, budget);
  }
}
