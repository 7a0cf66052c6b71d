/** How git's words about files are understood; by git itself, and by a program in its place that says what the test says. */
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { startStatus } from '../../src/git/status.ts';
import { memorySource, openWorkspace } from '../../src/index.ts';
import { bytesOf } from '../../src/names/bytes.ts';
import type { RootPath } from '../../src/names/paths.ts';
import { Budget } from '../../src/workspace/budget.ts';
import { git, makeRepository } from '../support/git.ts';
import { at, enterAt, enterRoot } from '../support/paths.ts';
import { isolateGit } from '../support/repository.ts';
import { addTree, emptyDirectory, makeTree, type TreeLiteral } from '../support/tree.ts';

isolateGit();

/** The status below a directory, or why there is none. */
async function statusIn(root: string, directory = '') {
  const workspace = await openWorkspace(root);
  const visit = enterAt(workspace, at(directory));
  try {
    const status = await (await startStatus(visit, Budget.unlimited()))();
    return typeof status === 'string' ? status : (path: string) => status(bytesOf(path));
  } finally {
    visit.leave();
    workspace.close();
  }
}

/** The status of these paths. */
async function lettersOf(paths: readonly string[], root: string, directory = ''): Promise<Record<string, string>> {
  const status = await statusIn(root, directory);
  if (typeof status === 'string') throw new Error(status);
  return Object.fromEntries(paths.map((path) => [path, status(path)]));
}

/** A repository as git leaves it after a commit, as far as anybody looks who does not ask git itself. */
function repositoryWithout(tree: TreeLiteral = {}, objects: TreeLiteral = { '.git/objects/pack': null }): string {
  const files = { '.git/HEAD': `${'0123456789'.repeat(4)}\n`, '.git/refs': null, '.git/index': 'the index' };
  return makeTree({ ...files, ...objects, 'src/inner/x': '', ...tree });
}

/** Puts a script in git's place. */
function fakeGit(script: string): void {
  const programs = emptyDirectory();
  writeFileSync(join(programs, 'git'), `#!/bin/sh\n${script}\n`);
  chmodSync(join(programs, 'git'), 0o755);
  vi.stubEnv('PATH', programs + delimiter + process.env.PATH);
}

/** A git that says this, each of which ends with NUL. */
function saying(...records: readonly string[]): void {
  const file = join(emptyDirectory(), 'said');
  writeFileSync(file, records.map((record) => `${record}\0`).join(''));
  fakeGit(`exec /bin/cat '${file}'`);
}

