/** A long listing says the same, byte by byte, whichever way the system is asked. */
import { execFileSync } from 'node:child_process';
import { chmodSync, lutimesSync, mkdirSync, rmSync, symlinkSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { PinRoot } from '../../src/disk/disk-directory.ts';
import { DiskSource } from '../../src/disk/disk-source.ts';
import { pinByDescriptor } from '../../src/disk/pinned-by-descriptor.ts';
import { longLines, type Printing } from '../../src/faces/cli/list-lines.ts';
import { openListing } from '../../src/listing/list.ts';
import { PLAIN, type Query } from '../../src/listing/query.ts';
import { type Bytes, bytesOf } from '../../src/names/bytes.ts';
import type { LongOptions } from '../../src/text/long-lines.ts';
import { Visit } from '../../src/workspace/visit.ts';
import { Workspace } from '../../src/workspace/workspace.ts';
import { descriptors } from '../support/descriptors.ts';
import { asNobody } from '../support/nobody.ts';
import { interceptBy, oddCalls, pinByOddCall, withoutTypes } from '../support/odd-calls.ts';
import { addTree, makeTree, type TreeLiteral } from '../support/tree.ts';

const BLOCK = 2048;
type ListFormat = Pick<Printing, 'form' | 'long'>;

const PLAIN_COLUMNS: LongOptions = {
  ...{ header: false, inode: false, octal: false, links: false, numeric: false },
  time: 'default',
};
const FORMAT: ListFormat = { form: { prefix: '' as Bytes, isNull: false }, long: PLAIN_COLUMNS };
const behind = (path: string) => ({ form: { prefix: bytesOf(path), isNull: false } });

interface Asked {
  readonly query?: Partial<Query>;
  readonly format?: Partial<ListFormat>;
  /** Called once the directory was read. */
  readonly afterwards?: () => void;
}

/** The long listing, block by block. */
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
  let text = '';
  try {
    for (let offset = 0; offset < listing.count; offset += BLOCK) {
      const block = { offset, limit: Math.min(BLOCK, listing.count - offset) };
      text += long(await listing.described(block)).join('');
    }
    return { text, count: listing.count };
  } finally {
    listing.close();
    workspace.close();
  }
}

/** Both ways, compared. */
async function compared(root: string, asked: Asked = {}): Promise<string> {
  const before = descriptors();
  const byCall = await listed(root, pinByOddCall, asked);
  expect(byCall).toEqual(await listed(root, pinByDescriptor, asked));
  expect(descriptors()).toBe(before);
  return byCall.text;
}

const NAMES = ['a', 'A', 'b.ts', 'Foo', 'foo', 'foo-bar', 'a b', '.h', 'eightlet', 'ninelette', 'x'.repeat(255)];

describe.runIf(oddCalls !== null)('a level that is open', () => {
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
    const text = await compared(anything());
    expect(text.split('\n')).toHaveLength(NAMES.length + 5 + 1);
  });

  it.each<[string, Asked]>([
    ['without dotfiles', { query: { rules: [{ kind: 'dotfiles' }] } }],
    ['behind a path', { format: behind('../some where/') }],
    ['behind a path that has to be quoted', { format: behind('é/') }],
    ['behind a path with an arrow', { format: behind('a -> b/') }],
    ['behind a path with a quote', { format: behind('"/') }],
    ['behind a very long path', { format: behind('d/'.repeat(2500)) }],
    ['with owners by their numbers', { format: { long: { ...PLAIN_COLUMNS, numeric: true } } }],
    ['with other columns', { format: { long: { ...PLAIN_COLUMNS, inode: true, links: true } } }],
    ['with other times', { format: { long: { ...PLAIN_COLUMNS, time: 'iso' } } }],
    ['with numbers by their value', { query: { order: 'natural' } }],
    ['without what git ignores', { query: { rules: [{ kind: 'ignore-files', git: true, gemini: false }] } }],
  ])('%s', async (_, asked) => {
    await compared(anything(), asked);
  });

  it('in several blocks, with columns that become wider', async () => {
    const names = Array.from({ length: 2 * BLOCK + 3 }, (_, i) => `${(i * 7919) % 10_007}${'n'.repeat(i % 100)}`);
    const root = makeTree(Object.fromEntries(names.map((name, i) => [name, 'x'.repeat(i % 5)])));
    truncateSync(join(root, names.toSorted().at(-1) as string), 123_456_789);
    expect(await compared(root)).toContain(' 123456789 ');
  });

  it.each<[string, TreeLiteral]>([
    ['a name that is not ASCII', { é: '' }],
    ['a name with a line break', { 'x\ny': '' }],
    ['a name with a quote in front', { '"q': '' }],
    ['a name with an arrow', { 'a -> b': '' }],
    ['a name with half of one', { 'a ->': '' }],
  ])('with %s', async (_, tree) => {
    await compared(makeTree({ ...tree, other: '' }));
  });

  it('aligns all that stand in a column with a time of unusual length', async () => {
    const root = makeTree(Object.fromEntries(Array.from({ length: BLOCK + 5 }, (_, i) => [`f${i}`, ''])));
    for (let i = 0; i < BLOCK + 5; i++) lutimesSync(join(root, `f${i}`), 17e8, 17e8);
    onTestFinished(() => void interceptBy(null));
    // Not every file system has such times: the seconds of the last modification.
    const change = (statx: Buffer) => void statx.writeBigInt64LE(400_000_000_000n, 112);
    interceptBy((call, name) => (call === 'statx' && name === 'f7' ? { change } : null));
    const { text } = await listed(root, pinByOddCall, {});
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
  ])('says the same of what %s meanwhile', async (_, change) => {
    const make = () => makeTree({ a: '', b: '', link: { link: 'a' } });
    const [one, other] = [make(), make()];
    const atOnce = await listed(one, pinByOddCall, { afterwards: () => change(one) });
    const expected = await listed(other, pinByDescriptor, { afterwards: () => change(other) });
    expect(atOnce.text).toBe(expected.text);
  });

  it.each(['statx', 'readlinkat'] as const)('marks what %s is refused for', async (refused) => {
    const root = makeTree({ a: '', link: { link: 'a' } });
    onTestFinished(() => void interceptBy(null));
    const refuse = () =>
      void interceptBy((call, name) => (call === refused && name === 'link' ? { code: 'EACCES' } : null));
    const { text } = await listed(root, pinByOddCall, { afterwards: refuse });
    expect(text).toMatch(/\?{10} .* link\n/);
  });

  it('closes what cannot be read to its end', async () => {
    const root = makeTree({ a: '', b: '' });
    onTestFinished(() => void interceptBy(null));
    interceptBy((call) => (call === 'getdents64' ? { code: 'EIO' } : null));
    const before = descriptors();
    await expect(listed(root, pinByOddCall, {})).rejects.toThrow(/EIO/);
    expect(descriptors()).toBe(before);
  });

  it('may be one that can be read, and not passed through', async () => {
    const root = makeTree({ 'd/a': '', 'd/b': '' });
    const { count } = await asNobody(root, ['d'], () => listed(join(root, 'd'), pinByOddCall, {}), 0o444);
    expect(count).toBe(2);
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
