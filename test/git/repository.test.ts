/** Where a repository begins, asked of git, too. */
import { execFileSync } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { currentBranch, type GitStore, headCommit, type Repository, repositoryAt } from '../../src/git/repository.ts';
import { list, memorySource, openWorkspace } from '../../src/index.ts';
import { type Bytes, bytesOf } from '../../src/names/bytes.ts';
import { Budget } from '../../src/workspace/budget.ts';
import { askGit, git, gitsRepository, makeRepository, pathsOf, withFiles } from '../support/git.ts';
import { isolateGit } from '../support/repository.ts';
import { addTree, emptyDirectory, type TreeLiteral } from '../support/tree.ts';

isolateGit();

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

/** What is found in `directory`, in a workspace on `root`, and what is noted meanwhile. */
function found(directory: string, root: string): Promise<{ repository: Repository | null; notes: readonly string[] }> {
  return withFiles(root, (files) => {
    const call = Budget.unlimited();
    return { repository: repositoryAt(bytesOf(directory), files, call), notes: call.notes };
  });
}

/** A directory with a fresh repository `repo`, changed. */
function changed(change: Change): string {
  const base = emptyDirectory();
  makeRepository(join(base, 'repo'));
  change(base);
  return base;
}

const both = (first: Change, second: Change) => (base: string) => {
  first(base);
  second(base);
};

describe('a repository, as git sees it', () => {
  it.each<[string, Change, string, Partial<Record<keyof GitStore, string>>]>([
    ['a plain one', () => {}, 'repo', { gitDirectory: 'repo/.git', commonDirectory: 'repo/.git' }],
    ['a linked worktree', linkedWorktree, 'linked', { gitDirectory: 'repo/.git/worktrees/linked' }],
    ['a linked worktree has its config elsewhere', linkedWorktree, 'linked', { commonDirectory: 'repo/.git' }],
    ['a submodule', submodule, 'outer/inner', { gitDirectory: 'outer/.git/modules/inner' }],
    ['a separate git directory', separate, 'separate', { gitDirectory: 'x.git' }],
    ['a link to a git directory', linkedGitDirectory, 'link', { gitDirectory: 'repo/.git' }],
    ['the name of such a link, which conditions may use', linkedGitDirectory, 'link', { givenDirectory: 'link/.git' }],
    ['a .git file has no other name', separate, 'separate', { givenDirectory: 'x.git' }],
    ['a detached HEAD', head(`${COMMIT}\n`), 'repo', {}],
    ['a detached HEAD in capitals, with something behind', head(`${COMMIT.toUpperCase()}xyz`), 'repo', {}],
    ['a HEAD without a space', head('ref:refs/heads/main'), 'repo', {}],
    ['a HEAD with much white space', head('ref: \t\r\n refs/heads/main'), 'repo', {}],
    ['a HEAD that is a link', put({ 'repo/.git/HEAD': { link: 'refs/heads/main' } }), 'repo', {}],
    ['a .git file with an absolute path', (base) => put({ 'a/.git': `gitdir: ${base}/repo/.git` })(base), 'a', {}],
    ['a .git file with line ends', put({ 'a/.git': 'gitdir: ../repo/.git\r\n\n\r' }), 'a', {}],
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
  ])('%s', async (_, change, directory, expected) => {
    const base = changed(change);
    const absolute = Object.entries(expected).map(([key, path]) => [key, join(base, path)]);
    const { repository, notes } = await found(join(base, directory), base);
    expect(repository).toMatchObject({
      ...{ workTree: join(base, directory), isForeign: false },
      store: Object.fromEntries(absolute),
    });
    expect(pathsOf(repository as Repository)).toEqual(gitsRepository(join(base, directory)));
    expect(notes).toEqual([]);
  });

  it.each<[string, Change, string]>([
    ['a linked worktree', linkedWorktree, 'linked'],
    ['a submodule', submodule, 'outer/inner'],
    ['a submodule by an absolute path', both(submodule, absoluteWorktree), 'outer/inner'],
    ['a submodule of which only a part is checked out', both(submodule, sparseSubmodule), 'outer/inner'],
    ['a linked worktree that was repaired', both(linkedWorktree, movedAndRepaired), 'moved'],
  ])('in a workspace of its own, where the git directory names it in return: %s', async (_, change, directory) => {
    const base = changed(change);
    const { repository, notes } = await found(join(base, directory), join(base, directory));
    expect(pathsOf(repository as Repository)).toEqual(gitsRepository(join(base, directory)));
    expect(notes).toEqual([]);
  });

  it('above the workspace, by whatever links git follows', async () => {
    const base = changed(put({ 'a/.git': 'gitdir: l/.git\n', 'a/l': { link: '../repo' }, 'a/src': null }));
    const { repository, notes } = await found(join(base, 'a'), join(base, 'a/src'));
    expect(pathsOf(repository as Repository)).toEqual(gitsRepository(join(base, 'a')));
    expect(notes).toEqual([]);
  });
});

