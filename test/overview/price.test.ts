import { describe, expect, it } from 'vitest';
import type { Price } from '../../src/overview/plan.ts';
import { PriceSearch } from '../../src/overview/price.ts';

/** The largest size of at most 1 that a search finds, and in how many trials. */
function found(first: number, sizeAt: (price: Price) => number): { best: number; trials: number } {
  const search = new PriceSearch(first);
  let [best, trials] = [0, 0];
  for (; !search.isOver; trials++) {
    const size = sizeAt(search.price);
    if (size <= 1) best = Math.max(best, size);
    search.tell(size);
  }
  return { best, trials };
}

describe.each([1e-9, 1, 1e9])('from a first price of %d', (first) => {
  it.each<[string, (price: number) => number]>([
    ['evenly', (price) => price / 37],
    ['slowly', (price) => Math.sqrt(price) / 5],
    ['in steps', (price) => Math.floor(price) / 100],
  ])('finds a map that grows %s', (_, size) => {
    const { best, trials } = found(first, ({ high }) => size(high));
    expect(best).toBeGreaterThan(0.9);
    expect(trials).toBeLessThan(24);
  });
});

it('fills a leap between two prices with a share of it', () => {
  const size = ({ low, high, share }: Price) => (high < 3 ? 0.1 : low >= 3 ? 40 : 0.1 + 39.9 * share);
  expect(found(1, size).best).toBeGreaterThan(0.9);
});

it('ends where everything fits, or nothing', () => {
  expect(found(1, () => 0.5)).toEqual({ best: 0.5, trials: expect.any(Number) });
  expect(found(1, () => 7)).toEqual({ best: 0, trials: expect.any(Number) });
});
