import { sep } from 'node:path';
import { expect, it } from 'vitest';
import type { Bytes } from '../../src/names/bytes.ts';

import { withSlashes } from '../../src/names/paths.ts';
import { hyperlink } from '../../src/terminal/terminal-names.ts';

const uriOf = (text: string) => /^\x1b\]8;;(.*)\x1b\\x\x1b\]8;;\x1b\\$/s.exec(text)?.[1] as string;

/** A backslash parts names on Windows, and is a part of one elsewhere. */
const BACKSLASH = sep === '/' ? '%5C' : '/';

it.each([
  ['/a/b.ts', 'file://host/a/b.ts'],
  ['/my dir/a;b%?#', 'file://host/my%20dir/a%3Bb%25%3F%23'],
  ['/a\x1b\\b\x07\n', `file://host/a%1B${BACKSLASH}b%07%0A`],
  ['/\xc3\xa9\xff', 'file://host/%C3%A9%FF'],
])('%j', (path, uri) => {
  expect(uriOf(hyperlink('x', 'host', path as Bytes))).toBe(uri);
});

it('every byte comes back, and none is left that a terminal could act on', () => {
  const bytes = Array.from({ length: 255 }, (_, i) => String.fromCharCode(i + 1)).join('') as Bytes;
  const uri = uriOf(hyperlink('x', 'h', bytes));
  expect(uri).toMatch(/^[\w.~/:%-]+$/);
  expect(unescape(uri.slice('file://h'.length))).toBe(withSlashes(bytes));
});

it('a hostile name of the machine is no way in', () => {
  expect(uriOf(hyperlink('x', 'a\x1b]é', '/' as Bytes))).toBe('file://a%1B%5D%C3%A9/');
});
