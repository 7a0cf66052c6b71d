/** Where a repository begins, asked of git, too. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { currentBranch, type Repository, repositoryAt } from '../../src/rules/git-repository.ts';
import { type Bytes, bytesOf } from '../../src/workspace/bytes.ts';
import { askGit, git, gitsRepository, makeRepository, withoutLinks } from '../support/git.ts';
import { addTree, emptyDirectory, type TreeLiteral } from '../support/tree.ts';

const COMMIT = '0123456789abcdef0123456789abcdef01234567';

/** Changes a fresh repository `repo` in `base`, or makes another one beside it. */
type Change = (base: string) => void;

/** Replaces what is there. */
const put =
  (tree: TreeLiteral): Change =>
  (base) => {
    for (const path of Object.keys(tree)) rmSync(join(base, path), { recursive: true, force: true });
    addTree(base, tree);
  };
const head = (content: string) => put({ 'repo/.git/HEAD': content });
const without = (path: string) => (base: string) => rmSync(join(base, path), { recursive: true });
const commit = (base: string) => git(join(base, 'repo'), 'commit', '--quiet', '--allow-empty', '-m', 'first');

function linkedWorktree(base: string): void {
  commit(base);
  git(join(base, 'repo'), 'worktree', 'add', '--quiet', '../linked');
}

function submodule(base: string): void {
  commit(base);
  makeRepository(join(base, 'outer'));
  git(join(base, 'outer'), 'submodule', '--quiet', 'add', '../repo', 'inner');
}

function separate(base: string): void {
  git(base, 'init', '--quiet', '--template=', '--separate-git-dir', 'x.git', 'separate');
}

function linkedGitDirectory(base: string): void {
  addTree(base, { 'link/.git': { link: '../repo/.git' } });
}

const both = (first: Change, second: Change) => (base: string) => {
  first(base);
  second(base);
};

describe('a repository, as git sees it', () => {
  it.each<[string, Change, string, Partial<Record<keyof Repository, string>>]>([
    ['a plain one', () => {}, 'repo', { gitDirectory: 'repo/.git', commonDirectory: 'repo/.git' }],
    ['a linked worktree', linkedWorktree, 'linked', { gitDirectory: 'repo/.git/worktrees/linked' }],
    ['a linked worktree has its config elsewhere', linkedWorktree, 'linked', { commonDirectory: 'repo/.git' }],
    ['a submodule', submodule, 'outer/inner', { gitDirectory: 'outer/.git/modules/inner' }],
    ['a separate git directory', separate, 'separate', { gitDirectory: 'x.git' }],
    ['a link to a git directory, which conditions may name', linkedGitDirectory, 'link', { gitDirectory: 'link/.git' }],
    ['a detached HEAD', head(`${COMMIT}\n`), 'repo', {}],
    ['a detached HEAD in capitals, with something behind', head(`${COMMIT.toUpperCase()}xyz`), 'repo', {}],
    ['a HEAD without a space', head('ref:refs/heads/main'), 'repo', {}],
    ['a HEAD with much white space', head('ref: \t\r\n refs/heads/main'), 'repo', {}],
    ['a HEAD that is a link', put({ 'repo/.git/HEAD': { link: 'refs/heads/main' } }), 'repo', {}],
    ['a .git file with an absolute path', (base) => put({ 'a/.git': `gitdir: ${base}/repo/.git` })(base), 'a', {}],
    ['a .git file with line ends', put({ 'a/.git': 'gitdir: ../repo/.git\r\n\n\r' }), 'a', {}],
    ['a .git file through a link', put({ 'a/.git': 'gitdir: l/.git\n', 'a/l': { link: '../repo' } }), 'a', {}],
    [
      'a .git file that leads to another name of the directory',
      put({ 'a/.git': 'gitdir: .//../a/../repo/.git/' }),
      'a',
      { gitDirectory: 'repo/.git' },
    ],
    [
      'a commondir in a plain repository',
      both(linkedWorktree, put({ 'c/.git/HEAD': 'ref: refs/x', 'c/.git/commondir': '../../repo/.git\r\n\n' })),
      'c',
      { gitDirectory: 'c/.git', commonDirectory: 'repo/.git' },
    ],
    ['a commondir of line ends alone', put({ 'repo/.git/commondir': '\n' }), 'repo', { commonDirectory: 'repo/.git' }],
  ])('%s', (_, change, directory, expected) => {
    const base = emptyDirectory();
    makeRepository(join(base, 'repo'));
    change(base);
    const absolute = Object.entries(expected).map(([key, path]) => [key, join(base, path)]);
    const ours = repositoryAt(bytesOf(join(base, directory)));
    expect(ours).toMatchObject({ workTree: join(base, directory), ...Object.fromEntries(absolute) });
    expect(ours && withoutLinks(ours)).toEqual(gitsRepository(join(base, directory)));
  });
});

