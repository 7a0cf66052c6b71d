/** Finds the price at which a map fills its budget: at a higher price, more is worth its tokens. */

/**
 * If many entries have the same worth, a slightly higher price can make the map much larger. Then only the first entries
 * of each directory, by name, get the higher price, so that any budget can be met.
 */
export interface Price {
  readonly low: number;
  readonly high: number;
  /** The fraction of entries that get the higher price. */
  readonly share: number;
}

/** The most maps planned to find the price, and then the share of entries with the higher price. */
const TRIALS = 14;
const SHARE_TRIALS = 8;

/** Prices closer than this factor count as equal; the second applies where repeated sizes show that the map leaps. */
const SAME = 1.03;
const SAME_AT_LEAP = 1.25;
const REPEATED = 3;

/** Sizes above it all count as the same: how large a map is that is far too large says little. */
const FAR = 4;

/** The target size. */
const WANTED = 0.96;

/** Above this price everything is shown. */
const HIGHEST = 2 ** 40;
const LOWEST = 2 ** -40;

/** The factors between the two prices: enough to pay for a fold beside what the higher one opens. */
const BELOW = 2;
const ABOVE = 1.5;

/** After this many trials in a row without a larger map, everything is tried, because all of it may be shown already. */
const IDLE = 2;

/** The longest step as a factor, and from a size near the limit. Perf: planning at far too high a price takes long. */
const LONGEST_STEP = 64;
const LONGEST_NEAR = 8;
const NEAR = 0.5;

export const FOR_EVERYTHING: Price = { low: HIGHEST, high: HIGHEST, share: 0 };

/**
 * A search to which the caller reports the size of the map at each price, as a fraction of the allowed size.
 *
 *     const search = new PriceSearch(1);
 *     while (!search.isOver) search.report(sizeAt(search.price));
 */
export class PriceSearch {
  #price: number;
  /** The highest price known to be low enough and the lowest known to be too high; then the same for the share. */
  #low = LOWEST;
  #high = HIGHEST;
  #lowShare = 0;
  #highShare = 1;
  #share = 0;
  /** The sizes at the two prices, and later at the two shares. */
  #lowSize = 0;
  #highSize = Number.POSITIVE_INFINITY;
  #trials = 0;
  #shareTrials = 0;
  readonly #mayShowAll: boolean;
  /** Trials in a row that did not make the map larger. */
  #idle = 0;
  /** Trials in a row whose size was already known. */
  #repeated = 0;
  /** The price to continue with after everything was tried. */
  #resume: number | null = null;

  /** `mayShowAll` is false if showing everything is certainly too large, and need not be tried. */
  constructor(first: number, mayShowAll = true) {
    this.#price = within(first, LOWEST, HIGHEST);
    this.#mayShowAll = mayShowAll;
  }

  get price(): Price {
    if (this.#isPriceKnown) return { low: this.#low / BELOW, high: this.#low * ABOVE, share: this.#share };
    return { low: this.#price, high: this.#price, share: 0 };
  }

  get isOver(): boolean {
    return this.#low === HIGHEST || (this.#isPriceKnown && this.#shareTrials === SHARE_TRIALS);
  }

  get #isPriceKnown(): boolean {
    const apart = this.#high / this.#low;
    return this.#trials === TRIALS || apart < SAME || (apart < SAME_AT_LEAP && this.#repeated >= REPEATED);
  }

  report(size: number): void {
    if (this.#isPriceKnown) {
      this.#shareTrials++;
      const isKnown = size === this.#lowSize || size === this.#highSize;
      if (size <= 1) [this.#lowShare, this.#lowSize] = [this.#share, size];
      else [this.#highShare, this.#highSize] = [this.#share, size];
      this.#tryShare(isKnown);
      return;
    }
    if (this.#resume !== null && size > 1) {
      this.#price = this.#resume;
      this.#resume = null;
      return;
    }
    this.#trials++;
    this.#idle = size === this.#lowSize ? this.#idle + 1 : 0;
    const isSame = size === this.#lowSize || size === this.#highSize || (size > FAR && this.#highSize > FAR);
    this.#repeated = isSame ? this.#repeated + 1 : 0;
    if (size <= 1) [this.#low, this.#lowSize] = [this.#price, size];
    else [this.#high, this.#highSize] = [this.#price, size];
    if (this.#isPriceKnown) this.#tryShare();
    const longest = size > NEAR && size < LONGEST_NEAR ? LONGEST_NEAR : LONGEST_STEP;
    this.#price = within(this.#next(size), this.#price / longest, this.#price * longest);
    if (this.#idle !== IDLE || !this.#mayShowAll) return;
    this.#resume = this.#price;
    this.#price = HIGHEST;
  }

  /** Interpolates between two known prices, or extrapolates from one; every third time, takes the middle. */
  #next(size: number): number {
    if (this.#trials % 3 === 0) return Math.sqrt(this.#low * this.#high);
    if (this.#lowSize === 0 || this.#highSize === Number.POSITIVE_INFINITY) return (this.#price * WANTED) / size;
    const part = Math.log(WANTED / this.#lowSize) / Math.log(this.#highSize / this.#lowSize);
    return this.#low * (this.#high / this.#low) ** within(part, 0.1, 0.9);
  }

  /** Interpolates linearly; or takes the middle, if another share made no difference. */
  #tryShare(isHalved = false): void {
    const part = isHalved ? 0.5 : (WANTED - this.#lowSize) / (this.#highSize - this.#lowSize);
    this.#share = this.#lowShare + within(part, 0.002, 0.9) * (this.#highShare - this.#lowShare);
  }
}

function within(number: number, least: number, most: number): number {
  return Math.min(Math.max(number, least), most);
}
