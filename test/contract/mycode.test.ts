import { execFileSync } from 'node:child_process';
import { chmodSync, lutimesSync, mkdirSync, truncateSync, writeFileSync } from 'node:fs';
import { isAbsolute, join, resolve } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { ToolReply } from '../../src/dialects/dialect.ts';
import { dialects } from '../../src/dialects/index.ts';
import type { LSOutput } from '../../src/dialects/mycode.ts';
import { call } from '../../src/faces/library/call.ts';
import { openWorkspace } from '../../src/faces/library/open-workspace.ts';
import type { CallOptions } from '../../src/listing/query.ts';
import { displayWidth } from '../../src/text/display-width.ts';
import { Budget } from '../../src/workspace/budget.ts';
import { Visit } from '../../src/workspace/visit.ts';
import { corpus } from '../support/corpus.ts';
import { asNobody } from '../support/nobody.ts';
import { addTree, makeTree, type TreeLiteral, withLinksOn } from '../support/tree.ts';
import { expectPaths, skipOnWindows } from '../support/windows.ts';

/** What every answer keeps to, whatever was asked. */
function expectWellFormed({ answer, text, isError }: ToolReply<LSOutput>): void {
  const order = ['success', 'path', 'entries', 'summary', 'truncated', 'unreadable', 'error'];
  const keys = Object.keys(answer);
  expect(keys).toEqual(order.filter((key) => keys.includes(key)));
  expect(JSON.parse(JSON.stringify(answer))).toEqual(answer);
  expect(isAbsolute(answer.path.replace(/^"/, ''))).toBe(true);
  expect(isError).toBe(!answer.success);
  if (!answer.success) {
    expect(keys).toEqual(['success', 'path', 'entries', 'error']);
    expect(answer.entries).toEqual([]);
    expect(text.startsWith(answer.error as string)).toBe(true);
    return;
  }
  expect(typeof answer.truncated).toBe('boolean');
  expect(keys).not.toContain('error');
  const known = ['name', 'path', 'type', 'size', 'modified', 'permissions', 'target'];
  for (const entry of answer.entries) {
    expect(known.filter((key) => Object.hasOwn(entry, key))).toEqual(Object.keys(entry));
    expect(Object.hasOwn(entry, 'target')).toBe(entry.type === 'symlink');
  }
}

async function reply(
  root: string,
  params: unknown,
  cwd = '.',
  options: CallOptions = {},
): Promise<ToolReply<LSOutput>> {
  const workspace = await openWorkspace(root, { cwd });
  const replied = await dialects.mycode.call(params, workspace, options);
  workspace.close();
  expectWellFormed(replied);
  return replied;
}

const ask = async (...call: Parameters<typeof reply>) => (await reply(...call)).answer;
const ls = (tree: TreeLiteral, params: unknown = {}, cwd = '.') => ask(makeTree(tree), params, cwd);
const paths = ({ entries }: LSOutput) => entries.map(({ path }) => path);
const linesOf = async (tree: TreeLiteral, params: unknown = {}, cwd = '.') =>
  (await reply(makeTree(tree), params, cwd)).text.split('\n');

/** Gives each path its time, seconds since 1970, also a link itself. Deepest first, for writing changes a directory. */
function setTimes(root: string, seconds: Readonly<Record<string, number>>): void {
  for (const [path, time] of Object.entries(seconds).reverse()) lutimesSync(join(root, path), time, time);
}

describe('a bad parameter', () => {
  const boolean = (name: string) => `${name} must be a boolean.`;
  const rows: [unknown, string][] = [
    [{ path: 5 }, 'path must be a string.'],
    [{ path: false }, 'path must be a string.'],
    [{ path: ['.'] }, 'path must be a string.'],
    [{ path: '"x' }, 'path is a malformed quoted string.'],
    [{ path: '"x" ' }, 'path is a malformed quoted string.'],
    ...['all', 'long', 'recursive', 'reverse', 'directories_only', 'files_only'].flatMap(
      (name): [unknown, string][] => [
        [{ [name]: 1 }, boolean(name)],
        [{ [name]: 'true' }, boolean(name)],
        [{ [name]: [] }, boolean(name)],
      ],
    ),
    ...[0, -1, 11, 1e300, 1.5, '3', true, [3], {}].map((depth): [unknown, string] => [
      { depth },
      'depth must be an integer between 1 and 10.',
    ]),
    ...[0, -1, 1001, 2.5, '10', false, [10]].map((limit): [unknown, string] => [
      { limit },
      'limit must be an integer between 1 and 1000.',
    ]),
    [{ recursive: true, depth: 11 }, 'depth must be an integer between 1 and 10.'],
    [{ pattern: 5 }, 'pattern must be a string.'],
    [{ pattern: ['*.ts'] }, 'pattern must be a string.'],
    ...['Name', 'mtime', '', 0, true, ['name']].map((sort): [unknown, string] => [
      { sort },
      'sort must be one of name, size, modified, type.',
    ]),
    [
      { directories_only: true, files_only: true },
      'directories_only and files_only exclude each other: send one of them.',
    ],
    ['src', 'Parameters must be a JSON object.'],
    [['src'], 'Parameters must be a JSON object.'],
    [7, 'Parameters must be a JSON object.'],
  ];

  it.each(rows)('%j: %s', async (params, error) => {
    const root = makeTree({ file: '' });
    const { answer, text } = await reply(root, params);
    expect(answer).toEqual({ success: false, path: root, entries: [], error });
    expect(text).toBe(error);
  });

  it.each([
    [{ pth: '.' }, "Unknown parameter 'pth'. Did you mean 'path'?"],
    [{ Path: '.' }, "Unknown parameter 'Path'. Did you mean 'path'?"],
    [{ directoriesOnly: true }, "Unknown parameter 'directoriesOnly'. Did you mean 'directories_only'?"],
    [{ files: true }, "Unknown parameter 'files'. Did you mean 'files_only'?"],
    [{ recurse: null }, "Unknown parameter 'recurse'. Did you mean 'recursive'?"],
    [{ patern: '*' }, "Unknown parameter 'patern'. Did you mean 'pattern'?"],
    [{ path: '.', limits: 4 }, "Unknown parameter 'limits'. Did you mean 'limit'?"],
  ])('that is not known names the nearest, also when it is null: %j', async (params, error) => {
    expect((await ls({}, params)).error).toBe(error);
  });

  it('that is near to nothing names all, and cannot forge a line', async () => {
    const { error } = await ls({}, { 'a\nb': 1 });
    expect(error).toBe(
      'Unknown parameter \'"a\\nb"\'. Known: path, all, long, recursive, depth, pattern, sort, reverse, ' +
        'directories_only, files_only, limit.',
    );
  });

  it('is told with the path that was asked for, resolved against the cwd', async () => {
    const root = makeTree({ 'src/lib': null });
    expect((await ask(root, { path: 'lib', limit: 0 }, 'src')).path).toBe(join(root, 'src/lib'));
    expect((await ask(root, { path: '"l\\u0069b"', dept: 1 }, 'src')).path).toBe(join(root, 'src/lib'));
    expect((await ask(root, { path: 5 }, 'src')).path).toBe(join(root, 'src'));
  });

  it('is found before the sandbox and the disk are asked', async () => {
    expect((await ls({}, { path: '/etc', limit: 0 })).error).toBe('limit must be an integer between 1 and 1000.');
    expect((await ls({}, { path: 'nothing', sort: 'x' })).error).toMatch(/^sort must be/);
  });
});

describe('a parameter that is fine', () => {
  const tree: TreeLiteral = { 'a/b/c/d/e': '', '.h': '', f: 'x' };

  it('null means unset, for each of them', async () => {
    const names = Object.keys(dialects.mycode.tool.parameters.properties as object);
    expect(names).toHaveLength(11);
    const root = makeTree(tree);
    const plain = await ask(root, {});
    expect(paths(plain)).toEqual(['a', 'f']);
    for (const name of names) expect(await ask(root, { [name]: null })).toEqual(plain);
    expect(await ask(root, Object.fromEntries(names.map((name) => [name, null])))).toEqual(plain);
  });

  it.each([undefined, null, {}])('no parameters (%j) list the cwd', async (params) => {
    expect(paths(await ls({ 'sub/a': '', b: '' }, params, 'sub'))).toEqual(['a']);
  });

  it('both limits may be reached, and a whole number may be written 2.0', async () => {
    expect(paths(await ls(tree, { recursive: true, depth: 10, limit: 1000 }))).toHaveLength(6);
    expect(paths(await ls(tree, JSON.parse('{"recursive": true, "depth": 2.0, "limit": 2.0}')))).toEqual(['a', 'a/b']);
  });

  it('a depth is 3 when nobody says, and does nothing without recursive', async () => {
    expect(paths(await ls(tree, { recursive: true }))).toEqual(['a', 'a/b', 'a/b/c', 'f']);
    expect(paths(await ls(tree, { depth: 5 }))).toEqual(['a', 'f']);
  });

  it('an empty pattern is unset', async () => {
    expect(paths(await ls(tree, { pattern: '' }))).toEqual(['a', 'f']);
  });

  it('false for both of directories_only and files_only is both', async () => {
    expect(paths(await ls(tree, { directories_only: false, files_only: false }))).toEqual(['a', 'f']);
    expect(paths(await ls(tree, { directories_only: true, files_only: false }))).toEqual(['a']);
  });
});

describe('a path', () => {
  const tree: TreeLiteral = { 'sub/deep/x': '', 'sub/y': '', top: '', 'sub dir/z': '', l: { link: 'sub' } };

  it.each([
    ['.', '', '', ['sub', 'sub dir', 'top']],
    ['.', '.', '', ['sub', 'sub dir', 'top']],
    ['.', 'sub', '/sub', ['deep', 'y']],
    ['.', 'sub/', '/sub', ['deep', 'y']],
    ['.', './sub//deep/..', '/sub', ['deep', 'y']],
    ['.', 'nothing/../sub', '/sub', ['deep', 'y']],
    ['.', '{ROOT}/sub', '/sub', ['deep', 'y']],
    ['.', '{ROOT}', '', ['sub', 'sub dir', 'top']],
    ['.', 'sub dir', '/sub dir', ['z']],
    ['.', '"sub"', '/sub', ['deep', 'y']],
    ['.', '"sub"/', '/sub', ['deep', 'y']],
    ['.', '"su\\u0062\\u0020dir"', '/sub dir', ['z']],
    ['.', 'l', '/l', ['deep', 'y']],
    ['sub', '', '/sub', ['deep', 'y']],
    ['sub', 'deep', '/sub/deep', ['x']],
    ['sub', '..', '', ['sub', 'sub dir', 'top']],
    ['sub/deep', '../../sub dir', '/sub dir', ['z']],
    ['sub', '{ROOT}/sub dir', '/sub dir', ['z']],
    ['l', 'deep', '/sub/deep', ['x']],
  ])('from the cwd %j, %j is ROOT%s', async (cwd, path, resolved, expected) => {
    const root = makeTree(withLinksOn(`${cwd}/${path}`, tree));
    const answer = await ask(root, { path: path.replace('{ROOT}', root) }, cwd);
    expect([answer.success, answer.path, paths(answer)]).toEqual([true, join(root, resolved), expected]);
  });

  it.each([' sub', 'sub ', 'SUB', 's%75b', '~', "'sub'"])('is taken literally: %j is not there', async (path) => {
    if (path === 'SUB') expectPaths(['sub', path]);
    expect((await ls(withLinksOn(path, tree), { path })).error).toBe(`Path does not exist: ${path}`);
  });

  it('in the text is the real one, as an argument would be written', async () => {
    const plain = withLinksOn('', tree);
    expect((await linesOf(plain, { path: 'deep' }, 'sub'))[0]).toBe('Contents of deep/:');
    expect((await linesOf(plain, {}, 'sub'))[0]).toBe('Contents of ./:');
    expect((await linesOf(plain, { path: '..' }, 'sub'))[0]).toBe('Contents of ../:');
  });

  it('through a link is in the text the one that it leads to', async () => {
    expect((await linesOf(tree, { path: 'l' }))[0]).toBe('Contents of sub/:');
  });
});

describe('a refusal', () => {
  const tree: TreeLiteral = {
    file: '',
    sub: null,
    out: { link: '../outside' },
    gone: { link: '../nothing' },
    broken: { link: 'nothing' },
    loop: { link: 'loop' },
    back: { link: '../root/sub' },
    'to-file': { link: 'file' },
  };
  const outside = (path: string) => `Path is outside the workspace: ${path}`;
  const missing = (path: string) => `Path does not exist: ${path}`;

  it.each([
    ['..', outside('..')],
    ['../', outside('../')],
    ['../outside', outside('../outside')],
    ['../root-sibling', outside('../root-sibling')],
    ['/', outside('/')],
    ['/etc', outside('/etc')],
    ['/nonexistent/x', outside('/nonexistent/x')],
    ['sub/../..', outside('sub/../..')],
    ['nothing/../..', outside('nothing/../..')],
    ['out', outside('out')],
    ['out/secret', outside('out/secret')],
    ['gone', outside('gone')],
    ['back', outside('back')],
    ['a\0', outside('"a\\u0000"')],
    ['nothing', missing('nothing')],
    ['broken', missing('broken')],
    ['loop', missing('loop')],
    ['file/x', missing('file/x')],
    ['sub/nothing', missing('sub/nothing')],
    ['a\nb', missing('"a\\nb"')],
    ['"a\\nb"', missing('"a\\nb"')],
    ['n'.repeat(300), missing('n'.repeat(300))],
    ['file', 'Not a directory'],
    ['./file', 'Not a directory'],
    ['to-file', 'Not a directory'],
  ])('%j: %s', async (path, error) => {
    const root = makeTree(withLinksOn(path, tree));
    addTree(join(root, '..'), { 'outside/secret': '', 'root-sibling/x': '' });
    const resolved = resolve(root, path.startsWith('"') ? 'a\nb' : path);
    expect(await ask(root, { path })).toEqual({ success: false, path: resolved, entries: [], error });
  });

  it.each(['../outside', '../outside/x', 'out', 'out/x', 'out/..'])(
    '%s is the same, to the letter, whatever is outside',
    async (path) => {
      const root = makeTree(tree);
      const answers = new Set<string>();
      const worlds: TreeLiteral[] = [{}, { outside: 'file' }, { 'outside/x': null }, { outside: { link: 'nothing' } }];
      for (const world of worlds) {
        addTree(join(root, '..'), world);
        const { answer, text } = await reply(root, { path });
        answers.add(JSON.stringify([answer, text]));
        execFileSync('rm', ['-rf', join(root, '../outside')]);
      }
      expect([...answers]).toHaveLength(1);
      expect([...answers][0]).toContain('outside the workspace');
    },
  );

  it('starts at the cwd in its path, and shows the argument as given in its reason', async () => {
    const root = makeTree({ 'a/b': null });
    expect(await ask(root, { path: '../c' }, 'a/b')).toMatchObject({
      path: join(root, 'a/c'),
      error: 'Path does not exist: ../c',
    });
    expect(await ask(root, { path: `${root}/c` }, 'a/b')).toMatchObject({
      path: join(root, 'c'),
      error: `Path does not exist: ${root}/c`,
    });
  });

  it('says in the text alone what may have been meant', async () => {
    const { answer, text } = await reply(makeTree({ 'src/utils': null }), { path: 'src/utilz' });
    expect(answer.error).toBe('Path does not exist: src/utilz');
    expect(text).toBe("Path does not exist: src/utilz\nDid you mean 'src/utils'?");
  });

  it('a FIFO is no directory', async () => {
    const root = makeTree({});
    execFileSync('mkfifo', [join(root, 'pipe')]);
    expect((await ask(root, { path: 'pipe' })).error).toBe('Not a directory');
  });

  it('the system refuses: permission denied, with the path as given', async () => {
    const root = makeTree({ 'locked/inner': null });
    const answers = await asNobody(root, ['locked'], async () => [
      await ask(root, { path: './locked' }),
      await ask(root, { path: 'locked/inner' }),
      await ask(root, { path: 'locked', recursive: true, long: true }),
    ]);
    expect(answers).toEqual([
      { success: false, path: join(root, 'locked'), entries: [], error: 'Permission denied: ./locked' },
      { success: false, path: join(root, 'locked/inner'), entries: [], error: 'Permission denied: locked/inner' },
      { success: false, path: join(root, 'locked'), entries: [], error: 'Permission denied: locked' },
    ]);
  });

  it('anything else is an answer, too', async () => {
    const workspace = await openWorkspace(makeTree({}));
    workspace.close();
    const answer = await call('mycode', {}, workspace);
    expect([answer.success, answer.error]).toEqual([false, 'Failed to list directory: the workspace is closed']);
  });
});

/** One of each type, with times and modes that are known. */
function oneOfEach(): string {
  const root = makeTree({ 'd/in.txt': '12345', 'f.txt': 'hello', l: { link: 'd/in.txt' }, out: { link: '../any' } });
  execFileSync('mkfifo', [join(root, 'p')]);
  chmodSync(join(root, 'd'), 0o750);
  chmodSync(join(root, 'd/in.txt'), 0o600);
  chmodSync(join(root, 'f.txt'), 0o644);
  chmodSync(join(root, 'p'), 0o640);
  setTimes(root, { d: 1e9, 'd/in.txt': 1.1e9, 'f.txt': 1.2e9, l: 1.3e9, out: 1.4e9, p: 1.5e9 });
  return root;
}

describe('an entry', () => {
  it('is a name, a path and a type, and a link has its own text', async () => {
    expect((await ask(oneOfEach(), { recursive: true })).entries).toEqual([
      { name: 'd', path: 'd', type: 'directory' },
      { name: 'in.txt', path: 'd/in.txt', type: 'file' },
      { name: 'f.txt', path: 'f.txt', type: 'file' },
      { name: 'l', path: 'l', type: 'symlink', target: 'd/in.txt' },
      { name: 'out', path: 'out', type: 'symlink', target: '../any' },
      { name: 'p', path: 'p', type: 'other' },
    ]);
  });

  it('has metadata with long: a size where it has contents, and a link its own', async () => {
    const mode = expect.stringMatching(/^lrwxr.xr.x$/);
    expect((await ask(oneOfEach(), { recursive: true, long: true })).entries).toEqual([
      { name: 'd', path: 'd', type: 'directory', modified: '2001-09-09T01:46:40.000Z', permissions: 'drwxr-x---' },
      {
        name: 'in.txt',
        path: 'd/in.txt',
        type: 'file',
        size: 5,
        modified: '2004-11-09T11:33:20.000Z',
        permissions: '-rw-------',
      },
      {
        name: 'f.txt',
        path: 'f.txt',
        type: 'file',
        size: 5,
        modified: '2008-01-10T21:20:00.000Z',
        permissions: '-rw-r--r--',
      },
      {
        name: 'l',
        path: 'l',
        type: 'symlink',
        modified: '2011-03-13T07:06:40.000Z',
        permissions: mode,
        target: 'd/in.txt',
      },
      {
        name: 'out',
        path: 'out',
        type: 'symlink',
        modified: '2014-05-13T16:53:20.000Z',
        permissions: mode,
        target: '../any',
      },
      {
        name: 'p',
        path: 'p',
        type: 'other',
        size: 0,
        modified: '2017-07-14T02:40:00.000Z',
        permissions: 'prw-r-----',
      },
    ]);
  });

  it.each(['size', 'modified', 'type'])('shows nothing more because the order by %s needs it', async (sort) => {
    const { entries } = await ask(oneOfEach(), { sort });
    expect(new Set(entries.flatMap(Object.keys))).toEqual(new Set(['name', 'path', 'type', 'target']));
  });

  it('says all ten characters of its permissions', async () => {
    const root = makeTree({ a: '', b: '', c: '', d: null });
    for (const [name, mode] of Object.entries({ a: 0o4755, b: 0o2640, c: 0o000, d: 0o1777 })) {
      chmodSync(join(root, name), mode);
    }
    const { entries } = await ask(root, { long: true });
    expect(entries.map(({ permissions }) => permissions)).toEqual([
      '-rwsr-xr-x',
      '-rw-r-S---',
      '----------',
      'drwxrwxrwt',
    ]);
  });

  it('that vanishes while it is read is left out, and nothing is called truncated for it', async () => {
    const root = makeTree({ a: '', b: '', c: '' });
    const original = Visit.prototype.metadata;
    const metadata = vi.spyOn(Visit.prototype, 'metadata').mockImplementation(function (this: Visit, name) {
      if (name === 'b') execFileSync('rm', ['-f', join(root, 'b')]);
      return original.call(this, name);
    });
    const byName = await reply(root, { long: true });
    addTree(root, { b: '' });
    const bySize = await reply(root, { long: true, sort: 'size' });
    metadata.mockRestore();
    for (const { answer, text } of [byName, bySize]) {
      expect([paths(answer), answer.truncated]).toEqual([['a', 'c'], false]);
      expect(answer.summary).toEqual({ total_files: 2, total_directories: 0, total_size: 0 });
      expect(text).not.toContain('Showing');
    }
  });

  it.each([{}, { long: true }, { sort: 'size' }, { sort: 'type', long: true }])(
    'of which the system tells the name alone is listed all the same: %j',
    async (params) => {
      const root = makeTree({ 'names/file': 'x', 'names/link': { link: 'file' }, 'names/dir': null });
      // A directory that may be read but not entered.
      const answer = await asNobody(root, ['names'], () => askBare(root, { path: 'names', ...params }), 0o744);
      expect(answer.entries.map(({ name, type }) => `${type} ${name}`).sort()).toEqual([
        'directory dir',
        'file file',
        'symlink link',
      ]);
      expect(answer.truncated).toBe(false);
    },
  );

  it('with a time that no date can hold is listed without it', async () => {
    const root = makeTree({ a: '', b: '' });
    const original = Visit.prototype.metadata;
    const metadata = vi.spyOn(Visit.prototype, 'metadata').mockImplementation(function (this: Visit, name) {
      const found = original.call(this, name);
      return found !== null && found !== 'refused' && name === 'a' ? { ...found, modified: 1e17 } : found;
    });
    const { answer, text } = await reply(root, { long: true });
    metadata.mockRestore();
    expect(answer.success).toBe(true);
    expect(answer.entries.map(({ modified }) => modified === undefined)).toEqual([true, false]);
    expect(text).toMatch(/│ a +file +0 B +- +│/);
  });

  /** Without the rule that each link has a target: here it cannot be read. */
  async function askBare(root: string, params: unknown): Promise<LSOutput> {
    const workspace = await openWorkspace(root);
    const answer = await call('mycode', params, workspace);
    workspace.close();
    return answer;
  }
});

describe('depth', () => {
  const tree: TreeLiteral = { '1/2/3/4/5/6/7/8/9/10/11/f': '' };

  it.each([1, 2, 3, 9, 10])('%i shows as many levels', async (depth) => {
    const found = paths(await ls(tree, { recursive: true, depth }));
    expect(found).toEqual(
      Array.from({ length: depth }, (_, i) => Array.from({ length: i + 1 }, (_, j) => j + 1).join('/')),
    );
  });

  it('never goes down a link, wherever it leads', async () => {
    const root = makeTree({
      'd/x': '',
      'd/up': { link: '..' },
      here: { link: '.' },
      inside: { link: 'd' },
      out: { link: '../outside' },
    });
    addTree(join(root, '..'), { 'outside/secret': '' });
    expect(paths(await ask(root, { recursive: true, depth: 10 }))).toEqual([
      'd',
      'd/up',
      'd/x',
      'here',
      'inside',
      'out',
    ]);
  });
});

describe('what is hidden', () => {
  const tree: TreeLiteral = { '.git/config': '', '.env': '', 'd/.x': '', 'd/y': '', node_modules: null };

  it('names that start with a dot, with all that is below; and nothing else', async () => {
    expect(paths(await ls(tree, { recursive: true }))).toEqual(['d', 'd/y', 'node_modules']);
  });

  it('all shows them', async () => {
    const all = ['.env', '.git', '.git/config', 'd', 'd/.x', 'd/y', 'node_modules'];
    expect(paths(await ls(tree, { recursive: true, all: true }))).toEqual(all);
  });

  it('is in no count', async () => {
    const answer = await ls(tree, { long: true, limit: 2 });
    expect(answer).toMatchObject({ truncated: false, summary: { total_files: 0, total_directories: 2 } });
  });

  it('a hidden directory can be listed by its path', async () => {
    expect(paths(await ls(tree, { path: '.git' }))).toEqual(['config']);
  });
});

describe('the order', () => {
  const sized = (size: number) => 'x'.repeat(size);

  it('by name has no regard to case, and then goes by the raw name; directories stand among files', async () => {
    const tree: TreeLiteral = {
      b: '',
      B: '',
      a: null,
      _: '',
      Z: null,
      z: '',
      é: '',
      É: '',
      '10': '',
      '9': '',
      '～': '',
    };
    const ordered = ['10', '9', '_', 'a', 'B', 'b', 'Z', 'z', 'É', 'é', '～'];
    skipOnWindows('a disk that tells case apart');
    const root = makeTree(tree);
    expect(paths(await ask(root, {}))).toEqual(ordered);
    expect(paths(await ask(root, { sort: 'name', reverse: true }))).toEqual(ordered.toReversed());
  });

  it('by name compares code points, not UTF-16', async () => {
    expect(paths(await ls({ '😀': '', '～': '', 日: '' }))).toEqual(['日', '～', '😀']);
  });

  it('by name keeps a directory straight before what it contains, also in reverse', async () => {
    const root = makeTree({ 'foo/x': '', 'foo/Y': '', 'foo-bar/z': '', 'foo.ts': '', Foo2: '' });
    expect(paths(await ask(root, { recursive: true }))).toEqual([
      'foo',
      'foo/x',
      'foo/Y',
      'foo-bar',
      'foo-bar/z',
      'foo.ts',
      'Foo2',
    ]);
    expect(paths(await ask(root, { recursive: true, reverse: true }))).toEqual([
      'Foo2',
      'foo.ts',
      'foo-bar',
      'foo-bar/z',
      'foo',
      'foo/Y',
      'foo/x',
    ]);
  });

  it('by size is over the whole result, the largest first; directories and links are 0, ties go by path', async () => {
    const root = makeTree({
      'a/large': sized(300),
      'a/none': '',
      'b/larger': sized(3000),
      b0: sized(10),
      'Z/ten': sized(10),
      l: { link: 'b/larger' },
    });
    const ordered = ['b/larger', 'a/large', 'Z/ten', 'b0', 'Z', 'a', 'a/none', 'b', 'l'];
    expect(paths(await ask(root, { recursive: true, sort: 'size' }))).toEqual(ordered);
    expect(paths(await ask(root, { recursive: true, sort: 'size', reverse: true }))).toEqual(ordered.toReversed());
    expect(paths(await ask(root, { recursive: true, sort: 'size', files_only: true, limit: 2 }))).toEqual(
      ordered.slice(0, 2),
    );
  });

  it('by size knows sizes beyond 4 GB', async () => {
    const root = makeTree({ a: '', b: '', c: '' });
    for (const [name, size] of Object.entries({ a: 2 ** 32, b: 2 ** 32 + 1, c: 2 ** 31 })) {
      truncateSync(join(root, name), size);
    }
    const answer = await ask(root, { sort: 'size', long: true });
    expect(answer.entries.map(({ size }) => size)).toEqual([2 ** 32 + 1, 2 ** 32, 2 ** 31]);
    expect(answer.summary?.total_size).toBe(2 * 2 ** 32 + 1 + 2 ** 31);
  });

  it('by time is over the whole result, the newest first, a link by its own; ties go by path', async () => {
    const root = makeTree({ 'd/new': '', 'd/old': '', e: null, l: { link: 'd/new' }, f: '' });
    setTimes(root, { d: 1000, 'd/new': 5000, 'd/old': 1, e: 1000, l: 3000, f: 1000.5 });
    const ordered = ['d/new', 'l', 'f', 'd', 'e', 'd/old'];
    expect(paths(await ask(root, { recursive: true, sort: 'modified' }))).toEqual(ordered);
    expect(paths(await ask(root, { recursive: true, sort: 'modified', reverse: true }))).toEqual(ordered.toReversed());
  });

  it('by type is directory, file, symlink, other, over the whole result; then by name', async () => {
    const root = makeTree({ 'b/C': '', 'b/a': '', 'a/B': '', 'a/d': null, l: { link: 'a' }, 'b/k': { link: 'a' } });
    execFileSync('mkfifo', [join(root, 'a/pipe')]);
    const ordered = ['a', 'b', 'a/d', 'b/a', 'a/B', 'b/C', 'b/k', 'l', 'a/pipe'];
    expect(paths(await ask(root, { recursive: true, sort: 'type' }))).toEqual(ordered);
    expect(paths(await ask(root, { recursive: true, sort: 'type', reverse: true }))).toEqual(ordered.toReversed());
  });

  it('by type takes names that are equal but for case by the raw name, and equal ones by path', async () => {
    const root = makeTree({ 'x/a': '', 'y/A': '', 'z/a': '' });
    expect(paths(await ask(root, { recursive: true, sort: 'type', files_only: true }))).toEqual(['y/A', 'x/a', 'z/a']);
  });

  it('applies to one level, too', async () => {
    const tree: TreeLiteral = { a: sized(1), b: sized(2), 'c/x': sized(9) };
    expect(paths(await ls(tree, { sort: 'size' }))).toEqual(['b', 'a', 'c']);
    expect(paths(await ls(tree, { sort: 'type' }))).toEqual(['c', 'a', 'b']);
  });
});

describe('directories_only and files_only', () => {
  const tree: TreeLiteral = { 'a/b/c.ts': '', 'a/l': { link: 'b' }, 'd.ts': '', e: null };

  it('leave the other types out, links among them', async () => {
    expect(paths(await ls(tree, { recursive: true, directories_only: true }))).toEqual(['a', 'a/b', 'e']);
    expect(paths(await ls(tree, { directories_only: true }))).toEqual(['a', 'e']);
    expect(paths(await ls(tree, { files_only: true }))).toEqual(['d.ts']);
  });

  it('leave a directory out, but not its contents', async () => {
    expect(paths(await ls(tree, { recursive: true, files_only: true }))).toEqual(['a/b/c.ts', 'd.ts']);
    expect(paths(await ls(tree, { recursive: true, files_only: true, depth: 2 }))).toEqual(['d.ts']);
  });

  it('count alone what they let pass', async () => {
    const answer = await ls(tree, { recursive: true, files_only: true, long: true });
    expect(answer.summary).toEqual({ total_files: 2, total_directories: 0, total_size: 0 });
  });
});

describe('limit, truncated and summary', () => {
  const tree: TreeLiteral = { 'a/x': '123', 'a/y': '4567', b: '89', c: null, l: { link: 'b' } };
  const whole = ['a', 'a/x', 'a/y', 'b', 'c', 'l'];

  it.each([1, 2, 5, 6, 7])('limit %i is a beginning of the whole', async (limit) => {
    const answer = await ls(tree, { recursive: true, limit });
    expect([paths(answer), answer.truncated]).toEqual([whole.slice(0, limit), limit < 6]);
  });

  it.each(['name', 'size', 'modified', 'type'])('the summary counts everything, before the limit: %s', async (sort) => {
    const answer = await ls(tree, { recursive: true, long: true, limit: 1, sort });
    expect(answer.entries).toHaveLength(1);
    expect(answer.summary).toEqual({ total_files: 3, total_directories: 2, total_size: 9 });
  });

  it('there is no summary without long', async () => {
    expect(Object.keys(await ls(tree, {}))).toEqual(['success', 'path', 'entries', 'truncated']);
    expect(Object.keys(await ls({}, { long: true }))).toEqual(['success', 'path', 'entries', 'summary', 'truncated']);
  });

  it('there are 1,000 entries at most, also when nobody says how many', async () => {
    const root = makeTree({});
    for (let i = 0; i < 1001; i++) writeFileSync(join(root, `f${i}`), '');
    const { answer, text } = await reply(root, {});
    expect([answer.entries.length, answer.truncated]).toEqual([1000, true]);
    expect(text.split('\n').slice(-2)).toEqual([
      '1001 items (1001 files, 0 directories)',
      'Showing 1000 of 1001 files (truncated)',
    ]);
    const ranked = await ask(root, { sort: 'size' });
    expect([ranked.entries.length, ranked.truncated]).toEqual([1000, true]);
  });
});

describe('a directory that cannot be read', () => {
  const tree: TreeLiteral = { 'a/locked/secret': '', 'a/x': '', 'b/shut/secret': '', c: '' };
  const locked = ['a/locked', 'b/shut'];
  const asked = async (params: object) => {
    const root = makeTree(tree);
    const { answer, text } = await asNobody(root, locked, () => reply(root, { recursive: true, ...params }));
    return { answer, lines: text.split('\n') };
  };

  it('is listed, named in the answer and marked in the tree; the rest is there', async () => {
    const { answer, lines } = await asked({});
    expect(paths(answer)).toEqual(['a', 'a/locked', 'a/x', 'b', 'b/shut', 'c']);
    expect([answer.success, answer.truncated, answer.unreadable]).toEqual([true, false, locked]);
    expect(lines).toEqual([
      './',
      '├── a/',
      '│   ├── locked/ [permission denied]',
      '│   └── x',
      '├── b/',
      '│   └── shut/ [permission denied]',
      '└── c',
    ]);
  });

  it('is marked in the table', async () => {
    const { answer, lines } = await asked({ long: true });
    expect(answer.unreadable).toEqual(locked);
    expect(lines.filter((line) => line.includes('[permission denied]'))).toEqual([
      expect.stringMatching(/^│ a\/locked\/ \[permission denied\] {3}dir /),
      expect.stringMatching(/^│ b\/shut\/ \[permission denied\] {5}dir /),
    ]);
    expect(lines.at(-1)).toBe('Summary: 2 files, 4 directories, 0 B total');
  });

  it('is marked in the list of paths', async () => {
    const { answer, lines } = await asked({ sort: 'type' });
    expect(answer.unreadable?.toSorted()).toEqual(locked);
    expect(lines).toEqual([
      'By type in ./:',
      '  a/',
      '  b/',
      '  a/locked/ [permission denied]',
      '  b/shut/ [permission denied]',
      '  c',
      '  a/x',
      '',
      '6 items',
    ]);
  });

  it('is not asked for where nobody looks into it', async () => {
    const { answer, lines } = await asked({ depth: 2 });
    expect(Object.keys(answer)).not.toContain('unreadable');
    expect(lines.join('\n')).not.toContain('permission denied');
  });
});

describe('the text of one level', () => {
  it('has a heading, branches, an empty line and the counts', async () => {
    expect(await linesOf({ 'src/a.ts': '', 'src/b/c': '', 'src/l': { link: 'b' } }, { path: 'src' })).toEqual([
      'Contents of src/:',
      '├── a.ts',
      '├── b/',
      '└── l -> b',
      '',
      '3 items (1 file, 1 directory, 1 link)',
    ]);
  });

  it.each([
    [{ a: '' }, '1 item (1 file, 0 directories)'],
    [{ a: null }, '1 item (0 files, 1 directory)'],
    [{ a: null, b: null, c: '' }, '3 items (1 file, 2 directories)'],
    [{ a: '', b: '' }, '2 items (2 files, 0 directories)'],
    [{ a: { link: 'x' } }, '1 item (0 files, 0 directories, 1 link)'],
    [{ a: { link: 'x' }, b: { link: 'x' }, c: '' }, '3 items (1 file, 0 directories, 2 links)'],
  ] as [TreeLiteral, string][])('counts %j', async (tree, counts) => {
    expect((await linesOf(tree)).at(-1)).toBe(counts);
  });

  it('counts others when there are any', async () => {
    const root = makeTree({ l: { link: 'x' } });
    execFileSync('mkfifo', [join(root, 'p')]);
    expect((await reply(root, {})).text).toBe(
      'Contents of ./:\n├── l -> x\n└── p\n\n2 items (0 files, 0 directories, 1 link, 1 other)',
    );
    execFileSync('mkfifo', [join(root, 'q')]);
    expect((await reply(root, {})).text.split('\n').at(-1)).toBe('3 items (0 files, 0 directories, 1 link, 2 others)');
  });

  it.each([{}, { recursive: true }])('of an empty directory says that it is: %j', async (params) => {
    expect(await linesOf({ src: null }, { path: 'src', ...params })).toEqual(['src/ is empty.']);
    expect(await linesOf({}, params)).toEqual(['./ is empty.']);
  });

  it.each([
    { path: 'dirs', files_only: true },
    { path: 'dirs', files_only: true, recursive: true },
    { path: 'dirs', files_only: true, long: true },
    { path: 'files', directories_only: true },
    { path: 'files', directories_only: true, recursive: true },
    { path: 'dots' },
    { path: 'dots', recursive: true },
  ])('does not call empty what is only left out: %j', async (params) => {
    const { answer, text } = await reply(makeTree({ 'dirs/d': null, 'files/f': '', 'dots/.x': '' }), params);
    expect(answer.entries).toEqual([]);
    expect(text).not.toContain('empty');
  });

  it('says last what the limit cut', async () => {
    expect(await linesOf({ a: null, b: '', c: '' }, { limit: 2 })).toEqual([
      'Contents of ./:',
      '├── a/',
      '├── b',
      '…',
      '',
      '3 items (2 files, 1 directory)',
      'Showing 2 of 3 items (truncated)',
    ]);
  });
});

describe('the text of a tree', () => {
  it('has the directory’s line and the branches, and nothing more', async () => {
    const tree: TreeLiteral = { 'src/a/b/c': '', 'src/a/d': null, 'src/e': { link: '../x y' }, 'src/z/last': '' };
    expect(await linesOf(tree, { path: 'src', recursive: true })).toEqual([
      'src/',
      '├── a/',
      '│   ├── b/',
      '│   │   └── c',
      '│   └── d/',
      '├── e -> ../x y',
      '└── z/',
      '    └── last',
    ]);
  });

  it('of directories alone is a tree, too', async () => {
    expect(await linesOf({ 'a/b/c': '', d: '' }, { recursive: true, directories_only: true })).toEqual([
      './ (directories only)',
      '└── a/',
      '    └── b/',
    ]);
  });

  it('says last what the limit cut', async () => {
    const lines = await linesOf({ 'a/b': '', 'a/c': '', d: '' }, { recursive: true, limit: 2 });
    expect(lines).toEqual(['./', '├── a/', '│   ├── b', '…', '', 'Showing 2 of 4 items (truncated)']);
  });

  it('that was cut ends with … and draws no branch as the last that may not be', async () => {
    const lines = await linesOf({ 'a/b/c': '', 'a/d': '', 'e/f': '', g: '' }, { recursive: true, limit: 5 });
    const cut = ['./', '├── a/', '│   ├── b/', '│   │   └── c', '│   └── d', '├── e/', '…'];
    expect(lines.slice(0, cut.length)).toEqual(cut);
  });
});

describe('the text of a table', () => {
  const zone = process.env.TZ;
  afterEach(() => {
    if (zone === undefined) delete process.env.TZ;
    else process.env.TZ = zone;
  });

  function dated(tree: TreeLiteral): string {
    const root = makeTree(tree);
    setTimes(root, Object.fromEntries(Object.keys(tree).map((path) => [path, Date.UTC(2024, 5, 30, 23, 45) / 1000])));
    return root;
  }

  it('is as drawn, with local times, sizes in units of 1,024 and a summary', async () => {
    process.env.TZ = 'Asia/Tokyo';
    const root = dated({ 'a.bin': 'x'.repeat(1536), b: null, 'c.txt': 'x'.repeat(1023), d: { link: 'b' } });
    execFileSync('mkfifo', [join(root, 'e')]);
    lutimesSync(join(root, 'e'), 0, 0);
    expect((await reply(root, { long: true })).text).toBe(
      [
        '┌─ ./ ──────────────────────────────────────────────┐',
        '│ Name            Type    Size     Modified         │',
        '├───────────────────────────────────────────────────┤',
        '│ a.bin           file    1.5 KB   2024-07-01 08:45 │',
        '│ b/              dir     -        2024-07-01 08:45 │',
        '│ c.txt           file    1023 B   2024-07-01 08:45 │',
        '│ d -> b          link    -        2024-07-01 08:45 │',
        '│ e               other   0 B      1970-01-01 09:00 │',
        '└───────────────────────────────────────────────────┘',
        '',
        'Summary: 2 files, 1 directory, 1 link, 1 other, 2.5 KB total',
      ].join('\n'),
    );
  });

  it('has paths in place of names with recursive, in any order', async () => {
    const root = dated({ 'd/e/f': 'xx', 'd/g': 'x' });
    const names = async (params: object) =>
      (await reply(root, { long: true, recursive: true, ...params })).text
        .split('\n')
        .slice(3, -3)
        .map((line) => line.split(/\s+/)[1]);
    expect(await names({})).toEqual(['d/', 'd/e/', 'd/e/f', 'd/g']);
    expect(await names({ sort: 'size' })).toEqual(['d/e/f', 'd/g', 'd/', 'd/e/']);
  });

  it('stands straight with names of any script', async () => {
    const root = dated({
      '日本語のとても長い名前.txt': '',
      '👩‍💻🇩🇪✅.md': '',
      'naïve.txt': '',
      'a\nb': '',
      한국어: null,
    });
    const box = (await reply(root, { long: true })).text.split('\n').slice(0, -2);
    expect(box).toHaveLength(9);
    expect(new Set(box.map(displayWidth)).size).toBe(1);
    const columns = box.slice(3, -1).map((line) => displayWidth(line.slice(0, line.search(/(file|dir) {3}/))));
    expect(new Set(columns).size).toBe(1);
    // By hand: the longest name takes 26 columns, this one 7, and there are 3 between two columns.
    expect(box.find((line) => line.includes('한국어'))).toMatch(/^│ 한국어\/ {22}dir /);
  });

  it.each([
    [{ a: '' }, 'Summary: 1 file, 0 directories, 0 B total'],
    [{ a: 'x', b: 'y' }, 'Summary: 2 files, 0 directories, 2 B total'],
    [{ a: null, b: null, l: { link: 'a' } }, 'Summary: 0 files, 2 directories, 1 link, 0 B total'],
  ] as [TreeLiteral, string][])('sums up %j', async (tree, summary) => {
    expect((await linesOf(tree, { long: true })).at(-1)).toBe(summary);
  });

  it('says last what the limit cut', async () => {
    const lines = await linesOf({ a: null, b: null, c: null }, { long: true, limit: 1 });
    expect(lines.slice(-2)).toEqual([
      'Summary: 0 files, 3 directories, 0 B total',
      'Showing 1 of 3 directories (truncated)',
    ]);
  });
});

describe('the text of a list of paths', () => {
  const tree: TreeLiteral = { 'src/a/big': 'xxx', 'src/b': 'x', 'src/c': 'xx' };

  it.each([
    ['size', 'Largest first in src/:'],
    ['modified', 'Newest first in src/:'],
    ['type', 'By type in src/:'],
  ])('for the order by %s begins with %s', async (sort, heading) => {
    const lines = await linesOf(tree, { path: 'src', recursive: true, sort });
    expect(lines[0]).toBe(heading);
    expect(lines.slice(-2)).toEqual(['', '4 items']);
  });

  it('does not call the smallest first the largest', async () => {
    const heading = async (sort: string) =>
      (await linesOf(tree, { path: 'src', recursive: true, sort, reverse: true }))[0];
    expect(await heading('size')).toBe('Smallest first in src/:');
    expect(await heading('modified')).toBe('Oldest first in src/:');
    expect(await heading('type')).not.toBe('By type in src/:');
  });

  it('is one path a line, as an argument would be written; and the number of files', async () => {
    const params = { recursive: true, sort: 'size', files_only: true };
    const expected = ['Largest first in src/:', '  src/a/big', '  src/c', '  src/b', '', '3 files'];
    expect(await linesOf(tree, { path: 'src', ...params })).toEqual(expected);
    const inside = ['Largest first in ./:', '  a/big', '  c', '  b', '', '3 files'];
    expect(await linesOf(tree, params, 'src')).toEqual(inside);
    const above = ['Largest first in ../../:', '  big', '  ../c', '  ../b', '', '3 files'];
    expect(await linesOf(tree, { ...params, path: '../..' }, 'src/a')).toEqual(above);
  });

  it.each([
    [{ files_only: true }, 'Showing 1 of 3 files (truncated)'],
    [{}, 'Showing 1 of 4 items (truncated)'],
  ])('says last what the limit cut: %j', async (params, last) => {
    const lines = await linesOf(tree, { path: 'src', recursive: true, sort: 'size', limit: 1, ...params });
    expect(lines).toEqual(['Largest first in src/:', '  src/a/big', '', last]);
  });

  it.each([
    [{ 'a/b': null, 'a/c': null }, { sort: 'type', limit: 2 }, 'Showing 2 of 3 directories (truncated)'],
    [{ 'a/b': null }, { sort: 'type' }, '2 directories'],
    [{ a: null }, { sort: 'type' }, '1 directory'],
    [{ a: '' }, { sort: 'size' }, '1 file'],
    [{ a: { link: 'x' } }, { sort: 'size' }, '1 item'],
  ] as [TreeLiteral, object, string][])('calls %j with %j what they are', async (some, params, last) => {
    expect((await linesOf(some, { recursive: true, ...params })).at(-1)).toBe(last);
  });

  it('is what files_only makes of a tree, for there are no branches without directories', async () => {
    const lines = await linesOf(tree, { path: 'src', recursive: true, files_only: true });
    expect(lines.slice(1)).toEqual(['  src/a/big', '  src/b', '  src/c', '', '3 files']);
  });
});

describe('nothing is left out silently', () => {
  const deep: TreeLiteral = { 'a/b/c/d/show-map.ts': '', 'a/b/e/f': '', 'a/x/y.ts': '', '.git/x/y/z': '' };
  const limit = 'Depth limit 3 reached: 2 directories were not opened. depth: 4 shows more.';

  it.each<[string, object]>([
    ['a tree', {}],
    ['a table', { long: true }],
    ['a list of paths', { sort: 'size' }],
    ['matches', { pattern: '*.ts' }],
    ['no matches', { pattern: 'show-map.ts' }],
    ['files alone', { files_only: true }],
  ])('%s that stopped at the default depth says so in its last line', async (_view, params) => {
    expect((await linesOf(deep, { recursive: true, ...params })).at(-1)).toBe(limit);
    expect((await linesOf(deep, { recursive: true, depth: null, ...params })).at(-1)).toBe(limit);
    const lines = await linesOf(deep, { recursive: true, ...params, limit: 1 });
    if (lines.at(-1)?.startsWith('Showing')) expect(lines.at(-2)).toBe(limit);
  });

  it('a caller who gave the depth knows it, and there may be nothing below', async () => {
    for (const params of [{ recursive: true, depth: 3 }, { recursive: true, depth: 2 }, {}]) {
      expect((await linesOf(deep, params)).join('\n')).not.toContain('Depth limit');
    }
    expect((await linesOf({ 'a/b/c.ts': '' }, { recursive: true })).join('\n')).not.toContain('Depth limit');
    const one = await linesOf({ 'a/b/c': null }, { recursive: true });
    expect(one.slice(-2)).toEqual(['', 'Depth limit 3 reached: 1 directory was not opened. depth: 4 shows more.']);
  });

  const some: TreeLiteral = { 'src/a.ts': '', 'src/b.ts': '', 'src/lib/c.ts': '' };

  it.each<[object, string[]]>([
    [{ pattern: '*.md' }, ['Contents of src/ (matching *.md):', '', '0 of 3 items match *.md']],
    [{ pattern: '*.md', recursive: true }, ['Matches for *.md in src/:', '', '0 of 4 items match *.md']],
    [
      { pattern: '*.md', recursive: true, files_only: true },
      ['Matches for *.md in src/:', '', '0 of 4 items are files that match *.md'],
    ],
    [
      { path: 'src/lib', directories_only: true },
      ['Contents of src/lib/ (directories only):', '', '0 of 1 items are directories'],
    ],
    [
      { path: 'src/lib', directories_only: true, recursive: true },
      ['src/lib/ (directories only)', '', '0 of 1 items are directories'],
    ],
  ])('a filter that matched nothing says so: %j', async (params, lines) => {
    expect(await linesOf(some, { path: 'src', ...params })).toEqual(lines);
  });

  it('in a table, too', async () => {
    const lines = await linesOf(some, { path: 'src', pattern: '*.md', long: true });
    expect(lines[0]).toMatch(/^┌─ src\/ \(matching \*\.md\) ─+┐$/);
    expect(lines.slice(-2)).toEqual(['', '0 of 3 items match *.md']);
  });

  it('an empty directory is empty, whatever the filter', async () => {
    expect(await linesOf({ src: null }, { path: 'src', pattern: '*.md' })).toEqual(['src/ is empty.']);
  });

  it('dotfiles are mentioned where there is nothing else', async () => {
    const dots: TreeLiteral = { 'd/.env': '', 'd/.git/x': '', 'one/.env': '' };
    const both = '2 dotfiles are hidden. all: true includes them.';
    expect(await linesOf(dots, { path: 'd' })).toEqual([
      'Contents of d/:',
      '',
      '0 items (0 files, 0 directories)',
      both,
    ]);
    expect(await linesOf(dots, { path: 'd', recursive: true })).toEqual(['d/', '', both]);
    expect((await linesOf(dots, { path: 'one' })).at(-1)).toBe('1 dotfile is hidden. all: true includes it.');
    expect((await linesOf({ a: '', '.env': '' }, { pattern: '.env' })).slice(-2)).toEqual([
      '0 of 1 items match .env',
      '1 dotfile is hidden. all: true includes it.',
    ]);
  });

  it.each<[object, string, string?]>([
    [{ pattern: 'lib/*.ts' }, 'A pattern with a "/" is for paths below src/: send recursive: true.'],
    [{ pattern: 'src/*.ts' }, 'Patterns are relative to src/: send pattern: "*.ts".'],
    [{ pattern: './src/lib/*.ts' }, 'Patterns are relative to src/: send pattern: "lib/*.ts" with recursive: true.'],
    [{ pattern: 'src/**/*.ts', recursive: true }, 'Patterns are relative to src/: send pattern: "**/*.ts".'],
    [
      { path: 'src/lib', pattern: 'lib/*.ts', recursive: true },
      'Patterns are relative to src/lib/: send pattern: "*.ts".',
    ],
    [{ path: '.', pattern: 'src/lib/*', recursive: true }, '1 file'],
    [{ path: '.', pattern: 'root/src/*', recursive: true }, 'Patterns are relative to ./: send pattern: "src/*".'],
    [
      { path: 'lib', pattern: 'lib/*.ts', recursive: true },
      'Patterns are relative to lib/: send pattern: "*.ts".',
      'src',
    ],
  ])('a pattern that cannot match as it stands gets a hint: %j', async (params, hint, cwd = '.') => {
    expect((await linesOf(some, { path: 'src', ...params }, cwd)).at(-1)).toBe(hint);
  });

  it('a pattern that matches gets no hint, though it begins with the name of the directory', async () => {
    const lines = await linesOf({ 'src/src/a.ts': '' }, { path: 'src', pattern: 'src/*.ts', recursive: true });
    expect(lines.at(-1)).toBe('1 file');
  });

  it.each<[object, string]>([
    [{ sort: 'size' }, 'Contents of src/ (largest first):'],
    [{ sort: 'name', reverse: true }, 'Contents of src/ (last first):'],
    [
      { files_only: true, pattern: '*.ts', sort: 'modified' },
      'Contents of src/ (matching *.ts, files only, newest first):',
    ],
    [{ recursive: true, pattern: '*.ts', sort: 'size' }, 'Matches for *.ts in src/ (largest first):'],
    [{ recursive: true, pattern: '*.ts', sort: 'type', reverse: true }, 'Matches for *.ts in src/ (reversed by type):'],
    [{ recursive: true, files_only: true, reverse: true }, 'Files in src/ (last first):'],
    [{ recursive: true, reverse: true }, 'src/ (last first)'],
  ])('the heading names the filter and the order: %j', async (params, heading) => {
    expect((await linesOf(some, { path: 'src', ...params }))[0]).toBe(heading);
  });

  it('the title of a table does as well', async () => {
    const [title] = await linesOf(some, { path: 'src', long: true, sort: 'size', files_only: true });
    expect(title).toMatch(/^┌─ src\/ \(files only, largest first\) ─+┐$/);
  });

  it('the schema says what patterns are relative to, and promises only what the text shows', () => {
    const { properties } = dialects.mycode.tool.parameters as unknown as {
      properties: Record<string, { description: string }>;
    };
    expect(properties.pattern?.description).toContain('relative to path');
    expect(properties.long?.description).not.toContain('permissions');
  });
});

describe('links', () => {
  const tree: TreeLiteral = {
    'd/l': { link: '../x' },
    'd/a -> b': '',
    'd/half ->': { link: 'y' },
    'd/m': { link: 'p -> q' },
  };

  it('are marked in every view, and no name forges a mark', async () => {
    const expected = ['"a -> b"', '"half ->" -> y', 'l -> ../x', 'm -> "p -> q"'];
    const level = await linesOf(tree, { path: 'd' });
    expect(level.slice(1, 5).map((line) => line.slice(4))).toEqual(expected);
    const paths = await linesOf(tree, { path: 'd', recursive: true, sort: 'type' });
    const inPaths = ['"d/a -> b"', '"d/half ->" -> y', 'd/l -> ../x', 'd/m -> "p -> q"'];
    expect(paths.slice(1, 5).map((line) => line.slice(2))).toEqual(inPaths);
    const table = await linesOf(tree, { path: 'd', long: true });
    expect(table.slice(3, 7).map((line) => line.slice(2).split(/ {2,}/)[0])).toEqual(expected);
  });
});

describe('names', () => {
  const tree: TreeLiteral = {
    'd\n/in\tner': '',
    'd\n/l\r': { link: 'to\nx' },
    '"q"': '',
    'my file': '',
    'a -> b': '',
    'e\u0301': '',
    '\u202eevil': null,
  };

  it('are quoted in the texts where they must be, with marks outside', async () => {
    expect(await linesOf(tree)).toEqual([
      'Contents of ./:',
      '├── "\\"q\\""',
      '├── "a -> b"',
      '├── "d\\n"/',
      '├── "e\\u0301"',
      '├── my file',
      '└── "\\u202eevil"/',
      '',
      '6 items (4 files, 2 directories)',
    ]);
  });

  it('are quoted in a tree, with a link’s target', async () => {
    expect(await linesOf(tree, { path: 'd\n', recursive: true })).toEqual([
      '"d\\n"/',
      '├── "in\\tner"',
      '└── "l\\r" -> "to\\nx"',
    ]);
  });

  it('are quoted in a table, and its title', async () => {
    const lines = await linesOf(tree, { path: 'd\n', long: true });
    expect(lines[0]).toMatch(/^┌─ "d\\n"\/ ─+┐$/);
    expect(lines[3]).toMatch(/^│ "in\\tner" {10}file /);
    expect(lines[4]).toMatch(/^│ "l\\r" -> "to\\nx" {3}link /);
    expect(lines).toHaveLength(8);
  });

  it('are quoted in a list of paths, each path as one string', async () => {
    expect(await linesOf(tree, { path: 'd\n', recursive: true, sort: 'type' })).toEqual([
      'By type in "d\\n"/:',
      '  "d\\n/in\\tner"',
      '  "d\\n/l\\r" -> "to\\nx"',
      '',
      '2 items',
    ]);
  });

  it('are plain strings in the answer, unless they could not be sent back', async () => {
    const root = makeTree(tree);
    const latin = Buffer.concat([Buffer.from(`${root}/caf`), Buffer.from([0xe9])]);
    mkdirSync(latin);
    writeFileSync(Buffer.concat([latin, Buffer.from('/x')]), '');
    const { entries } = await ask(root, { recursive: true });
    expect(entries.map(({ name, path }) => [name, path])).toEqual([
      ['"\\"q\\""', '"\\"q\\""'],
      ['a -> b', 'a -> b'],
      ['"caf\\xe9"', '"caf\\xe9"'],
      ['x', '"caf\\xe9/x"'],
      ['d\n', 'd\n'],
      ['in\tner', 'd\n/in\tner'],
      ['l\r', 'd\n/l\r'],
      ['e\u0301', 'e\u0301'],
      ['my file', 'my file'],
      ['\u202eevil', '\u202eevil'],
    ]);
    const { answer: inner, text } = await reply(root, { path: '"caf\\xe9"' });
    expect([inner.path, paths(inner)]).toEqual([`"${root}/caf\\xe9"`, ['x']]);
    expect(text.split('\n')[0]).toBe('Contents of "caf\\xe9"/:');
  });

  it('that are hostile take one line each in every view, and work when they are sent back', async () => {
    const root = makeTree({});
    const rows = corpus<{ name: string }>('hostile-names');
    for (const { name } of rows) mkdirSync(Buffer.concat([Buffer.from(`${root}/`), Buffer.from(name, 'hex')]));
    const views: [object, number][] = [
      [{}, 3],
      [{ recursive: true }, 1],
      [{ long: true }, 6],
      [{ recursive: true, sort: 'type' }, 3],
    ];
    for (const [params, frame] of views) {
      const { answer, text } = await reply(root, { all: true, ...params });
      expect(answer.entries).toHaveLength(rows.length);
      expect(text.split(/[\n\r\u2028\u2029\x0b\x0c\x85]/)).toHaveLength(rows.length + frame);
    }
    const { entries } = await ask(root, { all: true });
    for (const { path } of entries) expect((await ask(root, { path })).success).toBe(true);
  });
});

describe('a call that ends early', () => {
  it.each([
    [{ signal: AbortSignal.abort() }, /cancelled/],
    [{ timeLimit: 0 }, /time limit/],
  ])('before anything was read is an error in the dialect', async (options, error) => {
    const root = makeTree({ a: '' });
    const answer = await ask(root, { recursive: true }, '.', options);
    expect(answer).toEqual({ success: false, path: root, entries: [], error: expect.stringMatching(error) });
  });

  it.each([
    ['aborted', /cancelled/],
    ['timeout', /time limit/],
  ] as const)('on the way gives what there is, and says that it was %s', async (reason, last) => {
    const root = makeTree({ 'a/x': '', 'b/y': '', c: '' });
    const whole = paths(await ask(root, { recursive: true }));
    let looks = 0;
    const over = vi.spyOn(Budget.prototype, 'isDue', 'get').mockReturnValue(true);
    const ended = vi.spyOn(Budget.prototype, 'stopReason').mockImplementation(() => (++looks > 2 ? reason : null));
    const { answer, text } = await reply(root, { recursive: true });
    ended.mockRestore();
    over.mockRestore();
    expect([answer.success, answer.truncated]).toEqual([true, true]);
    const told = paths(answer);
    expect(told).toEqual(whole.slice(0, told.length));
    expect(told.length).toBeGreaterThan(0);
    expect(told.length).toBeLessThan(whole.length);
    expect(text.split('\n').at(-1)).toMatch(last);
  });
});

it('tells nothing of what a link outside leads to', async () => {
  const answers = new Set<string>();
  for (const world of [{}, { outside: null }, { outside: 'contents' }] as TreeLiteral[]) {
    const root = makeTree({ l: { link: '../outside' }, d: null, z: '' });
    addTree(join(root, '..'), world);
    setTimes(root, { l: 1, d: 1, z: 1 });
    for (const params of [{ long: true }, { long: true, sort: 'size' }, { recursive: true, sort: 'type' }]) {
      const { entries, summary } = await ask(root, params);
      answers.add(JSON.stringify([params, entries, summary]));
    }
  }
  expect(answers.size).toBe(3);
});

it('a root that is a link, and one with a strange name', async () => {
  const outer = makeTree({ "it's 日本/sub/x": '', alias: { link: "it's 日本" } });
  for (const name of ["it's 日本", 'alias']) {
    const root = join(outer, name);
    const answer = await ask(root, { path: join(root, 'sub') });
    expect([answer.success, paths(answer)]).toEqual([true, ['x']]);
  }
});
