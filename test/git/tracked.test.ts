/** What git tracks is shown though a rule matches it, whatever the index is like. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { call, explain, list } from '../../src/index.ts';
import { indexOf, runGit } from '../support/indexes.ts';
import { isolateGit, makeRepositoryTree } from '../support/repository.ts';

isolateGit();

const PROJECT = {
  '.gitignore': '*.log\nout/\n',
  'a.log': '',
  'b.log': '',
  'out/x': '',
  'out/in/y': '',
  'src/c.log': '',
};

async function shownIn(root: string, path = '.') {
  const { entries, notes = [] } = await list({ path, gitIgnore: true, depth: Number.POSITIVE_INFINITY }, root);
  return { files: entries.filter(({ type }) => type !== 'dir').map((entry) => entry.path), notes };
}

function makeHuge(path: string): void {
  writeFileSync(path, 'DIRC');
  truncateSync(path, 2 ** 30);
}

function track(root: string, ...paths: string[]): void {
  runGit(root, ['add', '-f', '--', ...paths]);
}

describe('a tracked file that a rule matches', () => {
  it('is shown, and so is the way to it; what is beside it is not', async () => {
    const root = makeRepositoryTree(PROJECT);
    expect((await shownIn(root)).files).toEqual(['.gitignore']);
    track(root, 'a.log', 'out/in/y');
    expect((await shownIn(root)).files.sort()).toEqual(['.gitignore', 'a.log', 'out/in/y']);
    runGit(root, ['rm', '-q', '--cached', 'a.log']);
    expect((await shownIn(root)).files.sort()).toEqual(['.gitignore', 'out/in/y']);
  });

  it('is hidden in the gemini dialect, which goes by the patterns alone', async () => {
    const root = makeRepositoryTree(PROJECT);
    track(root, 'a.log');
    const { llmContent } = await call('gemini', { path: root }, root);
    expect(llmContent).not.toContain('a.log');
  });

  it('is explained with the rule that matches it', async () => {
    const root = makeRepositoryTree(PROJECT);
    track(root, 'a.log', 'out/in/y');
    const rule = { by: 'git', source: '.gitignore' };
    expect(await explain(['a.log', 'out', 'out/in/y', 'out/x'], root, { dialect: 'standard', tool: 'Tree' })).toEqual([
      { path: 'a.log', hidden: false, ...rule, line: 1, pattern: '*.log', tracked: true },
      { path: 'out', hidden: false, ...rule, line: 2, pattern: 'out/', tracked: true },
      { path: 'out/in/y', hidden: false, ...rule, line: 2, pattern: 'out/', tracked: true },
      { path: 'out/x', hidden: true, ...rule, line: 2, pattern: 'out/' },
    ]);
  });

  it('is shown in a directory of the repository that is the root', async () => {
    const root = makeRepositoryTree(PROJECT);
    track(root, 'src/c.log', 'out/in/y');
    expect((await shownIn(join(root, 'src'))).files).toEqual(['c.log']);
    expect((await shownIn(root, 'out')).files).toEqual(['in/y']);
  });

  it('is shown in a linked worktree, which has an index of its own, and in a repository inside', async () => {
    const root = makeRepositoryTree({ ...PROJECT, 'inner/.gitignore': '*.log', 'inner/d.log': '', 'inner/e.log': '' });
    track(root, 'a.log');
    runGit(root, ['commit', '-qm', 'a']);
    runGit(root, ['worktree', 'add', '-q', '../linked']);
    expect((await shownIn(join(root, '../linked'))).files).toEqual(['a.log']);
    rmSync(join(root, '../linked'), { recursive: true });
    runGit(join(root, 'inner'), ['init', '-q']);
    track(join(root, 'inner'), 'e.log');
    expect((await shownIn(root)).files.sort()).toEqual(['.gitignore', 'a.log', 'inner/.gitignore', 'inner/e.log']);
  });

  it('is found in an index so large that it is read with pauses', async () => {
    const root = makeRepositoryTree(PROJECT);
    const others = Array.from({ length: 20_000 }, (_, i) => `100644 ${'1'.repeat(40)} 0\tsome/directory/file-${i}`);
    runGit(root, ['update-index', '-z', '--index-info'], others);
    track(root, 'a.log');
    expect((await shownIn(root)).files).toEqual(['.gitignore', 'a.log']);
    const [explained] = await explain(['a.log'], root, { dialect: 'standard', tool: 'Tree' });
    expect(explained).toMatchObject({ hidden: false, tracked: true });
  });
});

describe('an index that cannot be used counts as none, and a note says so', () => {
  const NOT_USED = 'and is not used: files that git tracks may be hidden';
  it.each<[string, (path: string) => void, string]>([
    ['noise', (path) => writeFileSync(path, 'noise'), 'is damaged, or of an unknown kind'],
    ['a FIFO', (path) => execFileSync('mkfifo', [path]), 'is not a plain file'],
    ['a directory', (path) => mkdirSync(path), 'is not a plain file'],
    ['a link', (path) => symlinkSync('other', path), 'is a link'],
    ['1 GB', makeHuge, 'is larger than 64 MB'],
  ])('%s', async (_, make, reason) => {
    const root = makeRepositoryTree(PROJECT);
    track(root, 'a.log');
    const index = join(root, '.git/index');
    execFileSync('mv', [index, join(root, '.git/other')]);
    make(index);
    const notes = [`'.git/index' ${reason}, ${NOT_USED}`];
    expect(await shownIn(root)).toEqual({ files: ['.gitignore'], notes });
    expect(await explain(['a.log'], root, { dialect: 'standard', tool: 'Tree' })).toMatchObject([
      { hidden: true, notes },
    ]);
  });

  it('is not read where no rule hides anything', async () => {
    const root = makeRepositoryTree({ 'a.ts': '' });
    writeFileSync(join(root, '.git/index'), 'noise');
    expect(await shownIn(root)).toEqual({ files: ['a.ts'], notes: [] });
  });

  it('paths in it that lead out show nothing', async () => {
    const root = makeRepositoryTree(PROJECT);
    const paths = ['../x.log', '/etc/passwd', '.git/config', 'a.log/../b.log', 'src/../../y'].sort();
    writeFileSync(join(root, '.git/index'), indexOf(paths), 'latin1');
    expect((await shownIn(root)).files).toEqual(['.gitignore']);
  });
});
