/** A disk that ignores case finds an entry by many spellings. The stored one is shown, and rules go by it. */
import { describe, expect, it } from 'vitest';
import { call, explain, list, memorySource, openWorkspace, tree } from '../../src/index.ts';
import type { Bytes } from '../../src/names/bytes.ts';
import { Budget, retrying } from '../../src/workspace/budget.ts';
import { type EntryBuffer, TypesUnknown } from '../../src/workspace/reader.ts';
import type { Metadata, SourceDirectory } from '../../src/workspace/source.ts';
import { atOnce, Unloaded } from '../../src/workspace/steps.ts';
import { storedName } from '../../src/workspace/stored-name.ts';
import { foldingSource } from '../support/folding-source.ts';

const TREE = {
  '.gitignore': 'Deep/\n',
  'src/Deep/Inner/a.ts': '',
  'src/index.ts': '',
  'Program Files/x.txt': '',
  'caf\u00e9/menu.txt': '',
  'nai\u0308ve/x.txt': '',
  '42/x.txt': '',
  '\u0434/x.txt': '',
  '\u0416/x.txt': '',
  'README.md': '',
};

const open = () => openWorkspace(foldingSource(TREE, { 'PROGRA~1': 'Program Files', 'SRC.': 'src', '42. .': '42' }));

describe('a path in another spelling', () => {
  it.each([
    ['SRC', 'src'],
    ['SRC/DEEP/iNNER', 'src/Deep/Inner'],
    ['src/../SRC/deep', 'src/Deep'],
    ['CAF\u00c9', 'caf\u00e9'],
    ['cafe\u0301', 'caf\u00e9'],
    ['na\u00efve', 'nai\u0308ve'],
    ['progra~1', 'Program Files'],
    ['PROGRA~1', 'Program Files'],
    ['src.', 'src'],
    ['src', 'src'],
    ['42. .', '42'],
    ['\u0414', '\u0434'],
    ['\u0436', '\u0416'],
  ])('%s is %s', async (argument, stored) => {
    const { path } = await list({ path: argument }, await open());
    expect(path).toBe(stored);
  });

  it('is shown as it is stored, in every dialect', async () => {
    const workspace = await open();
    const standard = await call('standard', { path: 'SRC' }, workspace);
    expect(standard.text).toContain("in 'src'");
    expect(standard.text).toContain('src/Deep/');
    expect((await tree({ path: 'SRC' }, workspace)).text).toMatch(/^# src:/);
  });

  it('evades no rule', async () => {
    const [verdict] = await explain(['SRC/DEEP/Inner/A.TS'], await open(), { ignore: ['Deep'] });
    expect(verdict).toMatchObject({ hidden: true, by: 'argument' });
  });

  it('is what a message names', async () => {
    await expect(list({ path: 'readme.MD' }, await open())).rejects.toMatchObject({
      kind: 'not-a-directory',
      place: 'README.md',
    });
  });

  it('that no entry has is missing', async () => {
    await expect(list({ path: 'SRCC' }, await open())).rejects.toMatchObject({ kind: 'missing' });
  });
});

describe('the name that is stored', () => {
  type Facts = Metadata | 'refused';
  const file = (inode: number) => ({ type: 'file', size: 1, modified: 1, changed: 1, inode }) as unknown as Metadata;

  /** A directory with these names, in which further ones find an entry; `fail` is called when it is opened. */
  function stored(
    name: string,
    all: Record<string, Facts>,
    more: Record<string, Facts> = {},
    fail = (_: boolean) => {},
  ) {
    let left = 0;
    const directory = {
      mayFold: true,
      metadata: (one: string) => all[one] ?? more[one] ?? null,
      open: (withTypes: boolean) => {
        left++;
        const read = (entries: EntryBuffer) => {
          fail(withTypes);
          for (const one of Object.keys(all)) entries.add(one as Bytes, 'file');
          return false;
        };
        return { read, close: () => left-- };
      },
    };
    const found = atOnce(storedName(directory as unknown as SourceDirectory, name as Bytes));
    expect(left).toBe(0);
    return found;
  }

  it('is the name itself, if there is one beside it in another case', () => {
    const both = { a: file(1), A: file(2) };
    expect([stored('a', both), stored('A', both)]).toEqual(['a', 'A']);
  });

  it('is found by what is known of the entry: all of it, and not what nobody may know', () => {
    const all = { b: file(2), long: file(1) };
    expect(stored('L~1', all, { 'l~1': file(1), 'L~1': file(1) })).toBe('long');
    expect(stored('L~1', all, { 'l~1': file(3), 'L~1': file(3) })).toBe('L~1');
    expect(stored('L~1', { b: 'refused' }, { 'l~1': 'refused', 'L~1': 'refused' })).toBe('L~1');
    expect(stored('L~1', { b: 'refused', c: file(1) }, { 'l~1': file(1), 'L~1': file(1) })).toBe('c');
  });

  it('is found also where types are unknown, and not in a directory that cannot be read', () => {
    const failing = (error: Error) => (withTypes: boolean) => {
      if (withTypes || !(error instanceof TypesUnknown)) throw error;
    };
    expect(stored('SRC', { src: file(1) }, { SRC: file(1) }, failing(new TypesUnknown()))).toBe('src');
    expect(stored('SRC', { src: file(1) }, { SRC: file(1) }, failing(new Error('refused')))).toBe('SRC');
  });

  it('is waited for where the entries have to be loaded', async () => {
    let isLoaded = false;
    const unloaded = new Unloaded(async () => {
      isLoaded = true;
    });
    const ask = () =>
      stored('SRC', { src: file(1) }, { SRC: file(1) }, () => {
        if (!isLoaded) throw unloaded;
      });
    expect(await retrying(ask, new Budget())).toBe('src');
  });
});

it.each([
  ['caf\u00e9', 'cafe\u0301', '"cafe\\u0301"'],
  ['cafe\u0301', 'caf\u00e9', 'caf\u00e9'],
])('where %j and %j are two names, the one that is there is suggested', async (asked, stored, shown) => {
  const workspace = await openWorkspace(memorySource({ [`${stored}/x`]: '' }));
  const { text } = await call('standard', { path: asked }, workspace);
  expect(text).toContain(`Did you mean '${shown}'?`);
  expect((await call('standard', { path: shown }, workspace)).status).toBe('success');
});
