import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { displayWidth, padEnd } from '../../src/text/display-width.ts';

/** Text of all scripts, with the pieces that make and break emoji sequences more often than chance would have them. */
const anyText = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'binary', maxLength: 4 }),
      fc.string({ unit: 'grapheme', maxLength: 4 }),
      fc.constantFrom('\u200d', '\ufe0f', '\ufe0e', '\u{1f3fd}', '\u{1f1e9}', '\u20e3', '\u0301', '☝', '👩', '1', '日'),
    ),
    { maxLength: 8 },
  )
  .map((pieces) => pieces.join(''));

describe('the display width', () => {
  it.each([
    ['nothing', '', 0],
    ['ASCII', 'README.md', 9],
    ['spaces and a tilde', ' a ~', 4],
    ['Latin with accents', 'Crème Brûlée', 12],
    ['an accent as a mark of its own', 'cafe\u0301', 4],
    ['two marks on one letter', 'a\u0323\u0302b', 2],
    ['an enclosing circle', 'a\u20dd', 1],
    ['Greek and Cyrillic', 'Ωмега', 5],
    ['Chinese', '中文文件.txt', 12],
    ['Japanese', 'ひらがなカタカナ', 16],
    ['half-width katakana with its voicing mark', 'ｶﾞ', 2],
    ['full-width Latin', 'ＡＢＣ', 6],
    ['a full-width sign', '￥', 2],
    ['half-width won sign', '￦₩', 3],
    ['an ideographic space', '\u3000', 2],
    ['Korean', '한국어', 6],
    ['Korean from single letters', '\u1112\u1161\u11ab\u1100\u116e\u11a8', 4],
    ['Korean with an old vowel', '\u1100\ud7b0', 2],
    ['a Hangul filler', 'a\u3164', 1],
    ['an ideograph beyond the first plane', '𠮷野家', 6],
    ['an ideograph of the third plane', '\u{30000}', 2],
    ['Tangut', '\u{17000}', 2],
    ['a vertical form', '︵', 2],
    ['a hexagram', '䷀', 2],
    ['Arabic', 'مرحبا', 5],
    ['Arabic with vowel signs', 'مَرْحَبًا', 5],
    ['Hebrew with points', 'שָׁלוֹם', 4],
    ['Thai with marks above and below', 'ที่นี่', 2],
    ['a Devanagari conjunct', 'क्ष', 2],
    ['Devanagari with spacing vowel signs', 'हिन्दी', 5],
    ['a zero-width space', 'a\u200bb', 2],
    ['a byte order mark', '\ufeffa', 1],
    ['a right-to-left override', '\u202eabc', 3],
    ['a control character', 'a\u0007b', 2],
    ['a C1 control character', 'a\u009bb', 2],
    ['half of a surrogate pair', 'a\ud800', 2],
    ['box drawing', '├── │', 5],
    ['an ambiguous character', '§±', 2],
    ['a private character', '\ue000', 1],
  ])('of %s', (_, text, width) => {
    expect(displayWidth(text)).toBe(width);
  });

  it.each([
    ['an emoji', '😀', 2],
    ['two emoji', '🚀🚀', 4],
    ['an old symbol that is an emoji by itself', '⌚', 2],
    ['a symbol that is text by itself', '☎', 1],
    ['the same, as an emoji', '☎\ufe0f', 2],
    ['a heart', '❤', 1],
    ['a red heart', '❤\ufe0f', 2],
    ['an emoji that asks to be text', '⌚\ufe0e', 1],
    ['text that asks to be text', '☎\ufe0e', 1],
    ['a letter with a selector', 'a\ufe0f', 1],
    ['an ideograph with a variation selector', '葛\u{e0100}', 2],
    ['a family', '👨‍👩‍👧‍👦', 2],
    ['a family in a name', 'a👨‍👩‍👧‍👦b.txt', 8],
    ['an astronaut with a skin tone', '👩🏽‍🚀', 2],
    ['a rainbow flag', '🏳\ufe0f‍🌈', 2],
    ['a rainbow flag without its selector', '🏳‍🌈', 2],
    ['a heart on fire', '❤\ufe0f‍🔥', 2],
    ['a joiner with nothing to join', '👩‍', 2],
    ['letters with a joiner', 'a\u200db', 2],
    ['a flag', '🇩🇪', 2],
    ['three flags', '🇩🇪🇫🇷🇯🇵', 6],
    ['half a flag', '🇩', 1],
    ['the flag of Scotland', '🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}', 2],
    ['a keycap', '1\ufe0f\u20e3', 2],
    ['a keycap of a hash', '#\ufe0f\u20e3', 2],
    ['a keycap without its selector', '1\u20e3', 1],
    ['a thumb with a skin tone', '👍🏽', 2],
    ['a text symbol with a skin tone', '☝🏽', 2],
    ['a skin tone alone', '🏽', 2],
    ['a skin tone behind what has no skin', 'a🏽', 3],
    ['a skin tone behind an emoji that has none', '🐶🏽', 4],
    ['an ideograph before a sequence', '日👍🏽', 4],
  ])('of %s', (_, text, width) => {
    expect(displayWidth(text)).toBe(width);
  });

  it.each([
    [0x1100, 0x115e],
    [0x2329, 0x232a],
    [0x2630, 0x2637],
    [0x268a, 0x268f],
    [0x2e80, 0x303e],
    [0x3041, 0x3247],
    [0x3250, 0xa4c6],
    [0xa960, 0xa97c],
    [0xac00, 0xd7a3],
    [0xf900, 0xfaff],
    [0xfe10, 0xfe19],
    [0xfe30, 0xfe6b],
    [0xff01, 0xff60],
    [0xffe0, 0xffe6],
    [0x17000, 0x1b2fb],
    [0x1d300, 0x1d376],
    [0x1f200, 0x1f265],
    [0x20000, 0x3fffd],
  ])('is 2 at both ends of a wide range (%i, %i)', (first, last) => {
    expect([first, last].map((point) => displayWidth(String.fromCodePoint(point)))).toEqual([2, 2]);
  });

  // The nearest characters that are assigned and narrow, on either side of the wide ranges.
  it.each([
    0x10ff, 0x1200, 0x2328, 0x232b, 0x262f, 0x2638, 0x2689, 0x2690, 0x2e5d, 0x303f, 0x3248, 0x324f, 0xa4d0, 0xa95f,
    0xa984, 0xf8ff, 0xfb00, 0xfe70, 0xff61, 0xffdc, 0xffe8, 0x16f9f, 0x1bc00, 0x1d2f3, 0x1d377, 0x1f1ad, 0xf0000,
  ])('is 1 beside a wide range (%i)', (point) => {
    expect(displayWidth(String.fromCodePoint(point))).toBe(1);
  });

  it('is 2 for every emoji that Unicode recommends', () => {
    const tones = ['', '\u{1f3fb}', '\u{1f3ff}'];
    const points = Array.from({ length: 0x20000 }, (_, point) => point).filter(
      (point) => point < 0xd800 || point > 0xdfff,
    );
    const emoji = points.map((point) => String.fromCodePoint(point)).filter((text) => /\p{Emoji}/u.test(text));
    const letters = emoji.filter((text) => /\p{Regional_Indicator}/u.test(text));
    const people = ['👩', '👨', '🧑', '🏃', '🧔', '🏳', '❤', '👩🏾', '🧑🏿', '🏃🏽'];
    const candidates = [
      ...emoji.flatMap((text) => ['\ufe0f', '\ufe0f\u20e3', ...tones].map((end) => text + end)),
      ...letters.flatMap((one) => letters.map((other) => one + other)),
      ...people.flatMap((one) => emoji.flatMap((other) => [`${one}\u200d${other}`, `${one}\u200d${other}\ufe0f`])),
      ...people.flatMap((one) => emoji.map((other) => `${one}\ufe0f\u200d${other}`)),
      ...people.flatMap((one) => people.map((other) => `${one}\u200d❤\ufe0f\u200d${other}`)),
    ];
    // Not a literal: the flag is younger than TypeScript's target.
    const flags = 'v';
    const recommended = new RegExp('^\\p{RGI_Emoji}$', flags);
    const found = candidates.filter((text) => recommended.test(text));
    expect(found.length).toBeGreaterThan(2_000);
    expect(found.filter((text) => displayWidth(text) !== 2)).toEqual([]);
  });

  it('is never negative, and never more than two columns a character', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const width = displayWidth(text);
        expect(width).toBeGreaterThanOrEqual(0);
        expect(width).toBeLessThanOrEqual(2 * Array.from(text).length);
      }),
    );
  });

  it('of a text and of a text beside it add up', () => {
    fc.assert(
      fc.property(anyText, anyText, (one, other) => {
        expect(displayWidth(`${one} ${other}`)).toBe(displayWidth(one) + 1 + displayWidth(other));
      }),
    );
  });

  it('of a long text takes time in proportion to it: in proportion to its square, this would not end', () => {
    expect(displayWidth('👩🏽‍🚀日'.repeat(200_000))).toBe(800_000);
    expect(displayWidth('👩‍'.repeat(500_000))).toBe(2);
  });
});

describe('padding', () => {
  it('fills up to a width', () => {
    expect(padEnd('日本', 6)).toBe('日本  ');
  });

  it('leaves alone what is wide enough', () => {
    expect(padEnd('日本', 3)).toBe('日本');
    expect(padEnd('abc', 3)).toBe('abc');
  });

  it('gives the width that was asked for, or the text’s own', () => {
    fc.assert(
      fc.property(anyText, fc.nat(40), (text, width) => {
        const expected = Math.max(width, displayWidth(text));
        expect(displayWidth(padEnd(text, width))).toBe(expected);
        expect(padEnd(text, width).trimEnd()).toBe(text.trimEnd());
      }),
    );
  });
});
