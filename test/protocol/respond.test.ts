import { afterEach, describe, expect, expectTypeOf, test, vi } from 'vitest';
import { respondTo } from '../../src/protocol/respond.ts';
import { validateResponse } from '../../src/protocol/validate.ts';

afterEach(() => vi.restoreAllMocks());

describe('builders that fill in time and context', () => {
  const params = { path: 'src' };
  const context = { cwd: 'app', params_input: params, path_resolved: 'app/src' };
  const responder = () => {
    vi.spyOn(performance, 'now').mockReturnValueOnce(100).mockReturnValueOnce(112.6);
    return respondTo({ params, cwd: 'app', path: 'app/src' });
  };

  test.each([
    ['success', () => responder().success({ data: { paths: ['a'] }, text: 'Found 1.' })],
    ['partial', () => responder().partial({ data: {}, text: 'Some. Try again.' })],
    ['partial', () => responder().truncated({ data: { paths: ['a'] }, text: 'Found 1.', total: 5 })],
    ['partial', () => responder().fallback({ data: {}, text: 'Found 1.', fallback: 'python' })],
    ['partial', () => responder().dryRun({ data: {}, text: 'Would write.' })],
    ['partial', () => responder().failedItems({ data: {}, text: 'Read 1.', failedItems: ['b'] })],
    ['error', () => responder().failure({ code: 'NOT_FOUND', message: 'gone' })],
  ])('%s', (status, build) => {
    const built = build();
    expect(built).toMatchObject({ status, stats: { time_ms: 13 }, context });
    expect(validateResponse(built)).toEqual({ valid: true, violations: [] });
  });

  test('more stats and context can be added, and the types are kept', () => {
    const built = respondTo({ params: undefined }).success({
      data: { rows: 2 },
      text: 'x',
      stats: { rows: 2 },
      context: { mine: 1 },
    });
    expect(built.stats).toEqual({ time_ms: expect.any(Number), rows: 2 });
    expect(built.context).toEqual({ cwd: '.', params_input: null, mine: 1 });
    expectTypeOf(built.data.rows).toEqualTypeOf<number>();
    // @ts-expect-error a truncated result is no success
    respondTo({ params }).success({ data: { truncated: true }, text: 'x' });
    // @ts-expect-error the code must be one of the ten
    respondTo({ params }).failure({ code: 'ENOENT', message: 'x' });
  });

  test('a cwd outside of the root is misuse', () => {
    expect(() => respondTo({ params, cwd: '/abs' })).toThrow('cwd must be relative to the root, not "/abs".');
    expect(() => respondTo({ parms: 1 } as never)).toThrow("respondTo has no option 'parms'. Did you mean 'params'?");
  });
});
