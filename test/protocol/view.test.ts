import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cut, measure, readableText } from '../../src/protocol/view.ts';

describe('the view', () => {
  test.each<[string, unknown, string]>([
    ['an object is its indented JSON', { a: [1] }, '{\n  "a": [\n    1\n  ]\n}'],
    ['a line break inside a string is opened up', { t: 'a\nb' }, '{\n  "t": "a\nb"\n}'],
    ['an escaped backslash before an n stays', { t: 'C:\\new' }, '{\n  "t": "C:\\\\new"\n}'],
    ['a backslash and then a line break', { t: '\\\n' }, '{\n  "t": "\\\\\n"\n}'],
    ['two backslashes and an n', { t: '\\\\n' }, '{\n  "t": "\\\\\\\\n"\n}'],
    ['a quote before an n', { t: '"n' }, '{\n  "t": "\\"n"\n}'],
    ['other escapes stay', { t: '\t\r\u0001' }, '{\n  "t": "\\t\\r\\u0001"\n}'],
    ['text is its own view', 'a\\nb', 'a\\nb'],
    ['what has no JSON is shown in words', { n: 1n }, '{\n  "n": "1"\n}'],
    ['a function is shown in words', () => 1, '"[function]"'],
  ])('%s', (_case, value, view) => {
    expect(readableText(value)).toBe(view);
  });
});

describe('lines and bytes', () => {
  test.each([
    ['', 0, 0],
    ['a', 1, 1],
    ['a\n', 1, 2],
    ['a\nb', 2, 3],
    ['\n', 1, 1],
    ['\n\n', 2, 2],
    ['\na', 2, 2],
    ['é€🙂', 1, 9],
    ['\ud800', 1, 3],
  ])('%j has %i lines and %i bytes', (view, lines, bytes) => {
    expect(measure(view)).toEqual({ lines, bytes });
  });
});

describe('the cut', () => {
  test.each<[string, 'head' | 'tail', number, number, string]>([
    ['a\nb\nc', 'head', 2, 99, 'a\nb'],
    ['a\nb\nc', 'tail', 2, 99, 'b\nc'],
    ['a\nb\nc\n', 'head', 2, 99, 'a\nb'],
    ['a\nb\nc\n', 'tail', 2, 99, 'b\nc\n'],
    ['a\nb\nc', 'head', 9, 3, 'a\nb'],
    ['a\nb\nc', 'tail', 9, 3, 'b\nc'],
    ['a🙂b', 'head', 9, 4, 'a'],
    ['a🙂b', 'head', 9, 5, 'a🙂'],
    ['a🙂b', 'tail', 9, 4, 'b'],
    ['a🙂b', 'tail', 9, 5, '🙂b'],
    ['é€', 'head', 9, 4, 'é'],
    ['é€', 'tail', 9, 4, '€'],
    ['🙂', 'head', 9, 3, ''],
    ['🙂', 'tail', 9, 3, ''],
    ['\ude00\ud83d', 'head', 9, 3, '\ude00'],
    ['\ude00\ud83d', 'tail', 9, 3, '\ud83d'],
    ['\n\nabc', 'head', 1, 99, ''],
    ['abc\n\n', 'tail', 1, 99, '\n'],
    ['\nabc', 'tail', 2, 99, '\nabc'],
    ['\n', 'tail', 1, 99, '\n'],
    ['abc', 'head', 9, 9, 'abc'],
    ['abc', 'tail', 9, 9, 'abc'],
  ])('%j from the %s within %i lines and %i bytes is %j', (view, direction, lines, bytes, kept) => {
    expect(cut(view, direction, { lines, bytes })).toBe(kept);
  });

  test('it is the longest part that fits, and halves no character', () => {
    const text = fc.string({ unit: fc.constantFrom('a', '\n', 'é', '€', '🙂', '\ud83d', '\ude00'), maxLength: 30 });
    const limits = fc.record({ lines: fc.integer({ min: 1, max: 6 }), bytes: fc.integer({ min: 1, max: 40 }) });
    const fits = (view: string, most: { lines: number; bytes: number }) =>
      measure(view).lines <= most.lines && measure(view).bytes <= most.bytes;
    fc.assert(
      fc.property(text, limits, (view, most) => {
        const characters = Array.from(view);
        const head = cut(view, 'head', most);
        const tail = cut(view, 'tail', most);
        for (const [kept, longer] of [
          [head, characters.slice(0, Array.from(head).length + 2).join('')],
          [tail, characters.slice(-Array.from(tail).length - 1).join('')],
        ] as const) {
          expect(fits(kept, most)).toBe(true);
          if (kept !== view && longer !== view) expect(fits(longer, most)).toBe(false);
        }
        expect(characters.slice(0, Array.from(head).length).join('')).toBe(head);
        expect(characters.slice(characters.length - Array.from(tail).length).join('')).toBe(tail);
      }),
      { numRuns: 500 },
    );
  });
});
