import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  isDirectory,
  kindAt,
  LARGEST_PLAIN_FILE,
  readLink,
  readPlainFile,
  realPath,
} from '../../src/workspace/plain-file.ts';
import { systemError, whileAnswering, whileFailing } from '../support/disk-answers.ts';
import { asNobody } from '../support/nobody.ts';
import { makeTree } from '../support/tree.ts';

const tree = () =>
  makeTree({ file: 'text', 'dir/inner': '', link: { link: 'file' }, broken: { link: 'none' }, loop: { link: 'loop' } });

describe('the content of a plain file', () => {
  it('is its bytes, however many they are', () => {
    const root = tree();
    const bytes = Buffer.from(Array.from({ length: 3000 }, (_, i) => i % 256));
    writeFileSync(join(root, 'bytes'), bytes);
    expect(readPlainFile(join(root, 'file'))).toBe('text');
    expect(readPlainFile(join(root, 'bytes'))).toBe(bytes.toString('latin1'));
    expect(readPlainFile(join(root, 'dir/inner'))).toBe('');
  });

  it.each(['none', 'file/none', 'dir', 'broken', 'loop', 'x'.repeat(300), 'a\0b'])('is not there: %j', (name) => {
    for (const links of ['refuse', 'follow'] as const) expect(readPlainFile(join(tree(), name), links)).toBeNull();
  });

  it('is not read through a link, unless that is wished for', () => {
    const path = join(tree(), 'link');
    expect(readPlainFile(path)).toBeNull();
    expect(readPlainFile(path, 'refuse')).toBeNull();
    expect(readPlainFile(path, 'follow')).toBe('text');
  });

  it('is not waited for where a FIFO stands', () => {
    const path = join(tree(), 'fifo');
    execFileSync('mkfifo', [path]);
    expect(readPlainFile(path)).toBeNull();
    expect(kindAt(path)).toBe('other');
  });

  it('is not read where it is larger than any file of rules', () => {
    const path = join(tree(), 'file');
    truncateSync(path, LARGEST_PLAIN_FILE);
    expect(readPlainFile(path)).toHaveLength(4 * 1024 * 1024);
    truncateSync(path, LARGEST_PLAIN_FILE + 1);
    expect(readPlainFile(path)).toBeNull();
  });

  it('is given up where it grows beyond that while it is read', () => {
    const path = join(tree(), 'file');
    let given = 0;
    // Each answer fills the buffer; the file itself would end after four bytes.
    const endless = () => (_fd: number, buffer: Buffer) => {
      given += buffer.length;
      if (given > 3 * LARGEST_PLAIN_FILE) throw new Error('it reads on');
      return buffer.fill('x').length;
    };
    expect(whileAnswering('readSync', endless, () => readPlainFile(path))).toBeNull();
    expect(given).toBeLessThan(LARGEST_PLAIN_FILE + 1024);
  });

  it('is not even begun where the file is too large from the start', () => {
    const path = join(tree(), 'file');
    truncateSync(path, LARGEST_PLAIN_FILE + 1);
    expect(whileFailing('readSync', new Error('it reads'), () => readPlainFile(path))).toBeNull();
  });

  it('is a failure where the machine is to blame', () => {
    const path = join(tree(), 'file');
    for (const code of ['EIO', 'EMFILE']) {
      expect(() => whileFailing('openSync', systemError(code), () => readPlainFile(path))).toThrow(code);
      expect(() => whileFailing('statSync', systemError(code), () => kindAt(path))).toThrow(code);
    }
  });

  it('of what the system makes up is read although it tells no size, if it ends', () => {
    expect(readPlainFile('/proc/self/stat')).toMatch(/^\d+ \(/);
  });

  it('is not there for who may not read it', async () => {
    const root = tree();
    expect(await asNobody(root, ['file'], async () => readPlainFile(join(root, 'file')))).toBeNull();
  });

  it.runIf(existsSync('/proc/self/fd'))('leaves nothing open', () => {
    const root = tree();
    const opened = () => readdirSync('/proc/self/fd').length;
    const before = opened();
    for (const name of ['file', 'dir', 'none', 'link']) readPlainFile(join(root, name));
    expect(opened()).toBe(before);
  });
});

describe('what is at a path', () => {
  it.each([
    ['file', 'file'],
    ['link', 'file'],
    ['dir', 'directory'],
    ['none', null],
    ['broken', null],
    ['loop', null],
    ['file/x', null],
  ])('%s: %s', (name, kind) => {
    const path = join(tree(), name);
    expect(kindAt(path)).toBe(kind);
    expect(isDirectory(path)).toBe(kind === 'directory');
  });

  it('what a link says, and where a path leads', () => {
    const root = tree();
    expect(readLink(join(root, 'link'))).toBe('file');
    expect(readLink(join(root, 'broken'))).toBe('none');
    for (const name of ['file', 'none', 'file/x']) expect(readLink(join(root, name))).toBeNull();
    expect(realPath(join(root, 'link'))).toBe(join(root, 'file'));
    expect(realPath(join(root, 'dir/../link'))).toBe(join(root, 'file'));
    for (const name of ['broken', 'none', 'loop']) expect(realPath(join(root, name))).toBeNull();
  });
});
