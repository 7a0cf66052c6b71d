// An ignore file, compiled once, which says what rule decides about a path.
//
// The last rule that matches decides. Most rules are a plain name (`node_modules`), an extension (`*.log`) or a plain
// path (`/docs/build`), and those are found by lookup. Only the others are matched, the last one first, and only if they
// come after the best that was looked up.

import type { Bytes } from '../workspace/bytes.ts';
import { memoized } from '../workspace/memoized.ts';
import type { EntryBuffer } from '../workspace/reader.ts';
import { lineEnd, withoutByteOrderMark } from './git-text.ts';
import { hasByte } from './gitignore-bracket.ts';
import { compileGlob, endsInRest, type Glob, isLiteral, lowerCaseAscii, matchesGlob } from './gitignore-pattern.ts';
import type { Effort } from './rule.ts';
import { RuleFilter } from './rule-filter.ts';

/** The decision about a path, and the rule that made it, as `git check-ignore -v` prints it. */
export interface Decision {
  /** False when a rule with `!` brings the path back. */
  readonly ignored: boolean;
  readonly source: Bytes;
  /** Counted from 1. */
  readonly line: number;
  /** The rule as written, `!` and final `/` included. */
  readonly pattern: Bytes;
}

export interface IgnoreFileOptions {
  /** Ignore the case of ASCII letters: git's `core.ignorecase`. */
  readonly ignoreCase: boolean;
}

/**
 * Identifies a rule by its place: twice the offset of its line in the file, and one more if it begins with `!`. So the
 * larger of two numbers is the later rule, and a hundred thousand rules are as many numbers.
 */
type RuleNumber = number;

const NO_RULE: RuleNumber = -1;

/** By name; a rule that ends in `/` is stored with the slash, and only a directory is looked up with it. */
type Lookup = Map<string, RuleNumber>;

/** A rule that has to be matched. */
interface GlobRule {
  readonly number: RuleNumber;
  readonly directoryOnly: boolean;
  readonly glob: Glob;
}

interface PathRules {
  readonly lookup: Lookup;
  readonly filter: RuleFilter;
}

interface CompiledRules {
  readonly ignoreCase: boolean;
  /** Knows all rules about names. */
  readonly filter: RuleFilter;
  readonly names: Lookup;
  readonly extensions: Lookup;
  /** By directory, which ends in a slash unless it is the file's own, then by name. */
  readonly paths: Map<string, PathRules>;
  /** The last one first. */
  readonly nameGlobs: GlobRule[];
  readonly pathGlobs: GlobRule[];
}

