/**
 * What is hidden, and why. A rule is bound to a directory and then asked for each entry; its verdict carries the
 * pattern that decided, so that nobody has to find it again.
 */
import type { Bytes } from '../workspace/bytes.ts';
import type { EntryType } from '../workspace/reader.ts';

/** Which kind of rule hid an entry. */
export type Origin = 'dotfile' | 'builtin' | 'argument';

/** Why an entry is hidden. */
export interface Verdict {
  readonly by: Origin;
  readonly pattern: string;
}

/** The verdict on one entry of the directory that the rule was bound to; null lets it pass. */
export type Judge = (name: Bytes, type: EntryType) => Verdict | null;

/** `directory` is relative to the root. The work that patterns cost is added to `effort`. */
export type Rule = (directory: Bytes, effort: Effort) => Judge;

/** Work that was done, in steps of pattern matching; readers pause by it, so that hostile patterns stop nobody else. */
export interface Effort {
  steps: number;
}

/** One judge for many rules: the first that hides an entry decides. Cheap rules go first. */
export function judgeBy(rules: readonly Rule[], directory: Bytes, effort: Effort): Judge {
  const judges = rules.map((rule) => rule(directory, effort));
  // Perf: called by name, each judge can be inlined; a loop over them cannot, and costs a million calls.
  const [first = pass, second = pass, ...others] = judges;
  if (others.length === 0) return (name, type) => first(name, type) ?? second(name, type);
  return (name, type) => {
    for (const judge of judges) {
      const verdict = judge(name, type);
      if (verdict !== null) return verdict;
    }
    return null;
  };
}

const pass: Judge = () => null;
