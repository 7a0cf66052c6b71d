import { describe, expect, it } from 'vitest';
import { type Bytes, bytesOf } from '../../src/names/bytes.ts';
import type { FoldName } from '../../src/overview/dense-name.ts';
import { headerFor, type MapSummary } from '../../src/overview/header.ts';
import { tokensIn } from '../../src/overview/token-count.ts';

const ABOUT: MapSummary = {
  path: '' as Bytes,
  fold: null,
  lacksHistory: false,
  files: 12,
  hidden: new Map(),
  unreadable: [],
  stopped: null,
  notes: [],
};

const AMPLE = 10_000;

const header = (about: Partial<MapSummary>, budget = AMPLE) => headerFor({ ...ABOUT, ...about }, budget, 3);
const fold = (prefix: string): FoldName => ({ prefix: bytesOf(prefix), range: null, ofFolders: false });

/** How the header calls a directory at that path. */
const named = (path: string, budget = AMPLE, about: Partial<MapSummary> = {}) =>
  /^# (.*): 12 files, 3 shown$/.exec(header({ ...about, path: bytesOf(path) }, budget))?.[1];

describe('the header of a map', () => {
  it('says what it is of, how many files there are, and how many of them it shows', () => {
    expect(header({})).toBe('# .: 12 files, 3 shown');
    expect(header({ path: bytesOf('src/lib') })).toBe('# src/lib: 12 files, 3 shown');
    expect(header({ files: 1 })).toBe('# .: 1 file, 3 shown');
    expect(header({ lacksHistory: true })).toBe("# .: 12 files, 3 shown, without git's history");
  });

  it('says what was hidden, by the kind of rule, and what shows it', () => {
    // Met in whatever order.
    const hidden = new Map([
      ['worktree', 2],
      ['argument', 4],
      ['git', 5],
    ] as const);
    expect(header({ hidden })).toBe(
      '# .: 12 files, 3 shown, 5 ignored by git (respect_git_ignore=false), 4 hidden by ignore, 2 worktrees closed',
    );
    // That is `.git`.
    expect(header({ hidden: new Map([['builtin', 1]]) })).toBe('# .: 12 files, 3 shown');
    expect(header({ hidden: new Map([['git', 0]]) })).toBe('# .: 12 files, 3 shown');
  });

  it('says what could not be read, and what the rules noted', () => {
    expect(header({ unreadable: ['a', 'b'].map((path) => ({ path: bytesOf(path), reason: '' })) })).toBe(
      '# .: 12 files, 3 shown, 2 unreadable',
    );
    expect(header({ notes: ['one thing'] })).toBe('# .: 12 files, 3 shown, note: one thing');
    expect(header({ notes: ['one', 'two', 'three'] })).toBe('# .: 12 files, 3 shown, 3 notes');
    const all = {
      notes: ['n'],
      unreadable: [{ path: bytesOf('a'), reason: '' }],
      hidden: new Map([['git', 1]] as const),
    };
    expect(header(all)).toBe(
      '# .: 12 files, 3 shown, 1 ignored by git (respect_git_ignore=false), 1 unreadable, note: n',
    );
  });

  it('says why something is missing', () => {
    const because = (stopped: MapSummary['stopped']) => header({ stopped });
    expect(because('timeout')).toBe('# .: 12 files, 3 shown, incomplete: out of time');
    expect(because('aborted')).toBe('# .: 12 files, 3 shown, incomplete: cancelled');
  });
});

describe('what would cost too much is cut', () => {
  const words = (count: number) => Array.from({ length: count }, () => 'word').join(' ');

  it('a note beyond three tenths of the budget', () => {
    expect(tokensIn(words(30))).toBe(30);
    expect(header({ notes: [words(30)] }, 100)).toBe(`# .: 12 files, 3 shown, note: ${words(30)}`);
    expect(header({ notes: [words(31)] }, 100)).toBe('# .: 12 files, 3 shown, note: …');
  });

  it('what is longer than anybody would count, whatever the budget', () => {
    expect(header({ notes: ['x'.repeat(500)] }, 1e9)).toContain(`note: ${'x'.repeat(500)}`);
    expect(header({ notes: ['x'.repeat(501)] }, 1e9)).toBe('# .: 12 files, 3 shown, note: …');
  });

  it('a path, at its front', () => {
    const names = Array.from({ length: 40 }, (_, i) => `level${i}`);
    const path = names.join('/');
    expect(named(path)).toBe(path);
    for (const budget of [40, 100, 200, 400]) {
      const text = named(path, budget) as string;
      const kept = text.split('/').length - 1;
      expect(text).toBe(['…', ...names.slice(-kept)].join('/'));
      // As much as fits, and no more.
      expect(tokensIn(text)).toBeLessThanOrEqual(budget / 4);
      expect(tokensIn(['…', ...names.slice(-kept - 1)].join('/'))).toBeGreaterThan(budget / 4);
    }
    expect(named('x'.repeat(300), 100)).toBe('…');
    expect(named(`${'x'.repeat(300)}/end`, 100)).toBe('…/end');
    expect(named('a/b', 4)).toBe('…');
  });

  it('a path that is longer than anybody would count, at a name', () => {
    const long = `${'d/'.repeat(4000)}end`;
    const text = named(long, 1e9) as string;
    expect(text.startsWith('…/d/d/')).toBe(true);
    expect(text.endsWith('/d/end')).toBe(true);
    expect(text.length).toBeLessThanOrEqual(500 + 2);
    expect(text.length).toBeGreaterThan(494);
    const exact = `${'d/'.repeat(248)}last`;
    expect(exact).toHaveLength(500);
    expect(named(exact, 1e9)).toBe(exact);
    expect(named(`d${exact}`, 1e9)).toBe(`…/${exact.slice(2)}`);
  });

  it('a path with names that are quoted', () => {
    const path = `${'some-directory/'.repeat(30)}a b`;
    expect(named(path, 60)).toMatch(/^"…\/(some-directory\/)*a b"$/);
    expect(named('a b')).toBe('"a b"');
    expect(named(`${'some-directory/'.repeat(30)}---/x`, 36)).toBe('"…/---/x"');
  });

  it('the path of a fold, which stays one', () => {
    expect(named('', AMPLE, { fold: fold('t') })).toBe('t*');
    expect(named('src', AMPLE, { fold: fold('t') })).toBe('src/t*');
    const deep = 'some-directory/'.repeat(30).slice(0, -1);
    expect(named(deep, 60, { fold: fold('t') })).toMatch(/^…\/(some-directory\/)+t\*$/);
    expect(named('x'.repeat(300), 40, { fold: fold('t') })).toBe('…/t*');
    expect(named('x'.repeat(300), 40, { fold: fold('y'.repeat(300)) })).toBe('…');
  });
});
