/**
 * The contents of one directory. Any page can be returned without sorting the rest. Links are kept apart, and followed
 * when a page is requested, if they could be on it. So the contents can be cached: links are resolved anew each time.
 */
import { type Bytes, compareBytes } from '../names/bytes.ts';
import { firstIndex } from '../names/ranges.ts';
import type { Scope } from '../rules/rule.ts';
import { type Budget, COST, type Stop } from '../workspace/budget.ts';
import { ListingError } from '../workspace/listing-error.ts';
import { DIRECTORY, type EntryBuffer, LINK } from '../workspace/reader.ts';
import type { Visit } from '../workspace/visit.ts';
import { type Collector, collectorsFor } from './collectors.ts';
import { type Bookmark, type Counts, countTypes, type Entry, noCounts, totalOf } from './entry.ts';
import { LevelReader, linksToDirectories, withTypesOrWithout } from './level.ts';
import { ORDERS, type Order } from './orders.ts';
import type { Page } from './query.ts';

/** The part of a directory to keep: all entries while they fit in so many bytes, or those up to a position. */
interface Keep {
  readonly bytes: number;
  readonly end: number;
  /** The place that positions are counted from; null for the first entry. */
  readonly after: Bookmark | null;
}

export class LevelContents {
  readonly counts: Counts = noCounts();
  readonly #order: Order;
  /** All entries except links. */
  readonly #entries: Collector;
  /** The links, each sorted as if it led to a directory. */
  readonly #links: Collector;
  /** True if nothing was dropped, so that any page can be returned. */
  isWhole = true;
  stopped: Stop | null = null;

  private constructor(order: Order, makeCollector: () => Collector) {
    this.#order = order;
    this.#entries = makeCollector();
    this.#links = makeCollector();
  }

  static async read(directory: Visit, scope: Scope, order: Order, keep: Keep, budget: Budget): Promise<LevelContents> {
    const makeCollector = await collectorsFor(order);
    return withTypesOrWithout(async (withTypes) => {
      const contents = new LevelContents(order, makeCollector);
      if (keep.bytes === 0) contents.#keepPage(keep);
      const reader = new LevelReader(null, contents.counts, budget);
      await reader.stream(directory, scope, withTypes, (entries) => contents.#take(entries, keep, budget));
      contents.stopped = budget.stopped ?? (reader.cutShort === null ? null : 'interrupted');
      if (reader.cutShort !== null) budget.note(`the directory could not be read to its end: ${reader.cutShort}`);
      const isEmpty = contents.count + contents.counts.hidden.size === 0;
      if (budget.stopped !== null && isEmpty)
        throw new ListingError(budget.stopped, 'nothing was read', directory.path);
      return contents;
    });
  }

  get count(): number {
    return totalOf(this.counts.totals);
  }

  get size(): number {
    return this.#entries.size + this.#links.size;
  }

  #take(entries: EntryBuffer, keep: Keep, budget: Budget): Promise<void> | undefined {
    countTypes(this.counts.totals, entries, 0, entries.count);
    for (let i = 0; i < entries.count; i++) {
      const type = entries.codeAt(i);
      if (type === LINK) this.#links.add(entries, i, true);
      else this.#entries.add(entries, i, type === DIRECTORY);
    }
    if (this.isWhole && this.size > keep.bytes) this.#keepPage(keep);
    return this.#entries.isFull || this.#links.isFull ? this.#settle(budget) : undefined;
  }

  async #settle(budget: Budget): Promise<void> {
    if (this.#entries.isFull) await this.#entries.settle(budget);
    if (this.#links.isFull) await this.#links.settle(budget);
  }

  /** Keeps only entries that can be on the page from now on. */
  #keepPage({ end, after }: Keep): void {
    this.isWhole = false;
    this.#entries.keepUpTo(end, after);
  }

