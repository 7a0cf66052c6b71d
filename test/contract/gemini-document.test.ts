/** The examples of document 001, in its order, each run as it stands there. `/Users/user/project` is the root. */
import { execFileSync } from 'node:child_process';
import { chmodSync, lutimesSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { call } from '../../src/faces/library/call.ts';
import { type ListDirectoryToolOptions, listDirectoryTool } from '../../src/faces/library/list-directory-tool.ts';
import { openWorkspace } from '../../src/faces/library/open-workspace.ts';
import { isolateGit, makeRepositoryTree } from '../support/repository.ts';
import { addTree, emptyDirectory, makeTree, type TreeLiteral } from '../support/tree.ts';
import { skipOnWindows } from '../support/windows.ts';

isolateGit();

/** The call and the tool answer alike; this is what both say. */
async function execute(root: string, params: { path: string; [name: string]: unknown }) {
  const workspace = await openWorkspace(root);
  const answer = await call('gemini', params, workspace);
  expect(await listDirectoryTool(workspace).execute(params)).toEqual(
    'debug' in answer ? { ...answer, debug: expect.anything() } : answer,
  );
  workspace.close();
  return answer;
}

const toolAt = async (root: string, options: ListDirectoryToolOptions = {}) =>
  listDirectoryTool(await openWorkspace(root), options);
const files = (list: string) => Object.fromEntries(list.split(' ').map((name) => [name, '']));

/** A project that holds whatever the examples speak of. */
const PROJECT: TreeLiteral = {
  '.gitignore': '# .gitignore 示例\nnode_modules/\n*.log\n.env\ndist/\ncoverage/\n',
  '.geminiignore': '# .geminiignore 示例\n*.ai-generated\ntemp_*\n.gemini-cache/\nexperimental/\n',
  'node_modules/x/index.js': '',
  'dist/app.js': '',
  'coverage/lcov.info': '',
  'build/app': '',
  '.cache/x': '',
  '.gemini-cache/x': '',
  'experimental/x': '',
  ...files('debug.log temperature.txt temp_1 text.ai-generated .env .DS_Store a.tmp main.js package.json'),
  'src/index.ts': 'export {}\n',
  ...files('src/a.test.ts src/b.spec.ts src/types.d.ts src/app.ts'),
};
const project = () => makeRepositoryTree(PROJECT);

describe('接口定义', () => {
  it('the tool has the name, the title and the description of the constructor', async () => {
    const tool = await toolAt(makeTree({}));
    expect([tool.name, tool.displayName]).toEqual(['list_directory', 'ReadFolder']);
    expect(tool.description).toBe(
      'Lists the names of files and subdirectories directly within a specified directory path. Can optionally ignore entries matching provided glob patterns.',
    );
  });

  it('LSToolParams is what its schema says', async () => {
    const { schema } = await toolAt(makeTree({}));
    expect(schema).toMatchObject({
      type: 'object',
      required: ['path'],
      properties: {
        path: { type: 'string' },
        ignore: { type: 'array', items: { type: 'string' } },
        file_filtering_options: {
          type: 'object',
          properties: {
            respect_git_ignore: { type: 'boolean', default: true },
            respect_gemini_ignore: { type: 'boolean', default: true },
          },
        },
      },
    });
    expect(Object.keys(schema.properties as object)).toEqual(['path', 'ignore', 'file_filtering_options']);
  });

  it('FileEntry: name, absolute path, kind, size (0 for a directory) and time of the last change', async () => {
    const root = makeTree({ 'src/a': '', 'f.txt': '12345' });
    const time = new Date('2024-05-06T07:08:09Z');
    utimesSync(join(root, 'f.txt'), time, time);
    const entries = await (await toolAt(root)).entries({ path: root });
    expect(entries.map(({ name, path, isDirectory, size }) => ({ name, path, isDirectory, size }))).toEqual([
      { name: 'src', path: join(root, 'src'), isDirectory: true, size: 0 },
      { name: 'f.txt', path: join(root, 'f.txt'), isDirectory: false, size: 5 },
    ]);
    expect(entries[1]?.modifiedTime).toEqual(time);
  });

  it('validateToolParams: null, or the reason', async () => {
    const root = makeTree({ src: null });
    const tool = await toolAt(root);
    expect(tool.validateToolParams({ path: join(root, 'src') })).toBeNull();
    expect(tool.validateToolParams({ path: './relative/path' })).toBe('Path must be absolute: ./relative/path');
    expect(tool.validateToolParams({ path: '/etc' })).toBe(`Path must be within the root directory (${root}): /etc`);
  });

  it('getDescription: the path from the root, shortened', async () => {
    const root = makeTree({});
    const tool = await toolAt(root);
    const described = (path: string) => tool.getDescription({ path });
    expect([described(root), described(`${root}/`)]).toEqual(['.', '.']);
    expect(described(join(root, 'src/components'))).toBe('src/components');
    const long = described(join(root, 'packages/one/two/three/four/five/components/button'));
    expect(long).toMatch(/^packages\/\.\.\..*\/button$/);
    expect(long.length).toBeLessThanOrEqual(35);
    expect(described(join(root, 'x'.repeat(100)))).toHaveLength(35);
    expect(described(join(root, 'a\nb'))).toBe('"a\\nb"');
    expect(described(join(root, '../other'))).toBe('../other');
    expect([tool.getDescription({}), tool.getDescription(null), tool.getDescription({ path: 1 })]).toEqual([
      '',
      '',
      '',
    ]);
  });

  it('getDescription knows the root by the path it was opened by, too', async () => {
    const root = makeTree({ src: null });
    const alias = join(root, '../alias');
    symlinkSync(root, alias);
    const tool = await toolAt(alias);
    const described = [alias, join(alias, 'src'), join(root, 'src')].map((path) => tool.getDescription({ path }));
    expect(described).toEqual(['.', 'src', 'src']);
  });
});

describe('使用示例', () => {
  it('基本目录列表', async () => {
    const root = project();
    expect(await execute(root, { path: root })).toEqual({
      llmContent: [
        ...['[DIR] .cache', '[DIR] build', '[DIR] src'],
        ...['.DS_Store', '.geminiignore', '.gitignore', 'a.tmp', 'main.js', 'package.json', 'temperature.txt'],
        '(6 git-ignored, 4 gemini-ignored items hidden)',
      ].join('\n'),
      returnDisplay: 'Listed 10 items',
    });
    expect(await execute(root, { path: join(root, 'src') })).toEqual({
      llmContent: 'a.test.ts\napp.ts\nb.spec.ts\nindex.ts\ntypes.d.ts',
      returnDisplay: 'Listed 5 items',
    });
  });

  it.each([
    [
      '忽略特定文件模式',
      '',
      { ignore: ['*.log', 'temp*', 'node_modules'] },
      '[DIR] .cache, [DIR] build, [DIR] src, .DS_Store, .geminiignore, .gitignore, a.tmp, main.js, package.json, (4 git-ignored, 3 gemini-ignored items hidden)',
    ],
    [
      '忽略 .DS_Store 和隐藏文件',
      '',
      { ignore: ['.*', '*.tmp'] },
      '[DIR] build, [DIR] src, main.js, package.json, temperature.txt, (4 git-ignored, 3 gemini-ignored items hidden)',
    ],
    [
      '禁用 Git 忽略规则',
      '',
      { file_filtering_options: { respect_git_ignore: false, respect_gemini_ignore: true }, ignore: ['.*'] },
      '[DIR] build, [DIR] coverage, [DIR] dist, [DIR] node_modules, [DIR] src, a.tmp, debug.log, main.js, package.json, temperature.txt, (3 gemini-ignored items hidden)',
    ],
    [
      '禁用所有自动忽略',
      '',
      { file_filtering_options: { respect_git_ignore: false, respect_gemini_ignore: false }, ignore: ['[a-z]'] },
      '[DIR] .cache, [DIR] .gemini-cache, [DIR] .git, [DIR] build, [DIR] coverage, [DIR] dist, [DIR] experimental, [DIR] node_modules, [DIR] src, .DS_Store, .env, .geminiignore, .gitignore, a.tmp, debug.log, main.js, package.json, temp_1, temperature.txt, text.ai-generated',
    ],
    ['仅显示源代码文件', 'src', { ignore: ['*.test.*', '*.spec.*', '*.d.ts'] }, 'app.ts, index.ts'],
    [
      '忽略构建和缓存目录',
      '',
      { ignore: ['dist', 'build', '.cache', 'coverage'] },
      '[DIR] src, .DS_Store, .geminiignore, .gitignore, a.tmp, main.js, package.json, temperature.txt, (4 git-ignored, 4 gemini-ignored items hidden)',
    ],
  ])('%s', async (_, directory, params, lines) => {
    const root = project();
    const { llmContent } = await execute(root, { path: join(root, directory), ...params });
    expect(llmContent).toBe(lines.replaceAll(', [', '\n[').replaceAll(/(?<!ignored), /g, '\n'));
  });
});

describe('输出格式', () => {
  it('标准输出格式', async () => {
    const root = makeTree({ components: null, utils: null, ...files('README.md package.json index.ts App.tsx') });
    expect(await execute(root, { path: root })).toEqual({
      llmContent: '[DIR] components\n[DIR] utils\nApp.tsx\nindex.ts\npackage.json\nREADME.md',
      returnDisplay: 'Listed 6 items',
    });
  });

  it('带统计信息的输出', async () => {
    const top = makeRepositoryTree({
      '.gitignore': '*.log\n.env\n.geminiignore\n',
      'ws/.geminiignore': 'temp_*\n',
      'ws/src': null,
      'ws/tests': null,
      ...files('ws/main.js ws/package.json ws/1.log ws/2.log ws/3.log ws/.env ws/temp_1 ws/temp_2'),
    });
    const root = join(top, 'ws');
    expect(await execute(root, { path: root })).toEqual({
      llmContent: '[DIR] src\n[DIR] tests\nmain.js\npackage.json\n(5 git-ignored, 2 gemini-ignored items hidden)',
      returnDisplay: 'Listed 4 items',
    });
  });

  it('空目录输出', async () => {
    const root = makeTree({ 'path/to/empty/dir': null });
    const path = join(root, 'path/to/empty/dir');
    expect(await execute(root, { path })).toEqual({
      llmContent: `Directory ${path} is empty.`,
      returnDisplay: 'Directory is empty.',
    });
  });
});

describe('文件过滤系统', () => {
  it.each([
    ['单字符匹配', ['?.tmp'], 'a.tmp 1.tmp', 'ab.tmp .tmp'],
    ['多字符匹配', ['*.log'], 'a.log b.c.log', 'a.log.txt'],
    ['以 temp 开头', ['temp*'], 'temp temp1 temperature', 'mytemp'],
    ['精确匹配', ['node_modules'], 'node_modules', 'node_modules2'],
    ['多种文件类型', ['*.{log,tmp,cache}'], 'a.log a.tmp a.cache', 'a.txt a.{log,tmp,cache}'],
    ['特定前缀和后缀', ['test_*.js', '*_backup.*'], 'test_a.js db_backup.sql', 'test.js backup.sql'],
    ['系统文件', ['.DS_Store', 'Thumbs.db', 'desktop.ini'], '.DS_Store Thumbs.db desktop.ini', 'Desktop.ini'],
    ['敏感文件', ['.env*', '*.key', '*.pem', 'secrets.*'], '.env .env.local a.key b.pem secrets.json', 'key'],
    ['推荐：使用适当的过滤', ['node_modules', '*.log', '.cache'], 'node_modules a.log .cache', 'src'],
  ])('%s', async (_, ignore, hidden, left) => {
    const shown = `${left}`.split(' ').toSorted((a, b) => a.localeCompare(b, 'en'));
    const root = makeTree({ ...files(hidden), ...files(left) });
    expect(await execute(root, { path: root, ignore })).toEqual({
      llmContent: shown.join('\n'),
      returnDisplay: `Listed ${shown.length} items`,
    });
  });

  it('Git 仓库检测: .gitignore counts in a repository only, and nested ones count', async () => {
    const tree = {
      '.gitignore': '*.log\n',
      'a.log': '',
      'sub/.gitignore': 'b\n',
      'sub/b': '',
      'sub/c.log': '',
      'sub/d': '',
    };
    const [inside, outside] = [makeRepositoryTree(tree), makeTree(tree)];
    const shown = async (root: string) => (await execute(root, { path: join(root, 'sub') })).llmContent;
    expect(await shown(inside)).toBe('.gitignore\nd\n(2 git-ignored items hidden)');
    expect(await shown(outside)).toBe('.gitignore\nb\nc.log\nd');
  });

  it('优先级和组合: the argument, then .geminiignore, then .gitignore', async () => {
    const root = makeRepositoryTree({ '.gitignore': 'a\nb\n', '.geminiignore': '!a\n!b\n', a: '', b: '' });
    const { llmContent } = await execute(root, { path: root, ignore: ['b', '.*'] });
    expect(llmContent).toBe('a');
  });

  it('过滤统计', async () => {
    const root = makeRepositoryTree({ '.gitignore': 'x1\nx2\n', '.geminiignore': 'y\n', ...files('x1 x2 y') });
    const { llmContent } = await execute(root, { path: root, ignore: ['.g*e'] });
    expect(llmContent).toBe('\n(3 git-ignored, 1 gemini-ignored items hidden)');
  });
});

describe('安全性考虑', () => {
  it('单个文件访问失败不会中断整个列表操作', async () => {
    const root = makeTree({ a: '', broken: { link: 'nothing' }, outside: { link: '/nothing' }, z: '' });
    expect((await execute(root, { path: root })).llmContent).toBe('a\nbroken\noutside\nz');
  });
});

describe('高级功能', () => {
  it('自定义排序扩展: 按修改时间排序', async () => {
    const root = makeTree({ old: null, newest: '', middle: '' });
    for (const [name, day] of [
      ['old', 1],
      ['middle', 2],
      ['newest', 3],
    ] as const) {
      utimesSync(join(root, name), day * 86_400, day * 86_400);
    }
    const tool = await toolAt(root, { sort: (a, b) => Number(b.modifiedTime) - Number(a.modifiedTime) });
    expect(await tool.execute({ path: root })).toEqual({
      llmContent: 'newest\nmiddle\n[DIR] old',
      returnDisplay: 'Listed 3 items',
    });
    expect((await tool.entries({ path: root })).map(({ name }) => name)).toEqual(['newest', 'middle', 'old']);
  });

  it('自定义排序扩展: with filters, and in an empty directory', async () => {
    const root = makeRepositoryTree({ '.gitignore': 'b\n', a: '1', b: '', c: '123', empty: null });
    const tool = await toolAt(root, { sort: (a, b) => b.size - a.size });
    const { llmContent } = await tool.execute({ path: root, ignore: ['.gitignore'] });
    expect(llmContent).toBe('c\na\n[DIR] empty\n(2 git-ignored items hidden)');
    expect((await tool.execute({ path: join(root, 'empty') })).returnDisplay).toBe('Directory is empty.');
  });

  it('详细文件信息: permissions, owner, group and MIME type', async () => {
    const root = makeTree({ src: null, 'a.md': '', 'b.json': '{}', 'c.ts': '', run: '' });
    chmodSync(join(root, 'a.md'), 0o640);
    chmodSync(join(root, 'run'), 0o755);
    const entries = await (await toolAt(root)).entries({ path: root });
    const told = (path: string) =>
      execFileSync('stat', ['-c', '%A %U %G', path], { encoding: 'utf8' }).trim().split(' ');
    for (const { path, permissions, owner, group } of entries) expect([permissions, owner, group]).toEqual(told(path));
    expect(entries.map(({ name, permissions }) => [name, permissions])).toContainEqual(['a.md', '-rw-r-----']);
    expect(Object.fromEntries(entries.map(({ name, type }) => [name, type]))).toEqual({
      src: 'inode/directory',
      'a.md': 'text/markdown',
      'b.json': 'application/json',
      'c.ts': 'text/typescript',
      run: 'application/octet-stream',
    });
  });

  it('符号链接处理: linkTarget and isSymlink, and nothing of what lies outside', async () => {
    const root = makeTree({
      'src/a': '',
      file: '12345',
      inside: { link: './src' },
      'to-file': { link: 'file' },
      outside: { link: '/etc/passwd' },
    });
    const time = new Date('2020-01-01T00:00:00Z');
    lutimesSync(join(root, 'outside'), time, time);
    const entries = await (await toolAt(root)).entries({ path: root });
    const links = entries.map(({ name, isDirectory, isSymlink, linkTarget, size }) => [
      ...[name, isDirectory, isSymlink],
      ...[linkTarget, size],
    ]);
    expect(links).toEqual([
      ['inside', true, true, './src', 0],
      ['src', true, false, undefined, 0],
      ['file', false, false, undefined, 5],
      ['outside', false, true, '/etc/passwd', '/etc/passwd'.length],
      ['to-file', false, true, 'file', 5],
    ]);
    expect(entries.find(({ name }) => name === 'file')).not.toHaveProperty('linkTarget');
    expect(entries.find(({ name }) => name === 'outside')?.modifiedTime).toEqual(time);
  });

  it('entries refuse what execute refuses', async () => {
    const root = makeTree({ f: '' });
    const tool = await toolAt(root);
    await expect(tool.entries({ path: 'x' })).rejects.toThrow('Path must be absolute: x');
    await expect(tool.entries({ path: '/etc' })).rejects.toMatchObject({ kind: 'outside' });
    await expect(tool.entries({ path: join(root, 'f') })).rejects.toMatchObject({ kind: 'not-a-directory' });
    await expect(tool.entries({ path: root }, AbortSignal.abort())).rejects.toMatchObject({ kind: 'aborted' });
  });

  it.each([true, false])('目录缓存 (%j): what changes is seen at once', async (cache) => {
    const root = makeTree({ 'sub/a': '', 'sub/link': { link: '../target' } });
    const tool = await toolAt(root, { cache });
    const shown = async () => (await tool.execute({ path: join(root, 'sub') })).llmContent;
    // By this clock everything is old enough to be remembered.
    vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 60_000);
    expect(await shown()).toBe('a\nlink');
    expect(await shown()).toBe('a\nlink');
    addTree(root, { target: null });
    expect(await shown()).toBe('[DIR] link\na');
    writeFileSync(join(root, 'sub/b'), '');
    expect(await shown()).toBe('[DIR] link\na\nb');
    vi.restoreAllMocks();
  });
});

