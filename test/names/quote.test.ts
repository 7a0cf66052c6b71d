import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { type Bytes, bytesOf, codePointsOf, textOf } from '../../src/names/bytes.ts';
import {
  bytesOfShown,
  escaped,
  escapedToAscii,
  inJson,
  quoted,
  shown,
  shownAsGiven,
  shownBesideArrow,
  shownInAscii,
  unquoted,
  withArrow,
} from '../../src/names/quote.ts';
import { corpus } from '../support/corpus.ts';
import { rounds } from '../support/rounds.ts';

const hex = (digits: string) => Buffer.from(digits, 'hex').toString('latin1') as Bytes;
const anyBytes = fc
  .oneof(
    fc.uint8Array({ minLength: 1, maxLength: 40 }).map((bytes) => Buffer.from(bytes).toString('latin1')),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 20 }).map((text) => bytesOf(text)),
  )
  .map((bytes) => bytes.replaceAll('\0', '') as Bytes);

describe('bytes', () => {
  it('take text and give it back', () => {
    expect(textOf(bytesOf('Ωmega 日本 😀'))).toBe('Ωmega 日本 😀');
  });

  it.each([
    ['overlong', 'c0af', [0xdcc0, 0xdcaf]],
    ['surrogate', 'eda080', [0xdced, 0xdca0, 0xdc80]],
    ['cut off', 'e697', [0xdce6, 0xdc97]],
    ['beyond Unicode', 'f4908080', [0xdcf4, 0xdc90, 0xdc80, 0xdc80]],
    ['overlong of three', 'e08080', [0xdce0, 0xdc80, 0xdc80]],
    ['overlong of four', 'f0808080', [0xdcf0, 0xdc80, 0xdc80, 0xdc80]],
    ['stray before valid', 'ffc3a9', [0xdcff, 0xe9]],
    ['four bytes', 'f09f9880', [0x1f600]],
    ['continuation alone', '80', [0xdc80]],
  ])('keep every byte that is no UTF-8 as one character: %s', (_, digits, points) => {
    expect(codePointsOf(hex(digits))).toEqual(points);
  });

  it('decode like the platform wherever the bytes are valid', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        fc.pre(text.isWellFormed());
        expect(String.fromCodePoint(...codePointsOf(bytesOf(text)))).toBe(text);
      }),
    );
  });
});

