import { describe, expect, it } from 'vitest';
import { bytesOf } from '../../src/names/bytes.ts';
import { ignoreNames, ignorePatterns } from '../../src/rules/ignore-argument.ts';
import { type InnerPlace, type Rule, type Scope, verdictOn } from '../../src/rules/rule.ts';
import { Budget } from '../../src/workspace/budget.ts';
import { placeAt } from '../support/place.ts';

const INNER: InnerPlace = { ...placeAt(''), mayHave: () => false };

/** The scope that is reached from the directory `listed` by some names. */
async function scopeIn(
  rule: Rule,
  listed: string,
  names: readonly string[],
  call: Budget = Budget.unlimited(),
): Promise<Scope> {
  let scope = await rule(placeAt(listed), call);
  for (const name of names) scope = await scope.enter(bytesOf(name), INNER);
  return scope;
}

describe('a walk', () => {
  it.each<[string, string, string, string, string, boolean]>([
    ['sees the name alone, without a slash', 'a', '', 'src', 'a', true],
    ['and no directory above it', 'src*', '', 'src', 'a', false],
    ['sees the path from the root', 'top/src/a', 'top', 'src', 'a', true],
    ['and the path from the listed directory', 'src/a', 'top', 'src', 'a', true],
    ['but none that begins between them', 'lib/a', 'top', 'src/lib', 'a', false],
    ['nor the name alone, with a slash', '/a', 'top', 'src', 'a', false],
    ['a backslash asks for a path, too', 's*\\a', 'top', 'src', 'x\\a', true],
    ['and not for the name', 'a\\b', 'top', 'src', 'a\\b', false],
    ['it is no slash', 'src\\a', 'top', 'src', 'a', false],
    ['a leading **/ stands for what is above', '**/a', 'top', 'src', 'a', true],
    ['or for nothing: the rest is tried on the path', '**/src/a', 'top', 'src', 'a', true],
    ['also on the whole one', '**/top/src/a', 'top', 'src', 'a', true],
    ['one in the middle of the pattern does not', 'top/**/src/a', 'top', 'src', 'a', false],
    ['a path of several levels', 'src/*/a', 'top', 'src/lib', 'a', true],
    ['several stars are one', '**', '', '', 'a', true],
    ['a question mark is one character', '?', '', '', 'a', true],
    ['in the root both paths are the name', '*/a', '', '', 'a', false],
  ])('%s: %s', async (_, pattern, listed, way, name, expected) => {
    const names = way === '' ? [] : way.split('/');
    const { judge } = await scopeIn(ignorePatterns([pattern]), listed, names);
    expect(verdictOn(bytesOf(name), 'file', judge) !== null).toBe(expected);
  });

  it('has the same scope in every directory where no pattern asks for a path', async () => {
    for (const rule of [ignorePatterns(['a', '*.b']), ignoreNames(['a/b'])]) {
      const scope = await scopeIn(rule, 'top', []);
      expect(scope.enter(bytesOf('src'), INNER)).toBe(scope);
    }
  });

  it('and another one where some do', async () => {
    const rule = ignorePatterns(['x', 'src/a']);
    const names = ['a', 'x', 'b'].map(bytesOf);
    const hidden = async (way: string[]) => {
      const { judge } = await scopeIn(rule, 'top', way);
      return names.filter((name) => verdictOn(name, 'file', judge) !== null);
    };
    expect([await hidden([]), await hidden(['src']), await hidden(['src', 'src'])]).toEqual([['x'], ['a', 'x'], ['x']]);
  });

  it('counts all of its work in one place', async () => {
    for (const rule of [ignorePatterns(['a/?b*c']), ignoreNames(['a?b*c'])]) {
      const call = Budget.unlimited();
      verdictOn(bytesOf('abbbbbb'), 'file', (await scopeIn(rule, 'top', ['a'], call)).judge);
      expect(call.steps).toBeGreaterThan(1);
    }
  });
});

it.each(['a', '*a', 'a*'])('a comparison of bytes is one step: %s', async (pattern) => {
  for (const rule of [ignorePatterns([pattern]), ignoreNames([pattern])]) {
    const call = Budget.unlimited();
    verdictOn(bytesOf('a'.repeat(200)), 'file', (await scopeIn(rule, '', [], call)).judge);
    expect(call.steps).toBe(1);
  }
});

describe.each([
  ['patterns', ignorePatterns],
  ['names', ignoreNames],
])('%s', (_, ruleFor) => {
  it('the first that matches is named as it was sent', async () => {
    const { judge } = await scopeIn(ruleFor(['b*', '*é', '*']), '', []);
    const verdict = { by: 'argument', hidden: true, source: null, line: null };
    expect(verdictOn(bytesOf('é'), 'dir', judge)).toEqual({ ...verdict, pattern: bytesOf('*é') });
    expect(verdictOn(bytesOf('bé'), 'dir', judge)).toEqual({ ...verdict, pattern: 'b*' });
  });

  it('none hide nothing', async () => {
    expect(verdictOn(bytesOf('a'), 'file', (await scopeIn(ruleFor([]), '', [])).judge)).toBeNull();
  });

  it('have a key that tells them from others, and is the same in every directory', async () => {
    const lists = [[], ['a'], ['a', 'b'], ['a","b'], ['a/b']];
    const scopes = await Promise.all(lists.map((patterns) => scopeIn(ruleFor(patterns), '', [])));
    const keys = scopes.map((scope) => scope.key());
    expect(new Set(keys).size).toBe(keys.length);
    expect((await scopeIn(ruleFor(['a/b']), 'top', ['src'])).key()).toBe(keys.at(-1));
  });
});

it('the two kinds have different keys: they read the same pattern differently', async () => {
  const [patterns, names] = [
    await scopeIn(ignorePatterns(['[a]']), '', []),
    await scopeIn(ignoreNames(['[a]']), '', []),
  ];
  expect(patterns.key()).not.toBe(names.key());
  const hidden = ({ judge }: Scope) => ['a', '[a]'].filter((name) => verdictOn(bytesOf(name), 'file', judge));
  expect([hidden(patterns), hidden(names)]).toEqual([['a'], ['[a]']]);
});
