/** What the source reads, sorts and writes at once is what takes entry by entry otherwise, byte by byte. */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  lchownSync,
  lutimesSync,
  mkdirSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { PinRoot } from '../../src/disk/disk-directory.ts';
import { DiskSource } from '../../src/disk/disk-source.ts';
import { pinByDescriptor } from '../../src/disk/pinned-by-descriptor.ts';
import { longLines } from '../../src/faces/cli/list-lines.ts';
import { openListing } from '../../src/listing/open-listing.ts';
import { PLAIN, type Query } from '../../src/listing/query.ts';
import { type Bytes, bytesOf } from '../../src/names/bytes.ts';
import { PLAIN_COLUMNS } from '../../src/text/long-lines.ts';
import { Visit } from '../../src/workspace/visit.ts';
import { Workspace } from '../../src/workspace/workspace.ts';
import { descriptors } from '../support/descriptors.ts';
import { asNobody } from '../support/nobody.ts';
import { interceptBy, oddCalls, pinByOddCall, withoutTypes } from '../support/odd-calls.ts';
import { addTree, makeTree, type TreeLiteral } from '../support/tree.ts';

const BLOCK = 2048;
type Format = Parameters<typeof longLines>[0];

const FORMAT: Format = { prefix: '' as Bytes, isNull: false, long: PLAIN_COLUMNS };

interface Asked {
  readonly query?: Partial<Query>;
  readonly format?: Partial<Format>;
  /** Called once the directory was read. */
  readonly afterwards?: () => void;
}

/** The long listing, block by block; how many of the blocks the source has written. */
async function listed(root: string, pin: PinRoot, { query, format, afterwards }: Asked) {
  const workspace = Workspace.open(DiskSource.open(root, pin));
  const page = { offset: 0, limit: Number.POSITIVE_INFINITY };
  const complete: Query = { ...PLAIN, path: '.', rules: [], page, metadata: 'page', ...query };
  const listing = await openListing(complete, workspace, {}).catch((error: unknown) => {
    workspace.close();
    throw error;
  });
  afterwards?.();
  const whole = { ...FORMAT, ...format };
  const long = longLines(whole);
  let [text, blocks] = ['', 0];
  try {
    for (let offset = 0; offset < listing.count; offset += BLOCK) {
      const block = { offset, limit: Math.min(BLOCK, listing.count - offset) };
      const written = long.texts && listing.longLines(block, whole.prefix, long.texts);
      if (written !== null) blocks++;
      text += written === null ? long.of(await listing.described(block)) : Buffer.concat(written).toString();
    }
    const names = await listing.entries({ offset: 0, limit: Number.POSITIVE_INFINITY });
    return { text, blocks, names, count: listing.count };
  } finally {
    listing.close();
    workspace.close();
  }
}

/** Both ways, compared; what the source has written of it. */
async function compared(root: string, asked: Asked = {}): Promise<{ text: string; blocks: number }> {
  const before = descriptors();
  const { blocks, ...atOnce } = await listed(root, pinByOddCall, asked);
  const { blocks: none, ...expected } = await listed(root, pinByDescriptor, asked);
  expect(none).toBe(0);
  expect(atOnce).toEqual(expected);
  expect(descriptors()).toBe(before);
  return { text: atOnce.text, blocks };
}

const NAMES = ['a', 'A', 'b.ts', 'Foo', 'foo', 'foo-bar', 'a b', '.h', 'eightlet', 'ninelette', 'x'.repeat(255)];

