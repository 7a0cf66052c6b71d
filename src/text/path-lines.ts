/** Turns the entries of a walk into lines of paths, in bytes, ready to be written. */
import type { Level, WalkSink } from '../listing/walk-plan.ts';
import { type Bytes, below } from '../workspace/bytes.ts';
import { type PathForm, pathLine } from './lines.ts';

/** Matches a path that needs no quotes. */
const PLAIN = /^(?!")[\x20-\x7e]*$/;

const NEWLINE = 0x0a;
const QUOTE = 0x22;
const SLASH = 0x2f;

/** Bytes that are collected before they are written. */
const BLOCK_SIZE = 256 * 1024;

/** Bytes that are copied at a time; behind a path some more are, of no meaning. */
const WORD = 4;

/** Bytes that can be read and written by words. */
class WordBuffer {
  bytes = Buffer.alloc(0);
  words = new DataView(this.bytes.buffer);

  constructor(size: number) {
    this.reserve(size);
  }

  /** What is in it is lost if it has to grow. */
  reserve(size: number): void {
    if (size <= this.bytes.length) return;
    this.bytes = Buffer.allocUnsafeSlow(size);
    this.words = new DataView(this.bytes.buffer, this.bytes.byteOffset, size);
  }
}

export class PathLines implements WalkSink {
  /** Perf: memory that was used before takes no time to get. */
  readonly #lines = new WordBuffer(2 * BLOCK_SIZE);
  #used = 0;
  /** Blocks that were collected before those bytes. */
  #parts: Uint8Array[] = [];
  #partsLength = 0;
  readonly #form: PathForm;
  /** The directory that was asked about last; what stands before each of its names, and whether that needs no quotes. */
  #level: Level | null = null;
  readonly #prefix = new WordBuffer(1024);
  #prefixLength = 0;
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
    if (isNull || (this.#isPlain && level.entries.arePrintable(from, to) && !this.#isQuoted(level, from, to))) {
      this.#copy(level, from, to);
    } else this.splice(Buffer.from(quotedLines(level, from, to, this.#form), 'latin1'));
  }

  #enter(level: Level): void {
    const { prefix: before } = this.#form;
    const text = level.path === '' ? before : `${before}${level.path}/`;
    this.#level = level;
    this.#isPlain = PLAIN.test(text);
    this.#prefix.reserve(text.length + WORD);
    this.#prefixLength = this.#prefix.bytes.write(text, 'latin1');
  }

  /** Whether one of the paths starts with a quote, and so is quoted. */
  #isQuoted({ entries: { bytes, starts } }: Level, from: number, to: number): boolean {
    for (let i = from; this.#prefixLength === 0 && i < to; i++) if (bytes[starts[i] as number] === QUOTE) return true;
    return false;
  }

  /** Perf: some bytes at a time, and no text is made of any. */
  #copy({ entries }: Level, from: number, to: number): void {
    const { starts, ends } = entries;
    this.#makeRoom(entries, from, to);
    const { bytes, words } = this.#lines;
    const [{ words: prefix }, prefixLength, end] = [this.#prefix, this.#prefixLength, this.#form.isNull ? 0 : NEWLINE];
    let used = this.#used;
    for (let i = from; i < to; i++) {
      for (let at = 0; at < prefixLength; at += WORD) words.setInt32(used + at, prefix.getInt32(at));
      used += prefixLength;
      const start = starts[i] as number;
      const length = (ends[i] as number) - start;
      for (let at = 0; at < length; at += WORD) words.setInt32(used + at, entries.wordAt(start + at));
      used += length;
      if (entries.isDirectory(i)) bytes[used++] = SLASH;
      bytes[used++] = end;
    }
    this.#used = used;
  }

  #makeRoom({ starts, ends }: Level['entries'], from: number, to: number): void {
    let length = WORD + (to - from) * (this.#prefixLength + 2);
    for (let i = from; i < to; i++) length += (ends[i] as number) - (starts[i] as number);
    if (this.#used + length <= this.#lines.bytes.length) return;
    this.#putAside();
    this.#lines.reserve(length);
  }

  splice(output: Uint8Array): void {
    this.#putAside();
    this.#add(output);
  }

  #putAside(): void {
    if (this.#used > 0) this.#add(Buffer.from(this.#lines.bytes.subarray(0, this.#used)));
    this.#used = 0;
  }

  #add(part: Uint8Array): void {
    this.#parts.push(part);
    this.#partsLength += part.length;
  }

  /** Returns the output collected since the last call; it is there until more is taken. */
  output(): readonly Uint8Array[] {
    const output = this.#used > 0 ? [...this.#parts, this.#lines.bytes.subarray(0, this.#used)] : this.#parts;
    this.#parts = [];
    this.#partsLength = 0;
    this.#used = 0;
    return output;
  }
}

function quotedLines({ path, entries }: Level, from: number, to: number, form: PathForm): Bytes {
  const names = entries.namesOf(from, to);
  return names.map((name, i) => pathLine(below(path, name), entries.isDirectory(from + i), form)).join('') as Bytes;
}
