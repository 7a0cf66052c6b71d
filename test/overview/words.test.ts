import { expect, it } from 'vitest';
import { bytesOf } from '../../src/names/bytes.ts';
import { wordEnd, wordsWithin } from '../../src/overview/words.ts';

it.each([
  ['test_frame_apply.py', ['test_', 'frame_', 'apply.', 'py']],
  ['FrameBuilder.ts', ['Frame', 'Builder.', 'ts']],
  ['HTMLElement', ['HTMLElement']],
  ['v2-beta10', ['v', '2-', 'beta', '10']],
  ['.github', ['.github']],
  ['__init__.py', ['__init__.', 'py']],
])('%s is cut where people would', (name, words) => {
  const found: string[] = [];
  for (let at = 0; at < name.length; at = wordEnd(bytesOf(name), at)) {
    found.push(name.slice(at, wordEnd(bytesOf(name), at)));
  }
  expect(found).toEqual(words);
});

it('takes as many words as fit', () => {
  expect(wordsWithin(bytesOf('test_frame_apply.py'), 0, 12)).toBe('test_frame_');
  expect(wordsWithin(bytesOf('test_frame_apply.py'), 5, 10)).toBe('test_');
  expect(wordsWithin(bytesOf('test_'), 0, 24)).toBe('test_');
});
