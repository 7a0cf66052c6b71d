/** A source of which everything has to be loaded first: paths are resolved, rules bound and entries explained all the same. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import { DiskSource } from '../../src/disk/disk-source.ts';
import { explain, memorySource, openWorkspace, type Source, type Workspace } from '../../src/index.ts';
import { type Bytes, bytesOf } from '../../src/names/bytes.ts';
import { asGiven } from '../../src/names/paths.ts';
import { innerPlaceOf, scopeOf, verdictOn } from '../../src/rules/rule.ts';
import { rulesFor } from '../../src/rules/rule-spec.ts';
import { Budget, retrying } from '../../src/workspace/budget.ts';
import { fromSystem } from '../../src/workspace/listing-error.ts';
import { atOnce, Unloaded } from '../../src/workspace/steps.ts';
import { descriptors } from '../support/descriptors.ts';
import { failing, odd, slowly } from '../support/odd-source.ts';
import { at } from '../support/paths.ts';
import { addTree, makeTree, type TreeLiteral } from '../support/tree.ts';

afterEach(() => vi.unstubAllEnvs());

const LITERAL: TreeLiteral = {
  ...{
    '.git/HEAD': 'ref: refs/heads/main\n',
    '.git/objects/x': '',
    '.git/refs/heads/x': '',
    '.geminiignore': 'secret\n',
  },
  ...{ '.git/config': '[includeIf "onbranch:main"]\n\tpath = more\n', '.git/more': '[core]\n\texcludesFile = mine\n' },
  ...{ '.git/info/exclude': 'excluded\n', '.gitignore': '*.log\n', mine: 'own\n', 'src/.gitignore': 'generated/\n' },
  ...{ 'src/generated/a': '', 'src/deep/er/file': '', 'a.log': '', secret: '', own: '', excluded: '' },
  ...{ 'inner/.git/HEAD': 'ref: refs/heads/x\n', 'inner/.git/objects/x': '', 'inner/.git/refs/x': '' },
  ...{ 'inner/.gitignore': '*.txt\n', 'inner/a.txt': '', 'inner/a.log': '', 'to-deep': { link: 'src/deep' } },
  ...{ 'to-file': { link: 'to-deep/er/file' }, broken: { link: 'src/none' }, '.geminiconfig': '{}' },
};

/** The same tree behind both sources. */
const SOURCES: [string, () => Source][] = [
  ['memory', () => memorySource(LITERAL)],
  [
    'the disk',
    () => {
      const root = makeTree({});
      addTree(root, LITERAL);
      return DiskSource.open(root);
    },
  ],
];

