/** Paths with backslashes are looked up name by name, and so never through a link. */
import { expect, it, vi } from 'vitest';
import { GitFiles, pathFrom } from '../../src/git/files.ts';
import type { Bytes } from '../../src/names/bytes.ts';
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
