import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Bytes, bytesOf, lowerCaseAscii } from '../../src/names/bytes.ts';
import { filterOf, RuleFilter, tableOf } from '../../src/rules/rule-filter.ts';
import { EntryBuffer } from '../../src/workspace/reader.ts';

/** As `assembly/filter.ts` looks a name up, which stands behind some bytes that are not its own. */
function isInTable(table: Uint8Array, name: string, isDirectory: boolean): boolean {
  const bytes = Buffer.from(`\x18\0\x08${name}\0\0\0\0`, 'latin1');
  const last = 2 + name.length;
  const words = Buffer.from(table);
  const has = (ends: number, byte: number, kind: number) => {
    const kinds = (words[ends + byte] as number) | (isDirectory ? (words[ends + 256 + byte] as number) : 0);
    return (kinds & (1 << (kind & 7))) !== 0;
  };
  const byteAt = (at: number) => bytes[at] as number;
  if (has(0, byteAt(3), name.length)) return true;
  if (has(512, byteAt(last), byteAt(last - 1))) return true;
  if (has(1024, byteAt(3), byteAt(4))) return true;
  const count = words.readUInt32LE(isDirectory ? 1540 : 1536);
  const [head, tail] = [bytes.readUInt32BE(3), last < 3 ? 0 : bytes.readUInt32BE(last - 3)];
  return Array.from({ length: count }, (_, i) => 1544 + 24 * i).some((at) => {
    const isLike = (word: number, from: number) =>
      (word & words.readUInt32LE(from + 4)) >>> 0 === words.readUInt32LE(from);
    const inside = words
      .subarray(at + 16, at + 20)
      .reverse()
      .toString('latin1')
      .replace(/^\0+/, '');
    return isLike(head, at) && isLike(tail, at + 8) && name.includes(inside);
  });
}

function mayMatch(filter: RuleFilter, name: string, isDirectory: boolean): boolean {
  const entries = new EntryBuffer();
  // What stands before the first name of all is not there to be looked at.
  entries.add('before' as Bytes, 'file');
  entries.add(name as Bytes, isDirectory ? 'dir' : 'file');
  return filter.mayMatch(entries, 1);
}

interface RuleOf {
  readonly add: (filter: RuleFilter) => void;
  readonly matches: (name: string) => boolean;
  readonly directoryOnly: boolean;
}

const LETTERS = ['a', 'b', 'c', 'A', 'B', '.', '-', '\xe9', '\xff', '\xdf'];
const texts = (minLength: number, maxLength: number) =>
  fc.array(fc.constantFrom(...LETTERS), { minLength, maxLength }).map((letters) => letters.join(''));
const names = fc.oneof(texts(1, 3), texts(4, 20));

/** Rules as ignore files have them: what a filter is told about each, and which names it really matches. */
function rulesOf(ignoreCase: boolean): fc.Arbitrary<RuleOf> {
  const folded = (text: string) => (ignoreCase ? lowerCaseAscii(text) : text);
  return fc.oneof(
    fc.tuple(names, fc.boolean()).map(([name, directoryOnly]) => ({
      add: (filter: RuleFilter) => filter.addName(name, directoryOnly),
      matches: (one: string) => folded(one) === folded(name),
      directoryOnly,
    })),
    fc.tuple(texts(1, 6), fc.boolean()).map(([tail, directoryOnly]) => ({
      add: (filter: RuleFilter) => filter.addTail(tail, directoryOnly),
      matches: (one: string) => folded(one).endsWith(folded(tail)),
      directoryOnly,
    })),
    fc.tuple(texts(0, 2), texts(0, 2), fc.boolean(), texts(0, 2)).map(([prefix, tail, directoryOnly, inside]) => ({
      add: (filter: RuleFilter) => filter.addPattern(folded(prefix), folded(tail), directoryOnly, folded(inside)),
      matches: (one: string) =>
        folded(one).startsWith(folded(prefix)) &&
        folded(one).endsWith(folded(tail)) &&
        folded(one).includes(folded(inside)),
      directoryOnly,
    })),
    fc.tuple(texts(1, 6), fc.nat(2), fc.boolean()).map(([part, place, directoryOnly]) => ({
      add: (filter: RuleFilter) => {
        const ends = [place === 0 ? folded(part) : '', place === 1 ? folded(part) : ''] as const;
        filter.addPattern(...ends, directoryOnly, place === 2 ? folded(part) : '');
      },
      matches: (one: string) =>
        [one.startsWith, one.endsWith, one.includes][place]?.call(folded(one), folded(part)) ?? false,
      directoryOnly,
    })),
    fc.tuple(fc.subarray(LETTERS), fc.boolean(), fc.boolean()).map(([letters, isTail, directoryOnly]) => ({
      add: (filter: RuleFilter) => {
        const bytes = letters.map((letter) => folded(letter).charCodeAt(0));
        filter.addBytes(bytes, isTail, directoryOnly);
      },
      matches: (one: string) => letters.map(folded).includes(folded(one.at(isTail ? -1 : 0) as string)),
      directoryOnly,
    })),
  );
}

/** Some filters, each with its rules. */
function filled(most: number) {
  const one = fc.boolean().chain((ignoreCase) =>
    fc.array(rulesOf(ignoreCase), { maxLength: most }).map((rules) => {
      const filter = new RuleFilter(ignoreCase);
      for (const { add } of rules) add(filter);
      return { filter, rules };
    }),
  );
  return fc.array(one, { maxLength: 3 });
}