function absoluteWorktree(base: string): void {
  git(join(base, 'outer/.git/modules/inner'), 'config', '--file', 'config', 'core.worktree', join(base, 'outer/inner'));
}

function sparseSubmodule(base: string): void {
  git(join(base, 'outer/inner'), 'sparse-checkout', 'set', 'src');
}

function movedAndRepaired(base: string): void {
  renameSync(join(base, 'linked'), join(base, 'moved'));
  git(join(base, 'moved'), 'worktree', 'repair');
}

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
    ['a .git file without a path', put({ 'repo/.git': 'gitdir: \n' })],
    ['a .git file without a path in a git directory', put({ 'repo/.git/.git': 'gitdir: \n' }), 'repo/.git'],
    ['a .git file with a tab', both(separate, put({ 'repo/.git': 'gitdir:\t../x.git' }))],
    ['an empty .git file', put({ 'repo/.git': '' })],
    ['a .git file without a space', both(separate, put({ 'repo/.git': 'gitdir:../x.git' }))],
    ['a .git file that is too large', put({ 'a/.git': `gitdir: ../repo/.git${'\n'.repeat(1024 * 1024)}` }), 'a'],
    ['an empty commondir', put({ 'repo/.git/commondir': '' })],
    ['a commondir that leads nowhere', put({ 'repo/.git/commondir': 'nowhere' })],
    ['a commondir that leads to no git directory', put({ 'repo/.git/commondir': '..' })],
  ])('%s', async (_, change, directory = 'repo') => {
    const base = changed(change);
    expect(gitsRepository(join(base, directory))).toBeNull();
    expect(await found(join(base, directory), base)).toEqual({ repository: null, notes: [] });
  });
});

describe('other than in git, a .git file begins a repository wherever it leads', () => {
  it.each<[string, Change, string?]>([
    ['nowhere', put({ 'repo/.git': 'gitdir: ../nowhere\n' })],
    ['to a directory that is not git’s', put({ 'repo/.git': 'gitdir: ..\n' })],
    ['to a file', put({ 'repo/.git': 'gitdir: .git\n' })],
    ['to a name that ends in a space', both(separate, put({ 'repo/.git': 'gitdir: ../x.git \n' }))],
    ['to a git directory without a HEAD', both(linkedWorktree, without('repo/.git/worktrees/linked/HEAD')), 'linked'],
  ])('%s', async (_, change, directory = 'repo') => {
    const base = changed(change);
    expect(gitsRepository(join(base, directory))).toBeNull();
    const { repository, notes } = await found(join(base, directory), base);
    expect(repository).toEqual({ workTree: join(base, directory), store: null, isForeign: false });
    expect(notes).toEqual([]);
  });
});

