/** A tree in memory answers as the same tree on the disk does: every dialect, `Tree`, and which rule hides what. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { call, type DialectName, explain, list, openWorkspace, tree, type Workspace } from '../../../src/index.ts';
import { REPOSITORY } from '../../support/git.ts';
import { diceFor, EXCLUDES, randomTree } from '../../support/ignore-trees.ts';
import { inMemory } from '../../support/in-memory.ts';
import { makeTree, type TreeLiteral } from '../../support/tree.ts';

// The disk has a user with settings and directories above the root, and memory has none.
beforeEach(() => {
  for (const name of ['HOME', 'XDG_CONFIG_HOME', 'GIT_CONFIG_GLOBAL']) vi.stubEnv(name, '/nonexistent');
  vi.stubEnv('GIT_CONFIG_NOSYSTEM', '1');
  return () => vi.unstubAllEnvs();
});

const inside = (directory: string, literal: TreeLiteral): TreeLiteral =>
  Object.fromEntries(Object.entries(literal).map(([path, entry]) => [`${directory}/${path}`, entry]));

const TREES: Record<string, TreeLiteral> = {
  nothing: {},
  'files, directories and links': {
    ...{ 'src/app.ts': 'export {}', 'src/deep/er/file': 'x'.repeat(2000), 'docs/README.md': '# R', 'empty/none': null },
    ...{ '.hidden': '', '.dir/x': '', 'node_modules/a/b.js': '', 'dist/out.js': '', Zebra: '', apple: '', Éclair: '' },
    ...{ 'to-dir': { link: 'src' }, 'to-file': { link: 'docs/README.md' }, broken: { link: 'none' } },
    ...{ loop: { link: 'loop' }, outside: { link: '../..' }, absolute: { link: '{ROOT}/src/deep' } },
    ...{ 'src/up': { link: '../docs' }, chain: { link: 'to-dir/deep' }, 'through-file': { link: 'apple/x' } },
  },
  'a repository': {
    ...REPOSITORY,
    ...{ '.gitignore': '*.log\n!keep.log\n/build/\nsrc/*.tmp\n', 'src/.gitignore': 'generated/\n!a.log\n' },
    ...{ '.git/info/exclude': 'excluded\n', '.git/config': '[core]\n\tignoreCase = true\n\texcludesFile = mine\n' },
    ...{
      mine: 'own-rule\n',
      'own-rule': '',
      excluded: '',
      'keep.log': '',
      'a.LOG': '',
      'build/x': '',
      'src/a.log': '',
    },
    ...{
      'src/a.tmp': '',
      'src/generated/x': '',
      'src/kept': '',
      '.geminiignore': 'secret*\n!build/\n',
      'secret.txt': '',
    },
  },
  'repositories in a repository': {
    ...REPOSITORY,
    '.gitignore': '*.log\ninner-ignored/\n',
    ...inside('inner', { ...REPOSITORY, '.gitignore': '*.txt\n', 'a.log': '', 'a.txt': '' }),
    ...inside('inner-ignored', { ...REPOSITORY, 'a.log': '' }),
    ...{ 'submodule/.git': 'gitdir: ../.git/modules/sub\n', '.git/modules/sub/HEAD': 'ref: refs/heads/x\n' },
    ...{ '.git/modules/sub/objects': null, '.git/modules/sub/refs': null, '.git/modules/sub/info/exclude': 'of-sub\n' },
    ...{ 'submodule/of-sub': '', 'submodule/a.log': '', 'linked/.git': { link: '../inner/.git' }, 'linked/a.txt': '' },
    ...{ 'away/.git': 'gitdir: /nowhere/at/all\n', 'away/a.log': '', 'broken/.git': 'nonsense', 'broken/a.log': '' },
  },
  'settings that include others, by branch': {
    ...REPOSITORY,
    '.git/config':
      '[include]\n\tpath = more\n[includeIf "onbranch:main"]\n\tpath = on-main\n[includeIf "onbranch:other"]\n\tpath = no\n',
    ...{ '.git/more': '[core]\n\texcludesFile = first\n', '.git/on-main': '[core]\n\texcludesFile = second\n' },
    ...{ '.git/refs/heads/main': `${'0'.repeat(40)}\n`, first: 'a\n', second: 'b\n', a: '', b: '' },
  },
  'rules that cannot be used': {
    ...REPOSITORY,
    ...{ '.gitignore': { link: 'elsewhere' }, 'sub/.gitignore/x': '', '.geminiignore': 'x'.repeat(1024 * 1024 + 1) },
    ...{ '.git/config': '[core\n', 'sub/a': '', a: '' },
  },
  'settings of the gemini dialect': {
    '.geminiconfig': '{"fileFiltering":{"respectGitIgnore":false,"defaultIgnorePatterns":["*.md"]}}',
    ...{ ...REPOSITORY, '.gitignore': 'a\n', a: '', 'b.md': '' },
  },
};

const CALLS: [DialectName, (root: string, path: string) => Record<string, unknown>[]][] = [
  [
    'standard',
    (_, path) => [
      { path },
      { path, include_hidden: true, limit: 3 },
      { path, offset: 2 },
      { path, ignore: ['*.log', 'a*'] },
    ],
  ],
  [
    'gemini',
    (root, path) => [
      { path: join(root, path) },
      { path: join(root, path), ignore: ['*.ts'] },
      { path: join(root, path), file_filtering_options: { respect_git_ignore: false } },
      { path: join(root, path), file_filtering_options: { respect_gemini_ignore: false } },
    ],
  ],
  [
    'mycode',
    (_, path) => [
      { path, all: true, long: true },
      { path, recursive: true, long: true, sort: 'size' },
      { path, recursive: true, sort: 'type', reverse: true },
      { path, pattern: '*.log', recursive: true },
      { path, long: true, sort: 'modified' },
    ],
  ],
  [
    'codex',
    (root, path) => [{ dir_path: join(root, path) }, { dir_path: join(root, path), depth: 5, limit: 7, offset: 2 }],
  ],
];

const ARGUMENTS = [
  ...['.', '', 'src', 'to-dir', 'chain', 'absolute', 'loop', 'outside', 'broken', 'apple', 'apple/x', 'none', 'none/x'],
  ...[
    '..',
    'src/..',
    'src/up',
    'to-dir/..',
    '/etc',
    '../root',
    '../root/src',
    '../../root',
    '{ROOT}/../root/src',
    '{ROOT}',
    '{ROOT}/src',
    '"src',
    'inner',
    'submodule',
    'linked',
  ],
];

/** Everything that anybody is told, but for how long it took. */
async function told(workspace: Workspace, root: string): Promise<string[]> {
  const answers: unknown[] = [];
  const paths = ARGUMENTS.map((path) => path.replace('{ROOT}', root));
  for (const path of paths) {
    for (const [dialect, params] of CALLS) {
      for (const one of params(root, path)) answers.push([dialect, one, await call(dialect, one, workspace)]);
    }
    for (const budget of [50, 1000]) answers.push([path, budget, await tree({ path, budget }, workspace)]);
  }
  const all = await list({ path: '.', depth: 20, order: 'name', metadata: true }, workspace);
  answers.push(all);
  const entries = [...all.entries.map((entry) => entry.path), 'none', 'none/none', 'src/none.log'];
  for (const dialect of ['standard', 'gemini', 'mycode', 'codex'] as const) {
    answers.push(await explain(entries, workspace, { dialect }));
  }
  return answers.map((answer) => JSON.stringify(answer).replaceAll(/"time_ms":[\d.]+/g, '"time_ms":0'));
}

