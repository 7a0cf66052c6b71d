/** A map is given again while all that it depends on is the same, and chosen anew as soon as it is not. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type MapOptions, openWorkspace, tree, type Workspace } from '../../src/index.ts';
import { KeptMap } from '../../src/overview/kept-map.ts';
import { Planner } from '../../src/overview/plan.ts';
import { ownHome } from '../support/home.ts';
import { oddCalls } from '../support/odd-calls.ts';
import { settle, unsettle } from '../support/settled.ts';
import { makeTree } from '../support/tree.ts';

ownHome();

let root = '';
let workspace: Workspace;

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

/** The text of a map, and whether it was chosen for this call. */
async function asked(params: object = {}, options: MapOptions = {}) {
  const planning = vi.spyOn(Planner.prototype, 'at');
  const { text } = await tree(params, workspace, options);
  const isChosen = planning.mock.calls.length > 0;
  planning.mockRestore();
  return { text, isChosen };
}

describe.runIf(oddCalls !== null)('a map', () => {
  it('is given again to the same question', async () => {
    const first = await asked();
    expect(first.isChosen).toBe(true);
    expect(await asked()).toEqual({ text: first.text, isChosen: false });
    expect((await asked({ path: 'src' })).isChosen).toBe(true);
    expect((await asked({ path: 'src' })).isChosen).toBe(false);
    expect((await asked({ match: 'deep' })).isChosen).toBe(true);
    expect((await asked({ match: 'deep' })).isChosen).toBe(false);
  });

  it.each<[string, object, MapOptions]>([
    ['another budget', { budget: 200 }, {}],
    ['other words', { match: 'a' }, {}],
    ['other rules', { respect_git_ignore: false }, {}],
    ['patterns', { ignore: ['*.md'] }, {}],
    ['another length', {}, { maxCharacters: 5_000 }],
    ['another form', {}, { sentAs: (text) => `${text}!` }],
    ['other tokens', {}, { countTokens: (text) => text.length }],
    ['no cache', {}, { cache: false }],
  ])('is chosen anew for %s', async (_, params, options) => {
    await asked();
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
    change();
    const second = await asked();
    expect(second.isChosen).toBe(true);
    expect(second.text).not.toBe(first.text);
  });

  it('is chosen anew after another commit', async () => {
    const words = ['-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-q', '--allow-empty', '-m', 'x'];
    const commit = () => execFileSync('git', words, { cwd: root });
    commit();
    await asked();
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
    await asked();
    writeFileSync(join(root, 'part-3/src/four.ts'), '');
    const fresh = await tree({}, workspace, { cache: false });
    const taking = vi.spyOn(KeptMap.prototype, 'takeSurvey');
    const maps = await Promise.all([1, 2, 3, 4].map(() => tree({}, workspace)));
    // The survey is changed by the one that has it.
    expect(taking.mock.results.filter(({ value }) => value !== null)).toHaveLength(1);
    taking.mockRestore();
    for (const { text } of maps) expect(text).toBe(fresh.text);
    rmSync(join(root, 'part-5'), { recursive: true });
    expect((await asked()).text).toBe((await tree({}, workspace, { cache: false })).text);
  });
});
