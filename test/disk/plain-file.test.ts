import { execFileSync } from 'node:child_process';
import { readdirSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readPlainFile, readThroughLinks, realPath } from '../../src/disk/plain-file.ts';
import { LARGEST_RULE_FILE, SkippedFile } from '../../src/workspace/source.ts';
import { hasDescriptors } from '../support/descriptors.ts';
import { questionsDuring, systemError, whileAnswering, whileFailing } from '../support/disk-answers.ts';
import { asNobody } from '../support/nobody.ts';
import { makeTree, type TreeLiteral, withLinksOn } from '../support/tree.ts';
import { skipOnWindows } from '../support/windows.ts';

const TREE: TreeLiteral = {
  ...{ file: 'text', 'dir/inner': '', link: { link: 'file' }, broken: { link: 'none' }, loop: { link: 'loop' } },
  ...{ way: { link: 'dir' }, 'to-dir': { link: 'dir' } },
};
/** With the links of these names. */
const tree = (links = '') => makeTree(withLinksOn(links, TREE));
const ALL_LINKS = 'link/broken/loop/way/to-dir';

const LINK = new SkippedFile('is a link');
const NOT_PLAIN = new SkippedFile('is not a plain file');
const UNREADABLE = new SkippedFile('cannot be read');
const TOO_LARGE = new SkippedFile('is larger than 1 MB');

