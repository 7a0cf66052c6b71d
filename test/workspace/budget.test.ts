import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Budget, yieldIfBusy } from '../../src/workspace/budget.ts';
import { movedClock } from '../support/clock.ts';

// What begins in one turn shares a slice, so each test has turns of its own.
beforeEach(() => new Promise(setImmediate));
afterEach(() => vi.restoreAllMocks());

/** A clock that the test moves. */
function clock(): { now: number } {
  const time = { now: 1000 };
  movedClock(() => time.now);
  return time;
}

it('ends before the time limit, by what it takes to tell what was read', () => {
  const time = clock();
  const budget = new Budget({ timeLimit: 50 });
  time.now += 34;
  expect(budget.stopReason()).toBeNull();
  time.now += 1;
  expect(budget.stopReason()).toBe('timeout');
});

it('gives a call 30 seconds when nobody says otherwise, of which 0.2 are kept back', () => {
  const time = clock();
  const budget = new Budget({});
  time.now += 29_799;
  expect(budget.stopReason()).toBeNull();
  time.now += 1;
  expect(budget.stopReason()).toBe('timeout');
});

it('ends when the caller cancels', () => {
  const controller = new AbortController();
  const budget = new Budget({ signal: controller.signal });
  expect(budget.stopReason()).toBeNull();
  controller.abort();
  expect(budget.stopReason()).toBe('aborted');
});

it('goes on without a pause while its slice lasts', async () => {
  const time = clock();
  const budget = new Budget({});
  time.now += 1;
  let turns = 0;
  setImmediate(() => turns++);
  await budget.yieldIfDue();
  expect(turns).toBe(0);
});

it('lets others have a turn when its slice is over, and then has a new one', async () => {
  const time = clock();
  const budget = new Budget({});
  time.now += 5;
  let turns = 0;
  setImmediate(() => turns++);
  await budget.yieldIfDue();
  expect(turns).toBe(1);
  await budget.yieldIfDue();
  expect(turns).toBe(1);
});

it('stays due until others had their turn, however often it is asked', async () => {
  const time = clock();
  const budget = new Budget({});
  budget.steps = 1e6;
  time.now += 5;
  expect([budget.isDue, budget.isDue]).toEqual([true, true]);
  await budget.yieldIfDue();
  expect(budget.isDue).toBe(false);
});

it('continues one reading a turn, so that many readings do not add up to one long wait', async () => {
  const time = clock();
  const readings = Array.from({ length: 5 }, () => new Budget({}));
  time.now += 5;
  const order: string[] = [];
  const waits = readings.map(async (budget, i) => {
    await budget.yieldIfDue();
    order.push(`reading ${i}`);
  });
  let turn = 0;
  const others = () => {
    order.push('others');
    if (++turn < 4) setImmediate(others);
  };
  setImmediate(others);
  await Promise.all(waits);
  expect(order.join(', ')).toMatch(/^reading 0, others, reading 1, others, reading 2, others, reading 3/);
});

it('gives whatever begins in one turn a single slice, so that many small calls do not add up to one long wait', async () => {
  const time = clock();
  let turns = 0;
  setImmediate(() => turns++);
  expect(new Budget({}).yieldIfDue()).toBeUndefined();
  time.now += 5;
  await new Budget({}).yieldIfDue();
  expect(turns).toBe(1);
  expect(new Budget({}).yieldIfDue()).toBeUndefined();
});

it('lets what arrives pass the calls that wait, with a slice of its own each time', async () => {
  const time = clock();
  const budgets = Array.from({ length: 3 }, () => new Budget({}));
  time.now += 5;
  const order: string[] = [];
  const calls = budgets.map(async (budget) => {
    await budget.yieldIfDue();
    order.push('call');
  });
  for (let i = 0; i < 2; i++) {
    await yieldIfBusy();
    order.push('arrival');
    expect(yieldIfBusy()).toBeUndefined();
    time.now += 5;
  }
  await Promise.all(calls);
  expect(order).toEqual(['arrival', 'call', 'arrival', 'call', 'call']);
});

it('tells at each pause how many entries were read', async () => {
  const time = clock();
  const told: number[] = [];
  const budget = new Budget({ onProgress: (entries) => told.push(entries) });
  budget.entriesRead = 10;
  await budget.yieldIfDue();
  expect(told).toEqual([]);
  time.now += 5;
  await budget.yieldIfDue();
  expect(told).toEqual([10]);
});

it('waits for nothing that did not come in time, also when its timer fires before the clock says so', async () => {
  clock();
  const budget = new Budget({ timeLimit: 5 });
  await expect(budget.waitFor(new Promise(() => {}))).rejects.toMatchObject({ kind: 'timeout' });
});
