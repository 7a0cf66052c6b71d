/** What a piece costs, against the tokenizer itself; what competes for the same bytes is in token-count.test.ts. */
import fc from 'fast-check';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, it } from 'vitest';
import { loadTable, tokensOfPiece } from '../../src/overview/piece-cost.ts';
import { pieceEnd } from '../../src/overview/pieces.ts';
import { inSteps } from '../support/folders.ts';

const realTokens = (piece: string) => encode(piece, { disallowedSpecial: new Set() }).length;

it('the table is unpacked in steps, once', () => {
  expect(inSteps(loadTable()).steps).toBeGreaterThan(5);
  expect(inSteps(loadTable()).steps).toBe(0);
});

describe('a piece costs what it costs', () => {
  it.each([
    ...['a', ' ', 'ab', ' src', ' index', 'HTMLElement', ' transcript', ' ephemeral', 'zzzz', 'qxqxqx', ' qqzzxxjj'],
    ...['é', ' é', '日本', ' 文件', '🚀', '\u0301', ' Übersicht', '한국어', '\t\t\t', ' '.repeat(40), '-'.repeat(33)],
    ...['()', '/+', ' */+', '\n\n', '123', 'antidisestablishmentarianism', 'aaaaaaaaaaaaaaaaaaaaaaaaa', 'abababababab'],
  ])('%j', (piece) => {
    expect(tokensOfPiece(piece)).toBe(realTokens(piece));
  });

  it('nothing costs nothing', () => {
    expect(tokensOfPiece('')).toBe(0);
  });

  it('whatever letters it has', () => {
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
});
