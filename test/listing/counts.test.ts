import { expect, it } from 'vitest';
import { addCounts, addHidden, type Counts, noCounts } from '../../src/listing/entry.ts';
import type { Origin } from '../../src/rules/rule.ts';

function counted(): Counts {
  return {
    totals: { file: 1, dir: 2, link: 3, other: 4 },
    hidden: new Map<Origin, number>([
      ['git', 5],
      ['argument', 6],
    ]),
    unselected: 7,
    unopened: 8,
  };
}

it('nothing is counted at first', () => {
  expect(noCounts()).toEqual({
    totals: { file: 0, dir: 0, link: 0, other: 0 },
    ...{ hidden: new Map(), unselected: 0, unopened: 0 },
  });
});

it('what is hidden is counted by the kind of rule', () => {
  const counts = noCounts();
  addHidden(counts, 'git', 2);
  addHidden(counts, 'dotfile', 1);
  addHidden(counts, 'git', 3);
  expect([...counts.hidden]).toEqual([
    ['git', 5],
    ['dotfile', 1],
  ]);
});

it('counts are added to others, which stay as they are', () => {
  const counts = counted();
  const more: Counts = {
    totals: { file: 10, dir: 20, link: 30, other: 40 },
    hidden: new Map<Origin, number>([
      ['git', 50],
      ['builtin', 60],
    ]),
    ...{ unselected: 70, unopened: 80 },
  };
  addCounts(counts, more);
  expect(counts).toEqual({
    totals: { file: 11, dir: 22, link: 33, other: 44 },
    hidden: new Map([
      ['git', 55],
      ['argument', 6],
      ['builtin', 60],
    ]),
    ...{ unselected: 77, unopened: 88 },
  });
  expect(more.totals).toEqual({ file: 10, dir: 20, link: 30, other: 40 });
  expect(more.hidden.get('git')).toBe(50);
});
