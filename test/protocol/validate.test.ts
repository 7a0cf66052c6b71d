import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ERROR_CODES, errorText } from '../../src/protocol/envelope.ts';
import { validateResponse } from '../../src/protocol/validate.ts';
import { envelope } from './fixtures.ts';

/** Each broken rule as `id @ path`. */
function broken(value: unknown): string[] {
  const { valid, violations } = validateResponse(value);
  expect(valid).toBe(violations.length === 0);
  for (const { message } of violations) expect(message).toMatch(/^[A-Zd].*\.$|^Cannot be read: /);
  return violations.map(({ rule, path }) => `${rule} @ ${path}`);
}

const failure = (over: object = {}) =>
  envelope({ status: 'error', error: { code: 'NOT_FOUND', message: 'gone' }, ...over });

const truncation = {
  direction: 'head',
  max_lines: 2000,
  max_bytes: 51200,
  original_lines: 5234,
  original_bytes: 182345,
  kept_lines: 2000,
  kept_bytes: 49872,
  full_output_path: 'tool-output/tool_20250101_000000_LS.json',
};
const LINE_0 = { file: 'a', line: 0, text: '' };
const wrapped = { truncated: true, truncation, preview: '…' };

const SECTION_5 = {
  status: 'partial',
  data: {
    entries: [
      { path: 'src/main.py', type: 'file' },
      { path: 'src/utils/', type: 'dir' },
    ],
    truncated: true,
  },
  text: "Listed 2 entries in 'src' (truncated from 500 total). Consider using 'search_code' for deeper lookup or increasing 'limit'.",
  error: null,
  stats: { time_ms: 150, total_entries: 500 },
  context: { cwd: '.', params_input: { path: 'src', limit: 2 }, path_resolved: 'src' },
};

test.each<[path: string, message: string, value: object]>([
  ['status', 'Must be one of success, partial, error.', envelope({ status: 'done' })],
  ['colour', 'No such key; a response has status, data, text, error, stats, context.', envelope({ colour: 1 })],
  ['data', 'Must be an object.', envelope({ data: 1 })],
  ['data.entries', 'Must be an array.', envelope({ data: { entries: 1 } })],
  ['data.entries[0]', 'Must be an object { path, type }.', envelope({ data: { entries: [1] } })],
  ['data.entries[0].type', 'Must be one of file, dir, link.', envelope({ data: { entries: [{ path: 'a' }] } })],
  ['data.matches[0].line', 'Must be a whole number of at least 1.', envelope({ data: { matches: [LINE_0] } })],
  ['data.content', 'Must be a string.', envelope({ data: { content: 1 } })],
  ['stats.time_ms', 'Must be a number of at least 0.', envelope({ stats: { time_ms: -1 } })],
  ['stats', 'Must be an object { time_ms }.', envelope({ stats: 1 })],
  ['context.params_input', 'Must be there.', envelope({ context: { cwd: '.' } })],
])('what would be right is said: %s', (path, message, value) => {
  expect(validateResponse(value).violations).toMatchObject([{ path, message }]);
});

test('what a kind of tool must give is said', () => {
  expect(validateResponse(envelope({ data: {} }), { kind: 'search' }).violations).toEqual([
    { rule: 'kind.matches', path: 'data.matches', message: 'A tool of this kind must give data.matches.' },
  ]);
});

test('what is advised is said, and where', () => {
  const paths = ['a\\b.ts', 'a\\bb\\c.ts', 'a b.ts', 'a\\', 'x/a\\b.ts', 'a\\b.ts/c', 'a\\b'];
  const message = 'Looks like a Windows path: names are separated by "/".';
  expect(validateResponse(envelope({ data: { paths } })).warnings).toEqual([
    { rule: 'paths.path.posix', path: 'data.paths[0]', message },
    { rule: 'paths.path.posix', path: 'data.paths[1]', message },
  ]);
  const text = 'Half of it.';
  expect(validateResponse(envelope({ status: 'partial', data: { truncated: true }, text })).warnings).toEqual([
    { rule: 'text.truncated', path: 'text', message: 'Should say what data.truncated means for the result.' },
    { rule: 'text.next', path: 'text', message: 'Should say what to do next.' },
  ]);
});

test.each(['Increasing it helps.', 'Raising it helps.', 'src/ docs/+90', '*.ts*+3', 'Asked: ask again.'])(
  'a next step is seen: %s',
  (next) => {
    const text = `A part, truncated. ${next}`;
    expect(validateResponse(envelope({ status: 'partial', data: { truncated: true }, text })).warnings).toBeUndefined();
  },
);

