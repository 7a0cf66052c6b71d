import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Heap } from '../../src/overview/heap.ts';

const item = (rank: number) => ({ rank });

it('has nothing at hand when it is empty, and dropping that changes nothing', () => {
  const heap = new Heap();
  expect(heap.best).toBeUndefined();
  heap.dropBest();
  expect(heap.best).toBeUndefined();
  heap.add(item(1));
  expect(heap.best).toEqual(item(1));
});

it('has the highest rank at hand, whatever was added and dropped', () => {
  const step = fc.oneof({ weight: 3, arbitrary: fc.integer({ min: -9, max: 9 }) }, fc.constant(null));
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const heap = new Heap();
      const expected: number[] = [];
      for (const rank of steps) {
        if (rank === null) {
          heap.dropBest();
          expected.shift();
        } else {
          heap.add(item(rank));
          expected.push(rank);
          expected.sort((a, b) => b - a);
        }
        expect(heap.best?.rank).toBe(expected[0]);
      }
    }),
    { numRuns: 500 },
  );
});

it('moves few of its items, however many there are', () => {
  let asked = 0;
  const counted = (rank: number) => ({
    get rank() {
      asked++;
      return rank;
    },
  });
  const heap = new Heap();
  for (let i = 0; i < 1024; i++) heap.add(counted(i));
  asked = 0;
  heap.add(counted(2000));
  expect(asked).toBeLessThanOrEqual(2 * 11);
  asked = 0;
  heap.dropBest();
  expect(asked).toBeLessThanOrEqual(4 * 11);
  // Of equal ranks the one that came first stays, so that nothing has to be moved.
  const equal = new Heap<{ rank: number }>();
  const first = item(1);
  for (const one of [first, item(1), item(1)]) equal.add(one);
  expect(equal.best).toBe(first);
});
