/** `pattern` of mycode's `LS`: minimatch on the name, or on the path relative to the listed directory. */
import { describe, expect, it } from 'vitest';
import type { ToolReply } from '../../src/dialects/dialect.ts';
import { dialects } from '../../src/dialects/index.ts';
import type { LSOutput } from '../../src/dialects/mycode.ts';
import { openWorkspace } from '../../src/faces/library/open-workspace.ts';
import { asNobody } from '../support/nobody.ts';
import { makeTree, type TreeLiteral } from '../support/tree.ts';

async function reply(root: string, params: object, cwd = '.'): Promise<ToolReply<LSOutput>> {
  const workspace = await openWorkspace(root, { cwd });
  const replied = await dialects.mycode.call(params, workspace, {});
  workspace.close();
  return replied;
}

const ask = async (...call: Parameters<typeof reply>) => (await reply(...call)).answer;

async function matched(tree: TreeLiteral, params: object, cwd = '.'): Promise<string[]> {
  const answer = await ask(makeTree(tree), params, cwd);
  expect(answer.error).toBeUndefined();
  return answer.entries.map(({ path }) => path);
}

const linesOf = async (tree: TreeLiteral, params: object, cwd = '.') =>
  (await reply(makeTree(tree), params, cwd)).text.split('\n');

const tree: TreeLiteral = {
  'README.md': '',
  'a.ts': '',
  'b.TS': '',
  'c.tsx': '',
  'src.ts/x.js': '',
  'src/a.ts': '',
  'src/lib/b.ts': '',
  'src/lib/deep/c.ts': '',
  'src/l.ts': '',
  'test/a.ts': '',
};

describe('a pattern without a slash', () => {
  it.each([
    ['*.ts', ['a.ts', 'src/a.ts', 'src/l.ts', 'src/lib/b.ts', 'src/lib/deep/c.ts', 'src.ts', 'test/a.ts']],
    ['a.ts', ['a.ts', 'src/a.ts', 'test/a.ts']],
    ['?.ts', ['a.ts', 'src/a.ts', 'src/l.ts', 'src/lib/b.ts', 'src/lib/deep/c.ts', 'test/a.ts']],
    ['[bc].ts', ['src/lib/b.ts', 'src/lib/deep/c.ts']],
    ['[!a-c].ts', ['src/l.ts']],
    ['*.{md,tsx}', ['c.tsx', 'README.md']],
    ['*.@(md|tsx)', ['c.tsx', 'README.md']],
    ['*.TS', ['b.TS']],
    ['lib', ['src/lib']],
    ['nothing', []],
  ])('%s is tried on the name', async (pattern, expected) => {
    expect(await matched(tree, { recursive: true, depth: 9, pattern })).toEqual(expected);
  });

  it('is tried on the name of a link, and not on that of its target', async () => {
    expect(await matched({ 'a.ts': '', 'l.ts': { link: 'a.ts' } }, { pattern: '[!a-c].ts' })).toEqual(['l.ts']);
  });

  it('selects on one level, too', async () => {
    expect(await matched(tree, { pattern: '*.ts' })).toEqual(['a.ts', 'src.ts']);
    expect(await matched(tree, { path: 'src', pattern: '*' })).toEqual(['a.ts', 'l.ts', 'lib']);
  });

  it('leaves out directories that do not match, and not what is in them', async () => {
    expect(await matched(tree, { path: 'src', recursive: true, pattern: 'c.ts', depth: 3 })).toEqual(['lib/deep/c.ts']);
    expect(await matched(tree, { path: 'src', recursive: true, pattern: 'c.ts', depth: 2 })).toEqual([]);
  });
});

describe('a pattern with a slash', () => {
  it.each([
    ['src/*.ts', ['src/a.ts', 'src/l.ts']],
    ['*/a.ts', ['src/a.ts', 'test/a.ts']],
    ['src/**/*.ts', ['src/a.ts', 'src/l.ts', 'src/lib/b.ts', 'src/lib/deep/c.ts']],
    ['**/c.ts', ['src/lib/deep/c.ts']],
    ['**/a.ts', ['a.ts', 'src/a.ts', 'test/a.ts']],
    ['{src,test}/a.ts', ['src/a.ts', 'test/a.ts']],
    ['lib/*.ts', []],
  ])('%s is tried on the path', async (pattern, expected) => {
    expect(await matched(tree, { recursive: true, depth: 9, pattern })).toEqual(expected);
  });

  it('is tried on the path relative to the listed directory, whatever the cwd', async () => {
    const params = { recursive: true, pattern: 'lib/*.ts' };
    expect(await matched(tree, { path: 'src', ...params })).toEqual(['lib/b.ts']);
    expect(await matched(tree, params, 'src')).toEqual(['lib/b.ts']);
    expect(await matched(tree, { path: '..', ...params }, 'src')).toEqual([]);
  });
});

describe('what starts with a dot', () => {
  const dots: TreeLiteral = { '.env': '', '.x/a.ts': '', 'b/.y.ts': '', 'b/z.ts': '' };

  it('is hidden before a pattern is asked', async () => {
    expect(await matched(dots, { recursive: true, pattern: '.*' })).toEqual([]);
  });

  it('is matched by a dot alone, as in minimatch, when it is shown', async () => {
    expect(await matched(dots, { all: true, pattern: '*' })).toEqual(['b']);
    expect(await matched(dots, { all: true, pattern: '.*' })).toEqual(['.env', '.x']);
    expect(await matched(dots, { all: true, recursive: true, pattern: '*.ts' })).toEqual(['.x/a.ts', 'b/z.ts']);
    expect(await matched(dots, { all: true, recursive: true, pattern: '**/*.ts' })).toEqual(['b/z.ts']);
  });
});

