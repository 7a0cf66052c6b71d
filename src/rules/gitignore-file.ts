// Compiles an ignore file, so that the rule that decides about a path can be found quickly.
//
// The last rule that matches decides. Most rules are a plain name (`node_modules`), an extension (`*.log`) or a plain
// path (`/docs/build`), and are found by lookup. Only the others are matched, starting with the last, and only if they
// come after the best rule found by lookup.
import { lineEnd, withoutByteOrderMark } from '../git/config.ts';
import { bytesOf, compileGlob, type Glob, isLiteral, tailsOf } from '../git/wildmatch.ts';
import { type Bytes, lowerCaseAscii } from '../names/bytes.ts';
import { memoized } from '../names/memoized.ts';
import { firstIndex } from '../names/ranges.ts';
import { type CompiledRules, type GlobRule, IgnoreScope, PathGlobs, type VerdictOf } from './ignore-scope.ts';
import type { Origin } from './rule.ts';
import { RuleFilter } from './rule-filter.ts';

export interface IgnoreFileOptions {
  /** Ignore the case of ASCII letters: git's `core.ignorecase`. */
  readonly ignoreCase: boolean;
  /** @default 'git' */
  readonly by?: Origin;
}

/** The start of a pattern that applies in any directory. The rest has no slash, so it is a pattern for names. */
const ANYWHERE = /^\/?(?:\*\*+\/)+(?=[^/]*$)/;
const EXTENSION = /^\*\.[^.*?[\\]*$/;

export interface IgnoreFile {
  /** The scope of the file's own directory. */
  readonly scope: IgnoreScope;
  /** Unique among all files ever compiled in this process. */
  readonly serial: number;
}

let compiled = 0;

/**
 * Compiles an ignore file in parts, because a large one would block the event loop: each call compiles about so many
 * bytes, in whole lines, and the last one returns the file. Verdicts name its `source`.
 */
export function ignoreFileCompiler(content: Bytes, source: Bytes, { ignoreCase, by = 'git' }: IgnoreFileOptions) {
  const rules: CompiledRules = {
    ignoreCase,
    filter: new RuleFilter(ignoreCase),
    names: new Map(),
    extensions: new Map(),
    paths: new Map(),
    pathParents: new Set(),
    nameGlobs: [],
    pathGlobs: new PathGlobs('', ignoreCase),
    dormant: new Map(),
    dormantFilter: new RuleFilter(ignoreCase),
    aboutNames: null,
  };
  let at = content.length - withoutByteOrderMark(content).length;
  return (bytes: number): IgnoreFile | null => {
    for (const end = at + bytes; at < content.length && at < end; ) {
      const pattern = patternAt(content, at);
      if (pattern !== '') addRule(rules, pattern, at);
      at = lineEnd(content, at) + 1;
    }
    if (at < content.length) return null;
    rules.nameGlobs.reverse();
    rules.pathGlobs.rules.reverse();
    const scope = new IgnoreScope(rules, verdictsOf(by, content, source), '', true, rules.pathGlobs);
    return { scope, serial: ++compiled };
  };
}

/**
 * Returns the pattern of the line that begins at `start`; '' if it has none. The line end and trailing spaces are not part
 * of it, but tabs and a space after a backslash are.
 */
function patternAt(content: string, start: number): string {
  const line = content.slice(start, lineEnd(content, start));
  if (line.startsWith('#')) return '';
  let end = line.indexOf('\0');
  // git: a NUL ends the pattern. If a line ends in several carriage returns, only the last is removed.
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
  // Rules are added in line order, so a later one replaces an earlier one.
  if (!pattern.includes('/')) {
    if (isLiteral(pattern)) {
      rules.names.set(key, number);
      rules.filter.addName(pattern, directoryOnly);
    } else if (EXTENSION.test(pattern)) {
      rules.extensions.set(key.slice(1), number);
      rules.filter.addTail(pattern.slice(1), directoryOnly);
    } else {
      const glob = compileGlob(pattern, rules.ignoreCase);
      if (glob === null) return;
      rules.nameGlobs.push({ number, directoryOnly, glob });
      filterBy(glob, directoryOnly, rules.filter);
    }
    return;
  }
  const start = pattern.startsWith('/') ? 1 : 0;
  if (isLiteral(pattern)) {
    const name = pattern.lastIndexOf('/') + 1;
    const directory = key.slice(start, name);
    addParents(rules, directory);
    const known = rules.paths.get(directory) ?? { lookup: new Map(), filter: new RuleFilter(rules.ignoreCase) };
    rules.paths.set(directory, known);
    known.lookup.set(key.slice(name), number);
    known.filter.addName(pattern.slice(name), directoryOnly);
  } else {
    const glob = compileGlob(pattern.slice(start), rules.ignoreCase);
    if (glob !== null) addPathGlob(rules, { number, directoryOnly, glob });
  }
}

function addPathGlob(rules: CompiledRules, rule: GlobRule): void {
  const { prefix, within } = rule.glob;
  if (prefix !== '' || within === null) {
    rules.pathGlobs.add(rule);
    return;
  }
  const others = rules.dormant.get(within);
  if (others !== undefined) others.push(rule);
  else rules.dormant.set(within, [rule]);
  rules.dormantFilter.addName(within, true);
}

/** In bytes. The time that it takes to add all parents of a path grows with the square of its length. */
const LONGEST_PARENT = 128;

function addParents(rules: CompiledRules, directory: string): void {
  if (directory.length > LONGEST_PARENT) rules.pathParents = null;
  else
    for (let end = directory.indexOf('/'); end >= 0; end = directory.indexOf('/', end + 1))
      rules.pathParents?.add(directory.slice(0, end + 1));
}

/** Adds a glob to a filter: by its literal ends if it has any, otherwise by the end where fewer bytes are possible. */
function filterBy(glob: Glob, directoryOnly: boolean, filter: RuleFilter): void {
  const { prefix, first, last, inside } = glob;
  const known = tailsOf(glob);
  if (known !== null) {
    for (const tail of known) filter.addPattern(prefix, tail, directoryOnly);
    return;
  }
  const [heads, tails] = [bytesOf(first), bytesOf(last)];
  const fewest = heads.length < tails.length ? heads : tails;
  if (prefix !== '' || fewest.length > MAX_BYTES) filter.addPattern(prefix, '', directoryOnly, inside);
  else filter.addBytes(fewest, fewest === tails, directoryOnly);
}

/** Out of 256. */
const MAX_BYTES = 128;

/** Finds the text and line of a rule. Perf: cached, because a few rules decide about nearly everything. */
function verdictsOf(by: Origin, content: Bytes, source: Bytes): VerdictOf {
  /** The end of each line; empty until the first rule is looked up. */
  let ends: readonly number[] = [];
  return memoized(1000, (number) => {
    const offset = number >> 1;
    const pattern = patternAt(content, offset) as Bytes;
    if (ends.length === 0) ends = lineEnds(content);
    const line = firstIndex(ends.length, (i) => (ends[i] as number) >= offset) + 1;
    return { by, hidden: (number & 1) === 0, source, line, pattern };
  });
}

function lineEnds(content: string): number[] {
  const ends: number[] = [];
  for (let at = content.indexOf('\n'); at >= 0; at = content.indexOf('\n', at + 1)) ends.push(at);
  return ends;
}
