import { describe, expect, test } from 'vitest';
import { normalizeResponse } from '../../src/protocol/normalize.ts';
import { createEmptyToolbox } from '../../src/protocol/toolbox.ts';
import { truncateObservation } from '../../src/protocol/truncate.ts';
import { checkOptions, UsageError } from '../../src/protocol/usage-error.ts';

test('a mistake of the programmer can be told from other errors', () => {
  const error = new UsageError('maxLines must be a number.');
  expect(error).toBeInstanceOf(TypeError);
  expect([error.name, error.code, error.message]).toEqual([
    ...['UsageError', 'AGENT_LS_USAGE', 'maxLines must be a number.'],
  ]);
});

describe('options of a function', () => {
  test.each([{}, { root: '.' }, { root: undefined, cwd: 1 }])('%j are known', (options) => {
    expect(() => checkOptions('open', options, ['root', 'cwd'])).not.toThrow();
  });

  test.each([
    [null, 'open takes an object of options.'],
    [undefined, 'open takes an object of options.'],
    ['root', 'open takes an object of options.'],
    [{ root: '.', cdw: 'src' }, "open has no option 'cdw'. Did you mean 'cwd'?"],
    [{ other: 1 }, "open has no option 'other'."],
  ])('%j is refused: %s', (options, message) => {
    expect(() => checkOptions('open', options as object, ['root', 'cwd'])).toThrow(new UsageError(message));
  });

  test('each function says which one was called wrongly', async () => {
    expect(() => normalizeResponse('', { tool: 'T', cdw: '.' } as never)).toThrow(
      "normalizeResponse has no option 'cdw'",
    );
    expect(() => normalizeResponse('', { tool: '' })).toThrow('tool must be text');
    expect(() => createEmptyToolbox({ root: '.', tool: [] } as never, async () => 0)).toThrow(
      "createToolbox has no option 'tool'",
    );
    await expect(truncateObservation('', { tool: 'T', rot: '.' } as never)).rejects.toThrow(
      "truncateObservation has no option 'rot'",
    );
  });
});
