/**
 * The number of columns that a terminal uses for a text, so that columns align whatever script a name is in.
 *
 *     README.md   9        日本語   6        👨‍👩‍👧   2        café   4 (also with the accent as a mark of its own)
 *
 * A text is as wide as the sum of its characters, as in the C library's `wcwidth`. The one exception is a sequence that
 * is drawn as one emoji.
 */
import { memoized } from '../names/memoized.ts';
import { PRINTABLE_ASCII } from '../names/quote.ts';
import { isInRanges } from '../names/ranges.ts';

/** Marks an emoji sequence: a joiner, a choice of presentation, a skin tone. Flags add up to 2 by themselves. */
const SEQUENCE_PART = /\u200d|\ufe0e|\ufe0f|\ud83c[\udffb-\udfff]/;

/** East_Asian_Width W or F (Unicode 17, UAX #11), without emoji. Ranges include unassigned characters, to be few. */
const WIDE: readonly number[] = [
  0x1100, 0x115f, 0x2329, 0x232a, 0x2630, 0x2637, 0x268a, 0x268f, 0x2e80, 0x303e, 0x3041, 0x3247, 0x3250, 0xa4c6,
  0xa960, 0xa97c, 0xac00, 0xd7a3, 0xf900, 0xfaff, 0xfe10, 0xfe19, 0xfe30, 0xfe6b, 0xff01, 0xff60, 0xffe0, 0xffe6,
  0x16fe0, 0x1b2fb, 0x1d300, 0x1d376, 0x1f200, 0x1f265, 0x20000, 0x3fffd,
];

export function displayWidth(text: string): number {
  if (PRINTABLE_ASCII.test(text)) return text.length;
  let width = 0;
  for (const character of SEQUENCE_PART.test(text) ? withoutSequences(text) : text)
    width += widthOfCharacter(character);
  return width;
}

export function padEnd(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - displayWidth(text)));
}

/**
 * Replaces each sequence that is drawn as one emoji by one plain emoji: an emoji with a selector (a keycap has one),
 * with a skin tone, or several joined. An emoji with the text selector becomes a letter.
 *
 * Perf: uses patterns, because Node's Intl.Segmenter takes 50 ms at its first use, and then quadratic time.
 */
function withoutSequences(text: string): string {
  return text
    .replace(/\p{Emoji}\ufe0e/gu, 'x')
    .replace(/\p{Emoji}\ufe0f|\p{Emoji_Modifier_Base}\p{Emoji_Modifier}/gu, '😀')
    .replace(/\p{Extended_Pictographic}(?:\u200d\p{Extended_Pictographic})+/gu, '😀');
}

/** Perf: most texts consist of few different characters. */
const widthOfCharacter = memoized(4096, (character: string): 0 | 1 | 2 => {
  if (PRINTABLE_ASCII.test(character)) return 1;
  if (isInvisible(character)) return 0;
  return isInRanges(WIDE, character.codePointAt(0) as number) || EMOJI.test(character) ? 2 : 1;
});

/**
 * True for combining marks, controls, format characters, and the vowels and finals of Hangul, which join the consonant
 * before them. A spacing mark (Mc) takes a column, as it does in the C library.
 *
 * Perf: the Unicode classes are inside functions, so that only a text that is not ASCII pays for building them.
 */
function isInvisible(character: string): boolean {
  return /[\p{Mn}\p{Me}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u1160-\u11ff\ud7b0-\ud7fb]/u.test(character);
}

/** Half a flag takes one column, so that a pair takes the two of a flag. */
const EMOJI = /(?!\p{Regional_Indicator})\p{Emoji_Presentation}/u;
