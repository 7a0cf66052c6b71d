/** Words with a number for each, looked up by bytes: no text has to be made of what is looked for. */
export class WordTable {
  readonly #words: Uint8Array[] = [];
  readonly #values: number[] = [];
  /** By hash, one more than the position of a word; 0 where there is none. Words with the same hash follow each other. */
  readonly #slots: Uint16Array;
  readonly #ignoresCase: boolean;
  #longest = 0;

  /** With `ignoresCase` the words are in lower case. */
  constructor(words: readonly (readonly [string, number])[], ignoresCase: boolean) {
    this.#ignoresCase = ignoresCase;
    // So many that most have none beside them.
    this.#slots = new Uint16Array(2 ** Math.ceil(Math.log2(4 * words.length)));
    for (const [word, value] of words) {
      const bytes = Buffer.from(word, 'latin1');
      this.#longest = Math.max(this.#longest, bytes.length);
      this.#slots[this.#slotOf(bytes, 0, bytes.length)] = this.#words.push(bytes);
      this.#values.push(value);
    }
  }

  /** The number of the word between two positions; null when it is not here. */
  find(bytes: Uint8Array, from: number, to: number): number | null {
    if (to - from > this.#longest) return null;
    const found = this.#slots[this.#slotOf(bytes, from, to)] as number;
    return found === 0 ? null : (this.#values[found - 1] as number);
  }

  /** The slot of the word, or the one where it would be. */
  #slotOf(bytes: Uint8Array, from: number, to: number): number {
    const last = this.#slots.length - 1;
    let hash = 0;
    for (let at = from; at < to; at++) hash = (Math.imul(hash, 31) + this.#byteAt(bytes, at)) | 0;
    let slot = hash & last;
    while (this.#slots[slot] !== 0 && !this.#isAt((this.#slots[slot] as number) - 1, bytes, from, to)) {
      slot = (slot + 1) & last;
    }
    return slot;
  }

  #isAt(index: number, bytes: Uint8Array, from: number, to: number): boolean {
    const word = this.#words[index] as Uint8Array;
    if (word.length !== to - from) return false;
    for (let i = 0; i < word.length; i++) if (word[i] !== this.#byteAt(bytes, from + i)) return false;
    return true;
  }

  #byteAt(bytes: Uint8Array, at: number): number {
    const byte = bytes[at] as number;
    return this.#ignoresCase && byte >= 0x41 && byte <= 0x5a ? byte | 0x20 : byte;
  }
}
