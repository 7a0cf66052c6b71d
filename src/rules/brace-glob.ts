/**
 * Case-sensitive globs with braces, matched against names alone, in time proportional to pattern × name.
 *
 *     *  any run of characters, or none        {a,b}  one of these; they nest, and may be empty
 *     ?  one character
 *
 * Everything else is literal, including brackets and backslashes. Braces pair like parentheses. A pair without a comma
 * of its own is literal, and so is an unpaired brace: `{a{b,c}d}` matches `{abd}` and `{acd}`. A character is a code
 * point; a byte that is not valid UTF-8 counts as one. A lone surrogate matches nothing, because no name has one.
 *
 * Braces are never expanded, because `{a,b}` twenty times has a million expansions. Instead, the tokens are the states
 * of an automaton, and all states that a name can reach are followed at once.
 */
import { codePointsOf, isAscii } from '../names/bytes.ts';
import { ANY, STAR } from './fnmatch.ts';
import { fnmatchMatcher, type Matcher, plainMatcher } from './matcher.ts';

/** A token is a code point, ANY, STAR, or one of these, which enclose and separate alternatives. */
const OPEN = -3;
const COMMA = -4;
const CLOSE = -5;

/** Stands for a lone surrogate. It is beyond the last code point, so no character of a name equals it. */
const NO_CHARACTER = 0x110000;

const NOWHERE: readonly number[] = [];

export function compileBraceGlob(pattern: string): Matcher {
  const tokens = globTokens(pattern);
  if (tokens.includes(OPEN)) return automatonMatcher(tokens);
  const shortest = tokens.filter((token) => token !== STAR).length;
  return plainMatcher(pattern, /[*?]/) ?? fnmatchMatcher({ tokens, shortest });
}

/** Splits a pattern into tokens. Braces and commas count as literal until a closing brace shows that they are not. */
function globTokens(pattern: string): number[] {
  const tokens = Array.from(pattern, tokenOf);
  /** The positions of the open braces, each followed by those of its commas. */
  const open: number[] = [];
  for (const [at, token] of tokens.entries()) {
    if (token === 0x7b || token === 0x2c) open.push(at);
    if (token !== 0x7d) continue;
    const commas: number[] = [];
    let top = open.pop();
    while (top !== undefined && tokens[top] === 0x2c) {
      commas.push(top);
      top = open.pop();
    }
    if (top === undefined || commas.length === 0) continue;
    tokens[top] = OPEN;
    tokens[at] = CLOSE;
    for (const comma of commas) tokens[comma] = COMMA;
  }
  return tokens;
}

function tokenOf(character: string): number {
  if (character === '*') return STAR;
  if (character === '?') return ANY;
  return character.isWellFormed() ? (character.codePointAt(0) as number) : NO_CHARACTER;
}

/**
 * Makes a matcher for whole names. A state is the position of the token that may come next, or the end.
 *
 * Perf: names that match `*.{js,ts}` differ from others at their end. So a glob that begins with a star is matched
 * backwards: most names are rejected by their last character, and the part that the star matches is never read.
 */
function automatonMatcher(forwards: readonly number[]): Matcher {
  const backwards = forwards.find((token) => token !== OPEN) === STAR;
  const tokens = backwards ? mirrored(forwards) : forwards;
  const end = tokens.length;
  const ways = waysOf(tokens);
  let here = new StateSet(end + 1);
  let next = new StateSet(end + 1);

  /** Advances the states of `here` by one character into `next`; true if a final star matches the rest of the name. */
  function advance(here: StateSet, next: StateSet, point: number): boolean {
    // Perf: states reached without consuming a character are added to `here` meanwhile, so there is no second list.
    for (let i = 0; i < here.size; i++) {
      const state = here.at(i);
      if (state === end) continue;
      const token = tokens[state] as number;
      if (token === point || token === ANY) {
        next.add(state + 1);
      } else if (token === STAR) {
        if (state + 1 === end) return true;
        here.add(state + 1);
        next.add(state);
      } else if (token < 0) {
        for (const way of ways[state] as readonly number[]) here.add(way);
      }
    }
    return false;
  }

  return (name, effort) => {
    const points = isAscii(name) ? null : codePointsOf(name);
    const length = points === null ? name.length : points.length;
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

/** Returns the tokens of the glob that matches the same names backwards. */
function mirrored(tokens: readonly number[]): number[] {
  return tokens.toReversed().map((token) => (token === OPEN ? CLOSE : token === CLOSE ? OPEN : token));
}

/** Returns the transitions of braces: OPEN leads to each alternative, COMMA and CLOSE lead past the pair. */
function waysOf(tokens: readonly number[]): (readonly number[])[] {
  const ways: (readonly number[])[] = tokens.map(() => NOWHERE);
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
