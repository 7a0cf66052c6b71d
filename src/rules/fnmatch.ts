/**
 * Python's `fnmatch`, case-sensitive, in time proportional to pattern × name.
 *
 *     *  any run of characters, `/` and a leading dot included      [abc] [a-c]  one of these
 *     ?  one character                                              [!abc]       one other than these
 *
 * There is no escape, `[^x]` does not negate, `**` is `*`, and an unclosed `[` is a plain bracket. A character is a
 * code point; a byte that is no UTF-8 counts as one (U+DC80 to U+DCFF).
 */
import type { Effort } from './rule.ts';

/** One code point, any code point, or a set of them. */
type Token = number | typeof ANY | CharacterSet;

export const ANY = -1;
export const STAR = -2;

interface CharacterSet {
  readonly negated: boolean;
  /** Sorted, non-overlapping: low, high, low, high, … */
  readonly ranges: readonly number[];
}

export interface Fnmatch {
  readonly tokens: readonly (Token | typeof STAR)[];
  /** How many characters a match needs at least: shorter names need not be tried. */
  readonly shortest: number;
}

export function compileFnmatch(pattern: string): Fnmatch {
  const points = Array.from(pattern, (character) => character.codePointAt(0) as number);
  const tokens: (Token | typeof STAR)[] = [];
  let unclosed = false;
  for (let at = 0; at < points.length; at++) {
    const point = points[at] as number;
    if (point === 0x2a) {
      if (tokens.at(-1) !== STAR) tokens.push(STAR);
    } else if (point === 0x3f) {
      tokens.push(ANY);
    } else if (point === 0x5b) {
      // Where one bracket found no end, a later one finds none either: looking again would be quadratic.
      const end: number = unclosed ? -1 : endOfSet(points, at + 1);
      unclosed = end < 0;
      tokens.push(unclosed ? point : characterSet(points.slice(at + 1, end)));
      if (!unclosed) at = end;
    } else {
      tokens.push(point);
    }
  }
  return { tokens, shortest: tokens.filter((token) => token !== STAR).length };
}

/** Where the set that starts at `from` ends; a `]` right at its start belongs to it. */
function endOfSet(points: readonly number[], from: number): number {
  let at = from;
  if (points[at] === 0x21) at++;
  if (points[at] === 0x5d) at++;
  return points.indexOf(0x5d, at);
}

/**
 * What stands between the brackets. A hyphen makes a range, unless it comes first, last, or right behind a range.
 * A range that runs backwards is empty and vanishes, and only then is a leading `!` looked for: `[b-a!x]` is `[!x]`.
 */
function characterSet(content: readonly number[]): CharacterSet {
  const parts = partsOf(content);
  const [first, ...rest] = parts;
  if (first?.low !== 0x21) return { negated: false, ranges: merged(parts) };
  // What looked like a range from `!` is none once the `!` negates: `[b-a!-z]` is `[!-z]`, neither `-` nor `z`.
  const broken = first.isRange ? [single(0x2d), single(first.high)] : [];
  return { negated: true, ranges: merged([...broken, ...rest]) };
}

interface Part {
  readonly low: number;
  readonly high: number;
  readonly isRange: boolean;
}

function single(point: number): Part {
  return { low: point, high: point, isRange: false };
}

function partsOf(content: readonly number[]): Part[] {
  const parts: Part[] = [];
  // A hyphen right after a leading `!` is still the first of the set.
  const earliest = content[0] === 0x21 ? 2 : 1;
  for (let at = 0; at < content.length; at++) {
    const low = content[at] as number;
    const high = content[at + 2];
    if (content[at + 1] === 0x2d && at + 1 >= earliest && high !== undefined) {
      if (low <= high) parts.push({ low, high, isRange: true });
      at += 2;
    } else {
      parts.push(single(low));
    }
  }
  return parts;
}

function merged(parts: readonly Part[]): number[] {
  const ranges: number[] = [];
  for (const { low, high } of parts.toSorted((a, b) => a.low - b.low)) {
    const last = ranges.length - 1;
    if (last > 0 && low <= (ranges[last] as number) + 1) ranges[last] = Math.max(ranges[last] as number, high);
    else ranges.push(low, high);
  }
  return ranges;
}

/**
 * Whether the whole of `points` matches. After a mismatch only the last star is tried one character further on: an
 * earlier star could not reach anything that the last one cannot.
 */
export function matchesFnmatch(fnmatch: Fnmatch, points: ArrayLike<number>, effort: Effort): boolean {
  const { tokens } = fnmatch;
  const { length } = points;
  if (length < fnmatch.shortest) return false;
  let token = 0;
  let at = 0;
  let star = -1;
  let starAt = 0;
  let steps = 0;
  while (at < length) {
    steps++;
    const wanted = tokens[token];
    if (wanted === STAR) {
      star = token++;
      starAt = at;
      // Nothing follows the star: it takes the rest.
      if (token === tokens.length) break;
    } else if (wanted !== undefined && accepts(wanted, points[at] as number)) {
      token++;
      at++;
    } else if (star >= 0) {
      token = star + 1;
      at = ++starAt;
    } else {
      effort.steps += steps;
      return false;
    }
  }
  effort.steps += steps;
  while (tokens[token] === STAR) token++;
  return token === tokens.length;
}

function accepts(token: Token, point: number): boolean {
  if (typeof token === 'number') return token === point || token === ANY;
  return inRanges(token.ranges, point) !== token.negated;
}

/** Binary search: a set of thousands of characters costs no more than one of a few. */
function inRanges(ranges: readonly number[], point: number): boolean {
  let low = 0;
  let high = ranges.length >> 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (point > (ranges[2 * middle + 1] as number)) low = middle + 1;
    else high = middle;
  }
  return low < ranges.length >> 1 && point >= (ranges[2 * low] as number);
}
