import { promises } from 'node:fs';
import { expect, it } from 'vitest';
import { openWorkspace, tree, find } from '../../src/index.ts';
import { makeTree } from '../support/tree.ts';
it('x', async () => {
  const root = makeTree({ 'a/x': '', 'slow/y': '', 'z/w': '' });
  const fs = { ...promises, readdir: (path: string, ...rest: never[]) => /slow/.test(String(path)) ? new Promise(() => {}) : (promises.readdir as any)(path, ...rest), opendir: (path: string, ...rest: never[]) => /slow/.test(String(path)) ? new Promise(() => {}) : (promises.opendir as any)(path, ...rest) };
  const workspace = await openWorkspace(root, { fs } as never);
  console.log(JSON.stringify(await tree({}, workspace, { timeLimit: 500 }), null, 1));
  console.log(JSON.stringify(await find({query: 'y'}, workspace, { timeLimit: 500 }), null, 1));
});
