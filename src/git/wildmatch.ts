// Matches one path against one gitignore pattern, in time proportional to pattern × path.
//
//     *    any run of bytes without a slash      **/  at the start or after a slash: any directories, or none
//     ?    one byte other than a slash           /**  at the end: everything below
//     [a]  one byte of a set                     \*   the byte itself
//
// Any other `**` is `*`. A character is a byte, as in git. An invalid pattern (an unclosed bracket, an unknown class, a
// backslash at its end) matches nothing. Git's own quirks are kept, and marked with "git:".
import { lowerCaseAscii, SLASH } from '../names/bytes.ts';
import type { Effort } from '../workspace/budget.ts';

/** One byte, a set of bytes, or one of the constants below. */
type ByteToken = number | ByteSet;

/** `?` */
const ANY_BYTE = -1;
/** `*` */
const SEGMENT_STAR = -2;
/** A `**` and its slash: any number of whole directories. */
const DIRECTORIES = -3;
/** A `**` at the end: the rest of the path. */
const REST = -4;
/** Stands for the position after the last token. */
const END = -5;
const SPECIAL = /[*?[\\]/;

export type Glob = NonNullable<ReturnType<typeof compileGlob>>;

/** Returns true if the pattern matches only itself. */
export function isLiteral(pattern: string): boolean {
  return !SPECIAL.test(pattern);
}

/** True for a final `**`. For names that begin with the prefix, the result then depends on the directory alone. */
export function endsInRest({ tokens }: Glob): boolean {
  return tokens.at(-1) === REST;
}

/** Each bracket matches one byte, and no path of the system is this long. */
const MAX_BRACKETS = 8192;

/** Returns null if a pattern can match nothing. With `ignoreCase` the glob is for paths in lower case. */
export function compileGlob(pattern: string, ignoreCase: boolean) {
  const plain = ignoreCase ? lowerCaseAscii(pattern) : pattern;
  const special = pattern.search(SPECIAL);
  const start = special < 0 ? pattern.length : special;
  const tokens: ByteToken[] = [];
  let brackets = 0;
  for (let at = start; at < pattern.length; at++) {
    switch (pattern[at]) {
      case '*':
        at = readStars(pattern, at, start, tokens) - 1;
        break;
      case '?':
        tokens.push(ANY_BYTE);
        break;
      case '[': {
        const bracket = ++brackets > MAX_BRACKETS ? null : readBracket(pattern, at, ignoreCase);
        if (bracket === null) return null;
        tokens.push(bracket.set);
        at = bracket.end;
        break;
      }
      case '\\':
        if (++at === pattern.length) return null;
        // git: an escaped capital keeps its case, so it matches nothing when case is ignored.
        tokens.push(pattern.charCodeAt(at));
        break;
      default:
        tokens.push(plain.charCodeAt(at));
    }
  }
  const [first = END, last = END] = [tokens[0], tokens.at(-1)];
  const prefix = plain.slice(0, start);
  const mayVary = tokens.includes(DIRECTORIES) || tokens.includes(REST);
  return {
    /** The literal text before the first special character. */
    prefix,
    tokens,
    /** The number of slashes in every match; null if it varies. */
    slashes: mayVary ? null : slashesIn(prefix) + tokens.filter((token) => token === SLASH).length,
    /** The length of the shortest match. */
    shortest: start + tokens.filter(takesAByte).length,
    /** The literal end that all matches share, within their last segment. */
    tail: tailOf(tokens),
    /** The literal start of their last segments, and a literal part of them; '' if there is none. */
    ...lastSegmentOf(prefix, tokens),
    /** The name of a directory on the path of every match; null if none is certain. */
    within: withinOf(plain),
    /** The tokens of the first and of the last byte; null if any byte may be there, or the prefix determines it. */
    first: start === 0 && takesAByte(first) ? first : null,
    last: takesAByte(last) ? last : null,
  };
}

export function slashesIn(path: string): number {
  return path.split('/').length - 1;
}

const EVERY_BYTE: readonly number[] = Array.from({ length: 256 }, (_, byte) => byte);

/** Returns the bytes that a single-byte token matches; all bytes for null. */
export function bytesOf(token: ByteToken | null): readonly number[] {
  return token === null ? EVERY_BYTE : EVERY_BYTE.filter((byte) => acceptsByte(token, byte));
}

/** Finds `within`. git: it stops at stars that are part of a name, and where a bracket may contain a slash. */
function withinOf(pattern: string): string | null {
  let found: string | null = null;
  for (const name of pattern.split('/').slice(0, -1)) {
    if (name !== '**' && /[[\\]|\*\*/.test(name)) break;
    if (isLiteral(name)) found = name;
  }
  return found;
}

/** Returns the literal ends of all matches if they are few (`*.py[co]` has two), otherwise null. */
export function tailsOf({ tokens, tail, last }: Glob): readonly string[] | null {
  if (tail !== '' || last === null) return tail === '' ? null : [tail];
  const before = tailOf(tokens.slice(0, -1));
  const bytes = bytesOf(last);
  return bytes.length > MAX_TAILS ? null : bytes.map((byte) => before + String.fromCharCode(byte));
}

const MAX_TAILS = 4;
/** In bytes. This many are enough to reject a name by its end. */
const LONGEST_TAIL = 32;

function tailOf(tokens: readonly ByteToken[]): string {
  const end = tokens.slice(-LONGEST_TAIL);
  const from = end.findLastIndex((token) => typeof token !== 'number' || token < 0 || token === SLASH) + 1;
  return String.fromCharCode(...(end.slice(from) as number[]));
}

/** Finds the literal start of the last segment, and the first literal part after that. */
function lastSegmentOf(prefix: string, tokens: readonly ByteToken[]): { head: string; inside: string } {
  const from = tokens.findLastIndex((token) => token === SLASH || token === DIRECTORIES || token === REST) + 1;
  const before = from === 0 ? prefix.slice(prefix.lastIndexOf('/') + 1) : '';
  const text = tokens
    .slice(from, from + LONGEST_TAIL)
    .map((token) => (typeof token === 'number' && token >= 0 ? token : 0));
  const [first = '', ...runs] = (before + String.fromCharCode(...text)).split('\0');
  // git: `a**/b` also matches `ab`, so what follows the stars need not be the start of a segment.
  const isStart = tokens[from - 1] !== DIRECTORIES || from > 1 || prefix === '' || prefix.endsWith('/');
  return { head: isStart && tokens[from - 1] !== REST ? first : '', inside: runs.find((run) => run !== '') ?? '' };
}

/** Adds the tokens for the run of stars at `at`, and returns the end of the run. */
function readStars(pattern: string, at: number, start: number, tokens: ByteToken[]): number {
  let end = at;
  while (pattern[end] === '*') end++;
  // git: the prefix is cut off before the pattern is read. So the stars of `a**/b` are at the start, and it matches
  // `ab`, `a/b` and `ax/y/b`. In `?**/b`, which has no prefix, they are plain stars.
  const isWhole = end - at > 1 && (at === start || pattern[at - 1] === '/');
  if (isWhole && end === pattern.length) {
    tokens.push(REST);
    return end;
  }
  if (isWhole && pattern[end] === '/') {
    tokens.push(DIRECTORIES);
    return end + 1;
  }
  // git: with an escaped slash, a `**` matches at least one directory.
  if (isWhole && pattern.startsWith('\\/', end)) tokens.push(DIRECTORIES);
  tokens.push(SEGMENT_STAR);
  return end;
}

const takesAByte = (token: ByteToken): boolean => typeof token !== 'number' || token >= ANY_BYTE;

/**
 * Matches the whole of `path`. After a mismatch only the last star is tried again, one byte further on, and at the end
 * of its segment the last `**`, one directory further on. Earlier ones could not reach anything that the last cannot.
 */
export function matchesGlob(glob: Glob, path: string, effort: Effort): boolean {
  const { prefix, tokens, tail, last, inside } = glob;
  const { length } = path;
  // Perf: nearly every path is rejected by its length, its beginning or its end.
  effort.steps++;
  if (length < glob.shortest || !path.startsWith(prefix) || !path.endsWith(tail)) return false;
  if (inside !== '' && !path.includes(inside)) return false;
  if (last !== null && !acceptsByte(last, path.charCodeAt(length - 1))) return false;
  let token = 0;
  let at = prefix.length;
  let star = -1;
  let starAt = 0;
  let directories = -1;
  let directoriesAt = 0;
  for (;;) {
    effort.steps++;
    const wanted = token < tokens.length ? (tokens[token] as ByteToken) : END;
    if (wanted === SEGMENT_STAR) {
      star = token++;
      starAt = at;
      // Perf: a final star matches the rest of the segment, so nothing else has to be tried.
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
      // A star that is still set has reached the end of its segment. It stays there until it is set again.
      if (directories < 0) return false;
      const slash = path.indexOf('/', directoriesAt);
      if (slash < 0) return false;
      token = directories + 1;
      at = directoriesAt = slash + 1;
    }
  }
}

function acceptsByte(token: ByteToken, byte: number): boolean {
  if (typeof token !== 'number') return (((token[byte >> 5] as number) >>> (byte & 31)) & 1) === 1;
  return token === byte || (token === ANY_BYTE && byte !== SLASH);
}

/** A bit for each byte, 32 to a word. */
type ByteSet = Uint32Array;

/** As low, high, low, high, … git: VT and FF are not spaces, and classes contain only ASCII. */
const CLASSES: ReadonlyMap<string, readonly number[]> = new Map([
  ['alnum', [0x30, 0x39, 0x41, 0x5a, 0x61, 0x7a]],
  ['alpha', [0x41, 0x5a, 0x61, 0x7a]],
  ['blank', [0x09, 0x09, 0x20, 0x20]],
  ['cntrl', [0x01, 0x1f, 0x7f, 0x7f]],
  ['digit', [0x30, 0x39]],
  ['graph', [0x21, 0x7e]],
  ['lower', [0x61, 0x7a]],
  ['print', [0x20, 0x7e]],
  ['punct', [0x21, 0x2f, 0x3a, 0x40, 0x5b, 0x60, 0x7b, 0x7e]],
  ['space', [0x09, 0x0a, 0x0d, 0x0d, 0x20, 0x20]],
  ['upper', [0x41, 0x5a]],
  ['xdigit', [0x30, 0x39, 0x41, 0x46, 0x61, 0x66]],
]);

/**
 * Reads the bracket that opens at `open` as the set of bytes that it accepts, and the position of its closing `]`; null
 * if it is invalid, and the pattern matches nothing. A slash is never accepted, whatever the bracket says.
 *
 *     [abc] [a-c] [\]]   one of these        []a]  a bracket right at the start belongs to the set
 *     [!abc] [^abc]      one other than      [[:alpha:]]  a class of ASCII
 */
function readBracket(pattern: string, open: number, ignoreCase: boolean): { set: ByteSet; end: number } | null {
  const set = new Uint32Array(8);
  let at = open + 1;
  let nextClose = -1;
  const take = (character: string) => pattern[at] === character && ++at > 0;
  /** Takes a byte, or the one after a backslash. */
  const takeByte = () => {
    take('\\');
    return pattern.charCodeAt(at++);
  };
  const negated = take('!') || take('^');
  for (let isFirst = true; at < pattern.length; isFirst = false) {
    if (!isFirst && take(']')) return { set: completed(set, negated), end: at - 1 };
    if (pattern.startsWith('[:', at)) {
      // Perf: a row of `[:` that are not classes searches for the next `]` only once.
      if (nextClose < at + 2) nextClose = pattern.indexOf(']', at + 2);
      if (nextClose < 0) return null;
      if (nextClose > at + 2 && pattern[nextClose - 1] === ':') {
        const ranges = CLASSES.get(pattern.slice(at + 2, nextClose - 1));
        if (ranges === undefined) return null;
        for (let i = 0; i < ranges.length; i += 2) {
          addRange(set, ranges[i] as number, ranges[i + 1] as number, ignoreCase);
        }
        at = nextClose + 1;
        continue;
      }
    }
    const low = takeByte();
    // git: a single byte in a bracket keeps its case, so `[A]` accepts nothing when case is ignored. The low end of a
    // range also stands for itself, so `[b-a]` accepts `b`.
    addByte(set, low);
    // A hyphen right before the end is part of the set.
    if (pattern[at + 1] !== ']' && take('-')) addRange(set, low, takeByte(), ignoreCase);
  }
  return null;
}

function addByte(set: ByteSet, byte: number): void {
  set[byte >> 5] = (set[byte >> 5] as number) | (1 << (byte & 31));
}

/** Unlike a single byte, a range does respect `ignoreCase`: `[A-C]` then accepts `b`, and so does `[[:upper:]]`. */
function addRange(set: ByteSet, low: number, high: number, ignoreCase: boolean): void {
  for (let byte = low; byte <= high; byte++) {
    addByte(set, byte);
    if (ignoreCase && byte >= 0x41 && byte <= 0x5a) addByte(set, byte + 0x20);
  }
}

function completed(set: ByteSet, negated: boolean): ByteSet {
  const bytes = negated ? set.map((word) => ~word) : set;
  bytes[SLASH >> 5] = (bytes[SLASH >> 5] as number) & ~(1 << (SLASH & 31));
  return bytes;
}
