import { expect, it } from 'vitest';
import { shareDescriptors } from '../../src/faces/mcp/call-queue.ts';

const WISHED = { connections: 2048, calls: 2560 };

it.each([
  [1_048_576, WISHED],
  [4_672, WISHED],
  [4_096, { connections: 2016, calls: 2016 }],
  [256, { connections: 96, calls: 96 }],
  [20, { connections: 8, calls: 1 }],
])('of %i descriptors, connections and calls get what they wish or half each', (limit, shares) => {
  expect(shareDescriptors(WISHED, limit)).toEqual(shares);
});

it('where there are no connections, calls get the rest', () => {
  expect(shareDescriptors({ connections: 0, calls: 2560 }, 256)).toEqual({ connections: 0, calls: 192 });
});

it('asks the system how many there are', () => {
  const { calls } = shareDescriptors({ connections: 0, calls: Number.MAX_SAFE_INTEGER });
  expect(calls).toBeGreaterThan(0);
});
