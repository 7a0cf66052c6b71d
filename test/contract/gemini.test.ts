import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { gemini, type ListDirectoryResult } from '../../src/dialects/gemini.ts';
import { call } from '../../src/faces/library/call.ts';
import { listDirectoryTool } from '../../src/faces/library/list-directory-tool.ts';
import { openWorkspace } from '../../src/faces/library/open-workspace.ts';
import { Patience } from '../../src/listing/patience.ts';
import type { CallOptions } from '../../src/listing/query.ts';
import { corpus } from '../support/corpus.ts';
import { askGit, git, makeRepository } from '../support/git.ts';
import { isolateGit, makeRepositoryTree } from '../support/repository.ts';
import { addTree, emptyDirectory, makeTree, type TreeLiteral } from '../support/tree.ts';

isolateGit();

async function ask(root: string, params: unknown, options: CallOptions = {}): Promise<ListDirectoryResult> {
  const workspace = await openWorkspace(root);
  const answer = await call('gemini', params, workspace, options);
  workspace.close();
  expect(gemini.text(answer)).toBe(answer.llmContent);
  return answer;
}

/** The lines that the model reads of a directory, given by its path from the root. */
async function lines(root: string, directory = '', params: object = {}): Promise<string[]> {
  const { llmContent, returnDisplay } = await ask(root, { path: join(root, directory), ...params });
  const shown = llmContent.split('\n');
  // A summary stands on a line of its own, also behind a list that is empty.
  const entries = shown.filter((line) => line !== '' && !line.endsWith(' items hidden)'));
  expect(returnDisplay).toBe(`Listed ${entries.length} items`);
  return shown;
}

const failed = (llmContent: string, display: string) => ({ llmContent, returnDisplay: `Error: ${display}` });
const invalid = (reason: string) =>
  failed(`Error: Invalid parameters provided. Reason: ${reason}`, 'Failed to execute tool.');
const withGit = { file_filtering_options: { respect_git_ignore: true } };
const withoutGit = { file_filtering_options: { respect_git_ignore: false } };
const withoutGemini = { file_filtering_options: { respect_gemini_ignore: false } };
const withoutBoth = { file_filtering_options: { respect_git_ignore: false, respect_gemini_ignore: false } };

describe('a bad parameter', () => {
  const good = { path: '/' };

  it.each([
    [undefined, 'params must be object'],
    [null, 'params must be object'],
    ['/', 'params must be object'],
    [['/'], 'params must be object'],
    [7, 'params must be object'],
    [{}, "params must have required property 'path'"],
    [{ path: null }, "params must have required property 'path'"],
    [{ path: undefined }, "params must have required property 'path'"],
    [Object.create({ path: '/' }), "params must have required property 'path'"],
    [{ path: 5 }, 'params/path must be string'],
    [{ path: true }, 'params/path must be string'],
    [{ path: ['/'] }, 'params/path must be string'],
    [{ ...good, ignore: '*.log' }, 'params/ignore must be array'],
    [{ ...good, ignore: {} }, 'params/ignore must be array'],
    [{ ...good, ignore: false }, 'params/ignore must be array'],
    [{ ...good, ignore: ['a', 1] }, 'params/ignore/1 must be string'],
    [{ ...good, ignore: [null] }, 'params/ignore/0 must be string'],
    [{ ...good, ignore: [true] }, 'params/ignore/0 must be string'],
    [{ ...good, file_filtering_options: true }, 'params/file_filtering_options must be object'],
    [{ ...good, file_filtering_options: [] }, 'params/file_filtering_options must be object'],
    [
      { ...good, file_filtering_options: { respect_git_ignore: 'no' } },
      'params/file_filtering_options/respect_git_ignore must be boolean',
    ],
    [
      { ...good, file_filtering_options: { respect_git_ignore: 0 } },
      'params/file_filtering_options/respect_git_ignore must be boolean',
    ],
    [
      { ...good, file_filtering_options: { respect_gemini_ignore: [] } },
      'params/file_filtering_options/respect_gemini_ignore must be boolean',
    ],
    [{ ...good, debug: 'yes' }, 'params/debug must be boolean'],
  ])('%j: %s', async (params, reason) => {
    const root = makeTree({ a: '' });
    expect(await ask(root, params)).toEqual(invalid(reason));
    const tool = listDirectoryTool(await openWorkspace(root));
    expect(tool.validateToolParams(params)).toBe(reason);
    await expect(tool.entries(params)).rejects.toThrow(reason);
  });

  it.each([
    '',
    '.',
    './relative/path',
    '../sensitive/dir',
    'src',
    '~',
    '~/x',
    'file:///tmp',
    ' /tmp',
    'C:\\x',
    '"src"',
  ])('a path that is not absolute: %j', async (path) => {
    expect(await ask(makeTree({ src: null }), { path })).toEqual(invalid(`Path must be absolute: ${path}`));
  });

  it('is shown in a form that forges no line', async () => {
    const { llmContent } = await ask(makeTree({}), { path: 'a\nb' });
    expect(llmContent).toBe('Error: Invalid parameters provided. Reason: Path must be absolute: "a\\nb"');
  });

  it.each(['"', '"/x', '"/x\\q"', '"/x\\u12"', '"\\ud800"'])('a malformed quoted path: %s', async (path) => {
    const answer = await ask(makeTree({}), { path });
    expect(answer.returnDisplay).toBe('Error: Failed to execute tool.');
    expect(answer.llmContent).toMatch(/^Error: Invalid parameters provided. Reason: path is a malformed quoted string/);
  });

  it('of the wrong type is told before a path that is not absolute, and that before one outside', async () => {
    const root = makeTree({});
    expect(await ask(root, { path: 'x', ignore: 1 })).toEqual(invalid('params/ignore must be array'));
    expect(await ask(root, { path: '/outside', ignore: 1 })).toEqual(invalid('params/ignore must be array'));
    expect(await ask(root, { path: '../outside' })).toEqual(invalid('Path must be absolute: ../outside'));
  });
});

