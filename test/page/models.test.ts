/** What the page computes by itself: rows of a tree, areas, what changed between two maps, and totals. */
import { describe, expect, it } from 'vitest';
import type { LevelEntry, TreemapNode, WatchedCall } from '../../src/faces/view/api.ts';
import { formsOf } from '../../src/page/call-forms.ts';
import { changesBetween, mapLines } from '../../src/page/map-changes.ts';
import { squarify } from '../../src/page/squarify.ts';
import { Directory, PAGE } from '../../src/page/tree-model.ts';
import { markedWords, neverLookedAt, replayTotals, rowsOf, totalsOf } from '../../src/page/watch-totals.ts';

function directoryOf(path: string, total: number): Directory {
  const directory = new Directory(path);
  directory.total = total;
  return directory;
}

describe('rows of Explore', () => {
  it('are found by counting, whatever is open', () => {
    const top = directoryOf('/r', 1_000_000);
    const first = top.open(2, '/r/c');
    first.total = 3;
    const second = top.open(500_000, '/r/x');
    second.total = 0;
    const inner = first.open(1, '/r/c/b');
    inner.total = 2;
    expect(top.rows).toBe(1_000_000 + 3 + 2 + 1);
    const at = (index: number) => {
      const { directory, position } = top.rowAt(index);
      return [directory.path, position];
    };
    expect([0, 2, 3, 4, 5, 6, 7, 8].map(at)).toEqual([
      ['/r', 0],
      ['/r', 2],
      ['/r/c', 0],
      ['/r/c', 1],
      ['/r/c/b', 0],
      ['/r/c/b', 1],
      ['/r/c', 2],
      ['/r', 3],
    ]);
    expect(at(500_005)).toEqual(['/r', 500_000]);
    // An empty directory has a row that says so.
    expect(at(500_006)).toEqual(['/r/x', 0]);
    expect(at(500_007)).toEqual(['/r', 500_001]);
    for (const index of [0, 4, 6, 7, 8, 500_005, 500_007]) expect(top.indexIn(top.rowAt(index))).toBe(index);
  });

  it('are found on the way to an entry, before anything is loaded', () => {
    const top = new Directory('/r');
    const steps = [
      { path: '/r', position: 500_000, total: 1_000_000 },
      { path: '/r/x', position: 7, total: 9 },
    ];
    const row = top.reveal(steps);
    expect([row.directory.path, row.position, top.indexIn(row)]).toEqual(['/r/x', 7, 500_008]);
    // The next entry on the same way is in the same directory.
    expect(top.reveal([steps[0], { ...steps[1], position: 8 }] as typeof steps).directory).toBe(row.directory);
  });

  it('know their entries page by page', () => {
    const top = directoryOf('/r', 1000);
    const entry = { label: 'x', path: '/r/x', type: 'file', hidden: false, rule: null } as LevelEntry;
    top.pages.set(1, [entry]);
    expect(top.entryAt(PAGE)).toBe(entry);
    expect(top.entryAt(0)).toBeUndefined();
  });
});

describe('squarify', () => {
  it('gives each size its share of the area, inside and without overlap', () => {
    const sizes = [60, 30, 20, 10, 5, 5, 1, 0];
    const areas = squarify(sizes, { x: 10, y: 20, width: 300, height: 200 });
    expect(areas).toHaveLength(sizes.length);
    for (const [at, { x, y, width, height }] of areas.entries()) {
      expect(width * height).toBeCloseTo(((sizes[at] as number) * 60_000) / 131, 3);
      expect(x).toBeGreaterThanOrEqual(10);
      expect(y).toBeGreaterThanOrEqual(20);
      expect(x + width).toBeLessThan(310.001);
      expect(y + height).toBeLessThan(220.001);
    }
    for (const [at, one] of areas.entries()) {
      for (const other of areas.slice(at + 1)) {
        const across = Math.min(one.x + one.width, other.x + other.width) - Math.max(one.x, other.x);
        const down = Math.min(one.y + one.height, other.y + other.height) - Math.max(one.y, other.y);
        expect(Math.max(0, across) * Math.max(0, down)).toBeLessThan(0.01);
      }
    }
  });

  it.each([
    ['nothing', [], { x: 0, y: 0, width: 10, height: 10 }],
    ['no size', [0, 0], { x: 0, y: 0, width: 10, height: 10 }],
    ['no room', [1, 2], { x: 0, y: 0, width: 0, height: 10 }],
  ])('bears %s', (_, sizes, within) => {
    expect(squarify(sizes, within)).toHaveLength(sizes.length);
  });
});