describe('git says of a file', () => {
  it('what was staged and what was not', async () => {
    const root = makeTree({ same: '1', changed: '1', 'src/gone': '1', 'src/moved': 'a line that is the same' });
    makeRepository(root);
    git(root, 'add', '--all');
    git(root, 'commit', '--quiet', '-m', 'x');
    addTree(root, { 'new/a/b': '', 'src/é/staged': '', changed: '22' });
    rmSync(join(root, 'src/gone'));
    git(root, 'mv', 'src/moved', 'src/there');
    git(root, 'add', 'src/é');
    addTree(root, { 'src/é/staged': 'more' });
    const above = ['same', 'changed', 'src', 'new', 'new/a', 'new/a/b', 'src/gone'];
    expect(await lettersOf(above, root)).toEqual({
      ...{ same: '--', changed: '-M', src: 'MM', new: '??', 'new/a': '??', 'new/a/b': '??', 'src/gone': '-D' },
    });
    expect(await lettersOf(['gone', 'moved', 'there', 'é', 'é/staged', 'changed'], root, 'src')).toEqual({
      ...{ gone: '-D', moved: 'D-', there: 'A-', é: 'AM', 'é/staged': 'AM', changed: '--' },
    });
    expect(await lettersOf(['a', 'a/b'], root, 'new')).toEqual({ a: '??', 'a/b': '??' });
  });

  it('that it was changed in the second in which git wrote its index', async () => {
    const root = makeTree({ a: '1' });
    makeRepository(root);
    const time = new Date('2020-01-02T03:04:05.600Z');
    utimesSync(join(root, 'a'), time, time);
    git(root, 'add', '--all');
    git(root, 'commit', '--quiet', '-m', 'x');
    utimesSync(join(root, '.git/index'), time, time);
    addTree(root, { a: '2' });
    utimesSync(join(root, 'a'), time, time);
    expect(await lettersOf(['a'], root)).toEqual({ a: '-M' });
  });

  it('that it is ignored, by whatever file of rules, unless it is tracked', async () => {
    const root = makeTree({ '.gitignore': '*.log\nout/\n', 'kept.log': '', 'out/kept': '', 'src/a': '' });
    makeRepository(root);
    git(root, 'add', '--all', '--force');
    git(root, 'commit', '--quiet', '-m', 'x');
    const exclude = { '.git/info/exclude': '\uFEFF.DS_Store\nmine/', '.git/users': '!a.log\n!mine/\n*.tmp' };
    addTree(root, { ...exclude, 'a.log': '', 'out/b': '', 'mine/c/d': '', 'src/.DS_Store': '', 'src/b.tmp': '' });
    git(root, 'config', 'core.excludesFile', '.git/users');
    const paths = ['kept.log', 'out', 'out/kept', 'src', 'src/a', '.gitignore'];
    expect(await lettersOf(paths, root)).toEqual(Object.fromEntries(paths.map((path) => [path, '--'])));
    const ignored = ['a.log', 'out/b', 'mine', 'mine/c', 'mine/c/d', 'src/.DS_Store', 'src/b.tmp', '.git', '.git/HEAD'];
    expect(await lettersOf(ignored, root)).toEqual(Object.fromEntries(ignored.map((path) => [path, '!!'])));
    expect(await lettersOf(['.DS_Store', 'a'], root, 'src')).toEqual({ '.DS_Store': '!!', a: '--' });
    expect(await lettersOf(['d'], root, 'mine/c')).toEqual({ d: '!!' });
    expect(await lettersOf(['heads'], root, '.git/refs')).toEqual({ heads: '!!' });
  });

  it('that it is ignored in a directory that is new', async () => {
    const root = makeTree({ a: '' });
    makeRepository(root);
    git(root, 'add', '--all');
    git(root, 'commit', '--quiet', '-m', 'x');
    addTree(root, { 'new/.gitignore': '*.log\nout/\n', 'new/b.log': '', 'new/out/c': '', 'new/d/e': '' });
    expect(await lettersOf(['new', 'new/b.log', 'new/out', 'new/out/c', 'new/d/e'], root)).toEqual({
      ...{ new: '??', 'new/b.log': '!!', 'new/out': '!!', 'new/out/c': '!!', 'new/d/e': '??' },
    });
  });

  it('that it is new, where objects have longer names', async () => {
    const root = makeTree({ a: '1' });
    git('/', 'init', '--quiet', '--template=', '--object-format=sha256', root);
    git(root, 'add', '--all');
    git(root, 'commit', '--quiet', '-m', 'x');
    addTree(root, { b: '' });
    expect(await lettersOf(['a', 'b'], root)).toEqual({ a: '--', b: '??' });
  });
});

