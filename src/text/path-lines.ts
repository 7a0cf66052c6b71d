/** Turns the entries of a walk into lines of paths, in bytes, ready to be written. */
import type { Level, WalkSink } from '../listing/walk.ts';
import { type Bytes, below } from '../workspace/bytes.ts';
import { shown } from '../workspace/quote.ts';

/** Bytes that are collected before they are written. */
const BLOCK_SIZE = 256 * 1024;

const NEWLINE = 0x0a;
const SLASH = 0x2f;
const QUOTE = 0x22;

export class PathLines implements WalkSink {
  #bytes: Buffer = Buffer.allocUnsafeSlow(2 * BLOCK_SIZE);
  #used = 0;
  /** What others have made, and what stood before it. */
  #parts: Uint8Array[] = [];
  #partsLength = 0;
  /** The path of the directory that was taken last, with a slash; null where it has to be quoted. */
  #last: { readonly level: Level; readonly prefix: Buffer | null } | null = null;

  get isFull(): boolean {
    return this.#used + this.#partsLength >= BLOCK_SIZE;
  }

  take(level: Level, from: number, to: number): void {
    if (this.#last?.level !== level) this.#last = { level, prefix: prefixOf(level.path) };
    const { prefix } = this.#last;
    for (let i = from; i < to; i++) {
      if (prefix === null || !this.#addPlain(level, i, prefix)) this.#addQuoted(level, i);
    }
  }

  /** False, and nothing is added, where the name has to be quoted. */
  #addPlain({ entries }: Level, at: number, prefix: Buffer): boolean {
    const { bytes, starts, ends } = entries;
    const [start, end] = [starts[at] as number, ends[at] as number];
    const output = this.#room(prefix.length + end - start + 2);
    let used = this.#used;
    for (let i = 0; i < prefix.length; i++) output[used++] = prefix[i] as number;
    // A path that starts with a quote is quoted; only where there is no prefix can the name be its start.
    if (prefix.length === 0 && bytes[start] === QUOTE) return false;
    for (let i = start; i < end; i++) {
      const byte = bytes[i] as number;
      if (byte < 0x20 || byte > 0x7e) return false;
      output[used++] = byte;
    }
    if (entries.isDirectory(at)) output[used++] = SLASH;
    output[used++] = NEWLINE;
    this.#used = used;
    return true;
  }

  #addQuoted({ entries, path }: Level, at: number): void {
    const line = `${shown(below(path, entries.nameAt(at)))}${entries.isDirectory(at) ? '/' : ''}\n`;
    const output = this.#room(3 * line.length);
    this.#used += output.write(line, this.#used);
  }

  splice(output: Uint8Array): void {
    this.#cut();
    this.#parts.push(output);
    this.#partsLength += output.length;
  }

  /** Returns the output collected since the last call. */
  output(): Uint8Array[] {
    this.#cut();
    const parts = this.#parts;
    this.#parts = [];
    this.#partsLength = 0;
    return parts;
  }

  /** What was collected so far is another part, and memory of its own: whoever writes it may take a while. */
  #cut(): void {
    if (this.#used === 0) return;
    this.#parts.push(this.#bytes.subarray(0, this.#used));
    this.#partsLength += this.#used;
    this.#bytes = Buffer.allocUnsafeSlow(2 * BLOCK_SIZE);
    this.#used = 0;
  }

  #room(bytes: number): Buffer {
    if (this.#used + bytes > this.#bytes.length) {
      const larger = Buffer.allocUnsafeSlow(2 * this.#bytes.length + bytes);
      this.#bytes.copy(larger, 0, 0, this.#used);
      this.#bytes = larger;
    }
    return this.#bytes;
  }
}

const PLAIN = /^(?!")[\x20-\x7e]*$/;

function prefixOf(path: Bytes): Buffer | null {
  if (!PLAIN.test(path)) return null;
  return Buffer.from(path === '' ? '' : `${path}/`, 'latin1');
}
