/** The rules of a repository's root, as the rest of the house gets them. */

import { rmSync } from 'node:fs';
import { join } from 'node:path';

import { afterEach, describe, expect, it, vi } from 'vitest';
import { type Repository, repositoryAt } from '../../src/git/repository.ts';
import { type RepositoryRules, repositoryRules } from '../../src/git/surroundings.ts';
import { type Bytes, bytesOf, textOf } from '../../src/names/bytes.ts';

import { GitRules } from '../../src/rules/git-rules.ts';
import { entryNamed, verdictOn } from '../../src/rules/rule.ts';
import { Budget } from '../../src/workspace/budget.ts';
import { SkippedFile } from '../../src/workspace/source.ts';
import { askGit, git, withFiles } from '../support/git.ts';
import { isolateGit, makeRepositoryTree } from '../support/repository.ts';
import { addTree, emptyDirectory, type TreeLiteral } from '../support/tree.ts';

isolateGit();

const IGNORE_CASE = '[core]\nrepositoryFormatVersion = 0\nignoreCase = true\n';

/** The rules of the repository in `directory`, in a workspace on `root`. */
function rulesOf(directory: string, call = Budget.unlimited(), root = directory): Promise<RepositoryRules> {
  return withFiles(root, (files) => {
    const found = repositoryAt(bytesOf(directory), files, call);
    if (found === null) throw new Error(`${directory} is not a repository`);
    return repositoryRules(found, files, call);
  });
}

async function repository(
  tree: TreeLiteral = {},
  call = Budget.unlimited(),
): Promise<{ root: string; found: RepositoryRules }> {
  const root = makeRepositoryTree({ 'src/a.ts': '' });
  rmSync(join(root, '.git/info'), { recursive: true, force: true });
  addTree(root, tree);
  return { root, found: await rulesOf(root, call) };
}

function rulesAt(
  rules: RepositoryRules,
  rootPath: string,
  gitignore: string | SkippedFile | null = null,
  call = Budget.unlimited(),
): Promise<GitRules> {
  return GitRules.at(rules, bytesOf(rootPath), () => gitignore as Bytes | SkippedFile | null, call, null);
}

it('a file is called by its path from the workspace, or by its own where it is outside of the work tree', async () => {
  vi.stubEnv('XDG_CONFIG_HOME', emptyDirectory());
  const users = join(process.env.XDG_CONFIG_HOME as string, 'git/ignore');
  addTree(process.env.XDG_CONFIG_HOME as string, { 'git/ignore': 'mine\n' });
  const { root, found } = await repository({ '.git/info/exclude': 'excluded\n' });
  const rules = await rulesAt(found, root, 'shared\n');
  const sources = ['mine', 'excluded', 'shared', 'other'].map((name) => rules.decide(bytesOf(name), false)?.source);
  expect(sources).toEqual([users, '.git/info/exclude', '.gitignore', undefined]);
  const inner = await rules.enter('src' as Bytes, bytesOf(join(root, 'src')), () => 'a.ts\n' as Bytes);
  expect(inner.decide('a.ts' as Bytes, false)?.source).toBe('src/.gitignore');
});

it('only files that are there count', async () => {
  expect((await repository()).found.files).toEqual([]);
  const { root, found } = await repository({ '.git/info/exclude': 'x\n' });
  expect(found.files).toEqual([{ path: join(root, '.git/info/exclude'), content: 'x\n' }]);
});

it('without a home there is no file of the user', async () => {
  addTree(process.env.HOME as string, { '.config/git/ignore': 'mine\n' });
  expect((await repository()).found.files.map(({ content }) => content)).toEqual(['mine\n']);
  vi.stubEnv('HOME', undefined);
  const { root, found } = await repository({ '.git/info/exclude': '' });
  expect(found.files.map(({ path }) => path)).toEqual([join(root, '.git/info/exclude')]);
});

it('other than in git, where a .git file leads nowhere, the user’s rules and the .gitignore files count', async () => {
  addTree(process.env.HOME as string, { '.config/git/ignore': 'mine\n' });
  const root = emptyDirectory();
  addTree(root, { '.git': 'gitdir: nowhere\n' });
  const rules = await rulesAt(await rulesOf(root), root, 'shared\n');
  expect(['mine', 'shared', 'x'].map((name) => rules.decide(bytesOf(name), false)?.pattern)).toEqual([
    ...['mine', 'shared', undefined],
  ]);
});

it('.git is .git in any case where case is ignored', async () => {
  const names = ['.git', '.GIT', '.gitx', 'git'].map((name) => bytesOf(name));
  const exact = await repository();
  const exactRules = await rulesAt(exact.found, exact.root);
  expect(names.map((name) => exactRules.isDotGit(name))).toEqual([true, false, false, false]);
  const folded = await repository({ '.git/config': IGNORE_CASE });
  const foldedRules = await rulesAt(folded.found, folded.root);
  expect(names.map((name) => foldedRules.isDotGit(name))).toEqual([true, true, false, false]);
});

