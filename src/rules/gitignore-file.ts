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

/**
 * A rule by where it stands: twice the offset of its line in the file, and one more where it begins with `!`. So of two
 * rules the larger number is the later one, and a file of a hundred thousand rules is as many numbers.
 */
type RuleNumber = number;

const NO_RULE: RuleNumber = -1;

/** By name; a rule that ends in `/` stands under the name with the slash, and only a directory is looked up there, too. */
type Lookup = Map<string, RuleNumber>;

/** A rule that has to be tried. */
interface GlobRule {
  readonly number: RuleNumber;
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
export function parseIgnoreFile(content: Bytes, source: Bytes, options: IgnoreFileOptions): IgnoreFile {
  const compiler = new IgnoreFileCompiler(content, source, options);
  while (compiler.compile(Number.POSITIVE_INFINITY));
  return compiler.file;
}

/** Reads an ignore file a piece at a time: a large one would keep everybody waiting. */
export class IgnoreFileCompiler {
  readonly #content: Bytes;
  readonly #source: Bytes;
  readonly #rules: Rules;
  #at: number;

  constructor(content: Bytes, source: Bytes, { ignoreCase }: IgnoreFileOptions) {
    this.#content = content;
    this.#source = source;
    this.#at = content.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK.length : 0;
    this.#rules = {
      ignoreCase,
      names: new Map(),
      extensions: new Map(),
      paths: new Map(),
      nameGlobs: [],
      pathGlobs: [],
    };
  }

