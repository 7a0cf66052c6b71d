import fc from 'fast-check';
import { expect, it } from 'vitest';
import { sizeText } from '../../src/text/size.ts';

const KB = 1024;
const MB = KB * KB;

it.each([
  [0, '0 B'],
  [1, '1 B'],
  [512, '512 B'],
  [1023, '1023 B'],
  [1024, '1.0 KB'],
  [1229, '1.2 KB'],
  [2867, '2.8 KB'],
  [4198, '4.1 KB'],
  [1229 + 2867 + 4198, '8.1 KB'],
  [1023 * KB, '1023.0 KB'],
  [1023.9 * KB, '1023.9 KB'],
  [MB - 1, '1.0 MB'],
  [MB, '1.0 MB'],
  [1.5 * MB, '1.5 MB'],
  [KB * MB - 1, '1.0 GB'],
  [MB * MB, '1.0 TB'],
  [MB * MB - 1, '1.0 TB'],
  [KB * MB * MB, '1.0 PB'],
  [Number.MAX_SAFE_INTEGER, '8.0 PB'],
  [2 ** 63, '8.0 EB'],
])('%d bytes are %s', (bytes, text) => {
  expect(sizeText(bytes)).toBe(text);
});

it('has four digits before the point at most, and none above 1023', () => {
  fc.assert(
    fc.property(fc.double({ min: 0, max: 2 ** 63, noNaN: true }).map(Math.floor), (bytes) => {
      expect(Number.parseFloat(sizeText(bytes))).toBeLessThan(1024);
    }),
  );
});
