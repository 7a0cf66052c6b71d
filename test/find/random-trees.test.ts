/** What holds for any tree and any query. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NameIndex, searchWord } from '../../src/find/name-index.ts';
import { find, memorySource, openWorkspace } from '../../src/index.ts';
import { bytesOf } from '../../src/names/bytes.ts';
import { bytesOfShown } from '../../src/names/quote.ts';
import { wordsOf } from '../../src/protocol/words.ts';
import { atOnce } from '../../src/workspace/steps.ts';
import { rounds } from '../support/rounds.ts';

const WORDS = [
  'user',
  'Session',
  'http',
  'v2',
  'test',
  'caf\u00e9',
  'my file',
  '#x',
  'a^',
  'lib@',
  '\u65e5\u672c',
  'index',
];
const word = fc.constantFrom(...WORDS);
const name = fc
  .array(word, { minLength: 1, maxLength: 3 })
  .chain((words) => fc.constantFrom('', '-', '_', '.').map((joint) => words.join(joint)));
const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((names) => names.join('/'));
const query = fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => words.join(' '));

/** Paths of which none is a directory of another. */
const paths = fc.uniqueArray(path, { minLength: 1, maxLength: 20 }).map((all) => {
  const kept: string[] = [];
  for (const one of all) {
    if (!kept.some((other) => `${one}/`.startsWith(`${other}/`) || `${other}/`.startsWith(`${one}/`))) kept.push(one);
  }
  return kept;
});

/** Digits are words of their own, too. */
const AT_DIGITS = /(?<=\p{N})(?=\P{N})|(?<=\P{N})(?=\p{N})/u;

/** Opens a tree whose names are read in this order. */
const open = (all: readonly string[], more: Record<string, string> = {}) =>
  openWorkspace(memorySource({ ...Object.fromEntries(all.map((one) => [one, ''])), ...more }));

/** The paths that a text shows, as somebody would put them together who knows nothing but the tool's description. */
function pathsIn(text: string): string[] {
  const lines = text.split('\n').filter((line) => !/^(?:# |\+\d+ more|\d+ more )/.test(line));
  return lines.flatMap((line) => {
    const [directory = '', ...names] = line.match(/"(?:[^"\\]|\\.)*"[^ ]*|[^ ]+/g) ?? [];
    const inside = bytesOfShown(directory.replace(/\/$/, ''));
    return names.map((one) => {
      const bare = one.startsWith('"')
        ? one.replace(/"[@^]*(?:\/\+\d+)?$/, '"')
        : one.replace(/(?:\/\+\d+|@?\^?)$/, '');
      return inside === '.' ? `${bytesOfShown(bare)}` : `${inside}/${bytesOfShown(bare)}`;
    });
  });
}

describe('any tree', () => {
  it('is searched with the same result in whatever order it is read, and however often', async () => {
    const property = fc.asyncProperty(paths, query, async (all, words) => {
      const [one, other] = [await open(all), await open(all.toReversed())];
      const { text } = await find({ query: words }, one);
      expect((await find({ query: words }, other)).text).toBe(text);
      expect((await find({ query: words }, one)).text).toBe(text);
      expect((await find({ query: words }, one, { cache: false })).text).toBe(text);
    });
    await fc.assert(property, { numRuns: rounds(100) });
  });

  it('has its text and its data agree, and what is shown is there', async () => {
    const property = fc.asyncProperty(paths, query, fc.integer({ min: 1, max: 30 }), async (all, words, limit) => {
      const workspace = await open(all);
      const { text, data, stats } = await find({ query: words, limit }, workspace);
      const entries = data.entries ?? [];
      expect(pathsIn(text).toSorted()).toEqual(entries.map((entry) => bytesOf(entry.path)).toSorted());
      const files = entries.filter(({ type }) => type === 'file').map((entry) => entry.path);
      for (const file of files) {
        expect(all).toContain(file);
        // It comes first when it is sent back.
        expect((await find({ query: file, limit: 1 }, workspace)).data.entries?.at(0)?.path).toBe(file);
      }
      const [more = '0'] = /^\+(\d+) more/m.exec(text)?.slice(1) ?? [];
      expect(files.length + Number(more)).toBe(stats.matched);
    });
    await fc.assert(property, { numRuns: rounds(100) });
  });

  it('has every file found that has a word of the query', async () => {
    const property = fc.asyncProperty(paths, word, async (all, asked) => {
      const { data } = await find({ query: asked, limit: 200 }, await open(all));
      const wanted = wordsOf(asked);
      const having = all.filter((one) =>
        one.split('/').some((part) => wordsOf(part).some((own) => wanted.includes(own))),
      );
      expect(data.entries?.map((entry) => entry.path)).toEqual(expect.arrayContaining(having));
    });
    await fc.assert(property, { numRuns: rounds(100) });
  });

  it('has what is hidden counted as often as it is found without the rule', async () => {
    // `v2` stands across the words `v` and `2`, which is another matter.
    const plain = word.filter((one) => one !== 'v2');
    const property = fc.asyncProperty(paths, plain, async (all, asked) => {
      const logs = all.map((one) => `${one}.log`);
      const repository = { '.git/HEAD': 'ref: refs/heads/main\n', '.git/objects/x': '', '.git/refs/x': '' };
      const workspace = await open([...all, ...logs], { ...repository, '.gitignore': '# Logs.\n*.log\n' });
      const { text, stats } = await find({ query: `${asked} log` }, workspace);
      const wanted = [...wordsOf(asked), 'log'];
      const matching = logs.filter((one) => {
        const own = one
          .split('/')
          .flatMap(wordsOf)
          .flatMap((word) => [word, ...word.split(AT_DIGITS)]);
        return wanted.every((word) => own.some((other) => other.startsWith(word)));
      });
      expect(stats.hidden).toBe(matching.length);
      if (matching.length > 0)
        expect(text).toMatch(/ hidden by \.gitignore, line 2; respect_git_ignore=false shows (?:it|them)$/);
    });
    await fc.assert(property, { numRuns: rounds(100) });
  });
});

it('an ASCII name has the same words whether it is read as bytes or as text', () => {
  const ascii = fc.string({ unit: fc.constantFrom(...'abXYZ19-_. '), minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(ascii, (text) => {
      const [plain, accented] = [new NameIndex(), new NameIndex()];
      // The letter after the name makes it be read as text, and is a word of its own.
      const [one, other] = [Buffer.from(text), Buffer.from(`${text} \u00e9`)];
      plain.add(one, 0, one.length);
      accented.add(other, 0, other.length);
      for (const word of wordsOf(text)) {
        const levels = [plain, accented].map((index) => {
          const found = new Float32Array(1);
          atOnce(index.search(searchWord(word), found));
          return found[0];
        });
        expect(levels).toEqual([1, 1]);
      }
    }),
    { numRuns: rounds(500) },
  );
});