describe('a name in text', () => {
  it.each([
    ['a plain name', 'README.md', 'README.md'],
    ['a space', 'my file.txt', 'my file.txt'],
    ['a backslash', 'a\\b', 'a\\b'],
    ['other scripts', 'Ωmega日本', 'Ωmega日本'],
    ['an emoji', '😀', '😀'],
    ['a quote inside', 'say "hi"', 'say "hi"'],
    ['a leading quote', '"a"', '"\\"a\\""'],
    ['a line break', 'a\nb', '"a\\nb"'],
    ['a quote and a line break', 'a"\n', '"a\\"\\n"'],
    ['a no-break space', 'a\u00a0b', '"a\\u00a0b"'],
    ['an ideographic space', 'a\u3000b', '"a\\u3000b"'],
    ['a right-to-left mark', '\u202egpj.exe', '"\\u202egpj.exe"'],
    ['an unassigned character', 'a\u0378', '"a\\u0378"'],
    ['a private one is shown', 'a\ue000', 'a\ue000'],
    ['a tag character', '\u{e0072}', '"\\udb40\\udc72"'],
    ['not NFC: the mark', 'cafe\u0301', '"cafe\\u0301"'],
    ['not NFC: a singleton', '\u212b', '"\\u212b"'],
    ['not NFC: conjoining jamo', '\u1100\u1161', '"\u1100\\u1161"'],
    ['not NFC: two marks out of order', 'a\u0301\u0323', '"a\\u0301\\u0323"'],
    ['NFC with a mark that composes with nothing', 'x\u0323', 'x\u0323'],
    ['a blank Braille cell', 'a\u2800', '"a\\u2800"'],
    ['a line and a paragraph separator', '\u2028\u2029', '"\\u2028\\u2029"'],
    ['every short escape', '\b\f\n\r\t\\"', '"\\b\\f\\n\\r\\t\\\\\\""'],
    ['a mark behind an escape would sit on its last digit', 'a\n\u0323', '"a\\n\\u0323"'],
    ['a mark in front', '\n\u0323x\u0323', '"\\n\\u0323x\u0323"'],
    ['a mark in front of all sits on the quote', '\u0323\n', '"\u0323\\n"'],
    ['marks that keep their order, behind a break', '\nx\u0323\u0301', '"\\nx\u0323\u0301"'],
  ])('%s', (_, name, expected) => {
    expect(shown(bytesOf(name))).toBe(expected);
  });

  it.each(corpus<{ name: string; hazard: string; quoted: string }>('hostile-names'))(
    'corpus: $hazard is one visible line and comes back as the same bytes',
    ({ name, quoted: dense }) => {
      const bytes = hex(name);
      const line = shown(bytes);
      expect(line).toMatch(/^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+$/u);
      // The dense format quotes more names than a line does, but a name that is quoted is quoted in the same way.
      if (line.startsWith('"')) expect(line).toBe(dense);
      expect(line.startsWith('"') ? unquoted(line) : bytesOf(line)).toBe(bytes);
      if (dense.startsWith('"')) expect(unquoted(dense)).toBe(bytes);
    },
  );

  it('has a mark escaped that would sit on a byte', () => {
    expect(shown(hex('ffcca3'))).toBe('"\\xff\\u0323"');
  });

  it('quoting round-trips any bytes', () => {
    fc.assert(
      fc.property(anyBytes, (bytes) => {
        expect(unquoted(quoted(bytes))).toBe(bytes);
        const json = inJson(bytes);
        expect(json.startsWith('"') ? unquoted(json) : bytesOf(json)).toBe(bytes);
      }),
      { numRuns: rounds(2000) },
    );
  });

  it('holds no control, format, bidi, separator or unassigned character, and is in NFC, whatever the bytes', () => {
    fc.assert(
      fc.property(anyBytes, (bytes) => {
        const line = shown(bytes);
        expect(line).not.toMatch(/[\p{Cc}\p{Cf}\p{Cn}\p{Cs}\p{Zl}\p{Zp}]/u);
        expect(line.normalize('NFC')).toBe(line);
      }),
      { numRuns: rounds(2000) },
    );
  });
});

/** Characters that NFC composes, reorders or replaces, and what keeps it from doing so. */
const normalised = fc
  .array(
    fc.oneof(
      // Marks of the classes 1, 202, 216, 220, 230, 232 and 240, and two that compose with any of these between.
      fc.constantFrom(...'\u0334\u0327\u0328\u031b\u0323\u0316\u0301\u0302\u0307\u0315\u0345'),
      fc.constantFrom(...'\u0344\u0340\u0f71\u0f72\u0f73\u0f74\u0f80\u3099\u0653\u05b7\u20d0'),
      // Starters: plain, composed, of two or three parts, singletons, jamo, syllables, marks of class 0, astral ones.
      fc.constantFrom(...'aeosuAx\n "\\日ááạçśṩṣǘǖÅ\u212b\u2126か\u06c1'),
      fc.constantFrom(...'\u1100\u1161\u11a8\uac00\uac01\u09c7\u09be\u09d7\u0dd9\u0dcf\u0dca\u0b47\u0b3e'),
      fc.constantFrom(...'😀\u{1d157}\u{1d165}\u{1d15e}\u{11099}\u{110ba}\u{2f81a}'),
      fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
    ),
    { minLength: 1, maxLength: 24 },
  )
  .map((characters) => characters.join(''));

