/** What git's files and settings name on Windows: each name is looked up, and so never through a link. */
import { expect, it, vi } from 'vitest';
import { GitFiles, pathFrom } from '../../src/git/files.ts';
import type { GitStore, Repository } from '../../src/git/repository.ts';
import { gitSettings } from '../../src/git/settings.ts';
import type { Bytes } from '../../src/names/bytes.ts';
import { Budget } from '../../src/workspace/budget.ts';
import type { FilesBelowRoot } from '../../src/workspace/source.ts';

vi.mock('node:path', async (original) => {
  const path = await original<typeof import('node:path')>();
  return { ...path.win32, default: path.win32 };
});

it.each([
  ['.git\\info\\exclude', '.git/info/exclude'],
  ['link/config', 'link/config'],
  ['link\\..\\link\\x', 'link/x'],
])('on Windows, %s in the root is asked for as %s', (path, expected) => {
  const asked: string[] = [];
  const ask = (place: string) => {
    asked.push(place);
    return null;
  };
  const outside = { exists: ask, realPath: ask, readFile: ask, metadata: ask };
  const inside = { rootRealPath: 'C:\\proj', outside, fileAt: ask, entryAt: ask } as unknown as FilesBelowRoot;
  const files = new GitFiles(inside);
  files.read(pathFrom('C:\\proj' as Bytes, path));
  files.entry(pathFrom('C:\\proj' as Bytes, path));
  expect(asked).toEqual([expected, expected]);
});

it.each(['/dev/null', '/proc/self/stat', '//host/share/x', '\\\\host\\share\\x'])(
  'on Windows, %s is not asked for, though it is written there with backslashes',
  (path) => {
    const ask = () => expect.unreachable();
    const outside = { exists: ask, realPath: ask, readFile: ask, metadata: ask };
    const inside = { rootRealPath: 'C:\\proj', outside, fileAt: ask, entryAt: ask } as unknown as FilesBelowRoot;
    const files = new GitFiles(inside);
    expect([files.read(pathFrom('C:\\proj' as Bytes, path)), files.real(path as Bytes)]).toEqual([null, null]);
  },
);

it.each([
  ['gitdir:~/', true],
  ['gitdir:~/Code/', true],
  ['gitdir:C:/home/Code/', true],
  ['gitdir:~/Codes/', false],
])('on Windows, a home is written with slashes in a condition, as paths are: %s', async (condition, holds) => {
  const texts: Readonly<Record<string, string>> = {
    'C:\\home\\.gitconfig': `[includeIf "${condition}"]\npath = ~/more\n`,
    'C:\\home\\more': '[core]\nignoreCase\n',
  };
  const outside = {
    exists: (path: string) => path === 'C:\\home' || path in texts,
    realPath: (path: string) => path,
    readFile: (path: string) => texts[path] ?? null,
    metadata: () => null,
  };
  const none = () => null;
  const inside = { rootRealPath: 'C:\\home\\Code\\repo', outside, fileAt: none, entryAt: none };
  const files = new GitFiles(inside as unknown as FilesBelowRoot);
  const gitDirectory = 'C:\\home\\Code\\repo\\.git' as Bytes;
  const store = { gitDirectory, commonDirectory: gitDirectory, givenDirectory: gitDirectory } as GitStore;
  const repository = { workTree: 'C:\\home\\Code\\repo', store } as unknown as Repository;
  const settings = await gitSettings(repository, files, Budget.unlimited(), { HOME: 'C:\\home' });
  expect(settings.ignoreCase).toBe(holds);
});
