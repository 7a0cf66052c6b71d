/**
 * What is hidden, and why. A rule is bound to a directory and then asked for each entry; its verdict says which rule of
 * which file decided, so that nobody has to find it again.
 */
import type { Bytes } from '../workspace/bytes.ts';
import type { Place } from '../workspace/place.ts';
import type { EntryType } from '../workspace/reader.ts';

/** Which kind of rule decided about an entry. */
export type Origin = 'argument' | 'gemini' | 'git' | 'builtin' | 'dotfile';

/** What a rule says about an entry. */
export interface Verdict {
  readonly by: Origin;
  /** False where the rule (`!keep.log`) says that the entry is to be seen. */
  readonly hidden: boolean;
  /** The file that the rule stands in; null when it stands in none. */
  readonly source: Bytes | null;
  /** Counted from 1. */
  readonly line: number | null;
  readonly pattern: Bytes;
}

/** The verdict on one entry of the directory that the rule was bound to; null when no rule says anything about it. */
export type Judge = (name: Bytes, type: EntryType) => Verdict | null;

/** Binds the rule to a directory. The work that patterns cost is added to `effort`. */
export type Rule = (directory: Place, effort: Effort) => Scope;

/** A rule in one directory. */
export interface Scope {
  readonly judge: Judge;
  /** All that the verdicts depend on: two scopes of one directory with the same key judge alike. */
  key(): string;
  /** The rule in the directory `name` of this one. */
  enter(name: Bytes, directory: InnerPlace): Scope;
}

/** A directory that is reached from its parent. */
export type InnerPlace = Pick<Place, 'path' | 'rootPath' | 'readFile'> & {
  /** What `ask` finds by a path that leads there for certain; null where there is no such directory. */
  reach<T>(ask: (path: Bytes) => T | null): T | null;
  /** Whether an entry of that name is known to be there, or may be. */
  mayHave(name: Bytes): boolean;
};

/** Work that was done, in steps of pattern matching; readers pause by it, so that hostile patterns stop nobody else. */
export interface Effort {
  steps: number;
}

/** A rule that judges alike in every directory. */
export function everywhere(key: string, judge: Judge): Rule {
  const scope: Scope = { judge, key: () => key, enter: () => scope };
  return () => scope;
}

/** The verdict of a rule that stands in no file. */
export function hiddenBy(by: Origin, pattern: Bytes): Verdict {
  return { by, hidden: true, source: null, line: null, pattern };
}

/** One scope for many rules: the first that hides an entry decides. Cheap rules go first. */
export function scopeOf(rules: readonly Rule[], directory: Place, effort: Effort): Scope {
  return combined(rules.map((rule) => rule(directory, effort)));
}

function combined(scopes: readonly Scope[]): Scope {
  return {
    judge: firstOf(scopes.map(({ judge }) => judge)),
    key: () => JSON.stringify(scopes.map((scope) => scope.key())),
    enter: (name, directory) => combined(scopes.map((scope) => scope.enter(name, directory))),
  };
}

function firstOf(judges: readonly Judge[]): Judge {
  const [first = hidesNothing, second = hidesNothing] = judges;
  if (judges.length < 2) return first;
  // Perf: called by name, each judge can be inlined; a loop over them cannot, and costs a million calls.
  if (judges.length === 2) {
    return (name, type) => {
      const verdict = first(name, type);
      if (verdict?.hidden) return verdict;
      const other = second(name, type);
      return verdict === null || other?.hidden ? other : verdict;
    };
  }
  return (name, type) => {
    let found: Verdict | null = null;
    for (const judge of judges) {
      const verdict = judge(name, type);
      if (verdict?.hidden) return verdict;
      found ??= verdict;
    }
    return found;
  };
}

/** The judge where there are no rules. */
export const hidesNothing: Judge = () => null;
