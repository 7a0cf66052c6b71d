import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bytesOf } from '../../src/names/bytes.ts';
import { denseFold, type FoldName, foldAt, isInFold, pathInData, withoutCount } from '../../src/overview/dense-name.ts';
import { rounds } from '../support/rounds.ts';

const fold = (prefix: string, range: [string | number, string | number] | null = null, ofFolders = false): FoldName => {
  const byte = (bound: string | number) => (typeof bound === 'number' ? bound : bound.charCodeAt(0));
  return {
    prefix: bytesOf(prefix),
    range: range && { from: byte(range[0]), to: byte(range[1]) },
    ofFolders,
  };
};

it('a path in data can be sent back: quoted only where it would be taken for a fold', () => {
  const inData = (text: string) => pathInData(bytesOf(text));
  expect(['a', 'a b', 'a*b', 'a*', 'd/a*', 'a/*/b'].map(inData)).toEqual([
    ...['a', 'a b', 'a*b', '"a*"', '"d/a*"', 'a/*/b'],
  ]);
  expect(inData('"a"')).toBe('"\\"a\\""');
});

describe('a fold', () => {
  it.each<[FoldName, string, string]>([
    [fold('test_'), '', 'test_*'],
    [fold('test_', null, true), '', 'test_*/'],
    [fold(''), '', '*'],
    [fold('', null, true), '', '*/'],
    [fold('a'), 'src', 'src/a*'],
    [fold(''), 'src', 'src/*'],
    [fold('', ['a', 'f']), '', '[a-f]*'],
    [fold('x', ['0', '9'], true), 'src/lib', 'src/lib/x[0-9]*/'],
    [fold('', ['.', '@']), '', '[.-@]*'],
    [fold('', ['_', 'Z']), '', '[_-Z]*'],
    [fold('', ['-', 'a']), '', '"[\\x2d-a]"*'],
    [fold('', ['a', 0xe9]), '', '"[a-\\xe9]"*'],
    [fold('', [1, 'a']), '', '"[\\x01-a]"*'],
    [fold('x', ['a', 0xff], true), 'd', '"d/x[a-\\xff]"*/'],
    [fold('my '), '', '"my "*'],
    [fold('a\\'), '', '"a\\\\"*'],
    [fold('#a'), '', '"#a"*'],
    [fold('a'), '#d', '"#d/a"*'],
    [fold('a#'), '', 'a#*'],
    [fold('a@'), '', 'a@*'],
    [fold('"'), '', '"\\""*'],
    [fold('a"'), '', 'a"*'],
    [fold('a['), '', 'a[*'],
    [fold('a [b'), '', '"a \\u005bb"*'],
    [fold('[a [b', ['x', 'y']), '', '"\\u005ba \\u005bb[x-y]"*'],
    [fold('x[a-b]'), '', '"x\\u005ba-b]"*'],
    [fold('x[a-b]', ['c', 'd']), '', 'x[a-b][c-d]*'],
    [fold('x[a-b]y'), '', 'x[a-b]y*'],
    [fold('x[ab-c]'), '', 'x[ab-c]*'],
    [fold('x[\\x00-c]'), '', '"x\\u005b\\\\x00-c]"*'],
  ])('%j in %j is written %s, and read back', (given, directory, text) => {
    expect(denseFold(given, bytesOf(directory))).toBe(text);
    expect(foldAt(text)).toEqual({ ...given, directory: expect.any(String) });
  });

  it('has a directory, as a path argument', () => {
    const directoryOf = (text: string) => foldAt(text)?.directory;
    expect(['*', 'a*', 'd/a*', 'd/*', '/a*', '/d/e/*/', './a*', '"a "*', '"d/a "*', '"/a "*'].map(directoryOf)).toEqual(
      [...['.', '.', 'd/', 'd/', '/', '/d/e/', './', '.', 'd', '/']],
    );
  });

  it.each(['', 'a', 'a/', 'a*b', '*a', '"a*', '"a"b*', 'a*//', '"a\\q"*', '"a*/'])('is not what %j is', (text) => {
    expect(foldAt(text)).toBeNull();
  });

  it('may hold line breaks', () => {
    expect(foldAt('a\nb*')).toMatchObject({ prefix: 'a\nb', ofFolders: false });
    expect(foldAt('"a\\nb"*')).toMatchObject({ prefix: 'a\nb' });
  });

  it('is written so that it can be read back, whatever it is', () => {
    const text = fc.string({ unit: fc.constantFrom(...'ab[-]\\x0"# *@é\n.'), maxLength: 8 });
    const byte = fc.integer({ min: 1, max: 255 }).filter((value) => value !== 0x2f);
    const range = fc.option(fc.record({ from: byte, to: byte }));
    fc.assert(
      fc.property(text, range, fc.boolean(), (prefix, bounds, ofFolders) => {
        const given = { prefix: bytesOf(prefix), range: bounds, ofFolders };
        expect(foldAt(denseFold(given, bytesOf('d')))).toEqual({
          ...given,
          directory: expect.stringMatching(/^d\/?$/),
        });
      }),
      { numRuns: rounds(1000) },
    );
  });

  it('holds the names that begin like it, with a byte of its range behind that', () => {
    const among = (given: FoldName) =>
      ['', 'a', 'ab', 'abc', 'ad', 'ae', 'b'].filter((text) => isInFold(given, bytesOf(text)));
    expect(among(fold(''))).toEqual(['', 'a', 'ab', 'abc', 'ad', 'ae', 'b']);
    expect(among(fold('a'))).toEqual(['a', 'ab', 'abc', 'ad', 'ae']);
    expect(among(fold('a', ['b', 'd']))).toEqual(['ab', 'abc', 'ad']);
    expect(among(fold('a', ['c', 'd']))).toEqual(['ad']);
    expect(among(fold('a', ['e', 'e']))).toEqual(['ae']);
  });
});

it('a closed directory or a fold is known by its count', () => {
  expect(['docs/+90', 'docs/+', 'test_*+30', 'lib*/+4', '"a "*+5', 'a\nb/+7'].map(withoutCount)).toEqual([
    ...['docs/', 'docs/', 'test_*', 'lib*/', '"a "*', 'a\nb/'],
  ]);
  for (const text of ['docs/', 'docs', 'docs+90', 'docs/+90x', 'docs/+9/', '+9', 'x docs/+-1']) {
    expect(withoutCount(text)).toBeNull();
  }
});
