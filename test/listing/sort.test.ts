import { describe, expect, it } from 'vitest';
import { sortedBy } from '../../src/listing/sort.ts';
import { done, inSteps } from '../support/folders.ts';

interface Item {
  readonly name: string;
  readonly place: number;
}

/** Items with these names, each of which knows its place. */
const itemsOf = (names: readonly string[]): Item[] => names.map((name, place) => ({ name, place }));
const nameOf = ({ name }: Item) => name;

/** So many names in no order, of which each comes about three times. */
function shuffled(count: number): Item[] {
  const kinds = Math.ceil(count / 3);
  return itemsOf(Array.from({ length: count }, (_, i) => `n${(i * 7919) % kinds}`));
}

it('sorts by the bytes of names', () => {
  const sorted = done(sortedBy(itemsOf(['b', 'a10', '\xff', 'a2', '', 'B', 'a']), nameOf));
  expect(sorted.map(nameOf)).toEqual(['', 'B', 'a', 'a10', 'a2', 'b', '\xff']);
});

describe.each([2, 3, 255, 256, 257, 512, 513, 1100, 5000])('of %d', (count) => {
  it('all are there, in order; those of one name as they came; and what was given stays as it was', () => {
    const items = shuffled(count).reverse();
    const before = [...items];
    const sorted = done(sortedBy(items, nameOf));
    const order = (a: Item, b: Item) => (a.name === b.name ? b.place - a.place : a.name < b.name ? -1 : 1);
    expect(sorted).toEqual(before.toSorted(order));
    expect(items).toEqual(before);
  });

  it('those that are in order are given back as they are', () => {
    const items = shuffled(count).sort((a, b) => (a.name < b.name ? -1 : 1));
    expect(done(sortedBy(items, nameOf))).toBe(items);
  });

  it('the last or the first may be the only one that is not', () => {
    const items = itemsOf(Array.from({ length: count }, (_, i) => String(i).padStart(5, '0')));
    const last = [...items.slice(1), items[0] as Item];
    const first = [items.at(-1) as Item, ...items.slice(0, -1)];
    expect(done(sortedBy(last, nameOf))).toEqual(items);
    expect(done(sortedBy(first, nameOf))).toEqual(items);
  });
});

it.each([0, 1])('of %d there is nothing to sort', (count) => {
  expect(done(sortedBy(shuffled(count), nameOf))).toEqual(shuffled(count));
});

it('pauses after each handful, while it looks, while it sorts and while it merges', () => {
  const steps = (items: readonly Item[]) => inSteps(sortedBy(items, nameOf)).steps;
  const inOrder = (count: number) => itemsOf(Array.from({ length: count }, (_, i) => String(i).padStart(5, '0')));
  expect([100, 256, 257, 1024, 1025].map((count) => steps(inOrder(count)))).toEqual([0, 0, 1, 3, 4]);
  expect([100, 256, 257, 1024, 1025].map((count) => steps(inOrder(count).reverse()))).toEqual([0, 0, 3, 7, 11]);
  // Twenty handfuls, and merging.
  expect(steps(inOrder(5120).reverse())).toBeGreaterThan(20);
});
