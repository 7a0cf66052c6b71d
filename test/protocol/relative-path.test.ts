import { expect, test } from 'vitest';
import { asRelativePath, isInsideRoot } from '../../src/protocol/relative-path.ts';

test.each(['.', 'a', 'a/b', 'ab:/c', 'C:x', '\\x', './C:', '..x', 'a/../b', 'a//b/'])(
  '%j is relative, and stays as it is',
  (path) => {
    expect(isInsideRoot(path)).toBe(true);
    expect(asRelativePath(path)).toBe(path);
  },
);

test.each(['/', '/a', 'C:', 'c:/x', 'C:\\x', '\\\\host\\x'])('%j could be taken for absolute', (path) => {
  expect(isInsideRoot(path)).toBe(false);
  expect(asRelativePath(path)).toBe(`./${path}`);
  expect(isInsideRoot(asRelativePath(path))).toBe(true);
});

test.each(['..', '../a', 'a/../..', './../a', 'a/../../a/b'])('%j leads out of the root', (path) => {
  expect(isInsideRoot(path)).toBe(false);
});

test.each(['', null, undefined, 7, ['a']])('%j is no path', (value) => {
  expect(isInsideRoot(value)).toBe(false);
});