describe('together with', () => {
  it('files_only and directories_only: both must let it pass', async () => {
    expect(await matched(tree, { pattern: '*.ts', files_only: true })).toEqual(['a.ts']);
    expect(await matched(tree, { pattern: '*.ts', directories_only: true })).toEqual(['src.ts']);
  });

  it('limit and long: the summary counts what matched', async () => {
    const answer = await ask(makeTree({ 'a.ts': '123', 'b.ts': '45', 'c.js': '6' }), {
      pattern: '*.ts',
      long: true,
      limit: 1,
    });
    expect(answer.entries.map(({ path }) => path)).toEqual(['a.ts']);
    expect(answer).toMatchObject({
      truncated: true,
      summary: { total_files: 2, total_directories: 0, total_size: 5 },
    });
  });

  it('an order: the largest of those that match', async () => {
    const params = { recursive: true, pattern: '*.ts', sort: 'size', limit: 2 };
    expect(await matched({ 'a.ts': 'x', 'd/b.ts': 'xxx', 'd/c.ts': 'xx', 'e.js': 'xxxx' }, params)).toEqual([
      'd/b.ts',
      'd/c.ts',
    ]);
  });
});

describe('the text', () => {
  const some: TreeLiteral = { 'src/a.ts': '', 'src/b/c.ts': '', 'src/d.js': '', 'src/x.ts': null };

  it('with recursive is a list of paths from the cwd, with a heading and a count', async () => {
    const params = { recursive: true, pattern: '*.ts' };
    const expected = ['Matches for *.ts in src/:', '  src/a.ts', '  src/b/c.ts', '  src/x.ts/', '', '3 items'];
    expect(await linesOf(some, { path: 'src', ...params })).toEqual(expected);
    const inside = ['Matches for *.ts in ./:', '  a.ts', '  b/c.ts', '  x.ts/', '', '3 items'];
    expect(await linesOf(some, params, 'src')).toEqual(inside);
    const files = { ...params, path: 'src', files_only: true };
    expect((await linesOf(some, files)).slice(-2)).toEqual(['', '2 files']);
    expect((await linesOf(some, { ...files, limit: 1 })).slice(-2)).toEqual(['', 'Showing 1 of 2 files (truncated)']);
  });

  it('of the root is headed by ./', async () => {
    expect((await linesOf(some, { recursive: true, pattern: 'd.js' })).slice(0, 2)).toEqual([
      'Matches for d.js in ./:',
      '  src/d.js',
    ]);
  });

  it('of one level is a tree, and of long a table', async () => {
    expect(await linesOf(some, { path: 'src', pattern: '*.ts' })).toEqual([
      'Contents of src/ (matching *.ts):',
      '├── a.ts',
      '└── x.ts/',
      '',
      '2 items (1 file, 1 directory)',
    ]);
    const table = await linesOf(some, { path: 'src', recursive: true, long: true, pattern: 'c.*' });
    expect(table[3]).toMatch(/^│ src\/b\/c\.ts +file +0 B /);
    expect(table.at(-1)).toBe('Summary: 1 file, 0 directories, 0 B total');
  });

  it('of nothing does not say that the directory is empty', async () => {
    const lines = await linesOf(some, { path: 'src', recursive: true, pattern: '*.zig' });
    expect(lines[0]).toBe('Matches for *.zig in src/:');
    expect(lines.join('\n')).not.toContain('empty');
  });

  it('shows a pattern so that it cannot forge a line', async () => {
    expect((await linesOf(some, { recursive: true, pattern: 'a\nb' }))[0]).toBe('Matches for "a\\nb" in ./:');
  });

  it('quotes paths', async () => {
    expect(await linesOf({ 'd\n/x.ts': '' }, { recursive: true, pattern: '*.ts' })).toEqual([
      'Matches for *.ts in ./:',
      '  "d\\n/x.ts"',
      '',
      '1 file',
    ]);
  });

  it('is that of the document, with the heading of the contract and its order', async () => {
    const rest = Array.from({ length: 14 }, (_, i) => `tools/tool-${i}.ts`);
    const files = [
      'index.ts',
      'cli/index.ts',
      'cli/ui.ts',
      'agent/agent.ts',
      'agent/types.ts',
      ...['index', 'types', 'openai', 'anthropic', 'gemini'].map((name) => `providers/${name}.ts`),
      ...rest,
    ];
    const root = makeTree(Object.fromEntries([...files, 'notes.md'].map((path) => [`src/${path}`, ''])));
    const { text } = await reply(root, { path: 'src', recursive: true, pattern: '*.ts', limit: 10 });
    expect(`${text}\n`).toBe(`\
Matches for *.ts in src/:
  src/agent/agent.ts
  src/agent/types.ts
  src/cli/index.ts
  src/cli/ui.ts
  src/index.ts
  src/providers/anthropic.ts
  src/providers/gemini.ts
  src/providers/index.ts
  src/providers/openai.ts
  src/providers/types.ts

Showing 10 of 24 files (truncated)
`);
  });

  it('names directories that cannot be read in the answer, though they do not match', async () => {
    const root = makeTree({ 'a/b.ts': '', 'locked/c.ts': '' });
    const answer = await asNobody(root, ['locked'], () => ask(root, { recursive: true, pattern: '*.ts' }));
    expect([answer.entries.map(({ path }) => path), answer.unreadable]).toEqual([['a/b.ts'], ['locked']]);
  });
});

it('a pattern that is refused is the parameter’s fault, and told before anything of the path', async () => {
  const root = makeTree({ a: '' });
  for (const path of ['.', 'nothing', '..']) {
    const { success, entries, error } = await ask(root, { path, pattern: '{a,b}'.repeat(5000) });
    expect([success, entries, error]).toEqual([false, [], expect.stringMatching(/at most \d+/)]);
  }
});
