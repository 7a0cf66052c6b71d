import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { call } from '../../src/faces/library/call.ts';
import { listDirectoryTool } from '../../src/faces/library/list-directory-tool.ts';
import { openWorkspace } from '../../src/faces/library/open-workspace.ts';
import { Budget } from '../../src/workspace/budget.ts';
import { corpus } from '../support/corpus.ts';
import { endingAfter } from '../support/ending.ts';
import { ask, failed, invalid, lines } from '../support/gemini.ts';
import { isolateGit, makeRepositoryTree } from '../support/repository.ts';
import { addTree, emptyDirectory, makeTree, type TreeLiteral } from '../support/tree.ts';
import { expectPaths, skipOnWindows } from '../support/windows.ts';

isolateGit();

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
    if (isAbsolute(path)) skipOnWindows('such relative paths');
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
      const written = path.startsWith('"') ? JSON.stringify(root).slice(1, -1) : root;
      const answer = await ask(root, { path: path.replace('{ROOT}', written) });
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
  const LINKS: TreeLiteral = {
    out: { link: '../outside' },
    gone: { link: '../nothing' },
    up: { link: '..' },
    back: { link: '../root/sub' },
    far: { link: '/etc' },
  };

  const outside = (links: TreeLiteral) => {
    const root = makeTree({ sub: null, ...links });
    addTree(join(root, '..'), { 'outside/secret': '', 'root-sibling/x': '' });
    return root;
  };
  const refusal = (root: string, path: string) =>
    invalid(`Path must be within the root directory (${root}): ${path.includes('\0') ? JSON.stringify(path) : path}`);
  const expectRefusal = async (root: string, place: string) => {
    const path = place.replace('{ROOT}', root);
    expect(await ask(root, { path })).toEqual(refusal(root, path));
    const tool = listDirectoryTool(await openWorkspace(root));
    expect(invalid(tool.validateToolParams({ path }) ?? '')).toEqual(refusal(root, path));
  };

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
    ['a path with a NUL', '{ROOT}/sub\0'],
    ['a NUL outside', '/etc\0'],
  ])('%s', (_, place) => expectRefusal(outside({}), place));

  it.each([
    ['a link that leads out', '{ROOT}/out'],
    ['a link that leads out to nothing', '{ROOT}/gone'],
    ['a path through a link that leads out', '{ROOT}/out/secret'],
    ['a link that leads to the directory above', '{ROOT}/up'],
    ['a link that leaves the root and comes back', '{ROOT}/back'],
    ['an absolute link', '{ROOT}/far'],
  ])('%s', (_, place) => expectRefusal(outside(LINKS), place));

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
  const TREE: TreeLiteral = { file: '', src: null };
  const LINKS: TreeLiteral = {
    broken: { link: 'nothing' },
    loop: { link: 'loop' },
    ping: { link: 'pong' },
    pong: { link: 'ping' },
    'to-file': { link: 'file' },
  };

  const expectAnswer = async (tree: TreeLiteral, name: string, answer: typeof missing) => {
    const root = makeTree(tree);
    const path = `${root}/${name}`;
    expect(await ask(root, { path })).toEqual(answer(path));
    // That is no fault of the parameters.
    expect(listDirectoryTool(await openWorkspace(root)).validateToolParams({ path })).toBeNull();
  };

  it.each([
    ['nothing is there', 'nothing', missing],
    ['nothing is there, in a directory', 'src/nothing', missing],
    ['nothing is there, below nothing', 'a/b/c', missing],
    ['a path through a file', 'file/x', missing],
    ['a name that is too long', 'n'.repeat(300), missing],
    ['a file', 'file', noDirectory],
    ['a file with a slash behind it', 'file/', noDirectory],
  ])('%s', (_, name, answer) => expectAnswer(TREE, name, answer));

  it('nothing is there, in another case', async () => {
    expectPaths(['src', 'SRC']);
    await expectAnswer(TREE, 'SRC', missing);
  });

  it.each([
    ['a broken link', 'broken', missing],
    ['a path through a link to a file', 'to-file/x', missing],
    ['a link to itself', 'loop', missing],
    ['a path through a link to itself', 'loop/x', missing],
    ['links in a circle', 'ping', missing],
    ['a link to a file', 'to-file', noDirectory],
  ])('%s', (_, name, answer) => expectAnswer({ ...TREE, ...LINKS }, name, answer));

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
    const quoted = (path: string) => JSON.stringify(`${root}/${path}`);
    expect(await ask(root, { path: `${root}/a\n[DIR] b` })).toEqual(missing(quoted('a\n[DIR] b')));
    expect(await ask(root, { path: quoted('a') })).toEqual(missing(quoted('a')));
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
    const root = makeRepositoryTree({
      '.gitignore': 'x\n',
      'locked/inner': null,
      x: '',
      link: { link: 'locked/inner' },
    });
    for (const path of ['..', '.git']) chmodSync(join(root, path), 0o755);
    chmodSync(join(root, 'locked'), 0o000);
    const workspace = await openWorkspace(root);
    process.seteuid?.(65534);
    const answer = await call('gemini', { path: root }, workspace);
    process.seteuid?.(0);
    // It belongs to root, and the one who asks is somebody else.
    const note =
      "the repository in '.' belongs to another user; its settings are not read: there may be fewer items hidden";
    expect(answer.llmContent).toBe(`[DIR] locked\n.gitignore\nlink\n(2 git-ignored items hidden)\n(${note})`);
  });

  it('the root is gone', async () => {
    const root = makeTree({ sub: null });
    const workspace = await openWorkspace(root);
    rmSync(root, { recursive: true });
    for (const path of [root, join(root, 'sub')])
      expect(await call('gemini', { path }, workspace)).toEqual(missing(path));
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
    },
  );

  it.each([
    ['aborted', 'cancelled'],
    ['timeout', 'time limit'],
  ] as const)('a call that was ended on the way (%s) says so below what it has', async (reason, word) => {
    const root = makeTree(Object.fromEntries(Array.from({ length: 1100 }, (_, i) => [`f${i}`, ''])));
    const answer = await endingAfter(500, reason, () => ask(root, { path: root }));
    const shown = answer.llmContent.split('\n');
    expect(answer.returnDisplay).toBe('Listed 500 items');
    expect(shown).toHaveLength(501);
    expect(shown.at(-1)).toContain(word);
  });
});

describe('a call that was ended while its rules were read', () => {
  it.each([
    ['aborted', 'cancelled'],
    ['timeout', 'time limit'],
  ] as const)('%s', async (reason, word) => {
    const root = makeTree({ a: '' });
    let looks = 0;
    const ended = vi.spyOn(Budget.prototype, 'stopReason').mockImplementation(() => (++looks > 1 ? reason : null));
    const answer = await ask(root, { path: root });
    ended.mockRestore();
    expect(answer.returnDisplay).toBe('Error: Failed to access directory.');
    expect(answer.llmContent).toMatch(/^Error accessing directory: [^\n]*$/);
    expect(answer.llmContent).toContain(word);
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
