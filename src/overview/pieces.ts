/**
 * Splits a text into the pieces that o200k_base merges separately: a token never crosses their bounds.
 *
 *     " src/ index.test.ts v10.2"   →   " src" "/" " index" ".test" ".ts" " v" "10" "." "2"
 *
 * A piece is a word (one character that is not a letter, upper case, lower case, an English contraction), up to three
 * digits, a run of punctuation, or white space. The rules follow the published pattern, in its order. Each takes time in
 * proportion to the length of the piece.
 */

const CONTRACTION = "(?:'(?:[sStTmMdD]|[rR][eE]|[vV][eE]|[lL][lL]))?";

/** The parameters are character classes. Letters without case are in both; `unknown` is left to another pattern. */
function patternOf(upper: string, lower: string, letters: string, digits: string, unknown: string): RegExp {
  const words = [`[${upper}]*[${lower}]+`, `[${upper}]+[${lower}]*`];
  return new RegExp(
    [
      ...words.map((word) => `[^\\r\\n${letters}${digits}${unknown}]?${word}${CONTRACTION}`),
      `[${digits}]{1,3}`,
      ` ?[^\\s${letters}${digits}${unknown}]+[\\r\\n/]*`,
      '\\s*[\\r\\n]+',
      '\\s+(?!\\S)',
      '\\s+',
    ].join('|'),
    unknown === '' ? 'uy' : 'y',
  );
}

const ASCII = patternOf('A-Z', 'a-z', 'A-Za-z', '0-9', '\\x80-\\uffff');

const UPPER = '\\p{Lu}\\p{Lt}\\p{Lm}\\p{Lo}\\p{M}';
const LOWER = '\\p{Ll}\\p{Lm}\\p{Lo}\\p{M}';
/** Perf: compiled for the first text that needs it, because that takes long. */
let unicode: RegExp | undefined;

/** Returns the end of the piece that starts at `from`. */
export function pieceEnd(text: string, from: number): number {
  ASCII.lastIndex = from;
  // What follows might belong to the piece.
  const isAscii = text.charCodeAt(from) <= 0x7f && ASCII.test(text) && !(text.charCodeAt(ASCII.lastIndex) > 0x7f);
  if (isAscii) return ASCII.lastIndex;
  unicode ??= patternOf(UPPER, LOWER, '\\p{L}', '\\p{N}', '');
  unicode.lastIndex = from;
  unicode.test(text);
  return unicode.lastIndex;
}
