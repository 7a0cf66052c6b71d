/** Which names of a directory are worth their tokens. */
import { expect, it } from 'vitest';
import { chosenOf } from '../../src/overview/chosen.ts';
import type { Worths } from '../../src/overview/groups.ts';
import { NO_SERIES } from '../../src/overview/series.ts';
import { inSteps } from '../support/folders.ts';

/** Each name has this worth, and costs one token. */
const worthEach = (worth: number): Worths => ({
  ...{ most: worth, value: () => worth - 1, cost: () => 1, loss: () => 0 },
  worth: (from, to) => worth * (to - from),
});

const NONE = { count: 0, worths: worthEach(0), series: NO_SERIES };

const ONE_SERIES = { isIn: () => true, isOne: () => true, cuts: () => false };

it.each([
  ['names', NO_SERIES],
  ['a numbered series', ONE_SERIES],
])('%s are chosen with pauses, however many there are', (_, series) => {
  for (const [worth, chosen] of [
    [3, [{ from: 0, to: 10_000, fold: null }]],
    [0.5, []],
  ] as const) {
    const { value, steps } = inSteps(chosenOf(NONE, { count: 10_000, worths: worthEach(worth), series }));
    expect(value.files).toEqual(chosen);
    // A pause after each 64 names, or after a thousand that only have to be counted.
    expect(steps).toBeGreaterThanOrEqual(Math.floor(10_000 / (worth > 1 || series === NO_SERIES ? 64 : 1024)));
  }
});