describe('a name that is not in NFC', () => {
  it('shows nothing that NFC would change, hides nothing else, and comes back', () => {
    fc.assert(
      fc.property(normalised, fc.nat(40), fc.boolean(), (text, at, hasStrayByte) => {
        const whole = bytesOf(text);
        const bytes = (hasStrayByte ? `${whole.slice(0, at)}\xff${whole.slice(at)}` : whole) as Bytes;
        const form = quoted(bytes);
        expect(unquoted(form)).toBe(bytes);
        expect(form.normalize('NFC')).toBe(form);
        // What stands between two escapes, with what it stands behind: as much as NFC leaves alone is shown.
        for (const match of form.matchAll(/(^"|\\["\\bfnrt]|\\u[0-9a-f]{4}|\\x[0-9a-f]{2})([^"\\]*)/g)) {
          const [, before = '', run = ''] = match;
          expect(run.normalize('NFC')).toBe(run);
          if (before !== '"') expect(run).not.toMatch(/^\p{M}/u);
          const next = /^\\u([0-9a-f]{4})/.exec(form.slice(match.index + match[0].length))?.[1];
          const character = next === undefined ? '' : String.fromCharCode(Number.parseInt(next, 16));
          // Half of a pair says nothing of the whole.
          if (!character.isWellFormed() || /[\p{C}\p{Z}\p{DI}\u2800]/u.test(character)) continue;
          const isBare = run === '' && before !== '"' && /\p{M}/u.test(character);
          const tail = run === '' && before === '"' ? '"' : run;
          if (character !== '') expect(isBare || (tail + character).normalize('NFC') !== tail + character).toBe(true);
        }
      }),
      { numRuns: rounds(5000) },
    );
  });

  it.each([
    ['the same mark', '\u0316'],
    ['marks in order', '\u0316\u0317\u0318'],
    ['marks in turns', '\u0315\u0316'],
    ['marks that compose', '\u0323\u0301'],
    ['marks of class 0', '\u09be'],
    ['jamo', '\u1100\u1161\u11a8'],
  ])('costs time in proportion to its length: %s', (_, unit) => {
    const normalize = vi.spyOn(String.prototype, 'normalize');
    try {
      for (const say of [shownAsGiven, escaped, (text: string) => shown(bytesOf(text)), quoted as typeof escaped]) {
        for (const start of ['x', '\nx', '\u0315']) {
          const text = start + unit.repeat(3000);
          normalize.mockClear();
          say(text);
          // `normalize` itself takes the square of a run of marks, so it is only asked about short ones.
          const asked = normalize.mock.contexts.map((text) => String(text).length);
          expect(Math.max(0, ...asked)).toBeLessThanOrEqual(256);
          expect(asked.reduce((sum, length) => sum + length, 0)).toBeLessThan(16 * text.length);
        }
      }
    } finally {
      normalize.mockRestore();
    }
  });
});

describe('a name in a view that marks links by an arrow', () => {
  it.each([
    ['a', 'a'],
    ['a->b', 'a->b'],
    ['a -', 'a -'],
    ['a -> b', '"a -> b"'],
    // With the arrow that follows it would read as a link `a` to `-> target`.
    ['a ->', '"a ->"'],
    [' -> ', '" -> "'],
    ['-> b', '-> b'],
    ['"a -> b', '"\\"a -> b"'],
    ['a\n -> b', '"a\\n -> b"'],
  ])('%j is %s', (name, expected) => {
    const bytes = bytesOf(name);
    expect([shownBesideArrow(bytes), shownBesideArrow(bytes, shownInAscii)]).toEqual([expected, expected]);
    expect(bytesOfShown(expected)).toBe(bytes);
    // The first arrow outside of quotes ends the name.
    expect(withArrow(shownBesideArrow(bytes), bytesOf('x -> y'))).toBe(`${expected} -> "x -> y"`);
  });
});

describe('a name in JSON', () => {
  it.each([
    ['plain even with a line break', 'a\nb', 'a\nb'],
    ['plain even when not NFC', 'cafe\u0301', 'cafe\u0301'],
    ['quoted when it starts with a quote', '"a', '"\\"a"'],
  ])('%s', (_, name, expected) => {
    expect(inJson(bytesOf(name))).toBe(expected);
  });

  it('is quoted when it is no UTF-8', () => {
    expect(inJson(hex('636166e9'))).toBe('"caf\\xe9"');
  });
});

describe('a quoted form that is malformed is refused', () => {
  it.each([
    ['a lone quote', '"'],
    ['no form at all', 'a"'],
    ['nothing', ''],
    ['no end', '"abc'],
    ['an end that is escaped', '"abc\\"'],
    ['something behind the end', '"a"b'],
    ['a quote inside', '"a"b"'],
    ['an unknown escape', '"\\q"'],
    ['a short escape', '"\\u12"'],
    ['a byte escape that is cut off', '"\\xf"'],
    ['an escape cut by the end', '"\\u00"41'],
    ['a raw line break', '"a\nb"'],
    ['half of a pair', '"\\ud800"'],
    ['half of a pair before a byte', '"\\ud800\\xff"'],
  ])('%s', (_, form) => {
    expect(unquoted(form)).toBeNull();
  });

  it('accepts what holds nothing', () => {
    expect(unquoted('""')).toBe('');
    expect(unquoted('""/')).toBe('');
  });

  it('accepts every escape of JSON, and the slash that marks a directory', () => {
    expect(unquoted('"\\"\\\\\\/\\b\\f\\n\\r\\t\\u0041\\ud83d\\ude00\\x42"/')).toBe(bytesOf('"\\/\b\f\n\r\tA😀B'));
  });
});

describe('words of the caller inside a message', () => {
  it.each([
    ['plain', 'src/x', 'src/x'],
    ['a line break', 'a\nb', '"a\\nb"'],
    ['a line break in front', '\nb', '"\\nb"'],
    ['a malformed form that cannot mislead', '"a', '"a'],
    ['a quoted form, as given', '"a\\nb"', '"a\\nb"'],
    ['a quoted form with a raw bidi mark', '"\u202ea"', '"\\u202ea"'],
    ['a malformed one with a line break', '"a\nb', '"\\"a\\nb"'],
    ['a malformed one with a bidi mark', '"\u202ea', '"\\"\\u202ea"'],
    ['half of a pair', 'a\ud800', '"a\\ud800"'],
    ['half of a pair that a byte would be kept as', 'a\udc80', '"a\\udc80"'],
    ['a quote at its end', 'say "hi"', 'say "hi"'],
    ['a quote at its end, and a line break', 'a\n"', '"a\\n\\""'],
    ['a lone quote', '"', '"'],
    ['quotes alone', '""', '""'],
  ])('%s', (_, text, expected) => {
    expect(shownAsGiven(text)).toBe(expected);
  });
});

describe('a name on a terminal that shows ASCII alone', () => {
  it.each([
    ['plain', 'a b.txt', 'a b.txt'],
    ['other scripts', 'é日😀', '"\\u00e9\\u65e5\\ud83d\\ude00"'],
    ['a line break', 'a\nb', '"a\\nb"'],
    ['both', 'é\n', '"\\u00e9\\n"'],
  ])('%s', (_, name, expected) => {
    expect(shownInAscii(bytesOf(name))).toBe(expected);
    expect(expected.startsWith('"') ? unquoted(expected) : expected).toBe(bytesOf(name));
  });

  it('has every other character of a quoted form escaped', () => {
    expect(escapedToAscii('"é~ "')).toBe('"\\u00e9~ "');
  });
});

describe('any text with its unsafe characters escaped', () => {
  it.each([
    ['plain', 'src "x" \\ é 日本', 'src "x" \\ é 日本'],
    ['controls', 'a\nb\x1b[0m\x7f\u009b', 'a\\nb\\u001b[0m\\u007f\\u009b'],
    ['what hides or turns around', '"\u200b\u202e\u{e0041}"', '"\\u200b\\u202e\\udb40\\udc41"'],
    ['not NFC', 'cafe\u0301 \u212b', 'cafe\\u0301 \\u212b'],
    ['two marks out of order', 'a\u0301\u0323', 'a\\u0301\\u0323'],
    ['conjoining jamo', '\u1100\u1161', '\u1100\\u1161'],
    ['half of a pair', '\ud800', '\\ud800'],
    ['half of a pair that a byte would be kept as', '\udbff x \udcff', '\\udbff x \\udcff'],
    ['a mark behind a quote', '"\u0323"', '"\u0323"'],
    ['a mark in front of all', '\u0323\n', '\u0323\\n'],
  ])('%s', (_, text, expected) => {
    expect(escaped(text)).toBe(expected);
  });

  it('is the same JSON, and in NFC', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const json = escaped(JSON.stringify({ [text]: text }));
        expect(JSON.parse(json)).toEqual({ [text]: text });
        expect(json).toBe(json.normalize('NFC'));
        expect(json).not.toMatch(/[\p{Cc}\p{Cf}\p{Cn}\p{Cs}\p{Zl}\p{Zp}]/u);
      }),
      { numRuns: rounds(1000) },
    );
  });
});
