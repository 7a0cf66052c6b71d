/** Splits names into words, as people would: `test_frame_apply.py`, `FrameBuilder.ts`, `v2-beta`. */
import type { Bytes } from '../names/bytes.ts';

const SEPARATOR = 0;
const DIGIT = 1;
const UPPER = 2;
const LOWER = 3;

/** Returns the end of the word that begins at `at`, with the separators around it: `test_`, `frame_`, `apply.`, `py`. */
export function wordEnd(name: Bytes, at: number): number {
  let end = skip(name, at, SEPARATOR);
  const kind = kindAt(name, end);
  end = skip(name, end, kind);
  // `Frame` and `HTML` are one word each.
  if (kind === UPPER) end = skip(name, end, LOWER);
  return skip(name, end, SEPARATOR);
}

/** Returns the longest prefix that ends with a word, of at most `longest` and at least `shortest` bytes. */
export function wordsWithin(name: Bytes, shortest: number, longest: number): Bytes {
  let end = shortest;
  while (end < longest) {
    const next = wordEnd(name, end);
    if (next > longest || next === end) break;
    end = next;
  }
  return name.slice(0, end) as Bytes;
}

function skip(name: Bytes, from: number, kind: number): number {
  let at = from;
  while (at < name.length && kindAt(name, at) === kind) at++;
  return at;
}

/** Everything but ASCII counts as a lower-case letter. */
function kindAt(name: Bytes, at: number): number {
  const code = name.charCodeAt(at);
  if (code >= 0x30 && code <= 0x39) return DIGIT;
  if (code >= 0x41 && code <= 0x5a) return UPPER;
  return code === 0x2d || code === 0x2e || code === 0x5f || code === 0x20 ? SEPARATOR : LOWER;
}
