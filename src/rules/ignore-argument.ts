/** Rules from the `ignore` argument of a call. */
import { type Bytes, below, bytesOf } from '../workspace/bytes.ts';
import { compileFnmatch } from './fnmatch.ts';
import { fnmatchMatcher, type Matcher, plainMatcher } from './matcher.ts';
import { type Effort, hiddenBy, type Rule, type Scope } from './rule.ts';

// fnmatch on names and paths, for the `ignore` of `LS`.
//
// Without `/` or `\` a pattern is matched on the name. With one, on the path relative to the root and on the path
// relative to the listed directory (which is the name); after a leading `**/` the rest is matched in the same way.
export function ignorePatterns(patterns: readonly string[]): Rule {
  const tries = patterns.map((pattern) => ({
    verdict: hiddenBy('argument', bytesOf(pattern)),
    withPath: /[/\\]/.test(pattern),
    matchers: pattern.startsWith('**/') ? [matcher(pattern), matcher(pattern.slice(3))] : [matcher(pattern)],
  }));
  const withPath = tries.some((one) => one.withPath);
  const key = `ignore ${JSON.stringify(patterns)}`;

  /** `path` is the directory relative to the root, `inner` relative to the listed one. */
  const scopeAt = (path: Bytes, inner: Bytes, effort: Effort): Scope => {
    const scope: Scope = {
      judge: (entries, at) => {
        const name = entries.nameAt(at);
        const inside = withPath ? below(inner, name) : name;
        const whole = withPath ? below(path, name) : name;
        for (const one of tries) {
          for (const matches of one.matchers) {
            const isMatch = one.withPath ? matches(inside, effort) || matches(whole, effort) : matches(name, effort);
            if (isMatch) return one.verdict;
          }
        }
        return null;
      },
      key: () => key,
      enter: (name) => (withPath ? scopeAt(below(path, name), below(inner, name), effort) : scope),
    };
    return scope;
  };
  return async (directory, budget) => scopeAt(directory.path, '' as Bytes, budget);
}

function matcher(pattern: string): Matcher {
  return plainMatcher(pattern, /[*?[]/) ?? fnmatchMatcher(compileFnmatch(pattern));
}
