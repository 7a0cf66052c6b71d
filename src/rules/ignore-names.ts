import { bytesOf } from '../names/bytes.ts';
import { compileBraceGlob } from './brace-glob.ts';
import { MAX_STEPS, type Matcher, noteTooMany } from './matcher.ts';
import { hiddenBy, type Rule, type Scope, type Verdict } from './rule.ts';

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
