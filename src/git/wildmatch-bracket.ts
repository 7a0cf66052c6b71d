/**
 * Reads a bracket expression of a gitignore pattern as the set of bytes that it accepts.
 *
 *     [abc] [a-c] [\]]   one of these        []a]  a bracket right at the start belongs to the set
 *     [!abc] [^abc]      one other than      [[:alpha:]]  a class of ASCII
 *
 * A slash is never accepted, whatever the bracket says. Git's own quirks are kept, and marked with "git:".
 */
import { SLASH } from '../names/bytes.ts';

/** A bit for each byte, 32 to a word. */
export type ByteSet = Uint32Array;

interface Bracket {
  readonly set: ByteSet;
  /** The position of its closing `]`. */
  readonly end: number;
}

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

/** Reads the bracket that opens at `open`; null if it is invalid, and the pattern matches nothing. */
export function readBracket(pattern: string, open: number, ignoreCase: boolean): Bracket | null {
  const set = new Uint32Array(8);
  const content = new Content(pattern, open + 1);
  const negated = content.take('!') || content.take('^');
  for (let isFirst = true; !content.isOver; isFirst = false) {
    if (!isFirst && content.take(']')) return { set: completed(set, negated), end: content.position - 1 };
    const name = content.takeClass();
    if (name !== null) {
      const ranges = CLASSES.get(name);
      if (ranges === undefined) return null;
      for (let i = 0; i < ranges.length; i += 2)
        addRange(set, ranges[i] as number, ranges[i + 1] as number, ignoreCase);
      continue;
    }
    const low = content.takeByte();
    // git: a single byte in a bracket keeps its case, so `[A]` accepts nothing when case is ignored. The low end of a
    // range also stands for itself, so `[b-a]` accepts `b`.
    addByte(set, low);
    if (content.takeRangeHyphen()) addRange(set, low, content.takeByte(), ignoreCase);
  }
  return null;
}

/** Reads the content of a bracket from left to right. */
class Content {
  readonly #pattern: string;
  position: number;
  /** The position of the next `]`. Perf: a row of `[:` that are not classes searches for it only once. */
  #nextClose = -1;

  constructor(pattern: string, position: number) {
    this.#pattern = pattern;
    this.position = position;
  }

  get isOver(): boolean {
    return this.position >= this.#pattern.length;
  }

  take(character: string): boolean {
    if (this.#pattern[this.position] !== character) return false;
    this.position++;
    return true;
  }

  /** Takes a byte, or the one after a backslash. */
  takeByte(): number {
    this.take('\\');
    return this.#pattern.charCodeAt(this.position++);
  }

  /** Takes a hyphen that makes a range. One right before the end is part of the set instead. */
  takeRangeHyphen(): boolean {
    return this.#pattern[this.position + 1] !== ']' && this.take('-');
  }

  /** Returns the name in `[:name:]`; null if there is no class here, and '', an unknown name, if it is unclosed. */
  takeClass(): string | null {
    const start = this.position + 2;
    if (!this.#pattern.startsWith('[:', this.position)) return null;
    if (this.#nextClose < start) this.#nextClose = this.#pattern.indexOf(']', start);
    if (this.#nextClose < 0) return '';
    if (this.#nextClose === start || this.#pattern[this.#nextClose - 1] !== ':') return null;
    this.position = this.#nextClose + 1;
    return this.#pattern.slice(start, this.#nextClose - 1);
  }
}

export function hasByte(set: ByteSet, byte: number): boolean {
  return (((set[byte >> 5] as number) >>> (byte & 31)) & 1) === 1;
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
