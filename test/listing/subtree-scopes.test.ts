/** The rules in each directory of a subtree: bound once, on the way down, and asked by name. */
import { describe, expect, it } from 'vitest';
import { memorySource } from '../../src/index.ts';
import { RulesBelow, usableFilters } from '../../src/listing/subtree-rules.ts';
import { type Bytes, bytesOf } from '../../src/names/bytes.ts';
import { asGiven } from '../../src/names/paths.ts';
import { COMPILED_AT_ONCE, type InnerPlace, type Judge, ORIGINS, type Scope } from '../../src/rules/rule.ts';
import { RuleFilter } from '../../src/rules/rule-filter.ts';
import { Budget } from '../../src/workspace/budget.ts';
import { SkippedFile, type SourceDirectory } from '../../src/workspace/source.ts';
import { Workspace } from '../../src/workspace/workspace.ts';
import { entriesOf } from '../support/entries.ts';

const b = (text: string) => text as Bytes;
const ENTRY = entriesOf([b('name')]);
const LENT = { path: 'top/lent' } as SourceDirectory;

interface Given {
  readonly filters?: readonly RuleFilter[];
  readonly judge?: (path: string) => Judge;
  readonly takesTime?: boolean;
}

/** Rules that tell how they were bound. */
function rulesIn(name: string, { filters = [], judge = () => () => null, takesTime = false }: Given = {}) {
  const entered: { readonly path: string; readonly isShown: boolean | undefined; readonly place: InnerPlace | null }[] =
    [];
  const scopeAt = (path: string): Scope => ({
    judge: judge(path),
    key: () => path,
    filters: () => ({ all: filters, holdsBelow: path.endsWith('alike') }),
    enter(inner, place, isShown) {
      const scope = scopeAt(`${path}/${inner}`);
      entered.push({ path: `${path}/${inner}`, isShown, place: place && { ...place } });
      return takesTime ? Promise.resolve(scope) : scope;
    },
  });
  const held = Workspace.open(memorySource({ 'top/name/in/': null })).enter(asGiven('top'));
  const budget = new Budget();
  const rules = new RulesBelow(scopeAt(''), held, b(name), budget);
  return { rules, budget, entered, paths: () => entered.map(({ path }) => path) };
}

describe('the rules in a directory', () => {
  it('are bound on the way down, each once', () => {
    const { rules, entered, paths } = rulesIn('name');
    expect(rules.scopeAt(b('')).key()).toBe('/name');
    expect(rules.scopeAt(b('a/b')).key()).toBe('/name/a/b');
    expect(rules.scopeAt(b('a/b')).key()).toBe('/name/a/b');
    expect(rules.scopeAt(b('a/c')).key()).toBe('/name/a/c');
    expect(rules.scopeAt(b('ab')).key()).toBe('/name/ab');
    expect(rules.scopeAt(b('')).key()).toBe('/name');
    expect(paths()).toEqual(['/name', '/name/a', '/name/a/b', '/name/a/c', '/name/ab']);
    expect(entered.every(({ isShown }) => isShown === true)).toBe(true);
  });

  it('are bound from the first name, where nobody asked before', () => {
    const { rules, paths } = rulesIn('name');
    expect(rules.scopeAt(b('x/y')).key()).toBe('/name/x/y');
    expect(paths()).toEqual(['/name', '/name/x', '/name/x/y']);
  });

  it('are bound to a place without files, where it is not lent', () => {
    const { rules, entered } = rulesIn('name');
    rules.scopeAt(b('in'));
    expect(entered.map(({ path, place }) => [path, place])).toEqual([
      ['/name', null],
      ['/name/in', null],
    ]);
  });

  it('are bound to the files of one that is lent, and of no other', () => {
    const { rules, entered } = rulesIn('name');
    const content: Record<string, Bytes | SkippedFile> = {
      '.gitignore': b('rules'),
      large: b('#'.repeat(COMPILED_AT_ONCE + 1)),
      fits: b('#'.repeat(COMPILED_AT_ONCE)),
      link: SkippedFile.link,
    };
    const lent = {
      path: 'top/name/a/lent',
      readFile: (name: Bytes) => content[name] ?? null,
    } as unknown as SourceDirectory;
    rules.enter(b('a/lent'), lent);
    expect(entered.map(({ path }) => path)).toEqual(['/name', '/name/a', '/name/a/lent']);
    expect(entered.slice(0, 2).map(({ place }) => place)).toEqual([null, null]);
    const place = entered[2]?.place as InnerPlace;
    expect([place.path, place.mayHave(b('.gitignore')), place.mayHave(b('x'))]).toEqual([
      'top/name/a/lent',
      true,
      false,
    ]);
    expect([place.readFile(b('.gitignore')), place.readFile(b('none')), place.readFile(b('link'))]).toEqual([
      'rules',
      null,
      SkippedFile.link,
    ]);
    expect(place.readFile(b('fits'))).toHaveLength(COMPILED_AT_ONCE);
    expect(() => place.readFile(b('large'))).toThrow('that takes time');
  });

  it('take a walk where they take time', () => {
    expect(() => rulesIn('name', { takesTime: true }).rules.scopeAt(b(''))).toThrow('rules took time');
  });
});

