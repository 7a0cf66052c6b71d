/** Entries that are compared by a key of their own: pages of them, and how many are kept for that. */
import { describe, expect, it } from 'vitest';
import { KeyCollector } from '../../src/listing/key-collector.ts';
import type { Order } from '../../src/listing/orders.ts';
import { type Bytes, below, bytesOf } from '../../src/names/bytes.ts';
import { Budget } from '../../src/workspace/budget.ts';
import type { EntryType } from '../../src/workspace/reader.ts';
import type { Metadata } from '../../src/workspace/source.ts';
import { entriesOf } from '../support/entries.ts';

const ALL = { offset: 0, limit: Number.POSITIVE_INFINITY };

interface Item {
  readonly name: string;
  readonly parent?: string;
  readonly type?: EntryType;
  readonly size?: number;
}

function add(collector: KeyCollector, { name, parent = '', type = 'file', size }: Item): void {
  const metadata = size === undefined ? null : ({ type, size } as Metadata);
  collector.add(entriesOf([bytesOf(name)], type), 0, type === 'dir', bytesOf(parent), metadata);
}

function collectorOf(order: Order, items: readonly Item[], reverse = false): KeyCollector {
  const collector = new KeyCollector(order, reverse);
  for (const item of items) add(collector, item);
  return collector;
}

/** Counts how often it was asked whether others should have a turn. */
class Patient extends Budget {
  asked = 0;

  override async finish<T>(steps: Parameters<Budget['finish']>[0]): Promise<T> {
    for (;;) {
      const step = steps.next();
      if (step.done) return step.value as T;
      this.asked++;
    }
  }
}

const numbered = (count: number, start = 'n') =>
  Array.from({ length: count }, (_, i) => ({ name: `${start}${String(i).padStart(5, '0')}` }));
const mixed = <T>(items: readonly T[]) => items.map((_, i) => items[(i * 7919) % items.length] as T);
const pathsOf = async (collector: KeyCollector, page = ALL) =>
  (await collector.page(page, new Budget({}))).map(({ parent, name }) => below(parent, name));

describe('the order', () => {
  const ITEMS: readonly Item[] = [
    { name: 'b', size: 5 },
    { name: 'a', parent: 'z', size: 5 },
    { name: 'c', size: 70 },
    { name: 'd', type: 'dir', size: 4096 },
    { name: 'a', parent: 'd', size: 6 },
  ];

  it.each<[Order, string[]]>([
    ['size', ['c', 'd/a', 'b', 'z/a', 'd']],
    ['type', ['d', 'd/a', 'z/a', 'b', 'c']],
    ['english', ['d', 'd/a', 'z/a', 'b', 'c']],
  ])('is by rank, by text and then by path: %s', async (order, expected) => {
    expect(await pathsOf(collectorOf(order, ITEMS))).toEqual(expected);
    expect(await pathsOf(collectorOf(order, ITEMS.toReversed()))).toEqual(expected);
    expect(await pathsOf(collectorOf(order, ITEMS, true))).toEqual(expected.toReversed());
  });

  it('is that of people, in English', async () => {
    const names = ['b', 'é', 'B', 'a', 'E', 'z', 'f', 'e'].map((name) => ({ name }));
    expect(await pathsOf(collectorOf('english', names))).toEqual(['a', 'b', 'B', 'e', 'E', 'é', 'f', 'z'].map(bytesOf));
  });

  it('has entries as they were added', async () => {
    const collector = new KeyCollector('english', false);
    const metadata = { type: 'file', size: 7 } as Metadata;
    collector.add(entriesOf([bytesOf('x'), bytesOf('to')], 'link'), 1, true);
    collector.add(entriesOf([bytesOf('in')]), 0, false, bytesOf('a/b'), metadata);
    expect(await collector.page(ALL, new Budget({}))).toEqual([
      { name: 'to', parent: '', type: 'link', leadsToDirectory: true, metadata: null },
      { name: 'in', parent: 'a/b', type: 'file', leadsToDirectory: false, metadata },
    ]);
  });
});

