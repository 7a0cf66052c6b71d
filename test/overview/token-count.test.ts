/** The count against the tokenizer itself. */
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import vocabulary from 'gpt-tokenizer/bpeRanks/o200k_base';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, it, onTestFinished } from 'vitest';
import { countTokens, tokensIn, tokensOfName } from '../../src/overview/token-count.ts';
import { inSteps } from '../support/folders.ts';
import { rounds } from '../support/rounds.ts';

/** Parts of maps of real packages. */
const texts = readFileSync(new URL('../corpora/tree-texts.txt', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n\n');
const names = [...new Set(texts.flatMap((text) => text.split(/\s+/)).filter(Boolean))];

function realTokens(text: string): number {
  return encode(text, { disallowedSpecial: new Set() }).length;
}

/** Tokens of several control characters, which no text has, are not in the table (scripts/token-table.js). */
const withoutControls = (text: string) => text.replace(/[\x00-\x08\x0b\x0c\x0e-\x1f]/g, '');

const of = (alphabet: string, minLength: number, maxLength: number) =>
  fc.string({ unit: fc.constantFrom(...Array.from(alphabet)), minLength, maxLength });

describe('a text costs exactly what it costs', () => {
  it.each(texts.map((text) => [text.trimStart().slice(0, 40), text]))('in a real map: %s', (_, text) => {
    expect(tokensIn(text)).toBe(realTokens(text));
  });

  it.each([
    '# src: 213 files, 180 shown, 33 hidden',
    ' api/+12 img-*+340 lib*/+9\n  src/',
    'index.ts\n   src/',
    ' transcript certificates ephemeral.mdx error-handling',
    '2024-01-15-report.md',
    "don't DON'LL.txt\tx\r\n",
    ' '.repeat(700),
    '快速开始.md はじめに.md 시작하기.md システム構成図.png',
    'Документы отчёт.docx Übersicht.md Présentation.md Verträge',
    '🚀.md 📚docs ✅done 👩‍💻',
    '',
  ])('%j', (text) => {
    expect(tokensIn(text)).toBe(realTokens(text));
  });

  /** What competes for the same characters is what the order of the merges decides. */
  it('whatever tokens stand side by side', () => {
    const tokens = vocabulary.filter((token) => typeof token === 'string' && /^[\t\n\r -~]+$/.test(token)) as string[];
    const place = fc.oneof(fc.nat(tokens.length - 1), fc.nat(6000));
    const token = place.map((at) => tokens[at] as string);
    fc.assert(
      fc.property(fc.array(token, { minLength: 2, maxLength: 5 }), fc.boolean(), (list, hasSpaces) => {
        const text = (hasSpaces ? list : list.map((part) => part.trim())).join('');
        expect(tokensIn(text)).toBe(realTokens(text));
      }),
      { numRuns: rounds(20_000) },
    );
  });

  const kinds: [string, fc.Arbitrary<string>][] = [
    ['hex', of('0123456789abcdef', 8, 64)],
    ['base64', of('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_', 8, 64)],
    ['one letter', fc.tuple(of('aAxzZ', 1, 1), fc.integer({ min: 1, max: 200 })).map(([a, n]) => a.repeat(n))],
    ['punctuation', of('!#$%&()*+,-./:;<=>?@[]^_`{|}~\'"\\', 1, 12)],
    ['Chinese and Japanese', of('日本語中文文件名档案测试図面資料の新しいファイル鱻龘', 2, 12)],
    ['Latin and Cyrillic', of('aeäöüßéèçñőřşабвгдежзиклмнопрстё', 2, 12)],
    ['Korean', of('한국어시작하기문서', 2, 8)],
    ['emoji', of('😀🎉👩‍💻❤️🇩🇪🏳️‍🌈✅', 1, 8)],
    ['marks', of('aeo\u0301\u0308\u0323\u0336\u034fZ', 2, 30)],
    ['other scripts', of('αβγδεאבגدرسहिन्दीไทยქართული', 2, 12)],
    ['mixtures', of('aZ.- é日αβאבสद😀\u0301\u0489', 2, 12)],
    ['anything', fc.string({ unit: 'binary', minLength: 1, maxLength: 30 }).map(withoutControls)],
    ['escapes', of('\\nu202e\\x00"', 2, 30).map((text) => `"${text}"`)],
  ];

  it.each(kinds)('in a hostile name: %s', (_, kind) => {
    fc.assert(
      fc.property(fc.array(kind, { minLength: 1, maxLength: 20 }), (list) => {
        expect(tokensIn(list.join(' '))).toBe(realTokens(list.join(' ')));
      }),
    );
  });

  /** Merging pair by pair, each time looking for the best, would not come to an end here. */
  it('in a word of a million letters', () => {
    expect(tokensIn('ab'.repeat(5000))).toBe(realTokens('ab'.repeat(5000)));
    expect(tokensIn('ab'.repeat(500_000))).toBe(100 * realTokens('ab'.repeat(5000)));
  });
});

it.each([
  ['', 0],
  [' a'.repeat(512), 1],
  [' a'.repeat(513), 2],
  [' a'.repeat(1025), 3],
  [`${'x'.repeat(3000)} y`, 2],
  [`${'x'.repeat(3000)}${' y'.repeat(10)}`, 2],
])('a long text is counted in steps of a thousand characters: %#', (text, steps) => {
  expect(inSteps(countTokens(text))).toEqual({ value: realTokens(text), steps });
});

describe('what a piece costs is kept', () => {
  /** Words that are put into a map, and where maps are cleared. */
  function watchMaps(): (string | null)[] {
    const seen: (string | null)[] = [];
    const { set, clear } = Map.prototype;
    Map.prototype.set = function (key, value) {
      if (typeof key === 'string') seen.push(key);
      return set.call(this, key, value);
    };
    Map.prototype.clear = function () {
      seen.push(null);
      clear.call(this);
    };
    onTestFinished(() => {
      Object.assign(Map.prototype, { set, clear });
    });
    return seen;
  }

  it('if it is short', () => {
    const seen = watchMaps();
    const words = ['k'.repeat(23), 'k'.repeat(24), 'k'.repeat(25)];
    for (const word of [...words, ...words]) tokensIn(word);
    expect(seen.filter((word) => word?.startsWith('kkk'))).toEqual(words.slice(0, 2));
  });

  it('as long as there is room', () => {
    const seen = watchMaps();
    const letter = (i: number) => String.fromCharCode(97 + (i % 26));
    for (let i = 0; i < 40_000; i++) tokensIn(`q${letter(i)}${letter(i / 26)}${letter(i / 676)}${letter(i / 17_576)}`);
    const first = seen.indexOf(null);
    expect(seen.indexOf(null, first + 1) - first - 1).toBe(16_384);
  });
});

describe('the parts of a text', () => {
  it('cost what they cost behind a space', () => {
    const words = names.filter((name) => /[\p{L}\p{N}]$/u.test(name));
    for (const word of words) expect(tokensOfName(word)).toBe(realTokens(` ${word}`));
  });

  it('cost a line break more, where it cuts the punctuation before it apart', () => {
    for (const name of ['a=-=-', 'x/+', '"a b"*', '--', 'n*+', 'a)}', "'a')->"]) {
      expect(tokensOfName(name), name).toBe(Math.max(realTokens(` ${name}`), realTokens(` ${name}\n`) - 1));
    }
  });
});
