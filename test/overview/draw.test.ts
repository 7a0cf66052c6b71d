/** Which map is drawn of a tree in memory, and what it says of itself. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, it, onTestFinished } from 'vitest';
import { memorySource, openWorkspace } from '../../src/index.ts';
import { drawMap } from '../../src/overview/draw.ts';
import type { MapOptions, MapQuery, ProjectMap } from '../../src/overview/project-map.ts';
import { ListingError } from '../../src/workspace/listing-error.ts';
import { oddCalls } from '../support/odd-calls.ts';
import { settle, unsettle } from '../support/settled.ts';
import { makeTree } from '../support/tree.ts';

type Tree = Parameters<typeof memorySource>[0];
type Query = Partial<MapQuery>;

async function drawn(tree: Tree, query: Query = {}, options: MapOptions = {}): Promise<ProjectMap> {
  const workspace = await openWorkspace(memorySource(tree), { git: false });
  return drawMap({ path: '.', rules: [], budget: null, ...query }, workspace, {
    cache: false,
    ...options,
  });
}

async function failure(map: Promise<ProjectMap>): Promise<ListingError> {
  const error = await map.then(
    () => null,
    (reason) => reason,
  );
  expect(error).toBeInstanceOf(ListingError);
  return error as ListingError;
}

const lines = ({ text }: ProjectMap) => text.split('\n');
/** The directories that are opened, in their order. */
const opened = (map: ProjectMap) =>
  lines(map)
    .slice(1)
    .flatMap((line) => /^ ([^ ]*\/) /.exec(line)?.[1] ?? []);

const WORDS = ['alpha', 'beta', 'gamma', 'delta', 'epsilon', 'zeta', 'theta', 'iota', 'kappa', 'lambda'];
const filesIn = (directory: string, words: readonly string[] = WORDS) =>
  Object.fromEntries(words.map((word) => [`${directory}/${word}-of-${directory}.ts`, '']));

const SMALL = { 'README.md': '', 'src/index.ts': '', 'src/lib/a.ts': '', 'docs/b/c.md': '' };
const LARGE = { ...Object.assign({}, ...WORDS.map((word) => filesIn(word))), 'README.md': '', 'x.png': '' } as Tree;
const FILES = WORDS.length ** 2 + 2;

describe('a map of everything', () => {
  it('is drawn where it fits', async () => {
    const map = await drawn(SMALL);
    expect(lines(map)).toEqual([
      ...['# .: 4 files, 4 shown', 'README.md', ' docs/b/ c.md', ' src/ index.ts', '  lib/ a.ts'],
    ]);
    expect(map).toMatchObject({ path: '', fold: null, files: 4, directories: 4, shown: 4 });
    expect(map).toMatchObject({ isWhole: true, isFromCache: false, stopped: null, unreadable: [], notes: [] });
    expect(map.tokens).toBe(encode(map.text).length);
    expect(map.data.entries.map(({ path }) => path)).toEqual([
      ...['README.md', 'docs', 'docs/b', 'docs/b/c.md', 'src', 'src/index.ts', 'src/lib', 'src/lib/a.ts'],
    ]);
  });

  it('fits a budget that is just enough', async () => {
    const { text, tokens } = await drawn(SMALL);
    const exact = await drawn(SMALL, { budget: tokens });
    expect([exact.text, exact.isWhole]).toEqual([text, true]);
    expect((await drawn(SMALL, { budget: tokens - 1 })).isWhole).toBe(false);
  });

  it('may have directories that nothing is in', async () => {
    const map = await drawn({ a: '', b: { type: 'dir' } });
    expect([map.text, map.isWhole, map.directories]).toEqual(['# .: 1 file, 1 shown\nb/+0 a', true, 1]);
  });

  it('names a directory that nothing is in, however deep it is', async () => {
    const path = Array.from({ length: 40 }, () => 'd').join('/');
    const map = await drawn({ a: '', [path]: { type: 'dir' } });
    expect([map.isWhole, map.data.entries.map((entry) => entry.path).includes(path)]).toEqual([true, true]);
  });

  it('names many directories that nothing is in, as far as there is room', async () => {
    const tree = { a: '', ...Object.fromEntries(WORDS.map((word) => [`old-${word}`, { type: 'dir' }])) } as Tree;
    const map = await drawn(tree);
    expect(lines(map)[1]?.split(' ')).toEqual([...WORDS.map((word) => `old-${word}/+0`).sort(), 'a']);
    expect((await drawn(tree, { budget: 30 })).text).toContain('*/+0');
  });

  it('is not drawn where the default below the root is less', async () => {
    const names = Object.fromEntries(
      WORDS.flatMap((a) => WORDS.flatMap((b) => WORDS.map((c) => [`src/${a}/${b}-and-${c}-${a}.ts`, '']))),
    );
    const below = await drawn(names, { path: 'src' });
    expect([below.isWhole, below.path]).toEqual([false, 'src']);
    expect(below.tokens).toBeLessThanOrEqual(700);
    const asked = await drawn(names, { path: 'src', budget: 20_000 });
    expect([asked.isWhole, asked.shown]).toEqual([true, 1000]);
  });
});

