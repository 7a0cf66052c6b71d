import { expect, it } from 'vitest';
import { BRACEABLE, braced, unbraced } from '../../src/overview/braces.ts';

it.each([
  [['api', 'web', 'worker'], '{api,web,worker}'],
  [['pkg-a', 'pkg-b'], 'pkg-{a,b}'],
  [['pkg-01', 'pkg-02', 'pkg-03'], 'pkg-{01..03}'],
  [['v9', 'v10', 'v11'], 'v{9..11}'],
  [['v10', 'v11', 'v9'], 'v{10,11,9}'],
  [['d1', 'd3', 'd5'], 'd{1,3,5}'],
  [['a', 'ab', 'abc'], '{a,ab,abc}'],
  [['001', '002'], '{001,002}'],
  [['1', '2', '3'], '{1..3}'],
  [['x1', 'x12', 'x13'], 'x{1,12,13}'],
  [['1.5', '2.5', '3.5'], '{1.5,2.5,3.5}'],
  [['1-a', '2', '3'], '{1-a,2,3}'],
  [['a-1', 'a-2', 'a-10'], 'a-{1,2,10}'],
  [['123456789', '123456790', '123456791'], '{123456789..123456791}'],
  [['1234567890', '1234567891', '1234567892'], '{1234567890,1234567891,1234567892}'],
])('%j is %s, and read back', (names, text) => {
  expect(braced(names)).toBe(text);
  expect(unbraced(text)).toEqual(names);
});

it.each([
  ...['', 'plain', '{', 'a{b', 'a}b', 'a{b}c', 'a{b,c}d', 'a{b{c,d}', 'a{b,c}{d,e}', '{a,{b,c}}'],
  ...['{1..999999999}', '{1..100001}', '{9..1}', '{2..1}'],
])('%s is nothing of the kind', (text) => {
  expect(unbraced(text)).toBeNull();
});

it.each([
  ['{x1..3}', ['x1..3']],
  ['{1..3x}', ['1..3x']],
  ['{1..}', ['1..']],
  ['{1..2..3}', ['1..2..3']],
  ['a{b}', ['ab']],
  ['a{1..1}', ['a1']],
  ['a{,b}', ['a', 'ab']],
])('%s is read as it stands', (text, names) => {
  expect(unbraced(text)).toEqual(names);
});

it('the longest range that is read has a hundred thousand names', () => {
  expect(unbraced('v{1..100000}')).toHaveLength(100_000);
});

it('only plain names are written so', () => {
  expect(['a', 'a-b', 'pkg_1.2', '.git', '__'].every((name) => BRACEABLE.test(name))).toBe(true);
  expect(['', 'a b', ' ab', 'ab ', 'a,b', '{a}', 'a/b', 'caf\u00e9'].some((name) => BRACEABLE.test(name))).toBe(false);
});
