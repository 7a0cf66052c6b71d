import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import type { ListDirResult } from '../../src/dialects/codex.ts';
import { dialects } from '../../src/dialects/index.ts';
import { call } from '../../src/faces/library/call.ts';
import { openWorkspace } from '../../src/faces/library/open-workspace.ts';
import type { CallOptions } from '../../src/listing/query.ts';
import { Budget } from '../../src/workspace/budget.ts';
import { corpus } from '../support/corpus.ts';
import { asNobody } from '../support/nobody.ts';
import { addTree, makeTree, type TreeLiteral, withLinksOn } from '../support/tree.ts';
import { skipOnWindows } from '../support/windows.ts';

async function send(root: string, params: unknown, options: CallOptions = {}): Promise<ListDirResult> {
  const workspace = await openWorkspace(root);
  const { answer, text, isError } = await dialects.codex.call(params, workspace, options);
  workspace.close();
  expect(Object.keys(answer)).toEqual(['content', 'success']);
  expect(text).toBe(answer.content);
  expect(isError).toBe(!answer.success);
  return answer;
}

/** The root, or `dir_path` below it, with other parameters. */
function ask(root: string, { dir_path = '', ...params }: Record<string, unknown> = {}): Promise<ListDirResult> {
  return send(root, { dir_path: typeof dir_path === 'string' ? root + dir_path : dir_path, ...params });
}

/** What stands below the first line of a success. */
async function listed(root: string, params: Record<string, unknown> = {}): Promise<string[]> {
  const { content, success } = await ask(root, params);
  expect([success, content.startsWith('Absolute path: ')]).toEqual([true, true]);
  return content.split('\n').slice(1);
}

const linesOf = (tree: TreeLiteral, params: Record<string, unknown> = {}) => listed(makeTree(tree), params);
const contentOf = async (tree: TreeLiteral, params: Record<string, unknown>) =>
  (await ask(makeTree(tree), params)).content;

describe('a bad parameter', () => {
  const rows: [Record<string, unknown>, string][] = [
    [{ offset: 0 }, 'offset must be a 1-indexed entry number'],
    [{ limit: 0 }, 'limit must be greater than zero'],
    [{ depth: 0 }, 'depth must be greater than zero'],
    [{ offset: 0, limit: 0, depth: 0 }, 'offset must be a 1-indexed entry number'],
    [{ limit: 0, depth: 0 }, 'limit must be greater than zero'],
  ];

  it.each(rows)('%j: %s', async (params, content) => {
    const root = makeTree({ a: '' });
    expect(await ask(root, params)).toEqual({ content, success: false });
  });

  it.each(['', '.', 'src', './src', '../src', '~', '"src"', ' /', 'C:\\src'])(
    'dir_path %j must be absolute',
    async (dir_path) => {
      if (isAbsolute(dir_path)) skipOnWindows('such relative paths');
      const content = 'dir_path must be an absolute path';
      expect(await send(makeTree({ src: null }), { dir_path })).toEqual({ content, success: false });
    },
  );

  it('numbers are checked before the path', async () => {
    const { content } = await send(makeTree({}), { dir_path: 'src', depth: 0 });
    expect(content).toBe('depth must be greater than zero');
  });

  const wrong: [string, unknown][] = [
    ...[5, true, ['/'], {}].map((dir_path): [string, unknown] => ['dir_path', { dir_path }]),
    ...['offset', 'limit', 'depth'].flatMap((name) =>
      ['1', 1.5, true, false, [1], {}].map((value): [string, unknown] => [name, { dir_path: '/', [name]: value }]),
    ),
    ['dir_path', {}],
    ['dir_path', { dir_path: null }],
    ['dir_path', { path: '/' }],
    ['dir_path', { dir_path: '"/x' }],
    ['', 'src'],
    ['', ['/']],
    ['', 7],
    ['', null],
    ['', undefined],
  ];

  it.each(wrong)('of the wrong type is no argument, and %j is named: %j', async (name, params) => {
    const { content, success } = await send(makeTree({}), params);
    expect(success).toBe(false);
    expect(content).toMatch(/^failed to parse function arguments: ./);
    expect(content).toContain(name);
  });

  it('of the wrong type is found before one that is out of range', async () => {
    expect(await contentOf({}, { offset: 0, depth: 'x' })).toMatch(/^failed to parse function arguments: .*depth/);
  });

  it('that is negative is refused, too', async () => {
    for (const name of ['offset', 'limit', 'depth']) {
      expect(await contentOf({}, { [name]: -1 })).toMatch(
        name === 'offset' ? /^offset must be/ : new RegExp(`^${name} must be greater than zero`),
      );
    }
  });
});

