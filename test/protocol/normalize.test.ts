import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { errorText } from '../../src/protocol/envelope.ts';
import { normalizeResponse } from '../../src/protocol/normalize.ts';
import { validateResponse } from '../../src/protocol/validate.ts';
import { rounds } from '../support/rounds.ts';
import { envelope } from './fixtures.ts';

const about = { tool: 'Probe', params: { path: 'src' }, cwd: 'src' };

function normalized(raw: unknown) {
  const response = normalizeResponse(raw, about);
  expect(validateResponse(JSON.parse(JSON.stringify(response))).violations).toEqual([]);
  return response;
}

const UNKNOWN = (status: string) =>
  `(The tool's status is ${status}, none of success, partial, error. Check data before you rely on it.)`;

/** The whole envelope of a call that left nothing but a message. */
const internalError = (message: string) => ({
  status: 'error',
  data: {},
  text: errorText('INTERNAL_ERROR', message),
  error: { code: 'INTERNAL_ERROR', message },
  stats: { time_ms: 0 },
  context: { cwd: 'src', params_input: { path: 'src' } },
});

describe('a valid envelope', () => {
  test.each([envelope(), envelope({ status: 'error', error: { code: 'CONFLICT', message: 'm' }, text: 'own' })])(
    'comes back as the very same object: $status',
    (raw) => {
      expect(normalized(raw)).toBe(raw);
    },
  );

  test('as JSON comes back as what it says', () => {
    expect(normalized(JSON.stringify(envelope()))).toEqual(envelope());
  });

  test.each(['', ' \n'])('with an empty text %j is given one', (text) => {
    const raw = { status: 'success', data: { a: 1 }, text };
    expect(normalized(envelope({ data: { a: 1 }, text })).text).toBe(normalized(raw).text);
    expect(normalized(raw).text).toBe('Probe answered without a summary; its result is in data.');
  });

  test.each([null, undefined])('loses an error of %s, which is never written', (error) => {
    const response = normalized(envelope({ error }));
    expect(response).toEqual(envelope());
    expect(response).not.toHaveProperty('error');
  });

  test('whose JSON would be invalid is repaired', () => {
    expect(normalized(envelope({ context: { cwd: '.', params_input: undefined } })).context).toEqual({
      cwd: '.',
      params_input: { path: 'src' },
    });
  });

  test('that JSON cannot hold is written in words', () => {
    const data: Record<string, unknown> = { big: 10n, call() {}, mark: Symbol('s'), not: Number.NaN, gone: undefined };
    data.self = data;
    data.list = [data, undefined];
    data.failed = new Error('inner');
    const shared = { a: 1 };
    data.twice = [shared, shared];
    data.when = new Date(0);
    expect(normalized(envelope({ data })).data).toEqual({
      big: '10',
      call: '[function]',
      mark: 'Symbol(s)',
      not: 'NaN',
      self: '[circular]',
      list: ['[circular]', null],
      failed: 'inner',
      twice: [{ a: 1 }, { a: 1 }],
      when: '1970-01-01T00:00:00.000Z',
    });
  });

  test('with something nested too deep keeps the rest', () => {
    let deep: unknown = 1n;
    for (let level = 0; level < 20_000; level++) deep = [deep];
    const response = normalized(envelope({ data: { deep, kept: 1 } }));
    expect(response.data.kept).toBe(1);
    expect(JSON.stringify(response.data.deep)).toContain('[too deep]');
  });
});

