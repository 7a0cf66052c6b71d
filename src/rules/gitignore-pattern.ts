// One gitignore pattern on one path, in time proportional to pattern × path.
//
//     *    any run of bytes without a slash      **/  at the start or behind a slash: any directories, or none
//     ?    one byte that is no slash             /**  at the end: everything below
//     [a]  one byte of a set                     \*   the byte itself
//
// Any other `**` is `*`. A character is a byte, as git counts. A pattern that cannot be read (an unclosed bracket, an
// unknown class, a backslash at its end) matches nothing. Oddities of git are kept, and marked with "git:".

import { accepts, type ByteSet, readBracket } from './gitignore-bracket.ts';
import type { Effort } from './rule.ts';

/** One byte, one of a set of them, or one of the marks below. */
type Token = number | ByteSet;

/** `?` */
const ANY = -1;
/** `*` */
const STAR = -2;
/** A `**` and its slash: any number of whole directories. */
const DIRECTORIES = -3;
/** A `**` at the end: whatever is left. */
const REST = -4;
/** Behind the last token. */
const END = -5;

const SLASH = 0x2f;
const SPECIAL = /[*?[\\]/;

export interface Glob {
  /** What stands before the first special character. */
  readonly prefix: string;
  readonly tokens: readonly Token[];
  /** How many bytes a match has at least. */
  readonly shortest: number;
  /** What stands behind the last special character and the last slash, or the end of it: a match ends in it. */
  readonly tail: string;
  /** What the last byte has to be; null when it may be any. */
  readonly last: Token | null;
}

/** Whether a pattern is its own and only match. */
export function isLiteral(pattern: string): boolean {
  return !SPECIAL.test(pattern);
}

/**
 * Whether it ends in a `**` that takes whatever is left. What it says of the names in a directory that begin with its
 * prefix depends on the directory alone: before the stars stands a slash, or nothing but the prefix.
 */
export function endsInRest({ tokens }: Glob): boolean {
  return tokens.at(-1) === REST;
}

/** Lower case, for ASCII alone: git folds no other letter. */
export function folded(text: string): string {
  // Perf: most names have no capital, and asking costs less than replacing.
  return /[A-Z]/.test(text) ? text.replace(/[A-Z]+/g, (capitals) => capitals.toLowerCase()) : text;
}

/** Each stands for a byte, and no path that the system takes has as many. */
const MOST_BRACKETS = 8192;

/** A pattern ready for use, or null when it can match nothing. With `ignoreCase` it is meant for folded paths. */
export function compileGlob(pattern: string, ignoreCase: boolean): Glob | null {
  const plain = ignoreCase ? folded(pattern) : pattern;
  const special = pattern.search(SPECIAL);
  const start = special < 0 ? pattern.length : special;
  const tokens: Token[] = [];
  let brackets = 0;
  for (let at = start; at < pattern.length; at++) {
    switch (pattern[at]) {
      case '*':
        at = readStars(pattern, at, start, tokens) - 1;
        break;
      case '?':
        tokens.push(ANY);
        break;
      case '[': {
        const bracket = ++brackets > MOST_BRACKETS ? null : readBracket(pattern, at, ignoreCase);
        if (bracket === null) return null;
        tokens.push(bracket.set);
        at = bracket.end;
        break;
      }
      case '\\':
        if (++at === pattern.length) return null;
        // git: an escaped capital is not folded, so that it matches nothing when case is ignored.
        tokens.push(pattern.charCodeAt(at));
        break;
      default:
        tokens.push(plain.charCodeAt(at));
    }
  }
  const last = tokens.at(-1) ?? END;
  return {
    prefix: plain.slice(0, start),
    tokens,
    shortest: start + tokens.filter(takesAByte).length,
    tail: tailOf(tokens),
    last: takesAByte(last) ? last : null,
  };
}

/** Bytes that are enough to refuse a name by its end. */
const LONGEST_TAIL = 32;

function tailOf(tokens: readonly Token[]): string {
  const end = tokens.slice(-LONGEST_TAIL);
  const from = end.findLastIndex((token) => typeof token !== 'number' || token < 0 || token === SLASH) + 1;
  return String.fromCharCode(...(end.slice(from) as number[]));
}

/** Adds what the run of stars at `at` means, and returns where the pattern goes on. */
function readStars(pattern: string, at: number, start: number, tokens: Token[]): number {
  let end = at;
  while (pattern[end] === '*') end++;
  // git: the prefix is cut off before the pattern is read, so that the stars of `a**/b` stand at the start: it matches
  // `ab`, `a/b` and `ax/y/b`. In `?**/b`, which has no prefix, they are plain ones.
  const isWhole = end - at > 1 && (at === start || pattern[at - 1] === '/');
  if (isWhole && end === pattern.length) {
    tokens.push(REST);
    return end;
  }
  if (isWhole && pattern[end] === '/') {
    tokens.push(DIRECTORIES);
    return end + 1;
  }
  // git: when its slash is escaped, a `**` stands for one directory at least.
  if (isWhole && pattern.startsWith('\\/', end)) tokens.push(DIRECTORIES);
  tokens.push(STAR);
  return end;
}

function takesAByte(token: Token): boolean {
  return typeof token !== 'number' || token >= ANY;
}

/**
 * Whether the whole of `path` matches. After a mismatch only the last star is tried one byte further on, and when it
 * has come to the end of its segment, only the last `**` is, one directory further on: earlier ones could not reach
 * anything that the last one cannot. So no part between two `**` meets the same segment of the path twice.
 */
export function matchesGlob(glob: Glob, path: string, effort: Effort): boolean {
  const { prefix, tokens, tail, last } = glob;
  const { length } = path;
  // Perf: nearly every path is refused by its length, its beginning or its end.
  effort.steps++;
  if (length < glob.shortest || !path.startsWith(prefix) || !path.endsWith(tail)) return false;
  if (last !== null && !acceptsByte(last, path.charCodeAt(length - 1))) return false;
  let token = 0;
  let at = prefix.length;
  let star = -1;
  let starAt = 0;
  let directories = -1;
  let directoriesAt = 0;
  for (;;) {
    effort.steps++;
    const wanted = token < tokens.length ? (tokens[token] as Token) : END;
    if (wanted === STAR) {
      star = token++;
      starAt = at;
      // Perf: a star at the end takes what is left of the segment; nothing else has to be tried.
      if (token === tokens.length && path.indexOf('/', at) < 0) return true;
    } else if (wanted === REST || (wanted === END && at === length)) {
      return true;
    } else if (wanted === DIRECTORIES) {
      directories = token++;
      directoriesAt = at;
    } else if (at < length && acceptsByte(wanted, path.charCodeAt(at))) {
      if (wanted === SLASH) star = -1;
      token++;
      at++;
    } else if (star >= 0 && starAt < length && path.charCodeAt(starAt) !== SLASH) {
      token = star + 1;
      at = ++starAt;
    } else {
      // A star that is still set is at the end of its segment, and stays there until it is met again.
      if (directories < 0) return false;
      const slash = path.indexOf('/', directoriesAt);
      if (slash < 0) return false;
      token = directories + 1;
      at = directoriesAt = slash + 1;
    }
  }
}

function acceptsByte(token: Token, byte: number): boolean {
  if (typeof token !== 'number') return accepts(token, byte);
  return token === byte || (token === ANY && byte !== SLASH);
}
