import { expect, it } from 'vitest';
import { counted } from '../../src/text/count.ts';

it.each([
  [0, 'file', '0 files'],
  [1, 'file', '1 file'],
  [5, 'file', '5 files'],
  [1, 'directory', '1 directory'],
  [5, 'directory', '5 directories'],
  [0, 'directory', '0 directories'],
  [2, 'entry', '2 entries'],
  [2, 'item', '2 items'],
  [2, 'link', '2 links'],
  [2, 'day', '2 days'],
  [1000, 'item', '1000 items'],
])('%d %s: %s', (count, noun, text) => {
  expect(counted(count, noun)).toBe(text);
});

it('makes the last line of a listing', () => {
  expect(`${counted(6, 'item')} (${counted(1, 'file')}, ${counted(5, 'directory')})`).toBe(
    '6 items (1 file, 5 directories)',
  );
});
