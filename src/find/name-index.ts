/**
 * Finds words in a list of names. The names are kept folded in one buffer, without what joins their words, and beside it
 * where each word begins: `HTTPServer.ts` is `httpserverts`, with words at 0, 4 and 10. So `server`, `HttpServer` and
 * `http-server` all find it, and one search of the buffer finds a word in every name.
 */
import { type Bytes, bytesIn, bytesOf, textOf } from '../names/bytes.ts';
import { memoized } from '../names/memoized.ts';
import { firstIndex } from '../names/ranges.ts';
import { stemOf, wordsOf } from '../protocol/words.ts';
import { grown } from '../workspace/reader.ts';
import type { Steps } from '../workspace/steps.ts';

/** How much of a match it is if a word of the query begins one of the name, or stands inside it, in proportion. */
const PREFIX = 0.8;
const PART = 0.4;

/** Bytes with which a search begins. Words that have fewer in common are different words. */
const KEY = 4;

/** Bytes that are searched in one step, and the matches after which a step ends. */
const BLOCK = 2 ** 18;
const MATCHES = 512;

/** Perf: names repeat the same words again and again. */
const stemOfKnown = memoized(16_384, stemOf);

/** Returns a folded word and its stem, as bytes of UTF-8. */
export function searchWord(word: string) {
  return { word: bytesOf(word), stem: bytesOf(stemOf(word)) };
}

const NINE = 0x39;

const SEPARATOR = 0;
const DIGIT = 1;
const UPPER = 2;
const LOWER = 3;
const KINDS = Uint8Array.from({ length: 128 }, (_, code) => {
  const isOf = (kind: RegExp) => kind.test(String.fromCharCode(code));
  return isOf(/[0-9]/) ? DIGIT : isOf(/[A-Z]/) ? UPPER : isOf(/[a-z]/) ? LOWER : SEPARATOR;
});

/** Between letters and digits. */
const AT_DIGITS = /(?<=\p{N})(?=\P{N})|(?<=\P{N})(?=\p{N})/u;

export class NameIndex {
  /** Each name is followed by NUL. */
  #text: Buffer = Buffer.allocUnsafeSlow(4096);
  /** 1 where a word begins or a name ends. */
  #begins = new Uint8Array(4096);
  /** The position of the NUL after each name. */
  #ends = new Uint32Array(64);
  #used = 0;
  /** Made when it is first needed. */
  #vocabulary: readonly string[] | null = null;
  count = 0;

  /** Allocated bytes. */
  get size(): number {
    return 2 * this.#text.length + 4 * this.#ends.length;
  }

