/** Collects a directory's entries in `english` order: as `localeCompare` does for English, and equal there, by bytes. */

import type { Budget } from '../workspace/budget.ts';
import { type Bytes, codePointsOf, isAscii } from '../workspace/bytes.ts';
import type { Collector } from './collector.ts';
import type { Bookmark, Entry, EntryType, Page } from './query.ts';
import { sortInSlices } from './sort.ts';

interface Place {
  readonly entry: Bookmark;
  readonly text: string;
}

interface Row extends Place {
  readonly entry: Entry;
}

export class EnglishCollector implements Collector {
  readonly #rows: Row[] = [];
  #nameBytes = 0;
  #sorted: Promise<readonly Row[]> | null = null;

  /** A page needs them all: nothing can be dropped before the order is known. */
  readonly isFull = false;

  get size(): number {
    return 2 * this.#nameBytes + 150 * this.#rows.length;
  }

  add(name: Bytes, type: EntryType, leadsToDirectory: boolean): void {
    this.#nameBytes += name.length;
    const entry = { name, parent: '' as Bytes, type, leadsToDirectory, metadata: null };
    this.#rows.push({ entry, text: comparable(name) });
  }

  keepUpTo(): void {}

  async settle(): Promise<void> {}

  async positionAfter(mark: Bookmark, budget: Budget): Promise<number> {
    const compare = comparison();
    const place = { entry: mark, text: comparable(mark.name) };
    const rows = await this.#inOrder(budget);
    const position = rows.findIndex((row) => compare(place, row) < 0);
    return position < 0 ? rows.length : position;
  }

  async page({ offset, limit }: Page, budget: Budget): Promise<Entry[]> {
    return (await this.#inOrder(budget)).slice(offset, offset + limit).map(({ entry }) => entry);
  }

  #inOrder(budget: Budget): Promise<readonly Row[]> {
    this.#sorted ??= sortInSlices(this.#rows, comparison(), budget);
    return this.#sorted;
  }
}

/** A stray byte compares as the half of a surrogate pair that stands for it. */
function comparable(name: Bytes): string {
  return isAscii(name) ? name : String.fromCodePoint(...codePointsOf(name));
}

function comparison(): (a: Place, b: Place) => number {
  const { compare } = new Intl.Collator('en');
  return (a, b) =>
    Number(b.entry.leadsToDirectory) - Number(a.entry.leadsToDirectory) ||
    compare(a.text, b.text) ||
    (a.entry.name < b.entry.name ? -1 : 1);
}
