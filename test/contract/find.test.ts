/** `Find` of the standard dialect: a row for each clause of its contract. */
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  type FindParams,
  find,
  memorySource,
  openWorkspace,
  validateResponse,
  type Workspace,
} from '../../src/index.ts';
import { git } from '../support/git.ts';
import { asNobody } from '../support/nobody.ts';
import { isolateGit, makeRepositoryTree } from '../support/repository.ts';
import { addTree, makeTree, type TreeLiteral } from '../support/tree.ts';

isolateGit();

async function open(literal: TreeLiteral | string): Promise<Workspace> {
  const workspace = await openWorkspace(typeof literal === 'string' ? literal : makeTree(literal));
  onTestFinished(() => workspace.close());
  return workspace;
}

/** A valid answer, whose numbers are right. */
async function found(literal: TreeLiteral | string | Workspace, params: FindParams | string) {
  const workspace =
    typeof literal === 'object' && 'enter' in literal ? (literal as Workspace) : await open(literal as TreeLiteral);
  const answer = await find(typeof params === 'string' ? { query: params } : params, workspace);
  expect(validateResponse(answer).violations).toEqual([]);
  if (answer.status === 'error') throw new Error(answer.text);
  expect(answer.stats.tokens).toBe(encode(answer.text).length);
  expect(answer.stats.returned).toBe(answer.data.entries.length);
  expect(answer.data.truncated || 'failed_items' in answer.data).toBe(answer.status === 'partial');
  const files = answer.data.entries.filter(({ type }) => type !== 'dir');
  return { ...answer, paths: files.map(({ path }) => path) };
}

const tree = (...paths: string[]): TreeLiteral => Object.fromEntries(paths.map((path) => [path, '']));

/** A repository with these commits: a subject, and the files that it touches. */
function repository(literal: TreeLiteral, ...commits: [subject: string, ...paths: string[]][]): string {
  const root = makeRepositoryTree(literal);
  git(root, 'add', '--all');
  git(root, 'commit', '--quiet', '-m', 'first');
  for (const [i, [subject, ...paths]] of commits.entries()) {
    addTree(root, Object.fromEntries(paths.map((path) => [path, `${i}`])));
    git(root, 'add', '--all');
    git(root, 'commit', '--quiet', '--allow-empty', '-m', subject);
  }
  return root;
}

describe('words are found', () => {
  it.each([
    ['without regard to case', 'httpserver', 'HTTPServer.ts'],
    ['however they are joined', 'http server', 'HTTPServer.ts'],
    ['joined by _', 'http_server', 'http-server.ts'],
    ['joined by capitals', 'HttpServer', 'http.server.ts'],
    ['with a digit', 'utf8', 'utf-8-decoder.ts'],
    ['in the plural', 'caches', 'cache.ts'],
    ['in the singular', 'library', 'libraries.ts'],
    ['where the plural is the name', 'series', 'series.ts'],
    ['with common endings', 'caching', 'cached.ts'],
    ['without accents', 'cafe', 'Café.ts'],
    ['with accents', 'café', 'cafe.ts'],
    ['composed, in a decomposed name', 'caf\u00e9', 'cafe\u0301.ts'],
    ['decomposed, in a composed name', 'cafe\u0301', 'caf\u00e9.ts'],
    ['in other scripts', 'отчёт', 'отчет_2024.txt'],
    ['in directories', 'auth', 'auth/index.ts'],
    ['as the beginning of a word', 'config', 'configuration.ts'],
    ['as a part of a word', 'ignore', 'gitignore.ts'],
    ['as the beginning of a word that the name cuts short', 'configuration', 'config.ts'],
  ])('%s: %s', async (_, query, path) => {
    expect((await found(tree(path, 'other/x.js', 'y.js'), query)).paths[0]?.normalize('NFC')).toBe(
      path.normalize('NFC'),
    );
  });

  it('also if others are nowhere, and the text says which', async () => {
    const { paths, text } = await found(tree('src/session.ts', 'src/x.ts'), 'session qqqqqqqq');
    expect(paths).toEqual(['src/session.ts']);
    expect(text.split('\n')[0]).toBe('# 1 file matches, no name has "qqqqqqqq"');
  });

  it('by their nearest spelling where there is none, and the text says which', async () => {
    const { paths, text } = await found(tree('src/controller.ts', 'src/x.ts'), 'contrller');
    expect(paths).toEqual(['src/controller.ts']);
    expect(text.split('\n')[0]).toBe('# 1 file matches, "contrller" read as "controller"');
  });

  it('by their nearest spelling less than as they are', async () => {
    const { paths } = await found(tree('a/sesion-store.ts', 'b/store.ts', 'c/sesion.ts'), 'session store');
    expect(paths[0]).toBe('a/sesion-store.ts');
  });
});

