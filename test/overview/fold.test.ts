import { describe, expect, it } from 'vitest';
import { bytesOf } from '../../src/names/bytes.ts';
import { denseFold, foldAt } from '../../src/overview/dense-name.ts';
import { labelOf } from '../../src/overview/line.ts';

describe('a fold', () => {
  const range = { from: 0x61, to: 0x66 };

  it.each([
    [{ prefix: bytesOf('test_'), range: null, ofFolders: false, files: 34 }, 'test_*', '+34'],
    [{ prefix: bytesOf(''), range, ofFolders: false, files: 3 }, '[a-f]*', '+3'],
    [{ prefix: bytesOf('pkg-'), range, ofFolders: true, files: 0 }, 'pkg-[a-f]*/', '+0'],
  ])('is written as the name that it has, with the number of its files: %s', (fold, name, count) => {
    expect(denseFold(fold)).toBe(name);
    expect(labelOf(fold)).toBe(`${name}${count}`);
    // What is written names the same fold.
    const { files, ...own } = fold;
    expect(foldAt(name)).toMatchObject(own);
    expect(files).toBe(Number(count));
  });
});