describe('a part', () => {
  it.each([30, 60, 100, 200, 230])('uses up a budget of %i, and no more', async (budget) => {
    const map = await drawn(LARGE, { budget });
    expect(map.tokens).toBe(encode(map.text).length);
    expect(map.tokens).toBeLessThanOrEqual(budget);
    expect(map.tokens).toBeGreaterThan(0.6 * budget);
    expect([map.isWhole, map.files, map.directories]).toEqual([false, FILES, WORDS.length]);
    expect(lines(map)[0]).toBe(`# .: ${FILES} files, ${map.shown} shown`);
    const files = map.data.entries.filter(({ type }) => type !== 'dir');
    expect(map.shown).toBe(files.length);
  });

  it('shows more for more', async () => {
    const shown = await Promise.all([30, 200, 230].map(async (budget) => (await drawn(LARGE, { budget })).shown));
    expect(shown).toEqual(shown.toSorted((a, b) => a - b));
    expect(new Set(shown).size).toBe(3);
  });

  it('has its directories by name', async () => {
    const names = opened(await drawn(LARGE, { budget: 230 }));
    expect(names.length).toBeGreaterThan(2);
    expect(names).toEqual(names.toSorted());
  });

  it('of a fold has what is in the fold', async () => {
    const map = await drawn(LARGE, { path: 'alpha/*', budget: 24 });
    expect(lines(map)[0]).toBe(`# alpha/*: 10 files, ${map.shown} shown`);
    expect([map.files, map.isWhole, map.path, map.fold?.ofFolders]).toEqual([10, false, 'alpha', false]);
    expect(map.tokens).toBeLessThanOrEqual(24);
  });
});

describe('where there is room for little', () => {
  /** By a count that is the same everywhere: that of letters. */
  const byLetters = { countTokens: (text: string) => text.length };
  const names = ['apple', 'banana', 'cherry'];
  const tree = Object.fromEntries(names.flatMap((name) => WORDS.map((word) => [`${name}/${word}.ts`, ''])));
  const CLOSED = '# .: 30 files, 0 shown\napple/+10 banana/+10 cherry/+10';

  it('directories are shown by their names', async () => {
    const map = await drawn(tree, { budget: CLOSED.length }, byLetters);
    expect([map.text, map.tokens, map.isWhole]).toEqual([CLOSED, CLOSED.length, false]);
  });

  it('there is a fold for everything', async () => {
    const least = '# .: 31 files, 0 shown\n*/+30 *+1';
    const long = { ...tree, ['long'.repeat(30)]: '' };
    expect((await drawn(long, { budget: least.length }, byLetters)).text).toBe(least);
    const files = Object.fromEntries(WORDS.map((word) => [`${word.repeat(9)}.ts`, '']));
    expect((await drawn(files, { budget: 30 }, byLetters)).text).toBe('# .: 10 files, 0 shown\n*+10');
    expect((await drawn(tree, { budget: 30 }, byLetters)).text).toBe('# .: 30 files, 0 shown\n*/+30');
  });

  it('a fold is a fold again', async () => {
    const files = Object.fromEntries(WORDS.map((word) => [`a${word.repeat(9)}.ts`, '']));
    expect((await drawn(files, { path: 'a*', budget: 30 }, byLetters)).text).toBe('# a*: 10 files, 0 shown\na*+10');
  });

  it('it is said that there is no room at all', async () => {
    const { kind, message } = await failure(drawn(LARGE, { budget: 15 }, byLetters));
    expect(kind).toBe('failed');
    expect(message).toContain('even the smallest map costs more than 15 tokens');
  });
});