describe('a parameter that is fine', () => {
  it('null means unset', async () => {
    const root = makeRepositoryTree({ '.gitignore': 'a\n', '.geminiignore': 'b\n', a: '', b: '', c: '' });
    const hidden = ['.geminiignore', '.gitignore', 'c', '(2 git-ignored, 1 gemini-ignored items hidden)'];
    expect(await lines(root, '', { ignore: null, file_filtering_options: null, debug: null })).toEqual(hidden);
    const flags = { respect_git_ignore: null, respect_gemini_ignore: null };
    expect(await lines(root, '', { file_filtering_options: flags })).toEqual(hidden);
  });

  it('unknown parameters are ignored, whatever they are', async () => {
    const root = makeTree({ a: '' });
    const unknown = { recursive: true, pth: 1, includeHidden: null, file_filtering_options: { respect_npmignore: 3 } };
    expect(await lines(root, '', unknown)).toEqual(['a']);
  });

  it.each(['{ROOT}', '{ROOT}/', '{ROOT}/.', '{ROOT}//sub/..', '{ROOT}/missing/..', '"{ROOT}"', '"{ROOT}/"'])(
    'the path %s is the root',
    async (path) => {
      const root = makeTree({ 'sub/x': '' });
      const answer = await ask(root, { path: path.replace('{ROOT}', root) });
      expect(answer).toEqual({ llmContent: '[DIR] sub', returnDisplay: 'Listed 1 items' });
    },
  );

  it('the path starts at the root of the disk, whatever the cwd is', async () => {
    const root = makeTree({ 'sub/x': '' });
    const workspace = await openWorkspace(root, { cwd: 'sub' });
    expect((await call('gemini', { path: root }, workspace)).llmContent).toBe('[DIR] sub');
    expect(await call('gemini', { path: '.' }, workspace)).toEqual(invalid('Path must be absolute: .'));
  });
});

