/**
 * Decides by a few bytes of a name that no rule of an ignore file can match it. Perf: nearly every name matches none,
 * and this takes a tenth of the time of looking it up.
 */
import { bytesOf } from '../git/wildmatch.ts';
import { lowerCaseAscii } from '../names/bytes.ts';
import type { EntryBuffer } from '../workspace/reader.ts';

/** Beyond this, trying each pattern takes longer than it saves; of further patterns only two bytes are checked. */
const MAX_PATTERNS = 16;

/** Patterns of a filter, and of a table, whose bytes are searched for in the whole of a name, which takes longer. */
const MAX_SEARCHED = 4;
const MAX_SEARCHED_IN_TABLE = 12;

/** The part that all matches of a pattern have in common: up to four bytes at each end, or anywhere. */
interface CommonBytes {
  readonly head: Word;
  readonly tail: Word;
  readonly inside: Word;
  readonly directoryOnly: boolean;
}

interface Word {
  readonly word: number;
  readonly mask: number;
}

/** The parts of a table. Each has 256 bytes for rules about all entries, and 256 for rules about directories only. */
const NAMES = 0;
const TAILS = 512;
const STARTS = 1024;
const OF_DIRECTORIES = 256;
/** The words of all parts. */
const WORDS = 384;

export class RuleFilter {
  readonly #ignoreCase: boolean;
  /**
   * Maps a byte to the kinds of names that there are rules for, one bit for each of eight kinds: the first byte and the
   * length, the last byte and the one before it, and the first byte and the second. Perf: one array, made on demand, as a
   * walk makes a filter for each directory.
   */
  #words: Uint32Array | null = null;
  /** The positions of the words that are not 0: a few, as most filters are of a short file. */
  readonly #used: number[] = [];
  readonly #patterns: CommonBytes[] = [];
  #searched = 0;
  /** True if the matches of some pattern have nothing in common. */
  #mayMatchAny = false;

  constructor(ignoreCase: boolean) {
    this.#ignoreCase = ignoreCase;
  }

  addName(name: string, directoryOnly: boolean): void {
    for (const byte of this.#cases(name.charCodeAt(0))) this.#add(NAMES, byte, 1 << (name.length & 7), directoryOnly);
  }

  /** Adds a rule about all names that end in `tail`. */
  addTail(tail: string, directoryOnly: boolean): void {
    this.#addEnd(TAILS, tail.charCodeAt(tail.length - 1), tail.charCodeAt(tail.length - 2), directoryOnly);
  }

  /** Adds a pattern whose matches all begin with `prefix` and end with `tail`, or else have `inside` in them. */
  addPattern(prefix: string, tail: string, directoryOnly: boolean, inside = ''): void {
    const isSearched = prefix + tail === '' && inside !== '' && this.#searched++ < MAX_SEARCHED;
    const searched = isSearched ? inside.slice(0, 4) : '';
    if (!this.#ignoreCase && this.#patterns.length < MAX_PATTERNS && prefix + tail + searched !== '') {
      const [head, end] = [packed(prefix.slice(0, 4)), packed(tail.slice(-4), true)];
      this.#patterns.push({ head, tail: end, inside: packed(searched, true), directoryOnly });
    } else if (tail !== '') this.addTail(tail, directoryOnly);
    else if (prefix !== '') this.#addEnd(STARTS, prefix.charCodeAt(0), prefix.charCodeAt(1), directoryOnly);
    else if (directoryOnly) this.addBytes(bytesOf(null), false, true);
    else this.#mayMatchAny = true;
  }

  /** Adds a pattern whose matches all begin, or all end, with one of these bytes, such as `[._]*` or `*.py[co]`. */
  addBytes(bytes: readonly number[], isTail: boolean, directoryOnly: boolean): void {
    for (const byte of bytes) this.#addEnd(isTail ? TAILS : STARTS, byte, Number.NaN, directoryOnly);
  }

  /** `beside` is the neighbouring byte, or NaN if it is unknown: a name may consist of `byte` alone. */
  #addEnd(part: number, byte: number, beside: number, directoryOnly: boolean): void {
    const kinds = this.#ignoreCase || Number.isNaN(beside) ? 0xff : 1 << (beside & 7);
    for (const one of this.#cases(byte)) this.#add(part, one, kinds, directoryOnly);
  }

  #add(part: number, byte: number, kinds: number, directoryOnly: boolean): void {
    this.#words ??= new Uint32Array(WORDS);
    const at = part + byte + (directoryOnly ? OF_DIRECTORIES : 0);
    const word = this.#words[at >> 2] as number;
    if (word === 0) this.#used.push(at >> 2);
    this.#words[at >> 2] = word | (kinds << (8 * (at & 3)));
  }

