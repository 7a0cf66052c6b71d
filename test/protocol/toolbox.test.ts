import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ERROR_CODES, errorText, type ToolResponse } from '../../src/protocol/envelope.ts';
import type { ToolboxOptions, Tools } from '../../src/protocol/toolbox.ts';
import * as toolbox from '../../src/protocol/toolbox.ts';
import { validateResponse } from '../../src/protocol/validate.ts';
import { envelope, temporaryRoot } from './fixtures.ts';

const createEmptyToolbox = (options: ToolboxOptions) =>
  toolbox.createEmptyToolbox(options, async (text) => text.length);

let root = '';
beforeEach(async () => {
  root = await temporaryRoot();
});
afterEach(() => vi.unstubAllEnvs());

async function run(
  tools: Tools,
  name: string,
  params?: unknown,
  options: Partial<ToolboxOptions> & { signal?: AbortSignal } = {},
) {
  const { signal, ...over } = options;
  const answer = await createEmptyToolbox({ root, tools, ...over }).run(name, params, { signal });
  expect(validateResponse(answer).violations).toEqual([]);
  return answer as ToolResponse;
}

describe('the tools', () => {
  const call = vi.fn(() => envelope());

  test.each<[string, Tools]>([
    ['a list', [{ name: 'LS', execute: call }]],
    ['an object of functions', { LS: call }],
    ['an object of tools', { LS: { execute: call } }],
  ])('can be %s', async (_form, tools) => {
    const box = createEmptyToolbox({ root, tools, cwd: 'src' });
    expect(box.names).toEqual(['LS']);
    expect(await box.run('LS', { path: '.' })).toEqual(envelope());
    expect(call).toHaveBeenLastCalledWith({ path: '.' }, { signal: expect.any(AbortSignal), root, cwd: 'src' });
  });

  test('work in the root, unless something else is said', async () => {
    await createEmptyToolbox({ root, tools: { LS: call } }).run('LS');
    expect(call).toHaveBeenLastCalledWith({}, { signal: expect.any(AbortSignal), root, cwd: '.' });
    await createEmptyToolbox({ root, tools: { LS: call }, cwd: 'a/../b/' }).run('LS');
    expect(call).toHaveBeenLastCalledWith({}, { signal: expect.any(AbortSignal), root, cwd: 'b' });
  });

  test('keep their this', async () => {
    const tool = {
      name: 'Counter',
      count: 4,
      execute() {
        return { count: ++this.count };
      },
    };
    expect((await run([tool], 'Counter')).data).toEqual({ count: 5 });
  });
});

describe('parameters', () => {
  const echo = { Echo: (input: { a?: number }) => ({ input }) };

  test.each<[string, unknown, object]>([
    ['an object', { a: 1 }, { a: 1 }],
    ['the JSON of an object', '{"a": 1}', { a: 1 }],
    ['null', null, {}],
    ['nothing', undefined, {}],
    ['the JSON of null', 'null', {}],
    ['an empty text', '', {}],
    ['spaces and a line break', ' \n', {}],
    ['the JSON of an object, with spaces around it', ' {"a": 1}\n', { a: 1 }],
  ])('can be %s', async (_form, params, input) => {
    const { status, data, context } = await run(echo, 'Echo', params);
    expect([status, data.input, context.params_input]).toEqual(['success', input, input]);
  });

  test.each([{ a: 1, deep: ['x'] }, '{"a": 1, "deep": ["x"]}'])(
    'are told as they were passed, whatever the tool does to them: %j',
    async (params) => {
      const tools = {
        Change: (input: { a?: number; b?: number; deep?: string[] }) => {
          input.b = 2;
          input.deep?.pop();
          delete input.a;
          return {};
        },
        Fail: (input: { a?: number }) => {
          input.a = 7;
          throw new Error('too late');
        },
      };
      for (const name of ['Change', 'Fail']) {
        const { context } = await run(tools, name, typeof params === 'string' ? params : structuredClone(params));
        expect(context.params_input).toEqual({ a: 1, deep: ['x'] });
      }
    },
  );

  test.each<[string, unknown, string | RegExp]>([
    ['broken JSON', '{"a": ', /^Parameters are not valid JSON: .+/],
    ['the JSON of a list', '[1]', 'Parameters must be an object, not [1].'],
    ['a number', 5, 'Parameters must be an object, not 5.'],
    ['a list', ['a'], 'Parameters must be an object, not ["a"].'],
  ])('cannot be %s', async (_form, params, message) => {
    const { error, data, context } = await run(echo, 'Echo', params);
    expect(error).toEqual({
      code: 'INVALID_PARAM',
      message: expect.stringMatching(message instanceof RegExp ? message : /./),
    });
    if (typeof message === 'string') expect(error?.message).toBe(message);
    expect([data, context.params_input]).toEqual([{}, params]);
  });
});

