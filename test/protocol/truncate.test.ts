import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { ToolResponse } from '../../src/protocol/envelope.ts';
import { truncateObservation } from '../../src/protocol/truncate.ts';
import { validateResponse } from '../../src/protocol/validate.ts';
import { measure, readableText } from '../../src/protocol/view.ts';
import { rounds } from '../support/rounds.ts';
import { envelope, temporaryRoot } from './fixtures.ts';

let root = '';
beforeEach(async () => {
  root = await temporaryRoot();
  vi.useFakeTimers({ now: new Date(2025, 0, 2, 3, 4, 5), toFake: ['Date'] });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
});

const response = (over: object = {}) => envelope(over) as unknown as ToolResponse;

/** Truncates, and expects the wrapped envelope, which must be valid. */
async function wrapped(result: ToolResponse | string, options: object = {}) {
  const answer = await truncateObservation(result, { tool: 'LS', root, ...options });
  if (typeof answer === 'string') throw new Error('it passed unchanged');
  expect(validateResponse(answer).violations).toEqual([]);
  return answer as ToolResponse & { data: { preview: string; truncation: Record<string, unknown> } };
}

describe('what passes comes back as it came', () => {
  const small = response({ text: 'a\nb' });
  const { lines, bytes } = measure(readableText(small));

  test.each<[string, ToolResponse | string, object]>([
    ['an object under both limits', small, {}],
    ['an object exactly at both limits', small, { maxLines: lines, maxBytes: bytes }],
    ['its JSON exactly at both limits', JSON.stringify(small), { maxLines: lines, maxBytes: bytes }],
    ['text exactly at both limits', 'a\né\n', { maxLines: 2, maxBytes: 5 }],
    ['empty text', '', { maxLines: 1, maxBytes: 1 }],
    [
      'an object that asks for it',
      response({ context: { cwd: '.', params_input: 1, truncation_skip: true } }),
      { maxLines: 1 },
    ],
    ['JSON that asks for it', '{"context":{"truncation_skip":true}}', { maxLines: 1 }],
  ])('%s', async (_case, result, options) => {
    expect(await truncateObservation(result, { tool: 'LS', root, ...options })).toBe(result);
    expect(await readdir(root)).toEqual([]);
  });

  const noSkip = response({ context: { cwd: '.', params_input: {}, truncation_skip: false } });

  test.each<[string, ToolResponse, object]>([
    ['one line more', small, { maxLines: lines - 1, maxBytes: bytes }],
    ['one byte more', small, { maxLines: lines, maxBytes: bytes - 1 }],
    ['a skip that is not true', noSkip, { maxLines: 1 }],
  ])('but not %s', async (_case, result, options) => {
    expect((await wrapped(result, options)).status).toBe('partial');
  });

  test('the limits of the contract hold without options', async () => {
    const line = '\n'.repeat(1999);
    expect(await truncateObservation(`${line}a`, { tool: 'LS', root })).toBe(`${line}a`);
    expect((await wrapped(`${line}a\nb`)).data.truncation).toMatchObject({ max_lines: 2000, original_lines: 2001 });
    expect(await truncateObservation('x'.repeat(51_200), { tool: 'LS', root })).toBe('x'.repeat(51_200));
    expect((await wrapped('x'.repeat(51_201))).data.truncation).toMatchObject({
      max_bytes: 51_200,
      original_bytes: 51_201,
    });
  });
});