describe('the table of a directory', () => {
  const filterOf = (name: string) => {
    const filter = new RuleFilter(false);
    filter.addPattern(name, '', false);
    return filter;
  };

  it('is that of its filters, and charged for', () => {
    const filters = [filterOf('a'), filterOf('b')];
    const { rules, budget } = rulesIn('name', { filters });
    const first = rules.enter(b('alike'), null);
    expect(first?.holdsBelow).toBe(true);
    expect(budget.work).toBe(2 * 500);
    const second = rules.enter(b('other'), null);
    expect(second?.holdsBelow).toBe(false);
    // Made once.
    expect(second?.table).toBe(first?.table);
  });

  it('is another one for other filters', () => {
    const [one, two, three] = [filterOf('a'), filterOf('b'), filterOf('c')] as const;
    const tableOf = (...filters: RuleFilter[]) => rulesIn('name', { filters }).rules.enter(b(''), null)?.table;
    const first = tableOf(one, two);
    expect(tableOf(one, two)).toBe(first);
    for (const filters of [[one], [one, three], [one, two], [two], [one, two, three], []]) {
      expect(tableOf(...filters)).not.toBe(first);
    }
    expect(tableOf(one)).not.toEqual(tableOf(two));
    // Each differs from the one before in its last filter alone.
    expect(tableOf(one, two)).not.toEqual(tableOf(one, three));
    expect(tableOf(one, two)).toEqual(first);
  });

  it('is none where nobody tells, or there are too many', () => {
    const many = (count: number) => Array.from({ length: count }, () => new RuleFilter(false));
    const { rules, budget } = rulesIn('name', { filters: many(101) });
    expect(rules.enter(b(''), null)).toBeNull();
    expect(budget.work).toBe(0);
    expect(rulesIn('name', { filters: many(100) }).rules.enter(b(''), null)).not.toBeNull();
    const silent: Scope = { judge: () => null, key: () => '', enter: () => silent };
    expect(usableFilters(silent)).toBeNull();
    expect(usableFilters({ ...silent, filters: () => null })).toBeNull();
  });
});

describe('an entry', () => {
  const verdict = (by: (typeof ORIGINS)[number], hidden: boolean) => () => ({
    ...{ by, hidden, source: null, line: null, pattern: b('x') },
  });

  it('is judged by the rules of the directory that was asked for last', () => {
    const judge = (path: string): Judge =>
      path === '/name/git' ? verdict('git', true) : path === '/name/shown' ? verdict('git', false) : () => null;
    const { rules } = rulesIn('name', { judge });
    const judged = (path: string) => {
      rules.setDirectory(bytesOf(path));
      return rules.judge(ENTRY);
    };
    expect([judged(''), judged('git'), judged('shown'), judged('git/in')]).toEqual([
      0,
      1 + ORIGINS.indexOf('git'),
      0,
      0,
    ]);
    rules.enter(b('git'), null);
    expect(rules.judge(ENTRY)).toBe(1 + ORIGINS.indexOf('git'));
    for (const by of ORIGINS) {
      const one = rulesIn('name', { judge: () => verdict(by, true) }).rules;
      one.setDirectory(b(''));
      expect(one.judge(ENTRY)).toBe(1 + ORIGINS.indexOf(by));
    }
  });

  it('is left to a walk where the directory has taken long, and so is no other', () => {
    const { rules, budget } = rulesIn('name');
    budget.steps = 1000;
    rules.setDirectory(b('in'));
    budget.steps += 200_000;
    expect(rules.judge(ENTRY)).toBe(0);
    budget.steps++;
    expect(rules.judge(ENTRY)).toBe(-1);
    rules.setDirectory(b('next'));
    expect(rules.judge(ENTRY)).toBe(0);
  });
});

it('nothing is asked of what is lent before a rule asks', () => {
  const { rules, paths } = rulesIn('name');
  expect(rules.scopeAt(b('lent'), LENT).key()).toBe('/name/lent');
  expect(paths()).toEqual(['/name', '/name/lent']);
});