describe('a page', () => {
  it('is a part of the whole', async () => {
    const collector = collectorOf('english', mixed(numbered(20)));
    const all = numbered(20).map(({ name }) => name);
    for (const [offset, limit] of [
      [0, 5],
      [7, 3],
      [15, 10],
      [20, 1],
    ] as const) {
      expect(await pathsOf(collector, { offset, limit })).toEqual(all.slice(offset, offset + limit));
    }
  });

  it('has what came after another was asked for', async () => {
    const collector = collectorOf('english', [{ name: 'b' }]);
    expect(await pathsOf(collector)).toEqual(['b']);
    add(collector, { name: 'a' });
    expect(await pathsOf(collector)).toEqual(['a', 'b']);
    add(collector, { name: 'c' });
    await collector.settle(new Budget({}));
    expect(await pathsOf(collector)).toEqual(['a', 'b', 'c']);
  });

  it('is put in order once, for all who ask', async () => {
    const collector = collectorOf('english', mixed(numbered(2000)));
    const budget = new Patient({});
    await Promise.all([collector.page(ALL, budget), collector.page(ALL, budget)]);
    const { asked } = budget;
    // Four runs that are sorted, three times two that are merged; and each page is copied in 63 steps.
    expect(asked).toBe(4 + 3 + 2 * 63);
    await collector.page({ offset: 3, limit: 1 }, budget);
    expect(budget.asked).toBe(asked + 1);
  });

  it('begins behind an entry, whether that is there or not', async () => {
    const collector = collectorOf('english', [{ name: 'd', type: 'dir' }, { name: 'a' }, { name: 'c' }]);
    const behind = (name: string, leadsToDirectory = false) =>
      collector.positionAfter({ name: bytesOf(name), leadsToDirectory }, new Budget({}));
    expect([await behind('c', true), await behind('d', true), await behind('e', true)]).toEqual([0, 1, 1]);
    expect([await behind('A'), await behind('a'), await behind('b'), await behind('c')]).toEqual([2, 2, 2, 3]);
    expect([await behind('0'), await behind('z')]).toEqual([1, 3]);
  });
});

describe('what is kept', () => {
  const full = 512;
  const spare = 4096;

  it('is put in order by pieces while it comes in', async () => {
    const collector = collectorOf('english', mixed(numbered(full - 1)));
    expect(collector.isFull).toBe(false);
    add(collector, { name: 'one more' });
    expect(collector.isFull).toBe(true);
    const budget = new Patient({});
    await collector.settle(budget);
    expect(collector.isFull).toBe(false);
    expect(budget.asked).toBe(1);
    // Nothing is left to do but to copy the page.
    await collector.page(ALL, budget);
    expect(budget.asked).toBe(1 + 16);
  });

  it('is no more than the page and some to spare', async () => {
    const items = mixed(numbered(spare + 10));
    const collector = collectorOf('english', items);
    const sizeOf = (count: number) => 2 * 6 * (spare + 10) + 150 * count;
    expect(collector.size).toBe(sizeOf(spare + 10));
    collector.keepUpTo(10, null);
    await collector.settle(new Budget({}));
    expect(collector.size).toBe(sizeOf(spare + 10));
    add(collector, { name: 'n00000-and-half' });
    await collector.settle(new Budget({}));
    expect(collector.size).toBe(sizeOf(10) + 2 * 'n00000-and-half'.length);
    expect(await pathsOf(collector)).toEqual(['n00000', 'n00000-and-half', ...names(1, 9)]);
    // What comes later still has its place.
    add(collector, { name: 'n00003-and-half' });
    await collector.settle(new Budget({}));
    expect((await pathsOf(collector)).slice(3, 7)).toEqual(['n00002', 'n00003', 'n00003-and-half', 'n00004']);
  });

  it('is everything where a page begins behind an entry', async () => {
    const collector = collectorOf('english', mixed(numbered(spare + 100)));
    collector.keepUpTo(10, { name: bytesOf('n00500') as Bytes, leadsToDirectory: false });
    await collector.settle(new Budget({}));
    expect(await pathsOf(collector, { offset: spare, limit: 200 })).toEqual(names(spare, spare + 100));
  });

  it('is everything where nothing else was said', async () => {
    const collector = collectorOf('english', numbered(2 * spare));
    await collector.settle(new Budget({}));
    expect(await pathsOf(collector)).toHaveLength(2 * spare);
  });

  const names = (from: number, to: number) =>
    numbered(to)
      .slice(from)
      .map(({ name }) => name);
});