describe('filters', () => {
  it.each([4, 60])('let every name pass that a rule of theirs matches; so does their table: %i rules', (most) => {
    fc.assert(
      fc.property(filled(most), fc.array(names, { minLength: 5 }), fc.boolean(), (filters, all, isDirectory) => {
        const table = tableOf(filters.map(({ filter }) => filter));
        for (const name of all) {
          const matching = filters.filter(({ rules }) =>
            rules.some(({ matches, directoryOnly }) => (isDirectory || !directoryOnly) && matches(name)),
          );
          for (const { filter } of matching) expect(mayMatch(filter, name, isDirectory)).toBe(true);
          if (matching.length > 0) expect(isInTable(table, name, isDirectory)).toBe(true);
        }
      }),
    );
  });

  it('and their table let the same names pass, where these are as long as what is looked at', () => {
    fc.assert(
      // More than so many patterns do not fit in a table.
      fc.property(filled(20), texts(4, 20), fc.boolean(), (filters, name, isDirectory) => {
        const passes = filters.some(({ filter }) => mayMatch(filter, name, isDirectory));
        const table = tableOf(filters.map(({ filter }) => filter));
        expect(isInTable(table, name, isDirectory)).toBe(passes);
      }),
      { numRuns: 500 },
    );
  });
});

describe('a table', () => {
  const NAMES = ['a', 'abc', 'file.ts', 'index.test.ts', 'README.md', 'é'].map(bytesOf);
  const passing = (table: Uint8Array, isDirectory = false) =>
    NAMES.filter((name) => isInTable(table, name, isDirectory));

  it('of no filters lets nothing pass', () => {
    expect(passing(tableOf([]))).toEqual([]);
    expect(passing(tableOf([new RuleFilter(false), new RuleFilter(true)]), true)).toEqual([]);
  });

  it('tells names apart by their first byte and their length', () => {
    expect(passing(tableOf([filterOf(['bbc', 'fine.ts', 'README.m'])]))).toEqual(['file.ts']);
    expect(passing(tableOf([filterOf(['readmE.md', 'ABC'], true)]))).toEqual(['abc', 'README.md']);
    expect(passing(tableOf([filterOf(['readmE.md', 'ABC'])]))).toEqual([]);
  });

  it('tells directories from files', () => {
    const filter = new RuleFilter(false);
    filter.addName('abc', true);
    filter.addPattern('f', '.ts', true);
    filter.addPattern('README', '', false);
    filter.addTail('st.ts', true);
    expect(passing(tableOf([filter]))).toEqual(['README.md']);
    expect(passing(tableOf([filter]), true)).toEqual(['abc', 'file.ts', 'index.test.ts', 'README.md']);
  });

  it('lets everything pass where a pattern may match anything, or every directory', () => {
    const ofAll = new RuleFilter(false);
    ofAll.addPattern('', '', false);
    expect(passing(tableOf([ofAll]))).toEqual(NAMES);
    const ofDirectories = new RuleFilter(false);
    ofDirectories.addPattern('', '', true);
    expect(passing(tableOf([ofDirectories]))).toEqual([]);
    expect(passing(tableOf([ofDirectories]), true)).toEqual(NAMES);
  });

  it('looks for bytes anywhere in a name', () => {
    const filter = new RuleFilter(false);
    filter.addPattern('', '', false, '.test');
    filter.addPattern('', '', true, 'ab');
    expect(passing(tableOf([filter]))).toEqual(['index.test.ts']);
    expect(passing(tableOf([filter]), true)).toEqual(['abc', 'index.test.ts']);
    const found = (isDirectory: boolean) => NAMES.filter((name) => mayMatch(filter, name, isDirectory));
    expect(found(false)).toEqual(['index.test.ts']);
    expect(found(true)).toEqual(['abc', 'index.test.ts']);
    // They are not looked for before a name, nor behind it.
    const around = new RuleFilter(false);
    for (const bytes of ['efile', 'reab', 'mdx', 'dREA']) around.addPattern('', '', false, bytes);
    expect(NAMES.filter((name) => mayMatch(around, name, false))).toEqual([]);
  });

  it('looks for so many only: a hostile ignore file would make each name take long', () => {
    const filters = ['p', 'q', 'r', 's'].map((letter) => {
      const filter = new RuleFilter(false);
      for (let i = 0; i < 4; i++) filter.addPattern('', '', false, `${letter}${i}`);
      return filter;
    });
    expect(passing(tableOf(filters.slice(0, 3)))).toEqual([]);
    expect(passing(tableOf(filters))).toEqual(NAMES);
    filters[0]?.addPattern('', '', false, 'p5');
    expect(passing(tableOf(filters.slice(0, 1)))).toEqual(NAMES);
  });

  const filterWith = (patterns: number, letter: string) => {
    const filter = new RuleFilter(false);
    for (let i = 0; i < patterns; i++) filter.addPattern(`${letter}${i}`, 'z', false);
    return filter;
  };

  it('has room for 64 patterns; with more, everything may match', () => {
    const four = ['p', 'q', 'r', 's'].map((letter) => filterWith(16, letter));
    expect(passing(tableOf(four))).toEqual([]);
    expect(isInTable(tableOf(four), 's15xyz', false)).toBe(true);
    expect(passing(tableOf([...four, filterWith(1, 't')]))).toEqual(NAMES);
  });

  it('looks at two bytes of those patterns of one filter that are more than 16', () => {
    const filter = filterWith(16, 'p');
    filter.addPattern('fi', '', false);
    filter.addPattern('x', 'md', false);
    expect(passing(tableOf([filter]))).toEqual(['file.ts', 'README.md']);
  });
});
