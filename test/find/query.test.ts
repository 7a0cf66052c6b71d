/** What a query asks for. */
import { describe, expect, it } from 'vitest';
import { globMatchers, questionOf, spelling } from '../../src/find/query.ts';
import type { Bytes } from '../../src/names/bytes.ts';
import { Budget } from '../../src/workspace/budget.ts';

describe('a query', () => {
  it.each<[query: string, words: string[], path: string, globs: string[]]>([
    ['http server', ['http', 'server'], 'http server', []],
    ['  http HTTP  ', ['http'], 'http HTTP', []],
    ['./src/a.ts', ['src', 'a', 'ts'], 'src/a.ts', []],
    ['/src/lib//', ['src', 'lib'], 'src/lib', []],
    ['.//./src', ['src'], 'src', []],
    ['../src', ['src'], '../src', []],
    ['.env', ['env'], '.env', []],
    ['"caf\\u00e9/x" ', ['cafe', 'x'], 'caf\xc3\xa9/x', []],
    ['"unfinished', ['unfinished'], '"unfinished', []],
    ['*.ts  src/{a,b}', ['ts', 'src', 'a', 'b'], '*.ts  src/{a,b}', ['*.ts', 'src/{a,b}']],
    [
      'a? b[c] !(d) +(e) @(f) g(h)',
      [...'abcdefgh'],
      'a? b[c] !(d) +(e) @(f) g(h)',
      [...['a?', 'b[c]'], '!(d)', '+(e)', '@(f)'],
    ],
    ['caf\u00e9', ['cafe'], 'caf\xc3\xa9', []],
    ['', [], '', []],
  ])('%j', (query, words, path, globs) => {
    expect(questionOf(query)).toEqual({ words, ignored: 0, path, globs });
  });

  it('has no more words than a sentence', () => {
    const words = Array.from({ length: 40 }, (_, i) => `w${i}`);
    const { words: used, ignored } = questionOf([...words, 'w1'].join(' '));
    expect([used, ignored]).toEqual([words.slice(0, 32), 8]);
    expect(questionOf(words.slice(0, 32).join(' '))).toMatchObject({ words: words.slice(0, 32), ignored: 0 });
  });
});

it.each<[globs: string[], path: string, ways: boolean[]]>([
  [['*.ts'], 'src/a.ts', [true, true]],
  [['*.ts'], 'src/A.TS', [false, true]],
  [['*.TS'], 'src/a.ts', [false, true]],
  [['*.js', '*.ts'], 'src/a.ts', [true, true]],
  [['*.ts'], 'src/.a.ts', [true, true]],
  [['src/*.ts'], 'src/a.ts', [true, true, true, true]],
  [['src/*.ts'], 'lib/src/a.ts', [false, true, false, true]],
  [['src/*.ts'], 'lib/SRC/a.ts', [false, false, false, true]],
  [['./src/*.ts'], 'src/a.ts', [true, true, true, true]],
  [['/*.ts'], 'a.ts', [true, true]],
  [['.//src/*.ts'], 'src/a.ts', [true, true, true, true]],
  [['*.ts', 'src/*.js'], 'lib/src/a.js', [false, true, false, true]],
  [['CAF\u00c9*'], 'caf\xc3\xa9.ts', [false, true]],
  [['caf\u00e9*'], 'CAF\xc3\x89.ts', [false, true]],
  [['!*.ts'], 'src/a.ts', [false, false]],
  [['!*.ts'], 'src/a.js', [true, true]],
  [['!./src/*.ts'], 'src/a.ts', [false, false, false, false]],
  [['!src/*.ts'], 'lib/src/a.ts', [true, false, true, false]],
])('%j and %s, as it is and at any depth, then in any case', async (globs, path, ways) => {
  const name = path.slice(path.lastIndexOf('/') + 1) as Bytes;
  const matchers = await globMatchers(globs, new Budget());
  expect(matchers.map((matches) => matches(name, () => path as Bytes))).toEqual(ways);
});

it.each([
  ['src/HTTPServer.ts', 'src/httpserverts'],
  ['SRC/http-server.ts', 'src/httpserverts'],
  ['caf\xc3\xa9/a b', 'cafe/ab'],
  ['a\xff/b', 'ay/b'],
  ['', ''],
])('%j is spelt %j', (path, spelt) => {
  expect(spelling(path as Bytes)).toBe(spelt);
});
