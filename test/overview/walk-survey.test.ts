/** What is read for a map, and what is read again of a directory whose names were only counted. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { openWorkspace, type Workspace } from '../../src/index.ts';
import type { Reading } from '../../src/listing/reading.ts';
import type { FoldName } from '../../src/overview/dense-name.ts';
import type { Folder } from '../../src/overview/folder.ts';
import type { ProjectMap } from '../../src/overview/project-map.ts';
import { NamesOfOne } from '../../src/overview/survey.ts';
import { readAgain, type Surveyed, type SurveyInput, surveyOf } from '../../src/overview/walk-survey.ts';
import { Budget } from '../../src/workspace/budget.ts';
import { type FailureKind, ListingError } from '../../src/workspace/listing-error.ts';
import { done } from '../support/folders.ts';
import { at } from '../support/paths.ts';
import { makeTree, type TreeLiteral } from '../support/tree.ts';

/** Reads everything, whatever is asked. */
const nothingKept = async () => null;

async function terrainOf(workspace: Workspace | string, changes: Partial<SurveyInput> = {}): Promise<SurveyInput> {
  const opened = typeof workspace === 'string' ? await openWorkspace(workspace, { git: false }) : workspace;
  onTestFinished(() => opened.close());
  return { workspace: opened, rules: [], budget: new Budget(), evidence: () => null, ...changes };
}

async function surveyed(path: string, input: SurveyInput): Promise<Surveyed> {
  const found = await surveyOf(path, input, nothingKept);
  if ('recalled' in found) throw new Error('nothing was kept');
  return found;
}

/** All that a survey has, as paths; directories with a final `/`. */
function pathsOf(folder: Folder): string[] {
  const start = folder.path === '' ? '' : `${folder.path}/`;
  const files = (folder.names ?? []).map((name) => `${start}${name}`);
  return [...files, ...folder.folders.flatMap((inner) => [`${inner.path}/`, ...pathsOf(inner)])].sort();
}

const read = async (path: string, input: SurveyInput) => pathsOf((await surveyed(path, input)).survey.root);

async function failureOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => null,
    (error) => error,
  );
}

const TREE: TreeLiteral = {
  ...{ 'src/test_a.ts': '', 'src/test_b.ts': '', 'src/util.ts': '', 'src/test/deep/c.ts': '', 'src/tools/d.ts': '' },
  ...{ 'docs/e.md': '', 'src/+': '' },
};

describe('a survey', () => {
  it('has everything below a directory', async () => {
    const input = await terrainOf(makeTree(TREE));
    const { survey, hidden, ...all } = await surveyed('.', input);
    expect(pathsOf(survey.root)).toEqual([
      ...['docs/', 'docs/e.md', 'src/', 'src/+', 'src/test/', 'src/test/deep/', 'src/test/deep/c.ts'],
      ...['src/test_a.ts', 'src/test_b.ts', 'src/tools/', 'src/tools/d.ts', 'src/util.ts'],
    ]);
    expect([...hidden]).toEqual([]);
    expect(all).toEqual({
      ...{ path: '', fold: null, unreadable: [], stopped: null },
    });
    expect([survey.root.filesBelow, survey.root.foldersBelow]).toEqual([7, 5]);
  });

  it('has what the rules let pass', async () => {
    const root = makeTree(TREE);
    const rules = [{ kind: 'patterns', patterns: ['util*'] }] as const;
    const all = await surveyed('src', await terrainOf(root, { rules }));
    expect(pathsOf(all.survey.root)).not.toContain('util.ts');
    expect([...all.hidden, all.path]).toEqual([['argument', 1], 'src']);
  });
});