describe('other than in git, no link inside the workspace is followed on the way to git’s files', () => {
  const THROUGH_LINK = "'a/.git' leads through a link, and is not followed";

  /** What is noted of it; null where there is no repository. */
  it.each<[string, Change, string, string | null]>([
    [
      'a .git file that leads through a link',
      put({ 'a/.git': 'gitdir: l/.git\n', 'a/l': { link: '../repo' } }),
      'a',
      THROUGH_LINK,
    ],
    [
      'a .git file that leads to a link',
      put({ 'a/.git': 'gitdir: l\n', 'a/l': { link: '../repo/.git' } }),
      'a',
      THROUGH_LINK,
    ],
    [
      'a .git that is a link to a .git file',
      both(separate, put({ 'a/.git': { link: '../separate/.git' } })),
      'a',
      null,
    ],
    [
      'a .git that is a link to a link',
      both(linkedGitDirectory, put({ 'a/.git': { link: '../link/.git' } })),
      'a',
      null,
    ],
    [
      'a .git with objects elsewhere',
      both(
        (base) => renameSync(join(base, 'repo/.git/objects'), join(base, 'o')),
        put({ 'repo/.git/objects': { link: '../../o' } }),
      ),
      'repo',
      "'repo/.git/objects' leads out of the workspace, and is not followed",
    ],
  ])('%s', async (_, change, directory, note) => {
    const base = changed(change);
    expect(gitsRepository(join(base, directory))).not.toBeNull();
    const { repository, notes } = await found(join(base, directory), base);
    const withoutStore = { workTree: join(base, directory), store: null, isForeign: false };
    expect(repository).toEqual(note === null ? null : withoutStore);
    expect(notes).toEqual(note === null ? [] : [note]);
  });
});

describe('other than in git, what stands in the workspace leads to no git directory outside', () => {
  const LEADS_OUT = "'.git' leads out of the workspace, and is not followed";

  it.each<[string, Change, string]>([
    ['a .git file to another repository', put({ 'a/.git': 'gitdir: ../repo/.git' }), 'a'],
    ['by an absolute path', (base) => put({ 'a/.git': `gitdir: ${base}/repo/.git` })(base), 'a'],
    ['by a way that comes back', put({ 'a/.git': 'gitdir: b/../../repo/.git', 'a/b': null }), 'a'],
    ['to a separate one, which does not say where its work tree is', separate, 'separate'],
    [
      'to that of another linked worktree',
      both(linkedWorktree, put({ 'a/.git': 'gitdir: ../repo/.git/worktrees/linked' })),
      'a',
    ],
    ['to that of another submodule', both(submodule, put({ 'a/.git': 'gitdir: ../outer/.git/modules/inner' })), 'a'],
    ['a link to another repository', linkedGitDirectory, 'link'],
  ])('%s', async (_, change, directory) => {
    const base = changed(change);
    expect(askGit(join(base, directory), ['rev-parse', '--git-dir'])).not.toBeNull();
    const { repository, notes } = await found(join(base, directory), join(base, directory));
    expect(repository).toEqual({ workTree: join(base, directory), store: null, isForeign: false });
    expect(notes).toEqual([LEADS_OUT]);
  });

  it.each<[string, TreeLiteral]>([
    ['a .git file that leads nowhere', { 'a/.git': 'gitdir: ../nowhere' }],
    ['a link to nowhere', { 'a/.git': { link: '../nowhere' } }],
    ['a link to a file', { 'a/.git': { link: '../file' }, file: '' }],
    ['a link to a git directory', { 'a/.git': { link: '../repo/.git' } }],
    ['a link to a directory', { 'a/.git': { link: '..' } }],
  ])('and nothing tells what is there: %s', async (_, tree) => {
    const base = changed(put(tree));
    const { repository, notes } = await found(join(base, 'a'), join(base, 'a'));
    expect(repository).toEqual({ workTree: join(base, 'a'), store: null, isForeign: false });
    expect(notes).toEqual([LEADS_OUT]);
  });

  it('a directory is called by its path from the workspace', async () => {
    const base = changed(put({ 'ws/a/b/.git': 'gitdir: ../../../repo/.git' }));
    expect((await found(join(base, 'ws/a/b'), join(base, 'ws'))).notes).toEqual([
      "'a/b/.git' leads out of the workspace, and is not followed",
    ]);
  });

  it('nor does a commondir, and that is noted', async () => {
    const base = changed(put({ 'c/.git/HEAD': 'ref: refs/x', 'c/.git/commondir': '../../repo/.git\n' }));
    expect(gitsRepository(join(base, 'c'))?.commonDirectory).toBe(join(base, 'repo/.git'));
    const { repository, notes } = await found(join(base, 'c'), join(base, 'c'));
    expect(repository?.store ?? null).toBeNull();
    expect(notes).toEqual([expect.stringMatching(/^'\.git\/commondir' .*out.* workspace/)]);
  });
});

