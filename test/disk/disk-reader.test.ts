import { execFileSync } from 'node:child_process';
import { rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openReader } from '../../src/disk/disk-reader.ts';
import { COST } from '../../src/workspace/budget.ts';
import { type DirectoryReader, EntryBuffer, TypesUnknown } from '../../src/workspace/reader.ts';
import { descriptors } from '../support/descriptors.ts';
import { questionsDuring, systemError, whileFailing } from '../support/disk-answers.ts';
import { listed, namesIn, readAll } from '../support/entries.ts';
import { slices } from '../support/slices.ts';
import { makeTree } from '../support/tree.ts';

type Size = 'small' | 'unknown';

const KINDS = [
  ['at once', 'small', true],
  ['in batches', 'unknown', true],
  ['by name alone', 'unknown', false],
  ['by name alone, small', 'small', false],
] as const;

/** Windows has none of these. */
const HAS_ODD = process.platform !== 'win32';

function tree(): string {
  const root = makeTree({ file: '', dir: null, é: '' });
  if (!HAS_ODD) return root;
  symlinkSync('dir', join(root, 'link'));
  execFileSync('mkfifo', [join(root, 'pipe')]);
  writeFileSync(Buffer.from(`${root}/\xff`, 'latin1'), '');
  return root;
}

const ALL = [
  ['dir', 'dir'],
  ['file', 'file'],
  ...(HAS_ODD ? ['link link', 'pipe other'] : []).map((entry) => entry.split(' ')),
  ['\xc3\xa9', 'file'],
  ...(HAS_ODD ? [['\xff', 'file']] : []),
];

function opened(root: string, size: Size, withTypes: boolean, verify = () => {}): DirectoryReader {
  const reader = openReader(root, size === 'small', withTypes, verify);
  onTestFinished(() => reader.close());
  return reader;
}

describe.each(KINDS)('a directory that is read %s', (_, size, withTypes) => {
  const open = (root: string) => opened(root, size, withTypes);

  it.each([1, 2, 5, 6, 7, 100])('shows each entry once, %i at a time', (count) => {
    const reader = open(tree());
    const entries = new EntryBuffer();
    const budget = slices(count);
    const lengths: number[] = [];
    for (let more = true; more && lengths.length < 20; ) {
      const before = entries.count;
      more = reader.read(entries, budget);
      lengths.push(entries.count - before);
    }
    expect(listed(entries).sort()).toEqual(ALL);
    // A small directory is read at once.
    if (size !== 'small') expect(Math.max(...lengths)).toBe(Math.min(count, ALL.length));
    expect(lengths.length).toBeLessThanOrEqual(Math.ceil(ALL.length / count) + 1);
    expect(budget.entriesRead).toBe(ALL.length);
    const nameBytes = ALL.reduce((sum, [name]) => sum + (name?.length ?? 0), 0);
    const described = withTypes ? 0 : ALL.length * COST.describe;
    expect(budget.steps).toBe(ALL.length * COST.entry + nameBytes * COST.nameByte + described);
  });

  it('shows nothing where nothing is', () => {
    const reader = open(makeTree({}));
    const entries = new EntryBuffer();
    expect(reader.read(entries, slices(10))).toBe(false);
    expect(entries.count).toBe(0);
  });

  it('can be closed again, and leaves nothing open', () => {
    const root = tree();
    const before = descriptors();
    const reader = open(root);
    reader.read(new EntryBuffer(), slices(2));
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
  const budget = slices(2);
  while (reader.read(new EntryBuffer(), budget)) expect(verified).toBe(0);
  expect(verified).toBe(1);
  const replaced = opened(tree(), 'unknown', withTypes, () => {
    throw new Error('replaced');
  });
  expect(() => replaced.read(new EntryBuffer(), slices(100))).toThrow('replaced');
});

it('what vanishes while it is read by name alone is left out', () => {
  const root = tree();
  const reader = opened(root, 'unknown', false);
  rmSync(join(root, 'file'));
  expect(namesIn(readAll(reader, slices(3))).sort()).toEqual(
    ALL.map(([name]) => name).filter((name) => name !== 'file'),
  );
});

it.each([
  ['small', true, { readdirSync: 1 }],
  ['unknown', true, { opendirSync: 1 }],
  ['unknown', false, { readdirSync: 1, lstatSync: ALL.length }],
  ['small', false, { readdirSync: 1, lstatSync: ALL.length }],
] as const)('of a directory of %s size nothing is asked that is not needed (types: %s)', (size, withTypes, asked) => {
  const root = tree();
  expect(questionsDuring(() => opened(root, size, withTypes).read(new EntryBuffer(), slices(100)))).toEqual(asked);
});

it('what is there and cannot be asked for is shown as something else', () => {
  const entries = new EntryBuffer();
  const reader = opened(tree(), 'unknown', false);
  const failure = systemError('EIO', 'lstat');
  whileFailing('lstatSync', failure, () => reader.read(entries, slices(100)), '/file');
  const seen = listed(entries);
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
    const failing = {
      steps: 0,
      entriesRead: 0,
      get isDue(): boolean {
        throw failure;
      },
    };
    expect(thrownBy(() => whileFailing('readdirSync', failure, () => opened(root, 'small', true)))).toBe(told);
    expect(thrownBy(() => opened(root, 'unknown', true).read(new EntryBuffer(), failing))).toBe(told);
  });
});
