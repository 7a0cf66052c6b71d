// "A worktree of the same repository that lies inside the workspace is one closed entry, marked as such …; whoever asks
// for its path gets it."
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { explain, find, list, parseTree, tree } from '../../src/index.ts';
import { runGit } from '../support/indexes.ts';
import { isolateGit, makeRepositoryTree } from '../support/repository.ts';
import { makeTree } from '../support/tree.ts';

isolateGit();

const FILES = Object.fromEntries(
  ['a', 'b', 'c'].flatMap((name) => [
    [`src/${name}.ts`, ''],
    [`lib/${name}.js`, ''],
  ]),
);

/** A repository with `count` worktrees, as agents make them. */
function project(count: number): string {
  const root = makeRepositoryTree({ ...FILES, 'README.md': '' });
  runGit(root, ['add', '.']);
  runGit(root, ['commit', '-qm', 'all']);
  for (let i = 0; i < count; i++) runGit(root, ['worktree', 'add', '-q', `.claude/worktrees/w${i}`]);
  return root;
}

const filesOf = async (root: string, path = '.') => {
  const { entries, hidden } = await list({ path, gitIgnore: true, depth: Number.POSITIVE_INFINITY }, root);
  return { files: entries.filter(({ type }) => type === 'file').map((entry) => entry.path), hidden };
};

describe.each([0, 1, 2, 3, 4, 5])('%i worktrees', (count) => {
  it('are a closed entry each, and nothing else in the map and the listing depends on them', async () => {
    const [root, plain] = [project(count), project(0)];
    const { text, stats } = await tree({}, root);
    const { text: without, stats: ofPlain } = await tree({}, plain);
    const own = ({ path }: { path: string }) => !/^\.claude/.test(path);
    expect(parseTree(text).entries.filter(own)).toEqual(parseTree(without).entries);
    expect(stats.files).toBe(ofPlain.files);
    // One closed entry, however many there are.
    expect(text.replace('.claude/worktrees/- ', '')).toBe(without);
    expect(text.includes('.claude/worktrees/- ')).toBe(count > 0);
    expect(stats.tokens).toBe(count === 0 ? ofPlain.tokens : (await tree({}, project(1))).stats.tokens);
    if (count > 0) {
      const opened = (await tree({ path: '.claude/worktrees/-' }, root)).text;
      const said = count === 1 ? '1 worktree closed' : `${count} worktrees closed`;
      const names = Array.from({ length: count }, (_, i) => `w${i}/-`);
      expect(opened).toBe(`# .claude/worktrees: 0 files, 0 shown, ${said}\n${names.join(' ')}`);
    }
    const found = async (where: string) => (await find({ query: 'a ts' }, where)).data.entries?.slice(0, 10);
    expect(await found(root)).toEqual(await found(plain));
    expect((await filesOf(root)).files).toEqual((await filesOf(plain)).files);
    expect((await filesOf(root)).hidden.worktree).toBe(count === 0 ? undefined : count);
  });
});

it('beside other files, each is a closed entry', async () => {
  const root = project(2);
  writeFileSync(join(root, '.claude/worktrees/notes.md'), '');
  const { text } = await tree({}, root);
  expect(text).toContain('.claude/worktrees/ w0/- w1/- notes.md');
});

it('is shown to whoever asks for its path, and explained', async () => {
  const root = project(2);
  const path = '.claude/worktrees/w1';
  expect((await filesOf(root, path)).files).toEqual((await filesOf(project(0))).files);
  expect(parseTree((await tree({ path }, root)).text).files).toBe(7);
  expect((await tree({ path: `${path}/-` }, root)).stats.files).toBe(7);
  const [inside, itself] = await explain([`${path}/src/a.ts`, path], root, { dialect: 'standard', tool: 'Tree' });
  expect(inside).toMatchObject({ hidden: true, by: 'worktree', pattern: path });
  expect(itself).toMatchObject({ hidden: false, by: null });
});

it('another repository inside, and a repository that has only worktrees, are opened', async () => {
  const root = project(0);
  runGit(root, ['clone', '-q', '--no-hardlinks', root, 'vendor']);
  expect((await tree({}, root)).stats.files).toBe(14);
  const bare = makeTree({ '.git': 'gitdir: ./.bare\n' });
  runGit(bare, ['clone', '-q', '--bare', root, '.bare']);
  runGit(bare, ['worktree', 'add', '-q', 'wt']);
  const { entries } = await list({ path: 'wt', gitIgnore: true, depth: 2 }, bare);
  expect(entries.filter(({ type }) => type === 'file')).toHaveLength(7);
  expect((await tree({ ignore: ['.bare'] }, bare)).stats.files).toBe(7);
});
