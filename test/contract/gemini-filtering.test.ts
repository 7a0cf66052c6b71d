/** What `list_directory` hides, by which rules, and how it counts that. */
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { listDirectoryTool } from '../../src/faces/library/list-directory-tool.ts';
import { openWorkspace } from '../../src/faces/library/open-workspace.ts';
import { ask, lines } from '../support/gemini.ts';
import { askGit, git, makeRepository } from '../support/git.ts';
import { isolateGit, makeRepositoryTree } from '../support/repository.ts';
import { addTree, makeTree, type TreeLiteral } from '../support/tree.ts';

isolateGit();

const withGit = { file_filtering_options: { respect_git_ignore: true } };
const withoutGit = { file_filtering_options: { respect_git_ignore: false } };
const withoutGemini = { file_filtering_options: { respect_gemini_ignore: false } };
const withoutBoth = { file_filtering_options: { respect_git_ignore: false, respect_gemini_ignore: false } };

describe('the summary', () => {
  it.each([
    ['git alone', 'a\n', '', '(2 git-ignored items hidden)'],
    ['gemini alone', '', 'a\nb\n', '(2 gemini-ignored items hidden)'],
    ['both, git first', 'a\n', 'b\n', '(2 git-ignored, 1 gemini-ignored items hidden)'],
    ['one that both hide counts once, as git’s', 'a\n', 'a\nb\n', '(2 git-ignored, 1 gemini-ignored items hidden)'],
  ])('%s', async (_, gitignore, geminiignore, summary) => {
    const root = makeTree({ '.geminiignore': geminiignore, a: '', b: '', c: '' });
    if (gitignore !== '') {
      addTree(root, { '.gitignore': gitignore });
      makeRepository(root);
    }
    expect((await lines(root, '', { ignore: ['.g*ignore'] })).slice(-2)).toEqual(['c', summary]);
  });

  it('does not count what the argument hid, even if git or gemini would have', async () => {
    const root = makeRepositoryTree({ '.gitignore': 'a\n', '.geminiignore': 'b\n', a: '', b: '', c: '' });
    expect(await lines(root, '', { ignore: ['a', 'b', '.*'] })).toEqual(['c']);
  });

  it('is missing where nothing was hidden', async () => {
    expect(await lines(makeTree({ a: '', b: '' }), '', { ignore: ['b'] })).toEqual(['a']);
  });
});

describe('the ignore argument', () => {
  const names = (list: string) => Object.fromEntries(list.split(' ').map((name) => [name, '']));

  it.each([
    ['*.log', 'a.log .log b.logs log', 'b.logs log'],
    ['temp*', 'temp temperature atemp', 'atemp'],
    ['*', '.a b', ''],
    ['**', '.a b', ''],
    ['*a*', 'a bab xax b', 'b'],
    ['?', 'a é 😀 ab', 'ab'],
    ['?.tmp', 'a.tmp 1.tmp ab.tmp .tmp', '.tmp ab.tmp'],
    ['??', '😀 😀😀 a', '😀 a'],
    ['node_modules', 'node_modules node_modules2 Node_modules', 'Node_modules node_modules2'],
    ['*.LOG', 'a.log a.LOG', 'a.log'],
    ['*.{log,tmp,cache}', 'a.log a.tmp a.cache a.txt', 'a.txt'],
    ['{a,b}{1,2}', 'a1 a2 b1 b2 a3 c1', 'a3 c1'],
    ['{a,{b,c}d}', 'a bd cd b c d', 'b c d'],
    ['a{,b}', 'a ab b', 'b'],
    ['{,}a', 'a b', 'b'],
    ['{a*,?b}', 'a1 xb b', 'b'],
    ['{a}', 'a {a}', 'a'],
    ['a{b', 'ab a{b a', 'a ab'],
    ['a}', 'a a}', 'a'],
    ['{a,b', 'a b {a,b', 'a b'],
    ['a,b', 'a a,b', 'a'],
    ['[ab]', 'a b [ab]', 'a b'],
    ['[!a]', 'b [!a]', 'b'],
    ['!a', 'a !a', 'a'],
    ['a.b', 'a.b axb', 'axb'],
    ['a+', 'aa a+', 'aa'],
    ['(a|b)', 'a (a|b)', 'a'],
    ['^a$', 'a ^a$', 'a'],
    ['\\d', '1 \\d', '1'],
    ['\\*', '* \\x x', '* x'],
    ['', 'a', 'a'],
    [' a', 'a', 'a'],
    ['./a', 'a', 'a'],
    ['a/', 'a', 'a'],
    ['@(a)', 'a @(a)', 'a'],
  ])('%j', async (pattern, all, left) => {
    const root = makeTree(names(all));
    const { llmContent } = await ask(root, { path: root, ignore: [pattern] });
    expect(llmContent).toBe(left.replaceAll(' ', '\n'));
  });

  it('hides whatever its type, and each of its patterns hides', async () => {
    const root = makeTree({ a1: null, a2: '', a3: { link: 'c' }, b: '', c: null });
    expect(await lines(root, '', { ignore: ['a?', 'b', 'nothing'] })).toEqual(['[DIR] c']);
    expect(await lines(root, '', { ignore: [] })).toHaveLength(5);
  });

  it('looks at the name alone', async () => {
    expect(await lines(makeTree({ 'sub/a': '' }), 'sub', { ignore: ['sub', 'sub/a', '*/a', '**/a'] })).toEqual(['a']);
  });

  it('is no pattern of git: no other rule brings back what it hides', async () => {
    const root = makeRepositoryTree({ '.gitignore': '!a\n', '.geminiignore': '!a\n', a: '', b: '' });
    expect(await lines(root, '', { ignore: ['a', '.*', '!b'] })).toEqual(['b']);
  });
});

