import { describe, expect, it } from 'vitest';
import type { Selection, Where } from '../../src/listing/query.ts';
import { type FilesInDirectory, selectedTypes, selectorFor } from '../../src/listing/select.ts';
import { type Bytes, bytesOf } from '../../src/names/bytes.ts';
import { compileNamePattern } from '../../src/rules/name-pattern.ts';
import { ListingError } from '../../src/workspace/listing-error.ts';
import { EntryBuffer, type EntryType } from '../../src/workspace/reader.ts';
import type { Metadata } from '../../src/workspace/source.ts';
import { namesIn } from '../support/entries.ts';
import { at } from '../support/paths.ts';

const EVERYTHING: Selection = { pattern: null, types: 'all' };
const ANY: Where = {
  ...{ types: null, extensions: null },
  ...{ changedAfter: Number.NEGATIVE_INFINITY, changedBefore: Number.POSITIVE_INFINITY },
  ...{ least: 0, most: Number.POSITIVE_INFINITY },
};
const IN_SUB = bytesOf('sub');

/** What the system knows of the entries of `held`; of `gone` it knows nothing. */
const KNOWN: Record<string, Partial<Metadata> & { type: EntryType }> = {
  'a.TS': { type: 'file', size: 10, modified: 100, mode: 0o644 },
  'b.js': { type: 'file', size: 20, modified: 200, mode: 0o755 },
  'c.ts': { type: 'file', size: 30, modified: 300, mode: 0o610 },
  run: { type: 'file', size: 0, modified: 250, mode: 0o601 },
  odd: { type: 'file', size: 20, modified: 200, mode: null },
  'd.ts': { type: 'dir', size: 4096, modified: 200, mode: 0o755 },
  link: { type: 'link', size: 25, modified: 200, mode: 0o777 },
  pipe: { type: 'other', size: 20, modified: 300, mode: 0o644 },
};

function everyEntry(): EntryBuffer {
  const entries = new EntryBuffer();
  for (const [name, { type }] of Object.entries(KNOWN)) entries.add(bytesOf(name), type);
  entries.add(bytesOf('gone'), 'file');
  return entries;
}

