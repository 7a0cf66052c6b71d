/**
 * Converts keys of an object store to paths and back. A key is any text; parts between its slashes may not be names:
 *
 *     a//b     →  a/%/b         an empty part
 *     a/../b   →  a/%2E%2E/b    `.` and `..`, which have no special meaning in a key
 *     a/%/b    →  a/%25/b       a part that looks like one of these
 *
 * A NUL becomes `%00`, and everything else stays unchanged. The conversion back is exact, so every path can be opened.
 */
import type { Bytes } from '../../names/bytes.ts';
import type { RootPath } from '../../names/paths.ts';
import { LONGEST_PATH } from '../loading/usable-names.ts';

/** Matches a key that may need another form. Perf: nearly all do not. */
const IS_ODD = /^$|^\/|\/\/|\/$|(?:^|\/)(?:\.{1,2}(?:\/|$)|%)|\0|%(?:25)*00/;
/** The `%` of a name that looks like one of the other forms. */
const LOOKS_WRITTEN = /^%(?=(?:25)*(?:2E(?:%2E)?)?$)/;
const NUL_WRITTEN = /%(?=(?:25)*00)/g;

function nameOf(part: string): string {
  if (part === '') return '%';
  if (part === '.' || part === '..') return part.replaceAll('.', '%2E');
  return part.replace(LOOKS_WRITTEN, '%25').replace(NUL_WRITTEN, '%25').replaceAll('\0', '%00');
}

function partOf(name: string): string {
  if (name === '%') return '';
  if (name === '%2E' || name === '%2E%2E') return name.replaceAll('%2E', '.');
  return name
    .replaceAll(/%00/g, '\0')
    .replace(/^%25(?=(?:25)*(?:2E(?:%2E)?)?$)/, '%')
    .replaceAll(/%25(?=(?:25)*00)/g, '%');
}

export function pathOfKey(key: Bytes): Bytes {
  if (!IS_ODD.test(key)) return key;
  return key.split('/').map(nameOf).join('/') as Bytes;
}

/** Returns the key of a path, without a trailing slash. */
export function keyOfPath(path: RootPath | Bytes): Bytes {
  return (path.includes('%') ? path.split('/').map(partOf).join('/') : path) as Bytes;
}

/** Three bytes for each byte of a path and of a prefix before it. */
const LONGEST_ENCODED = 3 * (LONGEST_PATH + 2048);

/** Decodes a key as `EncodingType: 'url'` sends it: spaces as `+`, most of the rest as `%XX`. */
export function decodedKey(encoded: string): Bytes {
  // Cut where it is far too long, it stays too long for a path, and is left out.
  const bounded = encoded.length > LONGEST_ENCODED ? encoded.slice(0, LONGEST_ENCODED) : encoded;
  // Perf: some servers encode slashes, and in most keys nothing else.
  const key = bounded.includes('%2F') ? bounded.replaceAll('%2F', '/') : bounded;
  if (!key.includes('%') && !key.includes('+')) return key as Bytes;
  return key
    .replaceAll('+', ' ')
    .replaceAll(/%([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))) as Bytes;
}