describe('an unknown tool', () => {
  test.each<[unknown, Tools, string]>([
    ['Lss', { LS: () => 1, Tree: () => 1 }, "There is no tool 'Lss'. Did you mean 'LS'? The tools are: LS, Tree."],
    ['Write', { LS: () => 1, Tree: () => 1 }, "There is no tool 'Write'. The tools are: LS, Tree."],
    ['__proto__', { LS: () => 1 }, "There is no tool '__proto__'. The tools are: LS."],
    ['LS', [], "There is no tool 'LS'. There are no tools."],
    [undefined, { LS: () => 1 }, "There is no tool ''. The tools are: LS."],
  ])('%s is an INVALID_PARAM that names the near and the known', async (name, tools, message) => {
    expect(await run(tools, name as string, { a: 1 })).toEqual({
      status: 'error',
      data: {},
      text: errorText('INVALID_PARAM', message),
      error: { code: 'INVALID_PARAM', message },
      stats: { time_ms: expect.any(Number) },
      context: { cwd: '.', params_input: { a: 1 } },
    });
  });
});

describe('a tool that fails', () => {
  test.each<[string, () => unknown, string]>([
    [
      'throws',
      () => {
        throw new Error('boom');
      },
      'boom',
    ],
    ['rejects', () => Promise.reject(new Error('later')), 'later'],
    [
      'throws a text',
      () => {
        throw 'words';
      },
      'words',
    ],
    [
      'throws an object',
      () => {
        throw { message: 'inside', code: 'EX' };
      },
      'inside',
    ],
    [
      'throws an object without a message',
      () => {
        throw { a: 1 };
      },
      '{"a":1}',
    ],
    [
      'throws nothing',
      () => {
        throw undefined;
      },
      "The tool 'Bad' failed without a message.",
    ],
    ['returns nothing', () => undefined, "The tool 'Bad' returned nothing."],
    ['returns the JSON of null', () => ' null', "The tool 'Bad' returned nothing."],
    ['returns an answer that was cut', () => '{"status": "err', '{"status": "err'],
    ['returns the legacy error', () => '{"error": "Error: old"}', 'Error: old'],
  ])('because it %s is an INTERNAL_ERROR, never a rejection', async (_case, execute, message) => {
    expect((await run({ Bad: execute }, 'Bad')).error).toEqual({ code: 'INTERNAL_ERROR', message });
  });
});

describe('the code of what a tool throws', () => {
  const thrown = (fields: object) => Object.assign(new Error('m'), fields);

  test.each<[unknown, string]>([
    ...ERROR_CODES.map((code): [unknown, string] => [thrown({ code }), code]),
    [{ code: 'CONFLICT', message: 'm' }, 'CONFLICT'],
    [thrown({ code: 'ENOENT' }), 'NOT_FOUND'],
    [thrown({ code: 'EACCES' }), 'PERMISSION_DENIED'],
    [thrown({ code: 'EPERM' }), 'PERMISSION_DENIED'],
    [thrown({ code: 'ERR_ACCESS_DENIED' }), 'PERMISSION_DENIED'],
    [thrown({ code: 'ETIMEDOUT' }), 'TIMEOUT'],
    [thrown({ name: 'AbortError' }), 'TIMEOUT'],
    [new DOMException('m', 'TimeoutError'), 'TIMEOUT'],
    [thrown({ code: 'EISDIR' }), 'INTERNAL_ERROR'],
    [thrown({ code: 404 }), 'INTERNAL_ERROR'],
    [thrown({ code: 'toString' }), 'INTERNAL_ERROR'],
  ])('of %o is %s', async (error, code) => {
    const fails = () => Promise.reject(error);
    expect((await run({ Bad: fails }, 'Bad')).error).toEqual({ code, message: 'm' });
  });

  test('is INTERNAL_ERROR where it cannot be read', async () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    expect((await run({ Bad: () => Promise.reject(proxy) }, 'Bad')).error?.code).toBe('INTERNAL_ERROR');
  });

  test('is kept where the system says it', async () => {
    const tools = { Read: () => readdir(join(root, 'missing')) };
    const { error } = await run(tools, 'Read');
    expect(error?.code).toBe('NOT_FOUND');
    expect(error?.message).toContain('no such file or directory');
  });
});

