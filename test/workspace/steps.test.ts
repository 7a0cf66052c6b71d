import { expect, it } from 'vitest';
import { mergedRuns } from '../../src/listing/sort.ts';
import { joined, mapped } from '../../src/workspace/steps.ts';
import { inSteps } from '../support/folders.ts';

it.each([0, 1, 32, 1024, 1025, 5000])('joins %i texts as they would be joined at once, in steps', (count) => {
  const items = Array.from({ length: count }, (_, i) => i);
  const { value, steps } = inSteps(joined(items, String, ', '));
  expect(value).toBe(items.join(', '));
  expect(steps).toBe(Math.ceil(count / 32));
});

it('maps no item of the next handful before it is continued', () => {
  let made = 0;
  const steps = mapped(Array.from({ length: 70 }), () => made++);
  const madeBefore: number[] = [];
  for (let step = steps.next(); ; step = steps.next()) {
    madeBefore.push(made);
    if (!step.done) continue;
    expect(step.value).toEqual(Array.from({ length: 70 }, (_, i) => i));
    break;
  }
  expect(madeBefore).toEqual([32, 64, 70, 70]);
});

it('pauses between short runs that are merged, too', () => {
  const runs = Array.from({ length: 64 }, (_, i) => [i, i + 64]);
  const { value, steps } = inSteps(mergedRuns(runs, (a, b) => a - b));
  expect(value).toEqual(Array.from({ length: 128 }, (_, i) => i));
  expect(steps).toBe(63);
});
