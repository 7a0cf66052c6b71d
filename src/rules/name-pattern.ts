/**
 * The `pattern` argument: minimatch with default options (`dot` is one's own choice), on the name, or on the path relative to the listed directory
 * when the pattern holds a `/`.
 *
 * minimatch is the definition, so minimatch matches. Since version 11 it follows all ways through a pattern at once and
 * never backtracks. What still grows out of all proportion is refused here, before any name is tried: what braces stand
 * for, and `!(…)`, which is followed from every place where it may begin. The rest costs about pattern × path steps,
 * and with a `!(…)` times path once more.
 */
import type { Minimatch } from 'minimatch';
import { type Bytes, codePointsOf, textOf } from '../workspace/bytes.ts';
import type { Effort } from './rule.ts';

/** A pattern that is refused; the message says why, and what to send instead. */
export class PatternError extends Error {
  override readonly name = 'PatternError';
}

export interface NamePattern {
  /** Whether it begins with a `!`, so that it matches what the rest does not. */
  readonly isNegated: boolean;
  /** `path` is relative to the listed directory. The work is added to `effort`. */
  matches(name: Bytes, path: Bytes, effort: Effort): boolean;
}

/** Characters of a pattern. */
const LONGEST = 1_000;

/** Opening or closing braces: minimatch reads what is nested again for each pattern that it stands for. */
const MOST_BRACES = 20;

/** What braces may stand for: patterns, and the characters in all of them. */
const MOST_EXPANSIONS = 1_000;
const LONGEST_EXPANSION = 10_000;

const MOST_ODD_BRACKETS = 50;

/** States to follow over a name: with so many of them, one of 255 characters can take 50 ms. */
const MOST_STATES = 4_000;

/** `!(…)`, and the characters of all parts between slashes that have one; fewer where one is inside of another. */
const MOST_NEGATIONS = 8;
const LONGEST_NEGATIONS = 160;
const LONGEST_NESTED_NEGATION = 32;

/** A bracket that ends where it seems to. */
const PLAIN_BRACKET = /\[(?![!^]\])[^[\]\\]+\]/g;

/** Perf: minimatch is loaded only here, because few calls have a pattern. */
export async function compileNamePattern(pattern: string, { dot = false } = {}): Promise<NamePattern> {
  if (pattern.length > LONGEST) {
    throw new PatternError(`pattern must be at most ${LONGEST} characters long. Send a shorter one.`);
  }
  if (Math.max(count(pattern, '{'), count(pattern, '}')) > MOST_BRACES) {
    throw new PatternError(`pattern must have at most ${MOST_BRACES} pairs of braces. Use * in place of some of them.`);
  }
  const { braceExpand, Minimatch } = await import('./minimatch.ts');
  refuseExpansions(braceExpand(countable(pattern), { braceExpandMax: MOST_EXPANSIONS + 1 }));
  // Paths have `/` on every system: minimatch is not to take a `\` for one.
  const glob = new Minimatch(pattern, { platform: 'linux', dot });
  const states = statesOf(glob);
  const negations = negationsOf(glob);
  const isForPaths = pattern.includes('/');
  return {
    isNegated: glob.negate,
    matches(name, path, effort) {
      const subject = charactersOf(isForPaths ? path : name);
      effort.steps += states * (subject.length + 1) * (negations > 0 ? subject.length + 1 : 1);
      return glob.match(subject);
    },
  };
}

/** A byte that is no UTF-8 is one character, half of a surrogate pair. */
function charactersOf(bytes: Bytes): string {
  return textOf(bytes) ?? codePointsOf(bytes).reduce((text, point) => text + String.fromCodePoint(point), '');
}

/**
 * The pattern, changed so that its braces can be counted. minimatch stops at the number that it is given, and then
 * drops what is empty: it would count nothing in `{,a}{,}{,}…`. With an `x` in front nothing is empty, and nothing else
 * changes, but for a leading `{}`, which is literal only where it leads, and is not empty either.
 */
function countable(pattern: string): string {
  const positive = pattern.replace(/^!+/, '');
  return positive.startsWith('{}') ? positive : `x${positive}`;
}

function refuseExpansions(expansions: readonly string[]): void {
  const length = expansions.reduce((sum, expansion) => sum + expansion.length, 0);
  if (expansions.length > MOST_EXPANSIONS || length > LONGEST_EXPANSION) {
    throw new PatternError(
      `The braces of pattern must stand for at most ${MOST_EXPANSIONS} patterns, of ${LONGEST_EXPANSION} characters ` +
        'together. Use * in place of some of them.',
    );
  }
  const brackets = expansions.reduce((sum, expansion) => sum + oddBrackets(expansion), 0);
  if (brackets > MOST_ODD_BRACKETS) {
    throw new PatternError(
      `pattern must have at most ${MOST_ODD_BRACKETS} brackets that are not closed or hold others, counted in all that ` +
        'its braces stand for. Use ? or * in place of some of them.',
    );
  }
}

/** Brackets whose end is not plain to see: minimatch looks for it, and if there is none, to the end of the pattern. */
function oddBrackets(expansion: string): number {
  return count(expansion.replace(PLAIN_BRACKET, ''), '[');
}

/** What minimatch makes of a part between slashes: a text to compare with, an automaton, or a symbol for `**`. */
type Part = Minimatch['set'][number][number];

/** An automaton has about a state for each character; anything else is compared at once. */
function statesOf({ set }: Minimatch): number {
  const inPart = (part: Part) => (typeof part === 'object' ? part.pattern.length : 1);
  const states = set.flat().reduce((sum, part) => sum + inPart(part), 1);
  if (states > MOST_STATES) {
    throw new PatternError(
      `The braces of pattern stand for too many wildcards: more than ${MOST_STATES} characters in parts that have some. ` +
        'Use * in place of some of the braces.',
    );
  }
  return states;
}

/** How many `!(…)` there may be: what only looks like one, in a bracket for instance, is counted too. */
function negationsOf({ set }: Minimatch): number {
  const parts = new Set(set.flat().map((part) => (typeof part === 'object' ? part.pattern.replace(/\\./gs, '') : '')));
  const negating = [...parts].filter((part) => part.includes('!('));
  const negations = negating.reduce((sum, part) => sum + count(part, '!('), 0);
  const length = negating.reduce((sum, part) => sum + part.length, 0);
  if (negations > MOST_NEGATIONS || length > LONGEST_NEGATIONS) {
    throw new PatternError(
      `pattern must have at most ${MOST_NEGATIONS} !(…), in parts of ${LONGEST_NEGATIONS} characters together, counted ` +
        'in all that its braces stand for. Join some of them, !(a|b), or use fewer braces.',
    );
  }
  if (negating.some((part) => part.length > LONGEST_NESTED_NEGATION && mayNest(part))) {
    throw new PatternError(
      `A part of pattern that has a !(…) inside of another must be at most ${LONGEST_NESTED_NEGATION} characters long. ` +
        'Send a shorter one.',
    );
  }
  return negations;
}

/** Whether a `!(…)` stands inside of another, or may do so for all that can be seen without reading odd brackets. */
function mayNest(part: string): boolean {
  const plain = part.replace(PLAIN_BRACKET, '');
  if (plain.includes('[')) return count(part, '!(') > 1;
  const open: string[] = [];
  for (const [token] of plain.matchAll(/[!?*+@]\(|\)/g)) {
    if (token === ')') open.pop();
    else if (token === '!(' && open.includes('!(')) return true;
    else open.push(token);
  }
  return false;
}

function count(text: string, what: string): number {
  return text.split(what).length - 1;
}
