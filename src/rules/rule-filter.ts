/**
 * Tells by a few bytes of a name that no rule of an ignore file can match it.
 *
 * Perf: nearly every name is matched by none. To look at its ends takes a tenth of the time that making a text of it, and
 * looking that up, would.
 */
import type { EntryBuffer } from '../workspace/reader.ts';
import { lowerCaseAscii } from './gitignore-pattern.ts';

/** With more patterns than this, to try each takes longer than it saves. */
const MOST_PATTERNS = 16;

/** What the names have in common that a pattern can match: the bytes of one end. */
interface End {
  readonly isTail: boolean;
  readonly word: number;
  readonly mask: number;
  readonly directoryOnly: boolean;
}

const ANYTHING = 0xff;

/** For each byte, which of eight kinds of names with that byte at an end there are rules for. */
class Ends {
  readonly #kinds = new Uint8Array(256);
  readonly #ofDirectories = new Uint8Array(256);

  add(byte: number, kind: number, directoryOnly: boolean): void {
    const kinds = directoryOnly ? this.#ofDirectories : this.#kinds;
    kinds[byte] = (kinds[byte] as number) | (1 << (kind & 7));
  }

  addAll(byte: number, directoryOnly: boolean): void {
    for (let kind = 0; kind < 8; kind++) this.add(byte, kind, directoryOnly);
  }

  has(byte: number, kind: number, isDirectory: boolean): boolean {
    const kinds = (this.#kinds[byte] as number) | (isDirectory ? (this.#ofDirectories[byte] as number) : 0);
    return (kinds & (1 << (kind & 7))) !== 0;
  }
}

export class RuleFilter {
  readonly #ignoreCase: boolean;
  /** By the first byte and the length. Perf: made when there is one, for a walk makes a filter for each directory. */
  #names: Ends | null = null;
  /** By the last byte and the one before it. */
  #extensions: Ends | null = null;
  /** Null where there are too many, or one that matches names with nothing in common. */
  #patterns: End[] | null = [];

  constructor(ignoreCase: boolean) {
    this.#ignoreCase = ignoreCase;
  }

  /** A rule about this very name. */
  addName(name: string, directoryOnly: boolean): void {
    this.#names ??= new Ends();
    for (const byte of this.#cases(name.charCodeAt(0))) this.#names.add(byte, name.length, directoryOnly);
  }

  /** A rule about all names with this extension, its dot included. */
  addExtension(extension: string, directoryOnly: boolean): void {
    this.#extensions ??= new Ends();
    const before = this.#ignoreCase ? null : extension.charCodeAt(extension.length - 2);
    for (const byte of this.#cases(extension.charCodeAt(extension.length - 1))) {
      // A name that is the dot alone has nothing before it.
      if (extension.length > 1 && before !== null) this.#extensions.add(byte, before, directoryOnly);
      else this.#extensions.addAll(byte, directoryOnly);
    }
  }

  /** A pattern of which every match ends with one of these bytes, as `*.py[co]` does. */
  addLastBytes(has: (byte: number) => boolean, directoryOnly: boolean): void {
    this.#extensions ??= new Ends();
    for (let byte = 0; byte < 256; byte++) {
      if (!has(byte)) continue;
      for (const one of this.#cases(byte)) this.#extensions.addAll(one, directoryOnly);
    }
  }

  /** A pattern of which every match begins with `prefix` and ends with `tail`. */
  addPattern(prefix: string, tail: string, directoryOnly: boolean): void {
    const end = this.#ignoreCase ? null : endOf(prefix, tail, directoryOnly);
    if (end === null || this.#patterns === null || this.#patterns.length === MOST_PATTERNS) this.#patterns = null;
    else this.#patterns.push(end);
  }

  /** False when no rule can match the entry. */
  mayMatch(entries: EntryBuffer, at: number): boolean {
    if (this.#patterns === null) return true;
    const { bytes, starts, ends } = entries;
    const [start, end] = [starts[at] as number, ends[at] as number];
    const isDirectory = entries.isDirectory(at);
    if (this.#names?.has(bytes[start] as number, end - start, isDirectory)) return true;
    if (this.#extensions?.has(bytes[end - 1] as number, bytes[end - 2] ?? 0, isDirectory)) return true;
    return this.#patterns.length > 0 && mayMatchEnd(this.#patterns, entries, start, end, isDirectory);
  }

  /** A byte in both cases, where case does not count. */
  #cases(byte: number): readonly number[] {
    if (!this.#ignoreCase) return [byte];
    const letter = String.fromCharCode(byte);
    return [lowerCaseAscii(letter).charCodeAt(0), letter.toUpperCase().charCodeAt(0)];
  }
}

/** Null when matches have no end in common. */
function endOf(prefix: string, tail: string, directoryOnly: boolean): End | null {
  if (tail !== '') return { isTail: true, ...packed(tail.slice(-4), true), directoryOnly };
  return prefix === '' ? null : { isTail: false, ...packed(prefix.slice(0, 4), false), directoryOnly };
}

/** Up to four bytes as `wordAt` reads them, those of a tail at the end. */
function packed(text: string, isTail: boolean): { word: number; mask: number } {
  let [word, mask] = [0, 0];
  for (let i = 0; i < text.length; i++) {
    const shift = 8 * (isTail ? text.length - 1 - i : 3 - i);
    word |= text.charCodeAt(i) << shift;
    mask |= ANYTHING << shift;
  }
  return { word, mask };
}

function mayMatchEnd(
  patterns: readonly End[],
  entries: EntryBuffer,
  start: number,
  end: number,
  isDirectory: boolean,
): boolean {
  // Before a short name stands what belongs to nobody, or nothing.
  if (end < 4) return true;
  const first = entries.wordAt(start);
  const last = entries.wordAt(end - 4);
  for (let i = 0; i < patterns.length; i++) {
    const { isTail, word, mask, directoryOnly } = patterns[i] as End;
    if (directoryOnly && !isDirectory) continue;
    if (((isTail ? last : first) & mask) === word) return true;
  }
  return false;
}
