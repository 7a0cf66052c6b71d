/**
 * Compiles patterns of Python's `fnmatch`, case-sensitive.
 *
 *     *  any run of characters, `/` and a leading dot included      [abc] [a-c]  one of these
 *     ?  one character                                              [!abc]       one other than these
 *
 * There is no escape, `[^x]` does not negate, `**` is `*`, and an unclosed `[` is a plain bracket. A character is a
 * code point; a byte that is not valid UTF-8 counts as one (U+DC80 to U+DCFF).
 */
import { ANY, type CharacterSet, STAR, type Token } from './matcher.ts';

export function compileFnmatch(pattern: string): Token[] {
  const points = Array.from(pattern, (character) => character.codePointAt(0) as number);
  const tokens: Token[] = [];
  let unclosed = false;
  for (let at = 0; at < points.length; at++) {
    const point = points[at] as number;
    if (point === 0x2a) {
      if (tokens.at(-1) !== STAR) tokens.push(STAR);
    } else if (point === 0x3f) {
      tokens.push(ANY);
    } else if (point === 0x5b) {
      // If one bracket is unclosed, so are all later ones: searching again would be quadratic.
      const end: number = unclosed ? -1 : endOfSet(points, at + 1);
      unclosed = end < 0;
      tokens.push(unclosed ? point : characterSet(points.slice(at + 1, end)));
      if (!unclosed) at = end;
    } else {
      tokens.push(point);
    }
  }
  return tokens;
}

/** Returns the end of the set that starts at `from`, or -1. A `]` right at its start belongs to the set. */
function endOfSet(points: readonly number[], from: number): number {
  let at = from;
  if (points[at] === 0x21) at++;
  if (points[at] === 0x5d) at++;
  return points.indexOf(0x5d, at);
}

/**
 * A hyphen makes a range, unless it is first, last, or right after a range. An inverted range vanishes before a leading
 * `!` is looked for: `[b-a!x]` is `[!x]`.
 */
function characterSet(content: readonly number[]): CharacterSet {
  const parts = partsOfSet(content);
  const [first, ...rest] = parts;
  if (first?.low !== 0x21) return { negated: false, ranges: merged(parts) };
  // A range that begins with a negating `!` is not a range: `[b-a!-z]` is `[!-z]`, neither `-` nor `z`.
  const broken = first.isRange ? [single(0x2d), single(first.high)] : [];
  return { negated: true, ranges: merged([...broken, ...rest]) };
}

interface SetPart {
  readonly low: number;
  readonly high: number;
  readonly isRange: boolean;
}

function single(point: number): SetPart {
  return { low: point, high: point, isRange: false };
}

function partsOfSet(content: readonly number[]): SetPart[] {
  const parts: SetPart[] = [];
  // A hyphen right after a leading `!` still counts as first.
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

function merged(parts: readonly SetPart[]): number[] {
  const ranges: number[] = [];
  for (const { low, high } of parts.toSorted((a, b) => a.low - b.low)) {
    const last = ranges.length - 1;
    if (last > 0 && low <= (ranges[last] as number) + 1) ranges[last] = Math.max(ranges[last] as number, high);
    else ranges.push(low, high);
  }
  return ranges;
}