  /** Follows the links that could affect a page. The result can then return that page, and any part of it. */
  async pages(page: Page, after: Bookmark | null, directory: Visit, budget: Budget): Promise<LevelPages> {
    const limit = after === null ? page.offset + page.limit : page.limit;
    const candidates = await this.#linksBefore(limit, after, budget);
    const passed = after === null ? await this.#linksPassed(page.offset, candidates.length, budget) : 0;
    const names = candidates.slice(passed).map(({ name }) => name);
    const toDirectories = await linksToDirectories(names, directory, budget);
    const links = candidates.map((link) => ({ ...link, leadsToDirectory: toDirectories.has(link.name) }));
    const first = links.filter(({ leadsToDirectory }) => leadsToDirectory);
    const rest = links.filter(({ leadsToDirectory }) => !leadsToDirectory);
    return mergedPages(this.#entries, [...first, ...rest], this.#order, after === null);
  }

  /** How many links come before a position wherever they lead. The others can move one back by their number. */
  async #linksPassed(offset: number, links: number, budget: Budget): Promise<number> {
    if (links === 0 || offset - links <= this.counts.totals.dir) return 0;
    const [first] = await this.#entries.page({ offset: offset - links, limit: 1 }, budget);
    return first === undefined ? 0 : this.#links.positionAfter({ name: first.name, leadsToDirectory: true }, budget);
  }

  /** The links that can come before position `limit`: if that is a directory, none that comes after it by name. */
  async #linksBefore(limit: number, after: Bookmark | null, budget: Budget): Promise<Entry[]> {
    const everything = { offset: 0, limit: Number.POSITIVE_INFINITY };
    if (this.counts.totals.link === 0) return [];
    if (limit > this.counts.totals.dir) return this.#links.page(everything, budget);
    const start = after === null ? 0 : await this.#entries.positionAfter(after, budget);
    const [last] = await this.#entries.page({ offset: start + limit - 1, limit: 1 }, budget);
    if (last === undefined || !last.leadsToDirectory) return this.#links.page(everything, budget);
    return this.#links.page({ offset: 0, limit: await this.#links.positionAfter(last, budget) }, budget);
  }
}

/** The entries of a directory merged with its links, in order. */
type LevelPages = Pick<Collector, 'positionAfter' | 'page'>;

/** `links` are in order, up to the end of the pages. Without `isFromStart`, entries before a bookmark may be missing. */
function mergedPages(entries: Collector, links: readonly Entry[], order: Order, isFromStart: boolean): LevelPages {
  const { keyOf, compareTexts } = ORDERS[order];
  const compareText = compareTexts();
  const compare = (a: Entry, b: Entry) => {
    const [one, other] = [keyOf(a), keyOf(b)];
    return one.rank - other.rank || compareText(one.text, other.text) || compareBytes(a.name, b.name);
  };
  return {
    async positionAfter(mark, budget) {
      const place: Entry = { ...mark, parent: '' as Bytes, type: 'file', metadata: null };
      const before = firstIndex(links.length, (i) => compare(place, links[i] as Entry) < 0);
      return before + (await entries.positionAfter(mark, budget));
    },
    async page({ offset, limit }, budget) {
      if (links.length === 0) return entries.page({ offset, limit }, budget);
      const before = await linksBefore(offset, budget);
      const others = await entries.page({ offset: offset - before, limit }, budget);
      const merged: Entry[] = [];
      let taken = 0;
      for (let i = before; i < links.length && merged.length < limit; i++) {
        const link = links[i] as Entry;
        const at = firstIndex(others.length, (index) => compare(link, others[index] as Entry) < 0, taken);
        for (; taken < at; taken++) merged.push(others[taken] as Entry);
        merged.push(link);
        budget.steps += COST.piece * Math.log2(others.length + 2);
        if (budget.isDue) await budget.yieldIfDue();
      }
      for (; taken < others.length && merged.length < limit; taken++) merged.push(others[taken] as Entry);
      return merged.length > limit ? merged.slice(0, limit) : merged;
    },
  };

  /** Returns the number of links before a position. Binary search, because a link's own position is costly to find. */
  async function linksBefore(offset: number, budget: Budget): Promise<number> {
    let [low, high] = [0, Math.min(offset, links.length)];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (await isBehind(links[middle] as Entry, offset - middle, budget)) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  /** True if `count` entries precede a link. Perf: the last of them is found faster than the link's own position. */
  async function isBehind(link: Entry, count: number, budget: Budget): Promise<boolean> {
    if (!isFromStart) return (await entries.positionAfter(link, budget)) >= count;
    const [last] = await entries.page({ offset: count - 1, limit: 1 }, budget);
    return last !== undefined && compare(last, link) < 0;
  }
}