describe('what changed between two maps', () => {
  const before = '# .: 9 files, 2 shown\nREADME.md docs/+4 src/+3';
  const after = '# .: 9 files, 5 shown\nREADME.md docs/+4\n src/ a.ts "b c.ts" x*+20';

  it('is marked line by line and word by word', () => {
    const [header, top, src] = mapLines(after, before);
    expect(header?.isNew).toBe(false);
    expect(top?.words.map(({ text, isNew }) => [text, isNew])).toEqual([
      ['README.md', false],
      ['docs/+4', false],
    ]);
    expect(src).toMatchObject({ indent: ' ', isNew: true });
    expect(src?.words.map(({ text, kind }) => [text, kind])).toEqual([
      ['src/', 'head'],
      ['a.ts', 'shown'],
      ['"b c.ts"', 'shown'],
      ['x*+20', 'fold'],
    ]);
    const [, back] = mapLines(before, after);
    expect(back?.words.map(({ text, isNew }) => [text, isNew])).toEqual([
      ['README.md', false],
      ['docs/+4', false],
      ['src/+3', true],
    ]);
    expect(mapLines(after, null).some(({ isNew }) => isNew)).toBe(false);
  });

  it('is told by directories', () => {
    const closed = { entries: [{ path: 'src', type: 'dir', files: 3 }], folds: [] };
    const open = { entries: [{ path: 'src', type: 'dir' }], folds: [{ path: 'src/x*', files: 20 }] };
    expect(changesBetween(closed, open)).toEqual({ opened: ['src'], closed: [], folded: ['src/x*'], unfolded: [] });
    expect(changesBetween(open, closed)).toEqual({ opened: [], closed: ['src'], folded: [], unfolded: [] });
    // What closed with its parent is one change.
    const deep = { entries: ['src', 'src/a', 'src/a/b'].map((path) => ({ path, type: 'dir' })), folds: [] };
    expect(changesBetween(deep, closed).closed).toEqual(['src']);
    // In the map of a directory, that one is not among the entries.
    const inSrc = { entries: [{ path: 'src/a', type: 'dir' }], folds: [] };
    expect(changesBetween(inSrc, { entries: [], folds: [] }).closed).toEqual(['src/a']);
  });

  it('count a directory that is shown in part as open, and know its line whatever its count is', () => {
    const dir = { path: 'src', type: 'dir', files: 9 };
    const [closed, partly] = [
      { entries: [dir], folds: [] },
      { entries: [dir, { path: 'src/a', type: 'file' }], folds: [] },
    ];
    expect(changesBetween(closed, partly)).toEqual({ opened: ['src'], closed: [], folded: [], unfolded: [] });
    const [before, after] = ['# .: 10 files, 1 shown\n src/+9 a', '# .: 10 files, 2 shown\n src/+8 a b\n  lib/ c'];
    const [, src, lib] = mapLines(after, before);
    expect([src?.isNew, src?.directory, lib?.isNew, lib?.directory]).toEqual([false, 'src/', true, 'src/lib/']);
    expect(src?.words.map(({ text, kind, isNew }) => [text, kind, isNew])).toEqual([
      ['src/+8', 'head', true],
      ['a', 'shown', false],
      ['b', 'shown', true],
    ]);
  });
});