describe('no object', () => {
  test.each<[string, unknown, string]>([
    ['plain text', 'All good, 3 files.', 'All good, 3 files.'],
    ['text with spaces around it', '  x \n', '  x \n'],
    ['broken JSON', '{"status": "succ', '{"status": "succ'],
    ['JSON of a list', '[1, 2]', '[1, 2]'],
    ['JSON of a text', '"hi"', '"hi"'],
    ['null', null, "The tool 'Probe' returned nothing."],
    ['undefined', undefined, "The tool 'Probe' returned nothing."],
    ['JSON of null', ' null\n', "The tool 'Probe' returned nothing."],
    ['an empty text', ' \n', "The tool 'Probe' returned nothing."],
    ['a number', 42, '42'],
    ['not a number', Number.NaN, 'NaN'],
    ['a boolean', false, 'false'],
    ['a BigInt', 7n, '7'],
    ['a symbol', Symbol('s'), 'Symbol(s)'],
    ['a function', () => 1, '[function]'],
    ['a list', [1, 'a'], '[1,"a"]'],
    ['a list of one text that is JSON', ['{"a":1}'], '["{\\"a\\":1}"]'],
    ['a date', new Date(0), '1970-01-01T00:00:00.000Z'],
    ['an Error', new Error('disk full'), 'disk full'],
    ['an Error without a message', new RangeError(), 'RangeError'],
    [
      'an Error without even a name',
      Object.assign(new Error(), { name: '' }),
      "The tool 'Probe' failed without a message.",
    ],
    [
      'an Error with a cause',
      new Error('fetch failed', { cause: new Error('refused') }),
      'fetch failed\nCaused by: refused',
    ],
    ['an Error with a cause in words', new Error('a', { cause: 'b' }), 'a\nCaused by: b'],
    ['several Errors', new AggregateError([new Error('a'), new Error('b')], 'all'), 'all\nCaused by: a\nCaused by: b'],
  ])('%s becomes the message of an INTERNAL_ERROR', (_case, raw, message) => {
    expect(normalized(raw)).toEqual(internalError(message));
  });

  test('an Error that is its own cause is named once', () => {
    const error = new Error('round');
    error.cause = error;
    expect(normalized(error)).toEqual(internalError('round'));
  });

  test('an Error whose message cannot be read is still an error', () => {
    const error = Object.defineProperty(new Error(), 'message', {
      get() {
        throw error;
      },
    });
    expect(normalized(error)).toEqual(internalError('an error that cannot be read'));
  });
});

