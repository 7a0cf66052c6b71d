/** A map is given again while all that it depends on is the same, and chosen anew as soon as it is not. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type MapOptions, memorySource, openWorkspace, tree, type Workspace } from '../../src/index.ts';
import { withReading } from '../../src/listing/reading.ts';
import type { FoldName } from '../../src/overview/dense-name.ts';
import { KeptMap } from '../../src/overview/kept-map.ts';
import { Planner } from '../../src/overview/plan.ts';
import type { MapQuery, ProjectMap } from '../../src/overview/project-map.ts';
import { Budget } from '../../src/workspace/budget.ts';
import { DirectoryCache } from '../../src/workspace/cache.ts';
import { ownHome } from '../support/home.ts';
import { oddCalls } from '../support/odd-calls.ts';
import { at } from '../support/paths.ts';
import { provable } from '../support/provable.ts';
import { settle, unsettle } from '../support/settled.ts';
import { makeTree } from '../support/tree.ts';

ownHome();

let root = '';
let workspace: Workspace;

/** The text of a map, and whether it was chosen for this call. */
async function asked(params: object = {}, options: MapOptions = {}) {
  const planning = vi.spyOn(Planner.prototype, 'at');
  const { text } = await tree(params, workspace, options);
  const isChosen = planning.mock.calls.length > 0;
  planning.mockRestore();
  return { text, isChosen };
}

describe.runIf(oddCalls !== null)('a map', () => {
  beforeEach(async () => {
    root = makeTree({ 'src/a.ts': '', 'src/deep/.gitignore': '*.log\n', 'src/deep/b.log': '', 'docs/c.md': '' });
    execFileSync('git', ['init', '-q'], { cwd: root });
    workspace = await openWorkspace(root);
    settle();
  });

  afterEach(() => {
    workspace.close();
    unsettle();
  });

  it('is given again to the same question', async () => {
    for (const params of [{}, { path: 'src' }, { path: 's*/' }]) {
      const first = await asked(params);
      expect(first.isChosen).toBe(true);
      expect(await asked(params)).toEqual({ text: first.text, isChosen: true });
      expect(await asked(params)).toEqual({ text: first.text, isChosen: false });
    }
  });

  it.each<[string, object, MapOptions]>([
    ['another budget', { budget: 200 }, {}],
    ['other rules', { respect_git_ignore: false }, {}],
    ['patterns', { ignore: ['*.md'] }, {}],
    ['another length', {}, { maxCharacters: 5_000 }],
    ['another form', {}, { sentAs: (text) => `${text}!` }],
    ['other tokens', {}, { countTokens: (text) => text.length }],
    ['no cache', {}, { cache: false }],
  ])('is chosen anew for %s', async (_, params, options) => {
    for (let i = 0; i < 3; i++) await asked();
    expect((await asked(params, options)).isChosen).toBe(true);
  });

  it.each<[string, () => void]>([
    ['a file has come', () => writeFileSync(join(root, 'src/deep/new.ts'), '')],
    ['a file has gone', () => rmSync(join(root, 'docs/c.md'))],
    ['a directory has come', () => mkdirSync(join(root, 'src/other'))],
    // Neither changes the directory that it stands in.
    ['nested rules are others', () => writeFileSync(join(root, 'src/deep/.gitignore'), '')],
    ['settings are others', () => writeFileSync(join(root, '.git/info/exclude'), 'docs\n')],
  ])('is chosen anew when %s', async (_, change) => {
    const first = await asked();
    for (let i = 0; i < 2; i++) await asked();
    change();
    const second = await asked();
    expect(second.isChosen).toBe(true);
    expect(second.text).not.toBe(first.text);
  });

  it('is chosen anew after another commit', async () => {
    const words = ['-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-q', '--allow-empty', '-m', 'x'];
    const commit = () => execFileSync('git', words, { cwd: root });
    commit();
    for (let i = 0; i < 2; i++) await asked();
    expect((await asked()).isChosen).toBe(false);
    commit();
    expect((await asked()).isChosen).toBe(true);
  });

  it('is another one for a fold of the same directory', async () => {
    const whole = await asked();
    expect((await asked({ path: 's*/' })).text).not.toBe(whole.text);
    expect((await asked()).text).toBe(whole.text);
  });

  it('cannot be changed by whoever was given it', async () => {
    await tree({}, workspace);
    const first = await tree({}, workspace);
    const before = JSON.stringify(first.data);
    for (const entry of first.data?.entries ?? []) entry.path = 'changed';
    expect(JSON.stringify((await tree({}, workspace)).data)).toBe(before);
  });

  it('is right for each of several who ask at once after a change', async () => {
    const git = (...words: string[]) =>
      execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...words], { cwd: root });
    for (let i = 0; i < 60; i++) {
      mkdirSync(join(root, `part-${i}/src`), { recursive: true });
      for (const name of ['one', 'two', 'three']) writeFileSync(join(root, `part-${i}/src/${name}-${i}.ts`), '');
    }
    git('add', '-A');
    git('commit', '-qm', 'all');
    writeFileSync(join(root, 'part-7/src/two-7.ts'), 'x');
    git('commit', '-qam', 'some');
    for (let i = 0; i < 3; i++) await asked();
    writeFileSync(join(root, 'part-3/src/four.ts'), '');
    const fresh = await tree({}, workspace, { cache: false });
    const maps = await Promise.all([1, 2, 3, 4].map(() => tree({}, workspace)));
    for (const { text } of maps) expect(text).toBe(fresh.text);
    rmSync(join(root, 'part-5'), { recursive: true });
    expect((await asked()).text).toBe((await tree({}, workspace, { cache: false })).text);
  });
});

