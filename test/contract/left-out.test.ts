// "Nothing is cut silently": each answer names what it left out and what shows it, and sending that shows it.
// One row for each kind of thing that is left out, and each tool that leaves it out.
import { promises } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { dialects } from '../../src/dialects/index.ts';
import type { DialectName } from '../../src/dialects/table.ts';
import { list } from '../../src/faces/library/list.ts';
import { openWorkspace } from '../../src/faces/library/open-workspace.ts';
import { agentLs } from '../support/command-line.ts';
import { runGit } from '../support/indexes.ts';
import { asNobody } from '../support/nobody.ts';
import { isolateGit, makeRepositoryTree } from '../support/repository.ts';
import { makeTree } from '../support/tree.ts';

isolateGit();

const MANY = Object.fromEntries(Array.from({ length: 250 }, (_, i) => [`many/file-${i}.ts`, '']));

function project(): string {
  const root = makeRepositoryTree({
    ...MANY,
    '.gitignore': '*.log\n',
    '.env': '',
    'dots/.only': '',
    'app.log': '',
    'kept.log': '',
    'logs/only.log': '',
    'locked/inner.ts': '',
    'node_modules/dep/index.js': '',
    'src/main.ts': '',
  });
  runGit(root, ['add', 'src', '.gitignore']);
  runGit(root, ['add', '-f', 'kept.log']);
  runGit(root, ['commit', '-qm', 'all']);
  runGit(root, ['worktree', 'add', '-q', 'copies/one']);
  return root;
}

const toolNamed = (dialect: DialectName, name: string) => {
  const tool = dialects[dialect].tools.find(({ tool }) => tool.name === name);
  if (tool === undefined) throw new Error(`${dialect} has no ${name}`);
  return tool;
};

type Ask = readonly [dialect: DialectName, tool: string, params: Readonly<Record<string, unknown>>];

async function ask(root: string, [dialect, name, params]: Ask): Promise<string> {
  const workspace = await openWorkspace(root);
  try {
    const inside = join(root, String(params.path ?? '.'));
    const own = dialect === 'gemini' ? { path: inside } : dialect === 'codex' ? { dir_path: inside } : {};
    const { answer, text } = await toolNamed(dialect, name).call({ ...params, ...own }, workspace, {});
    // The text of `LS` is fixed by its document; its stats say how many are hidden.
    const { stats = '', data = '' } = answer as { stats?: unknown; data?: unknown };
    return `${text}\n${JSON.stringify(stats)}\n${JSON.stringify(data)}`;
  } finally {
    workspace.close();
  }
}

const LS = (params = {}): Ask => ['standard', 'LS', params];
const TREE = (params = {}): Ask => ['standard', 'Tree', params];
const FIND = (query: string, params = {}): Ask => ['standard', 'Find', { query, ...params }];
const GEMINI = (params = {}): Ask => ['gemini', 'list_directory', params];
const MYCODE = (params = {}): Ask => ['mycode', 'LS', params];
const CODEX = (params = {}): Ask => ['codex', 'list_dir', params];
const ALL = { respect_git_ignore: false };