describe('names are composed as git composes them (core.precomposeunicode)', () => {
  const [composed, decomposed] = ['café', 'café'.normalize('NFD')];
  const PRECOMPOSE = { '.git/config': '[core]\nprecomposeUnicode = true\n' };

  /** The pattern that decides about the name, in every way to ask. */
  async function patternFor(name: string, gitignore: string, tree: TreeLiteral): Promise<string | undefined> {
    const { root, found } = await repository(tree);
    const rules = await rulesAt(found, root, bytesOf(`${gitignore}\n`));
    const verdict = rules.decide(bytesOf(name), true);
    expect(verdictOn(bytesOf(name), 'dir', (entries, at) => rules.decideAt(entries, at))).toEqual(verdict);
    const inner = await rules.enter(bytesOf(name), bytesOf(`${root}/${name}`), () => null);
    expect(inner.decide('x' as Bytes, false)).toEqual(verdict);
    return verdict?.pattern && (textOf(verdict.pattern) ?? undefined);
  }

  const onMac = () => vi.stubGlobal('process', Object.create(process, { platform: { value: 'darwin' } }));
  afterEach(() => {
    vi.unstubAllGlobals();
  });

  it.each<[string, string, string, boolean]>([
    ['a composed pattern hides a decomposed name', decomposed, composed, true],
    ['and a composed one', composed, composed, true],
    ['a pattern in the middle', `x${decomposed}y`, `x${composed}*`, true],
    ['a decomposed pattern hides neither', decomposed, decomposed, false],
    ['nor this one', composed, decomposed, false],
    ['syllables of Hangul', '한'.normalize('NFD'), '한', true],
    ['what Apple’s disks never decompose stays as it is', '\u212b', '\u212b', true],
    ['and is not another letter', '\u212b', '\u00c5', false],
  ])('%s', async (_, name, pattern, hides) => {
    onMac();
    expect(await patternFor(name, pattern, PRECOMPOSE)).toBe(hides ? pattern : undefined);
  });

  it('bytes that are not UTF-8 stay as they are', async () => {
    onMac();
    const { root, found } = await repository(PRECOMPOSE);
    const rules = await rulesAt(found, root, 'e\xcc\x81\xff\n');
    expect(rules.decide('e\xcc\x81\xff' as Bytes, false)?.hidden).toBe(true);
  });

  it.each(['false', 'no', '0'])('not where it is %s, nor where it is not set', async (value) => {
    onMac();
    const tree = { '.git/config': `[core]\nprecomposeUnicode = ${value}\n` };
    for (const config of [tree, {}]) {
      expect(await patternFor(decomposed, composed, config)).toBeUndefined();
      expect(await patternFor(decomposed, decomposed, config)).toBe(decomposed);
    }
  });

  it('nor elsewhere than on a Mac, as git itself shows', async () => {
    const { root } = await repository({ ...PRECOMPOSE, '.gitignore': `${composed}\n`, [decomposed]: '' });
    const theirs = askGit(root, ['-c', 'core.quotePath=false', 'ls-files', '-o', '--exclude-standard']) ?? '';
    expect(textOf(theirs as Bytes)).toContain(`${decomposed}\n`);
    expect(await patternFor(decomposed, composed, PRECOMPOSE)).toBeUndefined();
  });

  it('what git tracks under a composed name is not hidden', async () => {
    const { root } = await repository({ ...PRECOMPOSE, [`${composed}/${composed}`]: '' });
    git(root, 'add', '--force', composed);
    onMac();
    await withFiles(root, async (files) => {
      const found = repositoryAt(bytesOf(root), files, Budget.unlimited()) as Repository;
      const all = await repositoryRules(found, files, Budget.unlimited());
      const rules = await GitRules.at(all, bytesOf(root), () => null, Budget.unlimited(), files);
      const inner = await rules.enter(bytesOf(decomposed), bytesOf(`${root}/${decomposed}`), () => null);
      const [entry, other] = [decomposed, 'x'].map((name) => bytesOf(name)) as [Bytes, Bytes];
      expect([rules.isTracked(entryNamed(entry, 'dir'), 0), rules.isTracked(entryNamed(other, 'dir'), 0)]).toEqual([
        ...[true, false],
      ]);
      expect(inner.isTracked(entryNamed(entry, 'file'), 0)).toBe(true);
    });
  });
});

