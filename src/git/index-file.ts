// Reads the paths that git tracks from its index, as git writes it:
//
//     "DIRC", version 2, 3 or 4, count │ entries, sorted by path │ extensions │ checksum
//
// An entry is 40 bytes about the file, the object's id, flags and the path; version 4 leaves out what a path shares with
// the one before it. A split index lists its changes to a shared one (extension `link`). A sparse index has `dir/` in
// place of everything in a directory that is not checked out. Only paths are taken from it, and nothing is ever opened
// by them. What git would not read is not used.

import type { Bytes } from '../names/bytes.ts';
import type { SkippedFile } from '../workspace/source.ts';
import { HANDFUL, type Steps } from '../workspace/steps.ts';

/** Bytes in the header, and in an entry before the object's id. */
const HEADER = 12;
const ABOUT_FILE = 40;
const EXTENDED = 0x4000;
/** The limit for the length of all paths together, which version 4 can write in next to nothing. */
const MAX_PATHS = 128 * 1024 * 1024;

/** Returns the tracked paths in order; null if the index cannot be used. `idLength` is in bytes. */
export function* trackedPaths(
  content: Bytes,
  idLength: number,
  readShared: (name: Bytes) => Steps<Bytes | SkippedFile | null>,
): Steps<readonly Bytes[] | null> {
  const own = yield* parsed(content, idLength);
  if (own === null || own.link === null) return own?.paths ?? null;
  // A changed entry of the shared index has no path of its own.
  const added = own.paths.filter((path) => path !== '');
  const id = own.link.slice(0, idLength);
  if (/^\0*$/.test(id)) return added;
  const shared = yield* readShared(`sharedindex.${Buffer.from(id, 'latin1').toString('hex')}` as Bytes);
  const base = typeof shared === 'string' && shared.endsWith(id) ? yield* parsed(shared, idLength) : null;
  const removed = base === null ? null : bitsOf(own.link, idLength, base.paths.length);
  if (base === null || base.link !== null || removed === null) return null;
  // Two sorted runs are sorted in one pass.
  return base.paths
    .filter((_, i) => removed[i] === 0)
    .concat(added)
    .sort();
}

/** Returns true if all paths stand in full in an index: it is not of version 4, nor split, nor sparse. */
export function hasAllPaths(content: Bytes): boolean {
  return /^DIRC\0\0\0[\x02\x03]/.test(content) && !content.includes('link\0') && !content.includes('sdir\0');
}

/** Returns the paths in order, and the content of the extension `link`, if there is one; null for an unusable index. */
function* parsed(content: Bytes, idLength: number): Steps<{ paths: Bytes[]; link: string | null } | null> {
  const end = content.length - idLength;
  const [version, count] = [numberAt(content, 4), numberAt(content, 8)];
  const shortest = ABOUT_FILE + idLength + 2;
  if (!content.startsWith('DIRC') || version < 2 || version > 4 || HEADER + count * shortest > end) return null;
  const paths: Bytes[] = [];
  let [at, path, length] = [HEADER, '', 0];
  while (paths.length < count) {
    const flags = numberAt(content, at + shortest - 4) & 0xffff;
    let from = at + shortest + (flags & EXTENDED ? 2 : 0);
    let kept = 0;
    if (version === 4) {
      let byte = content.charCodeAt(from++);
      let dropped = byte & 0x7f;
      while (byte > 0x7f && dropped <= path.length) {
        byte = content.charCodeAt(from++);
        dropped = (dropped + 1) * 0x80 + (byte & 0x7f);
      }
      kept = path.length - dropped;
    }
    const to = content.indexOf('\0', from);
    path = path.slice(0, kept) + content.slice(from, to);
    // Up to version 3, each entry is filled up with at least one 0 to a multiple of eight bytes.
    const next = version === 4 ? to + 1 : at + ((to - at + 8) & ~7);
    length += path.length;
    if (kept < 0 || to < from || length > MAX_PATHS) return null;
    at = next;
    if (paths.push(path as Bytes) % HANDFUL.entries === 0) yield undefined;
  }
  let link: string | null = null;
  while (at < end) {
    const name = content.slice(at, at + 4);
    const from = at + 8;
    at = from + numberAt(content, at + 4);
    // Git skips unknown extensions whose name begins with a capital.
    if (!(/^[A-Z]/.test(name) || name === 'link' || name === 'sdir')) return null;
    if (name === 'link') link = content.slice(from, at);
  }
  // What is longer than the index ends elsewhere.
  return at === end && (link === null || link.length >= idLength) ? { paths, link } : null;
}

/** Decodes a bitmap (EWAH; null if damaged): a word counts a run of words all 0 or 1, and the words after it. */
function bitsOf(text: string, from: number, count: number): Uint8Array | null {
  const bits = new Uint8Array(count);
  if (text.length === from) return bits;
  const end = from + 8 + 8 * numberAt(text, from + 4);
  if (end + 4 > text.length) return null;
  for (let at = from + 8, position = 0; at < end; ) {
    const [high, low] = [numberAt(text, at), numberAt(text, at + 4)];
    const run = 64 * ((high & 1) * 2 ** 31 + (low >>> 1));
    if (low & 1) bits.fill(1, position, position + run);
    position += run;
    const last = Math.min(at + 8 * (high >>> 1), end - 8);
    for (at += 8; at <= last; at += 8, position += 64) {
      for (let bit = 0; bit < 64 && position + bit < count; bit++) {
        // The lower half of a word comes second.
        bits[position + bit] = (numberAt(text, at + (bit < 32 ? 4 : 0)) >>> (bit & 31)) & 1;
      }
    }
  }
  return bits;
}

/** Reads four bytes; those past the end are 0. */
function numberAt(text: string, at: number): number {
  const high = (text.charCodeAt(at) << 8) | text.charCodeAt(at + 1);
  return ((high << 16) | (text.charCodeAt(at + 2) << 8) | text.charCodeAt(at + 3)) >>> 0;
}
