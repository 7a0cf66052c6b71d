import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { list, memorySource, openablePath, openWorkspace, type ScanOptions, scan } from '../../src/index.ts';
import { descriptors } from '../support/descriptors.ts';
import { emptyDirectory, makeTree } from '../support/tree.ts';

const TREE = { 'src/a.ts': '1', 'src/a.test.ts': '', 'src/lib/b.ts': '12', 'docs/c.md': '', 'd.log': '' } as const;

async function pathsOf(query: ScanOptions, root = makeTree(TREE)): Promise<string[]> {
  const found: string[] = [];
  for await (const { path } of scan(query, root)) found.push(path);
  return found;
}

describe('scan', () => {
  const ALL = ['docs', 'docs/c.md', 'src', 'src/lib', 'src/lib/b.ts', 'src/a.test.ts', 'src/a.ts', 'd.log'];

  it.each<[string, ScanOptions, string[]]>([
    ['everything, a directory before what it contains', {}, ALL],
    ['one level', { depth: 1 }, ['docs', 'src', 'd.log']],
    [
      'several patterns, with negation',
      { pattern: ['*.ts', '*.md', '!*.test.ts'] },
      ['docs/c.md', 'src/lib/b.ts', 'src/a.ts'],
    ],
    ['negation alone', { pattern: ['!*.ts'], types: 'files' }, ['docs/c.md', 'd.log']],
    ['a pattern on paths', { pattern: ['src/**', '!src/lib/**'], types: 'files' }, ['src/a.test.ts', 'src/a.ts']],
    ['a filter', { filter: ({ path, type }) => type === 'file' && path.startsWith('src/l') }, ['src/lib/b.ts']],
  ])('%s', async (_, query, paths) => {
    expect(await pathsOf(query)).toEqual(paths);
  });

  it('gives what list gives, in the same order', async () => {
    const root = makeTree(TREE);
    const listed = await list({ depth: Number.POSITIVE_INFINITY }, root);
    expect(await pathsOf({}, root)).toEqual(listed.entries.map(({ path }) => path));
  });

  it('gives absolute paths and metadata', async () => {
    const root = makeTree({ f: '12345' });
    const [entry] = (await list({ metadata: true, absolute: true }, root)).entries;
    expect(entry?.metadata.size).toBe(5);
    for await (const { path, metadata } of scan({ metadata: true, absolute: true }, root)) {
      expect([path, metadata.size]).toEqual([join(root, 'f'), 5]);
    }
  });

  it('returns at its end what it counted and could not read', async () => {
    const source = memorySource({ 'a/b': '', 'closed/': { access: 'none' } });
    const iterator = scan({}, await openWorkspace(source));
    let step = await iterator.next();
    while (!step.done) step = await iterator.next();
    expect(step.value).toMatchObject({
      totals: { file: 1, dir: 2 },
      failures: [{ path: 'closed', reason: 'permission denied' }],
    });
  });

  it('gives entries before all of them are found, and lets go of everything when it is broken off', async () => {
    const root = emptyDirectory();
    for (let i = 0; i < 40; i++) {
      mkdirSync(join(root, `d${i}`));
      for (let j = 0; j < 50; j++) writeFileSync(join(root, `d${i}`, `f${j}`), '');
    }
    const before = descriptors();
    let progress = 0;
    for await (const { path } of scan({ filter: () => ++progress > 0 }, root)) {
      expect(path).toBe('d0');
      break;
    }
    expect(progress).toBeGreaterThan(0);
    expect(progress).toBeLessThan(1500);
    expect(descriptors()).toBe(before);
  });

  it('throws what a filter throws, as it is', async () => {
    const fault = new TypeError('mine');
    const filter = () => {
      throw fault;
    };
    await expect(pathsOf({ filter })).rejects.toBe(fault);
    await expect(list({ filter }, makeTree(TREE))).rejects.toBe(fault);
  });

  it.each([
    [{ path: 'none' }, "cannot list 'none': no such directory"],
    [{ path: '..' }, "cannot list '..': the path is outside the root"],
    [{ path: 'd.log' }, "cannot list 'd.log': not a directory"],
  ])('says which path is wrong: %j', async (query, message) => {
    await expect(pathsOf(query)).rejects.toThrow(message);
    await expect(list(query, makeTree(TREE))).rejects.toThrow(message);
  });

  it('throws when it is aborted', async () => {
    const scanning = scan({}, makeTree(TREE), { signal: AbortSignal.abort() });
    await expect(scanning.next()).rejects.toMatchObject({ kind: 'aborted' });
  });

  it('is told what is wrong with its options', () => {
    expect(() => scan({ order: 'size' } as never, '.')).toThrow("scan has no option 'order'");
    expect(() => scan({ filter: 'x' } as never, '.')).toThrow('filter must be a function.');
    expect(() => scan({}, 5 as never)).toThrow('scan needs a workspace');
  });
});

it('openablePath opens whatever an answer shows', async () => {
  const root = emptyDirectory();
  const names = ['"quoted"', 'a\nb', 'caf\xe9', 'plain'];
  for (const name of names) writeFileSync(Buffer.from(`${root}/${name}`, 'latin1'), name, 'latin1');
  const { entries } = await list({ absolute: true }, root);
  expect(entries.map(({ path }) => readFileSync(openablePath(path), 'latin1')).sort()).toEqual(names);
  expect(entries.map(({ name }) => Buffer.from(openablePath(name)).toString('latin1')).sort()).toEqual(names);
  expect(() => openablePath('"broken')).toThrow('malformed');
});
