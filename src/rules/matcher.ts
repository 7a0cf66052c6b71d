/**
 * Matches a name or a path against a pattern: by comparing bytes if that is enough, else by an automaton whose states
 * are the pattern's tokens. It takes at most pattern × name steps, and braces are never expanded.
 */
import { type Bytes, bytesOf, codePointsOf, isAscii } from '../names/bytes.ts';
import { isInRanges } from '../names/ranges.ts';
import type { Effort } from '../workspace/budget.ts';

export type Matcher = (subject: Bytes, effort: Effort) => boolean;

/** The most steps that patterns may take for one name: some milliseconds. Those not tried by then do not apply. */
export const MAX_STEPS = 1_000_000;

export function noteTooMany(effort: Effort): null {
  effort.note?.('there are too many patterns to try all of them on each name: some do not apply');
  return null;
}

/**
 * Compares bytes, which is exact in UTF-8; null if the pattern needs more. `special` finds what is not literal.
 * Perf: this covers the commonest patterns, `name`, `*.ext` and `prefix*`.
 */
export function plainMatcher(pattern: string, special: RegExp): Matcher | null {
  const isSuffix = pattern.startsWith('*');
  const isPrefix = !isSuffix && pattern.endsWith('*');
  const literal = isSuffix ? pattern.slice(1) : isPrefix ? pattern.slice(0, -1) : pattern;
  if (special.test(literal) || !literal.isWellFormed()) return null;
  const bytes = bytesOf(literal);
  return (subject, effort) => {
    effort.steps++;
    if (isSuffix) return subject.endsWith(bytes);
    return isPrefix ? subject.startsWith(bytes) : subject === bytes;
  };
}

/** A code point, a set of them, or one of the following. */
export type Token = number | CharacterSet;

export const ANY = -1;
export const STAR = -2;
/** These enclose and separate alternatives. */
export const OPEN = -3;
export const COMMA = -4;
export const CLOSE = -5;
/** Beyond the last code point: no character of a name equals it. */
export const NO_CHARACTER = 0x110000;

export interface CharacterSet {
  readonly negated: boolean;
  /** Sorted, non-overlapping: low, high, low, high, … */
  readonly ranges: readonly number[];
}

/**
 * Makes a matcher for whole names. A state is the position of the token that may come next, or the end. Perf: a pattern
 * that begins with a star is matched backwards, so most names are rejected by their last character.
 */
export function tokenMatcher(forwards: readonly Token[]): Matcher {
  const backwards = forwards.find((token) => token !== OPEN) === STAR;
  const mirrored = (token: Token) => (token === OPEN ? CLOSE : token === CLOSE ? OPEN : token);
  const tokens = backwards ? forwards.toReversed().map(mirrored) : forwards;
  const end = tokens.length;
  const ways = waysOf(tokens);
  const shortest = tokens.includes(OPEN) ? 0 : tokens.filter((token) => token !== STAR).length;
  let here = new StateSet(end + 1);
  let next = new StateSet(end + 1);

  /** Advances the states of `here` by one character into `next`; true if a final star matches the rest of the name. */
  function advance(here: StateSet, next: StateSet, point: number): boolean {
    // Perf: states reached without consuming a character are added to `here` meanwhile, so there is no second list.
    for (let i = 0; i < here.size; i++) {
      const state = here.at(i);
      if (state === end) continue;
      const token = tokens[state] as Token;
      if (token === STAR) {
        if (state + 1 === end) return true;
        here.add(state + 1);
        next.add(state);
      } else if (typeof token === 'number' && token <= OPEN) {
        for (const way of ways[state] as readonly number[]) here.add(way);
      } else if (accepts(token, point)) {
        next.add(state + 1);
      }
    }
    return false;
  }

  return (name, effort) => {
    // Perf: a name that is too short needs no conversion; it has at least as many bytes as characters.
    if (name.length < shortest) return false;
    const points = isAscii(name) ? null : codePointsOf(name);
    const length = points === null ? name.length : points.length;
    if (length < shortest) return false;
    here.clear();
    here.add(0);
    for (let read = 0; here.size > 0; read++) {
      const at = backwards ? length - 1 - read : read;
      // After the last character, only states that are reached without consuming one count.
      const point = read === length ? NO_CHARACTER : points === null ? name.charCodeAt(at) : (points[at] as number);
      next.clear();
      const takesRest = advance(here, next, point);
      effort.steps += here.size;
      if (takesRest) return true;
      if (read === length) return here.has(end);
      const done = here;
      here = next;
      next = done;
    }
    return false;
  };
}

function accepts(token: Token, point: number): boolean {
  if (typeof token === 'number') return token === point || token === ANY;
  return isInRanges(token.ranges, point) !== token.negated;
}

/** Returns the transitions of braces: OPEN leads to each alternative, COMMA and CLOSE lead past the pair. */
function waysOf(tokens: readonly Token[]): (readonly number[])[] {
  const ways: (readonly number[])[] = [];
  /** The starts of the alternatives of each open pair. */
  const open: number[][] = [];
  for (const [at, token] of tokens.entries()) {
    if (token === OPEN) {
      const starts = [at + 1];
      ways[at] = starts;
      open.push(starts);
    } else if (token === COMMA) {
      open.at(-1)?.push(at + 1);
    } else if (token === CLOSE) {
      const behind = [at + 1];
      ways[at] = behind;
      for (const start of open.pop()?.slice(1) ?? []) ways[start - 1] = behind;
    }
  }
  return ways;
}

/** A sparse set in insertion order. Clearing is free, because a state's place is valid only below `size`. */
class StateSet {
  readonly #states: Int32Array;
  readonly #places: Int32Array;
  size = 0;

  constructor(capacity: number) {
    this.#states = new Int32Array(capacity);
    this.#places = new Int32Array(capacity);
  }

  at(place: number): number {
    return this.#states[place] as number;
  }

  has(state: number): boolean {
    const place = this.#places[state] as number;
    return place < this.size && this.#states[place] === state;
  }

  add(state: number): void {
    if (this.has(state)) return;
    this.#states[this.size] = state;
    this.#places[state] = this.size++;
  }

  clear(): void {
    this.size = 0;
  }
}
