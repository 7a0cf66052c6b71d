/**
 * Decides by a few bytes of a name that no rule of an ignore file can match it. Perf: nearly every name matches none,
 * and this takes a tenth of the time of looking it up.
 */
import { lowerCaseAscii } from '../names/bytes.ts';
import type { EntryBuffer } from '../workspace/reader.ts';

/** Beyond this, trying each pattern takes longer than it saves; of further patterns only two bytes are checked. */
const MAX_PATTERNS = 16;

/** The part that all matches of a pattern have in common: up to four bytes at each end. */
interface BothEnds {
  readonly head: Word;
  readonly tail: Word;
  readonly directoryOnly: boolean;
}

interface Word {
  readonly word: number;
  readonly mask: number;
}

/** Bytes that an `Ends` takes: 256 for rules about all entries, and 256 for rules about directories only. */
const ENDS = 512;

/** Maps a byte at one end of a name to the kinds of names that there are rules for: one bit for each of eight kinds. */
class Ends {
  readonly #words = new Uint32Array(ENDS / 4);
  readonly #kinds = new Uint8Array(this.#words.buffer, 0, 256);
  readonly #ofDirectories = new Uint8Array(this.#words.buffer, 256);

  add(byte: number, kind: number, directoryOnly: boolean): void {
    const kinds = directoryOnly ? this.#ofDirectories : this.#kinds;
    kinds[byte] = (kinds[byte] as number) | (1 << (kind & 7));
  }

  addAll(byte: number, directoryOnly: boolean): void {
    for (let kind = 0; kind < 8; kind++) this.add(byte, kind, directoryOnly);
  }

  /** Merges this into the part of a table that begins at the word `from`. Perf: four bytes at a time. */
  addTo(table: Uint32Array, from: number): void {
    const own = this.#words;
    for (let i = 0; i < own.length; i++) table[from + i] = (table[from + i] as number) | (own[i] as number);
  }

  has(byte: number, kind: number, isDirectory: boolean): boolean {
    const kinds = (this.#kinds[byte] as number) | (isDirectory ? (this.#ofDirectories[byte] as number) : 0);
    return (kinds & (1 << (kind & 7))) !== 0;
  }
}

export class RuleFilter {
  readonly #ignoreCase: boolean;
  /** Keyed by the first byte and the length. Perf: made on demand, as a walk makes a filter for each directory. */
  #names: Ends | null = null;
  /** Keyed by the first byte and the second. */
  #starts: Ends | null = null;
  /** Keyed by the last byte and the one before it. */
  #tails: Ends | null = null;
  readonly #patterns: BothEnds[] = [];
  /** True if the matches of some pattern have nothing in common. */
  #mayMatchAny = false;

  constructor(ignoreCase: boolean) {
    this.#ignoreCase = ignoreCase;
  }

  addName(name: string, directoryOnly: boolean): void {
    this.#names ??= new Ends();
    for (const byte of this.#cases(name.charCodeAt(0))) this.#names.add(byte, name.length, directoryOnly);
  }

  /** Adds a rule about all names that end in `tail`. */
  addTail(tail: string, directoryOnly: boolean): void {
    this.#tails ??= new Ends();
    this.#addEnd(this.#tails, tail.charCodeAt(tail.length - 1), tail.charCodeAt(tail.length - 2), directoryOnly);
  }

  /** Adds a pattern whose matches all begin with `prefix` and end with `tail`. */
  addPattern(prefix: string, tail: string, directoryOnly: boolean): void {
    if (prefix + tail === '') this.#mayMatchAny = true;
    else if (!this.#ignoreCase && this.#patterns.length < MAX_PATTERNS)
      this.#patterns.push({ head: packed(prefix.slice(0, 4)), tail: packed(tail.slice(-4), true), directoryOnly });
    else if (tail !== '') this.addTail(tail, directoryOnly);
    else {
      this.#starts ??= new Ends();
      this.#addEnd(this.#starts, prefix.charCodeAt(0), prefix.charCodeAt(1), directoryOnly);
    }
  }

  /** Adds a pattern whose matches all begin, or all end, with one of these bytes, such as `[._]*` or `*.py[co]`. */
  addBytes(bytes: readonly number[], isTail: boolean, directoryOnly: boolean): void {
    this.#starts ??= new Ends();
    this.#tails ??= new Ends();
    for (const byte of bytes) this.#addEnd(isTail ? this.#tails : this.#starts, byte, Number.NaN, directoryOnly);
  }

  /** `beside` is the neighbouring byte, or NaN if it is unknown: a name may consist of `byte` alone. */
  #addEnd(ends: Ends, byte: number, beside: number, directoryOnly: boolean): void {
    for (const one of this.#cases(byte)) {
      if (this.#ignoreCase || Number.isNaN(beside)) ends.addAll(one, directoryOnly);
      else ends.add(one, beside, directoryOnly);
    }
  }

  /** Returns false if no rule can match the entry. */
  mayMatch(entries: EntryBuffer, at: number): boolean {
    if (this.#mayMatchAny) return true;
    const { bytes, starts, ends } = entries;
    const [start, end] = [starts[at] as number, ends[at] as number];
    const isDirectory = entries.isDirectory(at);
    if (this.#names?.has(bytes[start] as number, end - start, isDirectory)) return true;
    if (this.#tails?.has(bytes[end - 1] as number, bytes[end - 2] ?? 0, isDirectory)) return true;
    if (this.#starts?.has(bytes[start] as number, bytes[start + 1] ?? 0, isDirectory)) return true;
    return this.#patterns.length > 0 && mayMatchEnds(this.#patterns, entries, start, end, isDirectory);
  }

  /** Merges the filter into a table; see `tableOf`. */
  addTo(table: Uint32Array, patterns: BothEnds[]): void {
    this.#names?.addTo(table, 0);
    this.#tails?.addTo(table, ENDS / 4);
    this.#starts?.addTo(table, (2 * ENDS) / 4);
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

/** Merges several filters into one table, in the format that `assembly/filter.ts` reads. */
export function tableOf(filters: readonly RuleFilter[]): Uint8Array {
  const words = new Uint32Array((3 * ENDS) / 4 + 2 + 4 * MAX_IN_TABLE);
  const all: BothEnds[] = [];
  for (const filter of filters) filter.addTo(words, all);
  if (all.length > MAX_IN_TABLE) addEverything(words);
  const known = all.slice(0, MAX_IN_TABLE);
  const ofAll = known.filter(({ directoryOnly }) => !directoryOnly);
  const ofDirectories = known.filter(({ directoryOnly }) => directoryOnly);
  const patterns = [...ofAll, ...ofDirectories].flatMap(({ head, tail }) => [
    ...[head.word, head.mask, tail.word, tail.mask],
  ]);
  words.set([ofAll.length, known.length, ...patterns], (3 * ENDS) / 4);
  return new Uint8Array(words.buffer);
}

/** Accepts any first byte, so that every name may match. */
function addEverything(table: Uint32Array): void {
  table.fill(0xffffffff, (2 * ENDS) / 4, (3 * ENDS) / 4);
}

export function filterOf(names: readonly string[], ignoreCase = false): RuleFilter {
  const filter = new RuleFilter(ignoreCase);
  for (const name of names) filter.addName(name, false);
  return filter;
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
  patterns: readonly BothEnds[],
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
    const { head, tail, directoryOnly } = patterns[i] as BothEnds;
    if (directoryOnly && !isDirectory) continue;
    if ((first & head.mask) === head.word && (last & tail.mask) === tail.word) return true;
  }
  return false;
}
