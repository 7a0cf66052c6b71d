import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import {
  inSentence,
  isError,
  isFields,
  messageOf,
  parseFields,
  prettyJson,
  throughJson,
  toPlain,
} from '../../src/protocol/plain.ts';

const throwing = (thrown: unknown) => ({
  get field(): unknown {
    throw thrown;
  },
});

/** An object that not even its kind can be asked of. */
function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

const shared = { a: 1 };

const round = () => {
  const list: unknown[] = [1];
  list.push(list);
  return list;
};

test.each([
  [{}, true],
  [{ a: 1 }, true],
  [[], false],
  [null, false],
  [undefined, false],
  ['text', false],
  [() => 1, false],
])('%o is an object of fields: %s', (value, expected) => {
  expect(isFields(value)).toBe(expected);
});

test.each([
  ['{"a": 1}', { a: 1 }],
  [' {} ', {}],
  ['[1]', null],
  ['null', null],
  ['"text"', null],
  ['{', null],
  ['', null],
])('the fields of %j are %j', (text, fields) => {
  expect(parseFields(text)).toEqual(fields);
});

describe('as a reader of its JSON would get it', () => {
  test.each<[string, unknown, unknown]>([
    ['fields', { a: 1, b: undefined }, { a: 1 }],
    ['a date', new Date(0), '1970-01-01T00:00:00.000Z'],
    ['not a number', Number.NaN, null],
    ['nothing', undefined, undefined],
    ['a BigInt', 1n, undefined],
    ['a cycle', round(), undefined],
  ])('%s', (_case, value, expected) => {
    expect(throughJson(value)).toEqual(expected);
  });
});

describe('indented JSON', () => {
  test.each<[string, unknown, string]>([
    ['is as JSON has it', { a: [1], not: Number.NaN }, '{\n  "a": [\n    1\n  ],\n  "not": null\n}'],
    ['of a text', 'x', '"x"'],
    ['of what JSON refuses names it', { a: 1n, not: Number.NaN }, '{\n  "a": "1",\n  "not": "NaN"\n}'],
    ['of a cycle names it', round(), '[\n  1,\n  "[circular]"\n]'],
    ['of nothing', undefined, 'null'],
    ['of a function', () => 1, '"[function]"'],
  ])('%s', (_case, value, expected) => {
    expect(prettyJson(value)).toBe(expected);
  });
});

describe('a plain copy', () => {
  test.each<[string, unknown, unknown]>([
    ['text', 'x', 'x'],
    ['a boolean', false, false],
    ['a number', -0.5, -0.5],
    ['infinity', Number.NEGATIVE_INFINITY, '-Infinity'],
    ['nothing', undefined, null],
    ['null', null, null],
    ['a BigInt', 7n, '7'],
    ['a symbol', Symbol('s'), 'Symbol(s)'],
    ['a function', () => 1, '[function]'],
    ['a class', class A {}, '[function]'],
    ['fields, without those that are undefined', { a: 1, b: undefined, c: null }, { a: 1, c: null }],
    ['a list with nothing in it', [1, undefined, [2]], [1, null, [2]]],
    ['an error', { failed: new Error('why') }, { failed: 'why' }],
    ['what says itself how it is written', { when: new Date(0) }, { when: '1970-01-01T00:00:00.000Z' }],
    ['what only has a field of that name', { toJSON: 5 }, { toJSON: 5 }],
    [
      'what is written as itself',
      {
        toJSON() {
          return this;
        },
      },
      '[circular]',
    ],
    ['the same thing twice, beside itself', [shared, shared], [{ a: 1 }, { a: 1 }]],
    ['a cycle', round(), [1, '[circular]']],
    ['a set', new Set([1, 'a']), [1, 'a']],
    ['a map', { ages: new Map([['Ann', 7n]]) }, { ages: { Ann: '7' } }],
    ['a map with keys that are not names', new Map([[1, 'a']]), [[1, 'a']]],
    ['a stream', { body: new ReadableStream() }, { body: '[object ReadableStream]' }],
    ['a generator', (async function* () {})(), '[object AsyncGenerator]'],
    ['an object of a class', new (class A {})(), {}],
    ['a field that throws', { a: 1, b: throwing(new Error('ouch')) }, { a: 1, b: { field: '[unreadable: ouch]' } }],
    ['a field that throws no error', throwing('ouch'), { field: '[unreadable: it throws]' }],
    [
      'what throws when it is written',
      {
        toJSON() {
          throw new Error('ouch');
        },
      },
      '[unreadable: ouch]',
    ],
  ])('%s', (_case, value, expected) => {
    expect(toPlain(value)).toEqual(expected);
  });

  test('of objects that all refer to each other ends', () => {
    const friends = Array.from({ length: 12 }, (_, id) => ({ id, known: [] as unknown[] }));
    for (const one of friends) one.known = friends.filter((other) => other !== one);
    const json = JSON.stringify(toPlain(friends[0]));
    for (const { id } of friends) expect(json).toContain(`{"id":${id},`);
    expect(json).toContain('"[repeated]"');
  });

  test('ends at a depth that no honest answer has', () => {
    const nested = (levels: number): unknown => {
      let value: unknown = 'end';
      for (let i = 0; i < levels; i++) value = [value];
      return value;
    };
    expect(JSON.stringify(toPlain(nested(500)))).toBe(`${'['.repeat(500)}"end"${']'.repeat(500)}`);
    expect(JSON.stringify(toPlain(nested(501)))).toBe(`${'['.repeat(500)}"[too deep]"${']'.repeat(500)}`);
  });
});

