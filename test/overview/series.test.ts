import { expect, it } from 'vitest';
import { numberedSeries } from '../../src/overview/series.ts';
import { bytesOf } from '../../src/workspace/bytes.ts';
import { done } from '../support/folders.ts';

const NAMES = ['README', ...Array.from({ length: 8 }, (_, i) => `page-${i}.png`), 'page-a.png', 'z1', 'z2'].map(
  bytesOf,
);

it('is eight names or more that differ in their numbers', () => {
  const series = done(numberedSeries(NAMES, () => false));
  expect(NAMES.map((_, i) => series.isIn(i))).toEqual([false, ...Array(8).fill(true), false, false, false]);
  expect(series.isOne(1, 9)).toBe(true);
  expect(series.isOne(0, 9)).toBe(false);
  expect(series.isOne(1, 10)).toBe(false);
  expect(series.cuts(3, 5)).toBe(true);
  expect(series.cuts(0, 9)).toBe(false);
  expect(series.cuts(5, 12)).toBe(true);
});

it('ends at a name that matters by itself', () => {
  const series = done(numberedSeries(NAMES, (name) => name === 'page-3.png'));
  expect(NAMES.some((_, i) => series.isIn(i))).toBe(false);
});
