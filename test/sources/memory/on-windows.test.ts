/** A root elsewhere has `/` between its names, whatever the system that it is read from. */
import { expect, it, vi } from 'vitest';
import { explain, find, list, memorySource, openWorkspace } from '../../../src/index.ts';

vi.mock('node:path', async (original) => {
  const path = await original<typeof import('node:path')>();
  return { ...path.win32, default: path.win32 };
});

const REPOSITORY = { '.git/HEAD': 'ref: refs/heads/main\n', '.git/objects/x': '', '.git/refs/x': '' };

it.each(['/', '/a/b'])('on Windows, too, its ignore files apply: %s', async (root) => {
  const tree = {
    ...REPOSITORY,
    '.gitignore': '*.log\n/src/gen/\n',
    'src/.gitignore': '!kept.log\n',
    ...{ 'a.log': '', 'a.ts': '', 'src/b.log': '', 'src/kept.log': '', 'src/gen/x': '' },
  };
  const workspace = await openWorkspace(memorySource(tree, { root }));
  const { entries } = await list({ depth: 9, gitIgnore: true }, workspace);
  expect(entries.map(({ path }) => path)).toEqual(['src', 'src/.gitignore', 'src/kept.log', '.gitignore', 'a.ts']);
  expect(await explain(['src/b.log', 'src/kept.log', 'src/gen/x', 'nowhere/x.log'], workspace)).toMatchObject([
    { hidden: true, source: '.gitignore', line: 1 },
    { hidden: false, source: 'src/.gitignore', line: 1 },
    { hidden: true, source: '.gitignore', line: 2 },
    { hidden: true, source: '.gitignore', line: 1 },
  ]);
  expect((await find({ query: 'log' }, workspace)).text).toContain('2 more are hidden by .gitignore, line 1');
  workspace.close();
});
