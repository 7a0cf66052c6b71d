/** Lines share what they have in common, so a line must not depend on those that were written before it. */
import { describe, expect, it } from 'vitest';
import type { Entry } from '../../src/listing/query.ts';
import type { Bytes } from '../../src/names/bytes.ts';
import { LongLines, type LongOptions } from '../../src/text/long-lines.ts';
import type { Metadata } from '../../src/workspace/source.ts';

const COLUMNS: LongOptions = {
  ...{ header: false, inode: false, octal: false, links: false, numeric: true },
  time: 'default',
};

const FILE: Metadata = {
  ...{ type: 'file', size: 1, mode: 0o100644, user: 1, group: 1, target: null, inode: 7, links: 1 },
  modified: new Date(2024, 0, 15, 10, 30).getTime(),
};

function file(name: string, metadata: Partial<Metadata> | null = {}): Entry {
  const described = metadata && { ...FILE, ...metadata };
  return { name: name as Bytes, parent: '' as Bytes, type: 'file', leadsToDirectory: false, metadata: described };
}

function linesOf(columns: Partial<LongOptions>, ...pages: Entry[][]): string[] {
  const owners = { user: String, group: String };
  const style = { owners, width: null, paint: (text: string) => text, sizes: undefined, statusOf: undefined };
  const lines = new LongLines({ ...style, columns: { ...COLUMNS, ...columns } });
  return pages.flatMap((entries) =>
    lines
      .of(entries, ({ name }) => name)
      .join('')
      .trimEnd()
      .split('\n'),
  );
}

describe('lines that share what they have in common', () => {
  it('have their own owner, mode, size and time', () => {
    const other = { user: 22, mode: 0o100755, size: 10, modified: new Date(2024, 0, 16).getTime() };
    expect(linesOf({}, [file('a'), file('b', other), file('c'), file('d', { mode: 0o100755 })])).toEqual([
      '-rw-r--r--  1   1   1  2024-01-15 10:30  a',
      '-rwxr-xr-x  22  1  10  2024-01-16 00:00  b',
      '-rw-r--r--  1   1   1  2024-01-15 10:30  c',
      '-rwxr-xr-x  1   1   1  2024-01-15 10:30  d',
    ]);
  });

  it('are aligned anew once a column becomes wider', () => {
    const far = { modified: new Date(12345, 0, 1).getTime() };
    expect(linesOf({}, [file('a')], [file('b'), file('c', { user: 333 })], [file('d'), file('e', far)])).toEqual([
      '-rw-r--r--  1  1  1  2024-01-15 10:30  a',
      '-rw-r--r--  1    1  1  2024-01-15 10:30  b',
      '-rw-r--r--  333  1  1  2024-01-15 10:30  c',
      '-rw-r--r--  1    1  1  2024-01-15 10:30   d',
      '-rw-r--r--  1    1  1  12345-01-01 00:00  e',
    ]);
  });

  it('have their own inode', () => {
    expect(linesOf({ inode: true }, [file('a'), file('b', { inode: 12 })])).toEqual([
      ' 7  -rw-r--r--  1  1  1  2024-01-15 10:30  a',
      '12  -rw-r--r--  1  1  1  2024-01-15 10:30  b',
    ]);
  });

  it('do not lend anything to an entry whose stat failed', () => {
    expect(linesOf({}, [file('a'), file('b', null), file('c')])).toEqual([
      '-rw-r--r--  1  1  1  2024-01-15 10:30  a',
      '??????????  ?  ?  ?  ????-??-?? ??:??  b',
      '-rw-r--r--  1  1  1  2024-01-15 10:30  c',
    ]);
  });

  it('are all there, in whatever blocks they come', () => {
    for (const count of [0, 1, 511, 512, 513, 1024, 1500]) {
      const names = Array.from({ length: count }, (_, i) => `f${i}`);
      const lines = linesOf(
        {},
        names.map((name) => file(name)),
      ).filter((line) => line !== '');
      expect(lines.map((line) => line.split('  ').at(-1))).toEqual(names);
    }
  });
});