describe('a directory has', () => {
  it.each<[string, readonly string[], string]>([
    ['the letters of what is in it', [' M d/a'], '-M'],
    ['the same letters', ['AM d/a', 'AM d/b'], 'AM'],
    ['a letter that all have, beside one that some have', ['AM d/a', 'A  d/b'], 'AM'],
    ['letters of both', ['A  d/a', ' D d/b'], 'AD'],
    ['letters of both, in another order', [' D d/a', 'A  d/b'], 'AD'],
    ['M, where they differ', ['A  d/a', 'D  d/b'], 'M-'],
    ['M, where both differ', ['AM d/a', 'DD d/b'], 'MM'],
    ['a question, where something is new', ['?? d/a'], '-?'],
    ['a question, where much is new', ['?? d/a', '?? d/b/'], '-?'],
    ['what is staged beside what is new', ['A  d/a', '?? d/b'], 'A?'],
    ['what is staged beside what is new, in another order', ['?? d/a', 'A  d/b'], 'A?'],
    ['what has gone rather than what is new', [' D d/a', '?? d/b'], '-D'],
    ['what has gone rather than what is new, in another order', ['?? d/a', ' D d/b'], '-D'],
  ])('%s', async (_, records, letters) => {
    saying(...records);
    expect(await lettersOf(['d', 'd/other', 'e'], repositoryWithout())).toEqual({
      d: letters,
      'd/other': '--',
      e: '--',
    });
  });

  it('something of every directory below it', async () => {
    saying(' M a/b/c/d', 'A  a/e');
    const paths = ['a', 'a/b', 'a/b/c', 'a/b/c/d', 'a/e', 'b', 'a/b/c/d/x'];
    expect(await lettersOf(paths, repositoryWithout())).toEqual({
      ...{ a: 'AM', 'a/b': '-M', 'a/b/c': '-M', 'a/b/c/d': '-M', 'a/e': 'A-', b: '--', 'a/b/c/d/x': '--' },
    });
  });

  it('nothing of what lies beside it', async () => {
    saying(' M src/inner/x', ' M srcs', ' M source', 'A  src/y');
    const paths = ['inner', 'inner/x', 'y', 's', 'src/y', ''];
    expect(await lettersOf(paths, repositoryWithout(), 'src')).toEqual({
      ...{ inner: '-M', 'inner/x': '-M', y: 'A-', s: '--', 'src/y': '--', '': '--' },
    });
  });

  it('nothing but new files, where it is new itself', async () => {
    saying('?? new/', '?? newer');
    const paths = ['new', 'new/a', 'new/a/b', 'newer', 'newer/a', 'newest'];
    expect(await lettersOf(paths, repositoryWithout())).toEqual({
      ...{ new: '??', 'new/a': '??', 'new/a/b': '??', newer: '??', 'newer/a': '--', newest: '--' },
    });
    saying('?? a/b/');
    expect(await lettersOf(['a', 'a/b', 'a/b/c', 'a/d'], repositoryWithout())).toEqual({
      ...{ a: '-?', 'a/b': '??', 'a/b/c': '??', 'a/d': '--' },
    });
    saying('?? src/');
    expect(await lettersOf(['inner', 'inner/x'], repositoryWithout(), 'src')).toEqual({ inner: '??', 'inner/x': '??' });
  });

  it('names as bytes, with spaces and line breaks', async () => {
    saying('A  é\n x');
    expect(await lettersOf(['é\n x', 'é'], repositoryWithout())).toEqual({ 'é\n x': 'A-', é: '--' });
  });
});

describe('git is asked', () => {
  /** What git was given: its words, its work tree, and its copy of the index with the time of that. */
  async function given(directory: string): Promise<{ words: string[]; workTree: string; index: string; time: string }> {
    const root = repositoryWithout();
    const time = new Date('2020-01-02T03:04:05.600Z');
    utimesSync(join(root, '.git/index'), time, time);
    const place = emptyDirectory();
    const file = (name: string) => join(place, name);
    fakeGit(
      [
        `printf '%s\\n' "$@" > '${file('words')}'`,
        `/bin/cp -p "$GIT_DIR/index" '${file('index')}'`,
        `printf '%s' "$GIT_WORK_TREE" > '${file('tree')}'`,
      ].join('\n'),
    );
    await statusIn(root, directory);
    const read = (name: string) => readFileSync(file(name), 'utf8');
    return {
      words: read('words').trimEnd().split('\n').slice(1),
      workTree: read('tree').slice(root.length),
      ...{ index: read('index'), time: statSync(file('index')).mtime.toISOString() },
    };
  }

  it('about everything, with nothing that starts a program or enters another repository', async () => {
    const { words, ...rest } = await given('');
    expect(rest).toEqual({ workTree: '', index: 'the index', time: '2020-01-02T03:04:05.000Z' });
    expect(words).toEqual([
      ...['-c', 'core.fsmonitor=false', '-c', 'core.untrackedCache=false', '-c', 'core.preloadIndex=true', 'status'],
      ...['--porcelain=v1', '-z', '--untracked-files=normal', '--ignored=matching'],
      ...['--ignore-submodules=all', '--no-renames'],
    ]);
  });

  it('about what is below a directory, by its own name', async () => {
    expect((await given('src')).words.slice(-3)).toEqual(['--no-renames', '--', ':(literal)src']);
  });
});

