import { describe, expect, it } from 'vitest';
import { bytesOf } from '../../src/names/bytes.ts';
import { builtinNames, dotfiles, gitDirectory } from '../../src/rules/builtin.ts';
import { type Rule, verdictOn } from '../../src/rules/rule.ts';
import { Budget } from '../../src/workspace/budget.ts';
import { placeAt } from '../support/place.ts';

const bound = (rule: Rule) => rule(placeAt('sub'), Budget.unlimited());
const judged = async (rule: Rule, name: string) => verdictOn(bytesOf(name), 'file', (await bound(rule)).judge);
const hidden = (by: string, pattern: string) => ({ by, hidden: true, source: null, line: null, pattern });

describe('dotfiles', () => {
  it.each(['.a', '.', '..a', '.git', '.é'])('%s is one', async (name) => {
    expect(await judged(dotfiles, name)).toEqual(hidden('dotfile', '.*'));
  });

  it.each(['a', 'a.', 'a.b', '-', '/', '', '·a'])('%j is none', async (name) => {
    expect(await judged(dotfiles, name)).toBeNull();
  });
});

describe('names that are noise', () => {
  const names = [
    ...['.git', '.hg', '.svn', '__pycache__', 'node_modules', 'target', 'build', 'dist', '.idea', '.vscode'],
    ...['.DS_Store', 'venv', '.venv'],
  ];

  it.each(names)('%s is hidden by its own name', async (name) => {
    expect(await judged(builtinNames, name)).toEqual(hidden('builtin', name));
  });

  it.each(['', 'Build', 'node_modulesx', 'node_module', 'xnode_modules', 'env', 'DIST', 'constructor', '.gitignore'])(
    '%j is shown',
    async (name) => {
      expect(await judged(builtinNames, name)).toBeNull();
    },
  );
});

describe('git’s own directory', () => {
  it('is hidden by its name', async () => {
    expect(await judged(gitDirectory, '.git')).toEqual(hidden('builtin', '.git'));
  });

  it.each(['.Git', '.gitx', 'git', '.', ''])('%j is none', async (name) => {
    expect(await judged(gitDirectory, name)).toBeNull();
  });
});

it('each has a key of its own', async () => {
  const scopes = await Promise.all([dotfiles, builtinNames, gitDirectory].map(bound));
  const keys = scopes.map((scope) => scope.key());
  expect(new Set([...keys, '']).size).toBe(4);
});
