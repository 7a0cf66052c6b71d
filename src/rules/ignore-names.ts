import { bytesOf } from '../names/bytes.ts';
import { compileBraceGlob } from './brace-glob.ts';
import type { Matcher } from './matcher.ts';
import { hiddenBy, type Rule, type Scope, type Verdict } from './rule.ts';
import { positionOf } from './search.ts';

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
        return tries[positionOf(tries, name, call, ({ matches }) => matches(name, call))]?.verdict ?? null;
      },
      key: () => `ignore names ${JSON.stringify(patterns)}`,
      enter: () => scope,
    };
    return scope;
  };
}