describe('no repository, as git sees it', () => {
  it.each<[string, Change, string?]>([
    ['a directory without .git', without('repo/.git')],
    ['a .git that is a link to nowhere', put({ 'repo/.git': { link: 'nowhere' } })],
    ['a directory below', put({ 'repo/src': null }), 'repo/src'],
    ['the git directory', () => {}, 'repo/.git'],
    ['an empty .git', put({ 'repo/.git': null })],
    ['an empty .git in a repository', put({ 'repo/inner/.git': null }), 'repo/inner'],
    ['a .git that is a pipe', both(without('repo/.git'), (base) => execFileSync('mkfifo', [join(base, 'repo/.git')]))],
    ['no HEAD', without('repo/.git/HEAD')],
    ['an empty HEAD', head('')],
    ['a HEAD that says nothing', head('nonsense\n')],
    ['a HEAD outside of refs/', head('ref: elsewhere/main\n')],
    ['a HEAD in capitals', head('REF: refs/heads/main\n')],
    ['a HEAD with something in front', head('a ref: refs/heads/main\n')],
    ['a HEAD with something in front of a commit', head(`x${COMMIT}\n`)],
    ['a HEAD with too short a commit', head(`${COMMIT.slice(1)}\n`)],
    ['a HEAD with too much white space', head(`ref:${' '.repeat(300)}refs/heads/main`)],
    [
      'a HEAD that is a link elsewhere',
      put({ 'repo/.git/HEAD': { link: 'ORIG_HEAD' }, 'repo/.git/ORIG_HEAD': COMMIT }),
    ],
    ['a HEAD that is a directory', put({ 'repo/.git/HEAD': null })],
    ['no objects', without('repo/.git/objects')],
    ['no refs', without('repo/.git/refs')],
    ['refs that is a file', put({ 'repo/.git/refs': 'x' })],
    ['a .git file that leads nowhere', put({ 'repo/.git': 'gitdir: ../nowhere\n' })],
    ['a .git file that leads to no git directory', put({ 'repo/.git': 'gitdir: ..\n' })],
    ['a .git file without a path', put({ 'repo/.git': 'gitdir: \n' })],
    ['a .git file without a path in a git directory', put({ 'repo/.git/.git': 'gitdir: \n' }), 'repo/.git'],
    ['a .git file with a tab', both(separate, put({ 'repo/.git': 'gitdir:\t../x.git' }))],
    ['an empty .git file', put({ 'repo/.git': '' })],
    ['a .git file without a space', both(separate, put({ 'repo/.git': 'gitdir:../x.git' }))],
    ['a .git file with a space behind', both(separate, put({ 'repo/.git': 'gitdir: ../x.git \n' }))],
    ['a .git file that is too large', put({ 'a/.git': `gitdir: ../repo/.git${'\n'.repeat(1024 * 1024)}` }), 'a'],
    ['an empty commondir', put({ 'repo/.git/commondir': '' })],
    ['a commondir that leads nowhere', put({ 'repo/.git/commondir': 'nowhere' })],
    ['a commondir that leads to no git directory', put({ 'repo/.git/commondir': '..' })],
  ])('%s', (_, change, directory = 'repo') => {
    const base = emptyDirectory();
    makeRepository(join(base, 'repo'));
    change(base);
    expect(gitsRepository(join(base, directory))).toBeNull();
    expect(repositoryAt(bytesOf(join(base, directory)))).toBeNull();
  });
});

it('other than in git, a .git file is not read through a link', () => {
  const base = emptyDirectory();
  separate(base);
  addTree(base, { 'a/.git': { link: '../separate/.git' } });
  expect(gitsRepository(join(base, 'a'))).not.toBeNull();
  expect(repositoryAt(bytesOf(join(base, 'a')))).toBeNull();
});

it('names may be any bytes', () => {
  const base = emptyDirectory();
  const directory = `${base}/\xff\xe9` as Bytes;
  const onDisk = (path: string) => Buffer.from(`${directory}/${path}`, 'latin1');
  for (const path of ['', '.git', '.git/objects', '.git/refs']) mkdirSync(onDisk(path));
  writeFileSync(onDisk('.git/HEAD'), 'ref: refs/heads/main\n');
  expect(repositoryAt(directory)?.commonDirectory).toBe(`${directory}/.git`);
});

describe('the current branch, as git has it', () => {
  const branchOf = (directory: string) => currentBranch(repositoryAt(bytesOf(directory)) as Repository);

  it.each<[string, Change, string | null]>([
    ['of an empty repository', () => {}, 'main'],
    ['with slashes', head('ref: refs/heads/feature/x\n'), 'feature/x'],
    ['by a link', put({ 'repo/.git/HEAD': { link: 'refs/heads/linked' } }), 'linked'],
    ['by another name', put({ 'repo/.git/refs/heads/main': 'ref: refs/heads/master\n' }), 'master'],
    ['that is no branch', head('ref: refs/other/x\n'), null],
    ['of a detached HEAD', head(`${COMMIT}\n`), null],
    ['without an end', put({ 'repo/.git/refs/heads/main': 'ref: refs/heads/main\n' }), null],
  ])('%s', (_, change, expected) => {
    const base = emptyDirectory();
    const repo = join(base, 'repo');
    makeRepository(repo);
    change(base);
    expect(branchOf(repo)).toBe(expected);
    const theirs = /^refs\/heads\/(.*)\n$/.exec(askGit(repo, ['symbolic-ref', 'HEAD']) ?? '')?.[1] ?? null;
    expect(theirs).toBe(expected);
  });

  it('of a linked worktree', () => {
    const base = emptyDirectory();
    makeRepository(join(base, 'repo'));
    linkedWorktree(base);
    expect(branchOf(join(base, 'linked'))).toBe('linked');
    expect(branchOf(join(base, 'repo'))).toBe('main');
  });
});