describe('an error in another shape', () => {
  const errorOf = (raw: unknown) => {
    const { error, text, status } = normalized(raw);
    expect(status).toBe('error');
    expect(text).toContain(error?.message);
    expect(text.split('\n').length).toBeGreaterThan(1);
    return [error?.code, error?.message];
  };

  test.each<[string, unknown, string, string]>([
    ['the legacy string', { error: 'Error: no such file' }, 'INTERNAL_ERROR', 'Error: no such file'],
    ['the legacy string as JSON', '{"error": "Error: …"}', 'INTERNAL_ERROR', 'Error: …'],
    [
      'the legacy string in an envelope',
      envelope({ status: 'error', error: 'Error: x' }),
      'INTERNAL_ERROR',
      'Error: x',
    ],
    ['an Error object', { error: new Error('boom') }, 'INTERNAL_ERROR', 'boom'],
    ['a code of the protocol', { error: { code: 'NOT_FOUND', message: 'gone' } }, 'NOT_FOUND', 'gone'],
    ['an unknown code', { error: { code: 'ENOENT', message: 'gone' } }, 'INTERNAL_ERROR', 'ENOENT: gone'],
    ['a code that is a number', { error: { code: -2, message: 'gone' } }, 'INTERNAL_ERROR', '-2: gone'],
    ['no code', { error: { message: 'gone' } }, 'INTERNAL_ERROR', 'gone'],
    ['a code of null', { error: { code: null, message: 'gone' } }, 'INTERNAL_ERROR', 'gone'],
    ['no message', { error: { reason: 'r' } }, 'INTERNAL_ERROR', '{"reason":"r"}'],
    ['a list', { error: ['a', 'b'] }, 'INTERNAL_ERROR', '["a","b"]'],
    ['a number', { error: 5 }, 'INTERNAL_ERROR', '5'],
    ['true, and a message beside it', { error: true, message: 'why' }, 'INTERNAL_ERROR', 'why'],
    ['a status alone, and a text', { status: 'error', text: 'why' }, 'INTERNAL_ERROR', 'why'],
    ['a status alone, and an error in data', { status: 'error', data: { error: 'why' } }, 'INTERNAL_ERROR', 'why'],
    ['a status alone', { status: 'error' }, 'INTERNAL_ERROR', "The tool 'Probe' reported an error without a message."],
    [
      'an empty message',
      { error: { code: 'TIMEOUT', message: '' } },
      'TIMEOUT',
      "The tool 'Probe' reported an error without a message.",
    ],
    ['a success with an error', envelope({ error: { code: 'TIMEOUT', message: 'late' } }), 'TIMEOUT', 'late'],
  ])('%s', (_case, raw, code, message) => {
    expect(errorOf(raw)).toEqual([code, message]);
  });

  const parts = [
    { type: 'text', text: 'no' },
    { type: 'text', text: 'file' },
  ];

  test.each<[string, object, string]>([
    ['of MCP', { isError: true, content: parts }, 'no\nfile'],
    ['of MCP, with a text', { isError: true, content: 'no file' }, 'no file'],
    ['of an API', { is_error: true, content: parts }, 'no\nfile'],
    ['of codex', { success: false, content: 'failed to read directory' }, 'failed to read directory'],
    ['of mycode', { success: false, path: '/x', entries: [], error: 'Not a directory' }, 'Not a directory'],
    ['with a message', { success: false, message: 'no' }, 'no'],
    ['of fetch', { ok: false, status: 404, statusText: 'Not Found' }, 'Not Found'],
    ['with nothing more', { ok: false }, "The tool 'Probe' reported an error without a message."],
    [
      'with blank parts',
      { isError: true, content: [{ text: ' ' }] },
      "The tool 'Probe' reported an error without a message.",
    ],
    ['of gemini', { llmContent: 'Error: x', returnDisplay: 'x', error: { message: 'gone', type: 't' } }, 'gone'],
    ['that says success elsewhere', { status: 'success', isError: true, content: 'no' }, 'no'],
    ['whose message is an object', { ok: false, error: { message: 'deep' } }, 'deep'],
  ])('a failure %s never becomes a success: %j', (_whose, raw, message) => {
    for (const form of [raw, JSON.stringify(raw)]) {
      const response = normalized(form);
      expect([response.status, response.error?.message]).toEqual(['error', message]);
      const { error: _, status: __, content, entries, ...rest } = raw as Record<string, unknown>;
      expect(response.data).toMatchObject(rest);
      expect([response.data.content ?? response.data.raw_content, response.data.entries]).toEqual([content, entries]);
    }
  });

  test.each([{ isError: false, ok: true, success: true, is_error: false }, { isError: 1 }, { success: 0 }])(
    '%j is no failure',
    (raw) => {
      expect(normalized(raw)).toMatchObject({ status: 'success', data: raw });
    },
  );

  test('the code of an Error is kept, wherever it stands', () => {
    const missing = Object.assign(new Error('gone'), { code: 'ENOENT' });
    for (const raw of [missing, { error: missing }, { status: 'error', error: missing }]) {
      expect(normalized(raw).error).toEqual({ code: 'NOT_FOUND', message: 'gone' });
    }
  });

  test('keeps what else the error holds', () => {
    expect(normalized({ error: { code: 'EX', message: 'm', hint: 'h' } }).error).toEqual({
      code: 'INTERNAL_ERROR',
      message: 'EX: m',
      hint: 'h',
    });
  });

  test.each<[string, string, string]>([
    ['a text of its own', 'Something else.', 'gone\nSomething else.'],
    ['a text that holds the message', 'Sorry: gone!', 'Sorry: gone!'],
    ['a text that the message holds', 'one', 'gone'],
    ['no text', '', 'gone'],
  ])('%s is said beside the message, nothing twice', (_case, text, said) => {
    expect(normalized({ text, error: { code: 'NOT_FOUND', message: 'gone' } }).text).toBe(errorText('NOT_FOUND', said));
  });

  test.each([false, '', 0])('an error of %j is none', (error) => {
    expect(normalized({ error, rows: 1 })).toMatchObject({ status: 'success', data: { error, rows: 1 } });
  });
});