it('the key tells apart whatever decides differently', async () => {
  const one = await repository();
  const other = await repository();
  const folded = { ...one.found, ignoreCase: true };
  const composing = { ...one.found, composes: true };
  const key = async (rules: RepositoryRules, gitignore: string | null) =>
    (await rulesAt(rules, one.root, gitignore)).key;
  const entered = async (name: string, gitignore: string | null) => {
    const rules = await rulesAt(one.found, one.root);
    return (await rules.enter(bytesOf(name), bytesOf(`${one.root}/${name}`), () => gitignore as Bytes | null)).key;
  };
  const keys = await Promise.all([
    ...[key(one.found, null), key(one.found, ''), key(one.found, 'a\n'), key(one.found, '-')],
    ...[key(folded, null), key(composing, null), key(other.found, null)],
    ...[entered('src', null), entered('src', 'a\n'), entered('lib', 'a\n')],
  ]);
  expect(new Set(keys).size).toBe(keys.length);
  expect(await key(one.found, 'a\n')).toBe(await key(await rulesOf(one.root), 'a\n'));
});

describe('what cannot be used is left out, and noted', () => {
  const LINK = new SkippedFile('is a link');

  it('a .gitignore of the root', async () => {
    const call = Budget.unlimited();
    const { root, found } = await repository();
    const rules = await rulesAt(found, root, LINK, call);
    expect(rules.decide('x' as Bytes, false)).toBeNull();
    expect(call.notes).toEqual(["'.gitignore' is a link, and is not used"]);
  });

  it('a .gitignore further down', async () => {
    const call = Budget.unlimited();
    const { root, found } = await repository();
    const rules = await rulesAt(found, root, '*.log\n', call);
    const inner = await rules.enter('src' as Bytes, bytesOf(join(root, 'src')), () => LINK);
    expect(inner.decide('a.log' as Bytes, false)?.source).toBe('.gitignore');
    expect(call.notes).toEqual(["'src/.gitignore' is a link, and is not used"]);
  });

  it('info/exclude', async () => {
    const call = Budget.unlimited();
    const { found } = await repository({ exclude: 'x\n', '.git/info/exclude': { link: '../../exclude' } }, call);
    expect(found.files).toEqual([]);
    expect(call.notes).toEqual(["'.git/info/exclude' is a link, and is not used"]);
  });

  it.each<[string, TreeLiteral, string]>([
    ['a link in the workspace', { x: { link: 'y' }, y: 'a\n' }, "'x' is a link, and is not used"],
    ['a directory', { 'x/y': '' }, "'x' is not a plain file, and is not used"],
    ['more than a megabyte', { x: '#'.repeat(2 ** 20 + 1) }, "'x' is larger than 1 MB, and is not used"],
  ])('the user’s own file: %s', async (_, tree, note) => {
    const call = Budget.unlimited();
    addTree(process.env.HOME as string, { '.gitconfig': '[core]\nexcludesFile = x\n' });
    const { found } = await repository(tree, call);
    expect(found.files).toEqual([]);
    expect(call.notes).toEqual([note]);
  });

  it('a file of which the call has read too many', async () => {
    const call = Object.assign(Budget.unlimited(), { mayRead: (bytes: number) => bytes < 100 });
    const { root, found } = await repository({ '.git/info/exclude': '#'.repeat(100) }, call);
    expect(found.files).toEqual([]);
    const rules = await rulesAt(found, root, `x\n${'#'.repeat(100)}`, call);
    expect(rules.decide('x' as Bytes, false)).toBeNull();
    expect(call.notes).toEqual([
      "'.git/info/exclude' is not used: there are too many rules in all",
      "'.gitignore' is not used: there are too many rules in all",
    ]);
  });

  it('a .gitignore where two megabytes are in force above it', async () => {
    const call = Budget.unlimited();
    const { root, found } = await repository();
    const large = bytesOf(`x\n${'#'.repeat(2 ** 20 - 2)}`);
    const rules = await rulesAt(found, root, large, call);
    const inner = await rules.enter('a' as Bytes, bytesOf(join(root, 'a')), () => large);
    expect(call.notes).toEqual([]);
    expect(inner.decide('x' as Bytes, false)?.source).toBe('a/.gitignore');
    const deeper = await inner.enter('b' as Bytes, bytesOf(join(root, 'a/b')), () => '!x\n' as Bytes);
    expect(deeper.decide('x' as Bytes, false)?.source).toBe('a/.gitignore');
    expect(call.notes).toEqual(["'a/b/.gitignore' is not used: there are too many rules above it"]);
    // Beside it there is room.
    const beside = await rules.enter('b' as Bytes, bytesOf(join(root, 'b')), () => '!x\n' as Bytes);
    expect(beside.decide('x' as Bytes, false)?.source).toBe('b/.gitignore');
  });
});
