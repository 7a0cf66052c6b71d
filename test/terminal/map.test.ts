import { expect, it } from 'vitest';
import { bytesOf } from '../../src/names/bytes.ts';
import { mapFor } from '../../src/terminal/map.ts';
import { Palette } from '../../src/terminal/palette.ts';

const look = { hasColours: false, hasLinks: false, iconOf: null, isUnicode: true, width: 80 };

const MAP = {
  heading: '# src: 142 files, 3 shown',
  listed: 'src',
  entries: [
    { path: 'src/to', type: 'link' },
    { path: 'src/docs', type: 'dir', files: 90 },
    { path: 'src/b.zip', type: 'file' },
    { path: 'src/locked', type: 'dir' },
    { path: 'src/logs', type: 'dir', files: 0, hidden: true },
    { path: 'src/lib', type: 'dir', files: 7 },
    { path: 'src/lib/é', type: 'dir' },
    { path: 'src/lib/é/one.ts', type: 'file' },
  ],
  folds: [
    { directory: 'src/lib', label: 'test_*', ofFolders: false, prefix: bytesOf('test_'), files: 30 },
    { directory: 'src', label: 'pkg-*/', ofFolders: true, prefix: bytesOf('pkg-'), files: 1 },
  ],
  unreadable: ['src/locked'],
} as const;

/** Colours as words: `{31 a.zip}`. */
const read = (text: string) => text.replace(/\x1b\[([\d;]+)m(.*?)\x1b\[0m/gs, '{$1 $2}');

it('a map is drawn with branches: directories first, folds among their neighbours, all with their counts', () => {
  expect(mapFor(look, MAP, new Palette('')).split('\n')).toEqual([
    '# src: 142 files, 3 shown',
    '├── docs/ (90 files)',
    '├── lib/ (7 more files)',
    '│   ├── é/',
    '│   │   └── one.ts',
    '│   └── test_* (30 files)',
    '├── locked/ (unreadable)',
    '├── logs/ (all hidden)',
    '├── pkg-*/ (1 file)',
    '├── b.zip',
    '└── to@',
  ]);
});

it('a map has colours: of names as in a listing, and faint ones for what is said about them', () => {
  const text = read(mapFor({ ...look, hasColours: true }, MAP, new Palette('')));
  expect(text).toContain('{2 # src: 142 files, 3 shown}\n├── {01;34 docs}/{2  (90 files)}\n');
  expect(text).toContain('├── {31 b.zip}\n└── {01;36 to}@');
  expect(text).toContain('{2 test_* (30 files)}');
});

it('without Unicode the branches are ASCII, and names can still be read back', () => {
  const text = mapFor({ ...look, isUnicode: false }, { ...MAP, heading: '# é' }, new Palette(''));
  expect(text).toMatch(/^[\n\x20-\x7e]*$/);
  expect(text).toContain("|   |-- $'\\xc3\\xa9'/\n|   |   `-- one.ts");
});

it('the root itself, and a path that is quoted in the data', () => {
  const entries = [
    { path: '"a*"', type: 'dir' },
    { path: '"a*/\\"b"', type: 'file' },
  ] as const;
  const map = { heading: '#', listed: '.', entries, folds: [], unreadable: [] };
  expect(mapFor(look, map, new Palette(''))).toBe(`#\n└── 'a*'/\n    └── '"b'`);
});