test.each([
  ["the example of 004's section 5", SECTION_5],
  ['a bare success', envelope()],
  ['an error with its error', failure()],
  [
    'an error on which something was only tried',
    failure({ data: { applied: false, fallback: 'x', failed_items: [1] } }),
  ],
  [
    'every known field of data',
    envelope({
      data: {
        entries: [{ path: 'a', type: 'link', size: 1 }],
        paths: ['a/b'],
        matches: [{ file: 'a', line: 1, text: '' }],
        content: '',
        applied: true,
        truncated: false,
        failed_items: [],
        own: { of: 'the tool' },
      },
    }),
  ],
  ['a dry run that says so', envelope({ status: 'partial', data: { applied: false } })],
  ['a fallback that says so', envelope({ status: 'partial', data: { fallback: 'python' } })],
  ['a partial failure that says so', envelope({ status: 'partial', data: { failed_items: [{ path: 'a' }] } })],
  ['a wrapped result', envelope({ status: 'partial', data: wrapped })],
  ['a wrapped error', failure({ data: wrapped })],
  [
    'a wrapped result that could not be saved',
    envelope({ status: 'partial', data: { ...wrapped, truncation: { ...truncation, full_output_path: undefined } } }),
  ],
  ['any params_input', envelope({ context: { cwd: 'src', params_input: undefined, mine: [1] } })],
  ['a name with a colon that is no drive', envelope({ data: { paths: ['ab:/c', 'C:x', '\\x', '..x', 'a/../b'] } })],
  ['stats of numbers and texts', envelope({ stats: { time_ms: 0, engine: 'rg', share: 0.5, debt: -1 } })],
])('%s is valid', (_case, value) => {
  expect(broken(value)).toEqual([]);
});

