import { describe, expect, expectTypeOf, test } from 'vitest';
import {
  discounts,
  ERROR_CODES,
  type ErrorCode,
  errorText,
  failure,
  partial,
  success,
  type ToolResponse,
} from '../../src/protocol/envelope.ts';

const stats = { time_ms: 1 };
const context = { cwd: '.', params_input: null };

describe('builders', () => {
  test('a success has its keys in the order of the contract', () => {
    const built = success({ context, stats, text: 'done', data: { a: 1 } });
    expect(JSON.stringify(built)).toBe(
      '{"status":"success","data":{"a":1},"text":"done","stats":{"time_ms":1},"context":{"cwd":".","params_input":null}}',
    );
  });

  test('a partial has its keys in the order of the contract', () => {
    const built = partial({ context, stats, text: 'some', data: { truncated: true } });
    expect(Object.keys(built)).toEqual(['status', 'data', 'text', 'stats', 'context']);
    expect(built.status).toBe('partial');
  });

  test('a failure has its keys in the order of the contract, data {} and a text with a next step', () => {
    const built = failure({ context, stats, message: 'No such file.', code: 'NOT_FOUND' });
    expect(JSON.stringify(built)).toBe(
      '{"status":"error","data":{},' +
        '"text":"No such file.\\nCheck the spelling, or list the parent directory to see what is there.",' +
        '"error":{"code":"NOT_FOUND","message":"No such file."},' +
        '"stats":{"time_ms":1},"context":{"cwd":".","params_input":null}}',
    );
  });

  test('a failure keeps a data and a text that are given', () => {
    const built = failure({ context, stats, message: 'm', code: 'TIMEOUT', data: { seen: 3 }, text: 'mine' });
    expect([built.data, built.text]).toEqual([{ seen: 3 }, 'mine']);
  });
});

describe('error codes', () => {
  test('they are the ten of the protocol', () => {
    expect([...ERROR_CODES].sort()).toEqual([
      'ACCESS_DENIED',
      'BINARY_FILE',
      'CONFLICT',
      'EXECUTION_ERROR',
      'INTERNAL_ERROR',
      'INVALID_PARAM',
      'IS_DIRECTORY',
      'NOT_FOUND',
      'PERMISSION_DENIED',
      'TIMEOUT',
    ]);
  });

  test.each(ERROR_CODES)('%s has a next step of its own', (code) => {
    const others = ERROR_CODES.filter((other) => other !== code).map((other) => errorText(other, 'm'));
    expect(errorText(code, 'm')).toMatch(/^m\n[A-Z].+\.$/);
    expect(others).not.toContain(errorText(code, 'm'));
  });

  test('a next step of the caller replaces the usual one', () => {
    expect(errorText('NOT_FOUND', 'm', "Did you mean 'src'?")).toBe("m\nDid you mean 'src'?");
  });
});

test.each([
  [{}, []],
  [{ truncated: false, applied: true, failed_items: [] }, []],
  [{ fallback: null }, []],
  [{ truncated: true }, ['truncated']],
  [{ fallback: 'python' }, ['fallback']],
  [{ applied: false }, ['applied']],
  [{ failed_items: ['a'] }, ['failed_items']],
  [{ applied: false, truncated: true }, ['truncated', 'applied']],
])('the discounts of %j are %j', (data, found) => {
  expect(discounts(data)).toEqual(found);
});

describe('what does not compile', () => {
  type LsData = { entries: { path: string; type: 'file' | 'dir' | 'link'; size?: number }[]; total: number };

  test('a tool can narrow the data and still be any response', () => {
    const data: LsData = { entries: [{ path: 'a', type: 'file', size: 3 }], total: 1 };
    const list = (): ToolResponse<LsData> => success({ data, text: '', stats, context });
    const ls = list();
    const any: ToolResponse = ls;
    expect(any).toBe(ls);
    if (ls.status !== 'error') expectTypeOf(ls.data.total).toEqualTypeOf<number>();
    if (ls.status === 'error') expectTypeOf(ls.error.code).toEqualTypeOf<ErrorCode>();
  });

  test('wrong envelopes are refused by the compiler', () => {
    const common = { text: '', stats, context };
    const built: ToolResponse[] = [
      // @ts-expect-error a success has no error
      { status: 'success', data: {}, error: { code: 'NOT_FOUND', message: '' }, ...common },
      // @ts-expect-error a partial has no error
      { status: 'partial', data: {}, error: { code: 'NOT_FOUND', message: '' }, ...common },
      // @ts-expect-error null is never written
      { status: 'success', data: {}, error: null, ...common },
      // @ts-expect-error an error needs its error
      { status: 'error', data: {}, ...common },
      // @ts-expect-error the code must be one of the ten
      { status: 'error', data: {}, error: { code: 'ENOENT', message: '' }, ...common },
      // @ts-expect-error a truncated result is no success
      { status: 'success', data: { truncated: true }, ...common },
      // @ts-expect-error a dry run is no success
      { status: 'success', data: { applied: false }, ...common },
      // @ts-expect-error a fallback is no success
      { status: 'success', data: { fallback: 'python' }, ...common },
      // @ts-expect-error a part that failed is no success
      { status: 'success', data: { failed_items: ['a'] }, ...common },
      // @ts-expect-error there are three statuses
      { status: 'done', data: {}, ...common },
      // @ts-expect-error data is never null
      { status: 'success', data: null, ...common },
      // @ts-expect-error data is no array
      { status: 'success', data: [], ...common },
      // @ts-expect-error data is no text
      { status: 'success', data: 'x', ...common },
      // @ts-expect-error an entry is a file, a dir or a link
      { status: 'success', data: { entries: [{ path: 'a', type: 'socket' }] }, ...common },
      // @ts-expect-error paths are strings
      { status: 'success', data: { paths: [1] }, ...common },
      // @ts-expect-error a match has a line
      { status: 'success', data: { matches: [{ file: 'a', text: '' }] }, ...common },
      // @ts-expect-error content is text
      { status: 'success', data: { content: 1 }, ...common },
      // @ts-expect-error there is no such key
      { status: 'success', data: {}, extra: 1, ...common },
      // @ts-expect-error time_ms is required
      { status: 'success', data: {}, ...common, stats: {} },
      // @ts-expect-error stats are numbers or strings
      { status: 'success', data: {}, ...common, stats: { time_ms: 1, list: [] } },
      // @ts-expect-error cwd is required
      { status: 'success', data: {}, ...common, context: { params_input: null } },
      // @ts-expect-error params_input is required
      { status: 'success', data: {}, ...common, context: { cwd: '.' } },
    ];
    expect(built).toHaveLength(22);
  });

  test('the builders refuse the same', () => {
    const common = { text: '', stats, context };
    // @ts-expect-error a truncated result is no success
    expect(success({ data: { truncated: true }, ...common }).status).toBe('success');
    // @ts-expect-error a dry run is no success
    expect(success({ data: { applied: false }, ...common }).status).toBe('success');
    // @ts-expect-error a fallback is no success
    expect(success({ data: { fallback: 'python' }, ...common }).status).toBe('success');
    // @ts-expect-error a part that failed is no success
    expect(success({ data: { failed_items: [] }, ...common }).status).toBe('success');
    // @ts-expect-error data is no array
    expect(success({ data: ['a'], ...common }).status).toBe('success');
    // @ts-expect-error entries are rows
    expect(partial({ data: { entries: ['a'] }, ...common }).status).toBe('partial');
    // @ts-expect-error the code must be one of the ten
    expect(failure({ code: 'ENOENT', message: '', ...common }).status).toBe('error');
  });
});
