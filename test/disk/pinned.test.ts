import { mkdirSync, realpathSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { closedUnless, type DiskDirectory } from '../../src/disk/disk-directory.ts';
import { pinRoot, pinWithoutCalls } from '../../src/disk/disk-source.ts';
import { pinByDescriptor } from '../../src/disk/pinned-by-descriptor.ts';
import { pinByPath } from '../../src/disk/pinned-by-path.ts';
import { bytesOf } from '../../src/names/bytes.ts';
import { EntryBuffer } from '../../src/workspace/reader.ts';
import { LARGEST_RULE_FILE, SkippedFile, type SourceDirectory, same } from '../../src/workspace/source.ts';
import { descriptors, hasDescriptors, PINS } from '../support/descriptors.ts';
import { questionsDuring, systemError, whileAnswering, whileFailing } from '../support/disk-answers.ts';
import { namesIn, readAll } from '../support/entries.ts';
import { asNobody } from '../support/nobody.ts';
import { slices } from '../support/slices.ts';
import { emptyDirectory, makeTree, type TreeLiteral } from '../support/tree.ts';

const LINKS: TreeLiteral = { link: { link: 'a/b' }, broken: { link: 'nowhere' } };
const tree = (links: TreeLiteral = {}) => makeTree({ 'a/b/c': 'text', file: 'four', empty: null, ...links });
const linked = () => tree(LINKS);

describe.each(PINS)('a directory that is pinned %s', (_, pin) => {
  const pinned = (root: string): DiskDirectory => {
    const directory = pin(bytesOf(root));
    if (directory === null) throw new Error(`${root} was not pinned`);
    onTestFinished(() => directory.close());
    return directory;
  };

  const below = (directory: SourceDirectory, name: string): SourceDirectory => {
    const found = directory.lookup(bytesOf(name));
    if (found.kind !== 'directory') throw new Error(`${name} is ${found.kind}`);
    onTestFinished(() => found.directory.close());
    return found.directory;
  };

  it('follows no link, and tells of it', () => {
    const root = pinned(linked());
    expect(root.lookup(bytesOf('link'))).toEqual({ kind: 'link', target: 'a/b' });
    expect(root.lookup(bytesOf('broken'))).toEqual({ kind: 'link', target: 'nowhere' });
    expect(root.readFile(bytesOf('link'), LARGEST_RULE_FILE)).toEqual(new SkippedFile('is a link'));
    expect(root.metadata(bytesOf('link'))).toMatchObject({ type: 'link', target: 'a/b' });
    const reader = root.open(true, true);
    expect(namesIn(readAll(reader, slices(2))).sort()).toEqual(['a', 'broken', 'empty', 'file', 'link']);
    reader.close();
  });

  it('tells what stands behind a name', () => {
    const root = pinned(tree());
    const lookup = (name: string) => root.lookup(bytesOf(name));
    expect(lookup('a').kind).toBe('directory');
    expect(lookup('file')).toEqual({ kind: 'not-a-directory' });
    expect(lookup('none')).toEqual({ kind: 'missing' });
    expect(lookup('x'.repeat(300))).toEqual({ kind: 'missing' });
  });

  it('knows where it is, and the way back', () => {
    const root = pinned(tree());
    const parent = below(root, 'a');
    const inner = below(parent, 'b');
    expect([root.path, parent.path, inner.path]).toEqual(['', 'a', 'a/b']);
    expect(root.up()).toBeNull();
    const above = inner.up();
    expect(above?.path).toBe('a');
    expect(above?.identity).toMatchObject({ ino: parent.identity.ino, dev: parent.identity.dev });
    expect(above?.up()?.path).toBe('');
    above?.close();
  });

  it('reads files and entries, and tells of them', () => {
    const path = tree();
    utimesSync(join(path, 'file'), 5, 7.5);
    const root = pinned(path);
    expect(root.readFile(bytesOf('file'), LARGEST_RULE_FILE)).toBe('four');
    expect(below(below(root, 'a'), 'b').readFile(bytesOf('c'), LARGEST_RULE_FILE)).toBe('text');
    expect(root.readFile(bytesOf('none'), LARGEST_RULE_FILE)).toBeNull();
    expect(root.readFile(bytesOf('a'), LARGEST_RULE_FILE)).toEqual(new SkippedFile('is not a plain file'));
    expect(root.readFile(bytesOf('file'), 4)).toBe('four');
    expect(root.readFile(bytesOf('file'), 3)).toEqual(new SkippedFile('is larger than 3 bytes'));
    expect(root.metadata(bytesOf('file'))).toMatchObject({ type: 'file', size: 4, modified: 7500, target: null });
    expect(root.metadata(bytesOf('a'))).toMatchObject({ type: 'dir', target: null });
    expect(root.metadata(bytesOf('none'))).toBeNull();
    for (const atOnce of [true, false]) {
      const reader = root.open(true, atOnce);
      const names = namesIn(readAll(reader, slices(2)));
      reader.close();
      expect(names.sort()).toEqual(['a', 'empty', 'file']);
    }
  });

  it('has a descriptor where it is held by one', () => {
    const path = tree();
    const { descriptor } = pinned(path);
    if (pin === pinByPath) expect(descriptor).toBeNull();
    else expect(realpathSync(`/proc/self/fd/${descriptor}`)).toBe(path);
  });

  it('tells of entries that may not be asked for that they are there', async () => {
    const path = tree();
    const root = pinned(path);
    const inner = below(root, 'a');
    expect(await asNobody(path, ['a'], async () => inner.metadata(bytesOf('b')), 0o644)).toBe('refused');
    expect(await asNobody(path, ['a'], async () => inner.lookup(bytesOf('b')), 0o644)).toEqual({ kind: 'denied' });
  });

  it.each([
    ['ENOENT', null],
    ['ENOTDIR', null],
    ['EACCES', 'refused'],
    ['EPERM', 'refused'],
    ['EIO', 'refused'],
    ['ESTALE', 'refused'],
  ])('tells of an entry that the system answers %s for: %s', (code, told) => {
    const root = pinned(tree());
    const failure = systemError(code, 'lstat');
    expect(whileFailing('lstatSync', failure, () => root.metadata(bytesOf('file')), '/file')).toBe(told);
  });

  it.each(['EMFILE', 'ENOMEM'])('fails where the machine has no more to give: %s', (code) => {
    const root = pinned(tree());
    const question = pin === pinByPath ? 'lstatSync' : 'openSync';
    const failure = systemError(code);
    expect(() => whileFailing(question, failure, () => root.lookup(bytesOf('a')), '/a')).toThrow(code);
    expect(() => whileFailing('lstatSync', failure, () => root.metadata(bytesOf('a')), '/a')).toThrow(code);
  });

  it.each(['EMFILE', 'ENOMEM'])('fails where the machine cannot tell where a link leads: %s', (code) => {
    const root = pinned(linked());
    const failing = () => whileFailing('readlinkSync', systemError(code), () => root.lookup(bytesOf('link')), '/link');
    expect(failing).toThrow(code);
  });

  it.each([
    ['ENOENT', 'missing'],
    ['ENAMETOOLONG', 'missing'],
    ['EACCES', 'denied'],
    ['EPERM', 'denied'],
  ])('takes what the system answers %s for as %s', (code, kind) => {
    const root = pinned(tree());
    const question = pin === pinByPath ? 'lstatSync' : 'openSync';
    expect(whileFailing(question, systemError(code), () => root.lookup(bytesOf('a')), '/a')).toEqual({ kind });
  });

  it.each([
    ['ENOENT', 'missing'],
    ['ENAMETOOLONG', 'missing'],
    ['EACCES', 'denied'],
    ['EPERM', 'denied'],
  ])('takes a link that is gone, or refused, when it is asked where it leads (%s) for as %s', (code, kind) => {
    const root = pinned(linked());
    expect(whileFailing('readlinkSync', systemError(code), () => root.lookup(bytesOf('link')), '/link')).toEqual({
      kind,
    });
  });

  it('is not the one that a link leads to', () => {
    const path = tree();
    expect(pin(bytesOf(join(path, 'a/b')))).not.toBeNull();
    symlinkSync('a', join(path, 'alias'));
    expect(pin(bytesOf(join(path, 'alias/b')))).toBeNull();
    expect(() => pin(bytesOf(join(path, 'none')))).toThrow('ENOENT');
  });

  it('leaves nothing open when it is closed, once or twice', () => {
    const path = tree();
    const before = descriptors();
    const root = pin(bytesOf(path)) as DiskDirectory;
    const inner = below(root, 'a');
    inner.up()?.close();
    symlinkSync('a', join(path, 'alias'));
    pin(bytesOf(join(path, 'alias/b')));
    for (const name of ['link', 'file', 'none']) root.lookup(bytesOf(name));
    for (const directory of [inner, root, root]) directory.close();
    expect(descriptors()).toBe(before);
  });
});

describe.runIf(hasDescriptors)('by descriptor', () => {
  const pinned = (root: string) => pinByDescriptor(bytesOf(root)) as DiskDirectory;

  it('stays what it was, whatever is put in its place', () => {
    const path = linked();
    const root = pinned(path);
    renameSync(path, `${path}-moved`);
    mkdirSync(path);
    expect(root.readFile(bytesOf('file'), LARGEST_RULE_FILE)).toBe('four');
    expect(root.isDeleted()).toBe(false);
    root.close();
  });

  it('notices that it was removed', () => {
    const path = linked();
    const [root, empty] = [pinned(path), pinned(join(path, 'empty'))];
    rmSync(join(path, 'empty'), { recursive: true });
    expect(empty.isDeleted()).toBe(true);
    expect(root.isDeleted()).toBe(false);
  });

  it('has no way back when it was moved away, also after the directory above was closed', () => {
    const path = linked();
    const root = pinned(path);
    const found = root.lookup(bytesOf('a'));
    if (found.kind !== 'directory') throw new Error(found.kind);
    root.close();
    const back = found.directory.up();
    expect(back?.readFile(bytesOf('file'), LARGEST_RULE_FILE)).toBe('four');
    back?.close();
    renameSync(join(path, 'a'), join(path, 'empty/a'));
    expect(found.directory.up()).toBeNull();
    found.directory.close();
  });

  it('cannot be used after it was closed', () => {
    const root = pinned(linked());
    root.close();
    const failure = new Error('a pinned directory was used after it was closed');
    for (const use of [() => root.lookup(bytesOf('a')), () => root.identity, () => root.stamp()]) {
      expect(use).toThrow(failure);
    }
  });

  it('asks once more for what was a file or a link, and then is neither', () => {
    const root = pinned(linked());
    let asked = 0;
    const found = whileAnswering(
      'openSync',
      (real) =>
        (...words) => {
          if (asked++ === 0) throw systemError('ENOTDIR');
          return real(...words);
        },
      () => root.lookup(bytesOf('a')),
    );
    expect([found.kind, asked]).toEqual(['directory', 2]);
    if (found.kind === 'directory') found.directory.close();
    root.close();
  });

  it('takes a link for one, whichever way the system refuses to open it', () => {
    const root = pinned(linked());
    for (const code of ['ENOTDIR', 'ELOOP']) {
      const found = whileFailing('openSync', systemError(code), () => root.lookup(bytesOf('link')));
      expect(found).toEqual({ kind: 'link', target: 'a/b' });
    }
    root.close();
  });

  it.each(['EACCES', 'EPERM', 'ENOENT', 'ENOTDIR'])('has no way back where the system answers %s', (code) => {
    const root = pinned(linked());
    const found = root.lookup(bytesOf('a'));
    if (found.kind !== 'directory') throw new Error(found.kind);
    expect(whileFailing('openSync', systemError(code), () => found.directory.up(), '/..')).toBeNull();
    const failure = systemError('EMFILE');
    expect(() => whileFailing('openSync', failure, () => found.directory.up(), '/..')).toThrow(failure);
    for (const directory of [found.directory, root]) directory.close();
  });

  it('has no way back to a directory that the system would not tell of', () => {
    const before = descriptors();
    const root = pinned(linked());
    const found = root.lookup(bytesOf('a'));
    if (found.kind !== 'directory') throw new Error(found.kind);
    whileFailing('fstatSync', systemError('EIO'), () => root.close());
    expect(found.directory.up()).toBeNull();
    found.directory.close();
    expect(descriptors()).toBe(before);
  });

  const LOCAL = [0xef53, 0x58465342, 0x9123683e, 0x01021994, 0x794c7630, 0xf2f52010, 0x2fc12fc1, 0xca451a4e];
  const [NFS, FUSE, PLAN_9] = [0x6969, 0x65735546, 0x01021997];
  const onFileSystem = <T>(type: number, run: () => T): T => whileAnswering('statfsSync', () => () => ({ type }), run);

  it.each(LOCAL)('has a stamp on a disk of this machine: %i', (type) => {
    const root = pinned(linked());
    expect(onFileSystem(type, () => root.stamp())).toMatchObject({ ino: root.identity.ino });
    root.close();
  });

  it.each([NFS, FUSE, PLAN_9])('has none where times may be late or made up: %i', (type) => {
    const root = pinned(linked());
    expect(onFileSystem(type, () => root.stamp())).toBeNull();
    root.close();
  });

  // What is known of a device is remembered, so each row has one of its own.
  it.each([
    ['a small directory on a local disk', 1n, 0xef53, 4096n, false, 'readdirSync'],
    ['the largest small one', 2n, 0xef53, 16_384n, false, 'readdirSync'],
    ['a larger one', 3n, 0xef53, 16_385n, false, 'opendirSync'],
    ['one whose size says nothing', 4n, NFS, 4096n, false, 'opendirSync'],
    ['a larger one, if nobody waits', 5n, 0xef53, 16_385n, true, 'readdirSync'],
    ['any, if nobody waits', 6n, NFS, 4096n, true, 'readdirSync'],
  ] as const)('reads %s as fits', (_, dev, type, size, atOnce, question) => {
    const root = pinned(linked());
    const asked = questionsDuring(() =>
      whileAnswering(
        'fstatSync',
        (real) =>
          (...words) =>
            Object.assign(real(...words), { dev: -dev, size }),
        () => onFileSystem(type, () => root.open(true, atOnce).close()),
      ),
    );
    expect(['readdirSync', 'opendirSync'].filter((one) => asked[one] !== undefined)).toEqual([question]);
    root.close();
  });

  it('asks each device only once what it is', () => {
    const root = pinned(linked());
    root.open(true, false).close();
    expect(questionsDuring(() => root.open(true, false).close()).statfsSync).toBeUndefined();
    root.close();
  });

  it('has a stamp that a change moves', () => {
    const path = emptyDirectory();
    const root = pinned(path);
    const before = root.stamp();
    utimesSync(path, 1, 1);
    const after = root.stamp();
    root.close();
    expect(after).toMatchObject({ ino: before?.ino, dev: before?.dev, mtimeNs: 1_000_000_000n });
    expect(before?.mtimeNs).toBeGreaterThan(1_000_000_000n);
  });
});

describe('by path', () => {
  it('is not used when another one was put in its place', () => {
    const path = tree();
    const root = pinByPath(bytesOf(path)) as DiskDirectory;
    renameSync(path, `${path}-moved`);
    mkdirSync(path);
    writeFileSync(join(path, 'file'), 'other');
    const replaced = 'the directory was replaced while it was being read; call again';
    expect(() => root.readFile(bytesOf('file'), LARGEST_RULE_FILE)).toThrow(replaced);
    // Its own entries have gone with it.
    expect(root.metadata(bytesOf('file'))).toBeNull();
    expect(() => root.lookup(bytesOf('file'))).toThrow(replaced);
    expect(() => root.open(true, false)).toThrow(replaced);
    rmSync(path, { recursive: true });
    symlinkSync(`${path}-moved`, path);
    expect(() => root.readFile(bytesOf('file'), LARGEST_RULE_FILE)).toThrow(replaced);
  });

  it('is not told of when it was replaced while it was read', () => {
    const path = tree();
    const root = pinByPath(bytesOf(path)) as DiskDirectory;
    const reader = root.open(true, false);
    expect(reader.read(new EntryBuffer(), slices(1))).toBe(true);
    renameSync(path, `${path}-moved`);
    mkdirSync(path);
    expect(() => reader.read(new EntryBuffer(), slices(100))).toThrow('the directory was replaced');
    reader.close();
  });

  it('gives no target of a link in a directory that was put in its place', () => {
    const path = tree();
    symlinkSync('inside', join(path, 'to'));
    const root = pinByPath(bytesOf(path)) as DiskDirectory;
    const swapping: Parameters<typeof whileAnswering>[1] =
      (real) =>
      (...words) => {
        renameSync(path, `${path}-moved`);
        mkdirSync(path);
        symlinkSync('of another directory', join(path, 'to'));
        return real(...words);
      };
    const lookup = () => root.lookup(bytesOf('to'));
    expect(() => whileAnswering('readlinkSync', swapping, lookup)).toThrow('the directory was replaced');
  });

  it('is not used through a link above it, even if that leads back to it', () => {
    const path = tree();
    const root = pinByPath(bytesOf(join(path, 'a/b'))) as DiskDirectory;
    expect(root.readFile(bytesOf('c'), LARGEST_RULE_FILE)).toBe('text');
    renameSync(join(path, 'a'), join(path, 'moved'));
    symlinkSync('moved', join(path, 'a'));
    expect(() => root.readFile(bytesOf('c'), LARGEST_RULE_FILE)).toThrow('the directory was replaced');
  });

  it('has no stamp, and cannot tell what was deleted', () => {
    const root = pinByPath(bytesOf(tree())) as DiskDirectory;
    expect([root.stamp(), root.isDeleted()]).toEqual([null, true]);
  });

  it('fails as a system call does where a file stands, so that the file can be listed by itself', () => {
    expect(() => pinByPath(bytesOf(join(tree(), 'file')))).toThrow(expect.objectContaining({ code: 'ENOTDIR' }));
  });
});

describe.runIf(hasDescriptors)('a root is pinned', () => {
  it('by descriptor or by system calls, whichever pays, and without them where they are turned off', () => {
    const root = tree();
    const kinds = [pinRoot, pinWithoutCalls].map((pin) => {
      const directory = pin(bytesOf(root)) as DiskDirectory;
      const kind = typeof directory.descriptor;
      directory.close();
      return kind;
    });
    expect(kinds).toEqual(['number', 'number']);
  });
});

it('directories are the same if both numbers are', () => {
  const one = { dev: 1n, ino: 2n };
  expect(same(one, { ...one })).toBe(true);
  expect(same(one, { ...one, dev: 2n })).toBe(false);
  expect(same(one, { ...one, ino: 1n })).toBe(false);
});

it('what does not pass is closed, and what cannot be asked as well', () => {
  let closed = 0;
  const directory = { close: () => closed++ } as unknown as DiskDirectory;
  expect(closedUnless(() => true, directory)).toBe(directory);
  expect(closed).toBe(0);
  expect(closedUnless(() => false, directory)).toBeNull();
  expect(closed).toBe(1);
  expect(() =>
    closedUnless(() => {
      throw new Error('no answer');
    }, directory),
  ).toThrow('no answer');
  expect(closed).toBe(2);
});