  /** Returns false if no rule can match the entry. */
  mayMatch(entries: EntryBuffer, at: number): boolean {
    if (this.#mayMatchAny) return true;
    const { bytes, starts, ends } = entries;
    const [start, end] = [starts[at] as number, ends[at] as number];
    const isDirectory = entries.isDirectory(at);
    const words = this.#words;
    if (words !== null) {
      const [first, last] = [bytes[start] as number, bytes[end - 1] as number];
      if (has(words, NAMES + first, end - start, isDirectory)) return true;
      if (has(words, TAILS + last, bytes[end - 2] ?? 0, isDirectory)) return true;
      if (has(words, STARTS + first, bytes[start + 1] ?? 0, isDirectory)) return true;
    }
    return this.#patterns.length > 0 && mayMatchEnds(this.#patterns, entries, start, end, isDirectory);
  }

  /** Merges the filter into a table; see `tableOf`. */
  addTo(table: Uint32Array, patterns: CommonBytes[]): void {
    for (const i of this.#used) table[i] = (table[i] as number) | (this.#words?.[i] as number);
    patterns.push(...this.#patterns);
    if (this.#mayMatchAny) addEverything(table);
  }

  /** Returns the byte, in both cases if case is ignored. */
  #cases(byte: number): readonly number[] {
    if (!this.#ignoreCase) return [byte];
    const letter = String.fromCharCode(byte);
    return [lowerCaseAscii(letter).charCodeAt(0), letter.toUpperCase().charCodeAt(0)];
  }
}

/** If there are more patterns than this in total, the table lets everything match. */
const MAX_IN_TABLE = 64;
const WORDS_OF_PATTERN = 6;

/** Merges several filters into one table, in the format that `assembly/entries.ts` reads. */
export function tableOf(filters: readonly RuleFilter[]): Uint8Array {
  const words = new Uint32Array(WORDS + 2 + WORDS_OF_PATTERN * MAX_IN_TABLE);
  const all: CommonBytes[] = [];
  for (const filter of filters) filter.addTo(words, all);
  if (all.length > MAX_IN_TABLE) addEverything(words);
  const known = all.slice(0, MAX_IN_TABLE);
  const ofAll = known.filter(({ directoryOnly }) => !directoryOnly);
  const ofDirectories = known.filter(({ directoryOnly }) => directoryOnly);
  let searched = 0;
  const bytes = [...ofAll, ...ofDirectories].flatMap(({ head, tail, inside }) => {
    const isSearched = inside.mask !== 0 && searched++ < MAX_SEARCHED_IN_TABLE;
    return [head, tail, isSearched ? inside : packed('')];
  });
  words.set([ofAll.length, known.length, ...bytes.flatMap(({ word, mask }) => [word, mask])], WORDS);
  return new Uint8Array(words.buffer);
}

/** Accepts any first byte, so that every name may match. */
function addEverything(table: Uint32Array): void {
  table.fill(0xffffffff, STARTS / 4, WORDS);
}

export function filterOf(names: readonly string[], ignoreCase = false): RuleFilter {
  const filter = new RuleFilter(ignoreCase);
  for (const name of names) filter.addName(name, false);
  return filter;
}

function has(words: Uint32Array, at: number, kind: number, isDirectory: boolean): boolean {
  const shift = 8 * (at & 3) + (kind & 7);
  const kinds = (words[at >> 2] as number) | (isDirectory ? (words[(at + OF_DIRECTORIES) >> 2] as number) : 0);
  return ((kinds >>> shift) & 1) !== 0;
}

/** Packs up to four bytes as `wordAt` reads them; the bytes of a tail are aligned to the end of the word. */
function packed(text: string, isTail = false): Word {
  let [word, mask] = [0, 0];
  for (let i = 0; i < text.length; i++) {
    const shift = 8 * (isTail ? text.length - 1 - i : 3 - i);
    word |= text.charCodeAt(i) << shift;
    mask |= 0xff << shift;
  }
  return { word, mask };
}

function mayMatchEnds(
  patterns: readonly CommonBytes[],
  entries: EntryBuffer,
  start: number,
  end: number,
  isDirectory: boolean,
): boolean {
  // The name is short and at the start of the buffer: four bytes back from its end would lie outside.
  if (end < 4) return true;
  const first = entries.wordAt(start);
  const last = entries.wordAt(end - 4);
  for (let i = 0; i < patterns.length; i++) {
    const { head, tail, inside, directoryOnly } = patterns[i] as CommonBytes;
    if (directoryOnly && !isDirectory) continue;
    if ((first & head.mask) !== head.word || (last & tail.mask) !== tail.word) continue;
    if (inside.mask === 0 || hasInside(inside, entries, start, end)) return true;
  }
  return false;
}

function hasInside({ word, mask }: Word, entries: EntryBuffer, start: number, end: number): boolean {
  const last = start + 3 - (Math.clz32(mask) >> 3);
  for (let at = Math.max(last, 3); at < end; at++) if ((entries.wordAt(at - 3) & mask) === word) return true;
  return last < 3;
}
