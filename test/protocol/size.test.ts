import { describe, expect, it } from 'vitest';
import { MAX_TEXT, tooLarge, tooLongForATool } from '../../src/protocol/size.ts';

const reason = (value: unknown) => tooLarge(value, 'It holds');

/** `[[[…]]]` */
function nested(levels: number): unknown {
  let value: unknown = 'x';
  for (let i = 0; i < levels; i++) value = [value];
  return value;
}

describe('what a call may hold', () => {
  it.each([
    ['nothing', undefined],
    ['numbers', { a: 1, b: [true, null] }],
    ['as much text as is accepted', 'x'.repeat(MAX_TEXT)],
    ['with its key', { path: 'x'.repeat(MAX_TEXT - 4) }],
    ['in many strings', { a: Array(9_000).fill('xyz') }],
    ['many levels', nested(64)],
  ])('%s', (_, value) => {
    expect(reason(value)).toBeNull();
  });

  const TEXT = (bytes: string) =>
    `It holds ${bytes} bytes of text; at most 32,768 are accepted. Send a shorter path or fewer patterns.`;
  const VALUES = 'It holds more than 10,000 values. Send fewer patterns.';
  const DEPTH = 'It holds values that are nested more than 64 levels deep. Send a flat object.';
  const circle: unknown[] = [];
  circle.push(circle);

  it.each([
    ['a byte more', 'x'.repeat(MAX_TEXT + 1), TEXT('32,769')],
    ['a byte more with its key', { path: 'x'.repeat(MAX_TEXT - 3) }, TEXT('32,769')],
    ['a long key', { ['k'.repeat(1_234_567)]: 1 }, TEXT('1,234,567')],
    ['bytes rather than characters', '日'.repeat(MAX_TEXT / 2), TEXT('49,152')],
    ['many strings, deep down', { a: { b: Array(9_000).fill('wxyz') } }, TEXT('36,002')],
    ['many empty strings', { ignore: Array(10_000).fill('') }, VALUES],
    ['many values in one list after the other', Array(200).fill(Array(200).fill(0)), VALUES],
    ['many keys', Object.fromEntries(Array.from({ length: 10_001 }, (_, i) => [`k${i}`, 0])), VALUES],
    ['a list that is long and empty', { ignore: new Array(4e9) }, VALUES],
    ['bytes', new Uint8Array(20_000), VALUES],
    ['too many levels', nested(65), DEPTH],
    ['so many levels that recursion would overflow', nested(200_000), DEPTH],
    ['a circle', circle, DEPTH],
  ])('%s is too much', (_, value, expected) => {
    expect(reason(value)).toBe(expected);
  });

  it('has a bound for the name of a tool, too', () => {
    expect(tooLongForATool('x'.repeat(MAX_TEXT))).toBeNull();
    expect(tooLongForATool(null)).toBeNull();
    expect(tooLongForATool('é'.repeat(MAX_TEXT))).toBe(
      'The name of the tool has 65,536 bytes; at most 32,768 are accepted.',
    );
  });
});
