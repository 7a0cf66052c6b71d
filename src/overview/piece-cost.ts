/**
 * Counts the tokens that o200k_base makes of one piece. It merges as the tokenizer does: among all neighbours that form a
 * token, those with the lowest level first, until none are left.
 */
import { promisify } from 'node:util';
import { brotliDecompress, brotliDecompressSync } from 'node:zlib';
import { type Bytes, bytesOf } from '../names/bytes.ts';
import type { Steps } from '../workspace/steps.ts';
import { PACKED } from './token-table.ts';

const NO_LEVEL = 0xffff;
const STALE = -1;

/**
 * The words, sorted, each with the tokens that it stands for: itself, behind a space, with a capital, and with both. A
 * word is packed as how many bytes are those of the word before, and the rest, with control characters as 0xF0 + n.
 */
interface TokenTable {
  /** The bytes of all words, sorted, one after the other. */
  readonly names: Uint8Array;
  /** The start of each word in `names`, and the end of the last one. */
  readonly starts: Uint32Array;
  /** The first word for each pair of first bytes; the second is 0 where there is none. */
  readonly firsts: Uint32Array;
  readonly kinds: Uint16Array;
  /** For each word, where the levels of its tokens are. */
  readonly places: Uint32Array;
  /** The low bytes of all levels, then the high bytes. */
  readonly levels: Uint8Array;
}

/** A word's kind is 16 times its length in bytes (the longest is a run of spaces), and its variants. */
const KINDS = 129 * 16;

let loaded: TokenTable | undefined;

/** Perf: unpacked for the first map, because other tools never need it. */
function tokenTable(): TokenTable {
  if (loaded === undefined) Array.from(loadTable());
  return loaded as TokenTable;
}

const compressed = () => [PACKED.words, PACKED.levels, PACKED.variants].map((part) => Buffer.from(part, 'base64'));
let inflated: Promise<Buffer[]> | undefined;
/** Perf: by default, zlib returns to this thread for each 16 KB. */
const AT_ONCE = { chunkSize: 512 * 1024 };

/** Begins to load the table. Perf: other threads do what they can of it while a map reads its tree. */
export function beginTable(): void {
  if (loaded !== undefined) return;
  const parts = compressed().map((part) => promisify(brotliDecompress)(part, AT_ONCE));
  // If that fails, the next map would fail, too: then it is done on this thread.
  inflated ??= Promise.all(parts).catch(() => []);
}

/** Words unpacked between two steps. */
const UNPACKED = 16_384;

/** Perf: a Map of as many strings would take several times as long. */
export function* loadTable(): Steps<void> {
  if (loaded !== undefined) return;
  let parts: Buffer[] = [];
  if (inflated !== undefined)
    yield inflated.then((all) => {
      parts = all;
    });
  // A caller that cannot wait does that work itself.
  if (parts.length === 0) parts = compressed().map((part) => brotliDecompressSync(part, AT_ONCE));
  const [packed, levels, variants] = parts as [Buffer, Buffer, Buffer];
  const names = new Uint8Array(PACKED.length);
  const starts = new Uint32Array(variants.length + 1);
  const firsts = new Uint32Array(0x10001);
  const kinds = new Uint16Array(variants.length);
  let next = 0;
  // Perf: V8 compiles a short function sooner than a generator.
  const unpack = (first: number, last: number) => {
    let at = next;
    let end = starts[first] as number;
    for (let word = first; word < last; starts[++word] = end) {
      const start = end;
      let before = starts[Math.max(word - 1, 0)] as number;
      for (let shared = packed[at++] as number; shared > 0; shared--) names[end++] = names[before++] as number;
      for (; at < packed.length && (packed[at] as number) >= 0x20; at++) {
        const byte = packed[at] as number;
        names[end++] = byte < 0xf9 ? byte : byte - 0xf0;
      }
      kinds[word] = (end - start) * 16 + (variants[word] as number);
      firsts[((names[start] as number) << 8) + (end - start > 1 ? (names[start + 1] as number) : 0) + 1] = word + 1;
    }
    next = at;
  };
  for (let word = 0; word < kinds.length; word += UNPACKED) {
    unpack(word, Math.min(word + UNPACKED, kinds.length));
    yield;
  }
  for (let at = 1; at < firsts.length; at++) firsts[at] = Math.max(firsts[at] as number, firsts[at - 1] as number);
  loaded = { names, starts, firsts, kinds, places: placesOf(kinds), levels };
  inflated = undefined;
}

