import { afterEach, describe, expect, test, vi } from 'vitest';
import { type LimitOptions, requireText, resolveLimits } from '../../src/protocol/limits.ts';
import { UsageError } from '../../src/protocol/usage-error.ts';

afterEach(() => vi.unstubAllEnvs());

const DEFAULTS = { maxLines: 2000, maxBytes: 51_200, direction: 'head', directory: 'tool-output', retentionDays: 7 };

describe('where a limit comes from', () => {
  test('without anything set, from the contract', () => {
    expect(resolveLimits({})).toEqual(DEFAULTS);
  });

  test.each([
    ['TOOL_OUTPUT_MAX_LINES', '10', { maxLines: 10 }],
    ['TOOL_OUTPUT_MAX_BYTES', '99', { maxBytes: 99 }],
    ['TOOL_OUTPUT_TRUNCATE_DIRECTION', 'tail', { direction: 'tail' }],
    ['TOOL_OUTPUT_DIR', '/var/out', { directory: '/var/out' }],
    ['TOOL_OUTPUT_DIR', 'a/../b', { directory: 'a/../b' }],
    ['TOOL_OUTPUT_RETENTION_DAYS', '0.5', { retentionDays: 0.5 }],
    ['TOOL_OUTPUT_RETENTION_DAYS', '12.25', { retentionDays: 12.25 }],
    ['TOOL_OUTPUT_MAX_LINES', '', {}],
  ])('from the environment: %s=%s', (variable, value, expected) => {
    vi.stubEnv(variable, value);
    expect(resolveLimits({})).toEqual({ ...DEFAULTS, ...expected });
  });

  test('an option wins over the environment, even over a senseless one', () => {
    vi.stubEnv('TOOL_OUTPUT_MAX_LINES', 'many');
    vi.stubEnv('TOOL_OUTPUT_MAX_BYTES', '1');
    vi.stubEnv('TOOL_OUTPUT_TRUNCATE_DIRECTION', 'tail');
    vi.stubEnv('TOOL_OUTPUT_DIR', 'env');
    vi.stubEnv('TOOL_OUTPUT_RETENTION_DAYS', '1');
    const options = { maxLines: 5, maxBytes: 6, direction: 'head', directory: 'mine', retentionDays: 0 } as const;
    expect(resolveLimits(options)).toEqual(options);
  });

  test('an option of null is not set', () => {
    expect(resolveLimits({ maxLines: null } as unknown as LimitOptions)).toEqual(DEFAULTS);
  });
});

describe('a value that makes no sense is an error that names it, the value and what would be right', () => {
  test.each([
    ['TOOL_OUTPUT_MAX_LINES', 'many', 'TOOL_OUTPUT_MAX_LINES must be a whole number of at least 1, not "many".'],
    ['TOOL_OUTPUT_MAX_LINES', '0', 'TOOL_OUTPUT_MAX_LINES must be a whole number of at least 1, not "0".'],
    ['TOOL_OUTPUT_MAX_LINES', '1e3', 'TOOL_OUTPUT_MAX_LINES must be a whole number of at least 1, not "1e3".'],
    ['TOOL_OUTPUT_MAX_BYTES', '-1', 'TOOL_OUTPUT_MAX_BYTES must be a whole number of at least 1, not "-1".'],
    ['TOOL_OUTPUT_MAX_BYTES', '1.5', 'TOOL_OUTPUT_MAX_BYTES must be a whole number of at least 1, not "1.5".'],
    ['TOOL_OUTPUT_TRUNCATE_DIRECTION', 'up', 'TOOL_OUTPUT_TRUNCATE_DIRECTION must be "head" or "tail", not "up".'],
    ['TOOL_OUTPUT_DIR', '../x', 'TOOL_OUTPUT_DIR must be a directory below the root, or an absolute path, not "../x".'],
    ['TOOL_OUTPUT_DIR', ' ', 'TOOL_OUTPUT_DIR must be text that is not empty and holds no NUL, not " ".'],
    [
      'TOOL_OUTPUT_RETENTION_DAYS',
      'week',
      'TOOL_OUTPUT_RETENTION_DAYS must be a number of days, 0 or more, not "week".',
    ],
  ])('%s=%s', (variable, value, message) => {
    vi.stubEnv(variable, value);
    expect(() => resolveLimits({})).toThrow(new UsageError(message));
  });

  test.each<[object, string]>([
    [{ maxLines: 0 }, 'maxLines must be a whole number of at least 1, not 0.'],
    [{ maxLines: true }, 'maxLines must be a whole number of at least 1, not true.'],
    [{ maxLines: ['5'] }, 'maxLines must be a whole number of at least 1, not 5.'],
    [{ maxBytes: 1.5 }, 'maxBytes must be a whole number of at least 1, not 1.5.'],
    [{ maxBytes: Number.POSITIVE_INFINITY }, 'maxBytes must be a whole number of at least 1, not Infinity.'],
    [{ direction: 'middle' }, 'direction must be "head" or "tail", not "middle".'],
    [{ directory: '' }, 'directory must be text that is not empty and holds no NUL, not "".'],
    [{ directory: 'a\0b' }, 'directory must be text that is not empty and holds no NUL, not "a\\u0000b".'],
    [{ directory: 'a/../..' }, 'directory must be a directory below the root, or an absolute path, not "a/../..".'],
    [{ directory: 3 }, 'directory must be text that is not empty and holds no NUL, not 3.'],
    [{ retentionDays: -1 }, 'retentionDays must be a number of days, 0 or more, not -1.'],
    [{ retentionDays: Number.NaN }, 'retentionDays must be a number of days, 0 or more, not NaN.'],
  ])('%j', (options, message) => {
    expect(() => resolveLimits(options)).toThrow(new UsageError(message));
  });

  test('the error can be told from others by its name, its code and its class', () => {
    const error = new UsageError('x');
    expect(error).toBeInstanceOf(TypeError);
    expect([error.name, error.code, error.message]).toEqual(['UsageError', 'AGENT_LS_USAGE', 'x']);
  });

  test('text that is required is given back as it is', () => {
    expect(requireText('root', ' a ')).toBe(' a ');
    expect(() => requireText('root', undefined)).toThrow('root must be text');
  });
});
