// An ignore file, read once: which of its rules decides about a path.
//
// The last rule that matches decides. Most rules are a plain name (`node_modules`), an extension (`*.log`) or a plain
// path (`/docs/build`), and those are found by lookup. Only the others are tried, the last one first, and only as long
// as they come behind the best that was looked up.

import type { Bytes } from '../workspace/bytes.ts';
import { compileGlob, endsInRest, folded, type Glob, isLiteral, matchesGlob } from './gitignore-pattern.ts';
import type { Effort } from './rule.ts';

/** What an ignore file says about a path, and by which rule: as `git check-ignore -v` prints it. */
export interface Decision {
  /** False when a rule with `!` brings the path back. */
  readonly ignored: boolean;
  readonly source: Bytes;
  /** Counted from 1. */
  readonly line: number;
  /** The rule as it is written, `!` and final `/` included. */
  readonly pattern: Bytes;
}

export interface IgnoreFileOptions {
  /** Match whatever the case of ASCII letters: git's `core.ignorecase`. */
  readonly ignoreCase: boolean;
}

/** The last rules under one key. A directory sees all of them, anything else only those without a final `/`. */
interface Found {
  forDirectory: Decision;
  forOther: Decision | null;
}

type Lookup = Map<string, Found>;

/** A rule that has to be tried. */
interface GlobRule {
  readonly decision: Decision;
  readonly directoryOnly: boolean;
  readonly glob: Glob;
}

interface Rules {
  readonly ignoreCase: boolean;
  readonly names: Lookup;
  readonly extensions: Lookup;
  /** By directory, which ends in a slash unless it is the file's own, and in it by name. */
  readonly paths: Map<string, Lookup>;
  /** The last one first. */
  readonly nameGlobs: GlobRule[];
  readonly pathGlobs: GlobRule[];
}