/** Levels are packed by the kinds of their words. */
function placesOf(kinds: Uint16Array): Uint32Array {
  const next = new Uint32Array(KINDS + 1);
  for (const kind of kinds) next[kind + 1] = (next[kind + 1] as number) + bitsIn(kind);
  for (let kind = 1; kind < KINDS; kind++) next[kind] = (next[kind] as number) + (next[kind - 1] as number);
  const places = new Uint32Array(kinds.length);
  for (let word = 0; word < kinds.length; word++) {
    const kind = kinds[word] as number;
    places[word] = next[kind] as number;
    next[kind] = (next[kind] as number) + bitsIn(kind);
  }
  return places;
}

/** How many of the four lowest bits are set: the tokens of a word. */
function bitsIn(variants: number): number {
  return (variants & 1) + ((variants >> 1) & 1) + ((variants >> 2) & 1) + ((variants >> 3) & 1);
}

/** Each round merges one level of a piece, so there are at most as many rounds as levels, however long it is. */
export function tokensOfPiece(piece: string): number {
  const text = bytesOf(piece);
  if (text.length < 2 || levelOf(text, 0, text.length) !== NO_LEVEL) return Math.min(text.length, 1);
  const starts = new Uint32Array(text.length + 1);
  /** The level of each unit merged with the next. */
  const levels = new Int32Array(text.length + 1).fill(STALE);
  for (let at = 0; at < starts.length; at++) starts[at] = at;
  for (let count = text.length; ; ) {
    let lowest = NO_LEVEL;
    for (let at = 0; at + 1 < count; at++) {
      if (levels[at] === STALE) levels[at] = levelOf(text, starts[at] as number, starts[at + 2] as number);
      lowest = Math.min(lowest, levels[at] as number);
    }
    if (lowest === NO_LEVEL) return count;
    let kept = 0;
    for (let at = 0; at < count; at++, kept++) {
      starts[kept] = starts[at] as number;
      levels[kept] = levels[at] as number;
      if (at + 1 === count || levels[at] !== lowest) continue;
      levels[kept] = STALE;
      if (kept > 0) levels[kept - 1] = STALE;
      at++;
    }
    starts[kept] = text.length;
    count = kept;
  }
}

/** Returns the level of the token between two positions, or `NO_LEVEL`. */
function levelOf(text: Bytes, from: number, to: number): number {
  const { firsts, kinds, places, levels } = tokenTable();
  const hasSpace = text.charCodeAt(from) === 0x20 && to - from > 1;
  const start = hasSpace ? from + 1 : from;
  const first = text.charCodeAt(start);
  const second = start + 1 < to ? text.charCodeAt(start + 1) : 0;
  const isCapital = isUpper(first) && second !== 0 && !isUpper(second);
  const key = ((isCapital ? first + 0x20 : first) << 8) + second;
  let low = firsts[key] as number;
  let high = firsts[key + 1] as number;
  while (low < high) {
    const middle = (low + high) >> 1;
    const order = compare(middle, text, start, to);
    if (order === 0) {
      const own = kinds[middle] as number;
      const bit = 1 << ((hasSpace ? 1 : 0) + (isCapital ? 2 : 0));
      if ((own & bit) === 0) return NO_LEVEL;
      const place = (places[middle] as number) + bitsIn(own & (bit - 1));
      return (levels[place] as number) + ((levels[(levels.length >> 1) + place] as number) << 8);
    }
    if (order < 0) low = middle + 1;
    else high = middle;
  }
  return NO_LEVEL;
}

function isUpper(byte: number): boolean {
  return byte >= 0x41 && byte <= 0x5a;
}

/** Negative if the word comes before the text, 0 if they are equal. The first two bytes are known to be equal. */
function compare(word: number, text: Bytes, from: number, to: number): number {
  const { names, starts } = tokenTable();
  const start = starts[word] as number;
  const length = (starts[word + 1] as number) - start;
  const shared = Math.min(length, to - from);
  for (let at = 2; at < shared; at++) {
    const order = (names[start + at] as number) - text.charCodeAt(from + at);
    if (order !== 0) return order;
  }
  return length - (to - from);
}