it.runIf(existsSync('/dev/shm'))('devices are not asked for, but a workspace may be among them', async () => {
  const base = mkdtempSync('/dev/shm/repository-');
  onTestFinished(() => rmSync(base, { recursive: true }));
  makeRepository(base);
  mkdirSync(join(base, 'src'));
  for (const root of [join(base, 'src'), base]) {
    expect(pathsOf((await found(base, root)).repository as Repository)).toEqual(gitsRepository(base));
  }
  // Not in the usual place for temporary files, which may be in memory, too.
  const elsewhere = mkdtempSync('/tmp/elsewhere-');
  onTestFinished(() => rmSync(elsewhere, { recursive: true }));
  put({ 'a/.git': `gitdir: ${base}/.git`, 'a/b': null })(elsewhere);
  expect(gitsRepository(join(elsewhere, 'a'))).not.toBeNull();
  expect((await found(join(elsewhere, 'a'), join(elsewhere, 'a/b'))).repository?.store).toBeNull();
});

it('other than in git, a git directory below /proc is not asked for', async () => {
  const base = changed((base) =>
    put({ 'a/.git': `gitdir: /proc/${process.pid}/root${base}/repo/.git`, 'a/b': null })(base),
  );
  expect(gitsRepository(join(base, 'a'))).not.toBeNull();
  // It may lead anywhere, for `.git` stands above the workspace.
  const { repository } = await found(join(base, 'a'), join(base, 'a/b'));
  expect(repository).toEqual({ workTree: join(base, 'a'), store: null, isForeign: false });
});