  /** Reads further lines, `bytes` of them and the rest of the last one; false when there are no more. */
  compile(bytes: number): boolean {
    const content = this.#content;
    for (const end = this.#at + bytes; this.#at < content.length && this.#at < end; ) {
      const pattern = patternAt(content, this.#at);
      if (pattern !== '') addRule(this.#rules, pattern, this.#at);
      this.#at = lineEnd(content, this.#at) + 1;
    }
    return this.#at < content.length;
  }

  /** Once all was read. */
  get file(): IgnoreFile {
    this.#rules.nameGlobs.reverse();
    this.#rules.pathGlobs.reverse();
    return new IgnoreFile(this.#rules, new RuleTexts(this.#content, this.#source));
  }
}

function lineEnd(content: string, at: number): number {
  const end = content.indexOf('\n', at);
  return end < 0 ? content.length : end;
}

/** The pattern of the line that begins at `start`; '' where there is none. */
function patternAt(content: string, start: number): string {
  const line = content.slice(start, lineEnd(content, start));
  return line.startsWith('#') ? '' : patternOf(line);
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

function addRule(rules: Rules, whole: string, offset: number): void {
  const isNegated = whole.startsWith('!');
  const directoryOnly = whole.endsWith('/');
  const number = 2 * offset + (isNegated ? 1 : 0);
  const written = whole.slice(isNegated ? 1 : 0, directoryOnly ? -1 : undefined);
  const pattern = written.replace(ANYWHERE, '');
  const mark = directoryOnly ? '/' : '';
  const key = (rules.ignoreCase ? folded(pattern) : pattern) + mark;
  // Rules come in the order of their lines, so a later one takes the place of an earlier.
  if (!pattern.includes('/')) {
    if (isLiteral(pattern)) rules.names.set(key, number);
    else if (EXTENSION.test(pattern)) rules.extensions.set(key.slice(1), number);
    else addGlob(rules.nameGlobs, pattern, number, directoryOnly, rules.ignoreCase);
    return;
  }
  const start = pattern.startsWith('/') ? 1 : 0;
  if (isLiteral(pattern)) {
    const name = pattern.lastIndexOf('/') + 1;
    pathsIn(rules, key.slice(start, name)).set(key.slice(name), number);
  } else {
    addGlob(rules.pathGlobs, pattern.slice(start), number, directoryOnly, rules.ignoreCase);
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

function addGlob(globs: GlobRule[], pattern: string, number: RuleNumber, directoryOnly: boolean, ignoreCase: boolean) {
  const glob = compileGlob(pattern, ignoreCase);
  if (glob !== null) globs.push({ number, directoryOnly, glob });
}

/** Gives the rules of a file back as they are written, with their lines. */
class RuleTexts {
  readonly #content: Bytes;
  readonly #source: Bytes;
  /** Where each line ends; null until the first rule is asked for. */
  #ends: number[] | null = null;
  /** Perf: a few rules decide about nearly everything. */
  readonly #known = new Map<RuleNumber, Decision>();

  constructor(content: Bytes, source: Bytes) {
    this.#content = content;
    this.#source = source;
  }

  decision(number: RuleNumber): Decision {
    const before = this.#known.get(number);
    if (before !== undefined) return before;
    if (this.#known.size >= MOST_KNOWN) this.#known.clear();
    const offset = number >> 1;
    const pattern = patternAt(this.#content, offset) as Bytes;
    const decision = { ignored: (number & 1) === 0, source: this.#source, line: this.#lineAt(offset), pattern };
    this.#known.set(number, decision);
    return decision;
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

const MOST_KNOWN = 1000;

function lineEnds(content: string): number[] {
  const ends: number[] = [];
  for (let at = content.indexOf('\n'); at >= 0; at = content.indexOf('\n', at + 1)) ends.push(at);
  return ends;
}

/** Told from any other that was ever compiled. */
let compiled = 0;

export class IgnoreFile {
  /** Its rules as the directory sees them that the file stands in. */
  readonly scope: IgnoreScope;
  readonly serial = ++compiled;

  constructor(rules: Rules, texts: RuleTexts) {
    this.scope = new IgnoreScope(rules, texts, '', rules.pathGlobs);
  }

  /**
   * What the file says about a path below its directory; null when no rule matches. Only the path itself is asked
   * about: that a directory above it is ignored, an `IgnoreChain` knows.
   */
  decide(path: Bytes, isDirectory: boolean, effort: Effort): Decision | null {
    const name = path.lastIndexOf('/') + 1;
    const scope = this.scope.below(path.slice(0, name), effort);
    return scope.decide(subjectOf(path.slice(name) as Bytes), isDirectory, effort);
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
  readonly #texts: RuleTexts;
  /** Relative to the file's own directory; ends in a slash unless it is that. */
  readonly #directory: string;
  readonly #paths: Lookup | undefined;
  readonly #pathGlobs: readonly PathGlobRule[];

  constructor(rules: Rules, texts: RuleTexts, directory: string, pathGlobs: readonly GlobRule[]) {
    this.#rules = rules;
    this.#texts = texts;
    this.#directory = directory;
    this.#paths = rules.paths.get(directory);
    this.#pathGlobs = pathGlobs.map(({ number, directoryOnly, glob }) => ({
      number,
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
  below(directory: string, effort: Effort): IgnoreScope {
    // Where no rule asks for a path, all directories look alike.
    if (this.#rules.paths.size === 0 && this.#pathGlobs.length === 0) return this;
    const path = this.#directory + (this.#rules.ignoreCase ? folded(directory) : directory);
    effort.steps += 2 * this.#pathGlobs.length;
    const globs = this.#pathGlobs.filter(({ glob }) => glob.prefix.startsWith(path) || path.startsWith(glob.prefix));
    return new IgnoreScope(this.#rules, this.#texts, path, globs);
  }

  decide(subject: Subject, isDirectory: boolean, effort: Effort): Decision | null {
    const { ignoreCase, names, extensions, nameGlobs } = this.#rules;
    const { name, extension } = ignoreCase ? foldedSubject(subject) : subject;
    effort.steps++;
    let best = names.size === 0 ? NO_RULE : lastIn(names, name, isDirectory);
    if (extension !== null && extensions.size > 0) best = Math.max(best, lastIn(extensions, extension, isDirectory));
    if (this.#paths !== undefined) best = Math.max(best, lastIn(this.#paths, name, isDirectory));
    best = lastMatch(nameGlobs, name, isDirectory, best, effort);
    if (this.#pathGlobs.length > 0) best = this.#lastPathMatch(name, isDirectory, best, effort);
    return best === NO_RULE ? null : this.#texts.decision(best);
  }

  /** The last of the rules about paths that matches, if it comes behind `best`. */
  #lastPathMatch(name: string, isDirectory: boolean, best: RuleNumber, effort: Effort): RuleNumber {
    for (const rule of this.#pathGlobs) {
      if (rule.number < best) return best;
      if (!isDirectory && rule.directoryOnly) continue;
      // Perf: nearly every name is refused by its beginning or its end, before the path is put together.
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

function foldedSubject({ name, extension }: Subject): { name: string; extension: string | null } {
  return { name: folded(name), extension: extension === null ? null : folded(extension) };
}

function lastIn(lookup: Lookup, key: string, isDirectory: boolean): RuleNumber {
  const found = lookup.get(key) ?? NO_RULE;
  return isDirectory ? Math.max(found, lookup.get(`${key}/`) ?? NO_RULE) : found;
}

/** The last of the rules that matches, if it comes behind `best`. */
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