describe('a parameter that is fine', () => {
  const tree: TreeLiteral = { 'a/b/c': '', ...Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`f${i}`, ''])) };

  it('null means unset: offset 1, limit 25, depth 2', async () => {
    const root = makeTree(tree);
    const plain = await ask(root);
    const lines = plain.content.split('\n');
    expect(lines.slice(0, 4)).toEqual([`Absolute path: ${root}`, 'a/', '  b/', 'f0']);
    expect([lines.length, lines.at(-1)]).toEqual([27, 'More than 25 entries found']);
    expect(await ask(root, { offset: null, limit: null, depth: null })).toEqual(plain);
    expect(await ask(root, { offset: 1, limit: 25, depth: 2 })).toEqual(plain);
  });

  it('5.0 is 5', async () => {
    const root = makeTree(tree);
    const params = JSON.parse(`{"dir_path": ${JSON.stringify(root)}, "offset": 2.0, "limit": 5.0, "depth": 1.0}`);
    expect(await send(root, params)).toEqual(await ask(root, { offset: 2, limit: 5, depth: 1 }));
  });

  it('a parameter that is not known is ignored', async () => {
    const root = makeTree(tree);
    expect(await ask(root, { recursive: true, path: 5, 'a\nb': null })).toEqual(await ask(root));
  });

  it('numbers may be as large as they like', async () => {
    expect(await linesOf({ 'a/b': '' }, { limit: 1e300, depth: 1e300 })).toEqual(['a/', '  b']);
    expect(await linesOf({ 'a/b': '' }, { limit: 2 ** 40, depth: 2 ** 40 })).toEqual(['a/', '  b']);
    expect(await contentOf({ a: '' }, { offset: 1e300 })).toBe('offset exceeds directory entry count');
    expect(await linesOf({ a: '', b: '' }, { offset: 2, limit: Number.MAX_SAFE_INTEGER })).toEqual(['b']);
  });
});