it('says which limit even the smallest map exceeds', async () => {
  const exact = await failure(drawn(SMALL, { budget: 9 }, { maxCharacters: 5, countTokens: () => 9 }));
  expect(exact.message).toContain('is longer than 5 characters');
  const { message } = await failure(drawn(SMALL, {}, { maxCharacters: 5 }));
  expect(message).toContain('even the smallest map is longer than 5 characters');
});

describe('what a text costs', () => {
  it('is counted as the caller counts', async () => {
    const counted: string[] = [];
    const countTokens = (text: string) => {
      counted.push(text);
      return 2 * text.length;
    };
    const map = await drawn(LARGE, { budget: 400 }, { countTokens });
    expect(map.tokens).toBe(2 * map.text.length);
    expect(map.tokens).toBeLessThanOrEqual(400);
    expect(counted).toContain(map.text);
  });

  it.each([-1, Number.NaN])('cannot be %d', async (tokens) => {
    const { kind, message } = await failure(drawn(SMALL, {}, { countTokens: () => tokens }));
    expect([kind, message]).toEqual(['failed', `countTokens returned ${tokens}, which is not a number of tokens`]);
  });

  it('may be nothing', async () => {
    const map = await drawn(LARGE, {}, { countTokens: () => 0 });
    expect([map.isWhole, map.tokens]).toEqual([true, 0]);
  });

  it('is that of the form in which it is sent', async () => {
    const sentAs = (text: string) => text + text;
    const map = await drawn(LARGE, { budget: 100 }, { sentAs });
    expect(map.tokens).toBe(encode(sentAs(map.text)).length);
    expect(map.tokens).toBeLessThanOrEqual(100);
  });
});

describe('the length of a text', () => {
  const words = [...WORDS, 'eta', 'mu', 'nu', 'xi', 'omicron', 'pi', 'rho', 'sigma', 'tau', 'upsilon'];
  const more = Object.fromEntries(words.flatMap((a) => words.map((b) => [`${a}/${b}-${a}.ts`, ''])));

  it('limits it, and the header says so', async () => {
    const map = await drawn(more, { budget: 1000 }, { maxCharacters: 480 });
    expect(map.text.length).toBeLessThanOrEqual(480);
    expect(lines(map)[0]).toBe(`# .: 400 files, ${map.shown} shown, limited to 480 characters`);
    expect(map.tokens).toBe(encode(map.text).length);
  });

  it('is that of the form in which it is sent', async () => {
    const map = await drawn(more, { budget: 1000 }, { maxCharacters: 960, sentAs: (text) => text + text });
    expect(map.text.length).toBeLessThanOrEqual(480);
    expect(lines(map)[0]).toBe(`# .: 400 files, ${map.shown} shown, limited to 960 characters`);
  });

  it('is not spoken of where everything fits, or where the tokens are what limits', async () => {
    const whole = await drawn(SMALL);
    const tight = await drawn(SMALL, { budget: 1000 }, { maxCharacters: whole.text.length });
    expect(tight.text).toBe(whole.text);
    const map = await drawn(LARGE, { budget: 100 });
    const limited = await drawn(LARGE, { budget: 100 }, { maxCharacters: 4 * map.text.length });
    expect(limited.text).toBe(map.text);
  });
});

describe('a limit', () => {
  const byLetters = { countTokens: (text: string) => text.length };

  it('of length is not spoken of where that of tokens is as tight', async () => {
    for (const maxCharacters of [400, 410]) {
      const map = await drawn(LARGE, { budget: 400 }, { ...byLetters, maxCharacters });
      expect([lines(map)[0], map.tokens > 0.85 * 400]).toEqual([`# .: ${FILES} files, ${map.shown} shown`, true]);
    }
  });

  it('of length is not spoken of where there is room left, but for no name', async () => {
    const long = Object.fromEntries(WORDS.slice(0, 3).map((word) => [word.repeat(200 / word.length), '']));
    const map = await drawn(long, { budget: 1000 }, { maxCharacters: 560, countTokens: () => 1 });
    expect([map.isWhole, map.text.length < 0.9 * 560]).toEqual([false, true]);
    expect(lines(map)[0]).toBe(`# .: 3 files, ${map.shown} shown`);
  });
});