interface Case {
  readonly clause: string;
  readonly tree: TreeLiteral;
  /** Which directories are repositories. */
  readonly repositories?: readonly string[];
  /** The workspace's root, from the tree's. */
  readonly root?: string;
  /** The listed directory, from the workspace's root. */
  readonly at?: string;
  readonly params?: object;
  readonly shows: readonly string[];
}

const inTree = async ({ tree, repositories = ['.'], root = '', at = '', params = {}, shows }: Case) => {
  const top = makeTree(tree);
  for (const directory of repositories) makeRepository(join(top, directory));
  expect(await lines(join(top, root), at, params)).toEqual(shows);
};
const hidden = (count: number) => `(${count} git-ignored items hidden)`;
const noted = (reason: string) => `(${reason}, and is not used: there may be fewer items hidden)`;

describe('what git ignores', () => {
  it.each<Case>([
    {
      clause: 'a .gitignore counts inside of a repository',
      tree: { '.gitignore': 'a\n', a: '', b: '' },
      shows: ['.gitignore', 'b', hidden(2)],
    },
    {
      clause: 'and outside of one it does not',
      repositories: [],
      tree: { '.gitignore': 'a\n', a: '', b: '' },
      shows: ['.gitignore', 'a', 'b'],
    },
    {
      clause: 'a .git that is none makes no repository, and is hidden all the same',
      repositories: [],
      tree: { '.gitignore': 'a\n', '.git': null, a: '' },
      shows: ['.gitignore', 'a', hidden(1)],
    },
    {
      clause: '.git is hidden outside of a repository, a file too',
      repositories: [],
      tree: { '.git': '', '.gitx': '', git: '' },
      shows: ['.gitx', 'git', hidden(1)],
    },
    {
      clause: '.git is hidden whatever .gitignore says',
      tree: { '.gitignore': '!.git\n!.git/\n!*\n', a: '' },
      shows: ['.gitignore', 'a', hidden(1)],
    },
    {
      clause: 'and in a directory of the repository',
      tree: { 'sub/.git': '', 'sub/.gitignore': '!.git\n', 'sub/a': '' },
      at: 'sub',
      shows: ['.gitignore', 'a', hidden(1)],
    },
    {
      clause: 'what is in .git is hidden with it',
      repositories: [],
      tree: { '.git/x': '', '.git/y/z': '' },
      at: '.git',
      shows: ['', hidden(2)],
    },
    {
      clause: '.git is shown to a call that does not respect git',
      tree: { '.gitignore': 'a\n', a: '' },
      params: withoutGit,
      shows: ['[DIR] .git', '.gitignore', 'a'],
    },
    {
      clause: 'a nested .gitignore wins over the one above, and counts in its directory alone',
      tree: {
        '.gitignore': '*.log\n',
        'sub/.gitignore': '!keep.log\n/x\n',
        'sub/keep.log': '',
        'sub/a.log': '',
        'sub/x': '',
        'sub/d/x': '',
      },
      at: 'sub',
      shows: ['[DIR] d', '.gitignore', 'keep.log', hidden(2)],
    },
    {
      clause: 'it counts in what lies below, too',
      tree: { 'sub/.gitignore': 'x\n', 'sub/d/x': '', 'sub/d/y': '' },
      at: 'sub/d',
      shows: ['y', hidden(1)],
    },
    {
      clause: 'but not beside it',
      tree: { 'sub/.gitignore': 'x\n', 'other/x': '' },
      at: 'other',
      shows: ['x'],
    },
    {
      clause: 'patterns with a path are tried from where their file is',
      tree: { '.gitignore': 'a/b/*.o\n/c.o\n', 'a/b/x.o': '', 'a/b/c.o': '', 'a/b/x.c': '' },
      at: 'a/b',
      shows: ['x.c', hidden(2)],
    },
    {
      clause: 'an anchored pattern does not reach below',
      tree: { '.gitignore': '/a\n', 'sub/a': '' },
      at: 'sub',
      shows: ['a'],
    },
    {
      clause: 'a directory-only pattern hides directories, not files and not links to directories',
      tree: { '.gitignore': 'd/\nf/\nl/\n', d: null, f: '', l: { link: 'd' } },
      shows: ['[DIR] l', '.gitignore', 'f', hidden(2)],
    },
    {
      clause: 'what is in an ignored directory is ignored, whatever its own rules say',
      tree: { '.gitignore': 'out/\n!out/keep\n', 'out/.gitignore': '!*\n', 'out/keep': '', 'out/deep/x': '' },
      at: 'out',
      shows: ['', hidden(3)],
    },
    {
      clause: 'and deeper below it',
      tree: { '.gitignore': 'out/\n', 'out/deep/.gitignore': '!*\n', 'out/deep/x': '' },
      at: 'out/deep',
      shows: ['', hidden(2)],
    },
    {
      clause: 'a ! rule brings back what an earlier one hid',
      tree: { '.gitignore': '*.log\n!keep.log\n', 'keep.log': '', 'a.log': '' },
      shows: ['.gitignore', 'keep.log', hidden(2)],
    },
    {
      clause: 'ancestors above the workspace’s root count, up to the repository’s root',
      tree: { '.gitignore': '*.log\n/ws/sub/x\n', 'ws/sub/a.log': '', 'ws/sub/x': '', 'ws/sub/y': '' },
      root: 'ws',
      at: 'sub',
      shows: ['y', hidden(2)],
    },
    {
      clause: 'between the repository’s root and the workspace’s, too',
      tree: { 'mid/.gitignore': '*.log\n', '.gitignore': '!*.log\n', 'mid/ws/a.log': '', 'mid/ws/b': '' },
      root: 'mid/ws',
      shows: ['b', hidden(1)],
    },
    {
      clause: 'a workspace in an ignored directory has nothing to show',
      tree: { '.gitignore': '/build\n', 'build/ws/a': '' },
      root: 'build/ws',
      shows: ['', hidden(1)],
    },
    {
      clause: 'above the repository’s root nothing counts',
      repositories: ['repo'],
      tree: { '.gitignore': 'a\n', 'repo/a': '' },
      root: 'repo',
      shows: ['a', hidden(1)],
    },
    {
      clause: '.git/info/exclude counts, and a .gitignore wins over it',
      tree: { '.git/info/exclude': '*.x\n', '.gitignore': '!b.x\n', 'a.x': '', 'b.x': '' },
      shows: ['.gitignore', 'b.x', hidden(2)],
    },
    {
      clause: '.git/info/exclude counts below the root',
      tree: { '.git/info/exclude': '/sub/a\n*.x\n', 'sub/a': '', 'sub/b.x': '', 'sub/c': '' },
      at: 'sub',
      shows: ['c', hidden(2)],
    },
    {
      clause: 'a nested repository has its own rules only',
      repositories: ['.', 'inner'],
      tree: { '.gitignore': '*.log\n', 'inner/.gitignore': 'a\n', 'inner/a': '', 'inner/b.log': '' },
      at: 'inner',
      shows: ['.gitignore', 'b.log', hidden(2)],
    },
    {
      clause: 'below its root, too',
      repositories: ['.', 'inner'],
      tree: { '.gitignore': '*.log\n', 'inner/.gitignore': 'a\n', 'inner/sub/a': '', 'inner/sub/b.log': '' },
      at: 'inner/sub',
      shows: ['b.log', hidden(1)],
    },
    {
      clause: 'even if the outer one ignores it',
      repositories: ['.', 'vendor/inner'],
      tree: { '.gitignore': 'vendor/\n', 'vendor/inner/sub/a': '' },
      at: 'vendor/inner/sub',
      shows: ['a'],
    },
    {
      clause: 'while what lies around it is the outer one’s',
      repositories: ['.', 'vendor/inner'],
      tree: { '.gitignore': 'inner/\n', 'vendor/inner/a': '', 'vendor/b': '' },
      at: 'vendor',
      shows: ['b', hidden(1)],
    },
    {
      clause: 'a repository below a workspace that is none',
      repositories: ['repo'],
      tree: { '.gitignore': '*\n', 'repo/.gitignore': '/sub/a\n', 'repo/sub/a': '', 'repo/sub/b': '' },
      at: 'repo/sub',
      shows: ['b', hidden(1)],
    },
    {
      clause: 'a .gitignore that is a link is not followed',
      tree: { rules: '*\n', '.gitignore': { link: 'rules' }, 'sub/.gitignore': { link: '../rules' }, 'sub/a': '' },
      at: 'sub',
      shows: ['.gitignore', 'a', noted("'.gitignore' is a link"), noted("'sub/.gitignore' is a link")],
    },
    {
      clause: 'nor a .git/info/exclude that is one',
      tree: { rules: 'a\n', '.git/info/exclude': { link: '../../rules' }, a: '' },
      shows: ['a', 'rules', hidden(1), noted("'.git/info/exclude' is a link")],
    },
    {
      clause: 'a .gitignore that is a directory holds no rules',
      tree: { '.gitignore/a': '', a: '' },
      shows: ['[DIR] .gitignore', 'a', hidden(1), noted("'.gitignore' is not a plain file")],
    },
    {
      clause: 'a .gitignore of more than a megabyte holds none either',
      tree: { '.gitignore': `a\n${'#'.repeat(2 ** 20)}`, a: '' },
      shows: ['.gitignore', 'a', hidden(1), noted("'.gitignore' is larger than 1 MB")],
    },
    {
      clause: 'what an answer says of it cannot be forged by a name',
      tree: { '(x: there may be fewer items hidden)': '', a: '' },
      shows: ['"(x: there may be fewer items hidden)"', 'a', hidden(1)],
    },
    {
      clause: 'a name with a line break makes one line of it',
      tree: { 'x\ny/.gitignore': { link: '../a' }, 'x\ny/b': '', a: '' },
      at: 'x\ny',
      shows: ['.gitignore', 'b', noted('\'"x\\ny/.gitignore"\' is a link')],
    },
    {
      clause: 'other than in git, a .git file makes a repository wherever it leads',
      repositories: [],
      tree: { '.git': 'gitdir: nowhere\n', '.gitignore': 'a\n', a: '', b: '' },
      shows: ['.gitignore', 'b', hidden(2)],
    },
    {
      clause: 'and one that leads out of the workspace is not followed',
      repositories: ['beside'],
      tree: { 'ws/.git': 'gitdir: ../beside/.git\n', 'ws/.gitignore': 'a\n', 'ws/a': '', 'ws/b': '' },
      root: 'ws',
      shows: [
        ...['.gitignore', 'b', hidden(2)],
        `('.git' leads out of the workspace, and is not followed: there may be fewer items hidden)`,
      ],
    },
    {
      clause: 'listing through an inside link judges the real path',
      tree: { '.gitignore': '/real/*.o\n/link/b\n', 'real/a.o': '', 'real/b': '', link: { link: 'real' } },
      at: 'link',
      shows: ['b', hidden(1)],
    },
    {
      clause: 'and does not care that the link is ignored',
      tree: { '.gitignore': 'link\n', 'real/a': '', link: { link: 'real' } },
      at: 'link',
      shows: ['a'],
    },
    {
      clause: 'a link that matches is hidden, wherever it leads',
      tree: { '.gitignore': 'l*\n', d: null, l1: { link: 'd' }, l2: { link: 'nothing' }, l3: { link: '/etc' } },
      shows: ['[DIR] d', '.gitignore', hidden(4)],
    },
    {
      clause: 'line ends of Windows, a byte order mark, comments and spaces are git’s',
      tree: { '.gitignore': '\ufeffa\n# b\nc \nd\\ \n\\#e\n', a: '', b: '', c: '', d: '', 'd ': '', '#e': '' },
      shows: ['.gitignore', 'b', 'd', hidden(5)],
    },
  ])('$clause', inTree);

  it('a tracked file that matches is hidden all the same', async () => {
    const root = makeRepositoryTree({ '.gitignore': '*.log\n', 'a.log': '', b: '' });
    git(root, 'add', '--force', 'a.log', 'b');
    expect(askGit(root, ['ls-files'])).toBe('a.log\nb\n');
    expect(await lines(root)).toEqual(['.gitignore', 'b', hidden(2)]);
  });

  it.each([
    [
      'the repository’s configuration, in the repository',
      (root: string) => {
        addTree(root, { '.git/mine': '*.x\n' });
        git(root, 'config', 'core.excludesFile', '.git/mine');
      },
    ],
    [
      'the user’s configuration',
      (_: string, file: string) => addTree(home(), { '.gitconfig': `[core]\nexcludesfile = ${file}\n` }),
    ],
    [
      'the user’s configuration under XDG_CONFIG_HOME',
      (_: string, file: string) => {
        addTree(home(), { 'xdg/git/config': `[core]\nexcludesfile = ${file}\n` });
        vi.stubEnv('XDG_CONFIG_HOME', join(home(), 'xdg'));
      },
    ],
    [
      'the user’s configuration with ~',
      () => addTree(home(), { '.gitconfig': '[core]\nexcludesfile = ~/mine\n', mine: '*.x\n' }),
    ],
    ['the default place under HOME', () => addTree(home(), { '.config/git/ignore': '*.x\n' })],
    [
      'the default place under XDG_CONFIG_HOME',
      () => {
        addTree(home(), { 'xdg/git/ignore': '*.x\n', '.config/git/ignore': 'b.y\n' });
        vi.stubEnv('XDG_CONFIG_HOME', join(home(), 'xdg'));
      },
    ],
  ] as const)('core.excludesFile counts: %s', async (_, configure) => {
    const root = makeRepositoryTree({ 'a.x': '', 'b.y': '', 'sub/c.x': '', 'sub/d': '' });
    addTree(join(root, '..'), { excludes: '*.x\n' });
    configure(root, join(root, '../excludes'));
    expect(askGit(root, ['status', '--porcelain', '-uall'], process.env)).toBe('?? b.y\n?? sub/d\n');
    expect(await lines(root)).toEqual(['[DIR] sub', 'b.y', hidden(2)]);
    expect(await lines(root, 'sub')).toEqual(['d', hidden(1)]);
  });

  it('other than in git, core.excludesFile of a repository does not count outside the workspace', async () => {
    const root = makeRepositoryTree({ 'a.x': '', 'b.y': '' });
    addTree(join(root, '..'), { excludes: '*.x\n' });
    git(root, 'config', 'core.excludesFile', join(root, '../excludes'));
    expect(askGit(root, ['status', '--porcelain', '-uall'], process.env)).toBe('?? b.y\n');
    expect(await lines(root)).toEqual([
      ...['a.x', 'b.y', hidden(1)],
      "('.git/config' names a file outside the workspace (core.excludesFile), which is not read: there may be fewer items hidden)",
    ]);
  });

  it('core.excludesFile is the weakest of all', async () => {
    const root = makeRepositoryTree({
      '.git/info/exclude': '!a.x\n',
      '.gitignore': '!b.x\n',
      'a.x': '',
      'b.x': '',
      'c.x': '',
    });
    addTree(home(), { '.config/git/ignore': '*.x\n' });
    expect(await lines(root)).toEqual(['.gitignore', 'a.x', 'b.x', hidden(2)]);
  });

  it('core.excludesFile counts inside of a repository only', async () => {
    addTree(home(), { '.config/git/ignore': 'a\n' });
    expect(await lines(makeTree({ a: '' }))).toEqual(['a']);
  });

  it.each([
    ['true', ['.gitignore', hidden(4)]],
    ['false', ['.gitignore', 'A.LOG', 'DIST', hidden(2)]],
  ])('core.ignorecase %s', async (value, shows) => {
    const root = makeRepositoryTree({ '.gitignore': '*.log\nDist\n', 'a.log': '', 'A.LOG': '', DIST: '' });
    git(root, 'config', 'core.ignorecase', value);
    expect(await lines(root)).toEqual(shows);
  });

  it('a linked worktree has the exclude file of its main one', async () => {
    const main = makeRepositoryTree({ '.git/info/exclude': '*.x\n', '.gitignore': '*.y\n' });
    git(main, 'config', 'core.ignorecase', 'true');
    git(main, 'commit', '--quiet', '--allow-empty', '-m', 'x');
    git(main, 'worktree', 'add', '--quiet', '../linked');
    const linked = join(main, '../linked');
    addTree(linked, { 'a.X': '', 'b.y': '', c: '' });
    expect(await lines(linked)).toEqual(['b.y', 'c', hidden(2)]);
  });

  it('a submodule has its own rules only', async () => {
    const root = makeRepositoryTree({ '.gitignore': '*.log\n' });
    const other = makeRepositoryTree({ '.gitignore': 'a\n' });
    git(other, 'add', '.');
    git(other, 'commit', '--quiet', '-m', 'x');
    git(root, 'submodule', '--quiet', 'add', other, 'module');
    addTree(root, { 'module/a': '', 'module/b.log': '', '.git/modules/module/info/exclude': 'c\n', 'module/c': '' });
    expect(await lines(root, 'module')).toEqual(['.gitignore', 'b.log', hidden(3)]);
    expect(await lines(root)).toEqual(['[DIR] module', '.gitignore', '.gitmodules', hidden(1)]);
  });

  it('ignore files are read again when they change, however a directory was remembered', async () => {
    const root = makeRepositoryTree({
      '.gitignore': 'a\n',
      '.geminiignore': '',
      'sub/a': '',
      'sub/b': '',
      'sub/c': '',
    });
    // The directory itself does not change, and by this clock it is old enough to be remembered.
    vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 60_000);
    const shown = async () => (await lines(root, 'sub')).join(' ');
    expect(await shown()).toBe(`b c ${hidden(1)}`);
    expect(await shown()).toBe(`b c ${hidden(1)}`);
    writeFileSync(join(root, '.gitignore'), 'b\n');
    expect(await shown()).toBe(`a c ${hidden(1)}`);
    writeFileSync(join(root, '.geminiignore'), 'c\n');
    expect(await shown()).toBe('a (1 git-ignored, 1 gemini-ignored items hidden)');
    addTree(root, { '.git/info/exclude': 'a\n' });
    expect(await shown()).toBe(' (2 git-ignored, 1 gemini-ignored items hidden)');
    git(root, 'config', 'core.excludesFile', '.git/mine');
    addTree(root, { '.git/mine': 'c\n' });
    expect(await shown()).toBe(` ${hidden(3)}`);
    rmSync(join(root, '.git/mine'));
    expect(await shown()).toBe(' (2 git-ignored, 1 gemini-ignored items hidden)');
    git(root, 'config', '--unset', 'core.excludesFile');
    addTree(home(), { '.gitconfig': '[core]\nexcludesFile = ~/mine\n', mine: 'c\n' });
    expect(await shown()).toBe(` ${hidden(3)}`);
    renameSync(join(root, '.git'), join(root, '.tig'));
    expect(await shown()).toBe('a b (1 gemini-ignored items hidden)');
    vi.restoreAllMocks();
  });
});