describe('bare data', () => {
  test('becomes a success with that object as data', () => {
    expect(normalized({ rows: [1], file: 'a', text: 'a match' })).toEqual({
      status: 'success',
      data: { rows: [1], file: 'a', text: 'a match' },
      text: 'Probe answered without a summary; its result is in data.',
      stats: { time_ms: 0 },
      context: { cwd: 'src', params_input: { path: 'src' } },
    });
  });

  test.each<[object, string]>([
    [
      { truncated: true },
      '(Results truncated. Narrow the path or pattern, raise the limit, or ask for the next page.)',
    ],
    [
      { paths: ['a', 'b'], truncated: true },
      '(Results truncated to the first 2 items. Narrow the path or pattern, raise the limit, or ask for the next page.)',
    ],
    [
      { fallback: 'python' },
      '(The preferred method was not available, used the fallback python instead. Check the result where it has to be complete.)',
    ],
    [{ applied: false }, '(Dry run only: nothing was written. Call again without the dry run to make the change.)'],
    [{ failed_items: ['a'] }, '(1 item failed, see data.failed_items. Try them again, or go on without them.)'],
  ])('becomes a partial with the right advice when it says %j', (raw, advice) => {
    const { status, data, text } = normalized(raw);
    expect([status, data]).toEqual(['partial', raw]);
    expect(text.split('\n').at(-1)).toBe(advice);
    expect(validateResponse(normalized(raw)).warnings).toBeUndefined();
  });

  test('that holds the parts of a message has them as its text', () => {
    const content = [{ type: 'text', text: 'one' }, { type: 'image' }, { type: 'text', text: 'two' }];
    expect(normalized({ content })).toMatchObject({
      status: 'success',
      text: 'one\ntwo',
      data: { raw_content: content },
    });
    expect(normalized({ llmContent: [{ text: 'hi' }], returnDisplay: 'x' }).text).toBe('hi');
    expect(normalized({ content: 'a file' }).text).toBe('Probe answered without a summary; its result is in data.');
  });

  test('with a status that is none of the three is not passed off as a success', () => {
    expect(normalized({ status: 'failed', detail: 'x' })).toMatchObject({
      status: 'partial',
      data: { status: 'failed', detail: 'x' },
      text: expect.stringContaining(UNKNOWN('failed')),
    });
  });

  test('that is out of the protocol keeps its values under another name', () => {
    const raw = {
      content: 5,
      raw_content: 6,
      entries: [{ path: '/abs', type: 'file' }, 1],
      truncated: 'x',
      paths: ['a'],
    };
    expect(normalized(raw)).toMatchObject({
      status: 'success',
      data: { raw_content: 6, raw_content_2: 5, raw_entries: raw.entries, raw_truncated: 'x', paths: ['a'] },
    });
  });

  test('with a key __proto__ keeps it as data', () => {
    const { data } = normalized('{"__proto__": {"x": 1}}');
    expect(Object.entries(data)).toEqual([['__proto__', { x: 1 }]]);
  });

  test('that throws when it is read says where', () => {
    const raw = {
      ok: 1,
      get bad(): unknown {
        throw new Error('ouch');
      },
      get worse(): unknown {
        throw 1;
      },
    };
    expect(normalized(raw).data).toEqual({ ok: 1, bad: '[unreadable: ouch]', worse: '[unreadable: it throws]' });
  });

  test('that cannot be read at all is an error which says so', () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    expect(normalized(proxy).error?.message).toMatch(/^\[unreadable: .*revoked/);
  });
});