describe('there is a reason why there is none', () => {
  it.each<[string, () => string, RegExp]>([
    ['there is no repository', () => makeTree({}), /^this is not a repository with a commit, or not one/],
    ['nothing was noted', () => repositoryWithout({ '.git/index': null }), /^git has no index of the files here/],
    [
      'objects are not plain files',
      () => repositoryWithout({}, { '.git/objects/pack/x': { link: '/elsewhere' } }),
      /^the objects of the repository are not plain files$/,
    ],
  ])('%s', async (_, make, reason) => {
    saying(' M a');
    expect(await statusIn(make())).toMatch(reason);
  });

  it('no text stands for the path', async () => {
    const root = repositoryWithout();
    const odd = Buffer.from(`${root}/caf\xe9`, 'latin1');
    mkdirSync(odd);
    const workspace = await openWorkspace(root);
    onTestFinished(() => workspace.close());
    const visit = enterAt(workspace, 'caf\xe9' as RootPath);
    onTestFinished(() => visit.leave());
    expect(await (await startStatus(visit, Budget.unlimited()))()).toBe('the path is not valid UTF-8');
  });

  it('there is no git', async () => {
    vi.stubEnv('PATH', emptyDirectory());
    expect(await statusIn(repositoryWithout())).toBe('git is not installed, or must not be started here');
  });

  it('a tree in memory has none', async () => {
    const visit = enterRoot(await openWorkspace(memorySource({ '.git/HEAD': '' })));
    expect(await (await startStatus(visit, Budget.unlimited()))()).toMatch(/^this is not a repository/);
  });

  it('git fails, though it has said something', async () => {
    fakeGit("printf ' M a\\0'; exit 128");
    expect(await statusIn(repositoryWithout())).toBe('git could not read the repository');
  });

  it('git cannot be started', async () => {
    fakeGit('');
    const programs = process.env.PATH?.split(delimiter)[0] ?? '';
    writeFileSync(join(programs, 'git'), '#!/nowhere/at-all\n');
    expect(await statusIn(repositoryWithout())).toBe('git could not be started');
  });

  it('git talks too much', async () => {
    fakeGit('exec /usr/bin/yes');
    expect(await statusIn(repositoryWithout())).toBe('git has too much to say');
  });

  it('git is slow, and is waited for only when its answer is needed', async () => {
    const [started, gate] = [join(emptyDirectory(), 'started'), join(emptyDirectory(), 'gate')];
    const wait = `while [ ! -e '${gate}' ]; do /bin/sleep 0.01; done`;
    fakeGit(`echo > '${started}'; ${wait}; printf ' M a\\0'`);
    const workspace = await openWorkspace(repositoryWithout());
    const visit = enterRoot(workspace);
    const answer = await startStatus(visit, Budget.unlimited());
    visit.leave();
    workspace.close();
    while (!existsSync(started)) await new Promise(setImmediate);
    writeFileSync(gate, '');
    const status = await answer();
    expect(typeof status === 'string' ? status : status(bytesOf('a'))).toBe('-M');
  });

  it('git takes too long, and is ended', async () => {
    const root = repositoryWithout();
    const [started, ending] = [join(emptyDirectory(), 'started'), new AbortController()];
    fakeGit(`echo $$ > '${started}'; exec /bin/sleep 1000`);
    const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(ending.signal);
    onTestFinished(() => timeout.mockRestore());
    const pending = statusIn(root);
    while (!existsSync(started) || readFileSync(started, 'utf8') === '') await new Promise(setImmediate);
    expect(timeout).toHaveBeenCalledWith(20_000);
    ending.abort();
    expect(await pending).toBe('git took too long');
    const isRunning = () => existsSync(`/proc/${readFileSync(started, 'utf8').trim()}/cwd`);
    while (isRunning()) await new Promise(setImmediate);
  });
});
