import { expect, it } from 'vitest';
import { BRACES, braced, unbraced } from '../../src/overview/braces.ts';

it.each([
  [['api', 'web', 'worker'], '{api,web,worker}'],
  [['pkg-a', 'pkg-b'], 'pkg-{a,b}'],
  [['pkg-01', 'pkg-02', 'pkg-03'], 'pkg-{01..03}'],
  [['v9', 'v10', 'v11'], 'v{9..11}'],
  [['v10', 'v11', 'v9'], 'v{10,11,9}'],
  [['d1', 'd3', 'd5'], 'd{1,3,5}'],
  [['a', 'ab', 'abc'], '{a,ab,abc}'],
  [['001', '002'], '{001,002}'],
])('%j is %s, and read back', (names, text) => {
  expect(braced(names)).toBe(text);
  expect(unbraced(text)).toEqual(names);
});

it.each(['plain', '{', 'a{b}c', '{1..999999999}', '{9..1}'])('%s is nothing of the kind', (text) => {
  expect(unbraced(text) ?? [text]).not.toHaveLength(2);
});

it('a name that looks like one is recognised', () => {
  expect(['{a,b}', 'x{1..3}y', '{,}'].every((name) => BRACES.test(name))).toBe(true);
  expect(['{a}', 'a,b', '[a,b]', '}a,b{'].some((name) => BRACES.test(name))).toBe(false);
});
