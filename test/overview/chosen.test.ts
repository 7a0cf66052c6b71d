/** Which names of a directory are worth their tokens. */
import { expect, it } from 'vitest';
import { type Chosen, chosenOf } from '../../src/overview/chosen.ts';
import type { Worths } from '../../src/overview/groups.ts';
import { NO_SERIES } from '../../src/overview/series.ts';
import { inSteps } from '../support/folders.ts';

/** Each name has this worth, and costs one token. */
const worthEach = (worth: number): Worths => ({
  ...{ most: worth, value: () => worth - 1, cost: () => 1, loss: () => 0 },
  worth: (from, to) => worth * (to - from),
});

const NONE = { count: 0, worths: worthEach(0), series: NO_SERIES, least: () => 1 };

const ONE_SERIES = { isIn: () => true, isOne: () => true, cuts: () => false };

it.each([
  ['names', NO_SERIES],
  ['a numbered series', ONE_SERIES],
])('%s are chosen with pauses, however many there are', (_, series) => {
  for (const [worth, chosen] of [
    [3, [{ from: 0, to: 10_000, fold: null }]],
    [0.5, []],
  ] as const) {
    const { value, steps } = inSteps(
      chosenOf(NONE, { count: 10_000, worths: worthEach(worth), series, least: () => 1 }),
    );
    expect(value.files).toEqual(chosen);
    // A pause after each 64 names, or after a thousand that only have to be counted.
    expect(steps).toBeGreaterThanOrEqual(Math.floor(10_000 / (worth > 1 || series === NO_SERIES ? 64 : 1024)));
  }
});

/** Names with what each gains, beyond its tokens, and its tokens; the first `together` are a series. */
function namesOf(each: readonly (readonly [value: number, cost: number])[], together = 0) {
  const at = (i: number) => each[i] as readonly [number, number];
  const worths: Worths = {
    ...{ most: 100, value: (i) => at(i)[0], cost: (i) => at(i)[1], loss: () => 0 },
    worth: (from, to) => each.slice(from, to).reduce((sum, [value, cost]) => sum + value + cost, 0),
  };
  const isOne = (from: number, to: number) => from === 0 && to <= together;
  return { count: each.length, worths, least: () => 1, series: { ...ONE_SERIES, isOne } };
}

const shown = (from: number, to: number) => ({ from, to, fold: null });

it.each<[string, Parameters<typeof namesOf>, Parameters<typeof namesOf>, Chosen]>([
  ['nothing', [[]], [[]], { value: 0, cost: 0, folders: [], files: [], isPartial: false }],
  [
    'all that gain something',
    [[[1, 2]]],
    [
      [
        [3, 1],
        [2, 4],
      ],
    ],
    { value: 6, cost: 7, folders: [shown(0, 1)], files: [shown(0, 2)], isPartial: false },
  ],
  [
    'also those that lose no more than their count would cost',
    [[[-1.5, 2]]],
    [
      [
        [5, 1],
        [-0.5, 4],
      ],
    ],
    { value: 3, cost: 7, folders: [shown(0, 1)], files: [shown(0, 2)], isPartial: false },
  ],
  [
    'else only those that gain something, with a count',
    [
      [
        [-2, 2],
        [5, 1],
      ],
    ],
    [
      [
        [-2, 2],
        [6, 3],
        [0, 1],
        [2, 2],
        [1, 1],
      ],
    ],
    { value: 11, cost: 10, folders: [shown(1, 2)], files: [shown(1, 2), shown(3, 5)], isPartial: true },
  ],
  [
    'a small gain after many losses',
    [[]],
    [
      [
        [-1, 2],
        [-1, 1],
        [-1, 2],
        [-1, 2],
        [-1, 1],
        [1, 1],
      ],
    ],
    { value: -2, cost: 4, folders: [], files: [shown(5, 6)], isPartial: true },
  ],
  [
    'those that gain and lose nothing, if all is shown',
    [[]],
    [
      [
        [-3, 3],
        [0, 1],
        [0, 1],
        [0, 1],
      ],
    ],
    { value: -3, cost: 6, folders: [], files: [shown(0, 4)], isPartial: false },
  ],
  [
    'a series that gains something as a whole',
    [[]],
    [
      [
        [-9, 2],
        [12, 1],
        [-9, 3],
      ],
      2,
    ],
    { value: 0, cost: 6, folders: [], files: [shown(0, 2)], isPartial: true },
  ],
  [
    'nothing of a series that loses',
    [[]],
    [
      [
        [2, 1],
        [-6, 2],
        [4, 1],
      ],
      2,
    ],
    { value: 1, cost: 4, folders: [], files: [shown(2, 3)], isPartial: true },
  ],
])('%s', (_, folders, files, expected) => {
  expect(inSteps(chosenOf(namesOf(...folders), namesOf(...files))).value).toEqual(expected);
});