describe('the order', () => {
  it.each<[string, string, ...string[]]>([
    [
      'rare words count more than common ones',
      'handler billing',
      'a/billing.ts',
      'b/handler.ts',
      'c/handler.ts',
      'd/handler.ts',
    ],
    ['the name counts more than its directories', 'auth', 'x/auth.ts', 'auth/x.ts'],
    ['whole words count more than parts', 'ignore', 'z/ignore.ts', 'a/gitignore.ts', 'b/ignorelist.ts'],
    ['a short name counts more than a long one', 'parser', 'z/parser.ts', 'a/parser-options-for-tests-of-parts.ts'],
    ['all words count more than some', 'user cache', 'z/user-cache.ts', 'a/user.ts', 'b/cache.ts'],
    ['tests come after source', 'parser', 'z/parse-parser-x.ts', 'a/parser.test.ts', 'test/parser.ts'],
    ['documents come after source', 'parser', 'z/parser-of-x.ts', 'docs/parser.ts', 'parser.md'],
    [
      'generated and vendored files come after source',
      'parser',
      'z/parser-of-x.ts',
      'dist/parser.js',
      'vendor/parser.js',
    ],
    ['tests come first if they are asked for', 'parser test', 'test/parser.test.ts', 'src/parser.ts'],
    ['documents come first if they are asked for', 'parser docs', 'docs/parser.md', 'src/parser.ts'],
    ['a document comes first if it is named', 'readme', 'README.md', 'src/readme-parser.ts'],
    ['the end of a path comes first', 'lib/index.ts', 'z/lib/index.ts', 'lib/src/index.ts', 'index/lib.ts'],
    ['a whole path comes before the end of another', 'package.json', 'package.json', 'a/package.json'],
    [
      'the end of a path in another spelling',
      'LIB/Word_Table.ts',
      'z/lib/word-table.ts',
      'lib/word.ts',
      'table/lib.ts',
    ],
    ['the end of the path of a test, too', 'parser.test.ts', 'test/parser.test.ts', 'src/parser.ts'],
  ])('%s: %s', async (_, query, best, ...others) => {
    for (const paths of [
      [best, ...others],
      [...others, best],
    ]) {
      expect((await found(tree(...paths), query)).paths[0]).toBe(best);
    }
  });

  it('a path that was shown in quotes comes first when it is sent back', async () => {
    const { paths } = await found(tree('a\nb.ts', 'b.ts'), '"a\\nb.ts"');
    expect(paths[0]).toBe('a\nb.ts');
  });
});

