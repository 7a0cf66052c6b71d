import { expect, it } from 'vitest';
import { endsOfLinks } from '../../src/listing/link-ends.ts';
import { listDirectory } from '../../src/listing/list.ts';
import { PLAIN } from '../../src/listing/query.ts';
import type { LinkEnd } from '../../src/workspace/resolve.ts';
import { openWorkspace } from '../../src/workspace/workspace.ts';
import { addTree, makeTree } from '../support/tree.ts';

async function endsIn(root: string, path = '.'): Promise<Record<string, string>> {
  const workspace = await openWorkspace(root);
  const page = { offset: 0, limit: Number.POSITIVE_INFINITY };
  const query = { ...PLAIN, path, rules: [], page, depth: 9 };
  const ends = await endsOfLinks(await listDirectory(query, workspace, {}), workspace);
  const word = (end: LinkEnd) => (typeof end === 'string' ? end : end.type);
  workspace.close();
  return Object.fromEntries([...ends].map(([{ parent, name }, end]) => [`${parent}/${name}`, word(end)]));
}

it('tells what a link leads to inside of the workspace', async () => {
  const root = makeTree({
    ...{ 'src/a.ts': '', file: { link: 'src/a.ts' }, dir: { link: 'src' }, broken: { link: 'src/none' } },
    ...{ through: { link: 'src/a.ts/x' }, twice: { link: 'file' }, loop: { link: 'loop' } },
    ...{ 'src/up': { link: '../src/a.ts' }, absolute: { link: '{ROOT}/src/a.ts' }, itself: { link: '.' } },
  });
  expect(await endsIn(root)).toEqual({
    ...{ '/file': 'file', '/dir': 'directory', '/broken': 'missing', '/through': 'missing', '/twice': 'file' },
    ...{ '/loop': 'missing', 'src/up': 'file', '/absolute': 'file', '/itself': 'directory' },
  });
  expect(await endsIn(root, 'src')).toEqual({ '/up': 'file' });
});

it('and nothing of what lies outside', async () => {
  const root = makeTree({
    ...{ there: { link: '../outside/file' }, directory: { link: '../outside' }, gone: { link: '../outside/none' } },
    ...{ nowhere: { link: '/nonexistent' }, back: { link: '../root/inner' }, inner: '', chain: { link: 'there' } },
    ...{ up: { link: '..' }, sibling: { link: '{ROOT}x' }, detour: { link: 'none/../../outside/file' } },
  });
  addTree(`${root}/../outside`, { file: '' });
  addTree(`${root}x`, { file: '' });
  expect(new Set(Object.values(await endsIn(root)))).toEqual(new Set(['unknown']));
});