function heldDirectory() {
  const asked: string[] = [];
  const held: FilesInDirectory = {
    path: at('held'),
    entryAt: (path) => {
      asked.push(path);
      return (KNOWN[path.replace(/^held\//, '')] ?? null) as Metadata | null;
    },
  };
  return { held, asked };
}

/** The names of those that are selected, and what the system was asked about. */
async function selected(selection: Partial<Selection>, names?: readonly string[]) {
  const select = await selectorFor({ ...EVERYTHING, ...selection }, { steps: 0 });
  const entries = names === undefined ? everyEntry() : new EntryBuffer();
  for (const name of names ?? []) entries.add(bytesOf(name), 'file');
  const { held, asked } = heldDirectory();
  const found = namesIn(entries).filter((_, i) => select === null || select(entries, i, IN_SUB, held));
  return { found: found.join(' '), asked };
}

const where = async (conditions: Partial<Where>) => (await selected({ where: { ...ANY, ...conditions } })).found;

it('everything is selected where nothing is asked for', async () => {
  expect(await selectorFor(EVERYTHING, { steps: 0 })).toBeNull();
  expect(await selectorFor({ ...EVERYTHING, where: ANY }, { steps: 0 })).toBeNull();
});

it('a filter is told the path from where paths are shown', async () => {
  const entries = new EntryBuffer();
  entries.add(bytesOf('first'), 'file');
  entries.add(bytesOf('second'), 'dir');
  const told: unknown[] = [];
  const filter: Selection['filter'] = (...words) => {
    told.push(words);
    return words[0] === 'second';
  };
  const select = await selectorFor({ ...EVERYTHING, filter }, { steps: 0 });
  expect(select?.(entries, 1, IN_SUB)).toBe(true);
  expect(select?.(entries, 0, '' as Bytes)).toBe(false);
  expect(told).toEqual([
    ['second', 'sub/second', 'dir'],
    ['first', 'first', 'file'],
  ]);
});

describe('entries are selected by their type', () => {
  it.each<[Selection['types'], string]>([
    ['files', 'a.TS b.js c.ts run odd gone'],
    ['directories', 'd.ts'],
    ['all', 'a.TS b.js c.ts run odd d.ts link pipe gone'],
  ])('%s', async (types, expected) => {
    expect((await selected({ types })).found).toBe(expected);
  });

  it('and as numbers, where nothing else matters', () => {
    expect(selectedTypes(EVERYTHING)).toBe(0b1111);
    expect(selectedTypes({ ...EVERYTHING, types: 'files' })).toBe(0b0001);
    expect(selectedTypes({ ...EVERYTHING, types: 'directories' })).toBe(0b0010);
    expect(selectedTypes({ ...EVERYTHING, pattern: '*' })).toBeNull();
    expect(selectedTypes({ ...EVERYTHING, where: ANY })).toBeNull();
    expect(selectedTypes({ ...EVERYTHING, filter: () => true })).toBeNull();
  });
});

describe('entries are selected by patterns', () => {
  it.each<[string, string | string[], string]>([
    ['one', '*.ts', 'a.ts b.spec.ts'],
    ['one on the path', 'sub/*.js', 'c.js'],
    ['one on another path', 'other/*.js', ''],
    ['one in a list', ['*.md'], 'd.md'],
    ['one of several', ['*.md', '*.js'], 'c.js d.md'],
    ['one that is negated', '!*.ts', 'c.js d.md'],
    ['one and not the other', ['*.ts', '!*.spec.*'], 'a.ts'],
    ['neither of two', ['!*.ts', '!*.md'], 'c.js'],
    ['none', [], 'a.ts b.spec.ts c.js d.md'],
  ])('%s', async (_, pattern, expected) => {
    expect((await selected({ pattern }, ['a.ts', 'b.spec.ts', 'c.js', 'd.md'])).found).toBe(expected);
  });

  it('whose work is charged', async () => {
    const entries = everyEntry();
    for (const pattern of ['*.ts', ['*.ts', '*.js'], ['!*.ts', '!*.js']]) {
      const effort = { steps: 0 };
      const select = await selectorFor({ ...EVERYTHING, pattern }, effort);
      select?.(entries, 0, IN_SUB);
      expect(effort.steps).toBeGreaterThan(0);
    }
  });

  it('of which a bad one is refused', async () => {
    const failure = await selectorFor({ ...EVERYTHING, pattern: ['*', 'x'.repeat(1001)] }, { steps: 0 }).catch(
      (error: unknown) => error,
    );
    expect(failure).toBeInstanceOf(ListingError);
    expect(failure).toMatchObject({
      kind: 'bad-pattern',
      message: 'pattern must be at most 1000 characters long. Send a shorter one.',
    });
  });

  it('and a mistake of the caller is no bad pattern', async () => {
    const failure = await compileNamePattern(null as unknown as string).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(TypeError);
  });

  it('that match a leading dot if that is asked for', async () => {
    const matches = async (options?: { dot: boolean }) =>
      (await compileNamePattern('*', options)).matches(bytesOf('.a'), bytesOf('.a'), { steps: 0 });
    expect([await matches(), await matches({ dot: false }), await matches({ dot: true })]).toEqual([
      ...[false, false, true],
    ]);
  });
});

describe('entries are selected by what the system knows of them', () => {
  it.each<[string, Partial<Where>, string]>([
    ['types', { types: ['dir', 'link'] }, 'd.ts link'],
    ['files', { types: ['file'] }, 'a.TS b.js c.ts run odd gone'],
    ['executables', { types: ['executable'] }, 'b.js c.ts run'],
    ['executables and others', { types: ['dir', 'executable'] }, 'b.js c.ts run d.ts'],
    ['executables and pipes', { types: ['other', 'executable'] }, 'b.js c.ts run pipe'],
    ['executables, which are files', { types: ['executable', 'file'] }, 'a.TS b.js c.ts run odd gone'],
    ['no type at all', { types: [] }, ''],
    ['extensions of files, in any case', { extensions: ['ts'] }, 'a.TS c.ts'],
    ['several of them', { extensions: ['ts', 'js'] }, 'a.TS b.js c.ts'],
    ['no extension', { extensions: [''] }, 'run odd gone'],
    ['files of a size at least', { least: 20 }, 'b.js c.ts odd'],
    ['files of a size at the most', { most: 20 }, 'a.TS b.js run odd'],
    ['files of one size', { least: 20, most: 20 }, 'b.js odd'],
    ['files of any size that is known', { least: 1 }, 'a.TS b.js c.ts odd'],
    ['changed from a time on', { changedAfter: 250 }, 'c.ts run pipe'],
    ['changed up to a time', { changedBefore: 200 }, 'a.TS b.js odd d.ts link'],
    ['changed between two', { changedAfter: 200, changedBefore: 250 }, 'b.js run odd d.ts link'],
    ['executables of a time', { types: ['executable'], changedAfter: 250 }, 'c.ts run'],
    ['small executables', { types: ['executable'], most: 20 }, 'b.js run'],
    ['by all together', { types: ['file'], extensions: ['ts'], changedAfter: 200, least: 5 }, 'c.ts'],
  ])('%s', async (_, conditions, expected) => {
    expect(await where(conditions)).toBe(expected);
  });

  it('which it is not asked where the name and the type tell', async () => {
    const asked = async (conditions: Partial<Where>) => (await selected({ where: { ...ANY, ...conditions } })).asked;
    expect(await asked({ types: ['dir', 'file', 'executable'] })).toEqual([]);
    expect(await asked({ types: ['file'], extensions: ['ts'] })).toEqual([]);
    expect(await asked({ extensions: ['ts'], least: 1 })).toEqual(['held/a.TS', 'held/c.ts']);
    expect(await asked({ types: ['executable', 'link'] })).toEqual([
      ...['a.TS', 'b.js', 'c.ts', 'run', 'odd', 'link', 'gone'].map((name) => `held/${name}`),
    ]);
  });

  it('and what it does not know counts only where that is asked for', async () => {
    const entries = new EntryBuffer();
    entries.add(bytesOf('file'), 'file');
    const found = async (known: Partial<Metadata>, conditions: Partial<Where>) => {
      const select = await selectorFor({ ...EVERYTHING, where: { ...ANY, ...conditions } }, { steps: 0 });
      const metadata = { type: 'file', size: 50, modified: 100, mode: 0o755, ...known } as Metadata;
      return select?.(entries, 0, IN_SUB, { path: at('held'), entryAt: () => metadata });
    };
    const [untimed, unsized] = [{ modified: Number.NaN }, { size: Number.NaN }];
    expect([await found(untimed, { least: 10 }), await found(unsized, { changedAfter: 10 })]).toEqual([true, true]);
    expect(await found(untimed, { types: ['executable'] })).toBe(true);
    expect([await found(unsized, { least: 10 }), await found(untimed, { changedAfter: 10 })]).toEqual([false, false]);
  });

  it('and not at all where there is nobody to ask', async () => {
    const select = await selectorFor({ ...EVERYTHING, where: { ...ANY, least: 1 } }, { steps: 0 });
    expect(select?.(everyEntry(), 0, IN_SUB)).toBe(false);
  });
});

it('all conditions have to hold, and the filter of the caller is asked last', async () => {
  const asked: unknown[] = [];
  const { found, asked: described } = await selected({
    ...{ types: 'files', pattern: ['*.ts', '*.js', 'g*'], where: { ...ANY, changedBefore: 250 } },
    filter: (...words) => {
      asked.push(words);
      return true;
    },
  });
  expect(found).toBe('b.js');
  expect(described).toEqual(['held/b.js', 'held/c.ts', 'held/gone']);
  expect(asked).toEqual([['b.js', 'sub/b.js', 'file']]);
  expect((await selected({ filter: (name) => name === 'run' })).found).toBe('run');
});