describe('history', () => {
  const literal = tree('src/net.ts', 'src/store.ts', 'src/x.ts', 'docs/x.md', 'package.json');

  it('brings up what commits spoke of, marked by ^', async () => {
    const root = repository(literal, ['Retry with a backoff', 'src/net.ts'], ['Other', 'src/store.ts']);
    const { text, paths } = await found(root, 'backoff');
    expect(paths).toEqual(['src/net.ts']);
    expect(text).toBe('# 1 file matches\nsrc/ net.ts^');
  });

  it('counts beside names, and does not mark what a name has', async () => {
    const root = repository(literal, ['Retry in the store', 'src/net.ts'], ['x', 'src/x.ts']);
    const { text } = await found(root, 'store');
    expect(text).toBe('# 1 file matches well, 2 at all\nsrc/ store.ts\n# weaker:\nsrc/ net.ts^');
  });

  it('puts what changed lately first among equals', async () => {
    const root = repository(tree('a/user.ts', 'b/user.ts', 'c/user.ts'), ['x', 'b/user.ts']);
    expect((await found(root, 'user')).paths[0]).toBe('b/user.ts');
  });

  it('follows a directory that was moved', async () => {
    const root = repository(tree('flask/app.py'), ['Teardown of contexts', 'flask/app.py']);
    git(root, 'mv', 'flask', 'lib');
    addTree(root, { 'src/x.py': '' });
    git(root, 'mv', 'lib', 'src/flask');
    git(root, 'commit', '--quiet', '-m', 'moved');
    expect((await found(root, 'teardown')).paths).toEqual(['src/flask/app.py']);
  });

  it('does not bring up what nearly every commit touches', async () => {
    const subjects = ['alpha', 'beta', 'gamma', 'delta', 'epsilon', 'zeta', 'eta', 'theta'];
    const commits = subjects.map((word) => [`Work on ${word}`, 'package.json', 'src/x.ts'] as [string, ...string[]]);
    const root = repository(literal, ...commits, ['Backoff', 'src/net.ts', 'package.json']);
    expect((await found(root, 'backoff')).paths[0]).toBe('src/net.ts');
  });

  it('of the whole repository counts in a directory of it', async () => {
    const root = repository(tree('a/b/net.ts', 'a/x.ts'), ['Backoff', 'a/b/net.ts']);
    expect((await found(root, { query: 'backoff', path: 'a' })).text).toBe('# a: 1 file matches\nb/ net.ts^');
  });

  it('that could not be read is said to be missing', async () => {
    const root = repository(literal, ['Backoff', 'src/net.ts']);
    const programs = makeTree({ git: '#!/bin/sh\nexit 1\n' });
    chmodSync(join(programs, 'git'), 0o755);
    const before = process.env.PATH;
    process.env.PATH = programs;
    onTestFinished(() => {
      process.env.PATH = before;
    });
    const { text } = await found(root, 'net');
    expect(text).toBe("# 1 file matches, without git's history\nsrc/ net.ts");
  });

  it('is not asked for in a workspace that starts no program', async () => {
    const workspace = await openWorkspace(repository(literal, ['Backoff', 'src/net.ts']), { git: false });
    onTestFinished(() => workspace.close());
    expect((await found(workspace, 'backoff')).text).toBe('# 0 files match backoff, no name has "backoff"');
  });
});