describe('a tool that returns a plain text', () => {
  test.each([
    ['hello\nworld', 'hello\nworld'],
    ['{ not JSON', '{ not JSON'],
    ['[1, 2]', '[1, 2]'],
    ['Error: is only a word here', 'Error: is only a word here'],
    ['', 'Say answered with an empty text.'],
    [' \n', 'Say answered with an empty text.'],
  ])('%j has answered with it', async (said, text) => {
    expect(await run({ Say: () => said }, 'Say', { a: 1 })).toEqual({
      status: 'success',
      data: {},
      text,
      stats: { time_ms: expect.any(Number) },
      context: { cwd: '.', params_input: { a: 1 } },
    });
  });
});

describe('a time limit', () => {
  const never = (_input: object, { signal }: { signal: AbortSignal }) =>
    new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
  const deaf = () => new Promise(() => {});
  const tookLonger = (limit: number) => ({
    code: 'TIMEOUT',
    message: `The call of 'Slow' took longer than its time limit of ${limit} ms.`,
  });

  test.each<[string, Tools, number | undefined, number | undefined, number]>([
    ['of the toolbox', { Slow: never }, 20, undefined, 20],
    ['of the tool', { Slow: { execute: never, timeLimit: 10 } }, 1e6, undefined, 10],
    ['of the call', { Slow: { execute: never, timeLimit: 1e6 } }, 1e6, 5, 5],
    ['that the tool does not heed', { Slow: deaf }, undefined, 5, 5],
  ])('%s is a TIMEOUT', async (_whose, tools, box, call, limit) => {
    vi.useFakeTimers();
    const options = box === undefined ? {} : { timeLimit: box };
    const answer = createEmptyToolbox({ root, tools, ...options }).run('Slow', {}, { timeLimit: call });
    // "Overrun by 100 ms at most."
    await vi.advanceTimersByTimeAsync(limit + 100);
    vi.useRealTimers();
    expect((await answer).error).toEqual(tookLonger(limit));
  });

  test('leaves a tool the moment to answer with what it has', async () => {
    const gathered = envelope({ status: 'partial', data: { paths: ['a'], truncated: true } });
    const careful = (_input: object, { signal }: { signal: AbortSignal }) =>
      new Promise((resolve) => signal.addEventListener('abort', () => resolve(gathered)));
    expect(await run({ Slow: careful }, 'Slow', {}, { timeLimit: 1 })).toBe(gathered);
  });

  test('is told to the tool, and does not disturb one that is quick', async () => {
    const quick = vi.fn(() => envelope());
    expect(await run({ Quick: quick }, 'Quick', {}, { timeLimit: Number.POSITIVE_INFINITY })).toEqual(envelope());
    expect(await run({ Quick: quick }, 'Quick', {}, { timeLimit: 1e12 })).toEqual(envelope());
    expect(quick).toHaveBeenLastCalledWith({}, expect.objectContaining({ timeLimit: 1e12 }));
  });

  test.each([-1, Number.NaN, '5'])('cannot be %j', async (wrong) => {
    const timeLimit = wrong as number;
    const message = 'must be a number of milliseconds, 0 or more.';
    expect(() => createEmptyToolbox({ root, tools: {}, timeLimit })).toThrow(`timeLimit ${message}`);
    expect(() => createEmptyToolbox({ root, tools: { A: { execute: () => 1, timeLimit } } })).toThrow(
      `timeLimit of the tool 'A' ${message}`,
    );
    await expect(createEmptyToolbox({ root, tools: {} }).run('A', {}, { timeLimit })).rejects.toThrow(message);
  });
});

describe('onCall', () => {
  test('sees each call with its answer, its time and its tokens', async () => {
    const seen: unknown[] = [];
    const tools = { Say: () => 'hello', Big: () => 'x\n'.repeat(99) };
    const box = createEmptyToolbox({ root, tools, truncate: { maxLines: 20 }, onCall: (call) => seen.push(call) });
    const answers = [await box.run('Say', '{"a": 1}'), await box.run('Big'), await box.run('None', 5)];
    expect(seen).toEqual([
      { tool: 'Say', params: '{"a": 1}', answer: answers[0], timeMs: expect.any(Number), tokens: 5 },
      {
        tool: 'Big',
        params: undefined,
        answer: answers[1],
        timeMs: expect.any(Number),
        tokens: answers[1]?.text.length,
      },
      { tool: 'None', params: 5, answer: answers[2], timeMs: expect.any(Number), tokens: answers[2]?.text.length },
    ]);
    expect(answers.map(({ status }) => status)).toEqual(['success', 'partial', 'error']);
  });

  test('reaches the caller, and not the model, when it throws', async () => {
    const fails = () => Promise.reject(new Error('the log is full'));
    const box = createEmptyToolbox({ root, tools: { Say: () => 'hello' }, onCall: fails });
    await expect(box.run('Say')).rejects.toThrow('the log is full');
  });
});

