/** Finds numbered names (`page-001.png`, `page-002.png`, …), which differ only in their numbers. */
import type { Bytes } from '../names/bytes.ts';
import { HANDFUL } from '../workspace/steps.ts';
import type { Steps } from './steps.ts';

/** Fewer names are not a series. */
const MIN_NAMES = 8;

/** The series in a sorted list of names. */
export interface Series {
  isIn(index: number): boolean;
  /** True if all names of a range belong to the same series. */
  isOne(from: number, to: number): boolean;
  /** True if a range starts or ends inside a series. */
  cuts(from: number, to: number): boolean;
}

export const NO_SERIES: Series = { isIn: () => false, isOne: () => false, cuts: () => false };

/** A name that matters by itself (`isSpecial`) belongs to no series. */
export function* numberedSeries(names: readonly Bytes[], isSpecial: (name: Bytes) => boolean): Steps<Series> {
  if (names.length < MIN_NAMES) return NO_SERIES;
  const starts = new Uint32Array(names.length);
  let before: Bytes | null = null;
  for (let i = 0; i < names.length; i++) {
    const name = names[i] as Bytes;
    const own = /\d/.test(name) && !isSpecial(name) ? name : null;
    starts[i] = own !== null && before !== null && areAlike(own, before) ? (starts[i - 1] as number) : i;
    before = own;
    if (i % HANDFUL.names === HANDFUL.names - 1) yield;
  }
  const ends = new Uint32Array(names.length);
  for (let i = names.length - 1; i >= 0; i--) ends[i] = starts[i + 1] === starts[i] ? (ends[i + 1] as number) : i + 1;
  const isIn = (i: number) => (ends[i] as number) - (starts[i] as number) >= MIN_NAMES;
  return {
    isIn,
    isOne: (from, to) => isIn(from) && (ends[from] as number) >= to,
    cuts: (from, to) =>
      (isIn(from) && (starts[from] as number) < from) || (isIn(to - 1) && (ends[to - 1] as number) > to),
  };
}

/** True if two names differ only in their numbers. */
function areAlike(a: Bytes, b: Bytes): boolean {
  let j = 0;
  for (let i = 0; i < a.length; ) {
    const isNumber = isDigit(a, i);
    if (isNumber !== isDigit(b, j) || (!isNumber && a.charCodeAt(i) !== b.charCodeAt(j))) return false;
    i = isNumber ? numberEnd(a, i) : i + 1;
    j = isNumber ? numberEnd(b, j) : j + 1;
  }
  return j === b.length;
}

function numberEnd(name: Bytes, from: number): number {
  let end = from;
  while (isDigit(name, end)) end++;
  return end;
}

function isDigit(name: Bytes, at: number): boolean {
  return name.charCodeAt(at) >= 0x30 && name.charCodeAt(at) <= 0x39;
}