/** The beginning of a pattern for any directory; if the rest has no slash, it is a pattern for names. */
const ANYWHERE = /^\/?(?:\*\*+\/)+(?=[^/]*$)/;
const EXTENSION = /^\*\.[^.*?[\\]*$/;

/** Compiles an ignore file piece by piece, because a large one would block the event loop. Decisions name its `source`. */
export class IgnoreFileCompiler {
  readonly #content: Bytes;
  readonly #source: Bytes;
  readonly #rules: CompiledRules;
  #at: number;

  constructor(content: Bytes, source: Bytes, { ignoreCase }: IgnoreFileOptions) {
    this.#content = content;
    this.#source = source;
    this.#at = content.length - withoutByteOrderMark(content).length;
    this.#rules = {
      ignoreCase,
      filter: new RuleFilter(ignoreCase),
      names: new Map(),
      extensions: new Map(),
      paths: new Map(),
      nameGlobs: [],
      pathGlobs: [],
    };
  }

  /** Compiles whole lines of about `bytes` bytes; false when there are no more. */
  compile(bytes: number): boolean {
    const content = this.#content;
    for (const end = this.#at + bytes; this.#at < content.length && this.#at < end; ) {
      const pattern = patternAt(content, this.#at);
      if (pattern !== '') addRule(this.#rules, pattern, this.#at);
      this.#at = lineEnd(content, this.#at) + 1;
    }
    return this.#at < content.length;
  }

  /** Complete once `compile` has returned false. */
  get file(): IgnoreFile {
    this.#rules.nameGlobs.reverse();
    this.#rules.pathGlobs.reverse();
    return new IgnoreFile(this.#rules, new RuleTexts(this.#content, this.#source));
  }
}

/** Returns the pattern of the line that begins at `start`; '' when it has none. */
function patternAt(content: string, start: number): string {
  const line = content.slice(start, lineEnd(content, start));
  return line.startsWith('#') ? '' : patternOf(line);
}

/** Removes the line end and trailing spaces, but not tabs or a space after a backslash. */
function patternOf(line: string): string {
  let end = line.indexOf('\0');
  // git: a NUL ends the pattern; of several carriage returns at the end of a line only the last is removed.
  if (end < 0) end = line.endsWith('\r') ? line.length - 1 : line.length;
  const last = end;
  while (line[end - 1] === ' ') end--;
  let backslashes = 0;
  while (line[end - 1 - backslashes] === '\\') backslashes++;
  return line.slice(0, backslashes % 2 === 1 ? Math.min(end + 1, last) : end);
}

function addRule(rules: CompiledRules, whole: string, offset: number): void {
  const isNegated = whole.startsWith('!');
  const directoryOnly = whole.endsWith('/');
  const number = 2 * offset + (isNegated ? 1 : 0);
  const written = whole.slice(isNegated ? 1 : 0, directoryOnly ? -1 : undefined);
  const pattern = written.replace(ANYWHERE, '');
  const mark = directoryOnly ? '/' : '';
  const key = (rules.ignoreCase ? lowerCaseAscii(pattern) : pattern) + mark;
  // Rules come in the order of their lines, so a later one replaces an earlier.
  if (!pattern.includes('/')) {
    if (isLiteral(pattern)) {
      rules.names.set(key, number);
      rules.filter.addName(pattern, directoryOnly);
    } else if (EXTENSION.test(pattern)) {
      rules.extensions.set(key.slice(1), number);
      rules.filter.addExtension(pattern.slice(1), directoryOnly);
    } else {
      const glob = addGlob(rules.nameGlobs, pattern, number, directoryOnly, rules.ignoreCase);
      if (glob !== null) filterBy(glob, directoryOnly, rules.filter);
    }
    return;
  }
  const start = pattern.startsWith('/') ? 1 : 0;
  if (isLiteral(pattern)) {
    const name = pattern.lastIndexOf('/') + 1;
    const directory = key.slice(start, name);
    const known = rules.paths.get(directory) ?? { lookup: new Map(), filter: new RuleFilter(rules.ignoreCase) };
    rules.paths.set(directory, known);
    known.lookup.set(key.slice(name), number);
    known.filter.addName(pattern.slice(name), directoryOnly);
  } else {
    addGlob(rules.pathGlobs, pattern.slice(start), number, directoryOnly, rules.ignoreCase);
  }
}

function filterBy({ prefix, tail, last }: Glob, directoryOnly: boolean, filter: RuleFilter): void {
  if (prefix + tail === '' && last !== null && typeof last !== 'number') {
    filter.addLastBytes((byte) => hasByte(last, byte), directoryOnly);
  } else filter.addPattern(prefix, tail, directoryOnly);
}

function addGlob(
  globs: GlobRule[],
  pattern: string,
  number: RuleNumber,
  directoryOnly: boolean,
  ignoreCase: boolean,
): Glob | null {
  const glob = compileGlob(pattern, ignoreCase);
  if (glob !== null) globs.push({ number, directoryOnly, glob });
  return glob;
}

/** Finds the text and line of a rule. */
class RuleTexts {
  readonly #content: Bytes;
  readonly #source: Bytes;
  /** The end of each line; null until the first rule is looked up. */
  #ends: number[] | null = null;
  /** Perf: a few rules decide about nearly everything. */
  readonly decision = memoized(1000, (number: RuleNumber): Decision => {
    const offset = number >> 1;
    const pattern = patternAt(this.#content, offset) as Bytes;
    return { ignored: (number & 1) === 0, source: this.#source, line: this.#lineAt(offset), pattern };
  });

  constructor(content: Bytes, source: Bytes) {
    this.#content = content;
    this.#source = source;
  }

  #lineAt(offset: number): number {
    this.#ends ??= lineEnds(this.#content);
    let [low, high] = [0, this.#ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#ends[middle] as number) < offset) low = middle + 1;
      else high = middle;
    }
    return low + 1;
  }
}

function lineEnds(content: string): number[] {
  const ends: number[] = [];
  for (let at = content.indexOf('\n'); at >= 0; at = content.indexOf('\n', at + 1)) ends.push(at);
  return ends;
}

/** Counts the files compiled so far. */
let compiled = 0;

export class IgnoreFile {
  /** The file seen from its own directory. */
  readonly scope: IgnoreScope;
  /** Distinguishes it from any other file that was ever compiled. */
  readonly serial = ++compiled;

  constructor(rules: CompiledRules, texts: RuleTexts) {
    this.scope = new IgnoreScope(rules, texts, '', rules.pathGlobs);
  }
}

/** A name, prepared for lookups. */
export interface Subject {
  readonly name: Bytes;
  /** From its last dot on; null when it has none. */
  readonly extension: string | null;
}

export function subjectOf(name: Bytes): Subject {
  const dot = name.lastIndexOf('.');
  return { name, extension: dot < 0 ? null : name.slice(dot) };
}

/** A rule about paths, as seen from one directory. */
interface PathGlobRule extends GlobRule {
  /** A matching name in this directory begins with it. */
  readonly namePrefix: string;
  /** The result of a rule that ends in `**`, which is the same for every such name. Null until it is known. */
  matchesAll: boolean | null;
}

/**
 * An ignore file, as seen from its own directory or one below. Only rules that can still match are kept, so that most
 * directories need not build paths.
 */
export class IgnoreScope {
  readonly #rules: CompiledRules;
  readonly #texts: RuleTexts;
  /** Relative to the file's own directory; ends in a slash unless it is that. */
  readonly #directory: string;
  readonly #paths: PathRules | undefined;
  readonly #pathGlobs: readonly PathGlobRule[];
  /** Knows the rules of these. */
  readonly #pathFilter: RuleFilter | null;

  constructor(
    rules: CompiledRules,
    texts: RuleTexts,
    directory: string,
    pathGlobs: readonly GlobRule[],
    alike: IgnoreScope | null = null,
  ) {
    this.#rules = rules;
    this.#texts = texts;
    this.#directory = directory;
    this.#paths = rules.paths.get(directory);
    if (alike !== null) {
      this.#pathGlobs = alike.#pathGlobs;
      this.#pathFilter = alike.#pathFilter;
      return;
    }
    this.#pathGlobs = pathGlobs.map(({ number, directoryOnly, glob }) => {
      return { number, directoryOnly, glob, namePrefix: glob.prefix.slice(directory.length), matchesAll: null };
    });
    this.#pathFilter = this.#pathGlobs.length === 0 ? null : new RuleFilter(rules.ignoreCase);
    for (const { namePrefix, glob, directoryOnly } of this.#pathGlobs) {
      this.#pathFilter?.addPattern(namePrefix, glob.tail, directoryOnly);
    }
  }

  /** True if the file has no rules at all. */
  get isEmpty(): boolean {
    const { names, extensions, paths, nameGlobs, pathGlobs } = this.#rules;
    return names.size + extensions.size + paths.size + nameGlobs.length + pathGlobs.length === 0;
  }

  /** The same file, as seen from `directory` in this one. */
  below(directory: string, effort: Effort): IgnoreScope {
    // Without rules about paths, all directories are alike.
    if (this.#rules.paths.size === 0 && this.#pathGlobs.length === 0) return this;
    const path = this.#directory + (this.#rules.ignoreCase ? lowerCaseAscii(directory) : directory);
    effort.steps += 2 * this.#pathGlobs.length;
    const globs = this.#pathGlobs.filter(({ glob }) => glob.prefix.startsWith(path) || path.startsWith(glob.prefix));
    // Perf: a walk makes a scope for each directory, and most look for the same names as the one above.
    const isAlike = globs.length === this.#pathGlobs.length && globs.every(isForAnyName);
    return new IgnoreScope(this.#rules, this.#texts, path, globs, isAlike ? this : null);
  }

  /** False when no rule can match the entry. */
  mayMatch(entries: EntryBuffer, at: number): boolean {
    if (this.#rules.filter.mayMatch(entries, at)) return true;
    return this.#paths?.filter.mayMatch(entries, at) || (this.#pathFilter?.mayMatch(entries, at) ?? false);
  }

  /** Null when no rule matches. */
  decide(subject: Subject, isDirectory: boolean, effort: Effort): Decision | null {
    const { ignoreCase, names, extensions, nameGlobs } = this.#rules;
    const { name, extension } = ignoreCase ? lowerCaseSubject(subject) : subject;
    effort.steps++;
    let best = names.size === 0 ? NO_RULE : lastIn(names, name, isDirectory);
    if (extension !== null && extensions.size > 0) best = Math.max(best, lastIn(extensions, extension, isDirectory));
    if (this.#paths !== undefined) best = Math.max(best, lastIn(this.#paths.lookup, name, isDirectory));
    best = lastMatch(nameGlobs, name, isDirectory, best, effort);
    if (this.#pathGlobs.length > 0) best = this.#lastPathMatch(name, isDirectory, best, effort);
    return best === NO_RULE ? null : this.#texts.decision(best);
  }

  /** Returns the last rule about paths that matches, if it comes after `best`. */
  #lastPathMatch(name: string, isDirectory: boolean, best: RuleNumber, effort: Effort): RuleNumber {
    for (const rule of this.#pathGlobs) {
      if (rule.number < best) return best;
      if (!isDirectory && rule.directoryOnly) continue;
      // Perf: nearly every name is rejected by its beginning or its end, before the path is built.
      effort.steps++;
      if (!name.startsWith(rule.namePrefix) || !name.endsWith(rule.glob.tail)) continue;
      if (this.#matchesPath(rule, name, effort)) return rule.number;
    }
    return best;
  }

  #matchesPath(rule: PathGlobRule, name: string, effort: Effort): boolean {
    if (!endsInRest(rule.glob)) return matchesGlob(rule.glob, this.#directory + name, effort);
    rule.matchesAll ??= matchesGlob(rule.glob, this.#directory + name, effort);
    return rule.matchesAll;
  }
}

/** Whether the rule looks at the names of this directory as it does at those of any below. */
function isForAnyName({ namePrefix, glob }: PathGlobRule): boolean {
  return namePrefix === '' && !endsInRest(glob);
}

function lowerCaseSubject({ name, extension }: Subject): { name: string; extension: string | null } {
  return { name: lowerCaseAscii(name), extension: extension === null ? null : lowerCaseAscii(extension) };
}

function lastIn(lookup: Lookup, key: string, isDirectory: boolean): RuleNumber {
  const found = lookup.get(key) ?? NO_RULE;
  return isDirectory ? Math.max(found, lookup.get(`${key}/`) ?? NO_RULE) : found;
}

/** Returns the last rule that matches, if it comes after `best`. */
function lastMatch(
  globs: readonly GlobRule[],
  text: string,
  isDirectory: boolean,
  best: RuleNumber,
  effort: Effort,
): RuleNumber {
  for (const { number, directoryOnly, glob } of globs) {
    if (number < best) return best;
    if ((isDirectory || !directoryOnly) && matchesGlob(glob, text, effort)) return number;
  }
  return best;
}
