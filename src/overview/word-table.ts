/** Words with a number for each, looked up by bytes: no text has to be made of what is looked for. */
export class WordTable {
  readonly #byHash = new Map<number, (readonly [word: Uint8Array, value: number])[]>();
  readonly #ignoresCase: boolean;
  #longest = 0;

  /** With `ignoresCase` the words are in lower case. */
  constructor(words: Iterable<readonly [string, number]>, ignoresCase: boolean) {
    this.#ignoresCase = ignoresCase;
    for (const [word, value] of words) {
      const bytes = Buffer.from(word, 'latin1');
      this.#longest = Math.max(this.#longest, bytes.length);
      const hash = this.#hash(bytes, 0, bytes.length);
      this.#byHash.set(hash, [...(this.#byHash.get(hash) ?? []), [bytes, value]]);
    }
  }

  /** The number of the word between two positions; null when it is not here. */
  find(bytes: Uint8Array, from: number, to: number): number | null {
    if (to - from > this.#longest) return null;
    for (const [word, value] of this.#byHash.get(this.#hash(bytes, from, to)) ?? []) {
      if (word.length === to - from && word.every((byte, i) => byte === this.#byteAt(bytes, from + i))) return value;
    }
    return null;
  }

  #hash(bytes: Uint8Array, from: number, to: number): number {
    let hash = 0;
    for (let at = from; at < to; at++) hash = (Math.imul(hash, 31) + this.#byteAt(bytes, at)) | 0;
    return hash;
  }

  #byteAt(bytes: Uint8Array, at: number): number {
    const byte = bytes[at] as number;
    return this.#ignoresCase && byte >= 0x41 && byte <= 0x5a ? byte | 0x20 : byte;
  }
}
