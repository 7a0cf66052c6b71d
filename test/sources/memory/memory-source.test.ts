import { chmodSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { call, list, type MemoryEntry, memorySource, openWorkspace, tree } from '../../../src/index.ts';
import { bytesOf } from '../../../src/names/bytes.ts';
import type { ListingError } from '../../../src/workspace/listing-error.ts';
import { SkippedFile, same } from '../../../src/workspace/source.ts';
import { failureOf } from '../../support/failure.ts';
import { inMemory } from '../../support/in-memory.ts';
import { asNobody } from '../../support/nobody.ts';
import { at, enterAt } from '../../support/paths.ts';
import { makeTree } from '../../support/tree.ts';

const names = async (workspace: Awaited<ReturnType<typeof openWorkspace>>, path = '.') =>
  (await list({ path, all: true }, workspace)).entries.map((entry) => entry.name);

describe('a tree in memory', () => {
  it('is made of contents, directories, links and details', async () => {
    const workspace = await openWorkspace(
      memorySource({
        ...{ text: 'é', bytes: new Uint8Array([0, 255]), empty: null, 'slash/': {}, link: { link: 'text' } },
        ...{ pipe: { type: 'other' }, large: { size: 5e9, modified: 1e12, mode: 0o640, user: 1, group: 2 } },
        'deep/er/file': '',
      }),
    );
    const { entries } = await list({ metadata: true, depth: 3 }, workspace);
    expect(entries.map(({ path, type, metadata }) => `${path} ${type} ${metadata?.size}`).sort()).toEqual([
      ...['bytes file 2', 'deep dir 0', 'deep/er dir 0', 'deep/er/file file 0', 'empty dir 0', 'large file 5000000000'],
      ...['link link 4', 'pipe other 0', 'slash dir 0', 'text file 2'],
    ]);
    const [large, text] = ['large', 'text'].map((name) => entries.find((entry) => entry.name === name)?.metadata);
    expect(large).toMatchObject({ modified: new Date(1e12), permissions: '-rw-r-----' });
    // What nobody said is not made up.
    expect(text).toMatchObject({ permissions: '-?????????', owner: '?', group: '?' });
    expect(entries.find(({ name }) => name === 'link')?.metadata?.target).toBe('text');
    expect([workspace.readFile('text'), workspace.readFile('bytes')]).toEqual(['\xc3\xa9', '\0\xff']);
  });

  it('has names of any bytes, in quoted form where they are not text', async () => {
    const workspace = await openWorkspace(memorySource({ '"caf\\xe9/x"': '', café: '' }));
    expect(await names(workspace)).toEqual(['"caf\\xe9"', 'café']);
    expect(await names(workspace, '"caf\\xe9"')).toEqual(['x']);
  });

  it.each([
    ['', ''],
    ['/a', ''],
    ['a//b', ''],
    ['a/../b', ''],
    ['./a', ''],
    ['a\0', ''],
    ['"a', ''],
    ['file/x', ''],
  ] satisfies [string, MemoryEntry][])('refuses %j as a path', (path, entry) => {
    const failure = failureOf(() => memorySource({ file: '', [path]: entry }));
    expect(failure.kind).toBe('malformed');
  });

  it('is known by an absolute path', async () => {
    expect(memorySource().realPath).toBe('/');
    const source = memorySource({ 'a/b': '', 'to-a': { link: '/project/a' } }, { root: '/project/' });
    expect(source.realPath).toBe('/project');
    const workspace = await openWorkspace(source, { cwd: 'a' });
    for (const path of ['.', '/project/a', '../to-a', '../../project/a', '/project/to-a']) {
      const found = await names(workspace, path).catch((error: ListingError) => error.kind);
      expect([path, found]).toEqual([path, ['b']]);
    }
    await expect(names(workspace, '/other')).rejects.toMatchObject({ kind: 'outside' });
    expect(() => memorySource({}, { root: 'project' })).toThrow("'project' is not absolute");
    expect(() => memorySource({}, { root: '/a/../b' })).toThrow('is not absolute');
  });

  it('is listed anew after every change, and only then', async () => {
    const source = memorySource({ 'a/x': '', b: '' });
    const workspace = await openWorkspace(source);
    const directory = (path: string) => enterAt(workspace, at(path));
    const stamps = () => [directory('').stamp(), directory('a').stamp()];
    const before = stamps();
    expect(await names(workspace, 'a')).toEqual(['x']);
    expect(await names(workspace, 'a')).toEqual(['x']);
    expect(stamps()).toEqual(before);
    source.set('a/y', 'new');
    expect(await names(workspace, 'a')).toEqual(['x', 'y']);
    expect(stamps()[0]).toEqual(before[0]);
    expect(source.delete('a/x')).toBe(true);
    expect(await names(workspace, 'a')).toEqual(['y']);
    expect([source.delete('a/x'), source.delete('none/x'), source.delete('b/x')]).toEqual([false, false, false]);
    // A directory keeps what it holds, and something else does not.
    source.set('a', { type: 'dir', mode: 0o700 });
    expect(await names(workspace, 'a')).toEqual(['y']);
    source.set('a', 'a file').set('a/', null);
    expect(await names(workspace, 'a')).toEqual([]);
  });

  it('is told apart from every other', () => {
    const [first, second] = [memorySource({ a: null }), memorySource({ a: null })].map(
      (source) => source.root().directory,
    );
    if (first === undefined || second === undefined) throw new Error('no root');
    expect([same(first.identity, first.identity), same(first.identity, second.identity)]).toEqual([true, false]);
    const found = first.lookup(bytesOf('a'));
    expect(found.kind === 'directory' && same(found.directory.identity, first.identity)).toBe(false);
    expect(found.kind === 'directory' && found.directory.up()?.identity).toEqual(first.identity);
    expect(first.up()).toBeNull();
  });

  it('tells why a file is not read', async () => {
    const source = memorySource({
      ...{ file: 'four', dir: null, link: { link: 'file' }, locked: { access: 'none' }, huge: { size: 2 ** 30 } },
    });
    const { directory } = source.root();
    const read = (name: string, largest = 4) => directory.readFile(bytesOf(name), largest);
    expect(['file', 'none'].map((name) => read(name))).toEqual(['four', null]);
    expect(read('file', 3)).toEqual(new SkippedFile('is larger than 3 bytes'));
    expect(['dir', 'link', 'locked'].map((name) => read(name))).toEqual([
      ...[SkippedFile.notPlain, SkippedFile.link, SkippedFile.unreadable],
    ]);
    expect(read('huge', 2 ** 20)).toEqual(new SkippedFile('is larger than 1 MB'));
  });
});

describe('what may not be looked at is told as on the disk', () => {
  it.each([
    ['none', 0o000],
    ['names', 0o644],
  ] as const)('with access to %s', async (access, mode) => {
    const root = makeTree({
      'd/file': '',
      'd/.gitignore': 'x',
      'd/inner/x': '',
      'd/link': { link: 'file' },
      'to-inner': { link: 'd/inner' },
    });
    const source = inMemory(root);
    chmodSync(`${root}/d`, mode);
    source.set('d', { type: 'dir', access, mode: 0o40000 | mode, modified: 0 });
    const [disk, memory] = [await openWorkspace(root, { git: false }), await openWorkspace(source)];
    const told = async (workspace: typeof disk) => {
      const answers: unknown[] = [];
      for (const path of ['.', 'd', 'd/inner', 'to-inner', 'd/none', 'd/file']) {
        answers.push(await call('standard', { path, include_hidden: true }, workspace));
        answers.push(await call('mycode', { path, recursive: true }, workspace));
        answers.push(await call('gemini', { path: `${root}/${path}` }, workspace));
        answers.push(await tree({ path }, workspace));
      }
      return answers.map((answer) => JSON.stringify(answer).replaceAll(/"time_ms":[\d.]+/g, ''));
    };
    const expected = await asNobody(root, ['d'], () => told(disk), mode);
    expect(expected.join()).toContain('ermission');
    expect(await told(memory)).toEqual(expected);
  });
});
