import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { type Bytes, bytesOf } from '../../src/names/bytes.ts';
import { nameOnTerminal, shortened, twinsAmong } from '../../src/terminal/terminal-names.ts';
import { displayWidth } from '../../src/text/display-width.ts';

const NAMES: [name: string, shown: string][] = [
  ['plain-name_1.0+x,y@z%.ts', 'plain-name_1.0+x,y@z%.ts'],
  ['my file.txt', "'my file.txt'"],
  ["it's", "'it'\\''s'"],
  ['$HOME', "'$HOME'"],
  ['[slug].ts', "'[slug].ts'"],
  ['"quoted"', `'"quoted"'`],
  ['~', "'~'"],
  ['a~', 'a~'],
  ['heading:', "'heading:'"],
  ['a -> b', "'a -> b'"],
  ['a\nb', "$'a\\nb'"],
  ["a\n'\\", "$'a\\n\\'\\\\'"],
  ['\u001b[31mred', "$'\\x1b[31mred'"],
  ['日本語', '日本語'],
  ['cafe\u0301', 'cafe\u0301'],
  ['👨\u200d👩\u200d👧', '👨\u200d👩\u200d👧'],
  ['❤\ufe0f', '❤\ufe0f'],
  // Joined letters, a hidden joiner, and a change of direction could be taken for something else.
  ['a\u200db', "$'a\\xe2\\x80\\x8db'"],
  ['👨\u200d', "$'\\xf0\\x9f\\x91\\xa8\\xe2\\x80\\x8d'"],
  ['a\u202eb', "$'a\\xe2\\x80\\xaeb'"],
];

it.each(NAMES)('%j is shown as %s', (name, shown) => {
  expect(nameOnTerminal(bytesOf(name), true)).toBe(shown);
});

it.each(['bash', 'zsh'].filter((shell) => spawnSync(shell, ['-c', 'exit 0']).status === 0))(
  '%s reads each back, in any locale, and so a terminal without Unicode',
  (shell) => {
    const names = [...NAMES.map(([name]) => bytesOf(name)), 'caf\xe9' as Bytes];
    for (const isUnicode of [true, false]) {
      const words = names.map((name) => nameOnTerminal(name, isUnicode)).join(' ');
      const { stdout } = spawnSync(shell, ['-c', `printf '%s\\0' ${words}`], { env: { ...process.env, LC_ALL: 'C' } });
      expect(stdout.toString('latin1').split('\0').slice(0, -1)).toEqual(names);
      if (!isUnicode) expect(words).toMatch(/^[\x20-\x7e]*$/);
    }
  },
);

it('names that differ only in how an accent is composed are escaped', () => {
  const [composed, decomposed, other] = ['caf\u00e9', 'cafe\u0301', 'the\u0301'].map(bytesOf) as [Bytes, Bytes, Bytes];
  const twins = twinsAmong([composed, decomposed, other]);
  expect([...twins]).toEqual([composed, decomposed]);
  expect(nameOnTerminal(decomposed, true, twins)).toBe("$'cafe\\xcc\\x81'");
});

describe('shortened', () => {
  it.each([
    ['short', 10, 'short'],
    ['abcdefghijklmnop.txt', 11, 'abcde…p.txt'],
    ['日本語日本語日本語', 8, '日本…語'],
  ])('%s in %d columns', (text, width, short) => {
    expect(shortened(text, width, true)).toBe(short);
    expect(displayWidth(short)).toBeLessThanOrEqual(width);
  });

  it('has no other character on a terminal without Unicode', () => {
    expect(shortened('abcdefghijklmnop.txt', 11, false)).toBe('abcd....txt');
  });
});