describe('the wrapped answer', () => {
  test('has exactly the shape of the document', async () => {
    const result = response({
      data: { list: ['one', 'two'] },
      context: { cwd: 'src', params_input: { a: 1 }, mine: 2 },
    });
    const answer = await wrapped(result, { maxLines: 4, maxBytes: 1000 });
    expect(JSON.stringify(answer, null, 1)).toBe(
      JSON.stringify(
        {
          status: 'partial',
          data: {
            truncated: true,
            truncation: {
              direction: 'head',
              max_lines: 4,
              max_bytes: 1000,
              original_lines: 20,
              original_bytes: measure(readableText(result)).bytes,
              kept_lines: 4,
              kept_bytes: 50,
              full_output_path: 'tool-output/tool_20250102_030405_LS.json',
            },
            preview: '{\n  "status": "success",\n  "data": {\n    "list": [',
          },
          text: [
            `⚠️ 输出过大已截断: LS returned 20 lines and ${measure(readableText(result)).bytes} bytes; 4 lines and 1000 bytes are allowed.`,
            'data.preview holds its beginning: 4 lines, 50 bytes.',
            'Full output: tool-output/tool_20250102_030405_LS.json',
            'Read it in parts with a Read tool (offset, limit), or search it with Grep.',
            'To get less, call again with a narrower path or pattern, or a smaller limit.',
          ].join('\n'),
          stats: { time_ms: 3 },
          context: { cwd: 'src', params_input: { a: 1 }, mine: 2 },
        },
        null,
        1,
      ),
    );
  });

  test('of a tail keeps the end and says so', async () => {
    const answer = await wrapped('1\n2\n3\n4', { maxLines: 2, direction: 'tail' });
    expect(answer.data.preview).toBe('3\n4');
    expect(answer.data.truncation).toMatchObject({ direction: 'tail', kept_lines: 2, kept_bytes: 3 });
    expect(answer.text).toContain('data.preview holds its end: 2 lines, 3 bytes.');
  });

  test('of an error stays an error with its error', async () => {
    const error = { code: 'EXECUTION_ERROR', message: 'exit 1' };
    const answer = await wrapped(response({ status: 'error', error, data: { log: 'x'.repeat(99) } }), { maxBytes: 50 });
    expect([answer.status, answer.error]).toEqual(['error', error]);
    expect(answer.text).toContain('The call itself failed with EXECUTION_ERROR; the reason is in error.message.');
    expect(Object.keys(answer)).toEqual(['status', 'data', 'text', 'error', 'stats', 'context']);
  });

  test('of an error with a message that is too large has the beginning of it', async () => {
    const error = { code: 'EXECUTION_ERROR', message: 'exit 1: '.repeat(99) };
    const answer = await wrapped(response({ status: 'error', error }), { maxBytes: 50 });
    expect(answer.error).toEqual({ ...error, message: error.message.slice(0, 50) });
    const saved = await readFile(join(root, String(answer.data.truncation.full_output_path)), 'utf8');
    expect(JSON.parse(saved).error).toEqual(error);
  });

  test('of a legacy error is an error too', async () => {
    const answer = await wrapped(JSON.stringify({ error: 'Error: x', log: 'y'.repeat(99) }), { maxBytes: 50 });
    expect(answer.error).toEqual({ code: 'INTERNAL_ERROR', message: 'Error: x' });
  });

  test('of plain text is a partial with stats and context completed', async () => {
    expect(await wrapped('x\ny', { maxLines: 1 })).toMatchObject({
      status: 'partial',
      data: { preview: 'x' },
      stats: { time_ms: 0 },
      context: { cwd: '.', params_input: null },
    });
  });

  test('of an object without stats and context completes them and keeps what is there', async () => {
    const result = { status: 'success', data: {}, text: '', stats: { rows: 5 } } as unknown as ToolResponse;
    const answer = await wrapped(result, { maxLines: 1 });
    expect([answer.stats, answer.context]).toEqual([
      { time_ms: 0, rows: 5 },
      { cwd: '.', params_input: null },
    ]);
  });

  test('counts what a reader would see, with C:\\new on one line', async () => {
    const answer = await wrapped(JSON.stringify({ text: 'a\nb C:\\new' }), { maxLines: 1 });
    expect(answer.data.truncation).toMatchObject({ original_lines: 4, original_bytes: 27 });
  });

  test('of a result that JSON cannot hold is written in words', async () => {
    const result = response({ data: { big: 1n } });
    expect((await wrapped(result, { maxLines: 4 })).data.preview).toBe(
      '{\n  "status": "success",\n  "data": {\n    "big": "1"',
    );
  });

  test('follows the environment', async () => {
    vi.stubEnv('TOOL_OUTPUT_MAX_LINES', '1');
    vi.stubEnv('TOOL_OUTPUT_TRUNCATE_DIRECTION', 'tail');
    vi.stubEnv('TOOL_OUTPUT_DIR', 'logs');
    const answer = await wrapped('a\nb');
    expect(answer.data.preview).toBe('b');
    expect(await readdir(join(root, 'logs'))).toEqual(['tool_20250102_030405_LS.json']);
  });
});

test.each<[string, object, string]>([
  ['a limit', { maxLines: -1 }, 'maxLines must be a whole number of at least 1, not -1.'],
  ['no root', { root: undefined }, 'root must be text that is not empty and holds no NUL, not undefined.'],
  ['no tool', { tool: '' }, 'tool must be text that is not empty and holds no NUL, not "".'],
])(
  'an option that makes no sense is refused, also for a result that would pass: %s',
  async (_case, options, message) => {
    await expect(truncateObservation('', { tool: 'LS', root, ...options })).rejects.toMatchObject({
      code: 'AGENT_LS_USAGE',
      message,
    });
  },
);