describe('of what is kept', () => {
  const QUERY: MapQuery = { path: '.', rules: [], budget: 1000 };
  const MAP: ProjectMap = {
    ...{
      path: at(''),
      fold: null,
      lacksHistory: false,
      files: 2,
      hidden: new Map(),
      unreadable: [],
      stopped: null,
      notes: [],
    },
    ...{ text: 'a b', tokens: 2, directories: 0, shown: 2, isWhole: false, isFromCache: false },
    data: { entries: [{ path: 'a', type: 'file' }], folds: [{ path: 'b*', type: 'file', files: 7 }] },
  };

  function newCache(): DirectoryCache {
    return new DirectoryCache({ now: () => 0, timeOfDay: () => 0 });
  }

  interface Asked {
    readonly query?: Partial<MapQuery>;
    readonly options?: MapOptions;
    readonly fold?: FoldName;
    readonly history?: string;
  }

  /** Asks a cache for a map; what is there, and where another could be kept. */
  async function ask(cache: DirectoryCache, { query, options, fold, history }: Asked = {}) {
    const kept = new KeptMap(cache, { ...QUERY, ...query }, options ?? {});
    const workspace = await openWorkspace(provable(memorySource({ a: '', b1: '' }, { root: '/kept' })).source, {
      git: false,
    });
    const map = await withReading(QUERY, workspace, new Budget(), (reading) =>
      kept.recall(reading, fold ?? null, history ?? ''),
    );
    workspace.close();
    return { kept, map };
  }

  /** A cache that has this map, because it was asked for twice. */
  async function cacheWith(map: ProjectMap, asked: Asked = {}): Promise<DirectoryCache> {
    const cache = newCache();
    const first = await ask(cache, asked);
    expect([first.map, first.kept.evidence]).toEqual([null, null]);
    const { kept, map: known } = await ask(cache, asked);
    expect([known, kept.evidence?.isComplete]).toEqual([null, true]);
    kept.keep(map);
    return cache;
  }

  it('a map is all that it was, and each who is given it has a copy', async () => {
    const map = structuredClone(MAP);
    const cache = await cacheWith(map);
    const change = ({ data }: ProjectMap) => {
      for (const entry of data.entries) entry.path = 'changed';
      for (const fold of data.folds) fold.path = 'changed';
      data.entries.push({ path: 'new', type: 'file' });
      data.folds.pop();
    };
    change(map);
    for (let i = 0; i < 2; i++) {
      const { map: known } = await ask(cache);
      expect(known).toEqual(MAP);
      change(known as ProjectMap);
    }
  });

  it.each<[string, Partial<ProjectMap>]>([
    ['out of time', { stopped: 'timeout' }],
    ['cancelled', { stopped: 'aborted' }],
    ['without a directory that could not be read', { unreadable: [{ path: at('x'), reason: 'permission denied' }] }],
    ['both', { stopped: 'timeout', unreadable: [{ path: at('x'), reason: 'permission denied' }] }],
  ])('there is no map that was made %s', async (_, changes) => {
    const cache = await cacheWith({ ...MAP, ...changes });
    expect([cache.size, (await ask(cache)).map]).toEqual([0, null]);
  });

  it('a map is for the same question alone', async () => {
    const [sentAs, countTokens] = [(text: string) => `${text}!`, (text: string) => text.length];
    const fold = { prefix: at('b'), range: null, ofFolders: false };
    const questions: Asked[] = [
      {},
      { query: { budget: null } },
      { options: { maxCharacters: 5 } },
      { options: { sentAs } },
      { options: { sentAs: (text) => `${text}!` } },
      { options: { countTokens } },
      { options: { countTokens: (text) => text.length } },
      { options: { sentAs, countTokens } },
      { fold },
      { fold: { ...fold, ofFolders: true } },
      { history: 'abc' },
    ];
    for (const question of questions) {
      const cache = await cacheWith(MAP, question);
      const known: boolean[] = [];
      for (const other of questions) known.push((await ask(cache, other)).map !== null);
      expect(known).toEqual(questions.map((other) => other === question));
    }
  });

  it('a map takes room by its text, its entries and its folds', async () => {
    const sizeOf = async (map: ProjectMap) => (await cacheWith(map)).size;
    const { entries, folds } = MAP.data;
    const size = await sizeOf(MAP);
    expect(await sizeOf({ ...MAP, text: MAP.text + 'x'.repeat(100) })).toBe(size + 200);
    const entry = (await sizeOf({ ...MAP, data: { entries: [...entries, ...entries], folds } })) - size;
    const fold = (await sizeOf({ ...MAP, data: { entries, folds: [...folds, ...folds] } })) - size;
    expect([entry, fold]).toEqual([expect.any(Number), entry]);
    expect(entry).toBeGreaterThan(50);
    expect(await sizeOf({ ...MAP, text: '', data: { entries: [], folds: [] } })).toBe(size - 6 - 2 * entry);
  });
});
