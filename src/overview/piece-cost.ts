/**
 * Counts the tokens that o200k_base makes of one piece. It merges as the tokenizer does: among all neighbours that form a
 * token, those with the lowest level first, until none are left.
 */
import { brotliDecompressSync } from 'node:zlib';
import { type Bytes, bytesOf } from '../names/bytes.ts';
import type { Steps } from './steps.ts';
import { LENGTH, LEVELS, TOKENS } from './token-table.ts';

const NO_LEVEL = 0xffff;
const STALE = -1;

interface TokenTable {
  /** The bytes of all tokens, sorted, one after the other. */
  readonly names: Uint8Array;
  /** The start of each token in `names`, and the end of the last one. */
  readonly starts: Uint32Array;
  /** The first token for each pair of first bytes. */
  readonly firsts: Uint32Array;
  /** The low bytes of all levels, then the high bytes. */
  readonly levels: Uint8Array;
}

let loaded: TokenTable | undefined;

/** Perf: unpacked for the first map, because other tools never need it. */
function tokenTable(): TokenTable {
  if (loaded === undefined) Array.from(loadTable());
  return loaded as TokenTable;
}

/** Tokens unpacked between two steps. */
const UNPACKED = 16_384;

/** Perf: a Map of as many strings would take several times as long. */
export function* loadTable(): Steps<void> {
  if (loaded !== undefined) return;
  const packed = unpacked(TOKENS);
  yield;
  const levels = unpacked(LEVELS);
  yield;
  const names = new Uint8Array(LENGTH);
  const starts = new Uint32Array(levels.length / 2 + 1);
  const firsts = new Uint32Array(0x10001);
  let end = 0;
  let token = 0;
  for (let at = 0; at < packed.length; ) {
    const before = starts[token - 1] as number;
    const shared = packed[at++] as number;
    starts[token++] = end;
    for (let byte = 0; byte < shared; byte++) names[end++] = names[before + byte] as number;
    for (; at < packed.length && (packed[at] as number) >= 0x20; at++) {
      const byte = packed[at] as number;
      names[end++] = byte < 0xf9 ? byte : byte - 0xf0;
    }
    const start = starts[token - 1] as number;
    firsts[((names[start] as number) << 8) + (names[start + 1] as number) + 1] = token;
    if (token % UNPACKED === 0) yield;
  }
  starts[token] = end;
  for (let at = 1; at < firsts.length; at++) firsts[at] = Math.max(firsts[at] as number, firsts[at - 1] as number);
  loaded = { names, starts, firsts, levels };
}

function unpacked(part: string): Buffer {
  return brotliDecompressSync(Buffer.from(part, 'base64'));
}

/** Each round merges one level of a piece, so there are at most as many rounds as levels, however long it is. */
export function tokensOfPiece(piece: string): number {
  const text = bytesOf(piece);
  if (text.length < 2 || levelOf(text, 0, text.length) !== NO_LEVEL) return Math.min(text.length, 1);
  const starts = Array.from({ length: text.length + 1 }, (_, at) => at);
  /** The level of each unit merged with the next. */
  const levels = starts.map(() => STALE);
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
  const { firsts, levels } = tokenTable();
  const key = (text.charCodeAt(from) << 8) + text.charCodeAt(from + 1);
  let low = firsts[key] as number;
  let high = firsts[key + 1] as number;
  while (low < high) {
    const middle = (low + high) >> 1;
    const order = compare(middle, text, from, to);
    if (order === 0) return (levels[middle] as number) + ((levels[(levels.length >> 1) + middle] as number) << 8);
    if (order < 0) low = middle + 1;
    else high = middle;
  }
  return NO_LEVEL;
}

/** Negative if the token comes before the text, 0 if they are equal. The first two bytes are known to be equal. */
function compare(token: number, text: Bytes, from: number, to: number): number {
  const { names, starts } = tokenTable();
  const start = starts[token] as number;
  const length = (starts[token + 1] as number) - start;
  const shared = Math.min(length, to - from);
  for (let at = 2; at < shared; at++) {
    const order = (names[start + at] as number) - text.charCodeAt(from + at);
    if (order !== 0) return order;
  }
  return length - (to - from);
}
