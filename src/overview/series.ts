/** Numbered names (`page-001.png`, `page-002.png`, …), which only their numbers tell apart. */
import type { Bytes } from '../workspace/bytes.ts';
import { HANDFUL, type Steps } from './steps.ts';

/** Fewer names are not a series. */
const LEAST_NAMES = 8;

/** Finds the beginnings and ends of series in a sorted list of names. */
export interface Series {
  /** Whether a name is in one. */
  isIn(index: number): boolean;
  /** Whether all names of a range belong to one. */
  isOne(from: number, to: number): boolean;
  /** Whether a range cuts through one. */
  cuts(from: number, to: number): boolean;
}

export const NO_SERIES: Series = { isIn: () => false, isOne: () => false, cuts: () => false };

/** A name that is worth something by itself (`isSpecial`) is in none. */
export function* numberedSeries(names: readonly Bytes[], isSpecial: (name: Bytes) => boolean): Steps<Series> {
  if (names.length < LEAST_NAMES) return NO_SERIES;
  const starts = new Uint32Array(names.length);
  let pattern: string | null = null;
  for (const [i, name] of names.entries()) {
    const own = /\d/.test(name) && !isSpecial(name) ? name.replace(/\d+/g, '0') : null;
    starts[i] = own !== null && own === pattern ? (starts[i - 1] as number) : i;
    pattern = own;
    if (i % HANDFUL === HANDFUL - 1) yield;
  }
  const ends = new Uint32Array(names.length);
  for (let i = names.length - 1; i >= 0; i--) ends[i] = starts[i + 1] === starts[i] ? (ends[i + 1] as number) : i + 1;
  const isIn = (i: number) => (ends[i] as number) - (starts[i] as number) >= LEAST_NAMES;
  return {
    isIn,
    isOne: (from, to) => isIn(from) && (ends[from] as number) >= to,
    cuts: (from, to) =>
      (isIn(from) && (starts[from] as number) < from) || (isIn(to - 1) && (ends[to - 1] as number) > to),
  };
}
