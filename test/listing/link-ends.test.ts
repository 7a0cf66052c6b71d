import { rmSync } from 'node:fs';
import { expect, it } from 'vitest';
import { openWorkspace } from '../../src/disk/disk-source.ts';
import { memorySource } from '../../src/index.ts';
import type { Entry } from '../../src/listing/entry.ts';
import { endsOfLinks } from '../../src/listing/link-ends.ts';
import { listDirectory } from '../../src/listing/list.ts';
import { type Listing, PLAIN } from '../../src/listing/query.ts';
import type { Bytes } from '../../src/names/bytes.ts';
import { AT_ROOT } from '../../src/names/paths.ts';
import type { LinkEnd } from '../../src/workspace/resolve.ts';
import type { Source } from '../../src/workspace/source.ts';
import type { Workspace } from '../../src/workspace/workspace.ts';
import { descriptors } from '../support/descriptors.ts';
import { counting } from '../support/odd-source.ts';
import { addTree, makeTree } from '../support/tree.ts';

function listingIn(workspace: Workspace, path = '.'): Promise<Listing> {
  const page = { offset: 0, limit: Number.POSITIVE_INFINITY };
  return listDirectory({ ...PLAIN, path, rules: [], page, depth: 9 }, workspace, {});
}

async function endsOf(listing: Listing, workspace: Workspace): Promise<Record<string, string>> {
  const ends = await endsOfLinks(listing, workspace);
  const word = (end: LinkEnd) => (typeof end === 'string' ? end : end.type);
  return Object.fromEntries([...ends].map(([{ parent, name }, end]) => [`${parent}/${name}`, word(end)]));
}

async function endsIn(root: string | Source, path = '.'): Promise<Record<string, string>> {
  const workspace = await openWorkspace(root);
  const ends = await endsOf(await listingIn(workspace, path), workspace);
  workspace.close();
  return ends;
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

it('tells nothing of what is no link', async () => {
  expect(await endsIn(memorySource({ 'src/a.ts': '', b: '' }))).toEqual({});
});

it('knows no more where a directory has gone, and goes on with the next', async () => {
  const root = makeTree({
    ...{ 'a/file': '', 'a/one': { link: 'file' }, 'b/one': { link: 'file' }, 'b/two': { link: '../a' } },
    ...{ 'c/one': { link: '../a/file' }, last: { link: 'none' } },
  });
  const workspace = await openWorkspace(root);
  const listing = await listingIn(workspace);
  rmSync(`${root}/b`, { recursive: true });
  const before = descriptors();
  expect(await endsOf(listing, workspace)).toEqual({
    ...{ 'a/one': 'file', 'b/one': 'unknown', 'b/two': 'directory', 'c/one': 'file', '/last': 'missing' },
  });
  expect(descriptors()).toBe(before);
  workspace.close();
});

it('enters a directory once for all links in it', async () => {
  const { source, counts } = counting(
    memorySource({
      'd/a': '',
      'd/b': { link: 'a' },
      'd/c': { link: 'a' },
      'd/d': { link: 'b' },
      'e/f': { link: 'none' },
    }),
  );
  const workspace = await openWorkspace(source);
  const listing = await listingIn(workspace);
  const { root = 0 } = counts;
  expect(await endsOf(listing, workspace)).toEqual({
    ...{ 'd/b': 'file', 'd/c': 'file', 'd/d': 'file', 'e/f': 'missing' },
  });
  expect(counts.root).toBe(root + 2);
});

it('leaves out what comes after two hundred thousand names, unless it is known to lead to a directory', async () => {
  // A thousand names each, with that of the link.
  const winding = { link: `${'d/../'.repeat(499)}a` };
  const names = Array.from({ length: 202 }, (_, i) => `${i}`);
  const source = memorySource({ a: '', 'd/b': '', ...Object.fromEntries(names.map((name) => [name, winding])) });
  const workspace = await openWorkspace(source.set('to-d', { link: 'd' }));
  const linkOf = (name: string, leadsToDirectory = false): Entry => ({
    ...{ name: name as Bytes, parent: '' as Bytes, type: 'link', leadsToDirectory, metadata: null },
  });
  const listing = {
    ...(await listingIn(workspace, 'd')),
    path: AT_ROOT,
    entries: [...names.map((name) => linkOf(name)), linkOf('to-d', true)],
  };
  const ends = await endsOf(listing, workspace);
  expect(ends).toEqual({
    ...Object.fromEntries(names.slice(0, 201).map((name) => [`/${name}`, 'file'])),
    '/to-d': 'directory',
  });
});
