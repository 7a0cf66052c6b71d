/** Which settings count, asked of git, too. */
import { execFileSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import {
  ASKED_OF_REPOSITORY,
  ASKED_OF_USERS_FILE,
  askGit,
  fullSettings,
  git,
  gitsSettings,
  makeRepository,
  ourSettings,
} from '../support/git.ts';
import { addTree, emptyDirectory, withLinksOn } from '../support/tree.ts';
import { skipOnWindows } from '../support/windows.ts';

type Texts = Readonly<Record<string, string>>;

const REPOSITORY = 'home/Code/repo';
const LOCAL = `${REPOSITORY}/.git/config`;
const WORKTREE = `${REPOSITORY}/.git/config.worktree`;
const USER = 'home/.gitconfig';
const XDG = 'home/.config/git/config';
const HOME = { HOME: '{BASE}/home', GIT_CONFIG_SYSTEM: '{BASE}/system' };

const ignoreCase = '[core]\nignoreCase\n';
const respectCase = '[core]\nignoreCase = no\n';
const excludes = (path: string) => `[core]\nexcludesFile = ${path}\n`;
const include = (path: string) => `[include]\npath = ${path}\n`;
const includeIf = (condition: string, path = '{BASE}/yes') => `[includeIf "${condition}"]\npath = ${path}\n`;

/** Files inside the repository, as its own settings may name them. */
const INNER_YES = '../yes';
const [IGNORE_3, IGNORE_4] = ['~/Code/repo/ignore-3', '~/Code/repo/ignore-4'];

/**
 * A repository with a user's home around it, which is outside the workspace; `{BASE}` in a file or a variable is the
 * directory of both.
 */
class Setup {
  readonly base = emptyDirectory();
  readonly workTree = join(this.base, REPOSITORY);
  readonly environment: Texts;

  constructor(files: Texts, environment: Texts = HOME) {
    makeRepository(this.workTree);
    addTree(this.base, {
      [`${REPOSITORY}/.git/info/exclude`]: ASKED_OF_REPOSITORY,
      yes: ignoreCase,
      'home/ignore 1': ASKED_OF_USERS_FILE,
      'home/ignore-2': ASKED_OF_USERS_FILE,
      'home/.config/git/ignore': ASKED_OF_USERS_FILE,
      'xdg/git/ignore': ASKED_OF_USERS_FILE,
      [`${REPOSITORY}/ignore-3`]: ASKED_OF_USERS_FILE,
      [`${REPOSITORY}/ignore-4`]: ASKED_OF_USERS_FILE,
      [`${REPOSITORY}/yes`]: ignoreCase,
    });
    for (const [path, content] of Object.entries(files)) this.append(path, content);
    this.environment = this.filled(environment);
  }

  append(path: string, content: string): void {
    mkdirSync(join(this.base, path, '..'), { recursive: true });
    appendFileSync(join(this.base, path), this.#inPlace(content));
  }

  filled(texts: Texts): Texts {
    return Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, this.#inPlace(text)]));
  }

  #inPlace(text: string): string {
    // In a file of git's settings, a backslash would be the start of an escape.
    return text.replaceAll('{BASE}', this.base.replaceAll(sep, '/'));
  }
}

describe('a user’s ignore file, as git finds it', () => {
  it.each<[string, string | null, Texts, Texts?]>([
    ['in its default place', 'home/.config/git/ignore', {}],
    ['in the default place of XDG_CONFIG_HOME', 'xdg/git/ignore', {}, { ...HOME, XDG_CONFIG_HOME: '{BASE}/xdg' }],
    ['XDG_CONFIG_HOME may be empty', 'home/.config/git/ignore', {}, { ...HOME, XDG_CONFIG_HOME: '' }],
    ['without a home there is none', null, {}, { GIT_CONFIG_SYSTEM: '/dev/null' }],
    ['the system’s file', 'home/ignore-2', { system: excludes('~/ignore-2') }],
    [
      'the system’s file does not count when it is switched off',
      'home/.config/git/ignore',
      { system: excludes('~/ignore-2') },
      { ...HOME, GIT_CONFIG_NOSYSTEM: 'yes' },
    ],
    [
      'the system’s file counts when it is not switched off',
      'home/ignore-2',
      { system: excludes('~/ignore-2') },
      { ...HOME, GIT_CONFIG_NOSYSTEM: '0' },
    ],
    ['a user’s file', 'home/ignore 1', { [USER]: excludes('~/ignore 1') }],
    ['a user’s file before the system’s', 'home/ignore 1', { system: excludes('~/x'), [XDG]: excludes('~/ignore 1') }],
    ['.gitconfig before XDG', 'home/ignore 1', { [USER]: excludes('~/ignore 1'), [XDG]: excludes('~/ignore-2') }],
    [
      'GIT_CONFIG_GLOBAL in place of both',
      'home/.config/git/ignore',
      { [USER]: excludes('~/ignore 1'), [XDG]: excludes('~/ignore-2'), other: ignoreCase },
      { ...HOME, GIT_CONFIG_GLOBAL: '{BASE}/other' },
    ],
    [
      'the repository before the user',
      `${REPOSITORY}/ignore-3`,
      { [LOCAL]: excludes(IGNORE_3), [USER]: excludes('~/ignore-2') },
    ],
    ['an absolute path', 'home/ignore-2', { [USER]: excludes('{BASE}/home/ignore-2') }],
    [
      'an absolute path of the repository',
      `${REPOSITORY}/ignore-3`,
      { [LOCAL]: excludes(`{BASE}/${REPOSITORY}/ignore-3`) },
    ],
    ['a relative path of the repository', `${REPOSITORY}/ignore-3`, { [LOCAL]: excludes('.git/../ignore-3') }],
    ['a relative path', `${REPOSITORY}/ignore-3`, { [USER]: excludes('ignore-3') }],
    ['an empty path is none', null, { [USER]: excludes('') }],
    ['a path that leads nowhere', null, { [USER]: excludes('~/nowhere') }],
    ['the last in a file', `${REPOSITORY}/ignore-3`, { [LOCAL]: excludes('a') + excludes('ignore-3') }],
    ['a home that is not the user’s own', null, { [USER]: excludes('~root/nowhere') }],
    [
      'the worktree’s file, where the repository allows one',
      `${REPOSITORY}/ignore-4`,
      { [LOCAL]: `[extensions]\nworktreeConfig = true\n${excludes(IGNORE_3)}`, [WORKTREE]: excludes(IGNORE_4) },
    ],
    [
      'the worktree’s file, where the repository does not',
      `${REPOSITORY}/ignore-3`,
      { [LOCAL]: excludes(IGNORE_3), [WORKTREE]: excludes(IGNORE_4) },
    ],
    [
      'the worktree’s file, where only the user allows one',
      'home/.config/git/ignore',
      { [USER]: '[extensions]\nworktreeConfig = true\n', [WORKTREE]: excludes(IGNORE_4) },
    ],
    [
      'the worktree’s file, where only an included file allows one',
      'home/.config/git/ignore',
      {
        [LOCAL]: include('more'),
        [`${LOCAL}/../more`]: '[extensions]\nworktreeConfig',
        [WORKTREE]: excludes(IGNORE_4),
      },
    ],
    [
      'the worktree’s file, where the repository no longer allows one',
      'home/.config/git/ignore',
      { [LOCAL]: '[extensions]\nworktreeConfig\nworktreeConfig = no', [WORKTREE]: excludes(IGNORE_4) },
    ],
    [
      'the environment before all files',
      'home/ignore 1',
      { [LOCAL]: excludes(IGNORE_3) },
      { ...HOME, GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'CORE.excludesFile', GIT_CONFIG_VALUE_0: '~/ignore 1' },
    ],
    [
      'a file that the environment includes',
      'home/ignore 1',
      { other: excludes('~/ignore 1') },
      { ...HOME, GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'include.path', GIT_CONFIG_VALUE_0: '{BASE}/other' },
    ],
    [
      'what `git -c` hands on, after the numbered ones',
      'home/ignore 1',
      {},
      {
        ...HOME,
        ...{ GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'core.excludesFile', GIT_CONFIG_VALUE_0: '~/ignore-2' },
        GIT_CONFIG_PARAMETERS: "'a.b'= 'Core.ExcludesFile'='~/ignore 1'  'x.Y z.k'='it'\\''s' 'c.d'",
      },
    ],
    [
      'what `git -c` handed on before 2.31',
      'home/ignore 1',
      {},
      { ...HOME, GIT_CONFIG_PARAMETERS: "'core.excludesfile=~/ignore 1' 'a.b=c=d'" },
    ],
  ])('%s', async (_, expected, files, environment) => {
    const { base, workTree, environment: env } = new Setup(files, environment);
    const path = expected === null ? null : join(base, expected);
    expect((await ourSettings(workTree, env)).excludesFile).toBe(path);
    expect(gitsSettings(workTree, env)?.excludesFile).toBe(path);
    expect(await ourSettings(workTree, env)).toEqual(gitsSettings(workTree, env));
  });

  it('the worktree’s file, where the repository does not say which version of the format it has', async () => {
    const setup = new Setup({ [WORKTREE]: excludes(IGNORE_4) });
    writeFileSync(join(setup.base, LOCAL), '[extensions]\nworktreeConfig\n');
    expect((await ourSettings(setup.workTree, setup.environment)).excludesFile).toBe(
      join(setup.base, 'home/.config/git/ignore'),
    );
    expect(await ourSettings(setup.workTree, setup.environment)).toEqual(
      gitsSettings(setup.workTree, setup.environment),
    );
  });

  it('other than in git, not in the place where git is installed, which only git knows', async () => {
    const { workTree, environment } = new Setup({ [USER]: excludes('%(prefix)/ignore') });
    expect((await fullSettings(workTree, environment)).excludesFile).toBeNull();
  });

  it.each(['~/a b', '~root/x', '~daemon/x', '~root', '~', 'a/../b', '/a/b', '"/a#b"', '/a\\tb', '/caf\u00e9'])(
    'the path %s',
    async (path) => {
      const { workTree, environment } = new Setup({ [USER]: excludes(path) });
      const printed = askGit(workTree, ['config', '--type=path', '--get', 'core.excludesFile'], environment);
      const theirs = printed?.replace(/\n$/, '') ?? '';
      expect((await fullSettings(workTree, environment)).excludesFile).toBe(resolve(workTree, theirs));
    },
  );
});

describe('case is ignored, as in git', () => {
  it.each<[string, boolean, Texts, Texts?]>([
    ['not by default', false, {}],
    ['true', true, { [LOCAL]: '[Core]\nIGNORECASE = true' }],
    ['without a value', true, { [LOCAL]: ignoreCase }],
    ['an empty value', false, { [LOCAL]: '[core]\nignoreCase =\n' }],
    ['the last counts', false, { [LOCAL]: ignoreCase + respectCase }],
    ['another section', false, { [LOCAL]: '[core "x"]\nignoreCase\n' }],
    ['an include', true, { [LOCAL]: include(INNER_YES) }],
    ['an include counts where it stands', true, { [LOCAL]: respectCase + include(INNER_YES) }],
    ['what comes behind an include counts more', false, { [LOCAL]: include(INNER_YES) + respectCase }],
    ['an include relative to its file', true, { [LOCAL]: include('a/b'), [`${LOCAL}/../a/b`]: ignoreCase }],
    ['an include by an absolute path', true, { [LOCAL]: include(`{BASE}/${REPOSITORY}/yes`) }],
    ['an include below the home', true, { [USER]: include('~/a'), 'home/a': ignoreCase }],
    ['an include below the home, by the repository', true, { [LOCAL]: include('~/Code/repo/yes') }],
    ['an include that is not there', true, { [LOCAL]: include('a') + include('~root/a') + ignoreCase }],
    ['a chain of includes', true, { [USER]: include('x/a'), 'home/x/a': include('../b'), 'home/b': ignoreCase }],
    ['ten includes deep', true, chain(10)],
    ['a file in place of a section', false, { [LOCAL]: '[include "x"]\npath = ../yes\n[includeIf]\npath = ../yes' }],
    ['the system’s file', true, { system: ignoreCase }],
    ['both user’s files', true, { [XDG]: ignoreCase }],
    ['a file of the environment', true, {}, { HOME: '{BASE}/home', GIT_CONFIG_GLOBAL: '{BASE}/yes' }],
    ['an empty name of a file', false, { [USER]: ignoreCase }, { ...HOME, GIT_CONFIG_GLOBAL: '' }],
  ])('%s', async (_, expected, files, environment) => {
    const { workTree, environment: env } = new Setup(files, environment);
    expect((await ourSettings(workTree, env)).ignoreCase).toBe(expected);
    expect(gitsSettings(workTree, env)?.ignoreCase).toBe(expected);
    expect(await ourSettings(workTree, env)).toEqual(gitsSettings(workTree, env));
  });
});

/** A file that includes another, and so on, `length` times; the last ignores case. */
function chain(length: number): Texts {
  const links = Array.from({ length }, (_, i) => [`home/chain-${i + 1}`, i + 1 < length ? `chain-${i + 2}` : null]);
  const files = links.map(([path, next]) => [path, next === null ? ignoreCase : include(next as string)]);
  return { [USER]: include('chain-1'), ...Object.fromEntries(files) };
}

describe('a condition holds, as in git', () => {
  it.each<[string, boolean]>([
    ['gitdir:~/', true],
    ['gitdir:~/Code/', true],
    ['gitdir:~/Code', false],
    ['gitdir:~/Code/repo/.git', true],
    ['gitdir:~/Code/repo/.git/', false],
    ['gitdir:~/code/', false],
    ['gitdir/i:~/code/', true],
    ['gitdir/i:~/CODE/REPO/.GIT', true],
    ['gitdir:~root/', false],
    ['gitdir:~nobody-has-this-name/', false],
    ['gitdir:{BASE}/', true],
    ['gitdir:{BASE}/home/*/repo/.git', true],
    ['gitdir:{BASE}/home/C**/.git', false],
    ['gitdir:{BASE}/ho**/repo/.git', false],
    ['gitdir:{BASE}/**/.git', true],
    ['gitdir:repo/', true],
    ['gitdir:repo', false],
    ['gitdir:epo/', false],
    ['gitdir:.git', true],
    ['gitdir:[Cc]ode/**', true],
    ['gitdir:**/Code/**', true],
    ['gitdir:', true],
    ['gitdir:/', true],
    ['gitdir:./', true],
    ['gitdir:./Code/', true],
    ['gitdir:./code/', false],
    ['gitdir/i:./code/', true],
    ['gitdir:./Code', false],
    ['gitdir:./**/.git', true],
    ['gitdir:./*/.git', false],
    ['gitdir:./../', false],
    ['gitdir:../', false],
    ['gitdir:~/link/', false],
    ['GITDIR:~/', false],
    ['xgitdir:~/', false],
    ['gitdir ~/', false],
    ['onbranch:main', true],
    ['onbranch:ma**', true],
    ['onbranch:MAIN', false],
    ['onbranch:ma', false],
    ['onbranch:', false],
    ['onbranch:main/', false],
    ['onbranch:[', false],
    ['hasconfig:remote.*.url:x', false],
    ['unknown:x', false],
  ])('%s: %s', async (condition, expected) => {
    if (condition === 'gitdir:/') skipOnWindows('one root of all drives');
    const setup = new Setup({ [USER]: includeIf(condition) });
    addTree(setup.base, withLinksOn(condition, { 'home/link': { link: 'Code' } }));
    expect((await ourSettings(setup.workTree, setup.environment)).ignoreCase).toBe(expected);
    expect(gitsSettings(setup.workTree, setup.environment)?.ignoreCase).toBe(expected);
  });

  it.each<[string, string, string, boolean]>([
    ['in its root', 'home/link/repo', 'gitdir:~/link/', true],
    ['in its root, by the real path', 'home/link/repo', 'gitdir:~/Code/', true],
    ['in its root, by another link', 'home/link/repo', 'gitdir:~/other/', false],
    ['further down', 'home/link/repo/sub', 'gitdir:~/link/', false],
    ['elsewhere', 'home/link', 'gitdir:~/link/', false],
    ['nowhere', 'home/link/nothing', 'gitdir:~/link/', false],
  ])('where the shell has come through a link, %s (%s), %s: %s', async (_, directory, condition, expected) => {
    const setup = new Setup({ [USER]: includeIf(condition) });
    addTree(setup.base, { 'home/link': { link: 'Code' }, 'home/other': { link: 'Code' }, 'home/Code/repo/sub': null });
    const environment = { ...setup.environment, PWD: join(setup.base, directory) };
    expect((await ourSettings(setup.workTree, environment)).ignoreCase).toBe(expected);
    expect(gitsSettings(setup.workTree, environment)?.ignoreCase).toBe(expected);
  });

  it.each<[string, string, boolean]>([
    ['feature/x/y', 'feature/', true],
    ['feature/x/y', 'feature/*', false],
    ['feature/x/y', 'feature/**', true],
    ['feature/x/y', '**/y', true],
    ['feature/x/y', 'f**/y', false],
    ['feature/x/y', '*/x/y', true],
  ])('on the branch %s onbranch:%s: %s', async (branch, pattern, expected) => {
    const { workTree, environment } = new Setup({ [USER]: includeIf(`onbranch:${pattern}`) });
    git(workTree, 'symbolic-ref', 'HEAD', `refs/heads/${branch}`);
    expect((await ourSettings(workTree, environment)).ignoreCase).toBe(expected);
    expect(gitsSettings(workTree, environment)?.ignoreCase).toBe(expected);
  });

  it.each<[string, boolean]>([
    ['https://example.com/team/repo.git', true],
    ['https://example.com/**', true],
    ['https://example.com/team/*', true],
    ['https://example.com/*', false],
    ['https://example.com/', false],
    ['**/repo.git', true],
    ['*.git', false],
    ['https://**/repo.git', true],
    ['git@other.org:**', false],
    ['git@other.org:team/**', true],
    ['HTTPS://example.com/**', false],
    ['', false],
    ['**', true],
    ['https://elsewhere.com/**', false],
  ])('with remotes hasconfig:remote.*.url:%s: %s', async (pattern, expected) => {
    const { workTree, environment } = new Setup({ [USER]: includeIf(`hasconfig:remote.*.url:${pattern}`) });
    git(workTree, 'config', 'remote.origin.url', 'https://example.com/team/repo.git');
    git(workTree, 'config', 'remote.fork.url', 'git@other.org:team/repo');
    expect((await ourSettings(workTree, environment)).ignoreCase).toBe(expected);
    expect(gitsSettings(workTree, environment)?.ignoreCase).toBe(expected);
  });

  it('on no branch no pattern of branches holds', async () => {
    const { workTree, environment } = new Setup({ [USER]: includeIf('onbranch:**') });
    git(workTree, 'commit', '--quiet', '--allow-empty', '-m', 'first');
    expect((await ourSettings(workTree, environment)).ignoreCase).toBe(true);
    git(workTree, 'checkout', '--quiet', '--detach');
    expect((await ourSettings(workTree, environment)).ignoreCase).toBe(false);
    expect(gitsSettings(workTree, environment)?.ignoreCase).toBe(false);
  });

  it('without a home paths still do', async () => {
    const { workTree, environment } = new Setup(
      { system: includeIf('gitdir:{BASE}/') },
      { GIT_CONFIG_SYSTEM: '{BASE}/system' },
    );
    expect((await ourSettings(workTree, environment)).ignoreCase).toBe(true);
    expect(gitsSettings(workTree, environment)?.ignoreCase).toBe(true);
  });

  it.each<[string, string, string, boolean]>([
    ['the directory of a file is its real one', 'home', 'gitdir:./', false],
    ['and no other of the same length', 'home', 'gitdir:./Code/', false],
    ['a home is its real one', 'called', 'gitdir:~/', true],
    ['a home is not what it is called', 'called', 'gitdir:{BASE}/called/', false],
  ])('through links: %s', async (_, home, condition, expected) => {
    const { base, workTree, environment } = new Setup({ 'hide/gitconfig': includeIf(condition) });
    addTree(base, { 'home/.gitconfig': { link: '../hide/gitconfig' }, called: { link: 'home' } });
    const env = { ...environment, HOME: join(base, home) };
    expect((await ourSettings(workTree, env)).ignoreCase).toBe(expected);
    expect(gitsSettings(workTree, env)?.ignoreCase).toBe(expected);
  });

  it.each<[string, boolean]>([
    ['gitdir:{BASE}/linked/', true],
    ['gitdir:{BASE}/home/', true],
    ['gitdir:{BASE}/else/', false],
  ])('in a repository whose .git is a link: %s: %s', async (condition, expected) => {
    const { base, environment } = new Setup({ [USER]: includeIf(condition) });
    addTree(base, { 'linked/.git': { link: '../home/Code/repo/.git' } });
    expect((await ourSettings(join(base, 'linked'), environment, base)).ignoreCase).toBe(expected);
    expect(gitsSettings(join(base, 'linked'), environment)?.ignoreCase).toBe(expected);
  });

  it('the environment has conditions, too, but no directory', async () => {
    const one = { GIT_CONFIG_COUNT: '1', GIT_CONFIG_VALUE_0: '{BASE}/yes' };
    const setup = new Setup({}, { ...HOME, ...one, GIT_CONFIG_KEY_0: 'includeIf.gitdir:~/.path' });
    expect((await ourSettings(setup.workTree, setup.environment)).ignoreCase).toBe(true);
    expect(gitsSettings(setup.workTree, setup.environment)?.ignoreCase).toBe(true);
    const relative = setup.filled({ ...HOME, ...one, GIT_CONFIG_KEY_0: 'includeIf.gitdir:./.path' });
    expect((await ourSettings(setup.workTree, relative)).ignoreCase).toBe(false);
  });
});

describe('a linked worktree, as in git', () => {
  const linked = (files: Texts) => {
    const setup = new Setup(files);
    git(setup.workTree, 'commit', '--quiet', '--allow-empty', '-m', 'first');
    git(setup.workTree, 'worktree', 'add', '--quiet', join(setup.base, 'linked'));
    return { setup, main: setup.workTree, workTree: join(setup.base, 'linked'), environment: setup.environment };
  };

  it('shares the repository’s settings', async () => {
    const { workTree, environment } = linked({ [LOCAL]: ignoreCase + excludes('{BASE}/home/ignore-2') });
    expect(await ourSettings(workTree, environment)).toMatchObject({ ignoreCase: true });
    expect(await ourSettings(workTree, environment)).toEqual(gitsSettings(workTree, environment));
  });

  it('has its own file of settings', async () => {
    const { setup, main, workTree, environment } = linked({ [LOCAL]: '[extensions]\nworktreeConfig\n' });
    setup.append(`${REPOSITORY}/.git/worktrees/linked/config.worktree`, ignoreCase);
    expect((await ourSettings(workTree, environment)).ignoreCase).toBe(true);
    expect(await ourSettings(workTree, environment)).toEqual(gitsSettings(workTree, environment));
    expect((await ourSettings(main, environment)).ignoreCase).toBe(false);
    expect(await ourSettings(main, environment)).toEqual(gitsSettings(main, environment));
  });

  it('is where its git directory is, and on its branch', async () => {
    const { workTree, environment } = linked({
      [USER]: includeIf('gitdir:.git/worktrees/linked') + includeIf('onbranch:linked', 'more'),
      'home/more': excludes('~/ignore-2'),
    });
    expect(await ourSettings(workTree, environment)).toMatchObject({ ignoreCase: true });
    expect((await ourSettings(workTree, environment)).excludesFile).toContain('ignore-2');
    expect(await ourSettings(workTree, environment)).toEqual(gitsSettings(workTree, environment));
  });
});

describe('where git refuses to work, the rest counts', () => {
  const COUNT = { ...HOME, GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'core.ignoreCase', GIT_CONFIG_VALUE_0: 'no' };

  it.each<[string, Texts, Texts?]>([
    ['a malformed file is as good as none', { [USER]: ignoreCase, [LOCAL]: `${respectCase}[core` }],
    ['a malformed file that is included', { [USER]: ignoreCase, [LOCAL]: include('more'), [`${LOCAL}/../more`]: '=' }],
    ['a value that is no boolean', { [LOCAL]: `${ignoreCase}ignoreCase = maybe\n` }],
    ['a path without a value', { [LOCAL]: `[include]\npath\n[core]\nexcludesFile\n${ignoreCase}` }],
    ['a file that includes itself', { [LOCAL]: include('config') + ignoreCase }],
    ['two files that include each other', { [USER]: include('a') + ignoreCase, 'home/a': include('.gitconfig') }],
    ['an unknown home', { [LOCAL]: include('~nobody-has-this-name/x') + ignoreCase }],
    ['settings of the environment without a key', { [USER]: ignoreCase }, { ...COUNT, GIT_CONFIG_COUNT: '2' }],
    [
      'settings of the environment with a bad key',
      { [USER]: ignoreCase },
      { ...COUNT, GIT_CONFIG_KEY_0: 'ignoreCase' },
    ],
    ['settings of the environment with a bad count', { [USER]: ignoreCase }, { ...COUNT, GIT_CONFIG_COUNT: 'one' }],
    [
      'settings of the environment with a bad quote',
      { [USER]: ignoreCase },
      { ...HOME, GIT_CONFIG_PARAMETERS: "'core.ignoreCase'='no' 'x" },
    ],
    ['a relative include of the environment', { [USER]: ignoreCase }, { ...COUNT, GIT_CONFIG_KEY_0: 'include.path' }],
  ])('%s', async (_, files, environment) => {
    const { workTree, environment: env } = new Setup(files, environment);
    expect(gitsSettings(workTree, env)).toBeNull();
    expect((await ourSettings(workTree, env)).ignoreCase).toBe(true);
  });

  it.each<[string, Texts, string]>([
    ['the repository’s', { [LOCAL]: '[core' }, "'.git/config' is malformed, and is not used"],
    [
      'one that is included',
      { [LOCAL]: include('more'), [`${LOCAL}/../more`]: '=' },
      "'.git/more' is malformed, and is not used",
    ],
    ['the user’s', { [USER]: '[core' }, "'{BASE}/home/.gitconfig' is malformed, and is not used"],
    [
      'one of more than a megabyte',
      { [LOCAL]: '#'.repeat(2 ** 20) },
      "'.git/config' is larger than 1 MB, and is not used",
    ],
  ])('a file that cannot be used is noted: %s', async (_, files, note) => {
    const { base, workTree, environment } = new Setup(files);
    expect((await fullSettings(workTree, environment)).notes).toEqual([
      note.replace(/\{BASE\}[^']*/, (path) => join(path.replace('{BASE}', base))),
    ]);
  });

  it('eleven includes deep nothing is read any more', async () => {
    const { workTree, environment } = new Setup(chain(11));
    expect(gitsSettings(workTree, environment)).toBeNull();
    expect((await ourSettings(workTree, environment)).ignoreCase).toBe(false);
  });

  it('of many hundred includes the first are read', async () => {
    const nowhere = include('nowhere').repeat(300);
    const early = new Setup({ [LOCAL]: include(INNER_YES) + nowhere });
    expect((await ourSettings(early.workTree, early.environment)).ignoreCase).toBe(true);
    const late = new Setup({ [LOCAL]: nowhere + include(INNER_YES) });
    expect((await ourSettings(late.workTree, late.environment)).ignoreCase).toBe(false);
  });

  it('of many large includes the first are read', async () => {
    const large = { [`${LOCAL}/../large`]: '#'.repeat(600 * 1024) };
    const once = new Setup({ ...large, [LOCAL]: include('large') + include(INNER_YES) });
    expect((await ourSettings(once.workTree, once.environment)).ignoreCase).toBe(true);
    const twice = new Setup({ ...large, [LOCAL]: include('large') + include('large') + include(INNER_YES) });
    expect((await ourSettings(twice.workTree, twice.environment)).ignoreCase).toBe(false);
  });

  it('an include of the environment is not relative to where the process is', async () => {
    const { base, workTree, environment } = new Setup({}, { ...COUNT, GIT_CONFIG_KEY_0: 'include.path' });
    const env = { ...environment, GIT_CONFIG_VALUE_0: relative(process.cwd(), join(base, 'yes')) };
    expect(gitsSettings(workTree, env)).toBeNull();
    expect((await ourSettings(workTree, env)).ignoreCase).toBe(false);
  });

  it('files that include each other many times over are soon read', async () => {
    const many = include('a').repeat(200);
    const { workTree, environment } = new Setup({ [LOCAL]: many, [`${LOCAL}/../a`]: many + ignoreCase });
    expect((await ourSettings(workTree, environment)).ignoreCase).toBe(true);
  });

  it('of many thousand conditions the first are tried', async () => {
    const many = includeIf('gitdir:*a*b*c*d*e*f', INNER_YES).repeat(10_000);
    const { workTree, environment } = new Setup({ [LOCAL]: includeIf('gitdir:~/', INNER_YES) + many });
    expect((await ourSettings(workTree, environment)).ignoreCase).toBe(true);
    const late = new Setup({ [LOCAL]: many + includeIf('gitdir:~/', INNER_YES) });
    expect((await ourSettings(late.workTree, late.environment)).ignoreCase).toBe(false);
  });
});

describe('what may be a link', () => {
  const linkTo = (setup: Setup, path: string, content: string) =>
    addTree(setup.base, { target: content, [path]: { link: join(setup.base, 'target') } });

  it.each<[string, string, Texts, string | null]>([
    ['the user’s file', USER, {}, null],
    ['the system’s file', 'system', {}, null],
    ['what the user’s file includes', 'home/more', { [USER]: include('more') }, null],
    ['what the user’s file includes twice removed', 'home/b', { [USER]: include('a'), 'home/a': include('b') }, null],
    ['not what the repository’s file includes', `${REPOSITORY}/.git/more`, { [LOCAL]: include('more') }, '.git/more'],
    [
      'not what that includes',
      `${REPOSITORY}/.git/b`,
      { [LOCAL]: include('a'), [`${REPOSITORY}/.git/a`]: include('b') },
      '.git/b',
    ],
    [
      'not what the user includes in the workspace',
      `${REPOSITORY}/more`,
      { [USER]: include('Code/repo/more') },
      'more',
    ],
    ['not the worktree’s file', WORKTREE, { [LOCAL]: '[extensions]\nworktreeConfig\n' }, '.git/config.worktree'],
  ])('%s', async (_, path, files, noted) => {
    const setup = new Setup(files);
    linkTo(setup, path, ignoreCase);
    expect(gitsSettings(setup.workTree, setup.environment)?.ignoreCase).toBe(true);
    const { ignoreCase: isIgnored, notes } = await fullSettings(setup.workTree, setup.environment);
    expect(isIgnored).toBe(noted === null);
    expect(notes).toEqual(noted === null ? [] : [`'${noted}' is a link, and is not used`]);
  });

  it.each<[string, string, boolean, Texts, Texts?]>([
    ['in the default place', 'home/.config/git/ignore', true, {}],
    ['named by the user', 'home/x', true, { [USER]: excludes('~/x') }],
    ['named by the environment', 'home/x', true, {}, { ...HOME, GIT_CONFIG_PARAMETERS: "'core.excludesfile'='~/x'" }],
    ['not named by the repository', `${REPOSITORY}/x`, false, { [LOCAL]: excludes('x'), [USER]: excludes('~/y') }],
    ['not named by the user, but in the work tree', `${REPOSITORY}/x`, false, { [USER]: excludes('x') }],
  ])('a user’s ignore file %s', async (_, path, isRead, files, environment) => {
    const setup = new Setup(files, environment);
    rmSync(join(setup.base, path), { force: true });
    linkTo(setup, path, ASKED_OF_USERS_FILE);
    expect(gitsSettings(setup.workTree, setup.environment)?.excludesFile).toBe(join(setup.base, path));
    const ours = await fullSettings(setup.workTree, setup.environment);
    expect([ours.excludesFile, ours.isRead]).toEqual([join(setup.base, path), isRead]);
  });
});

describe('other than in git, what a repository names outside the workspace is not read', () => {
  const note = (file: string, setting: string) =>
    `'${file}' names a file outside the workspace (${setting}), which is not read`;
  const EXCLUDES = note('.git/config', 'core.excludesFile');
  const INCLUDE = note('.git/config', 'include.path');
  const DEFAULT = 'home/.config/git/ignore';

  it.each<[string, Texts, string | null, string[]]>([
    ['an ignore file in the home', { [LOCAL]: excludes('~/ignore-2') }, DEFAULT, [EXCLUDES]],
    ['by an absolute path', { [LOCAL]: excludes('{BASE}/home/ignore-2') }, DEFAULT, [EXCLUDES]],
    ['by a relative path', { [LOCAL]: excludes('../../ignore-2') }, DEFAULT, [EXCLUDES]],
    ['by a way that comes back', { [LOCAL]: excludes('.git/../../../ignore-2') }, DEFAULT, [EXCLUDES]],
    [
      'then what the user named counts',
      { [LOCAL]: excludes('~/ignore-2'), [USER]: excludes('~/ignore 1') },
      'home/ignore 1',
      [EXCLUDES],
    ],
    ['whether or not it is there', { [LOCAL]: excludes('~/nowhere') }, DEFAULT, [EXCLUDES]],
    [
      'by the worktree’s file',
      { [LOCAL]: '[extensions]\nworktreeConfig\n', [WORKTREE]: excludes('~/ignore-2') },
      DEFAULT,
      [note('.git/config.worktree', 'core.excludesFile')],
    ],
    [
      'by what the repository includes',
      { [LOCAL]: include('more'), [`${REPOSITORY}/.git/more`]: excludes('~/ignore-2') },
      DEFAULT,
      [note('.git/more', 'core.excludesFile')],
    ],
    [
      'by what the user includes from the workspace',
      { [USER]: include('Code/repo/more'), [`${REPOSITORY}/more`]: excludes('~/ignore-2') },
      DEFAULT,
      [note('more', 'core.excludesFile')],
    ],
    ['an include', { [LOCAL]: include('{BASE}/yes') }, DEFAULT, [INCLUDE]],
    ['an include in the home', { [LOCAL]: include('~/a'), 'home/a': ignoreCase }, DEFAULT, [INCLUDE]],
    ['an include by a relative path', { [LOCAL]: include('../../../../yes') }, DEFAULT, [INCLUDE]],
    ['an include on a condition', { [LOCAL]: includeIf('gitdir:~/') }, DEFAULT, [INCLUDE]],
    [
      'by a file that is included',
      { [LOCAL]: include('more'), [`${REPOSITORY}/.git/more`]: include('{BASE}/yes') },
      DEFAULT,
      [note('.git/more', 'include.path')],
    ],
  ])('%s', async (_, files, excludesFile, notes) => {
    const { base, workTree, environment } = new Setup(files);
    const expected = { ignoreCase: false, excludesFile: excludesFile === null ? null : join(base, excludesFile) };
    expect(gitsSettings(workTree, environment)).not.toEqual(expected);
    expect(await ourSettings(workTree, environment)).toEqual(expected);
    expect((await fullSettings(workTree, environment)).notes).toEqual(notes);
  });

  it('nor are the URLs in the user’s own files compared, which a condition could guess bit by bit', async () => {
    const secret = '[remote "mine"]\nurl = https://secret@example.com/x\n';
    const condition = includeIf('hasconfig:remote.*.url:https://s*@example.com/*', INNER_YES);
    const asked = new Setup({ [USER]: secret, [LOCAL]: condition });
    expect(gitsSettings(asked.workTree, asked.environment)?.ignoreCase).toBe(true);
    expect((await ourSettings(asked.workTree, asked.environment)).ignoreCase).toBe(false);
    const own = new Setup({ [LOCAL]: secret + condition });
    expect((await ourSettings(own.workTree, own.environment)).ignoreCase).toBe(true);
    const users = new Setup({ [USER]: secret + includeIf('hasconfig:remote.*.url:https://s*@example.com/*') });
    expect((await ourSettings(users.workTree, users.environment)).ignoreCase).toBe(true);
  });

  it('an include on a condition that does not hold is not noted', async () => {
    const { workTree, environment } = new Setup({ [LOCAL]: includeIf('onbranch:other') });
    expect(await fullSettings(workTree, environment)).toMatchObject({ ignoreCase: false, notes: [] });
  });

  it('also by the user’s own file, where that is in the workspace', async () => {
    const { base, workTree, environment } = new Setup({ [USER]: include('{BASE}/yes') + excludes('~/ignore 1') });
    const { ignoreCase, excludesFile, notes } = await fullSettings(workTree, environment, join(base, 'home'));
    expect({ ignoreCase, excludesFile }).toEqual({ ignoreCase: false, excludesFile: join(base, 'home/ignore 1') });
    expect(notes).toEqual([note('.gitconfig', 'include.path')]);
    expect(await fullSettings(workTree, environment)).toMatchObject({ ignoreCase: true, notes: [] });
  });

  it('also by the user’s own file, where that is a link into the workspace', async () => {
    const { base, workTree, environment } = new Setup({ [`${REPOSITORY}/dotfile`]: include('{BASE}/yes') });
    addTree(base, { [USER]: { link: 'Code/repo/dotfile' } });
    expect(gitsSettings(workTree, environment)?.ignoreCase).toBe(true);
    expect(await fullSettings(workTree, environment)).toMatchObject({
      ignoreCase: false,
      notes: [note(`${base}/${USER}`, 'include.path')],
    });
  });

  it('in a workspace that holds it, it is', async () => {
    const { base, workTree, environment } = new Setup({ [LOCAL]: include('{BASE}/yes') + excludes('~/ignore-2') });
    expect(await ourSettings(workTree, environment, base)).toEqual(gitsSettings(workTree, environment));
    expect(await fullSettings(workTree, environment, base)).toMatchObject({ ignoreCase: true, notes: [] });
  });

  it('a repository above the workspace may name anything', async () => {
    const { base, workTree, environment } = new Setup({ [LOCAL]: include('{BASE}/yes') + excludes('~/ignore-2') });
    addTree(base, { [`${REPOSITORY}/src`]: null });
    expect(await ourSettings(workTree, environment, join(workTree, 'src'))).toEqual(
      gitsSettings(workTree, environment),
    );
    expect(await fullSettings(workTree, environment, join(workTree, 'src'))).toMatchObject({
      ignoreCase: true,
      notes: [],
    });
  });
});

describe('what is not a plain file is never opened', () => {
  const IN_PROC = `/proc/${process.pid}/root{BASE}/yes`;

  it.each<[string, Texts, Texts?]>([
    ['by an include of the user', { [USER]: include(IN_PROC) }],
    ['by an include of the environment', {}, { ...HOME, GIT_CONFIG_PARAMETERS: `'include.path'='${IN_PROC}'` }],
    ['by the environment itself', {}, { HOME: '{BASE}/home', GIT_CONFIG_GLOBAL: IN_PROC }],
  ])('other than in git, nothing below /proc is read: %s', async (_, files, environment) => {
    const { workTree, environment: env } = new Setup(files, environment);
    expect(gitsSettings(workTree, env)?.ignoreCase).toBe(true);
    expect((await ourSettings(workTree, env)).ignoreCase).toBe(false);
  });

  it.each(['/dev/zero', '/dev/null', '/proc/self/stat', '/sys/kernel', '/net/host/x', '//host/share/x'])(
    'a user’s ignore file is not there: %s',
    async (path) => {
      const { workTree, environment } = new Setup({ [USER]: excludes(path) });
      expect(await fullSettings(workTree, environment)).toMatchObject({ isRead: false, notes: [] });
    },
  );

  it.runIf(existsSync('/dev/shm'))('nor is a device where the workspace itself is below /dev', async () => {
    skipOnWindows('devices with paths');
    vi.stubEnv('TMPDIR', '/dev/shm');
    const { workTree, environment } = new Setup({ [USER]: include('/dev/null') });
    vi.unstubAllEnvs();
    const all = { ...environment, GIT_CONFIG_SYSTEM: '/dev/null' };
    expect(workTree).toMatch(/^\/dev\/shm\//);
    expect((await fullSettings(workTree, all)).notes).toEqual([]);
  });

  it.each<[string, string, Texts, string]>([
    ['that the user includes', 'home/fifo', { [USER]: include('fifo') }, '{BASE}/home/fifo'],
    ['that the repository includes', `${REPOSITORY}/fifo`, { [LOCAL]: include('../fifo') }, 'fifo'],
    ['in place of the user’s file', USER, {}, '{BASE}/home/.gitconfig'],
    [
      'in place of the worktree’s file',
      WORKTREE,
      { [LOCAL]: '[extensions]\nworktreeConfig\n' },
      '.git/config.worktree',
    ],
  ])('a FIFO is not waited for: %s', async (_, path, files, name) => {
    const { base, workTree, environment } = new Setup(files);
    execFileSync('mkfifo', [join(base, path)]);
    expect((await fullSettings(workTree, environment)).notes).toEqual([
      `'${name.replace('{BASE}', base)}' is not a plain file, and is not used`,
    ]);
  });
});

describe('without a git directory that may be used', () => {
  it('the user’s settings count alone, and no condition holds', async () => {
    const setup = new Setup({ [USER]: excludes('~/ignore-2') + includeIf('gitdir:/') + includeIf('onbranch:**') });
    addTree(setup.base, { 'lost/.git': 'gitdir: ../nowhere\n' });
    expect(await ourSettings(join(setup.base, 'lost'), setup.environment)).toEqual({
      ...{ ignoreCase: false, excludesFile: join(setup.base, 'home/ignore-2') },
    });
  });
});

describe('objects of the history may be missing', () => {
  it.each<[string, boolean]>([
    ['', false],
    ['[remote "origin"]\nurl = x\n', false],
    ['[extensions]\npartialClone = origin\n', true],
    ['[remote "origin"]\npromisor = true\n', true],
    ['[remote "a.b"]\npartialCloneFilter = blob:none\n', true],
    ['[remote]\npromisor = true\n', false],
  ])('%j: %s', async (config, expected) => {
    const { workTree, environment } = new Setup({ [LOCAL]: config });
    expect((await fullSettings(workTree, environment)).isPartial).toBe(expected);
  });
});

it('a change counts at once', async () => {
  const setup = new Setup({});
  expect((await ourSettings(setup.workTree, setup.environment)).ignoreCase).toBe(false);
  setup.append(LOCAL, ignoreCase);
  expect((await ourSettings(setup.workTree, setup.environment)).ignoreCase).toBe(true);
});
