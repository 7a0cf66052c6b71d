import { expect, it } from 'vitest';
import { bytesOf } from '../../src/names/bytes.ts';
import { scopeOf, verdictOn } from '../../src/rules/rule.ts';
import { type RuleSpec, rulesFor } from '../../src/rules/rule-spec.ts';
import { Budget } from '../../src/workspace/budget.ts';
import { placeAt } from '../support/place.ts';

const NAMES = ['.a', '.git', 'a.c', 'dist', 'a.[c]', 'sub'];

async function hiddenBy(...specs: RuleSpec[]): Promise<string[]> {
  const { judge } = await scopeOf(await rulesFor(specs), placeAt('sub'), Budget.unlimited());
  return NAMES.filter((name) => verdictOn(bytesOf(name), 'file', judge)?.hidden);
}

it.each<[string, RuleSpec, string[]]>([
  ['dotfiles', { kind: 'dotfiles' }, ['.a', '.git']],
  ['names that are noise', { kind: 'builtin-names' }, ['.git', 'dist']],
  ['git’s own directory', { kind: 'git-directory' }, ['.git']],
  ['patterns of fnmatch', { kind: 'patterns', patterns: ['*.[c]', 'sub/dist'] }, ['a.c', 'dist']],
  ['globs with braces', { kind: 'name-patterns', patterns: ['*.[c]', '{x,sub}'] }, ['a.[c]', 'sub']],
  ['ignore files', { kind: 'ignore-files', git: true, gemini: true }, ['.git']],
  ['ignore files, of which none counts', { kind: 'ignore-files', git: false, gemini: false }, []],
])('a query says by data what is hidden: %s', async (_, spec, expected) => {
  expect(await hiddenBy(spec)).toEqual(expected);
});

it('in the order in which it is said', async () => {
  const specs: RuleSpec[] = [{ kind: 'git-directory' }, { kind: 'dotfiles' }];
  const origins = async (order: RuleSpec[]) => {
    const { judge } = await scopeOf(await rulesFor(order), placeAt(''), Budget.unlimited());
    return verdictOn(bytesOf('.git'), 'dir', judge)?.by;
  };
  expect(await origins(specs)).toBe('builtin');
  expect(await origins(specs.toReversed())).toBe('dotfile');
});
