/** Turns the entries of a walk into lines of paths, in bytes, ready to be written. */
import type { Level, WalkSink } from '../listing/walk-plan.ts';
import { type Bytes, below, NEWLINE, QUOTE, SLASH } from '../names/bytes.ts';
import { asWords, cutWord, unprintable, WORD } from '../workspace/reader.ts';
import { type PathForm, pathLine } from './lines.ts';

/** Matches a path that needs no quotes. */
const PLAIN = /^(?!")[\x20-\x7e]*$/;

/** The number of bytes to collect before they are written. */
const BLOCK_SIZE = 256 * 1024;

export class PathLines implements WalkSink {
  /** Perf: reused for all blocks, because memory that was used before costs nothing to allocate. */
  #lines = Buffer.allocUnsafeSlow(2 * BLOCK_SIZE);
  #words = asWords(this.#lines);
  #used = 0;
  /** Blocks that were collected before the bytes in `#lines`. */
  #parts: Uint8Array[] = [];
  #partsLength = 0;
  readonly #form: PathForm;
  /** The current directory. `#prefix` precedes each of its names; `#isPlain` is true if that prefix needs no quotes. */
  #level: Level | null = null;
  #prefix = Buffer.alloc(0);
  #isPlain = true;

  constructor(form: PathForm) {
    this.#form = form;
  }

  get isFull(): boolean {
    return this.#used + this.#partsLength >= BLOCK_SIZE;
  }

  take(level: Level, from: number, to: number): void {
    if (this.#level !== level) this.#enter(level);
    const { isNull } = this.#form;
    const mayCopy = isNull || (this.#isPlain && !this.#isQuoted(level, from, to));
    if (mayCopy && this.#copy(level, from, to)) return;
    this.#putAside();
    const { path, entries } = level;
    const names = entries.namesOf(from, to);
    const lines = names.map((name, i) => pathLine(below(path, name), entries.isDirectory(from + i), this.#form));
    this.#add(Buffer.from(lines.join(''), 'latin1'));
  }

  #enter(level: Level): void {
    const text = this.#before(level.path);
    this.#level = level;
    this.#isPlain = PLAIN.test(text);
    this.#prefix = Buffer.from(text, 'latin1');
  }

  /** Returns the text that precedes each name in a directory. */
  #before(path: Bytes): Bytes {
    const { prefix } = this.#form;
    return path === '' ? prefix : (`${prefix}${path}/` as Bytes);
  }

  formBelow(path: Bytes): { prefix: Bytes; end: number } | null {
    const prefix = this.#before(path);
    return PLAIN.test(prefix) ? { prefix, end: this.#end } : null;
  }

  get #end(): number {
    return this.#form.isNull ? 0 : NEWLINE;
  }

  /** Adds lines that were formatted elsewhere. */
  takeLines(lines: Uint8Array): void {
    if (this.#used + lines.length > this.#lines.length) this.#putAside();
    this.#lines.set(lines, this.#used);
    this.#used += lines.length;
  }

  /** True if one of the paths starts with a quote, and so has to be quoted. */
  #isQuoted({ entries: { bytes, starts } }: Level, from: number, to: number): boolean {
    for (let i = from; this.#prefix.length === 0 && i < to; i++) if (bytes[starts[i] as number] === QUOTE) return true;
    return false;
  }

  /** Returns false, without effect, if a name has to be quoted. Perf: names are so short that words beat a call. */
  #copy({ entries }: Level, from: number, to: number): boolean {
    const { starts, ends } = entries;
    this.#makeRoom(entries, from, to);
    const [bytes, words, prefix, end] = [this.#lines, this.#words, this.#prefix, this.#end];
    let [used, odd] = [this.#used, 0];
    for (let i = from; i < to; i++) {
      bytes.set(prefix, used);
      used += prefix.length;
      const start = starts[i] as number;
      const length = (ends[i] as number) - start;
      for (let at = 0; at < length; at += WORD) {
        const word = entries.wordAt(start + at);
        words.setInt32(used + at, word);
        odd |= unprintable(length - at < WORD ? cutWord(word, length - at) : word);
      }
      used += length;
      if (entries.isDirectory(i)) bytes[used++] = SLASH;
      bytes[used++] = end;
    }
    if (odd !== 0 && !this.#form.isNull) return false;
    this.#used = used;
    return true;
  }

  #makeRoom({ starts, ends }: Level['entries'], from: number, to: number): void {
    let length = WORD + (to - from) * (this.#prefix.length + 2);
    for (let i = from; i < to; i++) length += (ends[i] as number) - (starts[i] as number);
    if (this.#used + length <= this.#lines.length) return;
    this.#putAside();
    if (length <= this.#lines.length) return;
    this.#lines = Buffer.allocUnsafeSlow(length);
    this.#words = asWords(this.#lines);
  }

  #putAside(): void {
    if (this.#used > 0) this.#add(Buffer.from(this.#lines.subarray(0, this.#used)));
    this.#used = 0;
  }

  #add(part: Uint8Array): void {
    this.#parts.push(part);
    this.#partsLength += part.length;
  }

  /** Returns the output collected since the last call. It is valid until more is taken. */
  output(): readonly Uint8Array[] {
    const output = this.#used > 0 ? [...this.#parts, this.#lines.subarray(0, this.#used)] : this.#parts;
    this.#parts = [];
    this.#partsLength = 0;
    this.#used = 0;
    return output;
  }
}