test('declarations are what an API takes', () => {
  const parameters = { type: 'object', properties: { city: { type: 'string' } } };
  const tools = {
    Weather: { title: 'Weather', description: 'Tells the weather.', parameters, execute: () => 1, timeLimit: 5 },
    Now: () => 'noon',
  };
  expect(createEmptyToolbox({ root, tools }).declarations).toEqual([
    { name: 'Weather', title: 'Weather', description: 'Tells the weather.', parameters },
    { name: 'Now', description: '', parameters: { type: 'object' } },
  ]);
});

describe('cancelling', () => {
  const cancelled = (when: string) => ({
    code: 'TIMEOUT',
    message: `The call of 'Slow' was cancelled ${when}: enough`,
  });

  test('before the start: the tool is not run', async () => {
    const execute = vi.fn();
    const { error } = await run({ Slow: execute }, 'Slow', {}, { signal: AbortSignal.abort(new Error('enough')) });
    expect(error).toEqual(cancelled('before it started'));
    expect(execute).not.toHaveBeenCalled();
  });

  test('while it runs: the answer comes although the tool ignores the signal', async () => {
    const controller = new AbortController();
    const never = () => {
      queueMicrotask(() => controller.abort(new Error('enough')));
      return new Promise(() => {});
    };
    const { error } = await run({ Slow: never }, 'Slow', {}, { signal: controller.signal });
    expect(error).toEqual(cancelled('while it ran'));
  });

  test('a tool that rejects when it is aborted is a TIMEOUT too', async () => {
    const controller = new AbortController();
    const obedient = (_input: object, { signal }: { signal: AbortSignal }) => {
      queueMicrotask(() => controller.abort(new Error('enough')));
      return new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('stopped'))));
    };
    const { error } = await run({ Slow: obedient }, 'Slow', {}, { signal: controller.signal });
    expect(error).toEqual(cancelled('while it ran'));
  });

  test('a tool that answers an abort with what it has is heard', async () => {
    const controller = new AbortController();
    const gathered = envelope({ status: 'partial', data: { paths: ['a'], truncated: true } });
    const careful = (_input: object, { signal }: { signal: AbortSignal }) => {
      queueMicrotask(() => controller.abort());
      return new Promise((resolve) => signal.addEventListener('abort', () => resolve(gathered)));
    };
    expect(await run({ Slow: careful }, 'Slow', {}, { signal: controller.signal })).toBe(gathered);
  });

  test('a tool that fails after it was given up harms nobody', async () => {
    const unhandled = vi.fn();
    process.on('unhandledRejection', unhandled);
    const controller = new AbortController();
    let fail: (error: Error) => void = () => {};
    const late = () => {
      queueMicrotask(() => controller.abort());
      return new Promise((_, reject) => {
        fail = reject;
      });
    };
    expect((await run({ Slow: late }, 'Slow', {}, { signal: controller.signal })).status).toBe('error');
    fail(new Error('too late'));
    await new Promise((resolve) => setImmediate(resolve));
    process.off('unhandledRejection', unhandled);
    expect(unhandled).not.toHaveBeenCalled();
  });

  test.each<[string, () => unknown]>([
    ['the call', () => envelope()],
    ['a call that never ends', () => new Promise(() => {})],
  ])('nothing keeps listening to the signal after %s', async (_case, execute) => {
    const { signal } = new AbortController();
    const added = vi.spyOn(signal, 'addEventListener');
    const removed = vi.spyOn(signal, 'removeEventListener');
    await run({ Fast: execute }, 'Fast', {}, { signal, timeLimit: 20 });
    const listeners = (spy: typeof added | typeof removed) => spy.mock.calls.map(([type, one]) => [type, one]);
    expect(listeners(removed)).toEqual(listeners(added));
    expect(listeners(added)).toHaveLength(1);
  });
});