describe('a repository of another user, which git refuses', () => {
  const ANOTHERS = { GIT_CONFIG_SYSTEM: '/dev/null', GIT_TEST_ASSUME_DIFFERENT_OWNER: '1' };
  const be = (user: number) => {
    const spy = vi.spyOn(process, 'geteuid').mockReturnValue(user);
    onTestFinished(() => spy.mockRestore());
  };
  const beAnother = () => be(12_345);
  const NOTE = (name: string) => `the repository in '${name}' belongs to another user; its settings are not read`;

  /** Puts the settings of the user in place, for us and for git. */
  function configured(base: string, config: string): Record<string, string> {
    addTree(base, { config: config.replaceAll('{BASE}', base) });
    vi.stubEnv('GIT_CONFIG_GLOBAL', join(base, 'config'));
    vi.stubEnv('HOME', base);
    return { ...ANOTHERS, GIT_CONFIG_GLOBAL: join(base, 'config'), HOME: base };
  }

  it.each<[string, string, boolean]>([
    ['no settings', '', false],
    ['its path', '[safe]\ndirectory = {BASE}/repo\n', true],
    ['one path among others', '[safe]\ndirectory = /x\ndirectory = {BASE}/repo\ndirectory = /y\n', true],
    ['its path below the home', '[safe]\ndirectory = ~/repo\n', true],
    ['any', '[safe]\ndirectory = *\n', true],
    ['the directory above it', '[safe]\ndirectory = {BASE}\n', false],
    ['the beginning of its path', '[safe]\ndirectory = {BASE}/re\n', false],
    ['a path below it', '[safe]\ndirectory = {BASE}/repo/src\n', false],
    ['what is below it', '[safe]\ndirectory = {BASE}/repo/*\n', false],
    ['its path, taken back', '[safe]\ndirectory = {BASE}/repo\ndirectory =\n', false],
    ['its path, taken back by one without a value', '[safe]\ndirectory = *\ndirectory\n', false],
    ['its path, after others were taken back', '[safe]\ndirectory = *\ndirectory =\ndirectory = {BASE}/repo\n', true],
    ['another setting', '[safe]\nbareRepository = *\n[core]\ndirectory = *\n', false],
    ['an unknown home', '[safe]\ndirectory = ~nobody-has-this-name/repo\n', false],
  ])('unless the user names it safe: %s', async (_, config, isTrusted) => {
    const base = changed(() => {});
    const repo = join(base, 'repo');
    const environment = configured(base, config);
    expect(gitsRepository(repo, environment) !== null).toBe(isTrusted);
    beAnother();
    const { repository, notes } = await found(repo, repo);
    expect(repository).toMatchObject({ workTree: repo, isForeign: !isTrusted });
    expect(repository?.store !== null).toBe(isTrusted);
    expect(notes).toEqual(isTrusted ? [] : [NOTE('.')]);
  });

  // Git knows these since 2.46.
  it.each<[string, boolean]>([
    ['{BASE}/*', true],
    ['/*', true],
    ['{BASE}/r*', false],
  ])('unless the user names those below a directory safe: %s', async (directory, isTrusted) => {
    const base = changed(() => {});
    configured(base, `[safe]\ndirectory = ${directory}\n`);
    beAnother();
    const { repository } = await found(join(base, 'repo'), join(base, 'repo'));
    expect(repository?.isForeign).toBe(!isTrusted);
  });

  it('what the repository says of itself does not count', async () => {
    const base = changed((base) => git(join(base, 'repo'), 'config', 'safe.directory', '*'));
    expect(gitsRepository(join(base, 'repo'), { ...ANOTHERS, GIT_CONFIG_GLOBAL: '/dev/null' })).toBeNull();
    beAnother();
    expect((await found(join(base, 'repo'), base)).repository).toMatchObject({ store: null, isForeign: true });
  });

  it('what stands in the workspace does not count either, though it were the user’s', async () => {
    const base = changed(() => {});
    const environment = configured(base, '[safe]\ndirectory = *\n');
    expect(gitsRepository(join(base, 'repo'), environment)).not.toBeNull();
    beAnother();
    const { repository, notes } = await found(join(base, 'repo'), base);
    expect(repository).toMatchObject({ store: null, isForeign: true });
    expect(notes).toEqual([NOTE('repo')]);
  });

  it('the environment counts', async () => {
    const base = changed(() => {});
    const one = { GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'safe.directory', GIT_CONFIG_VALUE_0: join(base, 'repo') };
    expect(gitsRepository(join(base, 'repo'), { ...ANOTHERS, GIT_CONFIG_GLOBAL: '/dev/null', ...one })).not.toBeNull();
    for (const [name, value] of Object.entries(one)) vi.stubEnv(name, value);
    beAnother();
    expect((await found(join(base, 'repo'), base)).repository).toMatchObject({ isForeign: false });
  });

  it('who became root by sudo is still the user', async () => {
    const base = changed(() => {});
    const own = process.geteuid?.() ?? 0;
    vi.stubEnv('SUDO_UID', `${own}`);
    be(0);
    expect((await found(join(base, 'repo'), base)).repository).toMatchObject({ isForeign: false });
    be(own + 1);
    expect((await found(join(base, 'repo'), base)).repository).toMatchObject({ isForeign: true });
  });

  it.runIf(process.getuid?.() === 0).each<[string, string, boolean]>([
    ['the user', '12345', true],
    ['another user', '1234', false],
    ['nobody', '', false],
    ['what is no number', '12345x', false],
  ])('who became root by sudo has what belongs to both: called by %s', async (_, user, isTrusted) => {
    const base = changed(() => {});
    vi.stubEnv('SUDO_UID', user);
    expect((await found(join(base, 'repo'), base)).repository).toMatchObject({ isForeign: false });
    chownSync(join(base, 'repo'), 12_345, 12_345);
    expect((await found(join(base, 'repo'), base)).repository).toMatchObject({ isForeign: !isTrusted });
  });

  it('is not one in memory, where nobody is a user of this machine', async () => {
    const repository = { '.git/HEAD': 'ref: refs/heads/main\n', '.git/objects/x': '', '.git/refs/x': '' };
    const tree = { '.git/': { user: 12_345 }, ...repository, '.git/info/exclude': '*.log\n', 'a.log': '', a: '' };
    const workspace = await openWorkspace(memorySource(tree));
    onTestFinished(() => workspace.close());
    const { entries, notes } = await list({ gitIgnore: true }, workspace);
    expect([entries.map(({ name }) => name), notes ?? []]).toEqual([['a'], []]);
  });

  it.runIf(process.getuid?.() === 0).each<[string, Change, string, string]>([
    ['its work tree', () => {}, 'repo', 'repo'],
    ['its .git', () => {}, 'repo', 'repo/.git'],
    ['its .git file', linkedWorktree, 'linked', 'linked/.git'],
    ['its git directory', linkedWorktree, 'linked', 'repo/.git/worktrees/linked'],
  ])('each part of it has to be the user’s: %s', async (_, change, directory, part) => {
    const base = changed(change);
    expect((await found(join(base, directory), base)).repository).toMatchObject({ isForeign: false });
    chownSync(join(base, part), 12_345, 12_345);
    expect(gitsRepository(join(base, directory))).toBeNull();
    const { repository, notes } = await found(join(base, directory), base);
    expect(repository).toEqual({ workTree: join(base, directory), store: null, isForeign: true });
    expect(notes).toEqual([NOTE(directory)]);
  });
});