describe('a call that is cancelled', () => {
  it('does nothing, if that was before', async () => {
    expect((await failure(drawn(SMALL, {}, { signal: AbortSignal.abort() }))).kind).toBe('aborted');
    expect((await failure(drawn(SMALL, {}, { timeLimit: 0 }))).kind).toBe('timeout');
  });

  it('gives what it has while it chooses, and says so', async () => {
    const stop = new AbortController();
    let maps = 0;
    const countTokens = (text: string) => {
      maps++;
      stop.abort();
      return text.length;
    };
    const map = await drawn(LARGE, { budget: 120 }, { signal: stop.signal, countTokens });
    expect(map.stopped).toBe('aborted');
    expect(lines(map)[0]).toBe(`# .: ${FILES} files, ${map.shown} shown, incomplete: cancelled`);
    expect(map.tokens).toBeLessThanOrEqual(120);
    expect(maps).toBeLessThan(5);
  });

  it('says nothing of it where there is no room for that', async () => {
    const stop = new AbortController();
    const countTokens = (text: string) => {
      stop.abort();
      return text.length;
    };
    const least = '# .: 102 files, 0 shown\n*/+100 *+2';
    const map = await drawn(LARGE, { budget: least.length }, { signal: stop.signal, countTokens });
    expect(map.text).toBe(least);
  });
});

describe.runIf(oddCalls !== null)('a map that was drawn before', () => {
  it.each([
    ['whole', null],
    ['a part', 24],
  ])('is given again as long as it holds: %s', async (_, budget) => {
    const root = makeTree(SMALL);
    settle();
    onTestFinished(unsettle);
    const workspace = await openWorkspace(root, { git: false });
    onTestFinished(() => workspace.close());
    const ask = (options: MapOptions = {}, changes: Query = {}) =>
      drawMap({ path: '.', rules: [], budget, ...changes }, workspace, options);
    const first = await ask();
    expect([first.isWhole, first.isFromCache]).toEqual([budget === null, false]);
    // What it depends on is recorded the second time.
    expect(await ask()).toEqual(first);
    expect(await ask()).toEqual({ ...first, isFromCache: true });
    expect((await ask({ cache: false })).isFromCache).toBe(false);
    writeFileSync(join(root, 'src/new.ts'), '');
    expect(await ask()).toMatchObject({ isFromCache: false, files: 5 });
  });
});

describe('maps that are tried', () => {
  /** The texts that were counted, and the map that was chosen. */
  async function tried(tree: Tree, budget: number, perLetter: number): Promise<{ texts: string[]; map: ProjectMap }> {
    const texts: string[] = [];
    const countTokens = (text: string) => {
      texts.push(text);
      return text.length * perLetter;
    };
    return { map: await drawn(tree, { budget }, { countTokens }), texts };
  }

  it('are only that of everything where this fits', async () => {
    const { map, texts } = await tried(LARGE, 2000, 1 / 3);
    expect([map.isWhole, texts]).toEqual([true, [map.text]]);
  });

  it.each([
    ['one that is near enough to the budget', 60, 1],
    ['one that is exactly near enough', 580, 9],
    ['one that takes all of it', 119, 1],
    ['a good one, after six', 140, 1],
    ['a better one, after six', 400, 1],
    ['the best, after all', 160, 1],
    ['the best of another size, after all', 260, 1],
    ['the best in thirds', 100, 1 / 3],
  ])('end with %s', async (_, budget, perLetter) => {
    const { map, texts } = await tried(LARGE, budget, perLetter);
    const sizes = texts.map((text) => (text.length * perLetter) / budget);
    // That of everything is tried before, where it might fit.
    const before = FILES + WORDS.length < budget ? 1 : 0;
    const largest = (end: number) => Math.max(...sizes.slice(0, end).filter((size) => size <= 1));
    const isEnough = (size: number, at: number) =>
      (size <= 1 && size >= 0.9) || (at + 1 - before >= 6 && largest(at + 1) >= 0.85);
    const end = sizes.findIndex(isEnough);
    if (end >= 0) expect(texts.length).toBe(end + 1);
    expect(map.tokens / budget).toBe(largest(texts.length));
  });
});

it('a directory of too many directories to be named is one fold, and the names are not even tried', async () => {
  const texts: string[] = [];
  const countTokens = (text: string) => {
    texts.push(text);
    return texts.length === 1 || text.includes('alpha') ? 1000 : 9;
  };
  const map = await drawn(LARGE, { budget: 10 }, { countTokens });
  expect(map.text).toBe('# .: 102 files, 0 shown\n*/+100 *+2');
});
