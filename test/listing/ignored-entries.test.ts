import { execFileSync, spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openWorkspace } from '../../src/disk/disk-source.ts';
import { ignoredEntries } from '../../src/listing/ignored-entries.ts';
import { listDirectory } from '../../src/listing/list.ts';
import { PLAIN, type Query } from '../../src/listing/query.ts';
import { descriptors } from '../support/descriptors.ts';
import { makeTree } from '../support/tree.ts';

const TREE = {
  '.gitignore': 'build/\n*.log\n/top.txt\n!keep.log\n',
  'src/.gitignore': 'top.txt\n!a.log\n',
  ...{ 'build/out/a.js': '', 'a.log': '', 'keep.log': '', 'top.txt': '', 'src/top.txt': '', 'src/a.log': '' },
  ...{ 'src/b.log': '', 'src/deep/x.log': '', 'src/deep/x.ts': '', 'docs/build/a': '', 'docs/top.txt': '' },
  ...{ 'docs/link.log': { link: 'top.txt' }, 'docs/build2': { link: 'build' } },
};

const ALL: Query = {
  ...PLAIN,
  ...{ path: '.', rules: [], depth: Number.POSITIVE_INFINITY, page: { offset: 0, limit: Number.POSITIVE_INFINITY } },
};

async function ignoredIn(root: string, query: Query, isWhole: boolean): Promise<string[]> {
  const workspace = await openWorkspace(root);
  const ignored = await ignoredEntries(await listDirectory(query, workspace, {}), workspace, isWhole);
  workspace.close();
  return [...ignored].map(({ parent, name }) => join(parent, name)).sort();
}

function repository(): string {
  const root = makeTree(TREE);
  execFileSync('git', ['init', '-q', root]);
  return root;
}

/** By git itself; it says nothing of its own directory, and the rules do. */
function byGit(root: string): string[] {
  const files = execFileSync('find', ['.', '-mindepth', '1', '-path', './.git', '-prune', '-o', '-print'], {
    cwd: root,
  });
  const { stdout } = spawnSync('git', ['check-ignore', '--no-index', '--stdin'], { cwd: root, input: files });
  const lines = stdout.toString().trimEnd().split('\n');
  return lines.map((line) => line.replace(/^\.\//, '')).sort();
}

const notGit = (path: string) => !/^\.git(\/|$)/.test(path);

it.each([true, false])('are those that git names (whole: %s)', async (isWhole) => {
  const root = repository();
  const ignored = await ignoredIn(root, ALL, isWhole);
  expect(ignored.filter(notGit)).toEqual(byGit(root));
  expect(ignored).toContain('.git');
  expect(ignored).toContain('.git/HEAD');
});

it('whatever the order, the page and the listed directory are', async () => {
  const root = repository();
  const bySize = await ignoredIn(root, { ...ALL, order: 'size' }, true);
  expect(bySize.filter(notGit)).toEqual(byGit(root));
  const page = { offset: 3, limit: 1000 };
  const some = await ignoredIn(root, { ...ALL, page, select: { pattern: '*.log', types: 'all' } }, false);
  expect(some).toEqual(['a.log', 'src/b.log']);
  expect(await ignoredIn(root, { ...ALL, path: 'src' }, true)).toEqual(['b.log', 'deep/x.log', 'top.txt']);
  // The rules above the root of the workspace count, too.
  expect(await ignoredIn(join(root, 'src'), ALL, true)).toEqual(['b.log', 'deep/x.log', 'top.txt']);
});

it('by the rules of a repository inside, where there is one', async () => {
  const root = makeTree({
    '.gitignore': '*.log\n',
    'sub/in/.gitignore': '*.ts\n',
    'sub/in/a.log': '',
    'sub/in/b.ts': '',
  });
  execFileSync('git', ['init', '-q', root]);
  execFileSync('git', ['init', '-q', join(root, 'sub/in')]);
  expect((await ignoredIn(root, ALL, true)).filter((path) => !path.includes('.git'))).toEqual(['sub/in/b.ts']);
  const inSub = await ignoredIn(root, { ...ALL, path: 'sub' }, true);
  expect(inSub.filter((path) => !path.includes('.git'))).toEqual(['in/b.ts']);
});

it('are none outside of a repository', async () => {
  expect(await ignoredIn(makeTree({ 'build/a': '', 'a.log': '' }), ALL, true)).toEqual([]);
});

it('by no ignore file of others', async () => {
  const root = makeTree({ '.geminiignore': '*.txt\n', '.gitignore': '*.log\n', 'a.txt': '', 'b.log': '' });
  execFileSync('git', ['init', '-q', root]);
  expect((await ignoredIn(root, ALL, true)).filter(notGit)).toEqual(['b.log']);
});

it('by ignore files that were listed, where everything was', async () => {
  const query: Query = { ...ALL, rules: [{ kind: 'dotfiles' }] };
  const root = repository();
  expect(await ignoredIn(root, query, true)).not.toContain('src/top.txt');
  expect(await ignoredIn(root, query, false)).toContain('src/top.txt');
});

it('are told of directories that are gone by now, by the rules above them; and nothing stays open', async () => {
  const root = repository();
  const workspace = await openWorkspace(root);
  const inSrc = await listDirectory({ ...ALL, path: 'src' }, workspace, {});
  const all = await listDirectory(ALL, workspace, {});
  const before = descriptors();
  const paths = async (listing: typeof all, isWhole: boolean) =>
    [...(await ignoredEntries(listing, workspace, isWhole))].map(({ parent, name }) => join(parent, name)).sort();
  expect((await paths(all, false)).filter(notGit)).toEqual(byGit(root));
  rmSync(join(root, 'src'), { recursive: true });
  for (const isWhole of [true, false]) {
    const ignored = await paths(all, isWhole);
    expect(ignored).toEqual(expect.arrayContaining(['a.log', 'src/a.log', 'src/b.log', 'src/deep/x.log']));
    expect(ignored).not.toContain('src/top.txt');
  }
  expect(await paths(inSrc, true)).toEqual([]);
  expect(descriptors()).toBe(before);
  workspace.close();
});
