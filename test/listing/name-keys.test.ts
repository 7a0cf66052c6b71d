/** What names are compared by, as bytes. */
import { describe, expect, it } from 'vitest';
import { BY_PATH, FOLD, LOWER_CASED, NATURAL, naturalKey, orderKey } from '../../src/listing/name-keys.ts';
import { type Bytes, bytesOf } from '../../src/names/bytes.ts';

describe('the lower-cased name', () => {
  it('of ASCII is that of each letter, and nothing else changes', () => {
    const all = Array.from({ length: 128 }, (_, byte) => String.fromCharCode(byte)).join('');
    expect(orderKey(all as Bytes)).toBe(all.toLowerCase());
    expect(Buffer.from(Buffer.from(all, 'latin1').map((byte) => FOLD[byte] as number)).toString('latin1')).toBe(
      all.toLowerCase(),
    );
    expect([...FOLD.subarray(128)]).toEqual(Array.from({ length: 128 }, (_, i) => 128 + i));
  });

  it.each(['\u0080', '\u07ff', '\u0800', '\uffff', '\u{10000}', '\u{10ffff}', 'É', 'a日Z', '😀B', 'İ'])(
    'is what UTF-8 has for it: %j',
    (text) => {
      expect(orderKey(bytesOf(text))).toBe(bytesOf(text.toLowerCase()));
      expect(LOWER_CASED.keyFor(bytesOf(text))).toBe(bytesOf(text.toLowerCase()));
    },
  );

  it('has three bytes for one that is no part of UTF-8', () => {
    expect(orderKey('A\xff' as Bytes)).toBe('a\xed\xb3\xbf');
  });
});

describe('the key of a name whose numbers count by their value', () => {
  const inOrder = (names: readonly string[]) => names.toSorted((a, b) => (key(a) < key(b) ? -1 : 1));
  const key = (name: string) => NATURAL.keyFor(bytesOf(name));

  it.each([
    ['fewer digits are less', ['v2', 'v10', 'V100', 'v200']],
    ['a number is less than a letter, and more than none', ['v', 'v1', 'va']],
    ['zeros in front do not count, those behind do', ['a0', 'a1', 'a02', 'a10', 'a0100']],
    [
      'numbers of any length',
      ['1234567', '12345678', '123456789', '1234567890', '9'.repeat(15), '9'.repeat(16), '1'.repeat(17)],
    ],
    ['each of several numbers', ['a1b2', 'a1b10', 'a2b1']],
  ])('%s', (_, names) => {
    expect(inOrder(names.toReversed())).toEqual(names);
  });

  it('says how many digits there are', () => {
    expect(naturalKey(bytesOf('V010.7'))).toBe('v210.17');
    expect(naturalKey(bytesOf('000'))).toBe('10');
    expect(naturalKey(bytesOf('12345678'))).toBe('812345678');
    expect(naturalKey(bytesOf('123456789'))).toBe('9\x80\x89123456789');
  });

  it('is made for every name', () => {
    expect(NATURAL.longest).toBe(0);
    expect(NATURAL.fold).toBe(FOLD);
  });
});

describe('the key of a path', () => {
  const { fold, keyFor, longest } = BY_PATH;

  it('has a slash for a backslash, and every other byte as it is', () => {
    expect([...fold]).toEqual(Array.from({ length: 256 }, (_, byte) => (byte === 0x5c ? 0x2f : byte)));
    expect(keyFor(bytesOf('é\\b\\c'))).toBe(bytesOf('é/b/c'));
  });

  it('has U+FFFD for what is no UTF-8', () => {
    expect(keyFor('a\xffÉ\\' as Bytes)).toBe(bytesOf('a\ufffd\ufffd/'));
  });

  it('has 500 bytes of a long path, and no part of a character', () => {
    expect(longest).toBe(500);
    const long = 'x'.repeat(498);
    expect(keyFor(bytesOf(`${long}abc`))).toBe(`${long}ab`);
    expect(keyFor(bytesOf(`${long}é`))).toBe(bytesOf(`${long}é`));
    expect(keyFor(bytesOf(`${long}éé`))).toBe(bytesOf(`${long}é`));
    expect(keyFor(bytesOf(`${long}aé`))).toBe(`${long}a`);
    expect(keyFor(bytesOf(`${long}日`))).toBe(long);
  });
});