const BYTE_ORDER_MARK = '\xef\xbb\xbf';
/** A pattern in any directory: what follows, if it has no slash, is a pattern for names. */
const ANYWHERE = /^\/?(?:\*\*+\/)+(?=[^/]*$)/;
const EXTENSION = /^\*\.[^.*?[\\]*$/;

/** Reads an ignore file; `source` is what its decisions call it. */
export function parseIgnoreFile(content: Bytes, source: Bytes, { ignoreCase }: IgnoreFileOptions): IgnoreFile {
  const rules: Rules = {
    ignoreCase,
    names: new Map(),
    extensions: new Map(),
    paths: new Map(),
    nameGlobs: [],
    pathGlobs: [],
  };
  const text = content.startsWith(BYTE_ORDER_MARK) ? content.slice(BYTE_ORDER_MARK.length) : content;
  for (const [index, line] of text.split('\n').entries()) {
    const pattern = line.startsWith('#') ? '' : patternOf(line);
    if (pattern === '') continue;
    addRule(rules, { ignored: !pattern.startsWith('!'), source, line: index + 1, pattern: pattern as Bytes });
  }
  rules.nameGlobs.reverse();
  rules.pathGlobs.reverse();
  return new IgnoreFile(rules);
}

/** A line without its line end and trailing spaces; a space with a backslash before it stays. Tabs stay, too. */
function patternOf(line: string): string {
  let end = line.indexOf('\0');
  // git: a NUL ends the pattern; of several carriage returns at the end of a line only the last belongs to its end.
  if (end < 0) end = line.endsWith('\r') ? line.length - 1 : line.length;
  const last = end;
  while (line[end - 1] === ' ') end--;
  let backslashes = 0;
  while (line[end - 1 - backslashes] === '\\') backslashes++;
  return line.slice(0, backslashes % 2 === 1 ? Math.min(end + 1, last) : end);
}

function addRule(rules: Rules, decision: Decision): void {
  const directoryOnly = decision.pattern.endsWith('/');
  const written = decision.pattern.slice(decision.ignored ? 0 : 1, directoryOnly ? -1 : undefined);
  const pattern = written.replace(ANYWHERE, '');
  const key = rules.ignoreCase ? folded(pattern) : pattern;
  if (!pattern.includes('/')) {
    if (isLiteral(pattern)) addFound(rules.names, key, decision, directoryOnly);
    else if (EXTENSION.test(pattern)) addFound(rules.extensions, key.slice(1), decision, directoryOnly);
    else addGlob(rules.nameGlobs, pattern, decision, directoryOnly, rules.ignoreCase);
    return;
  }
  const start = pattern.startsWith('/') ? 1 : 0;
  if (isLiteral(pattern)) {
    const name = key.lastIndexOf('/') + 1;
    addFound(pathsIn(rules, key.slice(start, name)), key.slice(name), decision, directoryOnly);
  } else {
    addGlob(rules.pathGlobs, pattern.slice(start), decision, directoryOnly, rules.ignoreCase);
  }
}

function pathsIn(rules: Rules, directory: string): Lookup {
  let found = rules.paths.get(directory);
  if (found === undefined) {
    found = new Map();
    rules.paths.set(directory, found);
  }
  return found;
}

/** Rules come in the order of their lines, so a later one takes the place of an earlier. */
function addFound(lookup: Lookup, key: string, decision: Decision, directoryOnly: boolean): void {
  const before = directoryOnly ? (lookup.get(key)?.forOther ?? null) : decision;
  lookup.set(key, { forDirectory: decision, forOther: before });
}

function addGlob(globs: GlobRule[], pattern: string, decision: Decision, directoryOnly: boolean, ignoreCase: boolean) {
  const glob = compileGlob(pattern, ignoreCase);
  if (glob !== null) globs.push({ decision, directoryOnly, glob });
}

export class IgnoreFile {
  /** Its rules as the directory sees them that the file stands in. */
  readonly scope: IgnoreScope;

  constructor(rules: Rules) {
    this.scope = new IgnoreScope(rules, '', rules.pathGlobs);
  }

  /**
   * What the file says about a path below its directory; null when no rule matches. Only the path itself is asked
   * about: that a directory above it is ignored, an `IgnoreChain` knows.
   */
  decide(path: Bytes, isDirectory: boolean, effort: Effort): Decision | null {
    const name = path.lastIndexOf('/') + 1;
    return this.scope.below(path.slice(0, name)).decide(subjectOf(path.slice(name) as Bytes), isDirectory, effort);
  }
}

/** A name, as the lookups need it. */
export interface Subject {
  readonly name: Bytes;
  /** From its last dot on; null when it has none. */
  readonly extension: string | null;
}

export function subjectOf(name: Bytes): Subject {
  const dot = name.lastIndexOf('.');
  return { name, extension: dot < 0 ? null : name.slice(dot) };
}

/** A rule about paths, seen from one directory. */
interface PathGlobRule extends GlobRule {
  /** What a name in this directory has to begin with. */
  readonly namePrefix: string;
  /** What a rule that ends in `**` says: the same of every name that begins so. Null until it was asked. */
  matchesAll: boolean | null;
}

/**
 * An ignore file, seen from one directory: its own, or one below. Only the rules that can still match are kept, so that
 * most directories need to put no path together.
 */
export class IgnoreScope {
  readonly #rules: Rules;
  /** Relative to the file's own directory; ends in a slash unless it is that. */
  readonly #directory: string;
  readonly #paths: Lookup | undefined;
  readonly #pathGlobs: readonly PathGlobRule[];

  constructor(rules: Rules, directory: string, pathGlobs: readonly GlobRule[]) {
    this.#rules = rules;
    this.#directory = directory;
    this.#paths = rules.paths.get(directory);
    this.#pathGlobs = pathGlobs.map(({ decision, directoryOnly, glob }) => ({
      decision,
      directoryOnly,
      glob,
      namePrefix: glob.prefix.slice(directory.length),
      matchesAll: null,
    }));
  }

  /** Whether there is no rule at all in the file. */
  get isEmpty(): boolean {
    const { names, extensions, paths, nameGlobs, pathGlobs } = this.#rules;
    return names.size + extensions.size + paths.size + nameGlobs.length + pathGlobs.length === 0;
  }

  /** The same file, seen from `directory` in this one. */
  below(directory: string): IgnoreScope {
    // Where no rule asks for a path, all directories look alike.
    if (this.#rules.paths.size === 0 && this.#pathGlobs.length === 0) return this;
    const path = this.#directory + (this.#rules.ignoreCase ? folded(directory) : directory);
    const globs = this.#pathGlobs.filter(({ glob }) => glob.prefix.startsWith(path) || path.startsWith(glob.prefix));
    return new IgnoreScope(this.#rules, path, globs);
  }

  decide(subject: Subject, isDirectory: boolean, effort: Effort): Decision | null {
    const { ignoreCase, names, extensions, nameGlobs } = this.#rules;
    const { name, extension } = ignoreCase ? foldedSubject(subject) : subject;
    effort.steps++;
    let best = names.size === 0 ? null : later(null, names.get(name), isDirectory);
    if (extension !== null && extensions.size > 0) best = later(best, extensions.get(extension), isDirectory);
    if (this.#paths !== undefined) best = later(best, this.#paths.get(name), isDirectory);
    best = lastMatch(nameGlobs, name, isDirectory, best, effort);
    return this.#pathGlobs.length === 0 ? best : this.#lastPathMatch(name, isDirectory, best, effort);
  }

  /** The last of the rules about paths that matches, if it comes behind `best`. */
  #lastPathMatch(name: string, isDirectory: boolean, best: Decision | null, effort: Effort): Decision | null {
    for (const rule of this.#pathGlobs) {
      if (best !== null && rule.decision.line < best.line) return best;
      if (!isDirectory && rule.directoryOnly) continue;
      // Perf: nearly every name is refused by its beginning or its end, before the path is put together.
      effort.steps++;
      if (!name.startsWith(rule.namePrefix) || !name.endsWith(rule.glob.tail)) continue;
      if (this.#matchesPath(rule, name, effort)) return rule.decision;
    }
    return best;
  }

  #matchesPath(rule: PathGlobRule, name: string, effort: Effort): boolean {
    if (!endsInRest(rule.glob)) return matchesGlob(rule.glob, this.#directory + name, effort);
    rule.matchesAll ??= matchesGlob(rule.glob, this.#directory + name, effort);
    return rule.matchesAll;
  }
}

function foldedSubject({ name, extension }: Subject): { name: string; extension: string | null } {
  return { name: folded(name), extension: extension === null ? null : folded(extension) };
}

function later(best: Decision | null, found: Found | undefined, isDirectory: boolean): Decision | null {
  const decision = isDirectory ? found?.forDirectory : found?.forOther;
  if (decision === undefined || decision === null) return best;
  return best === null || decision.line > best.line ? decision : best;
}

/** The last of the rules that matches, if it comes behind `best`. */
function lastMatch(
  globs: readonly GlobRule[],
  text: string,
  isDirectory: boolean,
  best: Decision | null,
  effort: Effort,
): Decision | null {
  for (const { decision, directoryOnly, glob } of globs) {
    if (best !== null && decision.line < best.line) return best;
    if ((isDirectory || !directoryOnly) && matchesGlob(glob, text, effort)) return decision;
  }
  return best;
}
