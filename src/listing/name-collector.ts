/**
 * Collects entries and returns pages of them in order of name, without sorting the rest.
 *
 * Perf: names are copied as bytes into one buffer. A million strings kept alive would cost the garbage collector more
 * time than reading them; a buffer costs it nothing. A page needs only the entries up to its end. When twice as many
 * have accumulated, the later ones are dropped, and from then on no entry that would come after the page is added.
 */

import { type Bytes, below, isAscii } from '../names/bytes.ts';
import type { Budget } from '../workspace/budget.ts';
import { asWords, cutWord, ENTRY_TYPES, type EntryBuffer, type EntryType, grown, WORD } from '../workspace/reader.ts';
import { HANDFUL } from '../workspace/steps.ts';
import type { Collector } from './collector.ts';
import type { Bookmark, Entry } from './entry.ts';
import { type Comparison, DIRECTORY_RANK, LOWER_CASED, OTHER_RANK } from './name-keys.ts';
import { NameOrder } from './name-order.ts';
import type { Page } from './query.ts';

/** Bytes that can be copied within one slice. */
const LARGE = 2 ** 22;

/**
 * The least size, in bytes, of a buffer larger than that. The system provides only the memory that is written to. Perf:
 * glibc retains freed blocks of up to 32 MB, and a server that was busy once would hold 150 MB for ever.
 */
const RESERVED = 40 * 2 ** 20;

/** Bytes that are enough for a handful of names, unless they are unusual. */
const ROOM = 256 * HANDFUL.entries;

/** Elements that are copied at a time. */
const COPIED = 2 ** 18;

/** Below this many entries, dropping some is not worth the work. */
const SPARE = 1024;

export class NameCollector implements Collector {
  readonly #comparison: Comparison;
  readonly #directoriesFirst: boolean;
  /** Entries from this position on are on no page that will be requested. */
  #end = Number.POSITIVE_INFINITY;
  /** The place where the first page that will be requested begins; null for the start. */
  #after: Mark | null = null;
  /** The number of entries that were dropped because they do not come after it. */
  #before = 0;
  /** For each entry: its type, its rank, the text it is compared by, 0; and if that is not the name, the name and 0. */
  #bytes = new Uint8Array(4096);
  #words = asWords(this.#bytes);
  #used = 0;
  /** The position of each entry's rank in the buffer. */
  #starts = new Uint32Array(128);
  #count = 0;
  /** The key of the last entry that is worth keeping; null while every entry is. */
  #last: Uint8Array | null = null;
  /** The order, as far as it was requested; null while entries are being added. */
  #order: NameOrder | null = null;

  constructor(comparison = LOWER_CASED, directoriesFirst = true) {
    this.#comparison = comparison;
    this.#directoriesFirst = directoriesFirst;
  }

  get isFull(): boolean {
    return this.#hasTooMany || this.#isCrowded;
  }