describe('totals', () => {
  const call = (id: number, more: Partial<WatchedCall>): WatchedCall => ({
    ...{ id, session: 's', n: id, at: '', ms: 1, dialect: 'standard', tool: 'LS', root: '/r', params: {} },
    ...{ isError: false, tokens: 10, path: null, looked: [], ...more },
  });

  it('count tokens, time, errors and what was asked again', () => {
    const calls = [
      call(1, {}),
      call(2, { params: { path: 'a' }, isError: true }),
      call(3, {}),
      call(4, { session: 't' }),
    ];
    const totals = totalsOf(calls);
    expect(totals).toMatchObject({ calls: 4, tokens: 40, ms: 4, errors: 1, repeatedTokens: 10 });
    expect([...totals.repeated]).toEqual([3]);
    expect(totals.mostTokens).toBe(10);
  });

  it('keep the calls of several sessions apart, each below its heading', () => {
    const calls = [call(1, { at: 'one' }), call(2, { session: 't', at: 'two' }), call(3, {})];
    const { sessions } = totalsOf(calls);
    expect(rowsOf(calls, sessions)).toEqual([
      { number: 1, at: 'one', calls: 2, tokens: 20 },
      calls[0],
      calls[2],
      { number: 2, at: 'two', calls: 1, tokens: 10 },
      calls[1],
    ]);
    // The number stays while a filter hides the calls of another session.
    expect(rowsOf(calls.slice(1, 2), sessions)).toEqual([{ number: 2, at: 'two', calls: 1, tokens: 10 }, calls[1]]);
    expect(rowsOf(calls.slice(0, 1), totalsOf(calls.slice(0, 1)).sessions)).toEqual(calls.slice(0, 1));
  });

  it('of a replay count what is compared, and what is not', () => {
    const compared = { ...call(1, {}), ms: { before: 1, after: 1 }, isError: { before: false, after: false } };
    const same = { ...compared, outcome: 'same', tokens: { before: 1000, after: 1000 }, lines: [] } as const;
    const changed = { ...same, outcome: 'changed', tokens: { before: 5, after: 9 } } as const;
    const skipped = { ...call(2, {}), outcome: 'skipped', reason: 'it reached no root' } as const;
    expect(replayTotals([])).toEqual([]);
    expect(replayTotals([same, changed])).toEqual([['Replayed', '1 the same, 1 changed, 1,005 → 1,009 tokens']]);
    expect(replayTotals([same, skipped])).toEqual([
      ['Replayed', '1 the same, 0 changed, 1 not run, 1,000 → 1,000 tokens'],
    ]);
  });

  it('mark the words that only one side has, or has more often', () => {
    const marked = (lines: string[], others: string[]) =>
      markedWords(lines, others).flatMap(({ text, isMarked }) => (isMarked ? [text] : []));
    expect(marked(['a  b', 'c a'], ['b a', 'x'])).toEqual(['c', 'a']);
    expect(marked(['b a', 'x'], ['a  b', 'c a'])).toEqual(['x']);
    expect(markedWords(['a  b'], []).map(({ text }) => text)).toEqual(['a', '  ', 'b']);
    expect(markedWords([], ['a'])).toEqual([]);
  });

  it('name the outermost directories that nobody looked into', () => {
    const node = (path: string, files: number, children: TreemapNode[] = []): TreemapNode => ({
      ...{ label: path.slice(path.lastIndexOf('/') + 1), path, files, tokens: 1, children },
    });
    const rest = { label: '2 more', path: null, files: 9, tokens: 9, children: [] };
    const src = node('/r/src', 9, [node('/r/src/a', 4), node('/r/src/b', 1), rest]);
    const unseen = neverLookedAt(
      [src, node('/r/docs', 5, [node('/r/docs/deep', 5)])],
      new Set(['/real/src/a/x', '/real']),
      {
        path: '/r',
        realPath: '/real',
      },
    );
    expect(unseen.map(({ label, files }) => [label, files])).toEqual([
      ['docs', 5],
      ['src/b', 1],
    ]);
  });
});

it('a call is copied as a command, with every word quoted', () => {
  const request = { root: 0, dialect: 'gemini', tool: 'list_directory', params: { path: "/it's" } };
  expect(formsOf(request, '/my project', true)['Command line']).toBe(
    `agent-ls call '{"path":"/it'\\''s"}' --dialect gemini --root '/my project'`,
  );
});