async function compare(root: string, cwd = '.'): Promise<void> {
  const [disk, memory] = await Promise.all([
    openWorkspace(root, { cwd, git: false }),
    openWorkspace(inMemory(root), { cwd }),
  ]);
  const [first, second] = [await told(disk, root), await told(memory, root)];
  expect(second).toEqual(first);
  disk.close();
  memory.close();
}

describe('every answer is the same', () => {
  it.each(Object.keys(TREES))('of %s', async (name) => {
    await compare(makeTree(TREES[name] as TreeLiteral));
  });

  it('with a cwd that is not the root', async () => {
    await compare(makeTree(TREES['files, directories and links'] as TreeLiteral), 'src/deep');
  });

  it('of names that are not text', async () => {
    const root = makeTree({ a: '' });
    for (const name of ['caf\xe9', '\xff\xfe', 'a\nb', '"q"', "'", '\\', ' ', '\xc3\xa9', 'e\xcc\x81', '\x1b[31m']) {
      const buffer = Buffer.from(`${root}/${name}`, 'latin1');
      mkdirSync(buffer);
      writeFileSync(Buffer.from(`${root}/${name}/${name}`, 'latin1'), '');
    }
    await compare(root);
  });

  it.runIf(process.platform !== 'win32')('of a pipe', async () => {
    const root = makeTree({ 'd/.gitignore/x': '' });
    execFileSync('mkfifo', [join(root, 'pipe'), join(root, '.gitignore')]);
    await compare(root);
  });

  it.each(Array.from({ length: 20 }, (_, seed) => seed))('of random ignore files, number %i', async (seed) => {
    const { entries, ignoreFiles, ignoreCase } = randomTree(diceFor(seed));
    const root = makeTree({ ...REPOSITORY, '.git/config': `[core]\nignoreCase = ${ignoreCase}\n`, '.git/info': null });
    const path = (bytes: string) => Buffer.from(`${root}/${bytes}`, 'latin1');
    for (const [entry, kind] of entries) {
      if (kind === 'dir') mkdirSync(path(entry));
      else if (kind === 'file') writeFileSync(path(entry), '');
      else symlinkSync('a', path(entry));
    }
    for (const [file, content] of ignoreFiles) {
      if (file !== EXCLUDES) writeFileSync(path(file), Buffer.from(content, 'latin1'));
    }
    await compare(root);
  });
});