describe.runIf(oddCalls !== null)('a level that is written at once', () => {
  /** Files, directories and links, of many modes, sizes and times. */
  function anything(): string {
    const root = makeTree(
      Object.fromEntries(NAMES.flatMap((name, i) => [[`${name}`.slice(0, 250) + i, 'x'.repeat(i * i)]])),
    );
    addTree(root, {
      directory: null,
      Dir: null,
      'z-to-dir': { link: 'Dir' },
      'to nothing': { link: 'é -> "\n' },
      '.l': { link: '/' },
    });
    for (const [i, mode] of [0o4755, 0o2711, 0o1777, 0o000, 0o644].entries())
      chmodSync(join(root, `${NAMES[i]}${i}`), mode);
    for (const [i, time] of [0, -1, -86_400.5, 1e9, 4e9].entries())
      lutimesSync(join(root, `${NAMES[i]}${i}`), time, time);
    return root;
  }

  it('says the same', async () => {
    const { text, blocks } = await compared(anything());
    expect(blocks).toBe(1);
    expect(text.split('\n')).toHaveLength(NAMES.length + 5 + 1);
  });

  it.each<[string, number, Asked]>([
    ['without dotfiles', 1, { query: { rules: [{ kind: 'dotfiles' }] } }],
    ['behind a path', 1, { format: { prefix: bytesOf('../some where/') } }],
    ['behind a path that has to be quoted', 0, { format: { prefix: bytesOf('é/') } }],
    ['behind a path with an arrow', 0, { format: { prefix: bytesOf('a -> b/') } }],
    ['behind a path with a quote', 0, { format: { prefix: bytesOf('"/') } }],
    ['behind a very long path', 0, { format: { prefix: bytesOf(`${'d/'.repeat(2500)}`) } }],
    ['with owners by their numbers', 1, { format: { long: { ...PLAIN_COLUMNS, numeric: true } } }],
    ['with other columns', 0, { format: { long: { ...PLAIN_COLUMNS, inode: true, links: true } } }],
    ['with other times', 0, { format: { long: { ...PLAIN_COLUMNS, time: 'iso' } } }],
    ['with numbers by their value', 0, { query: { order: 'natural' } }],
    ['without what git ignores', 0, { query: { rules: [{ kind: 'ignore-files', git: true, gemini: false }] } }],
  ])('%s', async (_, blocks, asked) => {
    expect((await compared(anything(), asked)).blocks).toBe(blocks);
  });

  it('in several blocks, with columns that become wider', async () => {
    const names = Array.from({ length: 2 * BLOCK + 3 }, (_, i) => `${(i * 7919) % 10_007}${'n'.repeat(i % 100)}`);
    const root = makeTree(Object.fromEntries(names.map((name, i) => [name, 'x'.repeat(i % 5)])));
    truncateSync(join(root, names.toSorted().at(-1) as string), 123_456_789);
    const { text, blocks } = await compared(root);
    expect(blocks).toBe(3);
    expect(text).toContain(' 123456789 ');
  });

  it('leaves a size that JavaScript does not know to the byte to others', async () => {
    const root = makeTree({ a: '' });
    onTestFinished(() => void interceptBy(null));
    const change = (statx: Buffer) => void statx.writeBigUInt64LE(2n ** 53n + 1n, 40);
    interceptBy((call, name) => (call === 'statx' && name === 'a' ? { change } : null));
    const { text, blocks } = await listed(root, pinByOddCall, {});
    expect([text, blocks]).toEqual([expect.stringContaining(' 9007199254740992 '), 0]);
  });

  it.runIf(process.getuid?.() === 0)('with more owners than are noted', async () => {
    const root = makeTree(Object.fromEntries(Array.from({ length: 65 }, (_, i) => [`f${i}`, ''])));
    for (let i = 0; i < 64; i++) lchownSync(join(root, `f${i}`), 5000 + (i >> 1), 4_000_000_000 + (i & 1));
    rmSync(join(root, 'f64'));
    expect((await compared(root)).blocks).toBe(1);
    writeFileSync(join(root, 'f64'), '');
    expect((await compared(root)).blocks).toBe(0);
  });

  it('with more modes than are noted', async () => {
    const root = makeTree(Object.fromEntries(Array.from({ length: 64 }, (_, i) => [`f${i}`, ''])));
    for (let i = 0; i < 64; i++) chmodSync(join(root, `f${i}`), 0o400 + i);
    expect((await compared(root)).blocks).toBe(1);
    addTree(root, { directory: null });
    expect((await compared(root)).blocks).toBe(0);
  });

  it.each<[string, TreeLiteral]>([
    ['a name that is not ASCII', { é: '' }],
    ['a name with a line break', { 'x\ny': '' }],
    ['a name with a quote in front', { '"q': '' }],
    ['a name with an arrow', { 'a -> b': '' }],
    ['a name with half of one', { 'a ->': '' }],
  ])('leaves %s to others', async (_, tree) => {
    expect((await compared(makeTree({ ...tree, other: '' }))).blocks).toBe(0);
  });

  it('leaves times of unusual length to others, and all that stand in a column with one', async () => {
    const root = makeTree(Object.fromEntries(Array.from({ length: BLOCK + 5 }, (_, i) => [`f${i}`, ''])));
    for (let i = 0; i < BLOCK + 5; i++) lutimesSync(join(root, `f${i}`), 17e8, 17e8);
    expect((await compared(root)).blocks).toBe(2);
    onTestFinished(() => void interceptBy(null));
    // Not every file system has such times: the seconds of the last modification.
    const change = (statx: Buffer) => void statx.writeBigInt64LE(400_000_000_000n, 112);
    interceptBy((call, name) => (call === 'statx' && name === 'f7' ? { change } : null));
    const { text, blocks } = await listed(root, pinByOddCall, {});
    expect(blocks).toBe(0);
    expect(
      new Set(
        text
          .trimEnd()
          .split('\n')
          .map((line) => line.indexOf(' f')),
      ).size,
    ).toBe(1);
  });

  it('has times by the minute as JavaScript has them', async () => {
    const root = makeTree({ a: '', b: '', c: '' });
    // To the nanosecond, which Node cannot set.
    const at = (name: string, time: string) => execFileSync('touch', ['-h', '-d', time, join(root, name)]);
    at('a', '@1704067259.999999999');
    at('b', '@-0.000000001');
    at('c', '@-0.5');
    await compared(root);
  });

  it.each<[string, (root: string) => void]>([
    ['vanishes', (root) => rmSync(join(root, 'b'))],
    [
      'becomes a directory',
      (root) => {
        rmSync(join(root, 'b'));
        mkdirSync(join(root, 'b'));
      },
    ],
    [
      'becomes a link',
      (root) => {
        rmSync(join(root, 'b'));
        symlinkSync('a', join(root, 'b'));
      },
    ],
    ['has its link removed', (root) => rmSync(join(root, 'link'))],
  ])('leaves what %s meanwhile to others', async (_, change) => {
    const make = () => makeTree({ a: '', b: '', link: { link: 'a' } });
    const [one, other] = [make(), make()];
    const atOnce = await listed(one, pinByOddCall, { afterwards: () => change(one) });
    const expected = await listed(other, pinByDescriptor, { afterwards: () => change(other) });
    expect(atOnce.text).toBe(expected.text);
    expect(atOnce.blocks).toBe(0);
  });

  it.each(['statx', 'readlinkat'] as const)('leaves what %s is refused for to others', async (refused) => {
    const root = makeTree({ a: '', link: { link: 'a' } });
    onTestFinished(() => void interceptBy(null));
    const refuse = () =>
      void interceptBy((call, name) => (call === refused && name === 'link' ? { code: 'EACCES' } : null));
    const { text, blocks } = await listed(root, pinByOddCall, { afterwards: refuse });
    expect(blocks).toBe(0);
    expect(text).toMatch(/\?{10} .* link\n/);
  });

  it('is read as usual where it cannot be read to its end', async () => {
    const root = makeTree({ a: '', b: '' });
    onTestFinished(() => void interceptBy(null));
    interceptBy((call) => (call === 'getdents64' ? { code: 'EIO' } : null));
    const before = descriptors();
    await expect(listed(root, pinByOddCall, {})).rejects.toThrow(/EIO/);
    expect(descriptors()).toBe(before);
  });

  it('may be one that can be read, and not passed through', async () => {
    const root = makeTree({ 'd/a': '', 'd/b': '' });
    const { names } = await asNobody(root, ['d'], () => listed(join(root, 'd'), pinByOddCall, {}), 0o444);
    expect(names.map(({ name }) => name)).toEqual(['a', 'b']);
  });

  it('is read as usual where the file system does not tell types', async () => {
    const root = anything();
    const expected = await listed(root, pinByDescriptor, {});
    onTestFinished(() => void interceptBy(null));
    interceptBy(withoutTypes);
    expect(await listed(root, pinByOddCall, {})).toEqual(expected);
  });

  it('keeps nothing open where a link cannot be followed', async () => {
    const root = makeTree({ a: '', link: { link: 'a' } });
    const before = descriptors();
    const follow = vi.spyOn(Visit.prototype, 'linkEnd').mockImplementation(() => {
      throw new Error('no way');
    });
    await expect(listed(root, pinByOddCall, {})).rejects.toThrow('no way');
    follow.mockRestore();
    expect(descriptors()).toBe(before);
  });
});