describe('dir_path', () => {
  const tree: TreeLiteral = { 'sub/x': '', 'sub/deep/y': '', file: '', l: { link: 'sub' } };

  it.each(['', '/', '/sub', '/sub/', '//sub', '/./sub', '/sub/deep/..', '/l', '/nothing/../sub'])(
    'is shown as given: ROOT%s',
    async (dir_path) => {
      const root = makeTree(withLinksOn(dir_path, tree));
      const { content, success } = await ask(root, { dir_path, depth: 1 });
      expect([success, content.split('\n')[0]]).toEqual([true, `Absolute path: ${root}${dir_path}`]);
    },
  );

  it('may be in quoted form, and is shown so', async () => {
    const root = makeTree({ 'a\nb/x': '' });
    const path = JSON.stringify(`${root}/a\nb`);
    expect(await send(root, { dir_path: path })).toEqual({ content: `Absolute path: ${path}\nx`, success: true });
  });

  it('that would forge a line is shown in quoted form', async () => {
    const root = makeTree({ 'a\nb/x': '' });
    const { content } = await send(root, { dir_path: `${root}/a\nb` });
    expect(content).toBe(`Absolute path: ${JSON.stringify(`${root}/a\nb`)}\nx`);
  });

  const failed = (reason: string) => `failed to read directory: ${reason}`;
  const missing = failed('No such file or directory (os error 2)');
  const noDirectory = failed('Not a directory (os error 20)');

  it.each([
    ['/nothing', missing],
    ['/nothing/x', missing],
    ['/broken', missing],
    ['/file', noDirectory],
    ['/file/', noDirectory],
    ['/to-file', noDirectory],
    ['/file/x', noDirectory],
    ['/file/x/y', noDirectory],
    ['/to-file/x', noDirectory],
    ['/pipe', noDirectory],
  ])('ROOT%s: %s', async (dir_path, content) => {
    const links = { broken: { link: 'nothing' }, 'to-file': { link: 'file' } };
    const root = makeTree(withLinksOn(dir_path, { ...tree, ...links }));
    if (dir_path === '/pipe') execFileSync('mkfifo', [join(root, 'pipe')]);
    expect(await ask(root, { dir_path })).toEqual({ content, success: false });
  });

  it('the system refuses', async () => {
    const root = makeTree({ 'locked/inner': null });
    const answers = await asNobody(root, ['locked'], async () => [
      await ask(root, { dir_path: '/locked' }),
      await ask(root, { dir_path: '/locked/inner' }),
    ]);
    const content = failed('Permission denied (os error 13)');
    expect(answers).toEqual([
      { content, success: false },
      { content, success: false },
    ]);
  });

  it.each([
    ...['/etc', '/etc/passwd', '/nonexistent', '/', '{ROOT}-sibling', '{ROOT}-gone', '{ROOT}/../outside'],
    ...['out', 'out/secret', 'gone', 'up', '..', 'sub/../..', 'sub\0', '\0'].map((path) => `{ROOT}/${path}`),
  ])('outside has one answer, whether or not it exists; a NUL is outside: %j', async (path) => {
    const links = { out: { link: '../outside' }, gone: { link: '../gone' }, up: { link: '..' } };
    const root = makeTree(withLinksOn(path, { ...tree, ...links }));
    addTree(join(root, '..'), { 'outside/secret': '', 'root-sibling/x': '' });
    expect(await send(root, { dir_path: path.replace('{ROOT}', root) })).toEqual({
      content: 'dir_path must be within the workspace',
      success: false,
    });
  });

  it('anything else is an answer, too', async () => {
    const root = makeTree({});
    const workspace = await openWorkspace(root);
    workspace.close();
    const answer = await call('codex', { dir_path: root }, workspace);
    expect(answer).toEqual({ content: failed('the workspace is closed'), success: false });
  });
});

describe('the order', () => {
  it('is that of the bytes of the whole path: `foo-bar/` stands between `foo/` and what is in it', async () => {
    expect(await linesOf({ 'foo/x': '', 'foo-bar/y': '', 'foo.ts': '', foo0: '', Foo: '' })).toEqual([
      'Foo',
      'foo/',
      'foo-bar/',
      '  y',
      'foo.ts',
      '  x',
      'foo0',
    ]);
  });

  it('is by code point, in exact case, dotfiles among the rest', async () => {
    const names = ['.hidden', 'A', 'Z', '_', 'a', 'z', '~', 'é', '日', '～', '😀'];
    expect(await linesOf(Object.fromEntries(names.toReversed().map((name) => [name, ''])))).toEqual(names);
  });

  it('has `\\` as the document has it: a `/`', async () => {
    expect(await linesOf({ a0: '', 'a\\z': '', 'a-': '', 'a/y': '', 'a/zz': '' })).toEqual([
      'a/',
      'a-',
      '  y',
      'a\\z',
      '  zz',
      'a0',
    ]);
  });

  it('has what is no UTF-8 as U+FFFD', async () => {
    const root = makeTree({ 'a\ufffcz': '', 'a\uffffa': '' });
    const stray = (name: string) => Buffer.concat([Buffer.from(`${root}/`), Buffer.from(name, 'latin1')]);
    writeFileSync(stray('a\xffb'), '');
    writeFileSync(stray('a\xfec'), '');
    // By their bytes the two would come the other way round.
    expect(await listed(root)).toEqual(['a\ufffcz', '"a\\xffb"', '"a\\xfec"', '"a\\uffffa"']);
  });

  it('counts 500 bytes of a path, cut at a character', async () => {
    skipOnWindows('paths as long as that');
    const parent = `${'d'.repeat(249)}/${'e'.repeat(248)}`;
    expect(Buffer.byteLength(`${parent}/`)).toBe(499);
    const root = makeTree({ [`${parent}/é1`]: '', [`${parent}/z`]: '' });
    const lines = (await listed(root, { depth: 3 })).map((line) => line.trim());
    // Only the first byte of the é is among the 500, so it does not count; and nothing comes before z.
    expect(lines.slice(2)).toEqual(['é1', 'z']);
  });
});

