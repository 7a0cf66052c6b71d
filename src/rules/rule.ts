/**
 * Rules decide what is hidden, and why. A rule is bound to a directory and then judges each entry. Its verdict names
 * the pattern and the file that decided, so that nothing has to search for them again.
 */
import type { Bytes } from '../names/bytes.ts';
import type { Budget } from '../workspace/budget.ts';
import { EntryBuffer, type EntryType } from '../workspace/reader.ts';
import type { HeldPlace, PlaceInRoot } from '../workspace/source.ts';
import type { RuleFilter } from './rule-filter.ts';

/** The kind of rule that decided about an entry. */
export type Origin = 'argument' | 'gemini' | 'git' | 'builtin' | 'dotfile' | 'worktree';

/** Dotfiles come first, as in the counters of `assembly/entries.ts`. */
export const ORIGINS: readonly Origin[] = ['dotfile', 'argument', 'gemini', 'git', 'builtin', 'worktree'];

/** The decision of a rule about an entry. */
export interface Verdict {
  readonly by: Origin;
  /** False if the rule (`!keep.log`) shows the entry. */
  readonly hidden: boolean;
  /** The file that contains the rule; null if it does not come from a file. */
  readonly source: Bytes | null;
  /** Counted from 1. */
  readonly line: number | null;
  readonly pattern: Bytes;
  /** Set if the rule would hide the entry, and git tracks it, or something below it. */
  readonly isTracked?: true | undefined;
}

/** Returns the verdict on one entry of the directory that the rule is bound to; null if no rule matches it. */
export type Judge = (entries: EntryBuffer, at: number) => Verdict | null;

const one = new EntryBuffer();

/** Judges an entry of which only the name and the type are known. */
export function verdictOn(name: Bytes, type: EntryType, judge: Judge): Verdict | null {
  return judge(entryNamed(name, type), 0);
}

/** Returns a buffer that holds this entry alone. The next call reuses the buffer. */
export function entryNamed(name: Bytes, type: EntryType): EntryBuffer {
  one.truncate(0, 0);
  one.add(name, type);
  return one;
}

/** Binds the rule to a directory. The cost of matching is charged to the call's budget. */
export type Rule = (directory: PlaceInRoot, budget: Budget) => Promise<Scope>;

/** A rule in one directory. */
export interface Scope {
  readonly judge: Judge;
  /** True if it judges alike in every directory below. */
  readonly isUniform?: boolean;
  /** True in another worktree of the repository around it: a walk does not open it, and counts it as one. */
  readonly isWorktree?: boolean;
  /** Identifies everything that the verdicts depend on: two scopes of one directory with the same key judge alike. */
  key(): string;
  /**
   * Returns the scope of the subdirectory `name`; `directory` is null if it is known to have no rule files. Usually
   * synchronous: it takes time where a large file has to be compiled, or very many rules have to be examined.
   * Perf: `isShown` means that the directory has already been judged and is not hidden.
   */
  enter(name: Bytes, directory: InnerPlace | null, isShown?: boolean): Scope | Promise<Scope>;
  /** Returns filters for the names that it may hide; null if it cannot tell. */
  filters?(): Filters | null;
}

/** Decide by a few bytes of a name whether a rule may hide it. A name that none of them may match is shown. */
export interface Filters {
  readonly all: readonly RuleFilter[];
  /** True if they also hold in all directories below that none of them may match and that have no file of the rule. */
  readonly holdsBelow: boolean;
}

/** A directory that is reached from its parent. */
export interface InnerPlace extends HeldPlace {
  /** False only if the directory is known to have no entry of that name. */
  mayHave(name: Bytes): boolean;
}

/** Adds `mayHave` to a held directory. */
export function innerPlaceOf(held: HeldPlace, mayHave: (name: Bytes) => boolean): InnerPlace {
  return {
    path: held.path,
    rootRealPath: held.rootRealPath,
    outside: held.outside,
    readFile: (name) => held.readFile(name),
    fileAt: (path, largest) => held.fileAt(path, largest),
    entryAt: (path) => held.entryAt(path),
    mayHave,
  };
}

/** Bytes of a rule file compiled between two checks of the clock: about a millisecond. A larger file takes time. */
export const COMPILED_AT_ONCE = 4 * 1024;

/** Calls `next` with a value, usually not a promise. Perf: awaiting each directory of a walk would cost a turn. */
export function afterwards<T, R>(value: T | Promise<T>, next: (value: T) => R | Promise<R>): R | Promise<R> {
  return value instanceof Promise ? value.then(next) : next(value);
}

/** Works like `Promise.all`, but is synchronous if none of the values is a promise. */
export function allOf<T>(values: readonly (T | Promise<T>)[]): readonly T[] | Promise<readonly T[]> {
  return values.some((value) => value instanceof Promise) ? Promise.all(values) : (values as readonly T[]);
}

/** Makes a rule that judges alike in every directory. */
export function everywhere(key: string, judge: Judge, filter?: RuleFilter): Rule {
  const filters = filter === undefined ? null : { all: [filter], holdsBelow: true };
  const scope: Scope = { judge, isUniform: true, key: () => key, enter: () => scope, filters: () => filters };
  return async () => scope;
}

/** Makes the verdict of a rule that does not come from a file. */
export function hiddenBy(by: Origin, pattern: Bytes): Verdict {
  return { by, hidden: true, source: null, line: null, pattern };
}

/** Binds several rules as one scope: the first that hides an entry decides. Cheap rules go first. */
export async function scopeOf(rules: readonly Rule[], directory: PlaceInRoot, budget: Budget): Promise<Scope> {
  return combined(await Promise.all(rules.map((rule) => rule(directory, budget))));
}

function combined(scopes: readonly Scope[]): Scope {
  // Perf: a walk enters many directories, usually with one rule.
  if (scopes.length === 1) return scopes[0] as Scope;
  return {
    judge: firstOf(scopes.map(({ judge }) => judge)),
    isUniform: scopes.every(({ isUniform = false }) => isUniform),
    isWorktree: scopes.some(({ isWorktree = false }) => isWorktree),
    key: () => JSON.stringify(scopes.map((scope) => scope.key())),
    filters: () => filtersOf(scopes.map((scope) => scope.filters?.() ?? null)),
    enter: (name, directory, isShown) =>
      afterwards(allOf(scopes.map((scope) => scope.enter(name, directory, isShown))), combined),
  };
}

/** Combines the filters of several rules; null if one of them cannot tell. */
export function filtersOf(found: readonly (Filters | null)[]): Filters | null {
  const known = found.filter((filters) => filters !== null);
  if (known.length < found.length) return null;
  // Perf: `flatMap` takes three times as long.
  const all = ([] as RuleFilter[]).concat(...known.map((filters) => filters.all));
  return { all, holdsBelow: known.every(({ holdsBelow }) => holdsBelow) };
}

/** Perf: judges that are called by name can be inlined; in a loop they cannot. */
function firstOf(judges: readonly Judge[]): Judge {
  const inPairs = (first: Judge, second: Judge): Judge => {
    return (entries, at) => {
      const verdict = first(entries, at);
      if (verdict?.hidden) return verdict;
      const other = second(entries, at);
      return verdict === null || other?.hidden ? other : verdict;
    };
  };
  return judges.length === 0 ? hidesNothing : judges.reduce(inPairs);
}

export const hidesNothing: Judge = () => null;
