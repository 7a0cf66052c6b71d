import {
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { bytesOf } from '../../src/workspace/bytes.ts';
import { keptIf, type PinnedDirectory, type PinRoot, pinByDescriptor, pinByPath } from '../../src/workspace/pinned.ts';
import { asNobody } from '../support/nobody.ts';
import { emptyDirectory, makeTree } from '../support/tree.ts';

const hasProc = existsSync('/proc/self/fd');
const pins: [string, PinRoot][] = [['by path', pinByPath]];
if (hasProc) pins.push(['by descriptor', pinByDescriptor]);

const tree = () =>
  makeTree({ 'a/b/c': 'text', file: 'four', link: { link: 'a/b' }, broken: { link: 'nowhere' }, empty: null });

const descriptors = () => (hasProc ? readdirSync('/proc/self/fd').length : 0);

describe.each(pins)('a directory that is pinned %s', (_, pin) => {
  const pinned = (root: string): PinnedDirectory => {
    const directory = pin(bytesOf(root));
    if (directory === null) throw new Error(`${root} was not pinned`);
    onTestFinished(() => directory.close());
    return directory;
  };

  const below = (directory: PinnedDirectory, name: string): PinnedDirectory => {
    const sight = directory.look(bytesOf(name));
    if (sight.kind !== 'directory') throw new Error(`${name} is ${sight.kind}`);
    onTestFinished(() => sight.directory.close());
    return sight.directory;
  };

  it('tells what stands behind a name, and follows no link', () => {
    const root = pinned(tree());
    const look = (name: string) => root.look(bytesOf(name));
    expect(look('a').kind).toBe('directory');
    expect(look('link')).toEqual({ kind: 'link', target: 'a/b' });
    expect(look('broken')).toEqual({ kind: 'link', target: 'nowhere' });
    expect(look('file')).toEqual({ kind: 'not-a-directory' });
    expect(look('none')).toEqual({ kind: 'missing' });
    expect(look('x'.repeat(300))).toEqual({ kind: 'missing' });
  });

  it('knows where it is, and the way back', () => {
    const root = pinned(tree());
    const inner = below(below(root, 'a'), 'b');
    expect([root.path, inner.parent?.path, inner.path]).toEqual(['', 'a', 'a/b']);
    expect(root.parent).toBeNull();
    expect(root.up()).toBeNull();
    const above = inner.up();
    expect(above?.path).toBe('a');
    expect(above?.identity).toMatchObject({ ino: inner.parent?.identity.ino, dev: inner.parent?.identity.dev });
    expect(above?.up()?.path).toBe('');
    above?.close();
  });

  it('reads files and entries, and tells of them', () => {
    const path = tree();
    utimesSync(join(path, 'file'), 5, 7.5);
    const root = pinned(path);
    expect(root.readFile(bytesOf('file'))).toBe('four');
    expect(below(below(root, 'a'), 'b').readFile(bytesOf('c'))).toBe('text');
    for (const name of ['link', 'a', 'none']) expect(root.readFile(bytesOf(name))).toBeNull();
    expect(root.metadata(bytesOf('file'))).toMatchObject({ type: 'file', size: 4, modified: 7500, target: null });
    expect(root.metadata(bytesOf('link'))).toMatchObject({ type: 'link', target: 'a/b' });
    expect(root.metadata(bytesOf('a'))).toMatchObject({ type: 'dir', target: null });
    expect(root.metadata(bytesOf('none'))).toBeNull();
    expect(root.reach((here) => readdirSync(here).sort())).toEqual(['a', 'broken', 'empty', 'file', 'link']);
    for (const atOnce of [true, false]) {
      const reader = root.open(true, atOnce);
      const names: string[] = [];
      while (reader.read(2, (name) => names.push(name) > 0));
      reader.close();
      expect(names.sort()).toEqual(['a', 'broken', 'empty', 'file', 'link']);
    }
  });

  it('tells of entries that may not be asked for that they are there', async () => {
    const path = tree();
    const root = pinned(path);
    const inner = below(root, 'a');
    expect(await asNobody(path, ['a'], async () => inner.metadata(bytesOf('b')), 0o644)).toBe('refused');
    expect(await asNobody(path, ['a'], async () => inner.look(bytesOf('b')), 0o644)).toEqual({ kind: 'denied' });
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
    const root = pin(bytesOf(path)) as PinnedDirectory;
    const inner = below(root, 'a');
    inner.up()?.close();
    symlinkSync('a', join(path, 'alias'));
    pin(bytesOf(join(path, 'alias/b')));
    for (const name of ['link', 'file', 'none']) root.look(bytesOf(name));
    for (const directory of [inner, root, root]) directory.close();
    expect(descriptors()).toBe(before);
  });
});

describe.runIf(hasProc)('by descriptor', () => {
  const pinned = (root: string) => pinByDescriptor(bytesOf(root)) as PinnedDirectory;

  it('stays what it was, whatever is put in its place', () => {
    const path = tree();
    const root = pinned(path);
    renameSync(path, `${path}-moved`);
    mkdirSync(path);
    expect(root.readFile(bytesOf('file'))).toBe('four');
    expect(root.isDeleted()).toBe(false);
    root.close();
  });

  it('notices that it was removed', () => {
    const path = tree();
    const root = pinned(path);
    const sight = root.look(bytesOf('empty'));
    if (sight.kind !== 'directory') throw new Error(sight.kind);
    rmSync(join(path, 'empty'), { recursive: true });
    expect(sight.directory.isDeleted()).toBe(true);
    expect(root.isDeleted()).toBe(false);
    for (const directory of [sight.directory, root]) directory.close();
  });

  it('has no way back when it was moved away, also after the directory above was closed', () => {
    const path = tree();
    const root = pinned(path);
    const sight = root.look(bytesOf('a'));
    if (sight.kind !== 'directory') throw new Error(sight.kind);
    root.close();
    const back = sight.directory.up();
    expect(back?.readFile(bytesOf('file'))).toBe('four');
    back?.close();
    renameSync(join(path, 'a'), join(path, 'empty/a'));
    expect(sight.directory.up()).toBeNull();
    sight.directory.close();
  });

  it('cannot be used after it was closed', () => {
    const root = pinned(tree());
    root.close();
    for (const use of [() => root.look(bytesOf('a')), () => root.identity, () => root.stamp()]) {
      expect(use).toThrow('a pinned directory was used after it was closed');
    }
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
    const root = pinByPath(bytesOf(path)) as PinnedDirectory;
    renameSync(path, `${path}-moved`);
    mkdirSync(path);
    writeFileSync(join(path, 'file'), 'other');
    const replaced = 'the directory was replaced while it was being read; call again';
    expect(() => root.readFile(bytesOf('file'))).toThrow(replaced);
    expect(() => root.metadata(bytesOf('file'))).toThrow(replaced);
    expect(() => root.look(bytesOf('file'))).toThrow(replaced);
    expect(() => root.open(true, false)).toThrow(replaced);
    expect(() => root.reach(() => 1)).toThrow(replaced);
    rmSync(path, { recursive: true });
    symlinkSync(`${path}-moved`, path);
    expect(() => root.readFile(bytesOf('file'))).toThrow(replaced);
  });

  it('has no stamp, and cannot tell what was deleted', () => {
    const root = pinByPath(bytesOf(tree())) as PinnedDirectory;
    expect([root.stamp(), root.isDeleted()]).toEqual([null, true]);
  });

  it('is none where a file stands', () => {
    expect(pinByPath(bytesOf(join(tree(), 'file')))).toBeNull();
  });
});

it('what does not pass is closed, and what cannot be asked as well', () => {
  let closed = 0;
  const directory = { close: () => closed++ } as unknown as PinnedDirectory;
  expect(keptIf(() => true, directory)).toBe(directory);
  expect(closed).toBe(0);
  expect(keptIf(() => false, directory)).toBeNull();
  expect(closed).toBe(1);
  expect(() =>
    keptIf(() => {
      throw new Error('no answer');
    }, directory),
  ).toThrow('no answer');
  expect(closed).toBe(2);
});