  get #hasTooMany(): boolean {
    return this.#count > 2 * this.#end + SPARE;
  }

  get #isCrowded(): boolean {
    return isCrowded(this.#bytes, this.#used + ROOM) || isCrowded(this.#starts, this.#count + HANDFUL.entries);
  }

  get size(): number {
    return this.#used + 16 * this.#count;
  }

  keepUpTo(end: number, after: Bookmark | null): void {
    this.#end = end;
    this.#after = after === null ? null : this.#markFor(after);
  }

  /** An entry of an inner directory is ordered by its path. */
  add(entries: EntryBuffer, at: number, leadsToDirectory: boolean, parent = '' as Bytes): void {
    const rank = this.#rankOf(leadsToDirectory);
    if (parent === '') {
      const { bytes, starts, ends } = entries;
      this.#addName(bytes, starts[at] as number, ends[at] as number, entries.codeAt(at), rank, entries);
      return;
    }
    const path = Buffer.from(below(parent, entries.nameAt(at)), 'latin1');
    this.#addName(path, 0, path.length, entries.codeAt(at), rank);
  }

  /** `source` is the buffer that holds the bytes, if it can be read word by word. */
  #addName(
    bytes: Uint8Array,
    start: number,
    end: number,
    type: number,
    rank: number,
    source: EntryBuffer | null = null,
  ): void {
    if (this.#last !== null && compareKey(rank, bytes, start, end, this.#last, this.#comparison) > 0) return;
    if (this.#after !== null && !this.#isBehind(rank, bytes, start, end, this.#after)) {
      this.#before++;
      return;
    }
    this.#reserve(end - start + 3 + WORD);
    this.#bytes[this.#used++] = type;
    const place = this.#used;
    this.#bytes[this.#used++] = rank;
    const isWritten = source === null ? this.#write(bytes, start, end) : this.#writeWords(source, start, end);
    if (!isWritten || end - start > this.#comparison.longest) {
      const key = Buffer.from(this.#comparison.keyFor(nameIn(bytes, start, end)), 'latin1');
      this.#used = place + 1;
      this.#reserve(key.length + end - start + 2);
      this.#write(key, 0, key.length);
      this.#write(bytes, start, end);
      this.#bytes[place - 1] = type | RENAMED;
    }
    this.#starts[this.#count++] = place;
  }

  async settle(budget: Budget): Promise<void> {
    if (this.#hasTooMany) await this.#dropRest(budget);
    if (this.#isCrowded) await this.#grow(budget);
  }

  async #dropRest(budget: Budget): Promise<void> {
    const start = this.#after === null ? 0 : await this.#indexBehind(this.#after, budget);
    const end = Math.min(start + this.#end, this.#count);
    const order = await this.#arranged(start, end, budget);
    const kept = new NameCollector(this.#comparison, this.#directoriesFirst);
    for (let from = start; from < end; from += HANDFUL.entries) {
      this.#copyTo(kept, order.subarray(from, Math.min(from + HANDFUL.entries, end)));
      if (kept.#isCrowded) await kept.#grow(budget);
      await budget.yieldIfDue();
    }
    if (end - start === this.#end) {
      const last = this.#starts[order[end - 1] as number] as number;
      this.#last = this.#bytes
        .slice(last, endOf(this.#bytes, last) + 1)
        .map((byte) => this.#comparison.fold[byte] as number);
    }
    this.#before += start;
    this.#use(kept.#bytes);
    this.#used = kept.#used;
    this.#starts = kept.#starts;
    this.#count = kept.#count;
    this.#order = null;
  }

  async page({ offset, limit }: Page, budget: Budget): Promise<Entry[]> {
    const start = offset - this.#before;
    const end = Math.min(start + limit, this.#count);
    if (start >= end) return [];
    const order = await this.#arranged(start, end, budget);
    const entries: Entry[] = [];
    for (let from = start; from < end; from += HANDFUL.entries) {
      this.#appendEntries(entries, order.subarray(from, Math.min(from + HANDFUL.entries, end)));
      await budget.yieldIfDue();
    }
    return entries;
  }

  async positionAfter(mark: Bookmark, budget: Budget): Promise<number> {
    return this.#before + (await this.#indexBehind(this.#markFor(mark), budget));
  }

  /** Returns an index among the entries that are kept. Binary search: only the buckets that it touches are sorted. */
  async #indexBehind(mark: Mark, budget: Budget): Promise<number> {
    let low = 0;
    let high = this.#count;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const order = await this.#arranged(middle, middle + 1, budget);
      const id = order[middle] as number;
      const start = this.#nameStart(id);
      const rank = this.#bytes[this.#starts[id] as number] as number;
      if (this.#isBehind(rank, this.#bytes, start, endOf(this.#bytes, start), mark)) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  #markFor({ name, leadsToDirectory }: Bookmark): Mark {
    const { fold, longest, keyFor } = this.#comparison;
    const rank = this.#rankOf(leadsToDirectory);
    const isPlain = isAscii(name) && name.length <= longest;
    const text = Buffer.from(isPlain ? name : keyFor(name), 'latin1');
    return { name, key: Uint8Array.of(rank, ...text.map((byte) => (isPlain ? (fold[byte] as number) : byte)), 0) };
  }

  #rankOf(leadsToDirectory: boolean): number {
    return this.#directoriesFirst && leadsToDirectory ? DIRECTORY_RANK : OTHER_RANK;
  }

  #isBehind(rank: number, bytes: Uint8Array, start: number, end: number, mark: Mark): boolean {
    const difference = compareKey(rank, bytes, start, end, mark.key, this.#comparison);
    return difference === 0 ? nameIn(bytes, start, end) > mark.name : difference > 0;
  }

  #copyTo(other: NameCollector, ids: Uint32Array): void {
    for (const id of ids) {
      const place = this.#starts[id] as number;
      const start = this.#nameStart(id);
      const type = (this.#bytes[place - 1] as number) & ~RENAMED;
      other.#addName(this.#bytes, start, endOf(this.#bytes, start), type, this.#bytes[place] as number);
    }
  }

  #appendEntries(entries: Entry[], ids: Uint32Array): void {
    const buffer = Buffer.from(this.#bytes.buffer);
    for (const id of ids) {
      const rank = this.#starts[id] as number;
      const start = this.#nameStart(id);
      const path = buffer.toString('latin1', start, endOf(this.#bytes, start)) as Bytes;
      const slash = path.lastIndexOf('/');
      const type = ENTRY_TYPES[(this.#bytes[rank - 1] as number) & ~RENAMED] as EntryType;
      entries.push({
        name: slash < 0 ? path : (path.slice(slash + 1) as Bytes),
        parent: (slash < 0 ? '' : path.slice(0, slash)) as Bytes,
        type,
        leadsToDirectory: this.#directoriesFirst ? this.#bytes[rank] === DIRECTORY_RANK : type === 'dir',
        metadata: null,
      });
    }
  }

  /** Returns entry numbers. Those at positions `from` to `to` are in order; the others are on the correct side. */
  #arranged(from: number, to: number, budget: Budget): Promise<Uint32Array> {
    const { fold } = this.#comparison;
    const compareNames = (a: number, b: number) => this.#compareNames(a, b);
    this.#order ??= new NameOrder(this.#count, { bytes: this.#bytes, starts: this.#starts, fold, compareNames });
    return this.#order.arranged(from, to, budget);
  }

  #compareNames(a: number, b: number): number {
    let i = this.#nameStart(a);
    let j = this.#nameStart(b);
    while (this.#bytes[i] === this.#bytes[j] && this.#bytes[i] !== 0) {
      i++;
      j++;
    }
    return (this.#bytes[i] as number) - (this.#bytes[j] as number);
  }

  #nameStart(id: number): number {
    const rank = this.#starts[id] as number;
    return (this.#bytes[rank - 1] as number) & RENAMED ? endOf(this.#bytes, rank) + 1 : rank + 1;
  }

  /** Appends a text. Returns true if all of it is ASCII, so that a table such as `FOLD` is enough to fold it. */
  #write(text: Uint8Array, start: number, end: number): boolean {
    const bytes = this.#bytes;
    let used = this.#used;
    let union = 0;
    for (let i = start; i < end; i++) {
      const byte = text[i] as number;
      bytes[used++] = byte;
      union |= byte;
    }
    bytes[used++] = 0;
    this.#used = used;
    return union < 0x80;
  }

  /** Does the same word by word. Perf: takes a third of the time. */
  #writeWords(source: EntryBuffer, start: number, end: number): boolean {
    const [words, used, length] = [this.#words, this.#used, end - start];
    let [union, at] = [0, 0];
    for (; at + WORD <= length; at += WORD) {
      const word = source.wordAt(start + at);
      words.setInt32(used + at, word);
      union |= word;
    }
    if (at < length) {
      const word = cutWord(source.wordAt(start + at), length - at);
      words.setInt32(used + at, word);
      union |= word;
    }
    words.setUint8(used + length, 0);
    this.#used = used + length + 1;
    return (union & 0x80808080) === 0;
  }

  #use(bytes: Uint8Array<ArrayBuffer>): void {
    this.#bytes = bytes;
    this.#words = asWords(bytes);
  }

  #reserve(bytes: number): void {
    const size = this.#bytes.length;
    if (this.#used + bytes > size) this.#use(grown(this.#bytes, new Uint8Array(2 * size + bytes)));
    if (this.#count < this.#starts.length) return;
    this.#starts = grown(this.#starts, new Uint32Array(2 * this.#count));
  }

  /** Reserves ahead of time, and in slices: copying megabytes at once would block the event loop. */
  async #grow(budget: Budget): Promise<void> {
    const [bytes, starts] = [this.#bytes, this.#starts];
    if (isCrowded(bytes, this.#used + ROOM)) {
      this.#use(await grownInSlices(bytes, new Uint8Array(moreThan(bytes)), budget));
    }
    if (isCrowded(starts, this.#count + HANDFUL.entries)) {
      this.#starts = await grownInSlices(starts, new Uint32Array(moreThan(starts) / 4), budget);
    }
  }
}

/** True if an array is large, and too short for what will be used. */
function isCrowded({ byteLength, length }: Uint8Array | Uint32Array, used: number): boolean {
  return byteLength >= LARGE && length < used;
}

function moreThan({ byteLength }: Uint8Array | Uint32Array): number {
  return Math.max(2 * byteLength, RESERVED);
}

/** Perf: a name is so short that searching for its end takes less time than a native call. */
function endOf(bytes: Uint8Array, start: number): number {
  let end = start;
  while (bytes[end] !== 0) end++;
  return end;
}

/** Set in an entry's type if its name follows the text that it is compared by. */
const RENAMED = 0x80;

async function grownInSlices<T extends Uint8Array | Uint32Array>(from: T, to: T, budget: Budget): Promise<T> {
  for (let start = 0; start < from.length; start += COPIED) {
    to.set(from.subarray(start, start + COPIED), start);
    await budget.yieldIfDue();
  }
  return to;
}

/** A bookmark, with its key ready to be compared. */
interface Mark {
  readonly key: Uint8Array;
  readonly name: Bytes;
}

function nameIn(bytes: Uint8Array, start: number, end: number): Bytes {
  return Buffer.from(bytes.buffer, bytes.byteOffset).toString('latin1', start, end) as Bytes;
}

/**
 * Compares an entry's key to `key`, which is folded and ends with 0, a value less than any byte of a name. Names with
 * equal keys may still differ in case.
 */
function compareKey(
  rank: number,
  bytes: Uint8Array,
  start: number,
  end: number,
  key: Uint8Array,
  { fold, longest, keyFor }: Comparison,
): number {
  if (rank !== key[0]) return rank - (key[0] as number);
  const isLong = end - start > longest;
  for (let i = start; i < end && !isLong; i++) {
    const byte = bytes[i] as number;
    if (byte >= 0x80) return compareFolded(keyFor(nameIn(bytes, start, end)), key);
    const difference = (fold[byte] as number) - (key[i - start + 1] as number);
    if (difference !== 0) return difference;
  }
  return isLong ? compareFolded(keyFor(nameIn(bytes, start, end)), key) : -(key[end - start + 1] as number);
}

function compareFolded(folded: Bytes, key: Uint8Array): number {
  for (let i = 0; i < folded.length; i++) {
    const difference = folded.charCodeAt(i) - (key[i + 1] as number);
    if (difference !== 0) return difference;
  }
  return -(key[folded.length + 1] as number);
}