describe('each rule has an id and a place', () => {
  test.each<[string, unknown, string[]]>([
    ['null', null, ['envelope.object @ ']],
    ['text', '{}', ['envelope.object @ ']],
    ['a list', [], ['envelope.object @ ']],
    [
      'nothing in it',
      {},
      [
        'status.value @ status',
        'text.string @ text',
        'data.object @ data',
        'stats.object @ stats',
        'context.object @ context',
      ],
    ],
    [
      'a key of its own',
      envelope({ meta: 1, code: 2 }),
      ['envelope.unknown-key @ meta', 'envelope.unknown-key @ code'],
    ],
    ['an unknown status', envelope({ status: 'ok' }), ['status.value @ status']],
    ['a text that is none', envelope({ text: null }), ['text.string @ text']],
    ['data null', envelope({ data: null }), ['data.object @ data']],
    ['data a list', envelope({ data: [] }), ['data.object @ data']],
    ['stats a list', envelope({ stats: [] }), ['stats.object @ stats']],
    ['context a text', envelope({ context: '.' }), ['context.object @ context']],
    ['an error without its error', envelope({ status: 'error' }), ['error.missing @ error']],
    ['an error with null', envelope({ status: 'error', error: null }), ['error.missing @ error']],
    ['a success with an error', envelope({ error: { code: 'NOT_FOUND', message: '' } }), ['error.unexpected @ error']],
    ['the legacy string', envelope({ status: 'error', error: 'Error: x' }), ['error.object @ error']],
    ['an unknown code', failure({ error: { code: 'ENOENT', message: '' } }), ['error.code @ error.code']],
    ['no message', failure({ error: { code: 'TIMEOUT' } }), ['error.message @ error.message']],
    ['no time', envelope({ stats: {} }), ['stats.time_ms @ stats.time_ms']],
    ['a negative time', envelope({ stats: { time_ms: -1 } }), ['stats.time_ms @ stats.time_ms']],
    ['an endless time', envelope({ stats: { time_ms: Number.POSITIVE_INFINITY } }), ['stats.time_ms @ stats.time_ms']],
    ['a time that is no number', envelope({ stats: { time_ms: Number.NaN } }), ['stats.time_ms @ stats.time_ms']],
    ['a time in words', envelope({ stats: { time_ms: '5' } }), ['stats.time_ms @ stats.time_ms']],
    [
      'another stat',
      envelope({ stats: { time_ms: 1, a: true, b: Number.NaN } }),
      ['stats.value @ stats.a', 'stats.value @ stats.b'],
    ],
    ['no cwd', envelope({ context: { params_input: 1 } }), ['context.cwd @ context.cwd']],
    ['an empty cwd', envelope({ context: { cwd: '', params_input: 1 } }), ['context.cwd @ context.cwd']],
    ['a POSIX cwd', envelope({ context: { cwd: '/home', params_input: 1 } }), ['context.cwd @ context.cwd']],
    ['a Windows cwd', envelope({ context: { cwd: 'C:\\x', params_input: 1 } }), ['context.cwd @ context.cwd']],
    ['a Windows cwd with /', envelope({ context: { cwd: 'd:/x', params_input: 1 } }), ['context.cwd @ context.cwd']],
    ['a bare drive', envelope({ context: { cwd: 'C:', params_input: 1 } }), ['context.cwd @ context.cwd']],
    ['a UNC cwd', envelope({ context: { cwd: '\\\\server\\share', params_input: 1 } }), ['context.cwd @ context.cwd']],
    ['no params_input', envelope({ context: { cwd: '.' } }), ['context.params_input @ context.params_input']],
    [
      'an absolute path_resolved',
      envelope({ context: { cwd: '.', params_input: 1, path_resolved: '/a' } }),
      ['context.path_resolved @ context.path_resolved'],
    ],
    [
      'a skip that is no boolean',
      envelope({ context: { cwd: '.', params_input: 1, truncation_skip: 1 } }),
      ['context.truncation_skip @ context.truncation_skip'],
    ],
    ['entries no list', envelope({ data: { entries: {} } }), ['entries.array @ data.entries']],
    ['an entry that is none', envelope({ data: { entries: ['a'] } }), ['entries.object @ data.entries[0]']],
    [
      'an entry of another type',
      envelope({
        data: {
          entries: [
            { path: 'a', type: 'file' },
            { path: 'b', type: 'socket' },
          ],
        },
      }),
      ['entries.type @ data.entries[1].type'],
    ],
    [
      'an absolute entry',
      envelope({ data: { entries: [{ path: '/a', type: 'file' }] } }),
      ['entries.path @ data.entries[0].path'],
    ],
    ['paths no list', envelope({ data: { paths: 'a' } }), ['paths.array @ data.paths']],
    [
      'paths that are absolute or none',
      envelope({ data: { paths: ['a', '/b', 3] } }),
      ['paths.path @ data.paths[1]', 'paths.path @ data.paths[2]'],
    ],
    ['matches no list', envelope({ data: { matches: null } }), ['matches.array @ data.matches']],
    ['a match that is none', envelope({ data: { matches: [1] } }), ['matches.object @ data.matches[0]']],
    [
      'an empty match',
      envelope({ data: { matches: [{}] } }),
      [
        'matches.file @ data.matches[0].file',
        'matches.line @ data.matches[0].line',
        'matches.text @ data.matches[0].text',
      ],
    ],
    ['content no text', envelope({ data: { content: 1 } }), ['content.string @ data.content']],
    ['applied no boolean', envelope({ data: { applied: 'yes' } }), ['applied.boolean @ data.applied']],
    ['truncated no boolean', envelope({ data: { truncated: 'yes' } }), ['truncated.boolean @ data.truncated']],
    ['fallback no text', envelope({ status: 'partial', data: { fallback: 1 } }), ['fallback.string @ data.fallback']],
    ['failed_items no list', envelope({ data: { failed_items: 'a' } }), ['failed_items.array @ data.failed_items']],
    ['a truncated success', envelope({ data: { truncated: true } }), ['status.truncated @ data.truncated']],
    [
      'a truncated error that nobody wrapped',
      failure({ data: { truncated: true } }),
      ['status.truncated @ data.truncated'],
    ],
    ['a wrapped success', envelope({ data: wrapped }), ['status.truncated @ data.truncated']],
    ['a success by fallback', envelope({ data: { fallback: 'python' } }), ['status.fallback @ data.fallback']],
    ['a success of a dry run', envelope({ data: { applied: false } }), ['status.applied @ data.applied']],
    ['a success with failures', envelope({ data: { failed_items: [1] } }), ['status.failed_items @ data.failed_items']],
    [
      'truncation no object',
      envelope({ status: 'partial', data: { ...wrapped, truncation: 1 } }),
      ['truncation.object @ data.truncation'],
    ],
    [
      'a truncation without preview',
      envelope({ status: 'partial', data: { truncated: true, truncation } }),
      ['truncation.preview @ data.preview'],
    ],
    [
      'a truncation that was none',
      envelope({ data: { ...wrapped, truncated: false } }),
      ['truncation.truncated @ data.truncated'],
    ],
    [
      'a truncation out of shape',
      envelope({
        status: 'partial',
        data: {
          ...wrapped,
          truncation: { ...truncation, direction: 'middle', max_lines: -1, kept_bytes: 1.5, full_output_path: '' },
        },
      }),
      [
        'truncation.direction @ data.truncation.direction',
        'truncation.max_lines @ data.truncation.max_lines',
        'truncation.kept_bytes @ data.truncation.kept_bytes',
        'truncation.full_output_path @ data.truncation.full_output_path',
      ],
    ],
    [
      'several at once',
      {
        status: 'success',
        data: { truncated: true, content: 1 },
        text: 1,
        stats: { time_ms: -1 },
        context: { cwd: '/' },
      },
      [
        'text.string @ text',
        'content.string @ data.content',
        'status.truncated @ data.truncated',
        'stats.time_ms @ stats.time_ms',
        'context.cwd @ context.cwd',
        'context.params_input @ context.params_input',
      ],
    ],
  ])('%s', (_case, value, expected) => {
    expect(broken(value)).toEqual(expected);
  });
});

