import { describe, expect, test } from 'vitest';
import {
  dryRunPartial,
  failedItemsPartial,
  fallbackPartial,
  truncatedPartial,
} from '../../src/protocol/partial-cases.ts';
import { validateResponse } from '../../src/protocol/validate.ts';

const stats = { time_ms: 1 };
const context = { cwd: '.', params_input: {} };
const common = { stats, context };

describe('each case of a partial answer has a builder', () => {
  test.each([
    [
      'truncated',
      truncatedPartial({
        data: { paths: ['a', 'b'] },
        text: 'Found 9 files.',
        total: 9,
        next: "Use 'offset' for more.",
        ...common,
      }),
      { paths: ['a', 'b'], truncated: true },
      "Found 9 files.\n(Results truncated to the first 2 of 9 items. Use 'offset' for more.)",
    ],
    [
      'truncated, with nothing to count',
      truncatedPartial({ data: { content: 'x' }, text: 'Read a.ts.', ...common }),
      { content: 'x', truncated: true },
      'Read a.ts.\n(Results truncated. Narrow the path or pattern, raise the limit, or ask for the next page.)',
    ],
    [
      'fallback',
      fallbackPartial({
        data: { matches: [] },
        text: 'Found nothing.',
        fallback: 'python',
        preferred: 'ripgrep',
        ...common,
      }),
      { matches: [], fallback: 'python' },
      'Found nothing.\n(ripgrep was not available, used the fallback python instead. Check the result where it has to be complete.)',
    ],
    [
      'dry run',
      dryRunPartial({ data: { diff: '+x' }, text: 'Would add 1 line.', ...common }),
      { diff: '+x', applied: false },
      'Would add 1 line.\n(Dry run only: nothing was written. Call again without the dry run to make the change.)',
    ],
    [
      'failed items',
      failedItemsPartial({ data: {}, text: 'Read 3 files.', failedItems: ['a', 'b'], ...common }),
      { failed_items: ['a', 'b'] },
      'Read 3 files.\n(2 items failed, see data.failed_items. Try them again, or go on without them.)',
    ],
  ])('%s', (_case, built, data, text) => {
    expect(built).toEqual({ status: 'partial', data, text, stats, context });
    expect(validateResponse(built)).toEqual({ valid: true, violations: [] });
    expect(Object.keys(built)).toEqual(['status', 'data', 'text', 'stats', 'context']);
  });
});
