import { describe, expect, it } from 'vitest';
import { WordTable } from '../../src/names/word-table.ts';

/** What a table has for a word that stands between others. */
function find(table: WordTable, word: string, before = 'x.', after = '.y'): number | null {
  const bytes = Buffer.from(`${before}${word}${after}`, 'latin1');
  return table.find(bytes, before.length, before.length + word.length);
}

const numbered = (words: readonly string[]) => words.map((word, i) => [word, i + 1] as const);

describe('a table of words', () => {
  const table = new WordTable(numbered(['map', 'pam', 'amp', 'lock', 'a', 'woff2', 'caf\xe9']), false);

  it('has the number of each word, wherever it stands', () => {
    const words = ['map', 'pam', 'amp', 'lock', 'a', 'woff2', 'caf\xe9'];
    expect(words.map((word) => find(table, word))).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(words.map((word) => find(table, word, '', ''))).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(words.map((word) => find(table, word, 'mapmap', 'map'))).toEqual([1, 2, 3, 4, 5, 6, 7]);
  });

  it('has nothing else', () => {
    for (const word of ['', 'm', 'ma', 'maps', 'mapp', 'mop', 'b', 'lock2', 'woff2a', 'caf', 'x'.repeat(300)]) {
      expect(find(table, word), word).toBeNull();
    }
  });

  it('tells upper case from lower case, or does not', () => {
    const either = new WordTable(numbered(['map', 'az09', '[x]', '@{`']), true);
    expect(['MAP', 'Map', 'mAP'].map((word) => find(table, word))).toEqual([null, null, null]);
    expect(['MAP', 'Map', 'mAp', 'AZ09', '[X]', '@{`'].map((word) => find(either, word))).toEqual([1, 1, 1, 2, 3, 4]);
    // These differ from them in the same bit as letters do.
    expect(['{x}', '`[@', '\x60{`'].map((word) => find(either, word))).toEqual([null, null, null]);
  });

  it('has one word alone, or none', () => {
    const one = new WordTable([['only', 7]], false);
    expect(['only', 'onlx', 'on', 'onlyy'].map((word) => find(one, word))).toEqual([7, null, null, null]);
  });

  it('has the number that a word was given last', () => {
    const twice = new WordTable(numbered(['a', 'b', 'a']), false);
    expect(['a', 'b'].map((word) => find(twice, word))).toEqual([3, 2]);
  });

  it('has words apart that have the same hash', () => {
    // 31 times the first byte and the second are the same for `Aa`, `BB` and `C#`.
    const words = ['Aa', 'BB'];
    const long = words.flatMap((a) => words.flatMap((b) => words.map((c) => `${a}${b}${c}`)));
    const alike = new WordTable(numbered([...words, ...long]), false);
    expect([...words, ...long].map((word) => find(alike, word))).toEqual(Array.from({ length: 10 }, (_, i) => i + 1));
    expect(find(alike, 'C#')).toBeNull();
    expect(find(alike, 'AaAaC#')).toBeNull();
  });

  it('has many words', () => {
    const words = Array.from({ length: 500 }, (_, i) => `w${i}`);
    const many = new WordTable(numbered(words), true);
    expect(words.map((word) => find(many, word.toUpperCase()))).toEqual(words.map((_, i) => i + 1));
    expect(find(many, 'w500')).toBeNull();
  });
});
