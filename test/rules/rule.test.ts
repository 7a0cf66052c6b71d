import { describe, expect, it, vi } from 'vitest';
import {
  everywhere,
  hiddenBy,
  hidesNothing,
  type InnerPlace,
  type Rule,
  scopeOf,
  type Verdict,
} from '../../src/rules/rule.ts';
import { bytesOf } from '../../src/workspace/bytes.ts';
import { placeAt } from '../support/place.ts';

const NAME = bytesOf('name');
const HERE = placeAt('');
const INNER: InnerPlace = { ...HERE, reach: () => null, mayHave: () => false };

const effort = { steps: 0 };
const hides = (pattern: string): Verdict => hiddenBy('argument', bytesOf(pattern));
const shows = (pattern: string): Verdict => ({ ...hides(pattern), hidden: false });

it('what stands in no file is hidden by its pattern alone', () => {
  expect(hiddenBy('builtin', bytesOf('dist'))).toEqual({
    ...{ by: 'builtin', hidden: true, source: null, line: null, pattern: 'dist' },
  });
});

it('a rule that judges alike in every directory is entered by itself', () => {
  const judge = vi.fn(() => hides('x'));
  const scope = everywhere('key', judge)(HERE, effort);
  expect(scope.key()).toBe('key');
  expect(scope.enter(NAME, INNER)).toBe(scope);
  expect(scope.judge(NAME, 'dir')).toEqual(hides('x'));
  expect(judge).toHaveBeenCalledExactlyOnceWith(NAME, 'dir');
});

it('without rules nothing is hidden', () => {
  expect(hidesNothing(NAME, 'file')).toBeNull();
  expect(scopeOf([], HERE, effort).judge(NAME, 'file')).toBeNull();
});

describe('of many rules', () => {
  const says = (verdict: Verdict | null) => everywhere('', () => verdict);

  /** Every way in which so many rules can answer, each with a pattern of its own. */
  function answers(count: number): (Verdict | null)[][] {
    if (count === 0) return [[]];
    return answers(count - 1).flatMap((before) =>
      [hides(`${count}`), shows(`${count}`), null].map((last) => [...before, last]),
    );
  }

  it.each([1, 2, 3, 4])('the first that hides decides, else the first that speaks: %i', (count) => {
    for (const verdicts of answers(count)) {
      const judge = scopeOf(verdicts.map(says), HERE, effort).judge;
      const expected = verdicts.find((one) => one?.hidden) ?? verdicts.find((one) => one !== null) ?? null;
      expect({ verdicts, found: judge(NAME, 'file') }).toEqual({ verdicts, found: expected });
    }
  });

  it.each([2, 3])('each is told the name and the type, and none behind one that hides is asked: %i', (count) => {
    const judges = Array.from({ length: count }, () => vi.fn<() => Verdict | null>(() => null));
    const { judge } = scopeOf(
      judges.map((one) => everywhere('', one)),
      HERE,
      effort,
    );
    judge(NAME, 'link');
    for (const one of judges) expect(one).toHaveBeenCalledExactlyOnceWith(NAME, 'link');
    judges[0]?.mockReturnValue(hides('x'));
    judge(NAME, 'dir');
    expect(judges.map((one) => one.mock.calls.length)).toEqual([2, ...judges.slice(1).map(() => 1)]);
  });

  it('each is bound to the directory, and counts its work in the same place', () => {
    const rules = [1, 2].map(() => vi.fn<Rule>(everywhere('', hidesNothing)));
    scopeOf(rules, HERE, effort);
    for (const rule of rules) expect(rule.mock.calls).toEqual([[HERE, effort]]);
  });

  it('each is entered, with the same directory', () => {
    const deeper = (level: number, number: number): ReturnType<Rule> => ({
      judge: () => (level === number ? hides(`${number}`) : null),
      key: () => `${number} at ${level}`,
      enter: (name, directory) => {
        expect([name, directory]).toEqual([NAME, INNER]);
        return deeper(level + 1, number);
      },
    });
    let scope = scopeOf([() => deeper(0, 1), () => deeper(0, 2)], HERE, effort);
    const found: (string | undefined)[] = [];
    for (let level = 0; level < 4; level++) {
      found.push(scope.judge(NAME, 'file')?.pattern);
      scope = scope.enter(NAME, INNER);
    }
    expect(found).toEqual([undefined, '1', '2', undefined]);
    expect(scope.key()).toBe('["1 at 4","2 at 4"]');
  });

  it('their keys do not run together', () => {
    const keyOf = (...keys: string[]) =>
      scopeOf(
        keys.map((key) => everywhere(key, hidesNothing)),
        HERE,
        effort,
      ).key();
    const keys = [keyOf(), keyOf(''), keyOf('a'), keyOf('a', 'b'), keyOf('a,b'), keyOf('ab'), keyOf('a","b')];
    expect(new Set(keys).size).toBe(keys.length);
    expect(keyOf('a', 'b')).toBe(keyOf('a', 'b'));
  });
});
