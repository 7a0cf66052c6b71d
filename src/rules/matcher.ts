/** Matches a name or a path against a pattern: by comparing bytes if that is enough, else character by character. */
import { type Bytes, bytesOf, codePointsOf, isAscii } from '../names/bytes.ts';
import type { Effort } from '../workspace/budget.ts';
import { type Fnmatch, matchesFnmatch } from './fnmatch.ts';

export type Matcher = (subject: Bytes, effort: Effort) => boolean;

/**
 * The most steps that patterns may take for one name: some milliseconds. Only patterns made to take long need more, and
 * those that were not tried by then do not apply.
 */
export const MAX_STEPS = 2_000_000;

export function noteTooMany(effort: Effort): null {
  effort.note?.('there are too many patterns to try all of them on each name: some do not apply');
  return null;
}

/**
 * Returns a matcher that compares bytes; null if the pattern needs more than that. `special` finds a character that is
 * not literal. UTF-8 is self-synchronising, so comparing bytes is exact.
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

export function fnmatchMatcher(fnmatch: Fnmatch): Matcher {
  const scratch: number[] = [];
  return (subject, effort) => {
    if (!isAscii(subject)) return matchesFnmatch(fnmatch, codePointsOf(subject), effort);
    // Perf: a subject that is too short needs no conversion.
    if (subject.length < fnmatch.shortest) return false;
    scratch.length = subject.length;
    for (let i = 0; i < subject.length; i++) scratch[i] = subject.charCodeAt(i);
    return matchesFnmatch(fnmatch, scratch, effort);
  };
}
