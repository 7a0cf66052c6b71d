import { describe, expect, it } from 'vitest';
import { asyncSource, type MemoryTree, memorySource, openWorkspace, type Source } from '../../src/index.ts';
import type { Entry } from '../../src/listing/entry.ts';
import { totalSizes } from '../../src/listing/total-size.ts';
import { bytesOf } from '../../src/names/bytes.ts';
import { Budget } from '../../src/workspace/budget.ts';
import { asyncTree } from '../support/async-tree.ts';
import { failing, odd } from '../support/odd-source.ts';
import { at } from '../support/paths.ts';

/** As they are listed: `a/b/` is a directory `b` in `a`. */
function entryOf(shown: string): Entry {
  const path = shown.replace(/[/@]$/, '');
  const type = shown.endsWith('/') ? 'dir' : shown.endsWith('@') ? 'link' : 'file';
  const [name = ''] = path.split('/').slice(-1);
  return {
    name: bytesOf(name),
    parent: bytesOf(path.slice(0, Math.max(0, path.length - name.length - 1))),
    ...{ type, leadsToDirectory: type === 'dir', metadata: null },
  };
}

async function measured(source: Source, path: string, ...shown: string[]) {
  const entries = shown.map(entryOf);
  const workspace = await openWorkspace(source);
  const { sizes, unreadable } = await totalSizes({ path: at(path), entries }, workspace, new Budget());
  // By the very entries that were listed.
  return { sizes: entries.map((entry) => sizes.get(entry) ?? null), measured: sizes.size, unreadable };
}

const TREE: MemoryTree = {
  ...{ '.gitignore': 'hidden\n', top: '.'.repeat(1000), 'a/1': '1', 'a/b/2': '22', 'a/b/c/3': '4444' },
  ...{ 'a/b/c/hidden': '88888888', 'a/.dot/x': '1'.repeat(16), 'ab/y': '1'.repeat(32), 'empty/': { type: 'dir' } },
  ...{ 'ab/link': { link: '../a' }, 'ab/pipe': { type: 'other', size: 500 }, 'none/zero': '' },
  ...{ 'ab/sub/': { type: 'dir', size: 4096 } },
};

describe('the size of a directory', () => {
  it('is that of all files below it, whatever rules would hide', async () => {
    expect(await measured(memorySource(TREE), '', 'a/', 'ab/', 'empty/', 'none/')).toEqual({
      ...{ sizes: [31, 32, 0, 0], measured: 4, unreadable: [] },
    });
  });

  it('is that of the files whose size is known', async () => {
    const unknown = memorySource({ 'd/unknown': { size: Number.NaN }, 'd/known': '12' });
    expect((await measured(unknown, '', 'd/')).sizes).toEqual([2]);
  });

  it('is told of directories alone', async () => {
    expect(await measured(memorySource(TREE), '', 'top', 'ab/link@', 'ab/')).toEqual({
      ...{ sizes: [null, null, 32], measured: 1, unreadable: [] },
    });
    expect(await measured(memorySource(TREE), '')).toEqual({ sizes: [], measured: 0, unreadable: [] });
  });

  it('is part of that of those above it, which are read once', async () => {
    const read: string[] = [];
    const source = odd(memorySource(TREE), (question, path) => {
      if (question === 'open') read.push(path);
    });
    const shown = ['a/', 'a/b/', 'a/b/c/', 'ab/', 'ab/sub/'];
    expect(await measured(source, '', ...shown)).toMatchObject({ sizes: [31, 14, 12, 32, 0], unreadable: [] });
    expect(read.sort()).toEqual(['a', 'a/.dot', 'a/b', 'a/b/c', 'ab', 'ab/sub']);
  });

  it('is part of that of one further above it', async () => {
    expect(await measured(memorySource(TREE), '', 'a/b/c/', 'a/')).toMatchObject({ sizes: [12, 31], unreadable: [] });
    expect(await measured(memorySource(TREE), '', 'a/b/c/', 'a/.dot/')).toMatchObject({ sizes: [12, 16] });
  });

  it('has each file once, though its name comes again', async () => {
    const source = memorySource({ 'd/b/x': '1', 'd/b/q': '22', 'd/c/q': '4444' });
    expect(await measured(source, '', 'd/', 'd/b/', 'd/c/')).toMatchObject({ sizes: [7, 3, 4] });
  });

  it('is loaded where the source has to', async () => {
    const source = asyncSource(asyncTree(memorySource(TREE)));
    expect(await measured(source, '', 'a/', 'a/b/', 'ab/')).toMatchObject({ sizes: [31, 14, 32], unreadable: [] });
  });

  it('is told below the directory that is listed', async () => {
    expect(await measured(memorySource(TREE), 'a', 'b/', 'b/c/', '.dot/')).toMatchObject({ sizes: [14, 12, 16] });
    expect(await measured(memorySource(TREE), 'a/b', 'c/')).toMatchObject({ sizes: [12] });
  });
});

describe('what cannot be measured', () => {
  it('is told, and the rest is measured', async () => {
    const source = memorySource({
      ...TREE,
      ...{ 'a/b/c/': { type: 'dir', access: 'none' }, 'ab/': { type: 'dir', access: 'names' } },
    });
    const { sizes, unreadable } = await measured(source, '', 'a/', 'ab/', 'none/');
    expect(sizes).toEqual([19, 0, 0]);
    expect(unreadable).toEqual([
      { path: 'a/b/c', reason: 'permission denied' },
      { path: 'ab/sub', reason: 'permission denied' },
    ]);
  });

  it('is told of a whole directory', async () => {
    const source = failing(memorySource(TREE), 'open', 'EIO', 'a');
    expect(await measured(source, '', 'a/', 'ab/')).toMatchObject({
      sizes: [0, 32],
      unreadable: [{ path: 'a', reason: expect.stringContaining('EIO') }],
    });
    const below = failing(memorySource(TREE), 'open', 'EIO', 'a/b/c');
    expect(await measured(below, 'a', 'b/')).toMatchObject({
      sizes: [2],
      unreadable: [{ path: 'b/c', reason: expect.stringContaining('EIO') }],
    });
  });

  it('is not told of what has gone', async () => {
    expect(await measured(memorySource(TREE), '', 'gone/', 'ab/')).toMatchObject({ sizes: [0, 32], unreadable: [] });
    const source = odd(memorySource(TREE), (question, path) =>
      question === 'metadata' && path === 'a/1' ? null : undefined,
    );
    expect(await measured(source, '', 'a/')).toMatchObject({ sizes: [30], unreadable: [] });
  });
});
