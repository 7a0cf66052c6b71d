/**
 * How many columns a terminal uses for a text, so that columns stand straight whatever script a name is in.
 *
 *     README.md   9        日本語   6        👨‍👩‍👧   2        café   4 (also with the accent as a mark of its own)
 *
 * A text is as wide as its characters together, as in the C library's `wcwidth`; only a sequence that is drawn as one
 * emoji is not.
 */

const PRINTABLE_ASCII = /^[\x20-\x7e]*$/;

/** What only an emoji sequence has: a joiner, a choice of presentation, a skin tone. Flags add up to 2 by themselves. */
const SEQUENCE_PART = /\u200d|\ufe0e|\ufe0f|\ud83c[\udffb-\udfff]/;

/**
 * First and last of the characters with East_Asian_Width W or F (Unicode 17, UAX #11) that are no emoji: those are
 * known to the engine. Ranges run on over characters that are not assigned, which keeps them few.
 */
const WIDE: readonly number[] = [
  0x1100, 0x115f, 0x2329, 0x232a, 0x2630, 0x2637, 0x268a, 0x268f, 0x2e80, 0x303e, 0x3041, 0x3247, 0x3250, 0xa4c6,
  0xa960, 0xa97c, 0xac00, 0xd7a3, 0xf900, 0xfaff, 0xfe10, 0xfe19, 0xfe30, 0xfe6b, 0xff01, 0xff60, 0xffe0, 0xffe6,
  0x16fe0, 0x1b2fb, 0x1d300, 0x1d376, 0x1f200, 0x1f265, 0x20000, 0x3fffd,
];

export function displayWidth(text: string): number {
  if (PRINTABLE_ASCII.test(text)) return text.length;
  return widthOfCharacters(SEQUENCE_PART.test(text) ? withoutSequences(text) : text);
}

export function padEnd(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - displayWidth(text)));
}

/**
 * The text with one plain emoji in place of each sequence that is drawn as one: an emoji by its selector (a keycap has
 * one), with a skin tone, or joined of several. An emoji that asks to be text becomes a letter.
 *
 * Perf: by patterns, because Node's Intl.Segmenter takes 50 ms at its first use, and then time that grows with the
 * square of the text.
 */
function withoutSequences(text: string): string {
  return text
    .replace(/\p{Emoji}\ufe0e/gu, 'x')
    .replace(/\p{Emoji}\ufe0f|\p{Emoji_Modifier_Base}\p{Emoji_Modifier}/gu, '😀')
    .replace(/\p{Extended_Pictographic}(?:\u200d\p{Extended_Pictographic})+/gu, '😀');
}

/** Perf: a text is mostly made of few different characters. Forgotten as a whole when it is full. */
const known = new Map<string, number>();
const MOST_KNOWN = 4096;

function widthOfCharacters(text: string): number {
  let width = 0;
  for (const character of text) {
    let own = known.get(character);
    if (own === undefined) {
      if (known.size >= MOST_KNOWN) known.clear();
      own = widthOfCharacter(character);
      known.set(character, own);
    }
    width += own;
  }
  return width;
}

function widthOfCharacter(character: string): 0 | 1 | 2 {
  if (PRINTABLE_ASCII.test(character)) return 1;
  if (isInvisible(character)) return 0;
  return isWide(character.codePointAt(0) as number) || isEmoji(character) ? 2 : 1;
}

/**
 * Marks that sit on another character, controls, format characters; the vowels and finals of Hangul, which join the
 * consonant before them. A spacing mark (Mc) stands beside its letter and takes a column, as in the C library.
 *
 * Perf: the Unicode classes stand inside functions, so that only a text that is not ASCII pays for building them.
 */
function isInvisible(character: string): boolean {
  return /[\p{Mn}\p{Me}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u1160-\u11ff\ud7b0-\ud7fb]/u.test(character);
}

/** Half a flag is one column, so that the two of a pair make the two of a flag. */
function isEmoji(character: string): boolean {
  return /(?!\p{Regional_Indicator})\p{Emoji_Presentation}/u.test(character);
}

function isWide(point: number): boolean {
  let low = 0;
  let high = WIDE.length / 2;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (point > (WIDE[2 * middle + 1] as number)) low = middle + 1;
    else high = middle;
  }
  return low < WIDE.length / 2 && point >= (WIDE[2 * low] as number);
}