describe('the content of a plain file', () => {
  it('is its bytes, however many they are', () => {
    const root = tree();
    const bytes = Buffer.from(Array.from({ length: 3000 }, (_, i) => i % 256));
    writeFileSync(join(root, 'bytes'), bytes);
    for (const read of [readPlainFile, readThroughLinks]) {
      expect(read(join(root, 'file'))).toBe('text');
      expect(read(join(root, 'bytes'))).toBe(bytes.toString('latin1'));
      expect(read(join(root, 'dir/inner'))).toBe('');
    }
  });

  it.each(['none', 'file/none', 'x'.repeat(300), 'a\0b'])('is not there: %j', (name) => {
    for (const read of [readPlainFile, readThroughLinks]) expect(read(join(tree(), name))).toBeNull();
  });

  it.each<[string, SkippedFile]>([
    ['dir', NOT_PLAIN],
    ['broken', LINK],
    ['loop', LINK],
    ['link', LINK],
    ['to-dir', LINK],
  ])('is not read where something else stands: %s', (name, expected) => {
    expect(readPlainFile(join(tree(name), name))).toEqual(expected);
  });

  it('is read through links where that is asked for, and whatever else stands there is as nothing', () => {
    const root = tree(ALL_LINKS);
    const read = (name: string) => readThroughLinks(join(root, name));
    expect([read('link'), read('way/inner')]).toEqual(['text', '']);
    expect(['dir', 'to-dir', 'broken', 'loop'].map(read)).toEqual([null, null, null, null]);
    truncateSync(join(root, 'file'), 101);
    expect(readThroughLinks(join(root, 'link'), 100)).toBeNull();
    expect(readThroughLinks(join(root, 'link'), 101)).toHaveLength(101);
  });

  it('is not waited for where a FIFO stands, which is not even opened', () => {
    const path = join(tree(), 'fifo');
    execFileSync('mkfifo', [path]);
    expect(readPlainFile(path)).toEqual(NOT_PLAIN);
    expect(readThroughLinks(path)).toBeNull();
    expect(questionsDuring(() => readPlainFile(path)).openSync).toBeUndefined();
  });

  it.each(['link', 'dir', 'none', 'broken'])('is not opened where it is not known to be one: %s', (name) => {
    const path = join(tree(name), name);
    expect(questionsDuring(() => readPlainFile(path)).openSync).toBeUndefined();
  });

  it('is not read where something else was put in its place after all', () => {
    const root = tree('link');
    // The first look sees a file, and then a link or a directory stands there.
    const asFile: Parameters<typeof whileAnswering>[1] =
      (real) =>
      (_, ...words) =>
        real(join(root, 'file'), ...words);
    const swapped = (name: string) => whileAnswering('lstatSync', asFile, () => readPlainFile(join(root, name)));
    expect([swapped('link'), swapped('dir'), swapped('none')]).toEqual([UNREADABLE, UNREADABLE, null]);
  });

  it('is not read where it is larger than any file of rules', () => {
    const path = join(tree(), 'file');
    truncateSync(path, LARGEST_RULE_FILE);
    expect(readPlainFile(path)).toHaveLength(1024 * 1024);
    truncateSync(path, LARGEST_RULE_FILE + 1);
    expect(readPlainFile(path)).toEqual(TOO_LARGE);
  });

  it.each<[number, string]>([
    [100, 'is larger than 100 bytes'],
    [8 * 1024, 'is larger than 8192 bytes'],
    [2 * 1024 * 1024, 'is larger than 2 MB'],
  ])('has another limit where one is set: %i', (largest, reason) => {
    const path = join(tree(), 'file');
    truncateSync(path, largest);
    expect(readPlainFile(path, largest)).toHaveLength(largest);
    truncateSync(path, largest + 1);
    expect(readPlainFile(path, largest)).toEqual(new SkippedFile(reason));
  });

  it('is given up where it grows beyond that while it is read', () => {
    const path = join(tree(), 'file');
    let given = 0;
    // Each answer fills the buffer; the file itself would end after four bytes.
    const endless = () => (_fd: number, buffer: Buffer) => {
      given += buffer.length;
      if (given > 3 * LARGEST_RULE_FILE) throw new Error('it reads on');
      return buffer.fill('x').length;
    };
    expect(whileAnswering('readSync', endless, () => readPlainFile(path))).toEqual(TOO_LARGE);
    expect(given).toBeLessThan(LARGEST_RULE_FILE + 1024);
  });

  it('is not even begun where the file is too large from the start', () => {
    const path = join(tree(), 'file');
    truncateSync(path, LARGEST_RULE_FILE + 1);
    expect(whileFailing('readSync', new Error('it reads'), () => readPlainFile(path))).toEqual(TOO_LARGE);
  });

  it('is a failure where the machine is to blame', () => {
    const path = join(tree(), 'file');
    for (const code of ['EIO', 'EMFILE']) {
      for (const question of ['openSync', 'lstatSync'] as const) {
        expect(() => whileFailing(question, systemError(code), () => readPlainFile(path))).toThrow(code);
      }
    }
  });

  it('of what the system makes up is read although it tells no size, if it ends', () => {
    skipOnWindows('files that the system makes up');
    for (const read of [readPlainFile, readThroughLinks]) expect(read('/proc/self/stat')).toMatch(/^\d+ \(/);
  });

  it('is not read for who may not', async () => {
    const root = tree();
    const path = join(root, 'file');
    expect(await asNobody(root, ['file'], async () => readPlainFile(path))).toEqual(UNREADABLE);
    expect(await asNobody(root, ['file'], async () => readThroughLinks(path))).toBeNull();
  });

  it('is not there for who may not enter its directory', async () => {
    const root = tree();
    expect(await asNobody(root, ['dir'], async () => readPlainFile(join(root, 'dir/inner')))).toBeNull();
  });

  it.runIf(hasDescriptors)('leaves nothing open', () => {
    const root = tree('link');
    const opened = () => readdirSync('/proc/self/fd').length;
    truncateSync(join(root, 'dir/inner'), LARGEST_RULE_FILE + 1);
    const before = opened();
    for (const name of ['file', 'dir', 'none', 'link', 'dir/inner']) {
      readPlainFile(join(root, name));
      readThroughLinks(join(root, name));
    }
    expect(opened()).toBe(before);
  });
});

it('where a path leads', () => {
  const root = tree(ALL_LINKS);
  expect(realPath(join(root, 'link'))).toBe(join(root, 'file'));
  expect(realPath(join(root, 'dir/../link'))).toBe(join(root, 'file'));
  expect(realPath(join(root, 'way/inner'))).toBe(join(root, 'dir/inner'));
  for (const name of ['broken', 'none', 'loop', 'file/x']) expect(realPath(join(root, name))).toBeNull();
});