describe('outside of the root', () => {
  const tree: TreeLiteral = {
    sub: null,
    out: { link: '../outside' },
    gone: { link: '../nothing' },
    up: { link: '..' },
    back: { link: '../root/sub' },
    far: { link: '/etc' },
  };

  const outside = () => {
    const root = makeTree(tree);
    addTree(join(root, '..'), { 'outside/secret': '', 'root-sibling/x': '' });
    return root;
  };
  const refusal = (root: string, path: string) =>
    invalid(`Path must be within the root directory (${root}): ${path.includes('\0') ? JSON.stringify(path) : path}`);

  it.each([
    ['the directory above', '{ROOT}/..'],
    ['a directory that is there', '{ROOT}/../outside'],
    ['one that is not', '{ROOT}/../nothing'],
    ['a file that is there', '/etc/passwd'],
    ['a file that is not', '/etc/nothing'],
    ['the root of the disk', '/'],
    ['a sibling that starts like the root', '{ROOT}-sibling'],
    ['a sibling that is not there', '{ROOT}-nothing'],
    ['what is above a missing directory', '{ROOT}/missing/../..'],
    ['a link that leads out', '{ROOT}/out'],
    ['a link that leads out to nothing', '{ROOT}/gone'],
    ['a path through a link that leads out', '{ROOT}/out/secret'],
    ['a link that leads to the directory above', '{ROOT}/up'],
    ['a link that leaves the root and comes back', '{ROOT}/back'],
    ['an absolute link', '{ROOT}/far'],
    ['a path with a NUL', '{ROOT}/sub\0'],
    ['a NUL outside', '/etc\0'],
  ])('%s', async (_, place) => {
    const root = outside();
    const path = place.replace('{ROOT}', root);
    expect(await ask(root, { path })).toEqual(refusal(root, path));
    const tool = listDirectoryTool(await openWorkspace(root));
    expect(invalid(tool.validateToolParams({ path }) ?? '')).toEqual(refusal(root, path));
  });

  it('is the same, to the letter, whether or not it exists', async () => {
    const path = (root: string) => join(root, '../perhaps');
    const answers = new Set<string>();
    for (const content of [null, '', { link: '/etc' }, undefined]) {
      const root = makeTree({ link: { link: '../perhaps' } });
      if (content !== undefined) addTree(join(root, '..'), { perhaps: content });
      for (const params of [{ path: path(root) }, { path: join(root, 'link') }, { path: join(root, 'link/x') }]) {
        const answer = JSON.stringify(await ask(root, params));
        answers.add(answer.replaceAll(params.path, 'PATH').replaceAll(root, 'ROOT'));
      }
    }
    expect([...answers]).toEqual([JSON.stringify(invalid('Path must be within the root directory (ROOT): PATH'))]);
  });

  it('the root is shown in a form that forges no line', async () => {
    const root = join(emptyDirectory(), 'a\nb');
    mkdirSync(root);
    const form = JSON.stringify(root);
    expect(await ask(root, { path: '/etc' })).toEqual(
      invalid(`Path must be within the root directory (${form}): /etc`),
    );
  });
});

