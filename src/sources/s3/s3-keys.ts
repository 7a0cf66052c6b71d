/**
 * Keys of an object store as paths. A key is any text; between its slashes may stand what cannot be a name:
 *
 *     a//b     →  a/%/b         nothing at all
 *     a/../b   →  a/%2E%2E/b    `.` and `..`, which here lead nowhere else
 *     a/%/b    →  a/%25/b       what would be taken for one of these
 *
 * Every other name is the key's own. The way back is exact, so what is shown can be asked for.
 */
import type { Bytes } from '../../workspace/bytes.ts';
import type { RootPath } from '../../workspace/paths.ts';

/** Whether a key may hold something that needs another form. Perf: nearly all do not. */
const IS_ODD = /^$|^\/|\/\/|\/$|(?:^|\/)(?:\.{1,2}(?:\/|$)|%)|\0|%(?:25)*00/;

/** What a name would be taken for that looks like one of the other forms. */
const LOOKS_WRITTEN = /^%(?=(?:25)*(?:2E(?:%2E)?)?$)/;
const NUL_WRITTEN = /%(?=(?:25)*00)/g;

/** A name for what stands between two slashes. */
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

/** The path of a key, or of a part of it. */
export function pathOfKey(key: Bytes): Bytes {
  if (!IS_ODD.test(key)) return key;
  return key.split('/').map(nameOf).join('/') as Bytes;
}

/** The key of a path, without a slash at its end. */
export function keyOfPath(path: RootPath | Bytes): Bytes {
  return (path.includes('%') ? path.split('/').map(partOf).join('/') : path) as Bytes;
}

/** A key as `EncodingType: 'url'` sends it: spaces as `+`, most of the rest as `%XX`. */
export function decodedKey(encoded: string): Bytes {
  // Perf: some servers write slashes so, and nothing else of most keys.
  const key = encoded.includes('%2F') ? encoded.replaceAll('%2F', '/') : encoded;
  if (!key.includes('%') && !key.includes('+')) return key as Bytes;
  return key
    .replaceAll('+', ' ')
    .replaceAll(/%([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))) as Bytes;
}
