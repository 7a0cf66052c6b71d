/** Anything with the shape of `fs.promises`, and stand-ins that can be asked what the SDKs of cloud sandboxes can. */
import fs from 'node:fs';
import { describe, expect, it } from 'vitest';
import { call, list, openWorkspace, sandboxSource, tree, type Workspace } from '../../src/index.ts';
import { AT_ROOT } from '../../src/names/paths.ts';
import { fsTree } from '../../src/sources/file-system/fs-tree.ts';
import { isolateGit } from '../support/repository.ts';
import { SANDBOXES } from '../support/sandboxes.ts';
import { makeTree } from '../support/tree.ts';

isolateGit();

const PROJECT = {
  '.git/HEAD': 'ref: refs/heads/main\n',
  '.git/objects/x': '',
  '.git/refs/x': '',
  '.gitignore': '*.log\n',
  'src/a.ts': 'abc',
  'src/a-b.ts': '',
  'src/deep/er/x.md': 'x',
  'src/x.log': '',
  empty: null,
} as const;

async function answers(workspace: Workspace): Promise<unknown[]> {
  const listed = await list({ depth: 9, gitIgnore: true }, workspace);
  const found = [
    listed.entries.map(({ path, type }) => `${path} ${type}`),
    (await tree({}, workspace)).text,
    (await call('standard', { path: 'src' }, workspace)).text,
    (await call('mycode', { path: 'none' }, workspace)).error,
  ];
  workspace.close();
  return found;
}

const onDisk = async (root: string) => answers(await openWorkspace(root, { git: false }));

describe('a file system', () => {
  const { promises } = fs;
  const says = <T extends fs.Dirent | fs.Stats>(entry: T) => ({
    ...entry,
    isDirectory: entry.isDirectory(),
    isFile: entry.isFile(),
    isSymbolicLink: entry.isSymbolicLink(),
  });
  const wordy = async <T>(ask: () => Promise<T>): Promise<T> => {
    try {
      return await ask();
    } catch (error) {
      throw new Error((error as Error).message);
    }
  };

  it.each([
    ['as Node has it', promises],
    ['that has it as promises', fs],
    [
      'whose entries have values instead of methods, and errors no code',
      {
        readdir: (path: string) => wordy(async () => (await promises.readdir(path, { withFileTypes: true })).map(says)),
        lstat: (path: string) => wordy(async () => says(await promises.lstat(path))),
        readFile: (path: string) => wordy(() => promises.readFile(path)),
      },
    ],
    [
      'that lists names alone, and reads texts',
      {
        readdir: (path: string) => promises.readdir(path),
        lstat: promises.lstat,
        readFile: (path: string) => promises.readFile(path, 'utf8'),
      },
    ],
  ])('%s answers as the disk', async (_, given) => {
    const root = makeTree(PROJECT);
    expect(await answers(await openWorkspace(root, { fs: given as typeof promises }))).toEqual(await onDisk(root));
  });

  it('has metadata where it knows any, and links that are followed inside', async () => {
    const root = makeTree({ 'src/a.ts': 'abc', in: { link: 'src' }, out: { link: '/etc' } });
    const workspace = await openWorkspace(root, { fs: promises });
    const { entries } = await list({ metadata: true, path: 'in' }, workspace);
    expect(entries[0]?.metadata).toMatchObject({ size: 3, permissions: '-rw-r--r--' });
    await expect(list({ path: 'out' }, workspace)).rejects.toMatchObject({ kind: 'outside' });
  });

  it('needs an absolute root that is a directory', async () => {
    await expect(openWorkspace('repo', { fs: promises })).rejects.toThrow('is not absolute');
    await expect(openWorkspace('/nonexistent', { fs: promises })).rejects.toMatchObject({ kind: 'missing' });
    await expect(openWorkspace('/etc/passwd', { fs: promises })).rejects.toMatchObject({ kind: 'not-a-directory' });
  });
});

describe.each(Object.entries(SANDBOXES))("a sandbox that can be asked as %s's", (_, sandbox) => {
  it('answers as the disk', async () => {
    const root = makeTree(PROJECT);
    expect(await answers(await openWorkspace(sandboxSource(sandbox, { root })))).toEqual(await onDisk(root));
  });
});

it('a directory that a sandbox may not read is not taken for an empty one', async () => {
  const found = (...names: string[]) =>
    names.map((name) => [/[A-Z]/.test(name) ? 'f' : 'd', '1', '0', '', name, ''].join('\0')).join('');
  const answers: Readonly<Record<string, readonly [whole: string, level: string]>> = {
    '/r/': [found('', 'open', 'open/A', 'secret'), found('', 'open', 'secret')],
    '/r/open/': [found('', 'A'), found('', 'A')],
    '/r/secret/': [found(''), found('')],
  };
  const sandbox = {
    runCommand: async (_: string, [start = '', ...words]: string[]) => {
      const [whole, level] = answers[start] ?? ['', ''];
      const isLevel = words.includes('-maxdepth');
      const exitCode = start === '/r/open/' || (isLevel && start === '/r/') ? 0 : 1;
      return { exitCode, stdout: async () => (isLevel ? level : whole) };
    },
    readFileToBuffer: async () => null,
  };
  using workspace = await openWorkspace(sandboxSource(sandbox, { root: '/r' }));
  const { entries, unreadable } = await list({ depth: 9 }, workspace);
  expect([entries.map(({ path }) => path), unreadable]).toEqual([['open', 'open/A', 'secret'], ['secret']]);
  await expect(list({ path: 'secret' }, workspace)).rejects.toMatchObject({ kind: 'denied' });
  await expect(list({ path: 'other' }, workspace)).rejects.toMatchObject({ kind: 'missing' });
});

it('a large directory of a file system is read with pauses', async () => {
  const file = { isDirectory: false, isFile: true, isSymbolicLink: false };
  const all = Array.from({ length: 200_000 }, (_, i) => ({ ...file, name: `file${i}` }));
  const stats = { ...file, isDirectory: true, isFile: false, size: 0 };
  const large = { readdir: async () => all, lstat: async () => stats, readFile: async () => '' };
  let turns = 0;
  let next = setImmediate(function count() {
    turns++;
    next = setImmediate(count);
  });
  const pages = (await fsTree(large, '/')).list(AT_ROOT, { signal: new AbortController().signal });
  let count = 0;
  for await (const page of pages as AsyncIterable<readonly unknown[]>) count += page.length;
  clearImmediate(next);
  expect(count).toBe(200_000);
  expect(turns).toBeGreaterThan(40);
});