describe('a directory that cannot be listed', () => {
  const missing = (path: string) =>
    failed(`Error: Directory not found or inaccessible: ${path}`, 'Directory not found or inaccessible.');
  const noDirectory = (path: string) => failed(`Error: Path is not a directory: ${path}`, 'Path is not a directory.');
  const tree: TreeLiteral = {
    file: '',
    src: null,
    broken: { link: 'nothing' },
    loop: { link: 'loop' },
    ping: { link: 'pong' },
    pong: { link: 'ping' },
    'to-file': { link: 'file' },
  };

  it.each([
    ['nothing is there', 'nothing', missing],
    ['nothing is there, in a directory', 'src/nothing', missing],
    ['nothing is there, below nothing', 'a/b/c', missing],
    ['nothing is there, in another case', 'SRC', missing],
    ['a broken link', 'broken', missing],
    ['a path through a file', 'file/x', missing],
    ['a path through a link to a file', 'to-file/x', missing],
    ['a link to itself', 'loop', missing],
    ['a path through a link to itself', 'loop/x', missing],
    ['links in a circle', 'ping', missing],
    ['a name that is too long', 'n'.repeat(300), missing],
    ['a file', 'file', noDirectory],
    ['a file with a slash behind it', 'file/', noDirectory],
    ['a link to a file', 'to-file', noDirectory],
  ])('%s', async (_, name, answer) => {
    const path = `${makeTree(tree)}/${name}`;
    const root = path.slice(0, -name.length - 1);
    expect(await ask(root, { path })).toEqual(answer(path));
    // That is no fault of the parameters.
    expect(listDirectoryTool(await openWorkspace(root)).validateToolParams({ path })).toBeNull();
  });

  it.runIf(process.platform !== 'win32')('a FIFO is no directory', async () => {
    const root = makeTree({});
    const path = join(root, 'pipe');
    execFileSync('mkfifo', [path]);
    expect(await ask(root, { path })).toEqual(noDirectory(path));
    expect(await lines(root)).toEqual(['pipe']);
  });

  it('the path is shown as it was given, unless it would forge a line', async () => {
    const root = makeTree({});
    expect(await ask(root, { path: `${root}/./a b` })).toEqual(missing(`${root}/./a b`));
    expect(await ask(root, { path: `${root}/a\nError: b` })).toEqual(missing(`"${root}/a\\nError: b"`));
    expect(await ask(root, { path: `"${root}/a"` })).toEqual(missing(`"${root}/a"`));
  });

  it.runIf(process.getuid?.() === 0)('the system refuses: permission denied', async () => {
    const root = makeTree({ 'locked/inner': null });
    chmodSync(join(root, '..'), 0o755);
    chmodSync(join(root, 'locked'), 0o000);
    const workspace = await openWorkspace(root);
    const paths = ['locked', 'locked/inner', 'locked/nothing'].map((name) => join(root, name));
    process.seteuid?.(65534);
    const answers = await Promise.all(paths.map((path) => call('gemini', { path }, workspace)));
    process.seteuid?.(0);
    expect(answers).toEqual(
      paths.map((path) =>
        failed(`Error: Permission denied accessing directory: ${path}`, 'Permission denied accessing directory.'),
      ),
    );
  });

  it.runIf(process.getuid?.() === 0)('a directory that may not be entered is listed all the same', async () => {
    const root = makeRepositoryTree({ '.gitignore': 'x\n', 'locked/inner': null, x: '', link: { link: 'locked/inner' } });
    for (const path of ['..', '.git']) chmodSync(join(root, path), 0o755);
    chmodSync(join(root, 'locked'), 0o000);
    const workspace = await openWorkspace(root);
    process.seteuid?.(65534);
    const answer = await call('gemini', { path: root }, workspace);
    process.seteuid?.(0);
    expect(answer.llmContent).toBe('[DIR] locked\n.gitignore\nlink\n(2 git-ignored items hidden)');
  });

  it('anything else says the reason', async () => {
    const workspace = await openWorkspace(makeTree({}));
    workspace.close();
    expect(await call('gemini', { path: workspace.realPath }, workspace)).toEqual(
      failed('Error accessing directory: the workspace is closed', 'Failed to access directory.'),
    );
  });

  it.each(['aborted', 'late'] as const)(
    'a call that was %s before it began answers, and does not throw',
    async (why) => {
      const root = makeTree({ a: '' });
      const answer = await ask(
        root,
        { path: root },
        why === 'late' ? { timeLimit: 0 } : { signal: AbortSignal.abort() },
      );
      expect(answer.returnDisplay).toBe('Error: Failed to access directory.');
      expect(answer.llmContent).toMatch(/^Error accessing directory: .*(time limit|cancelled)[^\n]*$/);
      expect(gemini.isError(answer)).toBe(true);
    },
  );

  it.each([
    ['aborted', 'cancelled'],
    ['timeout', 'time limit'],
  ] as const)('a call that was ended on the way (%s) says so below what it has', async (reason, word) => {
    const root = makeTree(Object.fromEntries(Array.from({ length: 1100 }, (_, i) => [`f${i}`, ''])));
    let looks = 0;
    const ended = vi.spyOn(Patience.prototype, 'ended').mockImplementation(() => (++looks > 1 ? reason : null));
    const answer = await ask(root, { path: root });
    ended.mockRestore();
    const shown = answer.llmContent.split('\n');
    expect(answer.returnDisplay).toBe('Listed 1024 items');
    expect(shown).toHaveLength(1025);
    expect(shown.at(-1)).toContain(word);
    expect(gemini.isError(answer)).toBe(false);
  });
});

