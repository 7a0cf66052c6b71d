/**
 * The order by name, as bytes that compare like the entries do: directories first, then the lower-cased name by code
 * point, then the name itself.
 *
 * A key is the entry's rank, then the lower-cased name, which in UTF-8 compares by code point. An ASCII name is its own
 * key, lower-cased while it is read through `FOLD`, so that nothing has to be made for it.
 */
import { type Bytes, bytesOf, codePointsOf, isAscii } from '../workspace/bytes.ts';

/** Lower case for ASCII bytes, everything else as it is. */
export const FOLD = new Uint8Array(256).map((_, byte) => (byte >= 0x41 && byte <= 0x5a ? byte + 32 : byte));

export const DIRECTORY_RANK = 1;
export const OTHER_RANK = 2;

/** How names are compared: byte by byte through `fold`, and where that is not enough, by a key of their own. */
export interface Comparison {
  readonly fold: Uint8Array;
  /** Names that are ASCII and no longer than this are compared as they are. */
  readonly longest: number;
  /** What any other name is compared by. */
  keyFor(name: Bytes): Bytes;
}

/** The lower-cased name as bytes. For one that is ASCII `FOLD` is all that it takes. */
function foldedName(name: Bytes): Bytes {
  const text = codePointsOf(name)
    .map((point) => String.fromCodePoint(point))
    .join('')
    .toLowerCase();
  let bytes = '';
  for (const character of text) bytes += encode(character.codePointAt(0) as number);
  return bytes as Bytes;
}

/** By the lower-cased name. */
export const LOWER_CASED: Comparison = { fold: FOLD, longest: Number.POSITIVE_INFINITY, keyFor: foldedName };

/** The lower-cased name, to be compared as bytes. */
export function orderKey(name: Bytes): Bytes {
  return isAscii(name) ? (name.toLowerCase() as Bytes) : foldedName(name);
}

/** As that, but numbers in names compare by their value: `v2` before `v10`. */
export const NATURAL: Comparison = { fold: FOLD, longest: 0, keyFor: naturalKey };

/**
 * The lower-cased name, in which the number of its digits stands before each number, leading zeros left out. So more
 * digits are more, whatever they are; and the byte that says so sorts where digits do.
 */
export function naturalKey(name: Bytes): Bytes {
  return orderKey(name).replace(/\d+/g, (digits) => {
    const significant = digits.replace(/^0+(?=\d)/, '');
    const { length } = significant;
    if (length < 9) return String.fromCharCode(0x30 + length) + significant;
    // Beyond ASCII, where no case is folded.
    return `9${String.fromCharCode(0x80 | (length >> 4), 0x80 | (length & 15))}${significant}`;
  }) as Bytes;
}

/** UTF-8, also of the code points that stand for stray bytes, which no encoder of the platform would take. */
function encode(point: number): string {
  if (point < 0x80) return String.fromCharCode(point);
  if (point < 0x800) return String.fromCharCode(0xc0 | (point >> 6), tail(point));
  if (point < 0x10000) return String.fromCharCode(0xe0 | (point >> 12), tail(point >> 6), tail(point));
  return String.fromCharCode(0xf0 | (point >> 18), tail(point >> 12), tail(point >> 6), tail(point));
}

function tail(bits: number): number {
  return 0x80 | (bits & 0x3f);
}

/** Bytes of a path that count in the order by path. */
const LONGEST_KEY = 500;

/**
 * By the path as text: each byte that is not valid UTF-8 is U+FFFD, a `\` counts as a `/`, and what lies beyond 500 bytes does
 * not count.
 */
export const BY_PATH: Comparison = {
  fold: Uint8Array.from({ length: 256 }, (_, byte) => (byte === 0x5c ? 0x2f : byte)),
  longest: LONGEST_KEY,
  keyFor: (path) => {
    const text = Buffer.from(path, 'latin1').toString('utf8').replaceAll('\\', '/');
    return cutAtCharacter(bytesOf(text), LONGEST_KEY);
  },
};

/** At most so many bytes of valid UTF-8, without the part of a character at the end. */
function cutAtCharacter(bytes: Bytes, most: number): Bytes {
  let end = most;
  while ((bytes.charCodeAt(end) & 0xc0) === 0x80) end--;
  return bytes.slice(0, end) as Bytes;
}
