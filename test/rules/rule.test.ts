import { describe, expect, it, vi } from 'vitest';
import { type Bytes, bytesOf } from '../../src/names/bytes.ts';
import {
  afterwards,
  entryNamed,
  everywhere,
  hiddenBy,
  hidesNothing,
  type InnerPlace,
  innerPlaceOf,
  type Rule,
  type Scope,
  scopeOf,
  type Verdict,
  verdictOn,
} from '../../src/rules/rule.ts';
import { Budget } from '../../src/workspace/budget.ts';
import { readRuleFile, SkippedFile } from '../../src/workspace/source.ts';
import { at } from '../support/paths.ts';
import { placeAt } from '../support/place.ts';

const NAME = bytesOf('name');
const HERE = placeAt('');
const INNER: InnerPlace = { ...HERE, mayHave: () => false };

const call = Budget.unlimited();
const hides = (pattern: string): Verdict => hiddenBy('argument', bytesOf(pattern));
const shows = (pattern: string): Verdict => ({ ...hides(pattern), hidden: false });

it('what stands in no file is hidden by its pattern alone', () => {
  expect(hiddenBy('builtin', bytesOf('dist'))).toEqual({
    ...{ by: 'builtin', hidden: true, source: null, line: null, pattern: 'dist' },
  });
});

it('a rule that judges alike in every directory is entered by itself', async () => {
  const judge = vi.fn(() => hides('x'));
  const scope = await everywhere('key', judge)(HERE, call);
  expect(scope.key()).toBe('key');
  expect(scope.enter(NAME, INNER)).toBe(scope);
  expect(verdictOn(NAME, 'dir', scope.judge)).toEqual(hides('x'));
  expect(judge).toHaveBeenCalledExactlyOnceWith(entryNamed(NAME, 'dir'), 0);
});

it('without rules nothing is hidden', async () => {
  expect(verdictOn(NAME, 'file', hidesNothing)).toBeNull();
  expect(verdictOn(NAME, 'file', (await scopeOf([], HERE, call)).judge)).toBeNull();
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

  it.each([1, 2, 3, 4])('the first that hides decides, else the first that matches: %i', async (count) => {
    for (const verdicts of answers(count)) {
      const { judge } = await scopeOf(verdicts.map(says), HERE, call);
      const expected = verdicts.find((one) => one?.hidden) ?? verdicts.find((one) => one !== null) ?? null;
      expect({ verdicts, found: verdictOn(NAME, 'file', judge) }).toEqual({ verdicts, found: expected });
    }
  });

  it.each([2, 3])('each is told the name and the type, and none behind one that hides is asked: %i', async (count) => {
    const judges = Array.from({ length: count }, () => vi.fn<() => Verdict | null>(() => null));
    const { judge } = await scopeOf(
      judges.map((one) => everywhere('', one)),
      HERE,
      call,
    );
    verdictOn(NAME, 'link', judge);
    for (const one of judges) expect(one).toHaveBeenCalledExactlyOnceWith(entryNamed(NAME, 'link'), 0);
    judges[0]?.mockReturnValue(hides('x'));
    verdictOn(NAME, 'dir', judge);
    expect(judges.map((one) => one.mock.calls.length)).toEqual([2, ...judges.slice(1).map(() => 1)]);
  });

  it('each is bound to the directory, and counts its work in the same place', async () => {
    const rules = [1, 2].map(() => vi.fn<Rule>(everywhere('', hidesNothing)));
    await scopeOf(rules, HERE, call);
    for (const rule of rules) expect(rule.mock.calls).toEqual([[HERE, call]]);
  });

  it.each([
    ['at once', <T>(scope: T) => scope],
    ['after a while', async <T>(scope: T) => scope],
  ])('each is entered, with the same directory, %s', async (_, soon) => {
    const deeper = (level: number, number: number): Scope => ({
      judge: () => (level === number ? hides(`${number}`) : null),
      key: () => `${number} at ${level}`,
      enter: (name, directory) => {
        expect([name, directory]).toEqual([NAME, INNER]);
        // The second takes its time, if any does.
        return number === 2 ? soon(deeper(level + 1, number)) : deeper(level + 1, number);
      },
    });
    let scope = await scopeOf([async () => deeper(0, 1), async () => deeper(0, 2)], HERE, call);
    const found: (string | undefined)[] = [];
    for (let level = 0; level < 4; level++) {
      found.push(verdictOn(NAME, 'file', scope.judge)?.pattern);
      scope = await scope.enter(NAME, INNER);
    }
    expect(found).toEqual([undefined, '1', '2', undefined]);
    expect(scope.key()).toBe('["1 at 4","2 at 4"]');
  });

  it('their keys do not run together', async () => {
    const keyOf = async (...keys: string[]) => {
      const rules = keys.map((key) => everywhere(key, hidesNothing));
      return (await scopeOf(rules, HERE, call)).key();
    };
    const lists = [[], [''], ['a'], ['a', 'b'], ['a,b'], ['ab'], ['a","b']];
    const keys = await Promise.all(lists.map((list) => keyOf(...list)));
    expect(new Set(keys).size).toBe(keys.length);
    expect(await keyOf('a', 'b')).toBe(await keyOf('a', 'b'));
  });
});

