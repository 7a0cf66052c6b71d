/**
 * Keys for the order by name: bytes that compare as the entries do. A key is the entry's rank, directories first, and
 * the lower-cased name, which in UTF-8 compares by code point. An ASCII name is its own key, read through `FOLD`.
 */
import { type Bytes, bytesOf, isAscii, textWithStrays } from '../names/bytes.ts';

/** Maps ASCII letters to lower case, and every other byte to itself. */
export const FOLD = new Uint8Array(256).map((_, byte) => (byte >= 0x41 && byte <= 0x5a ? byte + 32 : byte));

export const DIRECTORY_RANK = 1;
export const OTHER_RANK = 2;

/** Defines how names compare: byte by byte through `fold` or, if that is not enough, by a separate key. */
export interface Comparison {
  readonly fold: Uint8Array;
  /** ASCII names up to this length are compared as they are. */
  readonly longest: number;
  /** Returns the key of any other name. */
  keyFor(name: Bytes): Bytes;
}

/** Returns the lower-cased name as bytes. An ASCII name needs only `FOLD`. */
function foldedName(name: Bytes): Bytes {
  let bytes = '';
  for (const character of textWithStrays(name).toLowerCase()) bytes += encode(character.codePointAt(0) as number);
  return bytes as Bytes;
}

export const LOWER_CASED: Comparison = { fold: FOLD, longest: Number.POSITIVE_INFINITY, keyFor: orderKey };

export function orderKey(name: Bytes): Bytes {
  return isAscii(name) ? (name.toLowerCase() as Bytes) : foldedName(name);
}

/** Like `LOWER_CASED`, but numbers in names compare by value: `v2` before `v10`. */
export const NATURAL: Comparison = { fold: FOLD, longest: 0, keyFor: naturalKey };

/** Puts the number of its digits before each number, without leading zeros: a number with more digits is greater. */
export function naturalKey(name: Bytes): Bytes {
  return orderKey(name).replace(/\d+/g, (digits) => {
    const significant = digits.replace(/^0+(?=\d)/, '');
    const { length } = significant;
    if (length < 9) return String.fromCharCode(0x30 + length) + significant;
    // These bytes are beyond ASCII, so `FOLD` leaves them unchanged.
    return `9${String.fromCharCode(0x80 | (length >> 4), 0x80 | (length & 15))}${significant}`;
  }) as Bytes;
}

/** Encodes a code point as UTF-8, even one that stands for a stray byte, which the platform's encoders would reject. */
function encode(point: number): string {
  if (point < 0x80) return String.fromCharCode(point);
  if (point < 0x800) return String.fromCharCode(0xc0 | (point >> 6), tail(point));
  if (point < 0x10000) return String.fromCharCode(0xe0 | (point >> 12), tail(point >> 6), tail(point));
  return String.fromCharCode(0xf0 | (point >> 18), tail(point >> 12), tail(point >> 6), tail(point));
}

function tail(bits: number): number {
  return 0x80 | (bits & 0x3f);
}

/** The number of bytes of a path that are compared in the order by path. */
const LONGEST_KEY = 500;

/** Compares by the path as text. Stray bytes count as U+FFFD, `\` as `/`; anything beyond 500 bytes is ignored. */
export const BY_PATH: Comparison = {
  fold: Uint8Array.from({ length: 256 }, (_, byte) => (byte === 0x5c ? 0x2f : byte)),
  longest: LONGEST_KEY,
  keyFor: (path) => {
    const text = Buffer.from(path, 'latin1').toString('utf8').replaceAll('\\', '/');
    return cutAtCharacter(bytesOf(text), LONGEST_KEY);
  },
};

/** Cuts valid UTF-8 to at most `most` bytes, without splitting a character. */
function cutAtCharacter(bytes: Bytes, most: number): Bytes {
  let end = most;
  while ((bytes.charCodeAt(end) & 0xc0) === 0x80) end--;
  return bytes.slice(0, end) as Bytes;
}
