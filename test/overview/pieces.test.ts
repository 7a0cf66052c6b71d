/** The cuts against the pattern that o200k_base is published with. */
import fc from 'fast-check';
import { O200K_TOKEN_SPLIT_REGEX } from 'gpt-tokenizer/encodingParams/constants';
import { describe, expect, it } from 'vitest';
import { pieceEnd } from '../../src/overview/pieces.ts';
import { rounds } from '../support/rounds.ts';

function pieces(text: string): string[] {
  const result: string[] = [];
  for (let from = 0; from < text.length; from += (result.at(-1) as string).length) {
    result.push(text.slice(from, pieceEnd(text, from)));
  }
  return result;
}

describe('a text is cut', () => {
  it.each([
    [' src/ index.test.ts', [' src', '/', ' index', '.test', '.ts']],
    ['HTMLElement XMLHttp ABC', ['HTMLElement', ' XMLHttp', ' ABC']],
    ['fooBar', ['foo', 'Bar']],
    ['v10.2 1234567', ['v', '10', '.', '2', ' ', '123', '456', '7']],
    ["don't DON'LL x'y", ["don't", " DON'LL", ' x', "'y"]],
    ['a/+12 b*/+3', ['a', '/+', '12', ' b', '*/+', '3']],
    ['a/\n\n   b', ['a', '/\n\n', '  ', ' b']],
    ['ABC日D', ['ABC日', 'D']],
    ['a \n\t b  ', ['a', ' \n', '\t', ' b', '  ']],
    ['\u0301ABC', ['\u0301', 'ABC']],
  ])('%j', (text, expected) => {
    expect(pieces(text)).toEqual(expected);
  });

  it('where the published pattern cuts it', () => {
    const units = [...'abzAZ019 \t\n\r/.-_+*"\'sSlLtTdDrRevVmM日ǅʰ\u0301é²٣😀𝐀𝟎\ufe0f\u00a0'].concat(
      '\ud800',
      '\udc00',
    );
    const text = fc.string({
      unit: fc.oneof(fc.constantFrom(...units), fc.string({ unit: 'grapheme', maxLength: 1 })),
    });
    fc.assert(
      fc.property(text, (sample) => {
        expect(pieces(sample)).toEqual(sample.match(new RegExp(O200K_TOKEN_SPLIT_REGEX)) ?? []);
      }),
      { numRuns: rounds(5000) },
    );
  });
});