describe('levels', () => {
  const tree: TreeLiteral = { 'a/b/c/d/e': '', 'a/z': '' };

  it.each([
    [1, ['a/']],
    [2, ['a/', '  b/', '  z']],
    [3, ['a/', '  b/', '    c/', '  z']],
    [5, ['a/', '  b/', '    c/', '      d/', '        e', '  z']],
    [1000, ['a/', '  b/', '    c/', '      d/', '        e', '  z']],
  ])('depth %i', async (depth, lines) => {
    expect(await linesOf(tree, { depth })).toEqual(lines);
  });

  it('are counted from the listed directory', async () => {
    expect(await linesOf(tree, { dir_path: '/a/b', depth: 2 })).toEqual(['c/', '  d/']);
  });

  it('have marks: `/` directories, `@` links, which are never descended, `?` anything else', async () => {
    const root = makeTree({
      'd/f': '',
      l: { link: 'd' },
      up: { link: '.' },
      out: { link: '/etc' },
      gone: { link: 'x' },
    });
    execFileSync('mkfifo', [join(root, 'pipe')]);
    expect(await listed(root, { depth: 9 })).toEqual(['d/', '  f', 'gone@', 'l@', 'out@', 'pipe?', 'up@']);
  });
});

describe('a slice', () => {
  const tree: TreeLiteral = { 'a/x': '', 'a/y': '', b: '', c: '' };
  const whole = ['a/', '  x', '  y', 'b', 'c'];

  it('of any place and size is that of the whole, and says whether more comes after it', async () => {
    const root = makeTree(tree);
    for (let offset = 1; offset <= 5; offset++) {
      for (let limit = 1; limit <= 6; limit++) {
        const slice = whole.slice(offset - 1, offset - 1 + limit);
        const more = offset - 1 + limit < 5 ? [`More than ${limit} entries found`] : [];
        expect(await listed(root, { offset, limit })).toEqual([...slice, ...more]);
      }
    }
  });

  it('past the end is an error', async () => {
    const content = 'offset exceeds directory entry count';
    for (const offset of [6, 7, 1000])
      expect(await ask(makeTree(tree), { offset })).toEqual({ content, success: false });
    expect((await ask(makeTree(tree), { offset: 5 })).success).toBe(true);
    expect((await ask(makeTree(tree), { offset: 4, depth: 1 })).content).toBe(content);
  });

  it.each([1, 2, 1000])('of an empty directory is the first line alone, from offset %i', async (offset) => {
    const root = makeTree({ empty: null });
    expect(await ask(root, { dir_path: '/empty', offset })).toEqual({
      content: `Absolute path: ${root}/empty`,
      success: true,
    });
  });
});

describe('a subdirectory that cannot be read', () => {
  const tree: TreeLiteral = { 'a/locked/secret': '', 'b/x': '', 'shut/secret': '' };

  it('is listed and not descended, and the last line says how many there are', async () => {
    const root = makeTree(tree);
    expect(await asNobody(root, ['a/locked', 'shut'], () => listed(root, { depth: 3 }))).toEqual([
      'a/',
      '  locked/',
      'b/',
      '  x',
      'shut/',
      'Could not read 2 directories',
    ]);
    expect((await asNobody(root, ['shut'], () => listed(root, { depth: 3 }))).at(-1)).toBe(
      'Could not read 1 directory',
    );
  });

  it('is told behind the line on more entries, whatever the slice', async () => {
    const root = makeTree(tree);
    const lines = await asNobody(root, ['a/locked', 'shut'], () => listed(root, { depth: 3, limit: 1 }));
    expect(lines).toEqual(['a/', 'More than 1 entries found', 'Could not read 2 directories']);
  });

  it('is not told where nobody looks into it', async () => {
    const root = makeTree(tree);
    expect(await asNobody(root, ['shut'], () => listed(root, { depth: 1 }))).toEqual(['a/', 'b/', 'shut/']);
  });
});

