/** Questions that have to wait until a source has loaded something. */
import { describe, expect, it, vi } from 'vitest';
import { Budget, retrying } from '../../src/workspace/budget.ts';
import { fromSystem, type ListingError } from '../../src/workspace/listing-error.ts';
import { atOnce, loaded, type Steps, Unloaded } from '../../src/workspace/steps.ts';

/** A question that can be answered after so many loads. */
function answerAfter(
  loads: number,
  load: () => Promise<void> = async () => {},
): { ask: () => string; asked: () => number } {
  let missing = loads;
  let asked = 0;
  const unloaded = new Unloaded(async () => {
    await load();
    missing--;
  });
  const ask = () => {
    asked++;
    if (missing > 0) throw unloaded;
    return 'answer';
  };
  return { ask, asked: () => asked };
}

const never = () => new Promise<void>(() => {});
const kindOf = (error: unknown) => (error as ListingError).kind;

describe('asynchronous code', () => {
  it('has an answer at once where nothing has to be loaded', () => {
    expect(retrying(() => 'answer', new Budget())).toBe('answer');
  });

  it('asks again after each load', async () => {
    const { ask, asked } = answerAfter(3);
    expect(await retrying(ask, new Budget())).toBe('answer');
    expect(asked()).toBe(4);
  });

  it('asks again where the answer is a promise, too', async () => {
    const { ask, asked } = answerAfter(2);
    expect(await retrying(async () => ask(), new Budget())).toBe('answer');
    expect(asked()).toBe(3);
  });

  it('throws what is not about loading, and what a load fails with', async () => {
    const failure = new Error('out of order');
    const failing = (): never => {
      throw failure;
    };
    expect(() => retrying(failing, new Budget())).toThrow(failure);
    await expect(retrying(async () => failing(), new Budget())).rejects.toBe(failure);
    await expect(retrying(answerAfter(1, async () => failing()).ask, new Budget())).rejects.toBe(failure);
  });

  it('waits no longer than the call may take', async () => {
    const controller = new AbortController();
    const waiting = Promise.resolve(retrying(answerAfter(1, never).ask, new Budget({ signal: controller.signal })));
    controller.abort();
    expect(kindOf(await waiting.catch((error) => error))).toBe('aborted');
    const late = Promise.resolve(retrying(answerAfter(1, never).ask, new Budget({ timeLimit: 1 })));
    expect(kindOf(await late.catch((error) => error))).toBe('timeout');
  });

  it('does not wait for a call that was cancelled before, whatever its load comes to', async () => {
    const budget = new Budget({ signal: AbortSignal.abort() });
    const load = () => Promise.reject(new Error('too late'));
    const late = Promise.resolve(retrying(answerAfter(1, load).ask, budget));
    expect(kindOf(await late.catch((error) => error))).toBe('aborted');
  });

  it('leaves no listener behind', async () => {
    const { signal } = new AbortController();
    const [added, removed] = [vi.spyOn(signal, 'addEventListener'), vi.spyOn(signal, 'removeEventListener')];
    await retrying(answerAfter(5).ask, new Budget({ signal }));
    expect([added.mock.calls.length, removed.mock.calls.length]).toEqual([5, 5]);
  });
});

describe('steps', () => {
  const steps = function* (ask: () => string, log: string[] = []): Steps<string> {
    try {
      yield undefined;
      return yield* loaded(ask);
    } finally {
      log.push('let go');
    }
  };

  it.each(['run', 'finish'] as const)('wait for what is loaded (%s)', async (how) => {
    const { ask, asked } = answerAfter(2);
    expect(await new Budget()[how](steps(ask))).toBe('answer');
    expect(asked()).toBe(3);
  });

  it.each(['run', 'finish'] as const)('are told when a load fails, and may go on (%s)', async (how) => {
    const failure = new Error('out of order');
    const { ask } = answerAfter(1, () => Promise.reject(failure));
    await expect(new Budget()[how](steps(ask))).rejects.toBe(failure);
    const tolerant = function* (): Steps<string> {
      try {
        return yield* loaded(ask);
      } catch (error) {
        return `instead of ${(error as Error).message}`;
      }
    };
    expect(await new Budget()[how](tolerant())).toBe('instead of out of order');
  });

  it.each(['run', 'finish'] as const)('let go of what they hold when the call has to end (%s)', async (how) => {
    const log: string[] = [];
    const controller = new AbortController();
    const ended = new Budget({ signal: controller.signal })[how](steps(answerAfter(1, never).ask, log));
    await null;
    controller.abort();
    expect(kindOf(await ended.catch((error) => error))).toBe('aborted');
    expect(log).toEqual(['let go']);
  });

  it('all at once say that something has to be loaded, and let go of what they hold', async () => {
    const log: string[] = [];
    const { ask } = answerAfter(2);
    const all = () => atOnce(steps(ask, log));
    expect(all).toThrow(Unloaded);
    expect(log).toEqual(['let go']);
    expect(await retrying(all, new Budget())).toBe('answer');
    expect(atOnce(steps(() => 'at hand'))).toBe('at hand');
  });

  it('all at once leave a failed load to those who ask again', async () => {
    const failure = new Error('out of order');
    const all = () => atOnce(steps(answerAfter(1, () => Promise.reject(failure)).ask));
    expect(all).toThrow(Unloaded);
    await expect(retrying(all, new Budget())).rejects.toBe(failure);
  });
});

it('what has to be loaded is not a failure', () => {
  const unloaded = new Unloaded(async () => {});
  expect(() => fromSystem(unloaded, null)).toThrow(unloaded);
});