  add(bytes: Uint8Array, start: number, end: number): void {
    this.#reserve(end - start + 1);
    if (!this.#addAscii(bytes, start, end)) this.#addWords(bytesIn(bytes.subarray(start, end)));
    this.#text[this.#used] = 0;
    this.#begins[this.#used] = 1;
    this.#ends[this.count++] = this.#used++;
  }

  /** Perf: most names are ASCII, and need no string. Returns false if this one is not. */
  #addAscii(bytes: Uint8Array, start: number, end: number): boolean {
    const [text, begins] = [this.#text, this.#begins];
    let used = this.#used;
    let before = SEPARATOR;
    for (let i = start; i < end; i++) {
      const byte = bytes[i] as number;
      if (byte >= 0x80) return false;
      const kind = KINDS[byte] as number;
      if (kind !== SEPARATOR) {
        // A capital begins a word, unless it is in the middle of others: `HTTPServer` has two.
        const isLast = kind === UPPER && i + 1 < end && KINDS[bytes[i + 1] as number] === LOWER;
        const isWithin = before === kind || (before === UPPER && kind === LOWER);
        begins[used] = isWithin && !(before === UPPER && isLast) ? 0 : 1;
        text[used++] = kind === UPPER ? byte | 0x20 : byte;
      }
      before = kind;
    }
    this.#used = used;
    return true;
  }

  #addWords(name: Bytes): void {
    for (const word of wordsOf(textOf(name) ?? name).flatMap((word) => word.split(AT_DIGITS))) {
      // A folded word may be longer than what it was folded from.
      this.#reserve(3 * word.length + 1);
      const end = this.#used + this.#text.write(word, this.#used);
      this.#begins.fill(0, this.#used, end);
      if (end > this.#used) this.#begins[this.#used] = 1;
      this.#used = end;
    }
  }

  /** The number of bytes in a name's words. */
  lengthOf(name: number): number {
    return (this.#ends[name] as number) - (name === 0 ? 0 : (this.#ends[name - 1] as number) + 1);
  }

  /** Raises `levels` to how well each name has the word, from 0 to 1. A `word` may also be the beginning of one. */
  *search({ word, stem }: ReturnType<typeof searchWord>, levels: Float32Array): Steps<'word' | 'part' | 'nowhere'> {
    // The stem of `series` is `sery`: only what both begin with is sure to be in a name.
    let same = 0;
    while (same < KEY && same < word.length && word[same] === stem[same]) same++;
    const key = Buffer.from(word.slice(0, same), 'latin1');
    const isShort = same < KEY;
    let matches = 0;
    let isWord = false;
    let name = 0;
    for (let from = 0; from < this.#used; from += BLOCK) {
      const block = this.#text.subarray(from, Math.min(from + BLOCK + key.length - 1, this.#used));
      for (let at = block.indexOf(key); at >= 0; at = block.indexOf(key, at + 1)) {
        const position = from + at;
        const isFirst = this.#begins[position] === 1;
        const level = isFirst ? this.#levelAt(position, word, stem) : isShort ? 0 : this.#levelInside(position, word);
        if (level === 0) continue;
        // Less is a word of the name that begins the other way round.
        if (isFirst && level > PART) isWord = true;
        if (position > (this.#ends[name] as number))
          name = firstIndex(this.count, (other) => (this.#ends[other] as number) >= position, name);
        if (level > (levels[name] as number)) levels[name] = level;
        if (++matches % MATCHES === 0) yield;
      }
      yield;
    }
    return isWord ? 'word' : matches > 0 ? 'part' : 'nowhere';
  }

  #levelAt(at: number, word: Bytes, stem: Bytes): number {
    const end = this.#wordEnd(at);
    const found = this.#text.toString('latin1', at, end) as Bytes;
    if (found === word || stemOfKnown(found) === stem) return 1;
    const said = this.#has(word, at) ? word : this.#has(stem, at) ? stem : null;
    if (said !== null) {
      const reached = at + said.length;
      if (this.#begins[reached] === 1) return 1;
      return PART + (PREFIX - PART) * Math.sqrt(said.length / (this.#wordEnd(reached) - at));
    }
    return found.length >= KEY && stem.startsWith(found) ? (PART * found.length) / stem.length : 0;
  }

  #levelInside(at: number, word: Bytes): number {
    const end = this.#wordEnd(at);
    if (at + word.length > end || !this.#has(word, at)) return 0;
    let start = at;
    while (this.#begins[start] === 0) start--;
    return (PART * word.length) / (end - start);
  }

  #has(word: Bytes, at: number): boolean {
    for (let i = 0; i < word.length; i++) if (this.#text[at + i] !== word.charCodeAt(i)) return false;
    return true;
  }

  #wordEnd(at: number): number {
    let end = at + 1;
    while (this.#begins[end] === 0) end++;
    return end;
  }

  /** The different words of all names, without numbers. */
  *vocabulary(): Steps<readonly string[]> {
    if (this.#vocabulary !== null) return this.#vocabulary;
    const words: string[] = [];
    const seen = new Set<string>();
    for (let at = 0, count = 1; at < this.#used; count++) {
      const end = this.#wordEnd(at);
      const word = (this.#text[at] as number) > NINE ? this.#text.toString('latin1', at, end) : '';
      if (seen.size < seen.add(word).size && word !== '') words.push(word);
      at = end;
      if (count % MATCHES === 0) yield;
    }
    this.#vocabulary = words;
    return words;
  }

  #reserve(bytes: number): void {
    if (this.#used + bytes > this.#text.length) {
      const length = 2 * (this.#text.length + bytes);
      this.#text = grown(this.#text, Buffer.allocUnsafeSlow(length));
      this.#begins = grown(this.#begins, new Uint8Array(length));
    }
    if (this.count === this.#ends.length) this.#ends = grown(this.#ends, new Uint32Array(2 * this.count));
  }
}
