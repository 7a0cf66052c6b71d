/**
 * The `pattern` argument: a minimatch pattern with default options (except for `dot`). It is matched against the name,
 * or against the path relative to the listed directory if it contains a `/`.
 *
 * minimatch defines the syntax, so minimatch does the matching. Since version 11 it follows all ways through a pattern
 * at once and never backtracks. Two things can still explode, and are refused before any name is matched: the expansion
 * of braces, and `!(…)`, which is followed from every position where it may begin. Everything else costs about
 * pattern × path steps, or pattern × path² with a `!(…)`.
 */
import type { Minimatch } from 'minimatch';
import { type Bytes, textWithStrays } from '../names/bytes.ts';
import type { Effort } from '../workspace/budget.ts';
import { ListingError } from '../workspace/listing-error.ts';

export interface NamePattern {
  /** True if the pattern begins with `!`, and so matches what the rest of it does not. */
  readonly isNegated: boolean;
  /** `path` is relative to the listed directory. The work is added to `effort`. */
  matches(name: Bytes, path: Bytes, effort: Effort): boolean;
}

/** In characters. */
const LONGEST_NAME_PATTERN = 1_000;

/** The limit for opening and for closing braces: minimatch parses nested ones again for each expansion. */
const MAX_BRACES = 20;

/** The limits for the number of brace expansions, and for their total length in characters. */
const MAX_EXPANSIONS = 1_000;
const LONGEST_EXPANSION = 10_000;

const MAX_ODD_BRACKETS = 50;

/** The limit for states of the automaton. With this many, a name of 255 characters can take 50 ms. */
const MAX_STATES = 4_000;

/** The limits for the number of `!(…)`, and for the total length of the path segments with one; less if they nest. */
const MAX_NEGATIONS = 8;
const LONGEST_NEGATIONS = 160;
const LONGEST_NESTED_NEGATION = 32;

/** A bracket expression that contains no other bracket. */
const PLAIN_BRACKET = /\[(?![!^]\])[^[\]\\]+\]/g;

/** Perf: minimatch is loaded only here, because few calls have a pattern. With `dot`, wildcards match a leading dot. */
export async function compileNamePattern(pattern: string, { dot = false } = {}): Promise<NamePattern> {
  refuseIf(
    pattern.length > LONGEST_NAME_PATTERN,
    `pattern must be at most ${LONGEST_NAME_PATTERN} characters long. Send a shorter one.`,
  );
  refuseIf(
    Math.max(occurrences(pattern, '{'), occurrences(pattern, '}')) > MAX_BRACES,
    `pattern must have at most ${MAX_BRACES} pairs of braces. Use * in place of some of them.`,
  );
  const { braceExpand, Minimatch } = await import('./minimatch.ts');
  refuseExpansions(braceExpand(countable(pattern), { braceExpandMax: MAX_EXPANSIONS + 1 }));
  // Paths have `/` on every system: minimatch must not treat `\` as a separator.
  const glob = new Minimatch(pattern, { platform: 'linux', dot });
  const states = statesOf(glob);
  const negations = negationsOf(glob);
  const isForPaths = pattern.includes('/');
  return {
    isNegated: glob.negate,
    matches(name, path, effort) {
      const subject = textWithStrays(isForPaths ? path : name);
      effort.steps += states * (subject.length + 1) * (negations > 0 ? subject.length + 1 : 1);
      return glob.match(subject);
    },
  };
}

/**
 * minimatch drops empty expansions, so it would count nothing in `{,a}{,}{,}…`. With an `x` in front none is empty.
 * Only a leading `{}` must stay at the start: it is literal there, and not empty either.
 */
function countable(pattern: string): string {
  const positive = pattern.replace(/^!+/, '');
  return positive.startsWith('{}') ? positive : `x${positive}`;
}

function refuseExpansions(expansions: readonly string[]): void {
  const { length } = expansions.join('');
  refuseIf(
    expansions.length > MAX_EXPANSIONS || length > LONGEST_EXPANSION,
    `The braces of pattern must stand for at most ${MAX_EXPANSIONS} patterns, of ${LONGEST_EXPANSION} characters ` +
      'together. Use * in place of some of them.',
  );
  // minimatch searches the whole pattern for the end of each bracket that is unclosed or contains others.
  const brackets = occurrences(expansions.map((expansion) => expansion.replace(PLAIN_BRACKET, '')).join(''), '[');
  refuseIf(
    brackets > MAX_ODD_BRACKETS,
    `pattern must have at most ${MAX_ODD_BRACKETS} brackets that are not closed or hold others, counted in all that ` +
      'its braces stand for. Use ? or * in place of some of them.',
  );
}

/** A path segment as compiled by minimatch: a string to compare, an automaton, or a symbol for `**`. */
type PatternPart = Minimatch['set'][number][number];

/** Estimates the number of states. An automaton has about one for each character; other parts are compared at once. */
function statesOf({ set }: Minimatch): number {
  const inPart = (part: PatternPart) => (typeof part === 'object' ? part.pattern.length : 1);
  const states = set.flat().reduce((sum, part) => sum + inPart(part), 1);
  refuseIf(
    states > MAX_STATES,
    `The braces of pattern stand for too many wildcards: more than ${MAX_STATES} characters in parts that have some. ` +
      'Use * in place of some of the braces.',
  );
  return states;
}

/** Counts `!(…)`, including anything that only looks like one, for instance inside a bracket. */
function negationsOf({ set }: Minimatch): number {
  const parts = new Set(set.flat().map((part) => (typeof part === 'object' ? part.pattern.replace(/\\./gs, '') : '')));
  const negating = [...parts].filter((part) => part.includes('!('));
  const negations = negating.reduce((sum, part) => sum + occurrences(part, '!('), 0);
  const { length } = negating.join('');
  refuseIf(
    negations > MAX_NEGATIONS || length > LONGEST_NEGATIONS,
    `pattern must have at most ${MAX_NEGATIONS} !(…), in parts of ${LONGEST_NEGATIONS} characters together, counted ` +
      'in all that its braces stand for. Join some of them, !(a|b), or use fewer braces.',
  );
  refuseIf(
    negating.some((part) => part.length > LONGEST_NESTED_NEGATION && mayNest(part)),
    `A part of pattern that has a !(…) inside of another must be at most ${LONGEST_NESTED_NEGATION} characters long. ` +
      'Send a shorter one.',
  );
  return negations;
}

/** Returns true if one `!(…)` is, or may be, inside another. Odd brackets are not parsed. */
function mayNest(part: string): boolean {
  const plain = part.replace(PLAIN_BRACKET, '');
  if (plain.includes('[')) return occurrences(part, '!(') > 1;
  const open: string[] = [];
  for (const [token] of plain.matchAll(/[!?*+@]\(|\)/g)) {
    if (token === ')') open.pop();
    else if (token === '!(' && open.includes('!(')) return true;
    else open.push(token);
  }
  return false;
}

/** The message says why, and what to send instead. */
function refuseIf(isTooMuch: boolean, message: string): void {
  if (isTooMuch) throw new ListingError('bad-pattern', message);
}

function occurrences(text: string, what: string): number {
  return text.split(what).length - 1;
}
