import { describe, expect, it } from 'vitest';
import { countTypes, ENTRY, type Entry, type EntryForm, formed, noTotals, totalOf } from '../../src/listing/entry.ts';
import { type Bytes, bytesOf } from '../../src/names/bytes.ts';
import { Budget } from '../../src/workspace/budget.ts';
import { EntryBuffer, type EntryType, LEADS_TO_DIRECTORY } from '../../src/workspace/reader.ts';
import type { Metadata } from '../../src/workspace/source.ts';

const METADATA = { type: 'file', size: 3, modified: 1 } as Metadata;

const entryOf = (name: string, type: EntryType = 'file', metadata: Metadata | null = null): Entry => ({
  ...{ name: bytesOf(name), parent: 'p' as Bytes, type, leadsToDirectory: type === 'dir', metadata },
});

describe('an entry as it is', () => {
  it('has all that is known of it', () => {
    expect(ENTRY.key).toBe('entry');
    expect(ENTRY.make('a' as Bytes, 'p' as Bytes, 'link', true, METADATA, true)).toEqual({
      ...{ name: 'a', parent: 'p', type: 'link', leadsToDirectory: true, metadata: METADATA },
    });
  });

  it.each(['', 'p', 'p/q'])('is the same behind what stands before the names of a directory: %j', (parent) => {
    const prefix = ENTRY.prefixIn(parent as Bytes) as Bytes;
    for (const type of ['file', 'dir', 'link', 'other'] as const) {
      for (const leadsToDirectory of [true, false]) {
        expect(ENTRY.makeBehind(prefix, 'a' as Bytes, type, leadsToDirectory)).toEqual({
          ...{ name: 'a', parent, type, leadsToDirectory, metadata: null },
        });
      }
    }
  });

  it('may be given again', () => {
    const entry = entryOf('a');
    expect(ENTRY.copy(entry)).toBe(entry);
  });
});

describe('entries that are at hand', () => {
  it('are made into a form', async () => {
    const said: EntryForm<unknown> = { ...ENTRY, key: 'said', make: (...words) => words };
    expect(await formed([entryOf('a', 'file', METADATA), entryOf('b', 'dir')], said, new Budget())).toEqual([
      ['a', 'p', 'file', false, METADATA, false],
      ['b', 'p', 'dir', true, null, false],
    ]);
  });

  it('stay as they are where that is the form', async () => {
    const entries = [entryOf('a'), entryOf('b')];
    expect(await formed(entries, ENTRY, new Budget())).toBe(entries);
  });
});

describe('how many entries there are of each type', () => {
  const entries = new EntryBuffer();
  for (const type of ['dir', 'file', 'link', 'other', 'file', 'link', 'dir', 'dir', 'file', 'file', 'other'] as const)
    entries.add('n' as Bytes, type);
  entries.types[5] = (entries.types[5] as number) | LEADS_TO_DIRECTORY;

  it('is counted from a position up to another, and added', () => {
    const totals = noTotals();
    expect(totals).toEqual({ file: 0, dir: 0, link: 0, other: 0 });
    countTypes(totals, entries, 0, entries.count);
    expect(totals).toEqual({ file: 4, dir: 3, link: 2, other: 2 });
    countTypes(totals, entries, 1, 10);
    expect(totals).toEqual({ file: 8, dir: 5, link: 4, other: 3 });
    countTypes(totals, entries, 3, 3);
    expect(totals).toEqual({ file: 8, dir: 5, link: 4, other: 3 });
  });

  it('is a number in all', () => {
    expect(totalOf({ file: 1, dir: 20, link: 300, other: 4000 })).toBe(4321);
    expect(totalOf(noTotals())).toBe(0);
  });
});