describe.each(SOURCES)('%s, slowly', (_, make) => {
  async function both<T>(
    ask: (workspace: Workspace) => Promise<T>,
  ): Promise<[fast: T, slow: T, loads: Map<string, number>]> {
    vi.stubEnv('HOME', '/nonexistent');
    const before = descriptors();
    const { source, loads } = slowly(make());
    const [fast, slow] = [await openWorkspace(make()), await openWorkspace(source)];
    loads.clear();
    const answers: [T, T] = [await ask(fast), await ask(slow)];
    for (const workspace of [fast, slow]) workspace.close();
    expect(descriptors()).toBe(before);
    return [...answers, loads];
  }

  it('is opened at a cwd, which is loaded name by name', async () => {
    const { source, loads } = slowly(make());
    const workspace = await openWorkspace(source, { cwd: 'to-deep/er' });
    expect(workspace.cwd).toBe('src/deep/er');
    expect([...loads.keys()]).toEqual(['the root', '/', 'src/', 'src/deep/']);
    workspace.close();
    await expect(openWorkspace(slowly(make()).source, { cwd: 'none' })).rejects.toThrow("cannot use the cwd 'none'");
  });

  it('has the same directories, by paths and by places', async () => {
    const paths = ['.', 'src/deep', 'to-deep', 'to-deep/..', 'none', 'src/none/x', 'to-file', 'own', '..', 'broken'];
    const [fast, slow, loads] = await both(async (workspace) => {
      const found: unknown[] = [];
      const budget = new Budget();
      for (const path of paths) {
        const entering = budget.run(workspace.entering(asGiven(path), budget));
        const failure = (error: unknown) => fromSystem(error, null);
        const visit = await entering.catch(failure);
        found.push(visit instanceof Error ? [visit.kind, visit.path] : visit.path);
        if (!(visit instanceof Error)) visit.leave();
        found.push(await budget.run(workspace.locating(asGiven(path))).catch((error) => failure(error).kind));
        const place = await budget.run(workspace.enteringAt(at(path), budget)).catch((error) => failure(error).kind);
        found.push(typeof place === 'string' ? place : place.path);
        if (typeof place !== 'string') place.leave();
      }
      return found;
    });
    expect(slow).toEqual(fast);
    expect(loads.get('the root')).toBe(3 * paths.length);
  });

  it('has links that lead to the same', async () => {
    const [fast, slow, loads] = await both(async (workspace) => {
      const budget = new Budget();
      const root = await budget.run(workspace.enteringAt(at(''), budget));
      const found: unknown[] = [];
      for (const name of ['to-deep', 'to-file', 'broken'].map(bytesOf)) {
        found.push(await budget.run(root.leadsToDirectory(name)));
        const end = await budget.finish(root.linkEnd(name));
        found.push(typeof end === 'string' ? end : [end.type, end.size]);
      }
      found.push(await retrying(() => atOnce(root.leadsToDirectory(bytesOf('to-deep'))), budget));
      root.leave();
      return found;
    });
    expect(fast).toEqual([true, 'directory', false, ['file', 0], false, 'missing', true]);
    expect(slow).toEqual(fast);
    // Each directory once, however many links lead through it, for the root was held all the time.
    expect([...loads]).toEqual(['the root', '/', 'src/', 'src/deep/', 'src/deep/er/'].map((what) => [what, 1]));
  });

  it('has files that are read once they are loaded', async () => {
    const [fast, slow] = await both(async (workspace) => retrying(() => workspace.readFile('mine'), new Budget()));
    expect([fast, slow]).toEqual(['own\n', 'own\n']);
  });

  it('has the same rules, bound to a directory or entered from the root', async () => {
    const entries = ['a.log', 'secret', 'own', 'excluded', 'generated', 'a.txt', 'file', '.git'] as Bytes[];
    const [fast, slow] = await both(async (workspace) => {
      const budget = new Budget();
      const rules = await rulesFor([{ kind: 'ignore-files', git: true, gemini: true }]);
      const found: unknown[] = [];
      for (const path of ['', 'src', 'src/deep/er', 'inner']) {
        const visit = await budget.run(workspace.enteringAt(at(path), budget));
        const scope = await scopeOf(rules, visit, budget);
        found.push([path, ...entries.map((name) => verdictOn(name, 'dir', scope.judge))]);
        visit.leave();
      }
      const root = await budget.run(workspace.enteringAt(at(''), budget));
      for (const name of ['src', 'inner'].map(bytesOf)) {
        const inner = await retrying(() => root.descend(name), budget);
        if (inner === null) throw new Error(`no ${name}`);
        const scope = await (await scopeOf(rules, root, budget)).enter(
          name,
          innerPlaceOf(inner, () => true),
        );
        found.push([name, ...entries.map((entry) => verdictOn(entry, 'file', scope.judge))]);
        inner.leave();
      }
      root.leave();
      return { found, notes: budget.notes };
    });
    expect(slow).toEqual(fast);
    expect(fast.found.flat().filter((verdict) => verdict !== null).length).toBeGreaterThan(20);
  });

  it.each(['gemini', 'standard', 'mycode', 'codex'] as const)(
    'is explained alike in the dialect %s',
    async (dialect) => {
      const paths = [
        'a.log',
        'src/generated/a',
        'inner/a.txt',
        'inner/a.log',
        'secret',
        'own',
        'excluded',
        'none/x',
        'src',
      ];
      const [fast, slow] = await both((workspace) => explain(paths, workspace, { dialect }));
      expect(slow).toEqual(fast);
    },
  );
});

it('what is asked at once says that it has to be loaded', async () => {
  const workspace = await openWorkspace(slowly(memorySource({ a: null })).source);
  expect(() => workspace.enter(asGiven('a'))).toThrow(Unloaded);
  expect(() => workspace.readFile('a')).toThrow(Unloaded);
});

it('a source that never answers is given up when the call has to end', async () => {
  const { source, loads } = slowly(memorySource({ 'a/b': '' }));
  const workspace = await openWorkspace(source);
  const never = odd(memorySource({ 'a/b': '' }), (question) => {
    if (question === 'lookup') throw new Unloaded(() => new Promise(() => {}));
  });
  const stuck = await openWorkspace(never);
  const budget = new Budget({ timeLimit: 1 });
  await expect(budget.run(stuck.entering(asGiven('a'), budget))).rejects.toMatchObject({ kind: 'timeout' });
  const controller = new AbortController();
  const cancelled = new Budget({ signal: controller.signal });
  const waiting = cancelled.run(stuck.entering(asGiven('a'), cancelled));
  controller.abort();
  await expect(waiting).rejects.toMatchObject({ kind: 'aborted' });
  expect(loads.size).toBeGreaterThan(0);
  workspace.close();
});

it('a load that fails is the failure of the question', async () => {
  const failed = Object.assign(new Error('gone'), { code: 'EIO' });
  const source = odd(memorySource({ 'a/b': '' }), (question, path) => {
    if (question === 'lookup' && path === 'a') throw new Unloaded(() => Promise.reject(failed));
  });
  const workspace = await openWorkspace(source);
  const budget = new Budget();
  const failure = { kind: 'failed', message: 'input/output error (EIO)' };
  await expect(budget.run(workspace.entering(asGiven('a'), budget))).rejects.toMatchObject(failure);
  const broken = await openWorkspace(failing(memorySource({ 'a/b': '' }), 'lookup', 'EIO', 'a'));
  await expect(budget.run(broken.entering(asGiven('a'), budget))).rejects.toMatchObject(failure);
});
