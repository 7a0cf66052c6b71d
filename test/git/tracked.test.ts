/** What git tracks is shown though a rule matches it, whatever the index is like. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, renameSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { call, explain, list } from '../../src/index.ts';
import { indexOf, runGit } from '../support/indexes.ts';
import { isolateGit, makeRepositoryTree } from '../support/repository.ts';
import { settle, unsettle } from '../support/settled.ts';
import { addTree, type TreeLiteral } from '../support/tree.ts';

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

/** Settings by which git writes its index in other forms. */
const FORMS: readonly (readonly [string, ...string[]])[] = [
  ['plain'],
  ['version 4, where paths are not in full', 'index.version', '4'],
  ['split, where they are in another file', 'core.splitIndex', 'true'],
];

describe.each(FORMS)('a tracked file that a rule matches: %s', (_, ...setting) => {
  const make = (tree: TreeLiteral) => {
    const root = makeRepositoryTree(tree);
    if (setting.length > 0) runGit(root, ['config', ...setting]);
    return root;
  };

  it('is shown, and so is the way to it; what is beside it is not', async () => {
    const root = make(PROJECT);
    expect((await shownIn(root)).files).toEqual(['.gitignore']);
    track(root, 'a.log', 'b.log', 'out/in/y');
    expect((await shownIn(root)).files.sort()).toEqual(['.gitignore', 'a.log', 'b.log', 'out/in/y']);
    runGit(root, ['rm', '-q', '--cached', 'a.log']);
    expect((await shownIn(root)).files.sort()).toEqual(['.gitignore', 'b.log', 'out/in/y']);
  });

  it('gives a file no right that was a directory, nor a directory that comes before it', async () => {
    const root = make({ '.gitignore': '*\n', 'b/x': '', 'b0/x': '', 'c/x': '' });
    track(root, 'b/x', 'c/x');
    rmSync(join(root, 'b'), { recursive: true });
    addTree(root, { b: '', 'a/x': '' });
    const { entries } = await list({ gitIgnore: true, depth: Number.POSITIVE_INFINITY }, root);
    expect(entries.map(({ path }) => path)).toEqual(['c', 'c/x']);
  });

  it('is found beyond the number of paths that are searched before the index is parsed', async () => {
    const many = Array.from({ length: 12 }, (_, i) => `${i}.log`);
    const root = make({ ...PROJECT, ...Object.fromEntries(many.map((name) => [name, ''])) });
    track(root, '11.log', '5.log', 'a.log');
    expect((await shownIn(root)).files.sort()).toEqual(['.gitignore', '11.log', '5.log', 'a.log']);
  });

  it('is found in any case, if git ignores case', async () => {
    const root = make({ ...PROJECT, 'Z.log': '' });
    track(root, 'Z.log', 'a.log', 'out/in/y');
    runGit(root, ['config', 'core.ignoreCase', 'true']);
    for (const name of ['Z.log', 'a.log']) renameSync(join(root, name), join(root, `${name.toUpperCase()}x`));
    renameSync(join(root, 'Z.LOGx'), join(root, 'z.LOG'));
    renameSync(join(root, 'A.LOGx'), join(root, 'A.log'));
    renameSync(join(root, 'out'), join(root, 'OUT'));
    expect((await shownIn(root)).files.sort()).toEqual(['.gitignore', 'A.log', 'OUT/in/y', 'z.LOG']);
  });

  it('is found in the index of its own repository, and in what that is now, though both are kept', async () => {
    const roots = [make(PROJECT), make(PROJECT)];
    const [one, other] = roots as [string, string];
    track(one, 'a.log');
    track(other, 'b.log');
    settle();
    onTestFinished(unsettle);
    for (let times = 0; times < 2; times++) {
      expect((await shownIn(one)).files).toEqual(['.gitignore', 'a.log']);
      expect((await shownIn(other)).files).toEqual(['.gitignore', 'b.log']);
    }
    track(one, 'b.log');
    expect((await shownIn(one)).files).toEqual(['.gitignore', 'a.log', 'b.log']);
    runGit(other, ['config', 'core.ignoreCase', 'true']);
    renameSync(join(other, 'b.log'), join(other, 'B.log'));
    expect((await shownIn(other)).files).toEqual(['.gitignore', 'B.log']);
  });
});

describe('a tracked file that a rule matches', () => {
  it('may be in a directory that a sparse index does not list, which a note says', async () => {
    const root = makeRepositoryTree({ '.gitignore': '*.log\n', 'in/a': '', 'out/a.log': '', 'out/b': '' });
    track(root, '.gitignore', 'in/a', 'out/a.log', 'out/b');
    runGit(root, ['commit', '-qm', 'all']);
    runGit(root, ['sparse-checkout', 'set', '--cone', '--sparse-index', 'in']);
    expect(await shownIn(root)).toEqual({ files: ['in/a', '.gitignore'], notes: [] });
    addTree(root, { 'out/a.log': '', 'other/a.log': '' });
    const notes = ["a rule hides files in 'out/', which the sparse index does not list"];
    expect(await shownIn(root)).toEqual({ files: ['in/a', '.gitignore'], notes });
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
