import { describe, expect, it } from 'vitest';
import type { Price } from '../../src/overview/price.ts';
import { FOR_EVERYTHING, PriceSearch } from '../../src/overview/price.ts';

/** The largest size of at most 1 that a search finds, and in how many trials. */
function found(first: number, sizeAt: (price: Price) => number): { best: number; trials: number } {
  const search = new PriceSearch(first);
  let [best, trials] = [0, 0];
  for (; !search.isOver; trials++) {
    const size = sizeAt(search.price);
    if (size <= 1) best = Math.max(best, size);
    search.report(size);
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

/** All prices that a search asks for, with the size at each. */
function asked(search: PriceSearch, sizeAt: (price: Price) => number): { price: Price; size: number }[] {
  const trials: { price: Price; size: number }[] = [];
  while (!search.isOver && trials.length < 100) {
    const { price } = search;
    const size = sizeAt(price);
    trials.push({ price, size });
    search.report(size);
  }
  return trials;
}

const isShared = ({ low, high }: Price) => low !== high;

/** The price that is asked for after these sizes, as a multiple of the one before. */
function stepAfter(...sizes: number[]): number {
  const search = new PriceSearch(1);
  let before = 0;
  for (const size of sizes) {
    before = search.price.high;
    search.report(size);
  }
  return search.price.high / before;
}

it('a share that makes no difference is followed by one in the middle, until one does', () => {
  // The directories behind four fifths of all are the only ones that become larger.
  const sizeAt = ({ low, high, share }: Price) =>
    low === high ? (high < 2 ? 0.2 : 1.5) : share < 0.8 ? 0.1 : 0.1 + 120 * (share - 0.8);
  const sizes = asked(new PriceSearch(1), sizeAt).map(({ size }) => size);
  expect(Math.max(...sizes.filter((size) => size <= 1))).toBeGreaterThan(0.6);
});

describe('everything', () => {
  it.each([0.5, 1])('is asked for after three maps of the size %d, and then it is over', (size) => {
    const trials = asked(new PriceSearch(1), () => size);
    expect(trials).toHaveLength(4);
    expect(trials.at(-1)?.price).toEqual(FOR_EVERYTHING);
    expect(trials.slice(0, 3).every(({ price }) => price.high < FOR_EVERYTHING.high)).toBe(true);
  });

  it('is one price without a share', () => {
    expect(FOR_EVERYTHING).toEqual({ low: FOR_EVERYTHING.high, high: FOR_EVERYTHING.high, share: 0 });
    expect(FOR_EVERYTHING.high).toBeGreaterThan(1e9);
  });

  it('is not asked for as long as maps grow, or where it would surely be too large', () => {
    const growing = asked(new PriceSearch(1), ({ high }) => high / 1e6).slice(0, 4);
    expect(growing.every(({ price }) => price.high < FOR_EVERYTHING.high)).toBe(true);
    const never = asked(new PriceSearch(1, false), ({ high }) => (high < 1e9 ? 0.5 : 2));
    expect(never.every(({ price }) => price.high < FOR_EVERYTHING.high)).toBe(true);
    expect(never.length).toBeLessThanOrEqual(22);
  });

  it('is asked for once, and if it is too large the search goes on as if it had not been', () => {
    const size = ({ high, share }: Price) => (high < 1e6 ? 0.2 : Math.min(high / 1e6, 30)) * (1 + share);
    const trials = asked(new PriceSearch(1), size).map(({ price }) => price);
    const without = asked(new PriceSearch(1, false), size).map(({ price }) => price);
    expect(trials.filter((price) => price.high === FOR_EVERYTHING.high)).toHaveLength(1);
    expect(trials.filter((price) => price.high !== FOR_EVERYTHING.high)).toEqual(without);
  });

  it('is the first price where that is higher than any', () => {
    const search = new PriceSearch(Number.MAX_VALUE);
    expect(search.price).toEqual(FOR_EVERYTHING);
    search.report(1);
    expect(search.isOver).toBe(true);
  });

  it('is not the lowest price, which is more than nothing', () => {
    const { low, high } = new PriceSearch(0).price;
    expect([low > 0, low < 1e-9, high === low]).toEqual([true, true, true]);
  });
});

describe('the next price', () => {
  it.each([
    [0.12, 8],
    [0.5, 1.92],
    [0.6, 1.6],
    [4, 0.24],
    [9.6, 0.1],
  ])('after a first map of %d is %d times as high, as if sizes grew alike', (size, step) => {
    expect(stepAfter(size)).toBeCloseTo(step);
  });

  it('is at most 64 times as high or as low', () => {
    expect(stepAfter(0.001)).toBe(64);
    expect(stepAfter(1000)).toBe(1 / 64);
    expect(stepAfter(0.001, 0.002, 0.003)).toBe(64);
    expect(stepAfter(0.1, 0.2, 0.5)).toBe(64);
  });

  it('is at most 8 times as high or as low after a map that is about as large as it may be', () => {
    expect(stepAfter(0.6, 0.7, 0.8)).toBe(8);
    expect(stepAfter(0.6, 0.7, 0.51)).toBe(8);
    expect(stepAfter(6, 5, 4)).toBe(1 / 8);
    expect(stepAfter(10, 9, 7.9)).toBe(1 / 8);
    expect(stepAfter(10, 9, 8)).toBe(1 / 64);
  });

  it('between two that are known is where the size would be right, if both grew evenly', () => {
    const sizes = asked(new PriceSearch(0.5), ({ high }) => high ** 2).map(({ size }) => size);
    expect(sizes.slice(0, 3)).toEqual([0.25, expect.closeTo(3.686), expect.closeTo(0.96)]);
  });

  it('between two that are known is not too near to either', () => {
    const next = (low: number, high: number) => {
      const search = new PriceSearch(1);
      search.report(low);
      const { high: above } = search.price;
      search.report(high);
      return Math.log(search.price.high) / Math.log(above);
    };
    expect(next(0.2, 1e9)).toBeCloseTo(0.1);
    expect(next(0.2, 1.0001)).toBeCloseTo(0.9);
  });

  it('is every third time halfway', () => {
    const trials = asked(new PriceSearch(0.5), ({ high }) => high ** 2).map(({ price }) => price.high);
    const [, above = 0, below = 0, next] = trials;
    expect(next).toBeCloseTo(Math.sqrt(above * below));
  });
});

describe('a leap', () => {
  /** Below 3 a small map, above a large one, between both as much as the share makes of it. */
  const leap =
    (grown: (share: number) => number, more: (price: number) => number = () => 0) =>
    ({ low, high, share }: Price) =>
      more(high) + (high < 3 ? 0.1 : low >= 3 ? 40 : 0.1 + 39.9 * grown(share));

  it('is found within a few prices if the sizes on both sides stay the same, and more nearly if they do not', () => {
    const prices = (size: (price: Price) => number) =>
      asked(new PriceSearch(1, false), size).filter(({ price }) => !isShared(price));
    const apart = (trials: readonly { price: Price; size: number }[]) => {
      const known = (isLow: boolean) => trials.filter(({ size }) => size <= 1 === isLow).map(({ price }) => price.high);
      return Math.min(...known(false)) / Math.max(...known(true));
    };
    const same = prices(leap(() => 0));
    const growing = prices(
      leap(
        () => 0,
        (price) => price / 1e6,
      ),
    );
    // How large a map is that is far too large makes no difference.
    const far = prices((price) => (price.high < 3 ? 0.1 : 40 + price.high));
    expect(far.length).toBe(same.length);
    expect(apart(far)).toBeLessThan(1.25);
    expect(same.length).toBeLessThan(growing.length);
    expect(apart(same)).toBeLessThan(1.25);
    expect(apart(same)).toBeGreaterThan(1.03);
    expect(apart(growing)).toBeLessThan(1.03);
    expect(growing.length).toBeLessThan(14);
  });

  it('is filled by eight shares of a higher price beside a lower one', () => {
    const trials = asked(
      new PriceSearch(1),
      leap((share) => share),
    );
    const shares = trials.map(({ price }) => price).filter(isShared);
    expect(shares).toHaveLength(8);
    expect(trials.slice(-8).map(({ price }) => price)).toEqual(shares);
    for (const { low, high } of shares) {
      expect(low).toBeLessThan(3);
      expect(high).toBeGreaterThan(3);
      expect(high / low).toBeCloseTo(3);
    }
    // The first of them is right where the map grows evenly.
    expect(trials.at(-8)?.size).toBeCloseTo(0.96);
  });

  it.each<[string, (share: number) => number]>([
    ['faster at first', (share) => share ** 0.7],
    ['slower at first', (share) => share ** 1.5],
    ['in steps', (share) => Math.floor(share * 500) / 500],
  ])('is filled by shares that grow %s', (_, grown) => {
    const { best } = found(1, leap(grown));
    expect(best).toBeGreaterThan(0.85);
  });

  it('is filled by shares that never go beyond those that were too large, or below those that fitted', () => {
    const trials = asked(
      new PriceSearch(1),
      leap((share) => share ** 0.7),
    ).filter(({ price }) => isShared(price));
    let [low, high] = [0, 1];
    for (const { price, size } of trials) {
      expect(price.share).toBeGreaterThan(low);
      expect(price.share).toBeLessThan(high);
      if (size <= 1) low = price.share;
      else high = price.share;
    }
    expect(low).toBeGreaterThan(0);
    expect(high).toBeLessThan(1);
  });

  it('is halved again and again where the shares have a leap of their own', () => {
    const size = ({ low, high, share }: Price) => (high < 3 || (low < 3 && share < 0.5) ? 0.9 : 1.05);
    const trials = asked(new PriceSearch(1, false), size).filter(({ price }) => isShared(price));
    const shares = (isLow: boolean) => trials.filter((one) => one.size <= 1 === isLow).map(({ price }) => price.share);
    expect(Math.max(...shares(true))).toBeGreaterThan(0.48);
    expect(Math.min(...shares(false))).toBeLessThan(0.52);
  });

  it('takes a share that fills the map to the brim for one that fits', () => {
    const search = new PriceSearch(1);
    for (let i = 0; !isShared(search.price) && i < 100; i++) search.report(leap(() => 0)(search.price));
    const { share } = search.price;
    search.report(1);
    expect(search.price.share).toBeGreaterThan(share);
  });
});
