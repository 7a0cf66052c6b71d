/** The files of a directory that might be opened: what each is worth, and what it costs. */
import { sortedBy } from '../listing/sort.ts';
import type { Bytes } from '../names/bytes.ts';
import { OPENED_FIRST, worthOfFile } from '../names/kind.ts';
import { memoized } from '../names/memoized.ts';
import { HANDFUL } from '../workspace/steps.ts';
import { type Names, REST_MARK } from './chosen.ts';
import { templatesFor } from './find-templates.ts';
import type { Folder } from './folder.ts';
import { estimatedTokens } from './groups.ts';
import { fileLabel } from './line.ts';
import type { Price } from './price.ts';
import { NO_SERIES, numberedSeries, type Series } from './series.ts';
import type { Steps } from './steps.ts';
import { stemIn, type Template } from './template.ts';

/**
 * Worth added to a file of the listed directory itself, as a fraction of all worth: for a file that people open first;
 * for any other, and for all others together. Whoever lists a part of the root looks for something in it.
 */
const FIRST_FILE = 0.03;
const OWN_FILES = { ofRoot: { each: 0.003, all: 0.03 }, ofPart: { each: 0.01, all: 2 } };

/** The factor for a name in a numbered series: a reader who knows one name knows them all. */
const NUMBERED = 1 / 16;

/** The cost of a line apart from its names. */
export const LINE_BREAK = 2;

/** A name, not a long one, whose last letter does not belong to a token with what follows. */
const ORDINARY = /^[\w.-]{0,40}[A-Za-z0-9]$/;

/** What is listed, if it is this directory. */
interface Listed {
  /** False for any part of the root. */
  readonly isRoot: boolean;
  readonly isFold: boolean;
}

export class Files {
  readonly names: readonly Bytes[];
  readonly series: Series;
  readonly #folder: Folder;
  /** 0 for what was not needed yet. */
  readonly #costs: Float64Array;
  /** Prefix sums of their worth. */
  readonly #gains: Float64Array;
  #mostGain = 0;
  #templates: readonly Template[] | null = null;

  private constructor(folder: Folder, names: readonly Bytes[], series: Series) {
    this.#folder = folder;
    this.names = names;
    this.series = series;
    this.#costs = new Float64Array(names.length);
    this.#gains = new Float64Array(names.length + 1);
  }

  static *of(folder: Folder, listed: Listed | null): Steps<Files> {
    if (folder.isLarge) yield* folder.unpack();
    const names = yield* sortedBy(folder.names ?? [], (name) => name);
    // An opened fold shows its contents even if they are a series.
    const isSpecial = (name: Bytes) => folder.activity?.has(name) ?? false;
    const files = new Files(folder, names, listed?.isFold ? NO_SERIES : yield* numberedSeries(names, isSpecial));
    const { each, all } = listed?.isRoot ? OWN_FILES.ofRoot : OWN_FILES.ofPart;
    const { worth, mass, activity } = folder;
    // Perf: then each is worth as much as any other.
    const areAlike = mass === worth * names.length;
    for (const [i, name] of names.entries()) {
      const part = listed && (OPENED_FIRST.test(name) ? FIRST_FILE : Math.min(each, all / names.length));
      const own = worth * (areAlike ? 1 : worthOfFile(name)) + (activity?.get(name) ?? 0);
      const gain = own * (files.series.isIn(i) ? NUMBERED : 1) + folder.massBelow * (part ?? 0);
      files.#gains[i + 1] = (files.#gains[i] as number) + gain;
      files.#mostGain = Math.max(files.#mostGain, gain);
      if (i % HANDFUL.names === HANDFUL.names - 1) yield;
    }
    return files;
  }

  pricedAt({ low, high, share }: Price): Names {
    const gains = this.#gains;
    const split = Math.round(share * this.names.length);
    const gained = (from: number, to: number) => (gains[Math.max(from, to)] as number) - (gains[from] as number);
    const worth = (from: number, to: number) =>
      high * gained(from, Math.min(to, split)) + low * gained(Math.max(from, split), to);
    const cost = (i: number) => this.#cost(i);
    const value = (i: number) => worth(i, i + 1) - cost(i);
    const worths = { most: high * this.#mostGain, loss: () => 0, worth, cost, value };
    return { count: this.names.length, worths, series: this.series, least: () => 1 };
  }

  /**
   * Returns a price up to which a directory of these files alone is certainly not worth opening. It is below the asked one
   * if that directory may be worth opening at this price.
   */
  closedUpTo(price: number): number {
    const { name, parent } = this.#folder;
    // Perf: most names are ordinary. Then a line of its own costs so much more than the count that it replaces.
    const isOrdinary = ORDINARY.test(name) && parent?.onlyFolder === null;
    const least = isOrdinary ? LINE_BREAK + tokensOf('a/') - tokensOf('a/+1') : -LINE_BREAK;
    if (this.#mostValue(price) >= least) return 0;
    if (this.#mostGain === 0) return Number.POSITIVE_INFINITY;
    let closed = price;
    let growth = 2;
    for (let step = price; step > price / 64 && closed < Number.POSITIVE_INFINITY; ) {
      const isClosed = this.#mostValue(closed + step) < least;
      if (isClosed) closed += step;
      else growth = 1;
      step *= isClosed ? growth : 0.5;
    }
    return closed;
  }

  /** An upper bound for the value of opening a directory that has nothing else. */
  #mostValue(price: number): number {
    const gains = this.#gains;
    let value = 0;
    let lost = 0;
    for (let i = 0; i + 1 < gains.length; i++) {
      const worth = price * ((gains[i + 1] as number) - (gains[i] as number));
      // Perf: a name costs at least a token, and more are counted only if that might not be enough.
      const own = worth - (worth > 1 ? this.#cost(i) : 1);
      if (own > 0) value += own;
      else lost -= own;
      // Perf: what is left out takes away no more than that.
      if (value > REST_MARK + LINE_BREAK) break;
    }
    return value - Math.min(lost, REST_MARK);
  }

  #cost(index: number): number {
    this.#templates ??= templatesFor(this.names);
    this.#costs[index] ||= costOf(fileLabel(this.#folder, this.names[index] as Bytes), this.#templates);
    return this.#costs[index] as number;
  }
}

/** Perf: the same names are in many directories. */
const tokensOf = memoized(16_384, (label: string) => estimatedTokens(` ${label}`));

function costOf(label: string, templates: readonly Template[]): number {
  const stem = templates.map((template) => stemIn(template, label)).find((one) => one !== null);
  return tokensOf(stem ?? label);
}