describe('values that bite', () => {
  const { proxy: revoked, revoke } = Proxy.revocable([], {});
  revoke();
  const bites = () => {
    throw new Error('ouch');
  };

  test('a getter that throws is reported beside the other broken rules', () => {
    const value = Object.defineProperty(envelope({ status: 'ok' }), 'text', { get: bites, enumerable: true });
    expect(broken(value)).toEqual(['envelope.unreadable @ text', 'status.value @ status', 'text.string @ text']);
  });

  test.each<[string, unknown, string[]]>([
    ['a revoked proxy', revoked, ['envelope.unreadable @ ']],
    ['an object whose keys cannot be listed', new Proxy({}, { ownKeys: bites }), ['envelope.unreadable @ ']],
    ['a revoked proxy as data', envelope({ data: revoked }), ['envelope.unreadable @ data']],
    ['a revoked proxy as entries', envelope({ data: { entries: revoked } }), ['envelope.unreadable @ data.entries']],
    [
      'a revoked proxy as failed_items',
      envelope({ data: { failed_items: revoked } }),
      ['envelope.unreadable @ data.failed_items', 'envelope.unreadable @ data'],
    ],
    [
      'a revoked proxy as params_input, which may be anything',
      envelope({ context: { cwd: '.', params_input: revoked } }),
      [],
    ],
  ])('%s', (_case, value, expected) => {
    expect(broken(value)).toEqual(expected);
  });

  test('an envelope of getters on a class has no fields, as its JSON has none', () => {
    class Envelope {
      get status() {
        return 'success';
      }
    }
    expect(broken(new Envelope())).toContain('status.value @ status');
  });

  test('a cycle does not matter', () => {
    const data: { self?: unknown } = {};
    data.self = data;
    expect(broken(envelope({ data }))).toEqual([]);
  });

  test('it never throws', () => {
    const anything = fc.anything({ withBigInt: true, withNullPrototype: true, withSparseArray: true, withDate: true });
    const nearly = fc.record(
      {
        status: fc.constantFrom('success', 'partial', 'error'),
        data: anything,
        text: anything,
        error: anything,
        stats: anything,
        context: anything,
      },
      { requiredKeys: [] },
    );
    fc.assert(fc.property(fc.oneof(anything, nearly), (value) => Array.isArray(validateResponse(value).violations)));
  });
});

describe('an empty text is invalid', () => {
  test.each(['', '  \n'])('%j', (text) => {
    expect(broken(envelope({ text }))).toEqual(['text.empty @ text']);
  });
});

describe('paths lead nowhere but below the root', () => {
  test.each(['..', '../x', 'a/../../b', './..', '/abs', 'C:\\x', ''])('%j is broken everywhere', (path) => {
    const matches = [{ file: path, line: 1, text: '' }];
    const data = { entries: [{ path, type: 'file' }], paths: [path], matches };
    const context = { cwd: path, params_input: {}, path_resolved: path };
    expect(broken(envelope({ data, context }))).toEqual([
      'entries.path @ data.entries[0].path',
      'paths.path @ data.paths[0]',
      'matches.file @ data.matches[0].file',
      'context.cwd @ context.cwd',
      'context.path_resolved @ context.path_resolved',
    ]);
  });

  test('a backslash is a warning: a name may contain one', () => {
    const { valid, warnings } = validateResponse(envelope({ data: { paths: ['src\\main.py', '"caf\\xe9"'] } }));
    expect([valid, warnings?.map(({ rule, path }) => `${rule} @ ${path}`)]).toEqual([
      true,
      ['paths.path.posix @ data.paths[0]'],
    ]);
  });
});