const home = () => process.env.HOME as string;

describe('what .geminiignore hides', () => {
  it.each<Case>([
    {
      clause: 'it works without git',
      repositories: [],
      tree: { '.geminiignore': '*.ai\n/sub/x\ncache/\n', 'sub/x': '', 'sub/y.ai': '', 'sub/cache': null, 'sub/z': '' },
      at: 'sub',
      shows: ['z', '(3 gemini-ignored items hidden)'],
    },
    {
      clause: 'it is read at the root alone, not below',
      repositories: [],
      tree: { 'sub/.geminiignore': '*\n', 'sub/a': '' },
      at: 'sub',
      shows: ['.geminiignore', 'a'],
    },
    {
      clause: 'and not above, not even at the repository’s root',
      tree: { '.geminiignore': '*\n', 'ws/a': '' },
      root: 'ws',
      shows: ['a'],
    },
    {
      clause: 'a pattern with a path is tried from the workspace’s root',
      tree: { 'ws/.geminiignore': '/sub/a\n/ws/sub/b\n', 'ws/sub/a': '', 'ws/sub/b': '' },
      root: 'ws',
      at: 'sub',
      shows: ['b', '(1 gemini-ignored items hidden)'],
    },
    {
      clause: 'a ! rule brings a git-ignored file back',
      tree: { '.gitignore': '*.log\n', '.geminiignore': '!keep.log\n', 'keep.log': '', 'a.log': '' },
      shows: ['.geminiignore', '.gitignore', 'keep.log', hidden(2)],
    },
    {
      clause: 'also one in a directory that is ignored',
      tree: { '.gitignore': 'dist/\n', '.geminiignore': '!/dist/keep\n', 'dist/keep': '', 'dist/a': '' },
      at: 'dist',
      shows: ['keep', hidden(1)],
    },
    {
      clause: 'a ! rule brings a git-ignored directory back',
      tree: { '.gitignore': 'dist/\nout/\n', '.geminiignore': '!dist/\n', dist: null, out: null },
      shows: ['[DIR] dist', '.geminiignore', '.gitignore', hidden(2)],
    },
    {
      clause: 'with its contents',
      tree: { '.gitignore': 'dist/\n*.log\n', '.geminiignore': '!dist/\n', 'dist/a': '', 'dist/b.log': '' },
      at: 'dist',
      shows: ['a', 'b.log'],
    },
    {
      clause: 'with all that lies deeper',
      tree: { '.gitignore': 'dist\n', '.geminiignore': '!dist\n', 'dist/a/b/.gitignore': '*\n', 'dist/a/b/c': '' },
      at: 'dist/a/b',
      shows: ['.gitignore', 'c'],
    },
    {
      clause: 'of which .geminiignore itself can hide some',
      tree: { '.gitignore': 'dist\n', '.geminiignore': '!dist\n*.map\n', 'dist/a': '', 'dist/a.map': '' },
      at: 'dist',
      shows: ['a', '(1 gemini-ignored items hidden)'],
    },
    {
      clause: 'it hides what a ! rule of .gitignore shows',
      tree: { '.gitignore': '!a\n', '.geminiignore': 'a\n', a: '' },
      shows: ['.geminiignore', '.gitignore', '(1 git-ignored, 1 gemini-ignored items hidden)'],
    },
    {
      clause: 'a ! rule of .gitignore brings nothing back that it hides',
      tree: { '.gitignore': '*.log\n!a.log\n', '.geminiignore': 'a.log\n', 'a.log': '', 'b.log': '' },
      shows: ['.geminiignore', '.gitignore', '(2 git-ignored, 1 gemini-ignored items hidden)'],
    },
    {
      clause: 'it counts in a nested repository, too',
      repositories: ['.', 'inner'],
      tree: { '.geminiignore': '*.ai\n', 'inner/a.ai': '', 'inner/b': '' },
      at: 'inner',
      shows: ['b', '(1 git-ignored, 1 gemini-ignored items hidden)'],
    },
    {
      clause: 'what is in a directory that it hides is hidden',
      repositories: [],
      tree: { '.geminiignore': 'experimental/\n!keep\n', 'experimental/keep': '', 'experimental/a': '' },
      at: 'experimental',
      shows: ['', '(2 gemini-ignored items hidden)'],
    },
    {
      clause: 'a directory-only pattern does not hide a link to a directory',
      repositories: [],
      tree: { '.geminiignore': 'd/\nl/\n', d: null, l: { link: 'd' } },
      shows: ['[DIR] l', '.geminiignore', '(1 gemini-ignored items hidden)'],
    },
    {
      clause: 'listing through an inside link judges the real path',
      repositories: [],
      tree: { '.geminiignore': '/real/a\n/link/b\n', 'real/a': '', 'real/b': '', link: { link: 'real' } },
      at: 'link',
      shows: ['b', '(1 gemini-ignored items hidden)'],
    },
    {
      clause: 'it is not followed where it is a link',
      repositories: [],
      tree: { rules: '*\n', '.geminiignore': { link: 'rules' } },
      shows: ['.geminiignore', 'rules', noted("'.geminiignore' is a link")],
    },
    {
      clause: 'it does not fold case, whatever git does',
      repositories: [],
      tree: { '.geminiignore': 'A\n', a: '' },
      shows: ['.geminiignore', 'a'],
    },
  ])('$clause', inTree);

  it.each([
    ['neither is said', {}, ['d', '(3 git-ignored, 1 gemini-ignored items hidden)']],
    ['git is wished', withGit, ['d', '(3 git-ignored, 1 gemini-ignored items hidden)']],
    ['git is not', withoutGit, ['[DIR] .git', 'a', 'd', '(2 gemini-ignored items hidden)']],
    ['gemini is not', withoutGemini, ['c', 'd', '(3 git-ignored items hidden)']],
    ['neither is', withoutBoth, ['[DIR] .git', 'a', 'b', 'c', 'd']],
  ])('which rules count, where %s', async (_, params, shows) => {
    // Hidden by git are .git, a and b; by gemini b and c.
    const root = makeRepositoryTree({ '.gitignore': 'a\nb\n', '.geminiignore': 'b\nc\n', a: '', b: '', c: '', d: '' });
    expect(await lines(root, '', { ignore: ['.g*ignore'], ...params })).toEqual(shows);
  });

  it('without git a ! rule has nothing to bring back', async () => {
    const root = makeRepositoryTree({ '.gitignore': 'a\n', '.geminiignore': '!a\n', a: '' });
    expect(await lines(root, '', withoutGit)).toEqual(['[DIR] .git', '.geminiignore', '.gitignore', 'a']);
    expect(await lines(root, '', withoutGemini)).toEqual(['.geminiignore', '.gitignore', hidden(2)]);
  });
});