describe('a glob', () => {
  const literal = tree(
    'src/a.ts',
    'src/deep/b.ts',
    'src/C.TS',
    'lib/src/d.ts',
    'x.js',
    '.env.ts',
    'app/[id]/[slug].tsx',
  );

  it.each<[string, string, string[]]>([
    ['without a / matches names at any depth', '*.js', ['x.js']],
    ['matches dotfiles', '.*.ts', ['.env.ts']],
    ['with a / begins at the searched directory', 'src/*.ts', ['src/a.ts']],
    ['then at any depth', 'deep/*.ts', ['src/deep/b.ts']],
    ['has **', 'src/**/*.ts', ['src/a.ts', 'src/deep/b.ts']],
    ['has braces', '{x,y}.js', ['x.js']],
    ['has ? and brackets', 'src/[ab].t?', ['src/a.ts']],
    ['may begin with ./', './src/*.ts', ['src/a.ts']],
    ['regards case first', '*.TS', ['src/C.TS']],
    ['and then does not', 'SRC/A.*', ['src/a.ts']],
    ['is also found as it is written', '[slug].tsx', ['app/[id]/[slug].tsx']],
    ['is also found as it is written, with its directory', 'app/[id]/[slug].tsx', ['app/[id]/[slug].tsx']],
  ])('%s: %s', async (_, query, paths) => {
    const answer = await found(literal, query);
    expect(answer.paths.toSorted()).toEqual(paths.toSorted());
    expect(answer.text.split('\n')[0]).toBe(`# ${paths.length} file${paths.length === 1 ? '' : 's'} match ${query}`);
  });

  it('has its files in the same order as words: tests last', async () => {
    const { text } = await found(tree('a/x.test.ts', 'b/y.ts', 'docs/z.ts'), '*.ts');
    expect(text).toBe('# 3 files match *.ts\nb/ y.ts\n# tests, documents, generated:\ndocs/ z.ts\na/ x.test.ts');
  });

  it('that matches nothing counts as its words', async () => {
    expect((await found(literal, '**/slug.*q')).paths).toEqual(['app/[id]/[slug].tsx']);
  });

  it('is tried from the directory that is searched', async () => {
    expect((await found(literal, { query: 'deep/*.ts', path: 'src' })).paths).toEqual(['src/deep/b.ts']);
  });

  it('that would explode is refused, with a word on what to do', async () => {
    const answer = await find({ query: '{a,b}'.repeat(30) }, await open(literal));
    expect(answer).toMatchObject({
      error: { code: 'INVALID_PARAM', message: expect.stringMatching(/^query: .* braces/) },
    });
  });
});