describe('配置集成', () => {
  const tree = { '.gitignore': 'a\n', '.geminiignore': 'b\n', a: '', b: '', 'c.log': '', temp1: '' };
  const shown = async (root: string, options: ListDirectoryToolOptions, params: object = {}) =>
    (await (await toolAt(root, options)).execute({ path: root, ignore: ['.g*'], ...params })).llmContent;

  it.each([
    [
      { respectGitIgnore: true, respectGeminiIgnore: true },
      'c.log\ntemp1\n(1 git-ignored, 1 gemini-ignored items hidden)',
    ],
    [{ respectGitIgnore: false, respectGeminiIgnore: true }, 'a\nc.log\ntemp1\n(1 gemini-ignored items hidden)'],
    [{ respectGeminiIgnore: false }, 'b\nc.log\ntemp1\n(1 git-ignored items hidden)'],
    [{ defaultIgnorePatterns: ['c*'] }, 'temp1\n(1 git-ignored, 1 gemini-ignored items hidden)'],
    [{}, 'c.log\ntemp1\n(1 git-ignored, 1 gemini-ignored items hidden)'],
    [{ respectGitIgnore: undefined }, 'c.log\ntemp1\n(1 git-ignored, 1 gemini-ignored items hidden)'],
    [{ defaultIgnorePatterns: undefined }, 'c.log\ntemp1\n(1 git-ignored, 1 gemini-ignored items hidden)'],
  ])('全局文件过滤配置: %j', async (fileFiltering, expected) => {
    expect(await shown(makeRepositoryTree(tree), { fileFiltering: fileFiltering as object })).toBe(expected);
  });

  it.each([
    { respectGitIgnore: 'no' },
    { respectGeminiIgnore: 0 },
    { defaultIgnorePatterns: '*' },
    { respectGit: true },
  ])('a wrong one is told when the tool is made: %j', async (fileFiltering) => {
    await expect(toolAt(makeTree({}), { fileFiltering: fileFiltering as object })).rejects.toMatchObject({
      name: 'UsageError',
    });
  });

  it('项目特定配置: the project’s wish goes before the program’s, and the call’s before both', async () => {
    const root = makeRepositoryTree({
      ...tree,
      '.geminiconfig': `{
  "fileFiltering": {
    "defaultIgnorePatterns": ["*.log", "temp*"],
    "respectGitIgnore": true,
    "respectGeminiIgnore": true
  }
}`,
    });
    const none = { fileFiltering: { respectGitIgnore: false, respectGeminiIgnore: false } };
    expect(await shown(root, none)).toBe('\n(1 git-ignored, 1 gemini-ignored items hidden)');
    const params = { file_filtering_options: { respect_git_ignore: false } };
    expect(await shown(root, {}, params)).toBe('a\n(1 gemini-ignored items hidden)');
  });
});

