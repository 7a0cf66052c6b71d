import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Bytes } from '../../src/workspace/bytes.ts';
import {
  type DirectoryReader,
  type EntryType,
  openReader,
  type Size,
  TypesUnknown,
} from '../../src/workspace/reader.ts';
import { descriptors } from '../support/descriptors.ts';
import { questionsDuring, systemError, whileFailing } from '../support/disk-answers.ts';
import { makeTree } from '../support/tree.ts';

const KINDS = [
  ['at once', 'small', true],
  ['in batches', 'unknown', true],
  ['by name alone', 'unknown', false],
  ['by name alone, small', 'small', false],
] as const;

function tree(): string {
  const root = makeTree({ file: '', dir: null, link: { link: 'dir' }, é: '' });
  execFileSync('mkfifo', [join(root, 'pipe')]);
  writeFileSync(Buffer.from(`${root}/\xff`, 'latin1'), '');
  return root;
}

const ALL = [
  ['dir', 'dir'],
  ['file', 'file'],
  ['link', 'link'],
  ['pipe', 'other'],
  ['\xc3\xa9', 'file'],
  ['\xff', 'file'],
];

function opened(root: string, size: Size, withTypes: boolean, verify = () => {}): DirectoryReader {
  const reader = openReader(root, size, withTypes, verify);
  onTestFinished(() => reader.close());
  return reader;
}

describe.each(KINDS)('a directory that is read %s', (_, size, withTypes) => {
  const open = (root: string) => opened(root, size, withTypes);

  it.each([1, 2, 5, 6, 7, 100])('shows each entry once, %i at a time', (count) => {
    const reader = open(tree());
    const seen: [Bytes, EntryType][] = [];
    const slices: number[] = [];
    for (let more = true; more; ) {
      const before = seen.length;
      more = reader.read(count, (name, type) => seen.push([name, type]) > 0);
      slices.push(seen.length - before);
      if (slices.length > 20) break;
    }
    expect(seen.sort()).toEqual(ALL);
    expect(Math.max(...slices)).toBe(Math.min(count, ALL.length));
    expect(slices.length).toBeLessThanOrEqual(Math.ceil(ALL.length / count) + 1);
  });

  it('ends a slice where the visitor says so, and goes on behind it', () => {
    const reader = open(tree());
    const seen: Bytes[] = [];
    const one = (name: Bytes) => seen.push(name) < 0;
    for (let i = 0; i < 4; i++) expect(reader.read(100, one)).toBe(true);
    expect(seen).toHaveLength(4);
    while (reader.read(100, (name) => seen.push(name) > 0));
    expect(seen.sort()).toEqual(ALL.map(([name]) => name));
    expect(reader.read(100, () => expect.unreachable())).toBe(false);
  });

  it('is taken whole: names, and the types of what is no file', () => {
    const reader = open(tree());
    const names: Bytes[] = [];
    const types = new Map<Bytes, EntryType>();
    expect(reader.take(100, names, types)).toBe(false);
    expect(names.sort()).toEqual(ALL.map(([name]) => name));
    expect([...types].sort()).toEqual(ALL.filter(([, type]) => type !== 'file'));
  });

  it('shows nothing where nothing is', () => {
    const reader = open(makeTree({}));
    expect(reader.read(10, () => expect.unreachable())).toBe(false);
    expect(reader.take(10, [], new Map())).toBe(false);
  });

  it('can be closed again, and leaves nothing open', () => {
    const root = tree();
    const before = descriptors();
    const reader = open(root);
    reader.read(2, () => true);
    reader.close();
    reader.close();
    expect(descriptors()).toBe(before);
  });

  it('fails where there is no directory', () => {
    expect(() => open(join(tree(), 'none'))).toThrow('ENOENT');
    expect(() => open(join(tree(), 'file'))).toThrow('ENOTDIR');
  });
});

it.each([true, false])('is verified when all of it was read, and not before (types: %s)', (withTypes) => {
  let verified = 0;
  const reader = opened(tree(), 'unknown', withTypes, () => verified++);
  while (reader.read(2, () => true)) expect(verified).toBe(0);
  expect(verified).toBe(1);
  const replaced = opened(tree(), 'unknown', withTypes, () => {
    throw new Error('replaced');
  });
  expect(() => replaced.read(100, () => true)).toThrow('replaced');
});

it('what vanishes while it is read by name alone is left out', () => {
  const root = tree();
  const reader = opened(root, 'unknown', false);
  rmSync(join(root, 'file'));
  const seen: Bytes[] = [];
  while (reader.read(3, (name) => seen.push(name) > 0));
  expect(seen.sort()).toEqual(ALL.map(([name]) => name).filter((name) => name !== 'file'));
});

it.each([
  ['small', true, { readdirSync: 1 }],
  ['unknown', true, { opendirSync: 1 }],
  ['unknown', false, { readdirSync: 1, lstatSync: ALL.length }],
  ['small', false, { readdirSync: 1, lstatSync: ALL.length }],
] as const)('of a directory of %s size nothing is asked that is not needed (types: %s)', (size, withTypes, asked) => {
  const root = tree();
  expect(questionsDuring(() => opened(root, size, withTypes).read(100, () => true))).toEqual(asked);
});

it('what is there and cannot be asked for is shown as something else', () => {
  const seen: [Bytes, EntryType][] = [];
  const reader = opened(tree(), 'unknown', false);
  const failure = systemError('EIO', 'lstat');
  whileFailing('lstatSync', failure, () => reader.read(100, (name, type) => seen.push([name, type]) > 0), '/file');
  expect(seen.sort()).toEqual(ALL.map(([name, type]) => [name, name === 'file' ? 'other' : type]));
});

describe('a reading that Node gives up', () => {
  it.each([
    ['because the system did not tell a type', systemError('ENOENT', 'lstat'), 'types unknown'],
    ['because the directory cannot be read', systemError('EIO', 'scandir'), 'as it is'],
    ['for a reason of its own', new Error('lstat'), 'as it is'],
    ['with something that is no error', { syscall: 'lstat' }, 'as it is'],
  ])('%s', (_, failure, told) => {
    const thrownBy = (run: () => void): unknown => {
      try {
        run();
      } catch (error) {
        if (error === failure) return 'as it is';
        return error instanceof TypesUnknown ? 'types unknown' : error;
      }
      return 'nothing';
    };
    const root = tree();
    const fail = () => {
      throw failure;
    };
    expect(thrownBy(() => whileFailing('readdirSync', failure, () => opened(root, 'small', true)))).toBe(told);
    expect(thrownBy(() => opened(root, 'unknown', true).read(1, fail))).toBe(told);
  });
});
