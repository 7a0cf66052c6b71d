import { execFileSync } from 'node:child_process';
import {
  linkSync,
  lstatSync,
  mkdirSync,
  rmSync,
  statfsSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { DiskDirectory } from '../../src/disk/disk-directory.ts';
import { loadedSystemCalls, type SystemCalls, systemCalls } from '../../src/disk/system-calls.ts';
import { type Bytes, bytesOf } from '../../src/names/bytes.ts';
import { Budget, COST, retrying } from '../../src/workspace/budget.ts';
import { type DirectoryReader, EntryBuffer } from '../../src/workspace/reader.ts';
import { LARGEST_RULE_FILE, SkippedFile } from '../../src/workspace/source.ts';
import { Unloaded } from '../../src/workspace/steps.ts';
import { descriptors } from '../support/descriptors.ts';
import { listed, namesIn, readAll } from '../support/entries.ts';
import { type CallName, interceptBy, oddCalls, pinByOddCall, whileIntercepting } from '../support/odd-calls.ts';
import { slices } from '../support/slices.ts';
import { makeTree } from '../support/tree.ts';

const pinned = (root: string) => pinByOddCall(bytesOf(root)) as DiskDirectory;

/** The first so many calls of a kind, of those for a name, fail. */
function failing(
  call: CallName,
  code: string,
  { name = null as string | null, times = Number.POSITIVE_INFINITY } = {},
) {
  let left = times;
  return (made: CallName, about: string) => {
    if (made !== call || (name !== null && about !== name) || left-- <= 0) return null;
    return { code };
  };
}

const read = (directory: DiskDirectory) => {
  const reader = directory.open(true, false);
  try {
    return readAll(reader, slices(1_000_000));
  } finally {
    reader.close();
  }
};

describe.runIf(oddCalls !== null)('the calls of the system', () => {
  const calls = oddCalls as SystemCalls;

  it('are loaded once, and say what Node says', () => {
    expect(systemCalls()).toBe(calls);
    expect(loadedSystemCalls()).toBe(calls);
    const root = makeTree({ 'a/b': 'content' });
    symlinkSync('a/b', join(root, 'link'));
    const directory = pinned(root);
    for (const name of ['a', 'link', '.']) {
      const { size, mtimeMs, mode, uid, gid } = lstatSync(join(root, name));
      expect(directory.metadata(bytesOf(name))).toMatchObject({ size, modified: mtimeMs, mode, user: uid, group: gid });
    }
    const { dev, ino, mtimeNs, ctimeNs } = statSync(root, { bigint: true });
    expect(directory.identity).toMatchObject({ dev, ino });
    const stamp = directory.stamp();
    expect([stamp?.dev, stamp?.ino, stamp?.mtimeNs, stamp?.ctimeNs]).toEqual([dev, ino, mtimeNs, ctimeNs]);
    expect(calls.fileSystem(directory.descriptor as number)).toBe(statfsSync(root).type);
    directory.close();
  });

  it('give sizes and times beyond 32 bits', () => {
    const root = makeTree({ large: '' });
    truncateSync(join(root, 'large'), 2 ** 33 + 5);
    execFileSync('touch', ['-d', '2200-01-01T00:00:00.25Z', join(root, 'large')]);
    execFileSync('touch', ['-d', '1960-01-01T00:00:00Z', join(root, 'old')]);
    const directory = pinned(root);
    expect(directory.metadata(bytesOf('large'))).toMatchObject({
      size: 2 ** 33 + 5,
      modified: Date.UTC(2200, 0) + 250,
    });
    expect(directory.metadata(bytesOf('old'))?.valueOf()).toMatchObject({ modified: Date.UTC(1960, 0) });
    directory.close();
  });

  it('read any name, and each once', () => {
    const root = makeTree({});
    const names = ['a', '.b', '..c', '...', 'x'.repeat(255), 'é日😀', 'tab\t', 'new\nline', ' ', '-'].map(bytesOf);
    for (let length = 1; length <= 40; length++) names.push('n'.repeat(length) as Bytes);
    for (const name of names) writeFileSync(Buffer.from(`${root}/${name}`, 'latin1'), '');
    writeFileSync(Buffer.from(`${root}/\xff\xfe`, 'latin1'), '');
    const directory = pinned(root);
    expect(namesIn(read(directory)).sort()).toEqual([...new Set([...names, '\xff\xfe' as Bytes])].sort());
    directory.close();
  });

  it('read a directory again, by several at a time, from its start', () => {
    const root = makeTree(Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`f${i}`, ''])));
    mkdirSync(join(root, 'inner'));
    writeFileSync(join(root, 'inner', 'x'), '');
    const directory = pinned(root);
    const [one, other] = [directory.open(true, false), directory.open(true, false)];
    const before = namesIn(read(directory)).sort();
    expect(before).toHaveLength(51);
    for (const reader of [one, other]) expect(namesIn(readAll(reader, slices(10))).sort()).toEqual(before);
    one.close();
    other.close();
    const found = directory.lookup(bytesOf('inner'));
    if (found.kind !== 'directory') throw new Error('it is there');
    const inner = found.directory as DiskDirectory;
    for (let round = 0; round < 3; round++) expect(namesIn(read(inner))).toEqual(['x']);
    inner.close();
    directory.close();
  });

  it.each([60, 300, 4096])('read on after a short answer of at most %i bytes', (most) => {
    const names = Array.from({ length: 300 }, (_, i) => `file-${i}`);
    const directory = pinned(makeTree(Object.fromEntries(names.map((name) => [name, '']))));
    const found = whileIntercepting(
      (call) => (call === 'getdents64' ? { most } : null),
      () => read(directory),
    );
    expect(namesIn(found).sort()).toEqual(names.sort());
    const content = 'x'.repeat(10_000);
    writeFileSync(join(makeTree({}), 'y'), content);
    directory.close();
  });

  describe('of a large directory', () => {
    const names = Array.from({ length: 1_500 }, (_, i) => `${'long'.repeat(50)}${i}`);
    const large = (): DiskDirectory => {
      const directory = pinned(makeTree(Object.fromEntries(names.map((name) => [name, '']))));
      onTestFinished(() => directory.close());
      return directory;
    };
    const readOn = async (reader: DirectoryReader, entries = new EntryBuffer()) => {
      const budget = new Budget();
      while (await retrying(() => reader.read(entries, budget), budget));
      return namesIn(entries).sort();
    };
    /** The calls that read entries from then on, of which those that `fails` picks fail. */
    const readings = (fails: (nth: number) => boolean) => {
      let made = 0;
      interceptBy((call) => (call === 'getdents64' && fails(++made) ? { code: 'EIO' } : null));
      onTestFinished(() => void interceptBy(null));
      return () => made;
    };

    /** Reads until the reader has to wait for what is being read. */
    const begun = (reader: DirectoryReader): EntryBuffer => {
      const entries = new EntryBuffer();
      expect(() => {
        while (reader.read(entries, slices(1_000_000)));
      }).toThrow(Unloaded);
      return entries;
    };

    it('read it ahead, each entry once', async () => {
      const reader = large().open(true, false);
      const entries = begun(reader);
      expect(entries.count).toBeGreaterThan(0);
      expect(await readOn(reader, entries)).toEqual([...names].sort());
      reader.close();
    });

    it('read it without that where it fails, and say why if that fails too', async () => {
      const directory = large();
      const made = readings((nth) => nth > 3 && nth % 2 === 0);
      const reader = directory.open(true, false);
      expect(await readOn(reader)).toEqual([...names].sort());
      expect(made()).toBeGreaterThan(4);
      reader.close();
      readings((nth) => nth > 3);
      const failed = directory.open(true, false);
      await expect(readOn(failed)).rejects.toThrow('EIO');
      failed.close();
    });

    it('close it once nothing reads it any more', async () => {
      const directory = large();
      const before = descriptors();
      const reader = directory.open(true, false);
      begun(reader);
      reader.close();
      expect(descriptors()).toBe(before + 1);
      await vi.waitFor(() => expect(descriptors()).toBe(before));
    });
  });

  it('read a file on after a short answer', () => {
    const content = 'line\n'.repeat(3_000);
    const directory = pinned(makeTree({ rules: content }));
    const found = whileIntercepting(
      (call) => (call === 'read' ? { most: 7 } : null),
      () => directory.readFile(bytesOf('rules'), LARGEST_RULE_FILE),
    );
    expect(found).toBe(content);
    directory.close();
  });

  it('pass to a directory further down in one step, unless a link is on the way, or it leads up', () => {
    const root = makeTree({
      'a/b/rules': 'x',
      link: { link: 'a' },
      'a/link': { link: 'b' },
      'a/out': { link: '../..' },
    });
    const directory = pinned(root);
    const inner = directory.passTo?.(bytesOf('a/b'));
    expect(inner?.readFile(bytesOf('rules'), LARGEST_RULE_FILE)).toBe('x');
    inner?.close();
    for (const path of [
      'link/b',
      'a/link',
      'a/out/x',
      '..',
      'a/../..',
      '/',
      'a/b/rules',
      'a/missing/b',
      `${'x/'.repeat(3000)}`,
    ])
      expect(directory.passTo?.(bytesOf(path)), path).toBeNull();
    // Where the kernel cannot do it, or refuses, it is looked up name by name.
    for (const code of ['EPERM', 'EACCES', 'EAGAIN', 'EINTR', 'EIO', 'EMFILE', 'ENOMEM', 'ENOSYS'])
      expect(whileIntercepting(failing('syscall', code), () => directory.passTo?.(bytesOf('a/b')))).toBeNull();
    directory.close();
  });

  it.each(['openat', 'getdents64', 'statx', 'read'] as const)('are asked again when a signal interrupts %s', (call) => {
    const root = makeTree({ 'a/b': '', rules: 'x' });
    const directory = pinned(root);
    whileIntercepting(failing(call, 'EINTR', { times: 3 }), () => {
      expect(directory.lookup(bytesOf('a')).kind).toBe('directory');
      expect(namesIn(read(directory)).sort()).toEqual(['a', 'rules']);
      expect(directory.metadata(bytesOf('rules'))).toMatchObject({ type: 'file' });
      expect(directory.readFile(bytesOf('rules'), LARGEST_RULE_FILE)).toBe('x');
    });
    directory.close();
  });

  it.each([
    ['openat', 'ENOENT', { kind: 'missing' }],
    ['openat', 'ENAMETOOLONG', { kind: 'missing' }],
    ['openat', 'EPERM', { kind: 'denied' }],
    ['openat', 'EACCES', { kind: 'denied' }],
    ['openat', 'EIO', 'EIO'],
    ['openat', 'EMFILE', 'EMFILE'],
    ['openat', 'ENFILE', 'ENFILE'],
    ['openat', 'ENOMEM', 'ENOMEM'],
    ['openat', 'ESTALE', 'ESTALE'],
  ] as const)('where %s fails with %s, a name is %j', (call, code, expected) => {
    const directory = pinned(makeTree({ 'a/b': '' }));
    const look = () => whileIntercepting(failing(call, code, { name: 'a' }), () => directory.lookup(bytesOf('a')));
    if (typeof expected === 'string') expect(look).toThrow(expected);
    else expect(look()).toEqual(expected);
    directory.close();
  });

  it.each(['EIO', 'ENOTDIR', 'EBADF', 'EOVERFLOW'])(
    'a directory that fails with %s while it is read says so',
    (code) => {
      const directory = pinned(makeTree({ a: '' }));
      expect(() => whileIntercepting(failing('getdents64', code), () => read(directory))).toThrow(code);
      expect(namesIn(read(directory))).toEqual(['a']);
      directory.close();
    },
  );

  it.each([
    ['statx', 'ENOENT', null],
    ['statx', 'EACCES', 'refused'],
    ['statx', 'EIO', 'refused'],
    ['readlinkat', 'ENOENT', null],
    ['readlinkat', 'EACCES', 'refused'],
    ['readlinkat', 'EIO', 'refused'],
  ] as const)('where %s fails with %s, the metadata of a link is %j', (call, code, expected) => {
    const root = makeTree({});
    symlinkSync('target', join(root, 'link'));
    const directory = pinned(root);
    expect(whileIntercepting(failing(call, code), () => directory.metadata(bytesOf('link')))).toBe(expected);
    directory.close();
  });

  it.each([
    ['statx', 'ENOENT', null],
    ['statx', 'EACCES', null],
    ['openat', 'ENOENT', null],
    ['openat', 'EACCES', SkippedFile.unreadable],
    ['openat', 'ELOOP', SkippedFile.unreadable],
    ['statx', 'EIO', 'EIO'],
    ['openat', 'EMFILE', 'EMFILE'],
    ['read', 'EIO', 'EIO'],
  ] as const)('where %s fails with %s, a file of rules is %j', (call, code, expected) => {
    const directory = pinned(makeTree({ rules: 'x' }));
    const before = descriptors();
    const find = () =>
      whileIntercepting(failing(call, code), () => directory.readFile(bytesOf('rules'), LARGEST_RULE_FILE));
    if (typeof expected === 'string') expect(find).toThrow(expected);
    else expect(find()).toBe(expected);
    expect(descriptors()).toBe(before);
    directory.close();
  });

  it('are not sent a name that the system would cut', () => {
    const directory = pinned(makeTree({}));
    const long = 'x'.repeat(5_000) as Bytes;
    expect(directory.lookup(long)).toEqual({ kind: 'missing' });
    expect(directory.lookup('a\0b' as Bytes)).toEqual({ kind: 'missing' });
    expect(directory.metadata(long)).toBeNull();
    expect(directory.readFile(long, LARGEST_RULE_FILE)).toBeNull();
    directory.close();
  });

  it('do not tell the time of a file system that may lie', () => {
    const directory = pinned('/proc/sys');
    expect([directory.stamp(), directory.stampAt?.(bytesOf('kernel'))]).toEqual([null, null]);
    directory.close();
  });

  it('notice a directory that was removed while it was held', () => {
    const root = makeTree({ 'a/b': '' });
    const directory = pinned(join(root, 'a'));
    expect(directory.isDeleted()).toBe(false);
    rmSync(join(root, 'a'), { recursive: true });
    expect(directory.isDeleted()).toBe(true);
    expect(namesIn(read(directory))).toEqual([]);
    directory.close();
  });

  it('ask for a type where the file system does not tell it, and leave out what is gone', () => {
    const root = makeTree({ 'd/x': '', f: '', gone: '' });
    symlinkSync('f', join(root, 'link'));
    linkSync(join(root, 'f'), join(root, 'hard'));
    const directory = pinned(root);
    const budget = new Budget();
    const reader = directory.open(true, false);
    // What a file system without types gives.
    const entries = whileForgettingTypes(() => readAll(reader, budget), 'gone');
    reader.close();
    expect(listed(entries).sort()).toEqual([
      ['d', 'dir'],
      ['f', 'file'],
      ['hard', 'file'],
      ['link', 'link'],
    ]);
    expect(budget.work).toBeGreaterThan(5 * COST.describe);
    directory.close();
  });
});

/** The types in what was read are taken out before we see them, and one entry is gone when it is asked about. */
function whileForgettingTypes<T>(run: () => T, gone: string): T {
  const copy = Buffer.prototype.copy;
  Buffer.prototype.copy = function (this: Buffer, ...args: Parameters<typeof copy>) {
    const length = Number(args[3]);
    for (let record = 0; record < length; record += this.readUInt16LE(record + 16)) this[record + 18] = 0;
    return copy.apply(this, args);
  };
  try {
    return whileIntercepting(failing('statx', 'ENOENT', { name: gone }), run);
  } finally {
    Buffer.prototype.copy = copy;
  }
}
