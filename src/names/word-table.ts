/** Maps words to numbers. Lookup takes bytes, so that no string has to be created. */
export class WordTable {
  readonly #words: Uint8Array[] = [];
  readonly #values: number[] = [];
  /** An open-addressing hash table: the index of a word plus one, or 0 for an empty slot. */
  readonly #slots: Uint16Array;
  readonly #ignoresCase: boolean;
  #longest = 0;

  /** With `ignoresCase`, the words must be in lower case. */
  constructor(words: readonly (readonly [string, number])[], ignoresCase: boolean) {
    this.#ignoresCase = ignoresCase;
    // Large enough that collisions are rare.
    this.#slots = new Uint16Array(2 ** Math.ceil(Math.log2(4 * words.length)));
    for (const [word, value] of words) {
      const bytes = Buffer.from(word, 'latin1');
      this.#longest = Math.max(this.#longest, bytes.length);
      this.#slots[this.#slotOf(bytes, 0, bytes.length)] = this.#words.push(bytes);
      this.#values.push(value);
    }
  }

  /** Returns the number of the word between two positions; null if it is not in the table. */
  find(bytes: Uint8Array, from: number, to: number): number | null {
    if (to - from > this.#longest) return null;
    const found = this.#slots[this.#slotOf(bytes, from, to)] as number;
    return found === 0 ? null : (this.#values[found - 1] as number);
  }

  /** Returns the slot of the word, or the free slot where it would go. */
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