it('names may be any bytes', async () => {
  const base = emptyDirectory();
  const directory = `${base}/\xff\xe9` as Bytes;
  const onDisk = (path: string) => Buffer.from(`${directory}/${path}`, 'latin1');
  for (const path of ['', '.git', '.git/objects', '.git/refs']) mkdirSync(onDisk(path));
  writeFileSync(onDisk('.git/HEAD'), 'ref: refs/heads/main\n');
  const repository = await withFiles(base, (files) => repositoryAt(directory, files, Budget.unlimited()));
  expect(repository?.store?.commonDirectory).toBe(`${directory}/.git`);
});

describe('what is checked out, as git has it', () => {
  const headOf = (directory: string, root: string) =>
    withFiles(root, (files) => {
      const store = repositoryAt(bytesOf(directory), files, Budget.unlimited())?.store;
      if (store === null || store === undefined) throw new Error(`${directory} has no git directory`);
      return { branch: currentBranch(store, files), commit: headCommit(store, files) };
    });
  const gitsHead = (directory: string) => ({
    branch: /^refs\/heads\/(.*)\n$/.exec(askGit(directory, ['symbolic-ref', 'HEAD']) ?? '')?.[1] ?? null,
    commit: askGit(directory, ['rev-parse', '--verify', '--quiet', 'HEAD'])?.trim() ?? null,
  });
  const longer = (base: string) =>
    git(base, 'init', '--quiet', '--template=', '--object-format=sha256', '--initial-branch=main', 'repo');
  /** A commit stands where only something that is no ref's name leads to. */
  const elsewhere = (content: string) =>
    both(commit, (base) => {
      const id = askGit(join(base, 'repo'), ['rev-parse', 'HEAD']) ?? '';
      put({ 'repo/.git/HEAD': content, 'repo/.git/elsewhere': id, 'repo/.git/refs/x': id })(base);
    });
  const packed = both(commit, (base) => git(join(base, 'repo'), 'pack-refs', '--all'));
  const inRepo =
    (...words: string[]) =>
    (base: string) =>
      git(join(base, 'repo'), ...words);

  /** The branch is only a name of the next, and so on. */
  const names = (count: number) =>
    put(
      Object.fromEntries(
        Array.from({ length: count }, (_, i) => [
          `repo/.git/refs/heads/${i === 0 ? 'main' : `n${i}`}`,
          `ref: refs/heads/n${i + 1}\n`,
        ]),
      ),
    );

  it.each<[string, Change, string | null]>([
    ['of an empty repository', () => {}, 'main'],
    ['with slashes', head('ref: refs/heads/feature/x\n'), 'feature/x'],
    ['by a link', put({ 'repo/.git/HEAD': { link: 'refs/heads/linked' } }), 'linked'],
    ['by another name', put({ 'repo/.git/refs/heads/main': 'ref: refs/heads/master\n' }), 'master'],
    ['after white space', head('ref: \t refs/heads/main\n'), 'main'],
    ['by three other names', names(3), 'n3'],
    ['by four other names', names(4), null],
    ['that is no branch', head('ref: refs/other/x\n'), null],
    ['of a detached HEAD', head(`${COMMIT}\n`), null],
    ['without an end', put({ 'repo/.git/refs/heads/main': 'ref: refs/heads/main\n' }), null],
  ])('the branch %s', async (_, change, expected) => {
    const base = changed(change);
    const repo = join(base, 'repo');
    expect((await headOf(repo, base)).branch).toBe(expected);
    expect(gitsHead(repo).branch).toBe(expected);
  });

  it.each<[string, Change]>([
    ['of a branch', commit],
    ['of a branch whose ref is packed', packed],
    ['of a branch that went on since', both(packed, commit)],
    ['of a branch with slashes', both(commit, inRepo('checkout', '--quiet', '-b', 'a/b/c'))],
    [
      'of one whose name ends like another',
      both(both(packed, inRepo('branch', 'x/main')), inRepo('pack-refs', '--all')),
    ],
    ['of a branch by another name', both(commit, inRepo('symbolic-ref', 'refs/heads/other', 'refs/heads/main'))],
    ['of a detached HEAD', both(commit, inRepo('checkout', '--quiet', '--detach'))],
    ['with a longer name', both(both(without('repo'), longer), commit)],
  ])('the commit %s', async (_, change) => {
    const base = changed(change);
    const repo = join(base, 'repo');
    const { commit: ours } = await headOf(repo, base);
    expect(ours).toMatch(/^[0-9a-f]{40}(?:[0-9a-f]{24})?$/);
    expect(ours).toBe(gitsHead(repo).commit);
  });

  it.each<[string, Change]>([
    ['of an empty repository', () => {}],
    ['of a HEAD that names no ref', head('ref: refs/../config\n')],
    ['of a HEAD that leads out of refs', elsewhere('ref: refs/../elsewhere\n')],
    ['of a HEAD that leads out of refs further down', elsewhere('ref: refs/heads/../../elsewhere\n')],
    ['of a HEAD with a name that is .', elsewhere('ref: refs/./x\n')],
    ['of a HEAD with a name that is empty', elsewhere('ref: refs//x\n')],
    [
      'of a branch that leads out of refs',
      both(elsewhere('ref: refs/heads/main\n'), put({ 'repo/.git/refs/heads/main': 'ref: refs/../elsewhere\n' })),
    ],
    ['of a ref that is no commit', put({ 'repo/.git/refs/heads/main': 'xyz\n' })],
    ['of a ref with something in front', put({ 'repo/.git/refs/heads/main': `x${COMMIT}\n` })],
    ['of a ref with something in front of a name', put({ 'repo/.git/refs/heads/main': 'x ref: refs/heads/x\n' })],
  ])('no commit %s', async (_, change) => {
    const base = changed(change);
    expect((await headOf(join(base, 'repo'), base)).commit).toBeNull();
    expect(gitsHead(join(base, 'repo')).commit).toBeNull();
  });

  it('other than in git, not by a name outside of refs', async () => {
    const base = changed(elsewhere('ref: refs/heads/main\n'));
    put({ 'repo/.git/refs/heads/main': 'ref: elsewhere\n' })(base);
    expect(await headOf(join(base, 'repo'), base)).toEqual({ branch: null, commit: null });
  });

  it('in a linked worktree', async () => {
    const base = changed(linkedWorktree);
    expect((await headOf(join(base, 'linked'), base)).branch).toBe('linked');
    expect((await headOf(join(base, 'repo'), base)).branch).toBe('main');
    for (const root of [base, join(base, 'linked')]) {
      expect(await headOf(join(base, 'linked'), root)).toEqual(gitsHead(join(base, 'linked')));
    }
  });
});