describe('the answer', () => {
  test('has the time that it took, in whole milliseconds and at least 1, when the tool gave none', async () => {
    vi.spyOn(performance, 'now').mockReturnValueOnce(100).mockReturnValueOnce(112.6);
    expect((await run({ T: () => ({ a: 1 }) }, 'T')).stats).toEqual({ time_ms: 13 });
    vi.spyOn(performance, 'now').mockReturnValueOnce(100).mockReturnValueOnce(100.1);
    expect((await run({ T: () => ({ a: 1 }) }, 'T')).stats).toEqual({ time_ms: 1 });
    vi.restoreAllMocks();
  });

  test('has the time that the tool gave', async () => {
    expect((await run({ T: () => envelope({ stats: { time_ms: 0 } }) }, 'T')).stats).toEqual({ time_ms: 0 });
  });

  test('knows the cwd', async () => {
    expect((await run({ T: () => ({}) }, 'T', {}, { cwd: join(root, 'a', 'b') })).context.cwd).toBe('a/b');
  });

  test('is truncated as the options say, and the full one is saved', async () => {
    const big = () => envelope({ text: 'x\n'.repeat(50) });
    const answer = await run({ Big: big }, 'Big', {}, { truncate: { maxLines: 10, directory: 'full' } });
    expect(answer).toMatchObject({ status: 'partial', data: { truncation: { max_lines: 10, kept_lines: 10 } } });
    expect(await readdir(join(root, 'full'))).toEqual([expect.stringMatching(/^tool_\d{8}_\d{6}_Big\.json$/)]);
  });

  test('is truncated by default, and not with false', async () => {
    const huge = envelope({ text: 'x\n'.repeat(3000) });
    expect((await run({ Big: () => huge }, 'Big')).data.truncated).toBe(true);
    expect(await run({ Big: () => huge }, 'Big', {}, { truncate: false })).toBe(huge);
  });
});

describe('wrong options fail at once', () => {
  const execute = () => 1;
  test.each<[string, object, string]>([
    ['no root', { root: undefined, tools: [] }, 'root must be text that is not empty and holds no NUL, not undefined.'],
    ['a cwd outside', { cwd: '../x', tools: [] }, 'cwd must be a directory inside the root, not "../x".'],
    ['an absolute cwd outside', { cwd: '/', tools: [] }, 'cwd must be a directory inside the root, not "/".'],
    ['an empty cwd', { cwd: '', tools: [] }, 'cwd must be text that is not empty and holds no NUL, not "".'],
    [
      'a limit that is misspelt',
      { tools: [], truncate: { maxLine: 5 } },
      "truncate has no option 'maxLine'. Did you mean 'maxLines'?",
    ],
    ['an onCall that is none', { tools: [], onCall: 1 }, 'onCall must be a function.'],
    ['an option that is none', { tools: [], depth: 1 }, "createToolbox has no option 'depth'."],
    ['no tools', {}, 'tools must be a list of tools or an object of them, not undefined.'],
    ['a nameless tool', { tools: [{ execute }] }, 'Every tool must have a name.'],
    ['an empty name', { tools: { ' ': execute } }, 'Every tool must have a name.'],
    ['no tool at all', { tools: [null] }, 'Every tool must have a name.'],
    [
      'two of one name',
      {
        tools: [
          { name: 'A', execute },
          { name: 'A', execute },
        ],
      },
      "Two tools have the name 'A'.",
    ],
    ['nothing to execute', { tools: { A: {} } }, "The tool 'A' must be a function or have a function 'execute'."],
    ['null to execute', { tools: { A: null } }, "The tool 'A' must be a function or have a function 'execute'."],
    [
      'a senseless limit',
      { tools: [], truncate: { maxLines: 0 } },
      'maxLines must be a whole number of at least 1, not 0.',
    ],
  ])('%s', (_case, options, message) => {
    expect(() => createEmptyToolbox({ root, ...options } as ToolboxOptions)).toThrow(
      expect.objectContaining({ name: 'UsageError', message }),
    );
  });

  test('a signal that is none', async () => {
    const box = createEmptyToolbox({ root, tools: { A: execute } });
    await expect(box.run('A', {}, { signal: {} as AbortSignal })).rejects.toThrow(
      expect.objectContaining({ name: 'UsageError', message: 'signal must be an AbortSignal.' }),
    );
  });

  test('so does a senseless environment', () => {
    vi.stubEnv('TOOL_OUTPUT_MAX_BYTES', 'lots');
    expect(() => createEmptyToolbox({ root, tools: [] })).toThrow('TOOL_OUTPUT_MAX_BYTES must be');
  });
});