describe('a fold', () => {
  const filesOfFold = ['test_a.ts', 'test_b.ts'];

  it.each([
    ['src/t*', filesOfFold],
    ['src/t*+2', filesOfFold],
    ['src/test_[a-a]*', ['test_a.ts']],
    ['src/t*/', ['test/', 'test/deep/', 'test/deep/c.ts', 'tools/', 'tools/d.ts']],
    ['src/te*/+1', ['test/', 'test/deep/', 'test/deep/c.ts']],
  ])('%s is what it stands for', async (path, paths) => {
    const input = await terrainOf(makeTree(TREE));
    const { survey, fold, path: listed } = await surveyed(path, input);
    // Below the entries of the fold everything is there.
    expect(pathsOf(survey.root)).toEqual(paths);
    expect([fold?.ofFolders, listed]).toEqual([path.includes('/+') || path.endsWith('/'), 'src']);
  });

  it('hides what rules hide, and nothing else', async () => {
    const rules = [{ kind: 'patterns', patterns: ['*_a*', 'util*'] }] as const;
    const { survey, hidden } = await surveyed('src/t*', await terrainOf(makeTree(TREE), { rules }));
    expect(pathsOf(survey.root)).toEqual(['test_b.ts']);
    // What does not belong to the fold is not hidden, by whatever rule.
    expect([...hidden]).toEqual([['argument', 1]]);
    const none = await surveyed('src/t*', await terrainOf(makeTree(TREE)));
    expect([...none.hidden.values()].filter((count) => count !== 0)).toEqual([]);
  });

  it('may be the name of a directory, where there is nothing in it', async () => {
    const input = await terrainOf(makeTree({ 'odd*/a': '', 'other/b': '', file: '' }));
    const { survey, fold, path } = await surveyed('odd*', input);
    expect([pathsOf(survey.root), fold, path]).toEqual([['a'], null, 'odd*']);
    // Here it is the fold that has something.
    expect((await surveyed('o*/', input)).path).toBe('');
  });

  it.each<[string, FailureKind]>([
    ['none*', 'missing'],
    ['nowhere/t*', 'missing'],
    ['docs/e.md/t*', 'missing'],
    ['../t*', 'outside'],
  ])('%s of nothing fails as a directory of that name would', async (path, kind) => {
    const error = await failureOf(surveyed(path, await terrainOf(makeTree(TREE))));
    expect(error).toBeInstanceOf(ListingError);
    expect((error as ListingError).kind).toBe(kind);
  });
});

describe('a path that was copied with its count', () => {
  it.each([
    ['docs/+90', ['e.md']],
    ['docs/+', ['e.md']],
    ['src/tools/+1', ['d.ts']],
    // A file has this name, and cannot be what is meant.
    ['src/+', expect.arrayContaining(['util.ts'])],
  ])('%s is the directory', async (path, paths) => {
    expect(await read(path, await terrainOf(makeTree(TREE)))).toEqual(paths);
  });

  it('is a directory of this name where there is one', async () => {
    expect(await read('docs/+1', await terrainOf(makeTree({ ...TREE, 'docs/+1/x': '' })))).toEqual(['x']);
  });

  it.each<[string, FailureKind]>([
    ['nowhere', 'missing'],
    ['nowhere/+3', 'missing'],
    ['docs/e.md', 'not-a-directory'],
    ['docs/e.md/+3', 'not-a-directory'],
    ['../+3', 'outside'],
  ])('%s fails', async (path, kind) => {
    const error = await failureOf(surveyed(path, await terrainOf(makeTree(TREE))));
    expect((error as ListingError).kind).toBe(kind);
  });
});

describe('before anything is read', () => {
  it('somebody may have the answer already', async () => {
    const input = await terrainOf(makeTree(TREE));
    const asked: [string, FoldName | null][] = [];
    const known = { text: 'known' } as ProjectMap;
    const answer = async ({ directory }: Reading, fold: FoldName | null) => {
      asked.push([directory.path, fold]);
      return known;
    };
    expect(await surveyOf('src', input, answer)).toEqual({ recalled: known });
    expect(await surveyOf('src/x*', input, answer)).toEqual({ recalled: known });
    expect(asked).toEqual([
      ['src', null],
      ['src', expect.objectContaining({ prefix: 'x', ofFolders: false })],
    ]);
    expect(input.budget.entriesRead).toBe(0);
  });

  it.each(['docs/+1', 'docs/e*'])('a failure is told at once, and nothing else is tried for %s', async (path) => {
    const input = await terrainOf(makeTree({ ...TREE, 'docs/+1/x': '', 'docs/e*/x': '' }));
    const denied = new ListingError('denied', 'not today');
    const onEnter = vi.fn(async () => Promise.reject(denied));
    expect(await failureOf(surveyOf(path, input, onEnter))).toBe(denied);
    expect(onEnter).toHaveBeenCalledTimes(1);
  });
});

