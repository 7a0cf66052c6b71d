/** Lines of paths that are copied as bytes say what lines that are made one by one do. */
import { expect, it } from 'vitest';
import { type Bytes, below, bytesOf } from '../../src/names/bytes.ts';
import type { PathForm } from '../../src/text/lines.ts';
import { pathLine } from '../../src/text/lines.ts';
import { PathLines } from '../../src/text/path-lines.ts';
import { EntryBuffer } from '../../src/workspace/reader.ts';

const NAMES = ['a', 'ab', 'abc', 'abcd', 'abcde.ts', 'x'.repeat(255), 'with space', '"quoted', 'é', 'new\nline', '~'];
const LONG = Array.from({ length: 40 }, () => 'deep'.repeat(20)).join('/');

it.each<[string, string, Partial<PathForm>]>([
  ['the listed directory', '', {}],
  ['one below it', 'src/a', {}],
  ['behind a prefix', 'src', { prefix: bytesOf('./root/') }],
  ['a prefix that has to be quoted', 'src', { prefix: bytesOf('é/') }],
  ['a path that has to be quoted', '"src', {}],
  ['a long path', LONG, {}],
  ['each ended by a NUL', 'é', { isNull: true }],
])('%s', (_, path, given) => {
  const form = { prefix: '' as Bytes, isNull: false, ...given } as PathForm;
  const entries = new EntryBuffer();
  for (const [i, name] of NAMES.entries()) entries.add(bytesOf(name), i % 3 === 0 ? 'dir' : 'file');
  const level = { directory: null, path: bytesOf(path), entries };
  const lines = new PathLines(form);
  const expected: string[] = [];
  // More than is collected at a time, in parts of every length.
  for (let round = 0; round < 600; round++) {
    const [from, to] = [round % NAMES.length, Math.min(NAMES.length, (round % NAMES.length) + 1 + (round % 4))];
    lines.take({ ...level }, from, to);
    for (let i = from; i < to; i++) {
      expected.push(pathLine(below(level.path, entries.nameAt(i)), entries.isDirectory(i), form));
    }
  }
  expect(Buffer.concat(lines.output()).toString('latin1')).toBe(expected.join(''));
});
