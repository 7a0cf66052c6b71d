/** Finds the rule of a compiled ignore file that decides about a name in one directory. */
import { endsInRest, type Glob, matchesGlob, slashesIn } from '../git/wildmatch.ts';
import { type Bytes, lowerCaseAscii } from '../names/bytes.ts';
import type { Effort } from '../workspace/budget.ts';
import type { EntryBuffer } from '../workspace/reader.ts';
import { atOnce, type Steps } from '../workspace/steps.ts';
import { noteTooMany } from './matcher.ts';
import { afterwards, type Filters, type Verdict } from './rule.ts';
import { RuleFilter } from './rule-filter.ts';

/** Twice the offset of the rule's line, plus one if it begins with `!`: the larger of two numbers is the later rule. */
type RuleNumber = number;

const NO_RULE: RuleNumber = -1;

/** Rules by name. A rule that ends in `/` is stored with the slash, and only directories are looked up with it. */
type Lookup = Map<string, RuleNumber>;

/** A rule that cannot be looked up and has to be matched. */
export interface GlobRule {
  readonly number: RuleNumber;
  readonly directoryOnly: boolean;
  readonly glob: Glob;
}

interface PathRules {
  readonly lookup: Lookup;
  readonly filter: RuleFilter;
}

export interface CompiledRules {
  readonly ignoreCase: boolean;
  /** Covers all rules about names. */
  readonly filter: RuleFilter;
  readonly names: Lookup;
  readonly extensions: Lookup;
  /** By directory, then by name. The directory ends in a slash, unless it is the file's own, which is ''. */
  readonly paths: Map<string, PathRules>;
  /** The directories of `paths` and all their parents; null if it would take too long to find them all. */
  pathParents: Set<string> | null;
  /** Ordered from the last rule to the first. */
  readonly nameGlobs: GlobRule[];
  readonly pathGlobs: PathGlobs;
  /** Rules that can match only below a directory of a certain name, by that name. They become active when one is entered. */
  readonly dormant: Map<string, GlobRule[]>;
  /** Covers the keys of `dormant`. */
  readonly dormantFilter: RuleFilter;
  /** The scope for directories in which only rules about names can match; null until it is needed. */
  aboutNames: IgnoreScope | null;
}

export type VerdictOf = (number: RuleNumber) => Verdict;

/** A rule about paths, relative to one directory. */
interface PathGlobRule extends GlobRule {
  /** All matching names in this directory begin with it. */
  readonly namePrefix: string;
  /** The result of a rule that ends in `**`, which is the same for all such names; null until it is known. */
  matchesAll: boolean | null;
}

const NOWHERE: ReadonlySet<string> = new Set();

/** The rules about paths that can match in one directory, or below it. */
export class PathGlobs {
  /** Ordered from the last rule to the first. */
  readonly rules: PathGlobRule[] = [];
  /** Covers the rules that can match in this directory; null if there are none. */
  filter: RuleFilter | null = null;
  /** True if the filter also covers the names in directories below in which no rule is activated. */
  #coversBelow = true;
  /** True if the rules see names here as in most directories below. Perf: most of the rules that are left do. */
  holdsBelow = true;
  readonly #directory: string;
  readonly #ignoreCase: boolean;
  /** The names of directories on the path to this one in which rules were activated. */
  readonly #activatedIn: ReadonlySet<string>;
  /** Caches, by name, the result for subdirectories in which rules wake. Perf: there may be many of both. */
  readonly #activatedFor = new Map<string, PathGlobs>();

  constructor(directory: string, ignoreCase: boolean, activatedIn: ReadonlySet<string> = NOWHERE) {
    this.#directory = directory;
    this.#ignoreCase = ignoreCase;
    this.#activatedIn = activatedIn;
  }