describe('names', () => {
  it('are quoted where they must be, with marks and indentation outside', async () => {
    const root = makeTree({ 'd\n/x\ty': '', '"q"': '', 'my file': '', 'l\u202e': { link: 'x' }, 'e\u0301/f': '' });
    expect(await listed(root)).toEqual([
      '"\\"q\\""',
      '"d\\n"/',
      '  "x\\ty"',
      '"e\\u0301"/',
      '  f',
      '"l\\u202e"@',
      'my file',
    ]);
  });

  it('that are no UTF-8 show their bytes, and can be sent back', async () => {
    const root = makeTree({});
    const latin = Buffer.concat([Buffer.from(`${root}/caf`), Buffer.from([0xe9])]);
    mkdirSync(latin);
    writeFileSync(Buffer.concat([latin, Buffer.from('/x')]), '');
    expect(await listed(root)).toEqual(['"caf\\xe9"/', '  x']);
    const dir_path = `"${root}/caf\\xe9"`;
    expect(await send(root, { dir_path })).toEqual({ content: `Absolute path: ${dir_path}\nx`, success: true });
  });

  it('of 255 bytes are shown whole', async () => {
    const name = 'é'.repeat(127);
    expect(await linesOf({ [name]: '' })).toEqual([name]);
  });

  it('that are hostile take one line each', async () => {
    const root = makeTree({});
    const rows = corpus<{ name: string }>('hostile-names');
    for (const { name } of rows) mkdirSync(Buffer.concat([Buffer.from(`${root}/`), Buffer.from(name, 'hex')]));
    const { content } = await ask(root, { limit: 1000 });
    const lines = content.split(/[\n\r\u2028\u2029\x0b\x0c\x85]/).slice(1);
    expect(lines).toHaveLength(rows.length);
    expect(lines.every((line) => line.endsWith('/'))).toBe(true);
  });
});

describe('a call that ends early', () => {
  it.each([
    [{ signal: AbortSignal.abort() }, /^failed to read directory: .*cancelled/],
    [{ timeLimit: 0 }, /^failed to read directory: .*time limit/],
  ])('before anything was read is an error in the dialect', async (options, content) => {
    const root = makeTree({ a: '' });
    const answer = await send(root, { dir_path: root }, options);
    expect(answer).toEqual({ content: expect.stringMatching(content), success: false });
  });

  async function endingAt<T>(look: number, reason: 'aborted' | 'timeout', asked: () => Promise<T>): Promise<T> {
    let looks = 0;
    const over = vi.spyOn(Budget.prototype, 'isDue', 'get').mockReturnValue(true);
    const ended = vi.spyOn(Budget.prototype, 'stopReason').mockImplementation(() => (++looks > look ? reason : null));
    try {
      return await asked();
    } finally {
      ended.mockRestore();
      over.mockRestore();
    }
  }

  it.each([
    ['aborted', /cancelled/],
    ['timeout', /time limit/],
  ] as const)('on the way gives what there is, and says that it was %s', async (reason, last) => {
    // Nothing else is in them, so that the order on the disk does not matter.
    const root = makeTree({ 'a/b/c/d': '' });
    const whole = await listed(root, { depth: 9 });
    const lines = await endingAt(2, reason, () => listed(root, { depth: 9 }));
    // The directory that could not be opened any more is counted.
    const unopened = reason === 'timeout' ? ['Could not read 1 directory'] : [];
    expect(lines.slice(0, -1).slice(lines.length - 1 - unopened.length)).toEqual(unopened);
    const told = lines.slice(0, -1 - unopened.length);
    expect(told).toEqual(whole.slice(0, told.length));
    expect(told.length).toBeGreaterThan(0);
    expect(told.length).toBeLessThan(whole.length);
    expect(lines.at(-1)).toMatch(last);
  });

  it('does not say that the offset is too large: nobody knows', async () => {
    const root = makeTree({ 'a/b/c/d': '' });
    const { content, success } = await endingAt(2, 'timeout', () => ask(root, { depth: 9, offset: 4 }));
    expect(content).not.toContain('offset exceeds');
    expect(content).toMatch(/time limit/);
    expect(success).toBe(true);
  });
});