describe('a directory that was only counted', () => {
  /** `inner`, of which the survey has no names, and a input whose budget is new. */
  async function counted() {
    const root = makeTree({
      'src/first/a': '',
      'src/first/b': '',
      'src/inner/c': '',
      'src/inner/d': '',
      'src/inner/e': '',
    });
    const input = await terrainOf(root, { mostNames: 2 });
    const { survey, path: listed } = await surveyed('src', input);
    const inner = done(survey.root.find(at('inner'))) as Folder;
    expect([inner.files, inner.names]).toEqual([3, null]);
    return { root, inner, listed, survey, input: { ...input, budget: new Budget() } };
  }

  it.each([
    ['.', '.'],
    ['src', '.'],
    ['src/inner', '..'],
    ['src', 'inner/../'],
  ])('is read again, with the cwd %j and the path %j', async (cwd, path) => {
    const root = makeTree({
      'src/first/a': '',
      'src/first/b': '',
      'src/inner/c': '',
      'src/inner/d': '',
      'src/inner/e': '',
    });
    const input = await terrainOf(await openWorkspace(root, { cwd, git: false }), { mostNames: 2 });
    const { survey, path: listed } = await surveyed(path, input);
    const inner = done(survey.root.find(at(cwd === '.' ? 'src/inner' : 'inner')));
    expect([inner?.files, inner?.names]).toEqual([3, null]);
    if (inner === null) throw new Error('not found');
    expect(await readAgain(inner, listed, input)).toBe(true);
    expect([inner.files, inner.names?.toSorted()]).toEqual([3, ['c', 'd', 'e']]);
  });

  it('has what the rules let pass now, and nothing of what is below', async () => {
    const { root, inner, listed, survey, input } = await counted();
    writeFileSync(join(root, 'src/inner/d.log'), '');
    const rules = [{ kind: 'patterns', patterns: ['*.log'] }] as const;
    expect(await readAgain(inner, listed, { ...input, rules })).toBe(true);
    expect(inner.names?.toSorted()).toEqual(['c', 'd', 'e']);
    const first = done(survey.root.find(at('first'))) as Folder;
    expect(await readAgain(first, listed, { ...input, rules })).toBe(true);
    expect(first.names?.toSorted()).toEqual(['a', 'b']);
  });

  it('is empty when it has gone', async () => {
    const { root, inner, listed, survey, input } = await counted();
    rmSync(join(root, 'src/inner'), { recursive: true });
    expect(await readAgain(inner, listed, input)).toBe(true);
    expect([inner.files, inner.names, survey.root.filesBelow]).toEqual([0, [], 2]);
  });

  it('stays counted when there is no time to read it', async () => {
    const { inner, listed, input } = await counted();
    const late = new Budget({ timeLimit: 0 });
    const aborted = new Budget({ signal: AbortSignal.abort() });
    for (const budget of [late, aborted]) expect(await readAgain(inner, listed, { ...input, budget })).toBe(false);
    expect([inner.files, inner.names]).toEqual([3, null]);
  });

  it('stays counted when the time ends while it is read', async () => {
    const { inner, listed, input } = await counted();
    const { budget } = input;
    const take = vi.spyOn(NamesOfOne.prototype, 'take').mockImplementation(() => {
      budget.stopped ??= 'timeout';
    });
    onTestFinished(() => take.mockRestore());
    expect(await readAgain(inner, listed, input)).toBe(false);
    expect(take).toHaveBeenCalled();
    expect([inner.files, inner.names]).toEqual([3, null]);
  });

  it('does not hide a mistake', async () => {
    const { inner, listed, input } = await counted();
    const mistake = new TypeError('a mistake');
    vi.spyOn(input.workspace, 'enteringAt').mockImplementation(() => {
      throw mistake;
    });
    expect(await failureOf(readAgain(inner, listed, input))).toBe(mistake);
    expect(inner.names).toBeNull();
  });
});
