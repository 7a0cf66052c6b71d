import { describe, expect, it } from 'vitest';
import { type Bytes, bytesOf } from '../../src/names/bytes.ts';
import { denseName } from '../../src/names/quote.ts';

const name = (text: string) => denseName(bytesOf(text));

describe('a name', () => {
  it.each([
    ...['a', 'ab', 'README.md', '.env', '_x', '9', 'a-b', 'a-', '-a', 'a+b', 'a,b', '(a)', '[id].ts', 'a#b', '~a'],
    ...[
      'a@b',
      'a*b',
      'a?b',
      'a|b',
      'a=b',
      'a>b',
      '日本.md',
      'é',
      '²',
      'a/b',
      '..a',
      'a*+b',
      'a+5',
      '$a',
      'a:b',
      'a"',
      '{a}',
      '[a,b]',
      '}a,b{',
      'a:',
    ],
  ])('stands as it is: %s', (text) => {
    expect(name(text)).toBe(text);
  });

  it.each([
    ...['a b', 'a\tb', 'a\\b', '#a', 'a@', 'a*', 'a?', 'a|', 'a=', 'a>', 'a*+', 'a*+5', 'a*+55', '.', '-', '---', '…'],
    ...['"a"', 'a\nb', '日 本', 'a/#b', 'a@/b', 'a/-', 'a*+5/b', 'a b"', '{a,b}', 'x{1..3}y', '{,}', 'd/{a,b}', 'a*b:'],
  ])('is quoted: %j', (text) => {
    expect(name(text)).toBe(JSON.stringify(text));
  });

  it('is quoted where it is not text', () => {
    expect(denseName('caf\xe9' as Bytes)).toMatch(/^".*"$/);
  });
});