/** What is left out, of which call, what its answer says, and which call shows it. */
const ROWS: [target: string, name: string, asked: Ask, says: RegExp, shows: Ask][] = [
  ['ignored', 'app.log', TREE(), /2 ignored by git \(respect_git_ignore=false\)/, TREE(ALL)],
  [
    'ignored',
    'app.log',
    FIND('app.log'),
    /hidden by \.gitignore, line 1; respect_git_ignore=false/,
    FIND('app.log', ALL),
  ],
  ['ignored', 'app.log', GEMINI(), /git-ignored/, GEMINI({ file_filtering_options: ALL })],
  ['ignored', 'only.log', TREE(), /^logs\/-|[^ ]* logs\/-/m, TREE({ path: 'logs', ...ALL })],
  ['dotfile', '.env', LS(), /"hidden":\d/, LS({ include_hidden: true })],
  [
    'dotfile',
    '.only',
    MYCODE({ path: 'dots' }),
    /1 dotfile is hidden. all: true includes it/,
    MYCODE({ path: 'dots', all: true }),
  ],
  ['built-in name', 'node_modules', LS(), /"hidden":\d/, LS({ include_hidden: true })],
  ['tracked', 'kept.log', GEMINI(), /git-ignored/, GEMINI({ file_filtering_options: ALL })],
  ['worktree', 'main.ts', TREE({ path: 'copies' }), /1 worktree closed\none\/-/, TREE({ path: 'copies/one/-' })],
  [
    'worktree',
    'main.ts',
    FIND('main', { path: 'copies' }),
    /1 worktree of this .* not searched/,
    FIND('main', { path: 'copies/one' }),
  ],
  ['beyond a limit', 'file-99.ts', LS({ path: 'many' }), /offset=100/, LS({ path: 'many', offset: 200 })],
  ['beyond a limit', 'file-99.ts', FIND('file'), /\+230 more.*limit=50/, FIND('file', { limit: 200, path: 'many' })],
  ['beyond a limit', 'file-99.ts', MYCODE({ path: 'many', limit: 10 }), /Showing 10 of 250/, MYCODE({ path: 'many' })],
  ['beyond a limit', 'file-99.ts', CODEX({ depth: 2 }), /More than 25 entries/, CODEX({ depth: 2, limit: 1000 })],
  ['beyond a limit', 'file-99.ts', TREE({ budget: 100 }), /many\/\+250/, TREE({ path: 'many/file-9*' })],
];

