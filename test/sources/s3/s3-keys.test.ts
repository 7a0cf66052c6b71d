import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Bytes, bytesOf } from '../../../src/names/bytes.ts';
import { decodedKey, keyOfPath, pathOfKey } from '../../../src/sources/s3/s3-keys.ts';
import { rounds } from '../../support/rounds.ts';

const ROWS: readonly (readonly [key: string, path: string])[] = [
  ['plain/key.txt', 'plain/key.txt'],
  ['100%/50%25', '100%/50%25'],
  ['', '%'],
  ['/a', '%/a'],
  ['a//b', 'a/%/b'],
  ['a/', 'a/%'],
  ['//', '%/%/%'],
  ['a/./b', 'a/%2E/b'],
  ['../b', '%2E%2E/b'],
  ['...', '...'],
  ['%', '%25'],
  ['%25', '%2525'],
  ['a/%2E', 'a/%252E'],
  ['%2E%2E/x', '%252E%2E/x'],
  ['%2e', '%2e'],
  ['a\0b', 'a%00b'],
  ['a%00b', 'a%2500b'],
];

describe('a key as a path', () => {
  it.each(ROWS)('%j is %j', (key, path) => {
    expect(pathOfKey(key as Bytes)).toBe(path);
    expect(keyOfPath(path as Bytes)).toBe(key);
  });

  it('is one that can be used, and leads back to the key', () => {
    const piece = fc.constantFrom('/', '.', '..', '%', '25', '2E', '00', '\0', 'a', '%2E', '%25', '//');
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const key = pieces.join('') as Bytes;
        const path = pathOfKey(key);
        expect(path.split('/').some((name) => /^\.{0,2}$|\0/.test(name))).toBe(false);
        expect(keyOfPath(path)).toBe(key);
      }),
      { numRuns: rounds(3000) },
    );
  });
});

describe('a key as it is sent', () => {
  it.each([
    ['plain', 'plain'],
    ['a%2Fb', 'a/b'],
    ['a+b%2Bc%20d', 'a b+c d'],
    ['%C3%BC%0A', bytesOf('ü\n')],
    ['%E9', '\xe9'],
    ['100%', '100%'],
  ])('%j is %j', (encoded, key) => {
    expect(decodedKey(encoded)).toBe(key);
  });
});