describe('an envelope that is almost valid', () => {
  test('has its unknown keys moved into data, never overwriting', () => {
    const raw = { ...envelope({ data: { count: 1, count_2: 2 } }), count: 3, meta: null };
    expect(normalized(raw)).toEqual(envelope({ data: { count: 1, count_2: 2, count_3: 3, meta: null } }));
  });

  test('has very many unknown keys moved in a moment', () => {
    const many = Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`key_${at}`, at]));
    expect(normalized({ error: 'no', ...many }).data).toEqual(many);
  });

  test('has parts of the wrong type moved into data, and null parts filled in', () => {
    expect(normalized({ status: 'success', data: [1], text: 5, stats: 'fast', context: null, error: false })).toEqual({
      status: 'success',
      data: { data: [1], text: 5, stats: 'fast', error: false },
      text: 'Probe answered without a summary; its result is in data.',
      stats: { time_ms: 0 },
      context: { cwd: 'src', params_input: { path: 'src' } },
    });
  });

  test('without a status is a success, with its data in place', () => {
    expect(normalized({ data: { a: 1 }, text: 'x' })).toMatchObject({ status: 'success', data: { a: 1 }, text: 'x' });
  });

  test('with an unknown status is a partial that keeps it', () => {
    expect(normalized(envelope({ status: 'OK', data: { a: 1 } }))).toMatchObject({
      status: 'partial',
      data: { a: 1, status: 'OK' },
      text: `done\n${UNKNOWN('OK')}`,
    });
  });

  test('that is truncated but says success is a partial', () => {
    expect(normalized(envelope({ data: { truncated: true } }))).toEqual(
      envelope({
        status: 'partial',
        data: { truncated: true },
        text: 'done\n(Results truncated. Narrow the path or pattern, raise the limit, or ask for the next page.)',
      }),
    );
  });

  test('that is cut short in several ways names each', () => {
    const data = { truncated: true, fallback: 'grep', failed_items: [1, 2] };
    expect(normalized(envelope({ data })).text.split('\n')).toEqual([
      'done',
      expect.stringMatching(/^\(Results truncated\. /),
      expect.stringMatching(/used the fallback grep instead/),
      expect.stringMatching(/^\(2 items failed, /),
    ]);
  });

  test.each([
    [null, 'success', 'done'],
    ['half', 'partial', `done\n${UNKNOWN('half')}`],
    ['partial', 'partial', 'done'],
  ])('whose status is %j is a %s', (given, status, text) => {
    expect(normalized({ data: { a: 1 }, text: 'done', status: given })).toMatchObject({ status, text });
  });

  test('is told from bare data by what stands beside its data', () => {
    expect(normalized({ data: { a: 1 }, file: 'x' }).data).toEqual({ data: { a: 1 }, file: 'x' });
    expect(normalized({ data: { a: 1 }, text: 't' }).data).toEqual({ a: 1 });
    expect(normalized({ text: 't' }).data).toEqual({ text: 't' });
  });

  test('has what is wrong in its data set aside, and what bears the same name in its context left alone', () => {
    const raw = envelope({ data: { entries: 7, cwd: 1 }, context: { cwd: '/x', params_input: 1, entries: 2 } });
    const { data, context } = normalized(raw);
    expect(data).toEqual({ raw_entries: 7, cwd: 1 });
    expect(context).toEqual({ cwd: 'src', raw_cwd: '/x', params_input: 1, entries: 2 });
  });

  test('that says partial keeps its text', () => {
    const raw = envelope({ status: 'partial', data: { truncated: true } });
    expect(normalized({ ...raw, extra: 1 }).text).toBe('done');
  });

  test('has stats in words where they are neither number nor text, and a time', () => {
    const stats = { time_ms: -5, flag: true, list: [1], engine: 'rg', share: 0.5, none: null };
    expect(normalized(envelope({ stats })).stats).toEqual({
      time_ms: 0,
      flag: 'true',
      list: '[1]',
      engine: 'rg',
      share: 0.5,
      none: '',
    });
  });

  test('keeps a time that makes sense', () => {
    expect(normalized({ ...envelope(), extra: 1 }).stats).toEqual({ time_ms: 3 });
    expect(normalized(envelope({ stats: { time_ms: '3', engine: 'rg' } })).stats).toEqual({ time_ms: 0, engine: 'rg' });
  });

  test('has what is wrong in its context set aside and completed', () => {
    const context = { cwd: '/abs', path_resolved: 'C:\\x', truncation_skip: 'no', mine: 1 };
    expect(normalized(envelope({ context })).context).toEqual({
      cwd: 'src',
      params_input: { path: 'src' },
      raw_cwd: '/abs',
      raw_path_resolved: 'C:\\x',
      raw_truncation_skip: 'no',
      mine: 1,
    });
  });

  test('that is an error and truncated by nobody loses the claim, not the data', () => {
    const raw = envelope({ status: 'error', error: { code: 'TIMEOUT', message: 'm' }, data: { truncated: true } });
    expect(normalized(raw)).toMatchObject({ status: 'error', data: { raw_truncated: true } });
  });

  test('with a truncation out of shape has it set aside, and then what leaned on it', () => {
    const data = { truncated: true, truncation: {}, preview: 'p' };
    const raw = envelope({ status: 'error', error: { code: 'TIMEOUT', message: 'm' }, data });
    expect(normalized(raw).data).toEqual({ raw_truncated: true, raw_truncation: {}, preview: 'p' });
  });
});