describe('.geminiconfig', () => {
  const tree = (config: unknown): TreeLiteral => ({
    '.geminiconfig': typeof config === 'string' ? config : JSON.stringify(config),
    '.gitignore': 'a\n',
    '.geminiignore': 'b\n',
    a: '',
    b: '',
    'c.log': '',
    d: '',
  });
  const shown = async (config: unknown, params: object = {}) => {
    const root = makeRepositoryTree(tree(config));
    return (await lines(root, '', params)).filter((line) => !line.includes('.g')).join(' ');
  };
  const both = '(2 git-ignored, 1 gemini-ignored items hidden)';

  it.each([
    ['says nothing', {}, `c.log d ${both}`],
    ['speaks of other things', { theme: 'dark', fileFiltering: { enableRecursiveFileSearch: 1 } }, `c.log d ${both}`],
    ['has null where nothing is wished', { fileFiltering: null }, `c.log d ${both}`],
    [
      'has null for each of them',
      { fileFiltering: { respectGitIgnore: null, respectGeminiIgnore: null, defaultIgnorePatterns: null } },
      `c.log d ${both}`,
    ],
    ['wishes both', { fileFiltering: { respectGitIgnore: true, respectGeminiIgnore: true } }, `c.log d ${both}`],
    ['wishes no git', { fileFiltering: { respectGitIgnore: false } }, 'a c.log d (1 gemini-ignored items hidden)'],
    ['wishes no gemini', { fileFiltering: { respectGeminiIgnore: false } }, `b c.log d ${hidden(2)}`],
    ['has patterns', { fileFiltering: { defaultIgnorePatterns: ['*.log', 'e*'] } }, `d ${both}`],
    [
      'holds comments and trailing commas, as the document’s own example does',
      '// 项目级别的 .geminiconfig\n{ /* { */ "fileFiltering": { "defaultIgnorePatterns": ["*.log", "//", "/*",], }, } // }',
      `d ${both}`,
    ],
    ['begins with a byte order mark', '\ufeff{"fileFiltering": {"defaultIgnorePatterns": ["*.log"]}}\r\n', `d ${both}`],
  ])('gives the defaults: it %s', async (_, config, expected) => {
    expect(await shown(config)).toBe(expected);
  });

  it('its patterns and those of the call are joined', async () => {
    const config = { fileFiltering: { defaultIgnorePatterns: ['*.log'] } };
    expect(await shown(config, { ignore: ['d'] })).toBe(both);
    expect(await shown(config, { ignore: [] })).toBe(`d ${both}`);
    const root = makeTree(tree(config));
    const { debug } = await ask(root, { path: root, ignore: ['d'], debug: true });
    expect(debug).toMatchObject({ totalFiles: 7, globIgnored: 2, geminiIgnored: 1 });
  });

  it('what a call says wins', async () => {
    const none = { fileFiltering: { respectGitIgnore: false, respectGeminiIgnore: false } };
    const all = { file_filtering_options: { respect_git_ignore: true, respect_gemini_ignore: true } };
    expect(await shown(none, all)).toBe(`c.log d ${both}`);
    expect(await shown({ fileFiltering: { respectGitIgnore: true } }, withoutBoth)).toBe('a b c.log d');
  });

  it('is read again when it changes', async () => {
    const root = makeRepositoryTree(tree({}));
    expect(await lines(root)).toContain('d');
    writeFileSync(join(root, '.geminiconfig'), '{"fileFiltering": {"defaultIgnorePatterns": ["d"]}}');
    expect(await lines(root)).not.toContain('d');
  });

  it.each([
    ['not JSON', '{"fileFiltering": ', /: it is not valid JSON \(.+\): /],
    ['no valid UTF-8', Buffer.from('{"a": "\xff"}', 'latin1'), /: it is not valid UTF-8: /],
    ['more than a megabyte', `{}${' '.repeat(2 ** 20)}`, /: it is larger than 1 MB: /],
    [
      'too long a pattern',
      { fileFiltering: { defaultIgnorePatterns: ['x'.repeat(4097)] } },
      /: a pattern is longer than 4096/,
    ],
    ['nothing at all', '', /JSON/],
    ['a line that could be an answer', 'x\nError: y', /JSON/],
    ['no object', '[]', /object/],
    ['null', 'null', /object/],
    ['fileFiltering that is no object', { fileFiltering: [] }, /fileFiltering must be an object/],
    ['a flag that is none', { fileFiltering: { respectGitIgnore: 'no' } }, /respectGitIgnore must be true or false/],
    ['a number for a flag', { fileFiltering: { respectGeminiIgnore: 0 } }, /respectGeminiIgnore must be true or false/],
    [
      'a pattern that is no list',
      { fileFiltering: { defaultIgnorePatterns: '*' } },
      /defaultIgnorePatterns must be a list/,
    ],
    ['a list of others', { fileFiltering: { defaultIgnorePatterns: [1] } }, /defaultIgnorePatterns must be a list/],
  ])('that is broken is noted, and the call goes on: %s', async (_, config, reason) => {
    const root = makeRepositoryTree(tree(Buffer.isBuffer(config) ? '' : config));
    if (Buffer.isBuffer(config)) writeFileSync(join(root, '.geminiconfig'), config);
    const answer = await ask(root, { path: root });
    expect(answer.returnDisplay).toBe('Listed 5 items');
    const shown = answer.llmContent.split('\n');
    // As if it were not there, and in a single line.
    expect(shown.slice(0, -1)).toEqual(['.geminiconfig', '.geminiignore', '.gitignore', 'c.log', 'd', both]);
    expect(shown.at(-1)).toMatch(/^\(\.geminiconfig cannot be used: .*: there may be fewer items hidden\)$/);
    expect(shown.at(-1)).toMatch(reason);
  });

  it('that is broken is noted in the debug part, too, and where there is nothing to show', async () => {
    const root = makeTree({ '.geminiconfig': '[]', sub: null });
    const reason = '.geminiconfig cannot be used: it must hold a JSON object';
    const answer = await ask(root, { path: join(root, 'sub'), debug: true });
    expect(answer.llmContent).toBe(`\n(${reason}: there may be fewer items hidden)`);
    expect(answer.returnDisplay).toBe('Listed 0 items');
    expect(answer.debug?.notes).toEqual([reason]);
    const fine = makeTree({ '.geminiconfig': '{}' });
    expect((await ask(fine, { path: fine, debug: true })).debug).not.toHaveProperty('notes');
  });

  it('that is broken does not hide that the parameters are wrong', async () => {
    const root = makeTree({ ...tree('{'), f: '' });
    const tool = listDirectoryTool(await openWorkspace(root));
    for (const path of ['/etc', 'relative', `${root}\0`]) {
      const { llmContent } = await ask(root, { path });
      expect(llmContent).toMatch(/^Error: Invalid parameters provided/);
      expect(tool.validateToolParams({ path })).toMatch(/^Path must be/);
    }
    expect((await ask(root, { path: join(root, 'x') })).llmContent).toMatch(/^Error: Directory not found/);
    expect((await ask(root, { path: join(root, 'f') })).llmContent).toMatch(/^Error: Path is not a directory/);
  });

  it('is not followed where it is a link, and counts at the root alone', async () => {
    const root = makeTree({
      rules: '{"fileFiltering": {"defaultIgnorePatterns": ["*"]}}',
      '.geminiconfig': { link: 'rules' },
      'sub/.geminiconfig': '{"fileFiltering": {"defaultIgnorePatterns": ["*"]}}',
      'sub/a': '',
    });
    const note = '(.geminiconfig cannot be used: it is a link: there may be fewer items hidden)';
    expect(await lines(root)).toEqual(['[DIR] sub', '.geminiconfig', 'rules', note]);
    expect(await lines(root, 'sub')).toEqual(['.geminiconfig', 'a', note]);
  });
});
