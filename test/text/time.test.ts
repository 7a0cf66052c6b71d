import { afterEach, expect, it } from 'vitest';
import { localTime } from '../../src/text/time.ts';

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