describe('what is known about the call', () => {
  test.each([undefined, '/abs', 'C:\\x', ''])('a cwd of %j is the root', (cwd) => {
    expect(normalizeResponse(null, { tool: 'T', ...(cwd !== undefined && { cwd }) }).context.cwd).toBe('.');
  });

  test.each<[unknown, unknown]>([
    [undefined, null],
    [null, null],
    ['{bad', '{bad'],
    [1n, '1'],
    [{ a: 1n }, { a: '1' }],
  ])('params of %s are kept as far as JSON can', (params, expected) => {
    expect(normalizeResponse(null, { tool: 'T', params }).context.params_input).toEqual(expected);
  });

  test('params that JSON can hold are the very same object', () => {
    expect(normalizeResponse(null, about).context.params_input).toBe(about.params);
  });
});

describe('for anything at all', () => {
  const anything = fc.anything({
    withBigInt: true,
    withBoxedValues: true,
    withDate: true,
    withMap: true,
    withNullPrototype: true,
    withObjectString: true,
    withSet: true,
    withSparseArray: true,
    withTypedArray: true,
  });
  const known = fc.record(
    {
      status: fc.oneof(fc.constantFrom('success', 'partial', 'error', 'ok'), anything),
      data: fc.oneof(
        anything,
        fc.record(
          {
            entries: anything,
            paths: fc.oneof(fc.array(fc.string()), anything),
            truncated: fc.oneof(fc.boolean(), anything),
            truncation: anything,
            applied: fc.oneof(fc.boolean(), anything),
            fallback: anything,
            failed_items: fc.oneof(fc.array(anything), anything),
          },
          { requiredKeys: [] },
        ),
      ),
      text: fc.oneof(fc.string(), anything),
      error: anything,
      stats: fc.oneof(fc.dictionary(fc.string(), anything), anything),
      context: fc.oneof(fc.record({ cwd: anything, params_input: anything, path_resolved: anything }), anything),
      more: anything,
    },
    { requiredKeys: [] },
  );

  test('the answer is valid, also as JSON', () => {
    fc.assert(
      fc.property(fc.oneof(anything, known, fc.json(), fc.string()), anything, (raw, params) => {
        const response = normalizeResponse(raw, { tool: 'T', params });
        expect(validateResponse(response).violations).toEqual([]);
        expect(validateResponse(JSON.parse(JSON.stringify(response))).violations).toEqual([]);
      }),
      { numRuns: rounds(1000) },
    );
  });

  test('normalising twice changes nothing more', () => {
    fc.assert(
      fc.property(known, (raw) => {
        const once = normalizeResponse(raw, about);
        expect(normalizeResponse(once, about)).toBe(once);
      }),
    );
  });

  const message = fc.string({ unit: 'binary' }).filter((text) => text.trim() !== '' && text.trim() !== 'null');

  test('a message is never lost, whichever way it came', () => {
    fc.assert(
      fc.property(message, (said) => {
        const forms = [
          said,
          new Error(said),
          { error: said },
          { error: { message: said } },
          JSON.stringify({ error: said }),
        ];
        // A text that happens to be the JSON of an object is read as that object.
        fc.pre(!said.trim().startsWith('{'));
        for (const raw of forms) {
          const { status, error, text } = normalizeResponse(raw, about);
          expect([status, error]).toEqual(['error', { code: 'INTERNAL_ERROR', message: said }]);
          expect(text).toBe(errorText('INTERNAL_ERROR', said));
        }
        expect(normalizeResponse({ error: { code: 'E', message: said } }, about).error?.message).toBe(`E: ${said}`);
      }),
    );
  });

  test('an unknown key is never lost and overwrites nothing', () => {
    const reserved = ['status', 'data', 'text', 'error', 'stats', 'context'];
    const key = fc.string().filter((name) => !reserved.includes(name));
    fc.assert(
      fc.property(fc.dictionary(key, fc.integer()), fc.dictionary(key, fc.integer()), (extra, data) => {
        const response = normalizeResponse({ status: 'success', data, text: 't', ...extra }, about);
        const values = (fields: object) => Object.values(fields).sort();
        expect(values(response.data)).toEqual([...Object.values(extra), ...Object.values(data)].sort());
      }),
    );
  });
});