test.each<[string, unknown, boolean]>([
  ['an error', new RangeError(), true],
  ['one of another realm', runInNewContext('new Error("x")'), true],
  ['one that was made by hand', Object.create(Error.prototype), true],
  ['what only looks like one', { name: 'Error', message: 'x' }, false],
  ['text', 'Error: x', false],
  ['nothing', undefined, false],
])('%s is an error: %s', (_case, value, expected) => {
  expect(isError(value)).toBe(expected);
});

describe('what a thrown value has to say', () => {
  const own = new Error('round');
  own.cause = own;
  test.each<[string, unknown, string]>([
    ['text', 'x', 'x'],
    ['nothing', undefined, ''],
    ['null', null, ''],
    ['a number', 0, '0'],
    ['a symbol', Symbol('s'), 'Symbol(s)'],
    ['a list', ['a', 1], '["a",1]'],
    ['an object with a message', { message: 'why', code: 1 }, 'why'],
    ['an object whose message is no text', { message: 1 }, '{"message":1}'],
    ['an error', new Error('why'), 'why'],
    ['an error without a message', new RangeError(), 'RangeError'],
    ['an error that is its own cause', own, 'round'],
    [
      'an error with a cause',
      new Error('a', { cause: new Error('b', { cause: 'c' }) }),
      'a\nCaused by: b\nCaused by: c',
    ],
    ['an error whose cause says nothing', new Error('a', { cause: 5 }), 'a'],
    ['several errors', new AggregateError([new Error('b'), 'c'], 'a'), 'a\nCaused by: b\nCaused by: c'],
    ['an error whose errors are no list', Object.assign(new Error('a'), { errors: 'bc' }), 'a'],
    [
      'an error that throws',
      Object.defineProperty(new Error(), 'message', { get: () => expect.unreachable() }),
      'an error that cannot be read',
    ],
  ])('%s', (_case, thrown, expected) => {
    expect(messageOf(thrown)).toBe(expected);
  });
});

describe('words of a caller inside a sentence', () => {
  test.each(['', 'LS', 'a b', 'say "hi" \\n', 'é', '日本', '😀', 'x\u0323'])('%j are left alone', (words) => {
    expect(inSentence(words)).toBe(words);
  });

  test.each([
    ['a line break', 'a\nb', 'a\\u000ab'],
    ['an escape', '\x1b[0m', '\\u001b[0m'],
    ['a delete', 'a\x7f', 'a\\u007f'],
    ['text that is turned around', '\u202eexe', '\\u202eexe'],
    ['what has no width', 'a\u200bb', 'a\\u200bb'],
    ['what is ignored', 'a\u034fb', 'a\\u034fb'],
    ['a tag', '\u{e0041}', '\\udb40\\udc41'],
    ['half of a pair', 'a\ud800', 'a\\ud800'],
    ['a private character', 'a\ue000', 'a\\ue000'],
    ['an unassigned one', 'a\u0378', 'a\\u0378'],
    ['a line separator', 'a\u2028', 'a\\u2028'],
    ['a paragraph separator', 'a\u2029', 'a\\u2029'],
    ['a blank Braille cell', 'a\u2800', 'a\\u2800'],
    ['a no-break space', 'a\u00a0b', 'a\\u00a0b'],
    ['an ideographic space', 'a\u3000b', 'a\\u3000b'],
    ['not NFC', 'cafe\u0301', 'cafe\\u0301'],
    ['what stands beside it, too', 'é\n', '\\u00e9\\u000a'],
  ])('%s is escaped', (_case, words, expected) => {
    expect(inSentence(words)).toBe(expected);
  });
});

test('what cannot even be asked for its kind is no error, and is said to be unreadable', () => {
  expect(isError(revoked())).toBe(false);
  expect(toPlain(revoked())).toMatch(/^\[unreadable: .*revoked/);
  expect(messageOf(revoked())).toMatch(/^\[unreadable: .*revoked/);
});