describe('for any text and any limits', () => {
  const unit = fc.constantFrom('a', 'é', '€', '🙂', '\n', '\\', '"', '\ud83d', '\ude00', '\u0000', '👨‍👩‍👧', '{');
  const text = fc.oneof(fc.string({ unit }), fc.string({ unit: 'binary' }), fc.string());
  const options = fc.record({
    maxLines: fc.integer({ min: 1, max: 8 }),
    maxBytes: fc.integer({ min: 1, max: 120 }),
    direction: fc.constantFrom('head' as const, 'tail' as const),
  });
  const result = fc.oneof(
    text,
    text.map((said) => JSON.stringify(response({ text: said }))),
    text.map((said) => response({ text: said })),
    text.map((said) => response({ status: 'error', error: { code: 'TIMEOUT', message: said } })),
  );

  test('the preview is within both limits, the answer is valid, the file holds the original', async () => {
    await fc.assert(
      fc.asyncProperty(result, options, async (original, limits) => {
        const { maxLines, maxBytes, direction } = limits;
        const parsed =
          typeof original === 'string' && original.startsWith('{"status"') ? JSON.parse(original) : original;
        const view = readableText(parsed);
        const answer = await truncateObservation(original, { tool: 'T', root, ...limits });
        const { lines, bytes } = measure(view);
        if (lines <= maxLines && bytes <= maxBytes) {
          expect(answer).toBe(original);
          return;
        }

        expect(validateResponse(answer).violations).toEqual([]);
        const { preview, truncation } = (answer as Awaited<ReturnType<typeof wrapped>>).data;
        expect(direction === 'head' ? view.startsWith(preview) : view.endsWith(preview)).toBe(true);
        const kept = measure(preview);
        expect(kept.lines <= maxLines && kept.bytes <= maxBytes).toBe(true);
        expect(truncation).toMatchObject({
          original_lines: lines,
          original_bytes: bytes,
          kept_lines: kept.lines,
          kept_bytes: kept.bytes,
        });
        const saved = await readFile(join(root, String(truncation.full_output_path)));
        const content = typeof original === 'string' ? original : JSON.stringify(original, null, 2);
        expect(saved.equals(Buffer.from(content))).toBe(true);
      }),
      { numRuns: rounds(150) },
    );
  });
});

describe('truncating twice is truncating once', () => {
  test.each<[string, ToolResponse | string]>([
    ['text', 'line\n'.repeat(99)],
    ['a result', response({ text: 'line\n'.repeat(99) })],
    ['an error', response({ status: 'error', text: 'x\n'.repeat(99), error: { code: 'TIMEOUT', message: 'late' } })],
  ])('%s', async (_case, result) => {
    const once = await wrapped(result, { maxLines: 10 });
    for (const limits of [{ maxLines: 10 }, { maxLines: 2 }, { maxBytes: 5 }]) {
      expect(await truncateObservation(once, { tool: 'LS', root, ...limits })).toBe(once);
      const json = JSON.stringify(once);
      expect(await truncateObservation(json, { tool: 'LS', root, ...limits })).toBe(json);
    }
    expect(await readdir(join(root, 'tool-output'))).toHaveLength(1);
  });

  test('but what only looks truncated is truncated', async () => {
    const fake = response({ status: 'partial', data: { truncated: true, truncation: {} }, text: 'x\n'.repeat(99) });
    expect((await wrapped(fake, { maxLines: 10 })).data.truncation).toMatchObject({ kept_lines: 10 });
  });
});

test.each(['TAIL', 'Tail', 'tail'])('the direction %s is read whatever its case', async (direction) => {
  const options = { maxLines: 1, direction: direction as 'tail' };
  expect((await wrapped('a\nb', options)).data).toMatchObject({ preview: 'b', truncation: { direction: 'tail' } });
  vi.stubEnv('TOOL_OUTPUT_TRUNCATE_DIRECTION', direction);
  expect((await wrapped('a\nb', { maxLines: 1 })).data.preview).toBe('b');
});

test('when saving fails the answer still comes, says so, and has no full_output_path', async () => {
  await writeFile(join(root, 'tool-output'), 'in the way');
  const answer = await wrapped('a\nb', { maxLines: 1 });
  expect(answer.data.preview).toBe('a');
  expect(answer.data.truncation).not.toHaveProperty('full_output_path');
  const reason = process.platform === 'linux' ? 'ENOTDIR' : 'its directory is a link or a file';
  expect(answer.text).toContain(`The full output could not be saved (${reason}); only the preview is left.`);
});

test('what is too large for JSON is an error that says so', async () => {
  const large = response({ context: { cwd: 'src', params_input: {} } });
  vi.spyOn(JSON, 'stringify').mockImplementation(() => {
    throw new RangeError('Invalid string length');
  });
  const answer = await truncateObservation(large, { tool: 'Log', root }).finally(() => vi.restoreAllMocks());
  expect(answer).toMatchObject({
    status: 'error',
    error: { code: 'INTERNAL_ERROR', message: 'Log returned more than JSON can hold; nothing of it is left.' },
    context: { cwd: 'src' },
  });
});

test('what throws when it is read does not make it throw', async () => {
  const broken = {
    ...response(),
    get context(): never {
      throw new Error('gone');
    },
  };
  expect(await truncateObservation(broken, { tool: 'Log', root })).toBe(broken);
});

test('two in one second keep both', async () => {
  const [first, second] = await Promise.all([wrapped('a\n1', { maxLines: 1 }), wrapped('a\n2', { maxLines: 1 })]);
  const paths = [first.data.truncation.full_output_path, second.data.truncation.full_output_path].map(String);
  expect([...paths].sort()).toEqual([
    'tool-output/tool_20250102_030405_LS.json',
    'tool-output/tool_20250102_030405_LS_2.json',
  ]);
  expect(await Promise.all(paths.map((path) => readFile(join(root, path), 'utf8')))).toEqual(['a\n1', 'a\n2']);
});
