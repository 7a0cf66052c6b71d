// The `ignore` argument of `LS`: fnmatch patterns on names and paths.
//
// Without `/` or `\` a pattern is tried on the name. With one, on the path relative to the root and on the path
// relative to the listed directory (which is the name); after a leading `**/` the rest is tried in the same way.

import { below } from '../workspace/bytes.ts';
import { compileFnmatch } from './fnmatch.ts';
import { fnmatchMatcher, type Matcher, plainMatcher } from './matcher.ts';
import type { Rule, Verdict } from './rule.ts';

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

function matcher(pattern: string): Matcher {
  return plainMatcher(pattern, /[*?[]/) ?? fnmatchMatcher(compileFnmatch(pattern));
}
