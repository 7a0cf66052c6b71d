/** Rules from the `ignore` argument of a call. */
import { type Bytes, below, bytesOf } from '../names/bytes.ts';
import type { Effort } from '../workspace/budget.ts';
import { compileBraceGlob } from './brace-glob.ts';
import { compileFnmatch } from './fnmatch.ts';
import { MAX_STEPS, type Matcher, noteTooMany, plainMatcher, tokenMatcher } from './matcher.ts';
import { hiddenBy, type Rule, type Scope, type Verdict } from './rule.ts';

// The rule for the `ignore` of `LS`: fnmatch patterns for names and paths.
//
// A pattern without `/` or `\` is matched against the name. Any other is matched against the path relative to the root
// and the path relative to the listed directory (for its own entries, the name). After a leading `**/`, the rest of the
// pattern is also matched in this way.
export function ignorePatterns(patterns: readonly string[]): Rule {
  const tries = patterns.map((pattern) => ({
    verdict: hiddenBy('argument', bytesOf(pattern)),
    withPath: /[/\\]/.test(pattern),
    matchers: pattern.startsWith('**/') ? [matcher(pattern), matcher(pattern.slice(3))] : [matcher(pattern)],
  }));
  const withPath = tries.some((one) => one.withPath);
  const key = `ignore ${JSON.stringify(patterns)}`;

  /** `path` is the directory's path relative to the root, `inner` its path relative to the listed directory. */
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
  return plainMatcher(pattern, /[*?[]/) ?? tokenMatcher(compileFnmatch(pattern));
}

/** The rule for the `ignore` of `list_directory`. */
export function ignoreNames(patterns: readonly string[]): Rule {
  return async (_, call) => {
    const tries: { verdict: Verdict; matches: Matcher }[] = [];
    for (const pattern of patterns) {
      tries.push({ verdict: hiddenBy('argument', bytesOf(pattern)), matches: compileBraceGlob(pattern) });
      // A project's settings may have a hundred thousand patterns.
      await call.checkpoint();
    }
    const scope: Scope = {
      judge: (entries, at) => {
        const name = entries.nameAt(at);
        const end = call.steps + MAX_STEPS;
        for (const { verdict, matches } of tries) {
          if (call.steps > end) return noteTooMany(call);
          if (matches(name, call)) return verdict;
        }
        return null;
      },
      key: () => `ignore names ${JSON.stringify(patterns)}`,
      enter: () => scope,
    };
    return scope;
  };
}
