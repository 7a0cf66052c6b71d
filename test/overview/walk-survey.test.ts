/** What is read for a map, and what is read again of a directory whose names were only counted. */

import { expect, it } from 'vitest';
import { openWorkspace } from '../../src/index.ts';
import { readAgain, surveyOf, type Terrain } from '../../src/overview/walk-survey.ts';
import { Budget } from '../../src/workspace/budget.ts';
import { at } from '../support/paths.ts';
import { makeTree } from '../support/tree.ts';

it.each([
  ['.', '.'],
  ['src', '.'],
  ['src/inner', '..'],
  ['src', 'inner/../'],
])('reads a directory again that was only counted, with the cwd %j and the path %j', async (cwd, path) => {
  const root = makeTree({ 'src/a': '', 'src/b': '', 'src/inner/c': '', 'src/inner/d': '', 'src/inner/e': '' });
  const workspace = await openWorkspace(root, { cwd, git: false });
  const terrain: Terrain = {
    workspace,
    rules: [],
    select: null,
    budget: new Budget(),
    cache: null,
    evidence: null,
    mostNames: 2,
  };
  const surveyed = await surveyOf(path, terrain, async () => null);
  if ('recalled' in surveyed) throw new Error('nothing was kept');
  const { survey, path: listed } = surveyed;
  const inner = survey.root.find(at(cwd === '.' ? 'src/inner' : 'inner'));
  expect([inner?.files, inner?.names]).toEqual([3, null]);
  if (inner === null) throw new Error('not found');
  expect(await readAgain(inner, listed, terrain)).toBe(true);
  expect([inner.files, inner.names?.toSorted()]).toEqual([3, ['c', 'd', 'e']]);
  workspace.close();
});