test.each([0, -1, 1.5, Number.NaN, '3', null])('the line %j of a match is broken', (line) => {
  const matches = [{ file: 'a', line, text: '' }];
  expect(broken(envelope({ data: { matches } }))).toEqual(['matches.line @ data.matches[0].line']);
});

describe('a kind has its field of the table', () => {
  test.each([
    ['list', 'entries', []],
    ['ls', 'entries', []],
    ['glob', 'paths', ['a']],
    ['search', 'matches', []],
    ['grep', 'matches', []],
    ['read', 'content', ''],
    ['edit', 'applied', true],
    ['write', 'applied', true],
  ] as const)('%s has data.%s', (kind, field, value) => {
    const asked = (over: object) => validateResponse(envelope(over), { kind }).violations.map(({ rule }) => rule);
    expect(asked({ data: { [field]: value } })).toEqual([]);
    expect(asked({ data: { other: 1 } })).toEqual([`kind.${field}`]);
    expect(asked({ status: 'error', error: { code: 'TIMEOUT', message: 'm' }, text: 'Try again.' })).toEqual([]);
  });

  test('unless the truncator has put a preview in its place', () => {
    const truncation = { direction: 'head', max_lines: 1, max_bytes: 1, original_lines: 2, original_bytes: 2 };
    const data = { truncated: true, truncation: { ...truncation, kept_lines: 1, kept_bytes: 1 }, preview: '' };
    expect(validateResponse(envelope({ status: 'partial', data }), { kind: 'search' }).violations).toEqual([]);
  });

  test('that is unknown is misuse', () => {
    expect(() => validateResponse({}, { kind: 'serach' as never })).toThrow(
      "Unknown kind 'serach'. Did you mean 'search'?",
    );
    expect(() => validateResponse({}, { knd: 1 } as never)).toThrow("validateResponse has no option 'knd'");
  });
});

describe('a text that lacks what is asked for is warned of, and valid', () => {
  const error = { code: 'NOT_FOUND', message: "Check 'a': it is gone." };

  test.each<[string, object, string[]]>([
    ['a success says enough', { text: 'done' }, []],
    [
      'a dry run that does not say so',
      { status: 'partial', data: { applied: false }, text: 'Try it.' },
      ['text.applied'],
    ],
    ['a dry run that does', { status: 'partial', data: { applied: false }, text: 'Dry-run only. Call again.' }, []],
    ['a fallback', { status: 'partial', data: { fallback: 'py' }, text: 'done' }, ['text.fallback', 'text.next']],
    [
      'the sentence of the document for a fallback',
      {
        status: 'partial',
        data: { fallback: 'python' },
        text: 'ripgrep not available, used slower Python search instead. Try narrowing the path.',
      },
      [],
    ],
    ['failed items', { status: 'partial', data: { failed_items: [1] }, text: 'Use it.' }, ['text.failed_items']],
    ['a cut', { status: 'partial', data: { truncated: true }, text: 'Listed 2. Use it.' }, ['text.truncated']],
    [
      'the example of the document',
      {
        status: 'partial',
        data: { truncated: true },
        text: "Found 100 matches for 'TODO' in 'src/' (truncated to first 100). Try narrowing the path or pattern.",
      },
      [],
    ],
    ['an error without a next step', { status: 'error', error, text: error.message }, ['text.next']],
    ['an error with one', { status: 'error', error, text: `${error.message}\nList the directory above.` }, []],
    ['an error in Chinese', { status: 'error', error, text: '文件不存在。请检查路径。' }, []],
  ])('%s', (_case, over, rules) => {
    const { valid, warnings = [] } = validateResponse(envelope(over));
    expect([valid, warnings.map(({ rule }) => rule)]).toEqual([true, rules]);
  });

  test.each(ERROR_CODES)('the text of a failure with %s is complete', (code) => {
    const response = failure({ error: { code, message: 'm' }, text: errorText(code, 'm') });
    expect(validateResponse(response).warnings).toBeUndefined();
  });
});