describe('错误处理和调试', () => {
  it('常见错误场景', async () => {
    const root = makeTree({});
    const missing = join(root, 'nothing');
    const answers = [
      await execute(root, { path: './relative/path' }),
      await execute(root, { path: '../sensitive/dir' }),
      await execute(root, { path: '/sensitive' }),
      await execute(root, { path: missing }),
    ];
    const reason = 'Error: Invalid parameters provided. Reason: ';
    expect(answers).toEqual([
      {
        llmContent: `${reason}Path must be absolute: ./relative/path`,
        returnDisplay: 'Error: Failed to execute tool.',
      },
      {
        llmContent: `${reason}Path must be absolute: ../sensitive/dir`,
        returnDisplay: 'Error: Failed to execute tool.',
      },
      {
        llmContent: `${reason}Path must be within the root directory (${root}): /sensitive`,
        returnDisplay: 'Error: Failed to execute tool.',
      },
      {
        llmContent: `Error: Directory not found or inaccessible: ${missing}`,
        returnDisplay: 'Error: Directory not found or inaccessible.',
      },
    ]);
  });

  it('过滤统计: the counts of the example', async () => {
    const visible = Array.from({ length: 13 }, (_, i) => `v${i}`).join(' ');
    const root = makeRepositoryTree({
      '.gitignore': '*.o\n',
      '.geminiignore': 'y\n',
      ...files(`${visible} 1.o 2.o y x.log`),
    });
    const { debug } = await execute(root, { path: root, ignore: ['*.log'], debug: true });
    expect(debug).toEqual({
      totalFiles: 20,
      visibleFiles: 15,
      gitIgnored: 3,
      geminiIgnored: 1,
      globIgnored: 1,
      fromCache: false,
      timings: expect.anything(),
    });
  });
});

