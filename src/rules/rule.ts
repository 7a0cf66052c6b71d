/**
 * What is hidden, and why. A rule is bound to a directory and then asked for each entry; its verdict says which rule of
 * which file decided, so that nobody has to find it again.
 */
import type { Budget, Searches } from '../workspace/budget.ts';
import type { Bytes } from '../workspace/bytes.ts';
import type { HeldPlace, PlaceInRoot } from '../workspace/place.ts';
import { EntryBuffer, type EntryType } from '../workspace/reader.ts';
import { SkippedFile } from '../workspace/source.ts';
import type { Steps } from '../workspace/steps.ts';
import type { RuleFilter } from './rule-filter.ts';

/** Which kind of rule decided about an entry. */
export type Origin = 'argument' | 'gemini' | 'git' | 'builtin' | 'dotfile';

/** The decision of a rule about an entry. */
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
export type Judge = (entries: EntryBuffer, at: number) => Verdict | null;

const one = new EntryBuffer();

/** The verdict on an entry of which only the name is at hand. */
export function verdictOn(name: Bytes, type: EntryType, judge: Judge): Verdict | null {
  return judge(entryNamed(name, type), 0);
}

/** An entry by itself, until the next one is asked for. */
export function entryNamed(name: Bytes, type: EntryType): EntryBuffer {
  one.truncate(0, 0);
  one.add(name, type);
  return one;
}

/** Binds the rule to a directory. The work that patterns cost is added to the call's. */
export type Rule = (directory: PlaceInRoot, budget: Budget) => Promise<Scope>;

/** A rule in one directory. */
export interface Scope {
  readonly judge: Judge;
  /** Whether it judges alike in every directory below. */
  readonly isUniform?: boolean;
  /** All that the verdicts depend on: two scopes of one directory with the same key judge alike. */
  key(): string;
  /**
   * The rule in the directory `name` of this one. It asks whether a file may be there before it looks for it, and without
   * such files it depends on this scope and the name alone. It takes time only where a large file has to be compiled, or
   * very many rules have to be looked at.
   * Perf: with `isShown`, the directory was judged already, and is not hidden.
   */
  enter(name: Bytes, directory: InnerPlace, isShown?: boolean): Scope | Promise<Scope>;
  /** What it may hide; null where it cannot tell. */
  filters?(): Filters | null;
}

/** Tells by a few bytes of a name whether a rule may hide it: what none of these may match is shown. */
export interface Filters {
  readonly all: readonly RuleFilter[];
  /** Whether they are the same in all directories below that they may not match, and that have none of the rule's files. */
  readonly areAlikeBelow: boolean;
}

/** A directory that is reached from its parent. */
export interface InnerPlace extends HeldPlace {
  /** Whether an entry of that name is known to be there, or may be. */
  mayHave(name: Bytes): boolean;
}

/** A directory that is held, in which an entry may stand where `mayHave` says so. */
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

/** Work that was done, in steps of pattern matching; readers pause by it, so that hostile patterns stop nobody else. */
export interface Effort {
  steps: number;
  /** Where a search that takes long notes how far it has come, before it throws `UNFINISHED`; null where it must not. */
  readonly searches?: Searches | null;
  /** Runs what takes long, with pauses. */
  run?<T>(steps: Steps<T>): Promise<T>;
}

/** Bytes of a file of rules that are compiled between two looks at the clock: about a millisecond. A larger file takes time. */
export const COMPILED_AT_ONCE = 4 * 1024;

/** The content of a file of rules; null if it is missing or cannot be used. In the second case a note says why. */
export function readRuleFile(content: Bytes | SkippedFile | null, name: () => string, budget: Budget): Bytes | null {
  if (content === null) return null;
  if (content instanceof SkippedFile) budget.note(`'${name()}' ${content.reason}, and is not used`);
  else if (budget.mayRead(content.length)) return content;
  else budget.note(`'${name()}' is not used: there are too many rules in all`);
  return null;
}

/** Continues with a value that is mostly there at once. Perf: awaiting each directory of a walk would cost a turn. */
export function afterwards<T, R>(value: T | Promise<T>, next: (value: T) => R | Promise<R>): R | Promise<R> {
  return value instanceof Promise ? value.then(next) : next(value);
}

/** Values of which some may have to be waited for. */
export function allOf<T>(values: readonly (T | Promise<T>)[]): readonly T[] | Promise<readonly T[]> {
  return values.some((value) => value instanceof Promise) ? Promise.all(values) : (values as readonly T[]);
}

/** A rule that judges alike in every directory. */
export function everywhere(key: string, judge: Judge, filter?: RuleFilter): Rule {
  const filters = filter === undefined ? null : { all: [filter], areAlikeBelow: true };
  const scope: Scope = { judge, isUniform: true, key: () => key, enter: () => scope, filters: () => filters };
  return async () => scope;
}

/** The verdict of a rule that stands in no file. */
export function hiddenBy(by: Origin, pattern: Bytes): Verdict {
  return { by, hidden: true, source: null, line: null, pattern };
}

/** One scope for many rules: the first that hides an entry decides. Cheap rules go first. */
export async function scopeOf(rules: readonly Rule[], directory: PlaceInRoot, budget: Budget): Promise<Scope> {
  return combined(await Promise.all(rules.map((rule) => rule(directory, budget))));
}

function combined(scopes: readonly Scope[]): Scope {
  // Perf: a walk enters many directories, mostly by one rule.
  if (scopes.length === 1) return scopes[0] as Scope;
  return {
    judge: firstOf(scopes.map(({ judge }) => judge)),
    isUniform: scopes.every(({ isUniform = false }) => isUniform),
    key: () => JSON.stringify(scopes.map((scope) => scope.key())),
    filters: () => filtersOf(scopes.map((scope) => scope.filters?.() ?? null)),
    enter: (name, directory, isShown) =>
      afterwards(allOf(scopes.map((scope) => scope.enter(name, directory, isShown))), combined),
  };
}

/** Those of several rules together. */
export function filtersOf(found: readonly (Filters | null)[]): Filters | null {
  const all: RuleFilter[] = [];
  let areAlikeBelow = true;
  for (const filters of found) {
    if (filters === null) return null;
    all.push(...filters.all);
    areAlikeBelow &&= filters.areAlikeBelow;
  }
  return { all, areAlikeBelow };
}

function firstOf(judges: readonly Judge[]): Judge {
  const [first = hidesNothing, second = hidesNothing] = judges;
  if (judges.length < 2) return first;
  // Perf: called by name, each judge can be inlined; a loop over them cannot, and costs a million calls.
  if (judges.length === 2) {
    return (entries, at) => {
      const verdict = first(entries, at);
      if (verdict?.hidden) return verdict;
      const other = second(entries, at);
      return verdict === null || other?.hidden ? other : verdict;
    };
  }
  return (entries, at) => {
    let found: Verdict | null = null;
    for (const judge of judges) {
      const verdict = judge(entries, at);
      if (verdict?.hidden) return verdict;
      found ??= verdict;
    }
    return found;
  };
}

/** The judge where there are no rules. */
export const hidesNothing: Judge = () => null;
