/** The estimator against the tokenizer itself. */
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, it } from 'vitest';
import { estimateTokens, tokensOfLine, tokensOfName } from '../../src/overview/estimate.ts';

/** Parts of maps of packages that the table was not made from. */
const texts = readFileSync(new URL('../corpora/tree-texts.txt', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n\n');
const names = [...new Set(texts.flatMap((text) => text.split(/\s+/)).filter(Boolean))];

function realTokens(text: string): number {
  return encode(text, { disallowedSpecial: new Set() }).length;
}

/** How much too high the estimate is: 0.05 for 5 %. */
function error(text: string): number {
  return estimateTokens(text) / realTokens(text) - 1;
}

describe('the text of a map', () => {
  it.each(texts.map((text) => [text.trimStart().slice(0, 40), text]))(
    'is never cheaper than thought: %s',
    (_, text) => {
      expect(error(text)).toBeGreaterThanOrEqual(0);
      expect(error(text)).toBeLessThan(0.2);
    },
  );

  it('is estimated within 6 % on the average', () => {
    expect(texts.reduce((sum, text) => sum + error(text), 0) / texts.length).toBeLessThan(0.06);
  });

  it('may stand in any order', () => {
    const some = fc.array(fc.constantFrom(...names), { minLength: 60, maxLength: 120 });
    fc.assert(
      fc.property(some, (list) => {
        expect(error(list.join(' '))).toBeGreaterThanOrEqual(0);
        expect(error(list.join(' '))).toBeLessThan(0.15);
      }),
      { numRuns: 200 },
    );
  });

  it.each([
    'src/ index.ts util.ts README.md package.json',
    '# src: 213 files, 180 shown, 33 hidden',
    ' api/+12 img-*+340 lib*/+9\n  src/',
    'index.ts\n   src/',
    '2024-01-15-report.md',
    '12345678',
    'a/\nb',
    ' '.repeat(60),
    '中.md',
    '',
  ])('costs exactly what it costs where every piece is known: %j', (text) => {
    expect(estimateTokens(text)).toBe(realTokens(text));
  });
});

describe('a hostile name', () => {
  const of = (alphabet: string, minLength: number, maxLength: number) =>
    fc.string({ unit: fc.constantFrom(...Array.from(alphabet)), minLength, maxLength });
  const kinds: [string, fc.Arbitrary<string>, number][] = [
    ['hex', of('0123456789abcdef', 8, 64), 0.3],
    ['base64', of('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_', 8, 64), 0.3],
    [
      'one letter again and again',
      fc.tuple(of('aAxzZ', 1, 1), fc.integer({ min: 1, max: 200 })).map(([a, n]) => a.repeat(n)),
      9,
    ],
    ['punctuation', of('!#$%&()*+,-./:;<=>?@[]^_`{|}~\'"\\', 1, 12), 0.6],
    ['Chinese and Japanese', of('日本語中文文件名档案测试図面資料の新しいファイル鱻龘', 2, 12), 1],
    ['other scripts', of('абвгдежзиклмнопрстαβγδεאבגدرسहिन्दी한국어ไทย', 2, 12), 2],
    ['emoji', of('😀🎉👩‍💻❤️🇩🇪🏳️‍🌈✅', 1, 8), 1],
    ['marks', of('aeo\u0301\u0308\u0323\u0336\u034f\u0489Z', 2, 30), 1],
    ['anything', fc.string({ unit: 'binary', minLength: 1, maxLength: 30 }), 1],
    ['escapes', of('\\nu202e\\x00"', 2, 30).map((text) => `"${text}"`), 0.6],
  ];

  it.each(kinds)('is never cheaper than thought: %s', (_, kind, most) => {
    fc.assert(
      fc.property(fc.array(kind, { minLength: 30, maxLength: 40 }), (list) => {
        const text = list.join(' ');
        expect(error(text)).toBeGreaterThanOrEqual(0);
        expect(error(text)).toBeLessThan(most);
      }),
      { numRuns: 100 },
    );
  });

  it('does not take long', () => {
    const begun = performance.now();
    expect(estimateTokens('ab'.repeat(500_000))).toBeGreaterThan(100_000);
    expect(performance.now() - begun).toBeLessThan(2000);
  });
});

describe('the parts of a text', () => {
  const line = fc.record({
    depth: fc.integer({ min: 0, max: 90 }),
    list: fc.array(
      fc.oneof(fc.constantFrom(...names), fc.constantFrom('api/+12', 'img-*+340', '"a\\nb"', '日本.md', '+', '9')),
      {
        minLength: 1,
        maxLength: 30,
      },
    ),
  });

  it('cost together what the whole costs, or a line break more for each line', () => {
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 12 }), (lines) => {
        const text = lines.map(({ depth, list }) => `${' '.repeat(depth)}${list.join(' ')}\n`).join('');
        let sum = 0;
        for (const { depth, list } of lines) {
          sum += tokensOfLine(depth, list[0] as string);
          for (const name of list) sum += tokensOfName(name);
        }
        expect(Math.ceil(sum)).toBeGreaterThanOrEqual(estimateTokens(text));
        // A first name without a space, and a line break that joins the punctuation before it.
        const slack = lines.filter(({ depth }) => depth === 0).length * 3 + lines.length;
        expect(Math.ceil(sum)).toBeLessThanOrEqual(estimateTokens(text) + slack);
      }),
    );
  });
});