describe('最佳实践', () => {
  it('推荐：组织相关的忽略模式', async () => {
    const root = makeTree({ ...files('a.log .cache temp1 dist build coverage .DS_Store Thumbs.db'), src: null });
    const ignore = ['*.log', '.cache', 'temp*', ...['dist', 'build', 'coverage'], ...['.DS_Store', 'Thumbs.db']];
    expect((await execute(root, { path: root, ignore })).llmContent).toBe('[DIR] src');
  });

  it('推荐：使用配置文件管理忽略规则', async () => {
    const root = makeTree({
      '.geminiignore': 'node_modules/\n*.log\n.env*\ndist/\ncoverage/\n',
      ...files('a.log .env .env.local src.ts'),
      node_modules: null,
      dist: null,
    });
    expect((await execute(root, { path: root })).llmContent).toBe(
      '.geminiignore\nsrc.ts\n(5 gemini-ignored items hidden)',
    );
  });

  it('the root of the disk can be a root', async () => {
    skipOnWindows('a root of all drives');
    const { llmContent } = await execute('/', { path: '/', ignore: ['.*'] });
    expect(llmContent).toContain('[DIR] tmp');
    const directory = emptyDirectory();
    expect((await execute('/', { path: directory })).llmContent).toBe(`Directory ${directory} is empty.`);
  });
});
