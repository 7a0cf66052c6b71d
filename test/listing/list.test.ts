import { Dir, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { openWorkspace } from '../../src/disk/disk-source.ts';
import { systemCalls } from '../../src/disk/system-calls.ts';
import { isOneLevel, listDirectory } from '../../src/listing/list.ts';
import { type CallOptions, PLAIN, type Query, type Where } from '../../src/listing/query.ts';
import { bytesOf, textOf } from '../../src/names/bytes.ts';
import type { RuleSpec } from '../../src/rules/rule-spec.ts';
import { Budget } from '../../src/workspace/budget.ts';
import { Visit } from '../../src/workspace/visit.ts';
import { endingAfter } from '../support/ending.ts';
import { settle, unsettle } from '../support/settled.ts';
import { emptyDirectory, makeTree } from '../support/tree.ts';
import { skipOnWindows } from '../support/windows.ts';

async function listing(root: string, rules: RuleSpec[] = [], options: CallOptions = {}, limit = Infinity) {
  const workspace = await openWorkspace(root);
  const query: Query = { ...PLAIN, path: '.', rules, page: { offset: 0, limit } };
  return listDirectory(query, workspace, options);
}

/** A directory of as many files; more than are read between two looks at the clock. */
function crowd(count: number): string {
  const root = emptyDirectory();
  for (let i = 0; i < count; i++) writeFileSync(join(root, `f${i}`), '');
  return root;
}

describe('a listing', () => {
  it('counts what passes by type, and what is hidden by the rule that decided', async () => {
    const root = makeTree({ d: null, f: '', l: { link: 'd' }, '.git': null, dist: null, '.env': '', 'x.log': '' });
    const result = await listing(root, [
      { kind: 'dotfiles' },
      { kind: 'builtin-names' },
      { kind: 'patterns', patterns: ['*.log'] },
    ]);
    expect(result.totals).toEqual({ dir: 1, file: 1, link: 1, other: 0 });
    expect(Object.fromEntries(result.hidden)).toEqual({ dotfile: 2, builtin: 1, argument: 1 });
    expect(result.entries.map(({ name }) => name)).toEqual(['d', 'l', 'f']);
  });

  it('can be ended while it asks for metadata', async () => {
    const workspace = await openWorkspace(crowd(600));
    const query: Query = { ...PLAIN, path: '.', rules: [], metadata: 'page', page: { offset: 0, limit: Infinity } };
    let asked = 0;
    const ended = vi.spyOn(Budget.prototype, 'stopReason').mockImplementation(() => (asked > 0 ? 'aborted' : null));
    const original = Visit.prototype.metadata;
    const metadata = vi.spyOn(Visit.prototype, 'metadata').mockImplementation(function (this: Visit, name) {
      asked++;
      return original.call(this, name);
    });
    const result = await listDirectory(query, workspace, {});
    metadata.mockRestore();
    ended.mockRestore();
    workspace.close();
    expect(result).toMatchObject({ stopped: 'aborted', end: asked, totals: { file: 600 } });
    expect([result.entries.length, asked < 600]).toEqual([asked, true]);
  });

  it('counts on all pages, whatever page was asked', async () => {
    const result = await listing(makeTree({ a: '', b: '', c: null }), [], {}, 1);
    expect(result).toMatchObject({ entries: [{ name: 'c', type: 'dir' }], end: 1, totals: { dir: 1, file: 2 } });
  });

  it('puts a link to a directory among the directories only when it never leaves the root', async () => {
    const root = makeTree({
      'z-dir': null,
      'y-in': { link: 'z-dir' },
      'x-out': { link: '..' },
      'w-broken': { link: 'nothing' },
      'v-file': { link: 'file' },
      'u-loop': { link: 'u-loop' },
      't-out-and-back': { link: '../root/z-dir' },
      file: '',
    });
    const { entries } = await listing(root);
    expect(entries.map(({ name }) => name).slice(0, 2)).toEqual(['y-in', 'z-dir']);
  });
});

describe('a file system that does not tell types', () => {
  it('is read by names alone, each asked for its type by its bytes', async () => {
    const root = makeTree({ été: null, 'plain.txt': '', link: { link: 'été' } });
    const refusal = Object.assign(new Error('ENOENT'), { code: 'ENOENT', syscall: 'lstat' });
    const read = vi.spyOn(Dir.prototype, 'readSync').mockImplementation(() => {
      throw refusal;
    });
    const result = await listing(root);
    read.mockRestore();
    expect(result.entries.map(({ name, type }) => `${type} ${textOf(name)}`)).toEqual([
      'link link',
      'dir été',
      'file plain.txt',
    ]);
    expect(result.totals).toEqual({ dir: 1, file: 1, link: 1, other: 0 });
  });
});

describe('a call that ends early', () => {
  it('throws when it was cancelled before anything was read', async () => {
    const stop = listing(makeTree({ a: '' }), [], { signal: AbortSignal.abort() });
    await expect(stop).rejects.toMatchObject({ name: 'ListingError', kind: 'aborted' });
  });

  it('throws when there was no time at all', async () => {
    await expect(listing(makeTree({ a: '' }), [], { timeLimit: 0 })).rejects.toMatchObject({ kind: 'timeout' });
  });

  it.each(['aborted', 'timeout'] as const)('gives what it has when it is %s on the way', async (reason) => {
    const root = crowd(1500);
    const result = await endingAfter(700, reason, () => listing(root));
    expect(result.stopped).toBe(reason);
    expect(result.totals.file).toBe(700);
    expect(result.entries).toHaveLength(700);
  });

  it('looks at the clock more often when patterns cost much', async () => {
    const root = emptyDirectory();
    for (let i = 0; i < 40; i++) mkdirSync(join(root, `${'a'.repeat(240)}${i}`));
    const looksWith = async (pattern: string) => {
      const clock = vi.spyOn(process, 'hrtime');
      await listing(root, [{ kind: 'patterns', patterns: [pattern] }]);
      const looks = clock.mock.calls.length;
      clock.mockRestore();
      return looks;
    };
    expect(await looksWith(`a*?${'a'.repeat(100)}b`)).toBeGreaterThan((await looksWith('b')) + 4);
  });
});

describe('a query of a single directory', () => {
  const page = { offset: 0, limit: 10 };
  const query: Query = { ...PLAIN, path: '.', rules: [], page };
  const all = PLAIN.select;
  const where: Where = {
    ...{ types: null, extensions: null, least: 0, most: Infinity },
    ...{ changedAfter: -Infinity, changedBefore: Infinity },
  };

  it.each<[boolean, string, Partial<Query>]>([
    [true, 'as it is', {}],
    [true, 'with the metadata of a page', { metadata: 'page' }],
    [false, 'with the metadata of everything', { metadata: 'all' }],
    [false, 'with that of links', { metadata: 'links' }],
    [false, 'two levels deep', { depth: 2 }],
    [false, 'the other way round', { reverse: true }],
    [false, 'files alone', { select: { ...all, types: 'files' } }],
    [false, 'what matches a pattern', { select: { ...all, pattern: '*' } }],
    [false, 'what is large', { select: { ...all, where: { ...where, least: 1 } } }],
    [false, 'what a filter selects', { select: { ...all, filter: () => true } }],
    [false, 'by names alone', { order: 'name' }],
  ])('needs no walk: %s, %s', (isEnough, _, asked) => {
    expect(isOneLevel({ ...query, ...asked })).toBe(isEnough);
  });

  it.each<[string, Partial<Query>]>([
    ['a single level', {}],
    ['a walk', { depth: 3 }],
  ])('is answered from what was read before, if that may be used: %s', async (_, asked) => {
    // Only these can prove directories cheaply.
    if (systemCalls() === null) skipOnWindows('system calls');
    const workspace = await openWorkspace(makeTree({ 'a/x': '', b: '', '.c': '' }));
    settle();
    onTestFinished(() => {
      unsettle();
      workspace.close();
    });
    const ask = (options: CallOptions) => listDirectory({ ...query, ...asked }, workspace, options);
    const known = async (options: CallOptions) => (await ask(options)).isFromCache;
    expect([await known({ cache: false }), await known({ cache: false })]).toEqual([false, false]);
    const first = await ask({});
    // A walk is kept when it is asked for a second time.
    const isWalk = !isOneLevel({ ...query, ...asked });
    expect([first.isFromCache, await known({}), await known({ cache: true })]).toEqual([false, !isWalk, true]);
    expect(await known({ cache: false })).toBe(false);
    expect({ ...(await ask({})), isFromCache: false }).toEqual(first);
  });

  it('is not kept where it was ended before its end', async () => {
    const workspace = await openWorkspace(crowd(40));
    settle();
    onTestFinished(() => {
      unsettle();
      workspace.close();
    });
    const ended = await endingAfter(20, 'aborted', () => listDirectory(query, workspace, {}));
    expect(ended.stopped).toBe('aborted');
    expect(await listDirectory(query, workspace, {})).toMatchObject({ isFromCache: false, totals: { file: 40 } });
  });

  it('is told with its metadata; what the system refuses has none, and what has vanished is left out', async () => {
    const workspace = await openWorkspace(makeTree({ a: '1', b: '22', c: '333', d: '' }));
    onTestFinished(() => workspace.close());
    const original = Visit.prototype.metadata;
    const metadata = vi.spyOn(Visit.prototype, 'metadata').mockImplementation(function (this: Visit, name) {
      return name === 'b' ? 'refused' : name === 'c' ? null : original.call(this, name);
    });
    const asked: Query = { ...query, metadata: 'page', page: { offset: 0, limit: 3 } };
    const { entries, end, unreadable } = await listDirectory(asked, workspace, { cache: false });
    metadata.mockRestore();
    expect(entries).toEqual([
      { name: 'a', parent: '', type: 'file', leadsToDirectory: false, metadata: expect.objectContaining({ size: 1 }) },
      { name: 'b', parent: '', type: 'file', leadsToDirectory: false, metadata: null },
    ]);
    expect([end, unreadable]).toEqual([3, []]);
  });

  it('goes on behind a name, and is not taken for another that is kept', async () => {
    const workspace = await openWorkspace(makeTree({ 'one/a': '', 'one/b': '', 'one/c': '', 'two/z': '' }));
    settle();
    onTestFinished(() => {
      unsettle();
      workspace.close();
    });
    const names = async (asked: Partial<Query>) =>
      (await listDirectory({ ...query, ...asked }, workspace, {})).entries.map(({ name }) => name);
    const after = { name: bytesOf('a'), leadsToDirectory: false };
    for (let round = 0; round < 2; round++) {
      expect(await names({ path: 'one' })).toEqual(['a', 'b', 'c']);
      expect(await names({ path: 'two' })).toEqual(['z']);
      expect(await names({ path: 'one', after })).toEqual(['b', 'c']);
      expect(await names({ path: 'one', rules: [{ kind: 'patterns', patterns: ['b'] }] })).toEqual(['a', 'c']);
    }
  });
});