describe('the text', () => {
  it('has a line for each directory in the order of its best file, and the directory itself as ./', async () => {
    const { text } = await found(tree('user.ts', 'lib/user.ts', 'lib/user-store.ts', 'a/b/user.ts'), 'user');
    expect(text).toBe('# 4 files match\n./ user.ts\nlib/ user.ts user-store.ts\na/b/ user.ts');
  });

  it('does not carry a weak file forward with a strong neighbour', async () => {
    const { text } = await found(
      tree('a/user-session.ts', 'a/superuser-of-everything.ts', 'b/user-session.ts'),
      'user session',
    );
    expect(text).toBe(
      '# 2 files match well, 3 at all\na/ user-session.ts\nb/ user-session.ts\n# weaker:\na/ superuser-of-everything.ts',
    );
  });

  it('quotes names as a map does, and what could be taken for a mark', async () => {
    const { text } = await found(tree('my dir/a user.ts', 'x/user^', 'x/user\n.ts', 'x/#user'), 'user');
    expect(text.split('\n').slice(1).sort()).toEqual(['"my dir"/ "a user.ts"', 'x/ "#user" "user^" "user\\n.ts"']);
  });

  it('marks links', async () => {
    const { text, data } = await found({ 'a/user.ts': '', 'a/user-link.ts': { link: 'user.ts' } }, 'user');
    expect(text).toContain('a/ user.ts user-link.ts@');
    expect(data.entries).toEqual([
      { path: 'a/user.ts', type: 'file' },
      { path: 'a/user-link.ts', type: 'link' },
    ]);
  });

  it('names a directory that is the query, with the files below it', async () => {
    const { text, data } = await found(tree('src/auth/a.ts', 'src/auth/b/c.ts', 'x/auth.ts'), 'auth');
    expect(text).toContain('src/ auth/+2\n');
    expect(data.entries[0]).toEqual({ path: 'src/auth', type: 'dir' });
  });

  it('says how many more there are, and what to send', async () => {
    const many = tree(...Array.from({ length: 60 }, (_, i) => `d${i}/user.ts`), 'test/user.ts');
    const { text, stats, status } = await found(many, 'user');
    expect(text.split('\n').at(-1)).toBe('+41 more, 1 of them tests or documents; limit=50 shows more');
    expect([stats.matched, stats.returned, status]).toEqual([61, 20, 'partial']);
    expect((await found(many, { query: 'user', limit: 50 })).text).toContain(
      '+11 more, 1 of them tests or documents; limit=100',
    );
    expect((await found(many, { query: 'user', limit: 100 })).status).toBe('success');
  });

  it('counts what rules hide, by rule and line, and says what shows it', async () => {
    const root = makeRepositoryTree({
      '.gitignore': '# logs\n*.tmp\n*.log\n',
      'user.log': '',
      'a/user.log': '',
      'user.ts': '',
    });
    const { text, stats } = await found(root, 'user');
    expect(text).toBe(
      '# 1 file matches\n./ user.ts\n2 more are hidden by .gitignore, line 3; respect_git_ignore=false shows them',
    );
    expect(stats.hidden).toBe(2);
    expect((await found(root, { query: 'user', respect_git_ignore: false })).stats).toMatchObject({
      hidden: 0,
      matched: 3,
    });
    expect((await found(root, '*.log')).text).toContain('2 more are hidden by .gitignore, line 3');
    const ignored = await found(root, { query: 'user', ignore: ['*.ts'] });
    expect(ignored.text).toContain('1 more is hidden by ignore *.ts');
  });

  it('counts what is inside directories that git ignores, if nothing else has the words', async () => {
    const root = makeRepositoryTree({
      '.gitignore': 'node_modules\n',
      'node_modules/lodash/chunk.js': '',
      'node_modules/lodash/compact.js': '',
      'node_modules/x/only.d.ts': '',
      'src/user.ts': '',
    });
    const { text, stats } = await found(root, 'lodash');
    expect(text).toBe(
      '# 0 files match lodash, no name has "lodash"\n' +
        '2 more are in directories that git ignores; respect_git_ignore=false shows them',
    );
    expect(stats.hidden).toBe(2);
    expect((await found(root, { query: 'lodash', respect_git_ignore: false })).stats.matched).toBe(2);
    expect((await found(root, '*.d.ts')).text.split('\n').at(-1)).toBe(
      '1 more is in a directory that git ignores; respect_git_ignore=false shows it',
    );
    expect((await found(root, 'user')).text).toBe('# 1 file matches\nsrc/ user.ts');
    for (const query of ['qqqqqqqq', 'lodash qqqqqqqq', 'lodash only']) {
      expect((await found(root, query)).stats.hidden, query).toBe(0);
    }
  });

  it('says nothing of what is hidden and does not match, nor of git itself', async () => {
    const root = makeRepositoryTree({ '.gitignore': 'other.log\n', 'other.log': '', 'git.ts': '' });
    expect((await found(root, 'git')).text).toBe('# 2 files match\n./ git.ts .gitignore');
  });

  it('says what could not be read', async () => {
    const root = makeTree({ 'user.ts': '', 'locked/x': '' });
    await asNobody(root, ['locked'], async () => {
      const { text, data } = await found(root, 'user');
      expect(text).toBe('# 1 file matches, 1 unreadable\n./ user.ts');
      expect(data).toMatchObject({ failed_items: [{ path: 'locked' }] });
    });
  });
});

describe('nothing found', () => {
  it('is a success, and says what has the words', async () => {
    const { text, status, data, stats } = await found(tree('a.ts', 'b.ts'), 'qqqqqqqq');
    expect([status, data.entries, stats.matched]).toEqual(['success', [], 0]);
    expect(text).toBe('# 0 files match qqqqqqqq, no name has "qqqqqqqq"');
  });

  it('says that no commit has them either', async () => {
    const root = repository(tree('a.ts'), ['Something else', 'a.ts']);
    expect((await found(root, 'qqqqqqqq')).text).toBe('# 0 files match qqqqqqqq, no name or commit has "qqqqqqqq"');
  });

  it('in an empty directory', async () => {
    expect((await found({ empty: null }, { query: 'x', path: 'empty' })).text).toBe(
      '# empty: 0 files match x, no name has "x"',
    );
  });
});

