// The `ignore` argument of `LS`: fnmatch patterns on names and paths.
//
// Without `/` or `\` a pattern is tried on the name. With one, on the path relative to the root and on the path
// relative to the listed directory (which is the name); after a leading `**/` the rest is tried in the same way.

import { type Bytes, below, bytesOf, codePointsOf, isAscii } from '../workspace/bytes.ts';
import { compileFnmatch, type Fnmatch, matchesFnmatch } from './fnmatch.ts';
import type { Effort, Rule, Verdict } from './rule.ts';

type Matcher = (subject: Bytes, effort: Effort) => boolean;

export function ignorePatterns(patterns: readonly string[]): Rule {
  const tries = patterns.map((pattern) => ({
    verdict: { by: 'argument', pattern } satisfies Verdict,
    withPath: /[/\\]/.test(pattern),
    matchers: pattern.startsWith('**/') ? [matcher(pattern), matcher(pattern.slice(3))] : [matcher(pattern)],
  }));
  const withPath = tries.some((one) => one.withPath);

  return (directory, effort) => (name) => {
    const path = withPath ? below(directory, name) : name;
    for (const one of tries) {
      for (const matches of one.matchers) {
        if (matches(name, effort) || (one.withPath && matches(path, effort))) return one.verdict;
      }
    }
    return null;
  };
}

/** Perf: the two commonest patterns, `name` and `*.ext`, need no matching of their own. */
function matcher(pattern: string): Matcher {
  const literal = pattern.startsWith('*') ? pattern.slice(1) : pattern;
  if (/[*?[]/.test(literal) || !pattern.isWellFormed()) return general(compileFnmatch(pattern));
  const bytes = bytesOf(literal);
  return (subject, effort) => {
    effort.steps++;
    return literal === pattern ? subject === bytes : subject.endsWith(bytes);
  };
}

function general(fnmatch: Fnmatch): Matcher {
  const scratch: number[] = [];
  return (subject, effort) => {
    if (!isAscii(subject)) return matchesFnmatch(fnmatch, codePointsOf(subject), effort);
    // Bytes are at least as many as characters, so a subject with too few needs no conversion.
    if (subject.length < fnmatch.shortest) return false;
    scratch.length = subject.length;
    for (let i = 0; i < subject.length; i++) scratch[i] = subject.charCodeAt(i);
    return matchesFnmatch(fnmatch, scratch, effort);
  };
}
