import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { sizeText } from '../../src/text/metadata.ts';
import { localTime } from '../../src/text/time.ts';

describe('a size', () => {
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
});

describe('a time', () => {
  const zone = process.env.TZ;
  afterEach(() => {
    if (zone === undefined) delete process.env.TZ;
    else process.env.TZ = zone;
  });

  it('is the day and the minute of the local clock', () => {
    expect(localTime(new Date(2024, 0, 15, 10, 30, 59, 999))).toBe('2024-01-15 10:30');
    expect(localTime(new Date(2024, 11, 31, 0, 5))).toBe('2024-12-31 00:05');
  });

  it.each([
    ['UTC', '2024-06-30 23:45'],
    ['Asia/Tokyo', '2024-07-01 08:45'],
    ['America/New_York', '2024-06-30 19:45'],
    ['Asia/Kolkata', '2024-07-01 05:15'],
  ])('is that of the zone %s', (name, text) => {
    process.env.TZ = name;
    expect(localTime(new Date('2024-06-30T23:45:00Z'))).toBe(text);
  });

  it('gives a year four digits', () => {
    const early = new Date(2000, 1, 3, 4, 5);
    early.setFullYear(33);
    expect(localTime(early)).toBe('0033-02-03 04:05');
  });

  it('is a dash where no date can hold the time', () => {
    expect(localTime(new Date(Number.NaN))).toBe('-');
  });
});