  /** Perf: a rule that the filter covers already need not be added to it. */
  add({ number, directoryOnly, glob }: GlobRule, isCovered = false): void {
    const namePrefix = glob.prefix.slice(this.#directory.length);
    this.rules.push({ number, directoryOnly, glob, namePrefix, matchesAll: null });
    // Perf: the stars of `/*.tar.*` or `.vscode/*` match no slash, so further up or down every name would be tried in vain.
    if (!isCovered && (glob.slashes === null || glob.slashes === slashesIn(this.#directory))) {
      this.filter ??= new RuleFilter(this.#ignoreCase);
      this.filter.addPattern(namePrefix || glob.head, glob.tail, directoryOnly, glob.inside);
    }
    this.#coversBelow &&= namePrefix === '' && glob.slashes === null;
    this.holdsBelow &&= this.#coversBelow && !endsInRest(glob);
  }

  /** Returns the rules for the subdirectory `name`, whose path is `path`. Some rules may wake in it. */
  below(name: string, path: string, dormant: CompiledRules['dormant'], effort: Effort): PathGlobs | Promise<PathGlobs> {
    const activated = this.#activatedIn.has(name) ? [] : (dormant.get(name) ?? []);
    if (this.holdsBelow && activated.length === 0) return this;
    const known = this.#activatedFor.get(name);
    if (known !== undefined) return known;
    const making = this.#below(name, path, activated, effort);
    const isLong = this.rules.length + activated.length > RULES_AT_ONCE;
    return isLong && effort.run !== undefined ? effort.run(making) : atOnce(making);
  }

  *#below(name: string, path: string, activated: readonly GlobRule[], effort: Effort): Steps<PathGlobs> {
    effort.steps += STEPS_OF_RULE * (this.rules.length + activated.length);
    const slashes = slashesIn(path);
    const left = this.rules.filter(
      ({ glob }) =>
        (glob.prefix.startsWith(path) || path.startsWith(glob.prefix)) && (glob.slashes ?? slashes) >= slashes,
    );
    const isActivated = activated.length > 0;
    const inner = new PathGlobs(
      path,
      this.#ignoreCase,
      isActivated ? new Set([...this.#activatedIn, name]) : this.#activatedIn,
    );
    const all = isActivated ? [...left, ...activated].sort((one, other) => other.number - one.number) : left;
    const isCovered = this.#coversBelow && !isActivated;
    if (isCovered) inner.filter = this.filter;
    for (const rule of all) {
      inner.add(rule, isCovered);
      if (inner.rules.length % RULES_AT_ONCE === 0) yield undefined;
    }
    // Cached only if no rule had been activated yet: then there are no more of these than rules.
    if (isActivated && this.holdsBelow && inner.holdsBelow && this.#activatedIn.size === 0)
      this.#activatedFor.set(name, inner);
    return inner;
  }
}

/** The number of rules that take about a millisecond. */
const RULES_AT_ONCE = 1024;

/** The cost, in steps, of checking a rule for another directory. */
const STEPS_OF_RULE = 16;

/** An ignore file in its own directory or one below it, with the rules that can still match there. */
export class IgnoreScope {
  readonly #rules: CompiledRules;
  readonly #verdictOf: VerdictOf;
  /** Relative to the file's own directory. Ends in a slash, unless it is that directory, which is ''. */
  readonly #directory: string;
  readonly #paths: PathRules | undefined;
  /** True if there may be rules about plain paths further down. */
  readonly #hasPathsBelow: boolean;
  readonly #globs: PathGlobs;

  constructor(rules: CompiledRules, verdictOf: VerdictOf, directory: string, hasPaths: boolean, globs: PathGlobs) {
    this.#rules = rules;
    this.#verdictOf = verdictOf;
    this.#directory = directory;
    this.#paths = hasPaths ? rules.paths.get(directory) : undefined;
    this.#hasPathsBelow = hasPaths && rules.pathParents?.size !== 0;
    this.#globs = globs;
  }

  /** True if the file has no rules at all. */
  get isEmpty(): boolean {
    const { names, extensions, paths, nameGlobs, pathGlobs, dormant } = this.#rules;
    return names.size + extensions.size + paths.size + nameGlobs.length + pathGlobs.rules.length + dormant.size === 0;
  }

  /** Returns the scope of a subdirectory; `directory` is its name and a slash. It takes time for very many rules. */
  below(directory: string, effort: Effort): IgnoreScope | Promise<IgnoreScope> {
    const [rules, globs] = [this.#rules, this.#globs];
    const { dormant } = rules;
    const hasGlobs = globs.rules.length + dormant.size > 0;
    if (!this.#hasPathsBelow && !hasGlobs) return this.#withoutPaths();
    const name = rules.ignoreCase ? lowerCaseAscii(directory) : directory;
    const path = this.#directory + name;
    const hasPaths = this.#hasPathsBelow && rules.pathParents?.has(path) !== false;
    return afterwards(globs.below(name.slice(0, -1), path, dormant, effort), (inner) =>
      !hasPaths && inner.rules.length + dormant.size === 0
        ? this.#withoutPaths()
        : new IgnoreScope(rules, this.#verdictOf, path, hasPaths, inner),
    );
  }

  /** Perf: all directories share one scope if no rule about paths can match in them or further down. */
  #withoutPaths(): IgnoreScope {
    const rules = this.#rules;
    if (rules.paths.size + rules.pathGlobs.rules.length + rules.dormant.size === 0) return this;
    rules.aboutNames ??= new IgnoreScope(rules, this.#verdictOf, '', false, new PathGlobs('', rules.ignoreCase));
    return rules.aboutNames;
  }

  get filters(): Filters {
    const { filter, holdsBelow } = this.#globs;
    const { filter: ofNames, dormant, dormantFilter } = this.#rules;
    const all = [ofNames];
    if (this.#paths !== undefined) all.push(this.#paths.filter);
    if (filter !== null) all.push(filter);
    if (dormant.size > 0) all.push(dormantFilter);
    return { all, holdsBelow: holdsBelow && !this.#hasPathsBelow };
  }

  /** Returns false if no rule can match the entry. */
  mayMatch(entries: EntryBuffer, at: number): boolean {
    if (this.#rules.filter.mayMatch(entries, at)) return true;
    return this.#paths?.filter.mayMatch(entries, at) || (this.#globs.filter?.mayMatch(entries, at) ?? false);
  }

  /** Returns null if no rule matches. `end` is the number of steps after which no further pattern is tried. */
  decide(written: Bytes, isDirectory: boolean, effort: Effort, end = Number.POSITIVE_INFINITY): Verdict | null {
    const { ignoreCase, names, extensions, nameGlobs } = this.#rules;
    const name = ignoreCase ? lowerCaseAscii(written) : written;
    const dot = name.lastIndexOf('.');
    effort.steps++;
    let best = names.size === 0 ? NO_RULE : lastIn(names, name, isDirectory);
    if (dot >= 0 && extensions.size > 0) best = Math.max(best, lastIn(extensions, name.slice(dot), isDirectory));
    if (this.#paths !== undefined) best = Math.max(best, lastIn(this.#paths.lookup, name, isDirectory));
    const { rules } = this.#globs;
    best = lastMatch(nameGlobs, isDirectory, best, effort, end, ({ glob }) => matchesGlob(glob, name, effort));
    best = lastMatch(rules, isDirectory, best, effort, end, (rule) => this.#matchesPath(rule, name, effort));
    return best === NO_RULE ? null : this.#verdictOf(best);
  }

  #matchesPath(rule: PathGlobRule, name: string, effort: Effort): boolean {
    // Perf: nearly every name is rejected by its start or its end, before the path is built.
    effort.steps++;
    if (!name.startsWith(rule.namePrefix) || !name.endsWith(rule.glob.tail)) return false;
    if (!endsInRest(rule.glob)) return matchesGlob(rule.glob, this.#directory + name, effort);
    rule.matchesAll ??= matchesGlob(rule.glob, this.#directory + name, effort);
    return rule.matchesAll;
  }
}

function lastIn(lookup: Lookup, key: string, isDirectory: boolean): RuleNumber {
  const found = lookup.get(key) ?? NO_RULE;
  return isDirectory ? Math.max(found, lookup.get(`${key}/`) ?? NO_RULE) : found;
}

/** Returns the last rule that matches if it comes after `best`, otherwise `best`. */
function lastMatch<Rule extends GlobRule>(
  globs: readonly Rule[],
  isDirectory: boolean,
  best: RuleNumber,
  effort: Effort,
  end: number,
  matches: (rule: Rule) => boolean,
): RuleNumber {
  for (const rule of globs) {
    if (rule.number < best) return best;
    if (effort.steps > end) {
      noteTooMany(effort);
      return best;
    }
    if ((isDirectory || !rule.directoryOnly) && matches(rule)) return rule.number;
  }
  return best;
}
