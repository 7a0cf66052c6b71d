import { describe, expect, it } from 'vitest';
import { mapFor } from '../../src/terminal/map.ts';
import { Palette } from '../../src/terminal/palette.ts';

const look = { hasColours: true, hasLinks: false, hasIcons: false, isUnicode: true, width: null };

/** Colours as words: `{31 a.zip}`. */
const read = (text: string) => text.replace(/\x1b\[([\d;]+)m(.*?)\x1b\[0m/gs, '{$1 $2}');

it.each([
  ['# .: 2 files, 2 shown\na.ts b.zip', '{2 # .: 2 files, 2 shown}\na.ts {31 b.zip}'],
  ['#\ndocs/+120 lib/+ src/ to@', '{2 #}\n{01;34 docs}{2 /+120} {01;34 lib}{2 /+} {01;34 src}/ {01;36 to}@'],
  ['#\n a/b/c/ x', '{2 #}\n {01;34 a/b/c}/ x'],
  ['#\ntest_*+34 *+1 pre*/+5', '{2 #}\n{2 test_*+34} {2 *+1} {2 pre*/+5}'],
  [
    '#\n"my dir"/ "a \\" b/"/+ "a b.zip" "x y"*+3',
    '{2 #}\n{01;34 "my dir"}/ {01;34 "a \\" b/"}{2 /+} "a b.zip" {2 "x y"*+3}',
  ],
  ['#', '{2 #}'],
])('%j', (map, expected) => {
  expect(read(mapFor(look, map, new Palette(''), null))).toBe(expected);
  expect(mapFor({ ...look, hasColours: false }, map, new Palette(''), null)).toBe(map);
});

it('in ASCII names are quoted, and can be read back', () => {
  const map = '# é: 4 files\né/ a.ts é.ts "é b"/ é"x@ é/+3 pré*+12 é+3 a/é/\n é[a-f]*/+4';
  const ascii = mapFor({ ...look, hasColours: false, isUnicode: false }, map, new Palette(''), null);
  expect(ascii.replaceAll('\\u00e9', 'é')).toBe(
    '# é: 4 files\n"é"/ a.ts "é.ts" "é b"/ "é\\"x"@ "é"/+3 "pré"*+12 "é+3" "a/é"/\n "é[a-f]"*/+4',
  );
  expect(ascii).toMatch(/^[\n\x20-\x7e]*$/);
});

describe('on a terminal', () => {
  const narrow = { ...look, hasColours: false, width: 40 };
  const map =
    '# .: 40 files, 9 shown\nREADME.md docs/+90\n src/ *.ts: alpha beta gamma delta epsilon zeta eta\n  "my lib"/ a.ts';

  it('lines are wrapped between words, further in than they begin; the heading has the path; signs are explained', () => {
    expect(mapFor(narrow, map, new Palette(''), '../project')).toBe(
      [
        '# ../project: 40 files, 9 shown',
        'README.md docs/+90',
        ' src/ *.ts: alpha beta gamma delta',
        '     epsilon zeta eta',
        '  "my lib"/ a.ts',
        'dir/+90: 90 files below it',
        '*.ts: a b is a.ts b.ts',
      ].join('\n'),
    );
  });

  it('wide characters count as what they take, and nothing is explained where there is nothing to explain', () => {
    const wide = mapFor({ ...narrow, width: 12 }, '# .: 3 files, 3 shown\n日本 語語語 a', new Palette(''), null);
    expect(wide).toBe('# .: 3 files, 3 shown\n日本 語語語\n    a');
  });
});
