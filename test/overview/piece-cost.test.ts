/** What a piece costs, against the tokenizer itself; what competes for the same bytes is in token-count.test.ts. */
import fc from 'fast-check';
import vocabulary from 'gpt-tokenizer/bpeRanks/o200k_base';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { expect, it } from 'vitest';
import { loadTable, tokensOfPiece } from '../../src/overview/piece-cost.ts';
import { pieceEnd } from '../../src/overview/pieces.ts';
import { inSteps } from '../support/folders.ts';

const realTokens = (piece: string) => encode(piece, { disallowedSpecial: new Set() }).length;

const PIECES = [
  ...['', 'a', ' ', '\n', 'ab', ' src', ' index', 'HTMLElement', ' transcript', ' ephemeral', 'zzzz', 'qxqxqx', 'zz'],
  ...[
    'é',
    ' é',
    '日本',
    ' 文件',
    '🚀',
    '\u0301',
    ' Übersicht',
    '한국어',
    '\t\t\t',
    ' '.repeat(40),
    '-'.repeat(33),
    'ÿ',
  ],
  ...['()', '/+', ' */+', '\n\n', '\r\n', ' \n\t', '{\n', '/\r\n', '123', 'aaaaaaaaaaaaaaaaaaaaaaaaa', 'abababababab'],
  ...['antidisestablishmentarianism', ' qqzzxxjj', 'ZZZZZZZ', 'xyzzy', 'eeeeeeeeeee', '~~~~~~', '\u{10ffff}'],
];

it('the table is unpacked in steps, once, and has every token', () => {
  const tokens = vocabulary.filter((token) => typeof token === 'string');
  const known = tokens.filter((token, i) => i % 101 === 0 && pieceEnd(token, 0) === token.length);
  expect(known.length).toBeGreaterThan(1000);
  // None where another test of this process has done so.
  expect([10, 0]).toContain(inSteps(loadTable()).steps);
  expect(inSteps(loadTable()).steps).toBe(0);
  for (const token of known) expect(tokensOfPiece(token), token).toBe(1);
  for (const piece of PIECES) expect(tokensOfPiece(piece), piece).toBe(realTokens(piece));
});

it('a piece costs what it costs, whatever letters it has', () => {
  const letters = fc.string({ unit: fc.constantFrom(...'etaoinshrdluETAXzq'), minLength: 1, maxLength: 24 });
  fc.assert(
    fc.property(letters, fc.boolean(), (word, hasSpace) => {
      const text = hasSpace ? ` ${word}` : word;
      const piece = text.slice(0, pieceEnd(text, 0));
      expect(tokensOfPiece(piece)).toBe(realTokens(piece));
    }),
    { numRuns: 500 },
  );
});
