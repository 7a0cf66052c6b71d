/** What no disk would have is left out and reported, wherever it comes from, and costs nothing that is not counted. */
import { statfsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { pinByCall } from '../../src/disk/pinned-by-call.ts';
import { systemCalls } from '../../src/disk/system-calls.ts';
import { type AsyncEntry, type AsyncTree, asyncSource, call, list, openWorkspace } from '../../src/index.ts';
import { type Bytes, bytesOf } from '../../src/names/bytes.ts';
import { ArchiveIndex } from '../../src/sources/archive/archive-index.ts';
import type { ArchivedEntry } from '../../src/sources/archive/archived.ts';
import { emptyDirectory } from '../support/tree.ts';

const file = (name: string): AsyncEntry => ({ name: bytesOf(name), type: 'file' });
const LONG = 'n'.repeat(256);
/** 4,096 bytes, and one more. */
const FAR = `${'d/'.repeat(10)}${`${'e'.repeat(254)}/`.repeat(15)}`;
const LAST = 'f'.repeat(4096 - FAR.length);

async function listed(tree: Pick<AsyncTree, 'list' | 'walk'>) {
  const source = asyncSource({ realPath: bytesOf('/there'), readFile: async () => null, ...tree });
  using workspace = await openWorkspace(source);
  const { entries, failures = [] } = await list({ depth: Infinity }, workspace);
  return { paths: entries.map(({ path }) => path), told: failures.map(({ reason }) => reason) };
}

const LEFT_OUT = (count: string) =>
  expect.stringContaining(`${count} left out: a name may have 255 bytes, a path or the target of a link 4096 bytes`);

describe('a tree that is not a disk', () => {
  const entries = [
    file('a'),
    file('n'.repeat(255)),
    file(LONG),
    { ...file('l'), type: 'link', target: bytesOf('t'.repeat(4097)) } as const,
  ];

  it('leaves out long names and targets of a directory that is listed', async () => {
    const { paths, told } = await listed({ list: async () => entries });
    expect(paths).toEqual(['a', 'n'.repeat(255)]);
    expect(told).toEqual([LEFT_OUT('2 entries are')]);
  });

  it('leaves out the same of one that is walked', async () => {
    const { paths, told } = await listed({
      list: async () => [],
      async *walk() {
        yield entries;
      },
    });
    expect(paths).toEqual(['a', 'n'.repeat(255)]);
    expect(told).toEqual([LEFT_OUT('2 entries are')]);
  });

  it('leaves out long and deep paths', async () => {
    const { paths, told } = await listed({
      list: async () => [],
      async *walk() {
        yield [
          file(`${FAR}${LAST}`),
          file(`${FAR}${LAST}f`),
          file(`${'x/'.repeat(499)}y`),
          file(`${'x/'.repeat(500)}z`),
        ];
      },
    });
    expect(paths).toContain(`${FAR}${LAST}`);
    expect(paths).toContain(`${'x/'.repeat(499)}y`);
    expect(paths.filter((path) => path.endsWith('z') || path.length > 4096)).toEqual([]);
    expect(told).toEqual([LEFT_OUT('one entry is'), LEFT_OUT('one entry is')]);
  });

  it('says so in an answer for a model, and does not find what was left out', async () => {
    const tree = {
      realPath: bytesOf('/there'),
      list: async () => [...entries, { ...file('d'), type: 'dir' } as const],
      readFile: async () => null,
    };
    using workspace = await openWorkspace(asyncSource(tree));
    expect(await call('standard', { path: '.' }, workspace)).toMatchObject({
      status: 'partial',
      text: expect.stringContaining('Incomplete: reading failed in the middle'),
    });
    expect((await list({}, workspace)).notes).toEqual([LEFT_OUT('2 entries are')]);
    expect(await call('standard', { path: LONG }, workspace)).toMatchObject({ status: 'error' });
  });
});

describe('an archive whose sums are wrong', () => {
  const archived = (path: string, size: number, read: () => Promise<null>, type = 'file') =>
    ({ path: bytesOf(path), type, size, read, target: undefined }) as unknown as ArchivedEntry;

  it.each([
    ['rule files', (i: number) => `${i}/.gitignore`, 256 * 1024, 'file', 65],
    ['empty rule files', (i: number) => `${i}/.gitignore`, 0, 'file', 40_000],
    ['links', (i: number) => `link${i}`, 4096, 'link', 16_400],
  ] as const)('is unpacked for %s only so far', async (_, path, size, type, most) => {
    const index = new ArchiveIndex();
    let reads = 0;
    const read = async () => {
      reads++;
      return null;
    };
    for (let i = 0; i < 50_000 && !index.isFull; i++) await index.add(archived(path(i), size, read, type));
    expect(reads).toBeGreaterThan(most / 2);
    expect(reads).toBeLessThanOrEqual(most);
  });
});

const calls = process.platform === 'linux' ? systemCalls() : null;

describe.skipIf(calls === null)('a device number that is used again after an unmount', () => {
  it('is trusted only while something on it is held', () => {
    const root = emptyDirectory() as Bytes;
    const kinds = [statfsSync(root).type, 0x6969];
    // The second time, the same number belongs to NFS.
    const asked = new Proxy(calls as NonNullable<typeof calls>, {
      get: (target, key) => {
        const value = Reflect.get(target, key, target);
        if (key === 'fileSystem') return () => kinds.shift();
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
    const stamps = [1, 2].map(() => {
      const directory = pinByCall(root, asked);
      const stamp = directory?.stamp() ?? null;
      directory?.close();
      return stamp === null;
    });
    expect(stamps).toEqual([
      ![0xef53, 0x58465342, 0x9123683e, 0x01021994, 0x794c7630].includes(statfsSync(root).type),
      true,
    ]);
  });
});
