/**
 * Splits a text into the pieces that o200k_base merges separately: a token never crosses their bounds.
 *
 *     " src/ index.test.ts v10.2"   →   " src" "/" " index" ".test" ".ts" " v" "10" "." "2"
 *
 * A piece is a word (one character that is not a letter, upper case, lower case, an English contraction), up to three
 * digits, a run of punctuation, or white space. The rules follow the published pattern, in its order.
 */
const OTHER = 0;
const UPPER = 1;
const LOWER = 2;
/** Letters without case, and marks: they count as upper and as lower case. */
const CASELESS = UPPER | LOWER;
const DIGIT = 4;
const SPACE = 5;
const BREAK = 6;

const ASCII = Uint8Array.from({ length: 128 }, (_, code) => characterClass(String.fromCharCode(code)));

const CONTRACTION = /'(?:s|t|re|ve|m|ll|d)/iy;

/** Returns the end of the piece that starts at `from`. */
export function pieceEnd(text: string, from: number): number {
  const first = classAt(text, from);
  const word = wordEnd(text, from, first);
  if (word > from) return contractionEnd(text, word);
  if (first === DIGIT) return digitsEnd(text, from);
  const mark = text.charCodeAt(from) === 0x20 ? from + 1 : from;
  if (mark < text.length && classAt(text, mark) === OTHER) return punctuationEnd(text, mark);
  return spaceEnd(text, from);
}

/** A word with or without a character before it; one with lower case is tried first. */
function wordEnd(text: string, from: number, first: number): number {
  if (first === BREAK || first === DIGIT) return from;
  // A mark may precede a word and may be part of one; either way, the word ends at the same place.
  if (isKind(first, CASELESS)) return anyWordEnd(text, from);
  const second = from + widthAt(text, from);
  const end = anyWordEnd(text, second);
  return end > second ? end : from;
}

function anyWordEnd(text: string, from: number): number {
  return lowerWordEnd(text, from) || runEnd(text, from, UPPER);
}

/** The end of `upper* lower+`, or 0. */
function lowerWordEnd(text: string, from: number): number {
  const capitals = runEnd(text, from, UPPER);
  const end = runEnd(text, capitals, LOWER);
  if (end > capitals) return end;
  // No lower case follows: the last caseless letter in the run counts as such.
  for (let at = capitals; at > from; at--) if (classAt(text, at - 1) === CASELESS) return at;
  return 0;
}

function runEnd(text: string, from: number, kind: number): number {
  let at = from;
  while (at < text.length && isKind(classAt(text, at), kind)) at++;
  return at;
}

function isKind(actual: number, kind: number): boolean {
  return actual <= CASELESS && (actual & kind) !== 0;
}

function contractionEnd(text: string, from: number): number {
  if (text.charCodeAt(from) !== 0x27) return from;
  CONTRACTION.lastIndex = from;
  return CONTRACTION.test(text) ? CONTRACTION.lastIndex : from;
}

function digitsEnd(text: string, from: number): number {
  let at = from;
  for (let count = 0; count < 3 && at < text.length && classAt(text, at) === DIGIT; count++) at += widthAt(text, at);
  return at;
}

/** Marks after punctuation belong to it. */
function punctuationEnd(text: string, from: number): number {
  let at = from;
  while (at < text.length && (classAt(text, at) === OTHER || isMarkAt(text, at))) at++;
  while (at < text.length && (classAt(text, at) === BREAK || text.charCodeAt(at) === 0x2f)) at++;
  return at;
}

/** White space up to its last line break, or without its last space, which belongs to the next piece. */
function spaceEnd(text: string, from: number): number {
  let end = from;
  let afterBreak = from;
  for (; end < text.length; end++) {
    const kind = classAt(text, end);
    if (kind === BREAK) afterBreak = end + 1;
    else if (kind !== SPACE) break;
  }
  if (afterBreak > from) return afterBreak;
  return end === text.length || end === from + 1 ? end : end - 1;
}

function classAt(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code < 128 ? (ASCII[code] as number) : characterClass(characterAt(text, at));
}

function isMarkAt(text: string, at: number): boolean {
  return text.charCodeAt(at) >= 128 && /\p{M}/u.test(characterAt(text, at));
}

/** Returns the whole character, even if `at` is in the middle of a surrogate pair. */
function characterAt(text: string, at: number): string {
  const start = widthAt(text, at - 1) === 2 ? at - 1 : at;
  return text.slice(start, start + widthAt(text, start));
}

function widthAt(text: string, at: number): number {
  return (text.codePointAt(at) as number) > 0xffff ? 2 : 1;
}

function characterClass(character: string): number {
  if (/[\r\n]/.test(character)) return BREAK;
  if (/[\p{Lu}\p{Lt}]/u.test(character)) return UPPER;
  if (/\p{Ll}/u.test(character)) return LOWER;
  if (/[\p{L}\p{M}]/u.test(character)) return CASELESS;
  if (/\p{N}/u.test(character)) return DIGIT;
  return /\s/.test(character) ? SPACE : OTHER;
}