it('scopes that are there at once are entered at once', async () => {
  const scope = await scopeOf([everywhere('a', hidesNothing), everywhere('b', hidesNothing)], HERE, call);
  expect(scope.enter(NAME, INNER)).not.toBeInstanceOf(Promise);
});

it('what follows a value waits only where the value does', async () => {
  expect(afterwards(1, (value) => value + 1)).toBe(2);
  const later = afterwards(Promise.resolve(1), (value) => value + 1);
  expect(later).toBeInstanceOf(Promise);
  expect(await later).toBe(2);
});

it('an inner place is the held directory, and knows what may be in it', () => {
  const asked: unknown[] = [];
  const answer =
    <T>(value: T) =>
    (...words: unknown[]) => {
      asked.push(words);
      return value;
    };
  const held = {
    ...{ path: at('a'), rootRealPath: bytesOf('/r'), outside: null },
    ...{ readFile: answer(bytesOf('1')), fileAt: answer(bytesOf('2')), entryAt: answer(null) },
  };
  const inner = innerPlaceOf(held, (name) => name === NAME);
  expect([inner.path, inner.rootRealPath, inner.outside]).toEqual(['a', '/r', null]);
  expect([inner.mayHave(NAME), inner.mayHave(bytesOf('other'))]).toEqual([true, false]);
  expect([inner.readFile(NAME), inner.fileAt(at(NAME), 7), inner.entryAt(at(NAME))]).toEqual(['1', '2', null]);
  expect(asked).toEqual([[NAME], [NAME, 7], [NAME]]);
});

describe('a file of rules', () => {
  const read = (content: Bytes | SkippedFile | null, mayRead = true) => {
    const sizes: number[] = [];
    const one = Object.assign(Budget.unlimited(), {
      mayRead: (bytes: number) => {
        sizes.push(bytes);
        return mayRead;
      },
    });
    const name = vi.fn(() => '.gitignore');
    const found = readRuleFile(content, name, one);
    return { found, notes: one.notes, sizes, named: name.mock.calls.length };
  };

  it('is what it holds, and its bytes are counted', () => {
    expect(read(bytesOf('*.log\n'))).toEqual({ found: '*.log\n', notes: [], sizes: [6], named: 0 });
  });

  it('is left out without a word where there is none', () => {
    expect(read(null)).toEqual({ found: null, notes: [], sizes: [], named: 0 });
  });

  it('is left out with a note where it cannot be used', () => {
    const notes = ["'.gitignore' is a link, and is not used"];
    expect(read(new SkippedFile('is a link'))).toEqual({ found: null, notes, sizes: [], named: 1 });
  });

  it('is left out with a note where the call has read too many', () => {
    const notes = ["'.gitignore' is not used: there are too many rules in all"];
    expect(read(bytesOf('a'), false)).toEqual({ found: null, notes, sizes: [1], named: 1 });
  });
});
