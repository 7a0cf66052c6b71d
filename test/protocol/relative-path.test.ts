import { expect, test } from 'vitest';
import { asRelativePath, isRelativePath } from '../../src/protocol/relative-path.ts';

test.each(['.', '..', 'a', 'a/b', 'ab:/c', 'C:x', '\\x', './C:'])('%j is relative, and stays as it is', (path) => {
  expect(isRelativePath(path)).toBe(true);
  expect(asRelativePath(path)).toBe(path);
});

test.each(['/', '/a', 'C:', 'c:/x', 'C:\\x', '\\\\host\\x'])('%j could be taken for absolute', (path) => {
  expect(isRelativePath(path)).toBe(false);
  expect(asRelativePath(path)).toBe(`./${path}`);
  expect(isRelativePath(asRelativePath(path))).toBe(true);
});

test.each(['', null, undefined, 7, ['a']])('%j is no path', (value) => {
  expect(isRelativePath(value)).toBe(false);
});
