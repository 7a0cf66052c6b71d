import { expect, it } from 'vitest';
import { bytesOf } from '../../src/names/bytes.ts';
import { numberedSeries } from '../../src/overview/series.ts';
import { done, inSteps } from '../support/folders.ts';

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

const seriesOf = (...names: string[]) => done(numberedSeries(names.map(bytesOf), () => false));
const numbered = (count: number, name: (i: number) => string) => Array.from({ length: count }, (_, i) => name(i));

it.each<[string, string[]]>([
  ['seven names', numbered(7, (i) => `page-${i}.png`)],
  ['names whose letters differ', numbered(8, (i) => `page-${i}${'abcdefgh'[i]}`)],
  ['names without numbers', numbered(8, (i) => `page-${'abcdefgh'[i]}`)],
  ['equal names without numbers', numbered(8, () => 'page')],
  ['names of which every other is longer', numbered(8, (i) => (i % 2 === 0 ? `page-${i}.png` : `page-${i}`))],
  ['names of which every other has one number more', numbered(8, (i) => (i % 2 === 0 ? 'page-1.' : 'page-1.2'))],
  ['names that are shorter each', numbered(8, (i) => `${i}${'-'.repeat(8 - i)}`)],
  ['names that have a number more each', numbered(8, (i) => `1${'-1'.repeat(i)}${'-'.repeat(8 - i)}`)],
  ['names with another character beside the digits', numbered(8, (i) => `1${'./:;'[i % 4]}`)],
])('%s are none', (_, names) => {
  const series = seriesOf(...names);
  expect(names.map((_, i) => series.isIn(i))).toEqual(names.map(() => false));
  expect([series.isOne(0, names.length), series.isOne(2, 3)]).toEqual([false, false]);
  expect([series.cuts(0, names.length), series.cuts(2, 3)]).toEqual([false, false]);
});

it.each<[string, string[]]>([
  ['eight names', numbered(8, (i) => `page-${i}.png`)],
  ['numbers alone', numbered(8, String)],
  ['numbers of different lengths', numbered(8, (i) => `p${10 ** i}.png`)],
  ['several numbers', numbered(8, (i) => `${i}x${9 - i}-${i * i}`)],
  ['numbers with a nine and with none', numbered(8, (i) => `${i % 2 === 0 ? 'a0b' : 'a9b'}`)],
])('%s are one', (_, names) => {
  const series = seriesOf(...names);
  expect(names.map((_, i) => series.isIn(i))).toEqual(names.map(() => true));
  expect(series.isOne(0, names.length)).toBe(true);
  expect(series.cuts(0, names.length)).toBe(false);
});

it('is one of several, which ranges cut at either side', () => {
  const series = seriesOf(...numbered(8, (i) => `a${i}`), ...numbered(9, (i) => `b${i}`), 'c1');
  expect([series.isOne(0, 8), series.isOne(8, 17), series.isOne(0, 9), series.isOne(17, 18)]).toEqual([
    ...[true, true, false, false],
  ]);
  expect([series.cuts(0, 8), series.cuts(8, 17), series.cuts(0, 17), series.cuts(17, 18)]).toEqual([
    ...[false, false, false, false],
  ]);
  expect([series.cuts(1, 8), series.cuts(0, 7), series.cuts(0, 16), series.cuts(8, 16), series.cuts(9, 17)]).toEqual([
    ...[true, true, true, true, true],
  ]);
});

it('is found in steps, one for each handful of names', () => {
  const steps = (count: number) => inSteps(numberedSeries(numbered(count, String).map(bytesOf), () => false)).steps;
  expect([steps(8), steps(255), steps(256), steps(1024)]).toEqual([0, 0, 1, 4]);
});
