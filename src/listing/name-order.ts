/**
 * The order by name, as bytes that compare like the entries do: directories first, then the lower-cased name by code
 * point, then the name itself.
 *
 * A key is the entry's rank, then the lower-cased name, which in UTF-8 compares by code point. An ASCII name is its own
 * key, lower-cased while it is read through `FOLD`, so that nothing has to be made for it.
 */
import { type Bytes, codePointsOf, isAscii } from '../workspace/bytes.ts';

/** Lower case for ASCII bytes, everything else as it is. */
export const FOLD = new Uint8Array(256).map((_, byte) => (byte >= 0x41 && byte <= 0x5a ? byte + 32 : byte));

export const DIRECTORY_RANK = 1;
export const OTHER_RANK = 2;

/** The lower-cased name as bytes, or the name itself where `FOLD` is all that it takes. */
export function foldedName(name: Bytes): Bytes {
  if (isAscii(name)) return name;
  const text = codePointsOf(name)
    .map((point) => String.fromCodePoint(point))
    .join('')
    .toLowerCase();
  let bytes = '';
  for (const character of text) bytes += encode(character.codePointAt(0) as number);
  return bytes as Bytes;
}

/** The lower-cased name, to be compared as bytes. */
export function orderKey(name: Bytes): Bytes {
  return isAscii(name) ? (name.toLowerCase() as Bytes) : foldedName(name);
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