describe('nothing to show', () => {
  it('an empty directory says so, with the path as it was given', async () => {
    const root = makeTree({ 'a b/c\nd': null });
    const empty = (path: string) => ({
      llmContent: `Directory ${path} is empty.`,
      returnDisplay: 'Directory is empty.',
    });
    const [plain, strange] = [join(root, 'a b/c\nd/../x/..'), join(root, 'a b/c\nd')];
    mkdirSync(join(root, 'empty'));
    expect(await ask(root, { path: join(root, 'empty/') })).toEqual(empty(join(root, 'empty/')));
    expect(await ask(root, { path: strange })).toEqual(empty(JSON.stringify(strange)));
    expect(await ask(root, { path: JSON.stringify(strange) })).toEqual(empty(JSON.stringify(strange)));
    expect((await ask(root, { path: plain })).llmContent).not.toContain('is empty');
  });

  it('a link to an empty directory is empty', async () => {
    const root = makeTree({ real: null, link: { link: 'real' } });
    const path = join(root, 'link');
    expect((await ask(root, { path })).llmContent).toBe(`Directory ${path} is empty.`);
  });

  const filtered = (llmContent: string) => ({ llmContent, returnDisplay: 'Listed 0 items' });

  it.each([
    ['all by git', ['*', '', []], '\n(4 git-ignored items hidden)'],
    ['all by gemini', ['', '*', []], '\n(1 git-ignored, 3 gemini-ignored items hidden)'],
    ['all by both: git counts', ['*', '*', []], '\n(4 git-ignored items hidden)'],
    ['all by the argument', ['', '', ['*']], ''],
    ['all by the argument, whatever the others say', ['*', '*', ['*']], ''],
    ['some by the argument, the rest by git', ['*', '', ['.*']], '\n(1 git-ignored items hidden)'],
    [
      'some by each',
      ['.gitignore', '.geminiignore', ['.git', 'a']],
      '\n(1 git-ignored, 1 gemini-ignored items hidden)',
    ],
  ] as const)('%s', async (_, [gitignore, geminiignore, ignore], llmContent) => {
    const root = makeRepositoryTree({ '.gitignore': gitignore, '.geminiignore': geminiignore, a: '' });
    expect(await ask(root, { path: root, ignore })).toEqual(filtered(llmContent));
  });
});

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
      shows: ['.gitignore', 'a'],
    },
    {
      clause: 'nor a .git/info/exclude that is one',
      tree: { rules: 'a\n', '.git/info/exclude': { link: '../../rules' }, a: '' },
      shows: ['a', 'rules', hidden(1)],
    },
    {
      clause: 'a .gitignore that is a directory holds no rules',
      tree: { '.gitignore/a': '', a: '' },
      shows: ['[DIR] .gitignore', 'a', hidden(1)],
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
      'the repository’s configuration',
      (root: string, file: string) => git(root, 'config', 'core.excludesFile', file),
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
    const root = makeRepositoryTree({ '.gitignore': 'a\n', '.geminiignore': '', 'sub/a': '', 'sub/b': '', 'sub/c': '' });
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
    git(root, 'config', 'core.excludesFile', join(home(), 'mine'));
    addTree(home(), { mine: 'c\n' });
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
      shows: ['.geminiignore', 'rules'],
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

describe('a link', () => {
  it('is shown by its target when that lies inside, and as a plain name when it does not', async () => {
    const root = makeTree({
      'd/e': null,
      f: '',
      'to-dir': { link: 'd' },
      'to-deep': { link: 'to-dir/e' },
      'to-root': { link: '.' },
      absolute: { link: '{ROOT}/d' },
      'to-file': { link: 'f' },
      broken: { link: 'nothing' },
      loop: { link: 'loop' },
      above: { link: '..' },
      outside: { link: '/etc' },
      'and-back': { link: '../root/d' },
    });
    expect(await lines(root)).toEqual([
      '[DIR] absolute',
      '[DIR] d',
      '[DIR] to-deep',
      '[DIR] to-dir',
      '[DIR] to-root',
      'above',
      'and-back',
      'broken',
      'f',
      'loop',
      'outside',
      'to-file',
    ]);
  });

  it('tells nothing of what lies outside', async () => {
    const answers = new Set<string>();
    for (const target of [null, '', undefined]) {
      const root = makeTree({ a: '', z: null });
      if (target !== undefined) addTree(join(root, '..'), { outside: target });
      symlinkSync('../outside', join(root, 'link'));
      answers.add(JSON.stringify(await ask(root, { path: root })));
    }
    expect([...answers]).toEqual([JSON.stringify({ llmContent: '[DIR] z\na\nlink', returnDisplay: 'Listed 3 items' })]);
  });
});

describe('the order', () => {
  it.each([
    ['directories first, then the alphabet, whatever the case', ['a', 'B', 'c', 'D'], ['B', 'c']],
    [
      'a small letter before its capital, and both before the next',
      ['a', 'A', 'aa', 'Aa', 'AA', 'b', 'B', 'z', 'Z'],
      [],
    ],
    ['accents beside their letter', ['a', 'ä', 'Ä', 'az', 'e', 'é', 'f', 'o', 'ö', 'z'], []],
    ['digits one by one, before letters', ['0', '1', '10', '2', '9', 'a', 'a1', 'a10', 'a2'], []],
    [
      'punctuation before digits',
      ['_a', '-a', ',a', '!a', '.a', '(a', '[a', '{a', '@a', '#a', '%a', '+a', '~a', '$a', '0', 'a'],
      [],
    ],
    ['other scripts behind', ['z', 'ß1', 'я', 'א', '日'].toSorted((a, b) => a.localeCompare(b, 'en')), []],
  ])('%s', async (_, names, directories: readonly string[]) => {
    const tree = Object.fromEntries(names.toReversed().map((name) => [name, directories.includes(name) ? null : '']));
    expect(await lines(makeTree(tree))).toEqual([
      ...directories.map((name) => `[DIR] ${name}`),
      ...names.filter((name) => !directories.includes(name)),
    ]);
    expect(names).toEqual(names.toSorted((a, b) => a.localeCompare(b, 'en')));
  });

  it('of names that are equal there goes by their bytes', async () => {
    const names = ['e\u0301', '\u00e9', 'a\u200d\u200d', 'a\u200d', 'a'];
    for (const name of names.slice(1, 2)) expect(name.localeCompare(names[0] as string, 'en')).toBe(0);
    expect('a'.localeCompare('a\u200d', 'en')).toBe(0);
    expect(await lines(makeTree(Object.fromEntries(names.map((name) => [name, ''] as const))))).toEqual([
      'a',
      '"a\\u200d"',
      '"a\\u200d\\u200d"',
      '"e\\u0301"',
      '\u00e9',
    ]);
  });

  it('of many is that of localeCompare', async () => {
    const alphabet = [...'aAbBäÄéz019 -_.,~ßñ日'];
    const names = Array.from({ length: 2000 }, (_, i) => {
      const [a, b, c] = [i * 7919, i * 104729, i * 1299709].map((n) => alphabet[n % alphabet.length]);
      return `${a}${b}${c}${i.toString(3)}`;
    });
    const expected = names.toSorted((a, b) => a.localeCompare(b, 'en') || (a < b ? -1 : 1));
    expect(await lines(makeTree(Object.fromEntries(names.map((name) => [name, '']))))).toEqual(expected);
  });
});

describe('a name', () => {
  it.each([
    ['my file.txt', 'my file.txt'],
    ['a\\b', 'a\\b'],
    ['it\'s "so"', 'it\'s "so"'],
    ['"quoted"', '"\\"quoted\\""'],
    ['a\nb', '"a\\nb"'],
    ['x\n[DIR] y', '"x\\n[DIR] y"'],
    ['\u001b[31mred', '"\\u001b[31mred"'],
    ['a\u202eb', '"a\\u202eb"'],
    ['a\u2028b', '"a\\u2028b"'],
    ['a\u00a0b', '"a\\u00a0b"'],
    ['\u2800', '"\\u2800"'],
    ['[DIR] x', '"[DIR] x"'],
    ['[DIR] ', '"[DIR] "'],
    ['[DIR]', '[DIR]'],
    ['[DIR]x', '[DIR]x'],
    ['[dir] x', '[dir] x'],
    ['(3 git-ignored items hidden)', '"(3 git-ignored items hidden)"'],
    ['(3 git-ignored, 1 gemini-ignored items hidden)', '"(3 git-ignored, 1 gemini-ignored items hidden)"'],
    ['( items hidden)', '"( items hidden)"'],
    ['(3 items hidden) ', '(3 items hidden) '],
    ['3 items hidden)', '3 items hidden)'],
    ['(a)', '(a)'],
    ['日本', '日本'],
    ['😀', '😀'],
  ])('%j is shown as %s, and a directory with its mark outside', async (name, form) => {
    expect((await ask(...at({ [name]: '' }))).llmContent).toBe(form);
    expect((await ask(...at({ [name]: null }))).llmContent).toBe(`[DIR] ${form}`);
  });

  const at = (tree: TreeLiteral): [string, object] => {
    const root = makeTree(tree);
    return [root, { path: root }];
  };

  it.runIf(process.platform === 'linux')('that is no UTF-8 is shown with its bytes', async () => {
    const root = makeTree({});
    for (const name of ['caf\xe9', '\xff', 'a\xc3']) writeFileSync(Buffer.from(`${root}/${name}`, 'latin1'), '');
    const shown = await lines(root);
    expect(shown.toSorted()).toEqual(['"\\xff"', '"a\\xc3"', '"caf\\xe9"']);
  });

  it.runIf(process.platform === 'linux')(
    'each stands on a line of its own, and works when it is sent back',
    async () => {
      const rows = corpus<{ name: string }>('hostile-names');
      const root = makeTree({});
      const within = (name: string, inner = '') =>
        Buffer.concat([Buffer.from(`${root}/`), Buffer.from(name, 'hex'), Buffer.from(inner)]);
      for (const [i, { name }] of rows.entries()) mkdirSync(within(name, `/number-${i}`), { recursive: true });
      const shown = await lines(root);
      expect(shown).toHaveLength(rows.length);
      const found = new Set<string>();
      for (const line of shown) {
        expect(line).toMatch(/^\[DIR\] /);
        const form = line.slice('[DIR] '.length);
        // A path is quoted as one string.
        const path = form.startsWith('"') ? `"${root}/${form.slice(1)}` : `${root}/${form}`;
        found.add((await ask(root, { path })).llmContent);
      }
      expect(found).toEqual(new Set(rows.map((_, i) => `[DIR] number-${i}`)));
    },
  );
});

describe('debug', () => {
  const tree = { '.gitignore': 'a\nb\n', '.geminiignore': 'b\nc\n', a: '', b: '', c: '', d: '', e: null, 'x.log': '' };

  it('is a key beside the two, with what each rule hid and how long it took', async () => {
    const root = makeRepositoryTree(tree);
    const { debug, ...answer } = await ask(root, { path: root, ignore: ['*.log', '.git'], debug: true });
    expect(answer).toEqual(await ask(root, { path: root, ignore: ['*.log', '.git'] }));
    expect(debug).toEqual({
      totalFiles: 9,
      visibleFiles: 4,
      gitIgnored: 2,
      geminiIgnored: 1,
      globIgnored: 2,
      fromCache: false,
      timings: { listing: expect.any(Number), total: expect.any(Number) },
    });
    const { listing, total } = debug?.timings ?? { listing: -1, total: -2 };
    expect([listing >= 0, total >= listing]).toEqual([true, true]);
  });

  it('is there for an empty directory, and for one where everything is hidden', async () => {
    const root = makeTree({ empty: null, 'full/a': '' });
    const empty = await ask(root, { path: join(root, 'empty'), debug: true });
    expect(empty).toMatchObject({ returnDisplay: 'Directory is empty.', debug: { totalFiles: 0, visibleFiles: 0 } });
    const full = await ask(root, { path: join(root, 'full'), ignore: ['*'], debug: true });
    expect(full).toMatchObject({ llmContent: '', debug: { totalFiles: 1, visibleFiles: 0, globIgnored: 1 } });
  });

  it.each([false, null, undefined])('is missing with debug: %j', async (debug) => {
    const root = makeTree({ a: '' });
    expect(Object.keys(await ask(root, { path: root, debug }))).toEqual(['llmContent', 'returnDisplay']);
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
    ['no JSON', '{"fileFiltering": ', /JSON/],
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
  ])('that is broken is told clearly: %s', async (_, config, reason) => {
    const root = makeRepositoryTree(tree(config));
    const answer = await ask(root, { path: root });
    expect(answer.returnDisplay).toBe('Error: Failed to access directory.');
    expect(answer.llmContent).toMatch(/^Error accessing directory: [^\n]*\.geminiconfig[^\n]*$/);
    expect(answer.llmContent).toMatch(reason);
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
    expect(await lines(root)).toEqual(['[DIR] sub', '.geminiconfig', 'rules']);
    expect(await lines(root, 'sub')).toEqual(['.geminiconfig', 'a']);
  });
});
