/** The rules of a repository's root, as the rest of the house gets them. */
import { expect, it, vi } from 'vitest';
import { GitRules, type RepositoryRules, repositoryRulesAt } from '../../src/rules/git-rules.ts';
import { type Bytes, bytesOf } from '../../src/workspace/bytes.ts';
import { isolateGit, makeRepositoryTree } from '../support/repository.ts';
import { addTree, emptyDirectory, type TreeLiteral } from '../support/tree.ts';

isolateGit();

const IGNORE_CASE = '[core]\nrepositoryFormatVersion = 0\nignoreCase = true\n';

function repository(tree: TreeLiteral = {}): { root: string; found: RepositoryRules } {
  const root = makeRepositoryTree({ 'src/a.ts': '' });
  addTree(root, tree);
  return { root, found: repositoryRulesAt(bytesOf(root), bytesOf(root)) as RepositoryRules };
}

function rulesAt(rules: RepositoryRules, rootPath: string, gitignore: string | null = null): GitRules {
  return GitRules.at(rules, bytesOf(rootPath), () => gitignore as Bytes | null, { steps: 0 });
}

it('a directory that is the root of no repository has none', () => {
  const directory = bytesOf(emptyDirectory());
  expect(repositoryRulesAt(directory, directory)).toBeNull();
});

it('a file is called by its path from the workspace, or by its own where it is outside of the work tree', () => {
  vi.stubEnv('XDG_CONFIG_HOME', emptyDirectory());
  const users = `${process.env.XDG_CONFIG_HOME}/git/ignore`;
  addTree(process.env.XDG_CONFIG_HOME as string, { 'git/ignore': 'mine\n' });
  const { root, found } = repository({ '.git/info/exclude': 'excluded\n' });
  const rules = rulesAt(found, root, 'shared\n');
  const sources = ['mine', 'excluded', 'shared', 'other'].map((name) => rules.decide(bytesOf(name), false)?.source);
  expect(sources).toEqual([users, '.git/info/exclude', '.gitignore', undefined]);
  const inner = rules.enter('src' as Bytes, bytesOf(`${root}/src`), () => 'a.ts\n' as Bytes);
  expect(inner.decide('a.ts' as Bytes, false)?.source).toBe('src/.gitignore');
});

it('without a home there is no file of the user', () => {
  vi.stubEnv('HOME', undefined);
  const { root, found } = repository();
  expect(found.files.map(({ path }) => path)).toEqual([`${root}/.git/info/exclude`]);
});

it('.git is .git in any case where case is ignored', () => {
  const names = ['.git', '.GIT', '.gitx', 'git'].map((name) => bytesOf(name));
  const exact = repository();
  expect(names.map((name) => rulesAt(exact.found, exact.root).isDotGit(name))).toEqual([true, false, false, false]);
  const folded = repository({ '.git/config': IGNORE_CASE });
  expect(names.map((name) => rulesAt(folded.found, folded.root).isDotGit(name))).toEqual([true, true, false, false]);
});

it('the key tells apart whatever decides differently', () => {
  const one = repository();
  const other = repository();
  const folded = { ...one.found, ignoreCase: true };
  const key = (rules: RepositoryRules, gitignore: string | null) => rulesAt(rules, one.root, gitignore).key;
  const entered = (name: string, gitignore: string | null) =>
    rulesAt(one.found, one.root).enter(bytesOf(name), bytesOf(`${one.root}/${name}`), () => gitignore as Bytes | null)
      .key;
  const keys = [
    ...[key(one.found, null), key(one.found, ''), key(one.found, 'a\n'), key(one.found, '-')],
    ...[key(folded, null), key(other.found, null)],
    ...[entered('src', null), entered('src', 'a\n'), entered('lib', 'a\n')],
  ];
  expect(new Set(keys).size).toBe(keys.length);
  expect(key(one.found, 'a\n')).toBe(
    key(repositoryRulesAt(bytesOf(one.root), bytesOf(one.root)) as RepositoryRules, 'a\n'),
  );
});