describe('parameters', () => {
  it.each<[object, string]>([
    [{}, 'query must be a text: words, the end of a path, or a glob.'],
    [{ query: null }, 'query must be a text: words, the end of a path, or a glob.'],
    [{ query: '  ' }, 'query must be a text: words, the end of a path, or a glob.'],
    [{ query: ['a'] }, 'query must be a text: words, the end of a path, or a glob.'],
    [{ query: 'x'.repeat(2_001) }, 'query must be at most 2000 characters long.'],
    [{ query: 'x', path: 5 }, 'path must be a string.'],
    [{ query: 'x', limit: 0 }, 'limit must be an integer between 1 and 200.'],
    [{ query: 'x', limit: 201 }, 'limit must be an integer between 1 and 200.'],
    [{ query: 'x', ignore: 'x' }, 'ignore must be a list of glob patterns.'],
    [{ query: 'x', respect_git_ignore: 1 }, 'respect_git_ignore must be a boolean.'],
    [
      { query: 'x', pattern: '*' },
      "Unknown parameter 'pattern'. Known: query, path, limit, ignore, respect_git_ignore.",
    ],
  ])('%j', async (params, message) => {
    const answer = await find(params as Record<string, unknown>, await open(tree('x')));
    expect(answer).toMatchObject({ status: 'error', error: { code: 'INVALID_PARAM', message } });
    expect(answer.text.split('\n').length).toBeGreaterThan(1);
  });

  it.each<[string, string, string]>([
    ['outside', '../..', 'Access denied. Path must be within the project root.'],
    ['missing', 'sr', "Path 'sr' does not exist."],
    ['a file', 'x', "'x' is a file, not a directory. Use 'Read' tool to view its content."],
  ])('a directory that is %s', async (_, path, message) => {
    const answer = await find({ query: 'x', path }, await open(tree('x', 'src/y')));
    expect(answer).toMatchObject({ status: 'error', error: { message } });
    if (path === 'sr') expect(answer.text).toContain("Did you mean 'src'?");
  });

  it.each([
    ['100,000 letters', 'x'.repeat(100_000)],
    ['10,000 words', 'word '.repeat(10_000)],
  ])('%s are too many', async (_, query) => {
    const answer = await find({ query }, await open(tree('x')));
    expect(answer).toMatchObject({ error: { message: expect.stringContaining('at most 32,768 are accepted') } });
  });

  it('of many words, the first 32 count, and the text says so', async () => {
    const words = Array.from({ length: 40 }, (_, i) => String.fromCharCode(0x4e00 + i).repeat(6));
    const names = [0, 31, 32].map((i) => `${words[i]}.ts`);
    const { text, paths } = await found(tree(...names), words.join(' '));
    expect(text).toMatch(/, only the first 32 words count$/m);
    expect(paths.toSorted()).toEqual(names.slice(0, 2));
  });

  it('null means unset', async () => {
    const params = { query: 'x', path: null, limit: null, ignore: null, respect_git_ignore: null };
    expect((await found(tree('x.ts'), params)).paths).toEqual(['x.ts']);
  });

  it('a call that is aborted answers', async () => {
    const answer = await find({ query: 'x' }, await open(tree('x')), { signal: AbortSignal.abort() });
    expect(answer).toMatchObject({ status: 'error', error: { code: 'TIMEOUT' } });
  });
});

it('finds in any source, by names alone', async () => {
  const workspace = await openWorkspace(memorySource({ 'src/net/retry.ts': '', 'src/x.ts': '' }));
  expect((await found(workspace, 'net retry')).text).toBe('# 1 file matches\nsrc/net/ retry.ts');
});

it('sees what has changed since', async () => {
  const root = makeTree(tree('user.ts'));
  const workspace = await open(root);
  for (let i = 0; i < 3; i++) expect((await found(workspace, 'user')).paths).toEqual(['user.ts']);
  writeFileSync(join(root, 'user-new.ts'), '');
  expect((await found(workspace, 'user')).paths).toEqual(['user.ts', 'user-new.ts']);
});