describe.each(ROWS)('%s: %s', (_, name, asked, says, shows) => {
  it(`${asked[0]} ${asked[1]} ${JSON.stringify(asked[2])}`, async () => {
    const root = project();
    const answer = await ask(root, asked);
    expect(answer).toMatch(says);
    const isNamed = (text: string) => text.split(/[\s/"]+/).some((word) => word === name || `${name}^` === word);
    expect(isNamed(answer) && asked[1] !== 'Find').toBe(false);
    expect(isNamed(await ask(root, shows))).toBe(true);
  });
});

/** The tools that do not leave it out. */
const SHOWN: Record<string, [name: string, asked: Ask[]]> = {
  ignored: ['app.log', [LS(), MYCODE(), CODEX({ limit: 1000 })]],
  dotfile: ['.env', [TREE(), FIND('.env'), GEMINI(), CODEX({ limit: 1000 })]],
  'built-in name': ['node_modules', [TREE(), FIND('dep index'), GEMINI(), MYCODE(), CODEX({ limit: 1000 })]],
  tracked: ['kept.log', [TREE(), FIND('kept'), LS(), MYCODE(), CODEX({ limit: 1000 })]],
  worktree: [
    'one',
    [TREE({ path: 'copies' }), LS({ path: 'copies' }), GEMINI({ path: 'copies' }), MYCODE({ path: 'copies' })],
  ],
  'in a worktree': [
    'main.ts',
    [
      LS({ path: 'copies/one/src' }),
      GEMINI({ path: 'copies/one/src' }),
      MYCODE({ path: 'copies/one/src' }),
      CODEX({ path: 'copies/one' }),
    ],
  ],
  'beyond a limit': ['file-99.ts', [GEMINI({ path: 'many' })]],
};

describe.each(Object.entries(SHOWN))('%s', (_, [name, asked]) => {
  it.each(asked.map((one) => [one.join(' '), one] as const))('%s shows it', async (_, one) => {
    const text = await ask(project(), one);
    expect(text.split(/[\s/"]+/)).toContain(name);
  });
});

it('what git tracks is left out by no command that goes by git', async () => {
  expect((await agentLs(['-R', '--git-ignore', project()])).out).toContain('kept.log');
});

describe('unreadable', () => {
  it.each([
    ['Tree', TREE(), /1 unreadable[\s\S]*locked\/\?/],
    ['Find', FIND('inner'), /1 unreadable/],
    ['mycode', MYCODE({ recursive: true }), /locked\/ \[permission denied\]/],
    ['codex', CODEX({ limit: 1000 }), /Could not read 1 directory/],
    ['LS', LS({ path: 'locked' }), /Permission denied accessing 'locked'/],
    ['gemini', GEMINI({ path: 'locked' }), /Permission denied accessing directory/],
  ])('%s', async (_, asked, says) => {
    const root = project();
    expect(await asNobody(root, ['locked'], () => ask(root, asked))).toMatch(says);
    expect(await ask(root, asked[1] === 'Find' ? FIND('inner') : TREE({ path: 'locked' }))).toContain('inner');
  });

  it('agent-ls -R says so, and ends with 1', async () => {
    const root = project();
    for (const words of [['-R'], ['-R', '--json'], ['-R', '--sort', 'size']]) {
      const { status } = await asNobody(root, ['locked'], () => agentLs([...words, root]));
      expect([words, status]).toEqual([words, 1]);
    }
    expect((await agentLs(['-R', root])).status).toBe(0);
  });
});

describe('a directory with hidden entries only does not look empty', () => {
  it('in the brief answer of LS, which says what shows them', async () => {
    const root = makeRepositoryTree({ 's/.x': '', 's/y.tmp': '', 'e/z': '' });
    const workspace = await openWorkspace(root);
    const brief = async (params: object) => (await dialects.standard.call(params, workspace, {})).brief?.();
    expect(await brief({ path: 's', ignore: ['*.tmp'] })).toEqual({
      text: 's/ has only hidden entries: 2. include_hidden=true shows 1. ignore hides 1.',
      data: { path: 's', total: 0, hidden: 2 },
    });
    expect((await brief({ path: 'e', ignore: ['z'] }))?.text).toBe('e/ has only hidden entries: 1. ignore hides 1.');
    expect((await brief({ path: 's', include_hidden: true }))?.data).toMatchObject({ total: 2 });
    expect(await brief({ ignore: ['e'] })).toEqual({
      text: 's/\ninclude_hidden=true shows 1. ignore hides 1.',
      data: { path: '.', dirs: ['s'], total: 1, hidden: 2 },
    });
    workspace.close();
  });
});

it('a directory that could not be opened in time is marked, and a note says so', async () => {
  const root = makeTree({ 'a/x': '', 'b-hangs/y': '', 'c/z': '' });
  const never = () => new Promise<never>(() => {});
  const readdir = (path: string, options: { withFileTypes: true }) =>
    /hangs/.test(path) ? never() : promises.readdir(path, options);
  const opendir = (path: string) => (/hangs/.test(path) ? never() : promises.opendir(path));
  const workspace = await openWorkspace(root, { fs: { ...promises, readdir, opendir } as never });
  const failed = ['b-hangs', 'c'].map((path) => ({
    path,
    error: 'This directory could not be read: it could not be opened within the time limit.',
  }));
  for (const name of ['Tree', 'Find']) {
    const params = name === 'Find' ? { query: 'z' } : {};
    const { answer, text } = await toolNamed('standard', name).call(params, workspace, { timeLimit: 1000 });
    expect(text).toMatch(/^#.*2 unreadable, incomplete: out of time$/m);
    expect(answer).toMatchObject({ status: 'partial', data: { failed_items: failed } });
    if (name === 'Tree') expect(text).toMatch(/^b-hangs\/\? c\/\?\n a\/ x$/m);
  }
  workspace.close();
});

it('a gitdir that leads through a link is not followed, and a note says so', async () => {
  const root = makeRepositoryTree({ 'a/.git': 'gitdir: l/.git\n', 'a/x': '', 'a/l': { link: '..' } });
  const { notes } = await list({ path: 'a', gitIgnore: true }, root);
  expect(notes).toEqual(["'a/.git' leads through a link, and is not followed"]);
});
