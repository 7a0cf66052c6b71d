/** What a program may do with workspaces, paths and functions of its own. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tools, toolsOf } from '../../src/faces/adapters/tools.ts';
import { call, explain, list, listDirectoryTool, openWorkspace, tree } from '../../src/index.ts';
import { descriptors } from '../support/descriptors.ts';
import { makeTree } from '../support/tree.ts';

describe('workspaces of one root', () => {
  it('share a descriptor, however many are opened and never closed', async () => {
    const root = makeTree({ a: '' });
    const before = descriptors();
    const kept: unknown[] = [];
    for (let i = 0; i < 300; i++) kept.push(await tools(root), toolsOf('standard', root), await openWorkspace(root));
    expect(descriptors()).toBeLessThanOrEqual(before + 1);
    expect(kept).toHaveLength(900);
  });

  it('are closed when the last of them is', async () => {
    const root = makeTree({ 'src/a': '' });
    const before = descriptors();
    const first = await openWorkspace(root);
    const second = await openWorkspace(root, { cwd: 'src' });
    first.close();
    first.close();
    await expect(call('standard', {}, first)).resolves.toMatchObject({ status: 'error' });
    expect((await list({}, second)).entries).toHaveLength(1);
    second[Symbol.dispose]();
    expect(descriptors()).toBe(before);
  });
});

describe('the path of a root', () => {
  it('stands wherever a workspace may, and nothing is held behind a call', async () => {
    const root = makeTree({ 'src/a': '', '.gitignore': '' });
    const before = descriptors();
    expect((await call('standard', {}, root)).data).toMatchObject({ entries: [{ path: 'src' }] });
    expect((await tree({}, root)).text).toContain('src/ a');
    expect((await list({ path: 'src' }, root)).entries).toMatchObject([{ name: 'a' }]);
    expect(await explain(['src'], root)).toMatchObject([{ hidden: false }]);
    // Others, that nobody closed, may be closed meanwhile.
    expect(descriptors()).toBeLessThanOrEqual(before);
    expect(await listDirectoryTool(root).execute({ path: join(root, 'src') })).toMatchObject({ llmContent: 'a' });
    await expect(call('standard', {}, join(root, 'none'))).rejects.toThrow('cannot open');
  });
});

describe('what a function of the program throws', () => {
  const fault = new TypeError('mine');
  const throwing = () => {
    throw fault;
  };

  it('reaches the program, and not the model', async () => {
    const root = makeTree({ a: '', b: '' });
    await expect(tree({}, root, { countTokens: throwing })).rejects.toBe(fault);
    const [, map] = await tools(root, { countTokens: throwing });
    await expect(map?.execute({})).rejects.toBe(fault);
    await expect(listDirectoryTool(root, { sort: throwing }).execute({ path: root })).rejects.toBe(fault);
    await expect(listDirectoryTool(root, { sort: throwing }).entries({ path: root })).rejects.toBe(fault);
  });
});
