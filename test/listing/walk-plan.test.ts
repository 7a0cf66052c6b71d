/** What a walk gives, asks and leaves behind, by any plan: in memory, directory by directory. */
import { describe, expect, it } from 'vitest';
import { openWorkspace } from '../../src/disk/open-workspace.ts';
import { type MemoryTree, memorySource, type Source } from '../../src/index.ts';
import { Evidence, StillSeen } from '../../src/listing/evidence.ts';
import { withReading } from '../../src/listing/reading.ts';
import { selectingByName } from '../../src/listing/select.ts';
import { walk } from '../../src/listing/walk.ts';
import type { Level, WalkPlan, WalkSink } from '../../src/listing/walk-plan.ts';
import { type Bytes, below, bytesOf } from '../../src/names/bytes.ts';
import type { RuleSpec } from '../../src/rules/rule-spec.ts';
import { Budget, type CallStop } from '../../src/workspace/budget.ts';
import { DirectoryCache } from '../../src/workspace/cache.ts';
import { codedError, ListingError } from '../../src/workspace/listing-error.ts';
import { CutShort, type EntryBuffer } from '../../src/workspace/reader.ts';
import type { SourceDirectory } from '../../src/workspace/source.ts';
import type { Subtree, SubtreeForm } from '../../src/workspace/subtree.ts';
import { type Interference, odd, slowly } from '../support/odd-source.ts';
import { provable } from '../support/provable.ts';
import { isolateGit } from '../support/repository.ts';

isolateGit();

const HERE = '' as Bytes;
const ALL = Number.POSITIVE_INFINITY;
const PLAN: WalkPlan = {
  ...{ start: HERE, depth: ALL, siblings: 'by-name', reverse: false, mayBlock: false },
  ...{ select: null, types: null, cache: null },
};
const GIT: RuleSpec = { kind: 'ignore-files', git: true, gemini: false };
const HIDING_LOGS: RuleSpec = { kind: 'patterns', patterns: ['*.log'] };
const REPOSITORY = { '.git/HEAD': 'ref: refs/heads/main\n', '.git/objects/': {}, '.git/refs/': {} } as const;

interface Asked extends Partial<WalkPlan> {
  readonly path?: string;
  readonly rules?: readonly RuleSpec[];
  readonly budget?: Budget;
  readonly sink?: Partial<WalkSink>;
}

/** All paths that a walk gives, directories with a slash; and what it says at its end. */
async function walked(source: Source, { path = '.', rules = [], budget = new Budget(), sink, ...plan }: Asked = {}) {
  const taken: string[] = [];
  const levels: Level[] = [];
  const take = (level: Level, from: number, to: number) => {
    expect(to).toBeGreaterThan(from);
    levels.push(level);
    for (let i = from; i < to; i++) {
      const { entries } = level;
      taken.push(`${below(level.path, entries.nameAt(i))}${entries.leadsToDirectory(i) ? '/' : ''}`);
    }
  };
  const workspace = await openWorkspace(source);
  const complete = { take, ...sink };
  if (sink !== undefined) Object.defineProperties(complete, Object.getOwnPropertyDescriptors(sink));
  const result = await withReading({ path, rules }, workspace, budget, (reading) =>
    walk(reading, { ...PLAN, ...plan }, complete),
  );
  return { taken, levels, ...result, hidden: Object.fromEntries(result.hidden) };
}

const TREE: MemoryTree = { 'a/b/c': '', 'a/d': '', 'e/f/g': '', h: '', 'i/': null, 'b.log': '', 'e/x.log': '' };
const WHOLE = ['a/', 'a/b/', 'a/b/c', 'a/d', 'b.log', 'e/', 'e/f/', 'e/f/g', 'e/x.log', 'h', 'i/'];

/** More directories inside each other than are held, and behind each a directory, which takes the way back to it. */
function chainOf(levels: number): MemoryTree {
  return Object.fromEntries(Array.from({ length: levels }, (_, i) => [`${'d/'.repeat(i + 1)}y/z`, '']));
}

const chainPaths = (levels: number) => [
  ...Array.from({ length: levels }, (_, i) => 'd/'.repeat(i + 1)),
  ...Array.from({ length: levels }, (_, i) => `${'d/'.repeat(levels - i)}y/`).flatMap((path) => [path, `${path}z`]),
];

const cacheOf = () => new DirectoryCache({ now: () => 0, timeOfDay: () => 10_000 });

/** Others have a turn wherever they may, until the call has to end. */
class Hasty extends Budget {
  looks = 0;
  readonly #most: number;
  readonly #reason: CallStop;

  constructor(most = ALL, reason: CallStop = 'aborted') {
    super({});
    this.#most = most;
    this.#reason = reason;
  }

  override get isDue(): boolean {
    return true;
  }

  override stopReason(): CallStop | null {
    return ++this.looks > this.#most ? this.#reason : null;
  }
}

describe('a walk', () => {
  it.each<[string, Asked, string[]]>([
    ['gives everything', {}, WHOLE],
    ['one level', { depth: 1 }, ['a/', 'b.log', 'e/', 'h', 'i/']],
    ['two levels', { depth: 2 }, ['a/', 'a/b/', 'a/d', 'b.log', 'e/', 'e/f/', 'e/x.log', 'h', 'i/']],
    [
      'the other way round',
      { reverse: true, depth: 2 },
      ['i/', 'h', 'e/', 'e/x.log', 'e/f/', 'b.log', 'a/', 'a/d', 'a/b/'],
    ],
    [
      'directories first',
      { siblings: 'directories-first', depth: 2 },
      ['a/', 'a/b/', 'a/d', 'e/', 'e/f/', 'e/x.log', 'i/', 'b.log', 'h'],
    ],
    ['from another place', { path: 'e', start: bytesOf('e') }, ['e/f/', 'e/f/g', 'e/x.log']],
    ['without what is hidden', { rules: [HIDING_LOGS] }, WHOLE.filter((path) => !path.endsWith('.log'))],
  ])('%s', async (_, asked, expected) => {
    const { source, noted } = provable(memorySource(TREE));
    const { taken, totals, stopped, unreadable, isFromCache } = await walked(source, asked);
    expect(taken).toEqual(expected);
    const directories = taken.filter((path) => path.endsWith('/')).length;
    expect(totals).toEqual({ dir: directories, file: taken.length - directories, link: 0, other: 0 });
    expect({ stopped, unreadable, isFromCache }).toEqual({ stopped: null, unreadable: [], isFromCache: false });
    expect(noted.held).toBe(0);
    // The same from a source that has to load, and where others have a turn after everything.
    expect((await walked(slowly(memorySource(TREE)).source, asked)).taken).toEqual(expected);
    const hasty = new Hasty();
    expect((await walked(memorySource(TREE), { ...asked, budget: hasty })).taken).toEqual(expected);
    expect(hasty.looks).toBeGreaterThan(2);
  });

  it('counts what is hidden, and what is too deep to be opened', async () => {
    const { hidden, unopened } = await walked(memorySource(TREE), { rules: [HIDING_LOGS], depth: 2 });
    expect({ hidden, unopened }).toEqual({ hidden: { argument: 2 }, unopened: 2 });
    expect((await walked(memorySource(TREE), { depth: 1 })).unopened).toBe(3);
    expect((await walked(memorySource(TREE), { depth: 3 })).unopened).toBe(0);
  });

  it('goes through directories that are not selected', async () => {
    const select = selectingByName((name) => name === 'g' || name === 'f');
    const { taken, unselected } = await walked(memorySource(TREE), { select });
    expect(taken).toEqual(['e/f/', 'e/f/g']);
    expect(unselected).toBe(WHOLE.length - 2);
    const one = selectingByName((name) => name === 'c');
    expect((await walked(memorySource(TREE), { select: one })).taken).toEqual(['a/b/c']);
  });

  it('gives no more than a handful of a large directory at a time', async () => {
    const many = Object.fromEntries(Array.from({ length: 2050 }, (_, i) => [`f${String(i).padStart(4, '0')}`, '']));
    const sizes: number[] = [];
    const sink: Partial<WalkSink> = { take: (_, from, to) => void sizes.push(to - from) };
    const { totals } = await walked(memorySource({ ...many, 'd/x': '' }), { sink, siblings: 'directories-first' });
    expect(sizes).toEqual([1, 1, 1024, 1024, 2]);
    expect(totals.file).toBe(2051);
    sizes.length = 0;
    await walked(memorySource(many), { sink, depth: 1 });
    expect(sizes).toEqual([1024, 1024, 2]);
  });

  it('of an empty directory gives nothing', async () => {
    const { taken, stopped, totals } = await walked(memorySource({ 'd/': null }), { path: 'd' });
    expect([taken, stopped, totals]).toEqual([[], null, { file: 0, dir: 0, link: 0, other: 0 }]);
  });

  it('gives no directory that is not selected, however deep it goes', async () => {
    const select = selectingByName((name) => name === 'h' || name === 'd');
    for (const [depth, expected, unselected] of [
      [1, ['h'], 4],
      [2, ['a/d', 'h'], 7],
      [3, ['a/d', 'h'], 9],
    ] as const) {
      const found = await walked(memorySource(TREE), { select, depth });
      expect([found.taken, found.unselected]).toEqual([expected, unselected]);
    }
  });

  it('is charged for what it gives', async () => {
    const workOf = async (count: number) => {
      const names = Array.from({ length: count }, (_, i) => [`f${1000 + i}`, ''] as const);
      const budget = new Budget();
      await walked(memorySource(Object.fromEntries(names)), { budget, siblings: 'any' });
      return budget.work;
    };
    const [one, two, many] = [await workOf(1), await workOf(2), await workOf(2050)];
    // An entry, the five bytes of its name, and a piece.
    expect(two - one).toBe(60 + 5 * 8 + 20);
    expect(many - one).toBe(2049 * (two - one));
  });
});

describe('a sink', () => {
  it('settles whenever it is full', async () => {
    const settled: number[] = [];
    let count = 0;
    const sink: Partial<WalkSink> = {
      take: (_, from, to) => {
        count += to - from;
      },
      get isFull() {
        return count >= 3;
      },
      settle: async () => {
        await Promise.resolve();
        settled.push(count);
        count = 0;
      },
    };
    await walked(memorySource(TREE), { sink });
    expect(settled).toEqual([3, 3, 3]);
    expect(count).toBe(2);
  });

  it('sees directories that are held, by their paths', async () => {
    const paths: [Bytes, string | undefined][] = [];
    const sink: Partial<WalkSink> = { take: ({ path, directory }) => void paths.push([path, directory?.path]) };
    await walked(memorySource(TREE), { sink, path: 'a' });
    expect(paths).toEqual([
      ['', 'a'],
      ['b', 'a/b'],
      ['', 'a'],
    ]);
  });

  it('that asks for metadata has it loaded before', async () => {
    const { source, noted } = provable(memorySource({ ...TREE, 'e/x.log': '' }));
    const sink: Partial<WalkSink> = {
      describes: true,
      take: ({ path }) => void noted.words.push(`take ${path}`.trim()),
    };
    await walked(source, { sink, depth: 2 });
    const words = noted.words.filter((word) => /^(load|take)/.test(word));
    expect(words).toEqual([
      'load  a b.log e h i',
      'take',
      'load a b d',
      'take a',
      'load  b.log e h i',
      'take',
      'load e f x.log',
      'take e',
      'load  h i',
      'take',
      'load i',
      'load',
    ]);
    expect(noted.held).toBe(0);
  });

  it('that is past its page loads and orders nothing', async () => {
    const { source, noted } = provable(memorySource({ b: '', a: '', 'l/': null, to: { link: 'l' } }));
    const past: Partial<WalkSink> = { describes: true, isPastPage: true };
    const { taken } = await walked(source, { sink: past, siblings: 'directories-first' });
    expect(taken).toEqual(['b', 'a', 'l/', 'to']);
    expect(noted.words.filter((word) => word.startsWith('load'))).toEqual([]);
    expect((await walked(source, { siblings: 'directories-first' })).taken).toEqual(['l/', 'to/', 'a', 'b']);
    expect((await walked(source, { siblings: 'by-name' })).taken).toEqual(['a', 'b', 'l/', 'to']);
  });

  it('that asks for no metadata has none loaded', async () => {
    const { source, noted } = provable(memorySource(TREE));
    await walked(source);
    expect(noted.words.filter((word) => word.startsWith('load'))).toEqual([]);
  });
});

describe('a source', () => {
  it('is told how deep a walk goes, and which directories come next', async () => {
    const { source, noted } = provable(memorySource(TREE));
    await walked(source, { depth: 2 });
    expect(noted.words.filter((word) => !word.startsWith('read'))).toEqual(['walk  2', 'expect  a e i']);
    noted.words.length = 0;
    await walked(source, { depth: 3 });
    expect(noted.words.filter((word) => !word.startsWith('read'))).toEqual([
      'walk  3',
      'expect  a e i',
      'expect a b',
      'expect e f',
      'expect i',
    ]);
  });
});

describe('a walk that goes deep', () => {
  it('holds few directories, and comes back to the others', async () => {
    const { source, noted } = provable(memorySource(chainOf(40)));
    const { taken, levels } = await walked(source);
    expect(taken).toEqual(chainPaths(40));
    expect(noted.held).toBe(0);
    expect(noted.most).toBeGreaterThan(30);
    expect(noted.most).toBeLessThan(36);
    expect(levels.every(({ entries }) => entries === levels[0]?.entries)).toBe(true);
  });

  it.each([31, 32, 33, 34])('of %i levels asks for all of them once', async (count) => {
    const { source, noted } = provable(memorySource(chainOf(count)));
    expect((await walked(source)).taken).toEqual(chainPaths(count));
    expect(noted.words.filter((word) => word.startsWith('read'))).toHaveLength(2 * count + 1);
    expect(noted.held).toBe(0);
  });

  it('finds its way from the start, where none leads up', async () => {
    for (const up of [null, 'EIO'] as const) {
      const interfere: Interference = (question) => {
        if (question === 'up' && up !== null) throw codedError(up, 'not up');
        return question === 'up' ? null : undefined;
      };
      const { source, noted } = provable(
        odd(memorySource({ 's/t/x': '', ...prefixed('s/t/', chainOf(40)) }), interfere),
      );
      const { taken, unreadable } = await walked(source, { path: 's/t', start: bytesOf('s/t') });
      expect(taken).toEqual([...chainPaths(40), 'x'].map((path) => `s/t/${path}`));
      expect(unreadable).toEqual([]);
      expect(noted.held).toBe(0);
    }
  });

  it('goes on without what there is no way back to, and says so', async () => {
    const memory = memorySource(chainOf(40));
    const interfere: Interference = (question, path) => {
      if (question === 'open' && path === 'd/'.repeat(40).slice(0, -1)) memory.set('d/d', null).delete('d/d');
      return question === 'up' ? null : undefined;
    };
    const sink = { describes: true };
    const { taken, unreadable } = await walked(provable(odd(memory, interfere)).source, { sink });
    const lost = unreadable.map(({ path }) => `${path}/`);
    expect(lost.length).toBeGreaterThan(3);
    expect(unreadable.every(({ reason }) => reason === 'the directory above it was moved away')).toBe(true);
    // `d` itself is found again.
    expect(lost).not.toContain('d/y/');
    expect(lost).toContain('d/d/y/');
    expect(taken).toEqual(
      chainPaths(40).filter((path) => !lost.includes(path.replace(/z$/, '')) || path.endsWith('/')),
    );
  });

  it('ends where the way up says that nothing can be opened', async () => {
    const interfere: Interference = (question) => {
      if (question === 'up') throw codedError('EMFILE', 'no more');
    };
    const { source, noted } = provable(odd(memorySource(chainOf(40)), interfere));
    await expect(walked(source)).rejects.toMatchObject({ code: 'EMFILE' });
    expect(noted.held).toBe(0);
  });
});

function prefixed(prefix: string, tree: MemoryTree): MemoryTree {
  return Object.fromEntries(Object.entries(tree).map(([path, entry]) => [prefix + path, entry]));
}

describe('a directory that cannot be read', () => {
  /** Each of the two ways: what is at hand, and what has to load. */
  const ways = (interfere: Interference, tree: MemoryTree = TREE) => [
    provable(odd(memorySource(tree), interfere)),
    provable(slowly(odd(memorySource(tree), interfere)).source),
  ];

  it.each([
    ['open', 'EACCES', 'permission denied'],
    ['open', 'EIO', 'input/output error (EIO)'],
    ['lookup', 'ESTALE', 'stale file handle (ESTALE)'],
    ['open', 'ENOENT', null],
  ])('is passed over: %s %s', async (question, code, reason) => {
    for (const { source, noted } of ways((asked, path) => {
      if (asked === question && path === 'a/b') throw codedError(code, code);
    })) {
      const { taken, unreadable, stopped } = await walked(source);
      expect(taken).toEqual(WHOLE.filter((path) => path !== 'a/b/c'));
      expect(unreadable).toEqual(reason === null ? [] : [{ path: 'a/b', reason }]);
      expect(stopped).toBeNull();
      expect(noted.held).toBe(0);
    }
  });

  it('is passed over where it has vanished, or is another thing now', async () => {
    const memory = memorySource(TREE);
    const interfere: Interference = (question, path) => {
      if (question === 'lookup' && path === 'a/b') memory.set('a/b', '');
    };
    const { taken, unreadable } = await walked(odd(memory, interfere));
    expect(taken).toEqual(WHOLE.filter((path) => path !== 'a/b/c'));
    expect(unreadable).toEqual([]);
  });

  it('is passed over where its rules fail, with all that was read of it', async () => {
    const tree = { ...REPOSITORY, ...TREE, 'a/b/.gitignore': 'c\n' };
    for (const code of ['EIO', 'EMFILE'] as const) {
      for (const { source, noted } of ways((question, path) => {
        if (question === 'readFile' && path === 'a/b/.gitignore') throw codedError(code, code);
      }, tree)) {
        const walking = walked(source, { rules: [GIT] });
        if (code === 'EMFILE') await expect(walking).rejects.toMatchObject({ code });
        else {
          const { taken, unreadable } = await walking;
          expect(taken.filter((path) => !path.startsWith('.git'))).toEqual(WHOLE.filter((path) => path !== 'a/b/c'));
          expect(unreadable).toEqual([{ path: 'a/b', reason: 'input/output error (EIO)' }]);
        }
        expect(noted.held).toBe(0);
      }
    }
  });

  it('ends the walk where nothing else can be read either', async () => {
    for (const { source, noted } of ways((question, path) => {
      if (question === 'open' && path === 'a/b') throw codedError('EMFILE', 'no more');
    })) {
      await expect(walked(source)).rejects.toMatchObject({ code: 'EMFILE' });
      expect(noted.held).toBe(0);
    }
  });

  it('fails the walk where it is the first', async () => {
    for (const { source } of ways((question, path) => {
      if (question === 'open' && path === 'a') throw codedError('EACCES', 'no');
    })) {
      await expect(walked(source, { path: 'a' })).rejects.toMatchObject({ kind: 'denied' });
    }
  });

  it('is told where some of it was read', async () => {
    let reads = 0;
    const many = Object.fromEntries(Array.from({ length: 2000 }, (_, i) => [`a/m/f${i}`, '']));
    const budget = new Hasty();
    const interfere: Interference = (question, path) => {
      if (question === 'read' && path === 'a/m' && ++reads === 2)
        throw new CutShort(new ListingError('failed', 'the line is dead'));
    };
    const { taken, unreadable } = await walked(odd(memorySource({ ...many, z: '' }), interfere), { budget });
    expect(unreadable).toEqual([{ path: 'a/m', reason: 'not read to its end: the line is dead' }]);
    expect(taken.length).toBeGreaterThan(3);
    expect(taken.at(-1)).toBe('z');
  });
});

describe('a walk that has to end', () => {
  it('gives the beginning of the whole, wherever that is', async () => {
    const lengths = new Set<number>();
    for (let most = 1; most < 60; most++) {
      const { source, noted } = provable(memorySource(TREE));
      const budget = new Hasty(most, most % 2 ? 'timeout' : 'aborted');
      const found = await walked(source, { budget }).catch((error) => error);
      expect(noted.held).toBe(0);
      if (found instanceof Error) {
        expect(found).toMatchObject({ kind: most % 2 ? 'timeout' : 'aborted', message: 'nothing was read' });
        continue;
      }
      lengths.add(found.taken.length);
      expect(found.taken).toEqual(WHOLE.slice(0, found.taken.length));
      expect(found.totals.dir + found.totals.file).toBe(found.taken.length);
      if (found.stopped === null) expect(found.taken).toEqual(WHOLE);
      else expect(found.stopped).toBe(most % 2 ? 'timeout' : 'aborted');
    }
    expect(lengths.size).toBeGreaterThan(4);
    expect(lengths.has(WHOLE.length)).toBe(true);
  });

  it('says where nothing was read, unless something was hidden or not selected', async () => {
    const budget = () => {
      const one = new Budget();
      one.stop('timeout');
      return one;
    };
    const nothing = walked(memorySource({ 'd/': null }), { path: 'd', budget: budget() });
    await expect(nothing).rejects.toMatchObject({ kind: 'timeout', message: 'nothing was read', path: 'd' });
    for (const [tree, taken] of [
      [{ 'x.log': '' }, []],
      [{ 'x.log': '', y: '' }, ['y']],
    ] as const) {
      const hidden = await walked(memorySource(tree), { rules: [HIDING_LOGS], budget: budget() });
      expect([hidden.taken, hidden.stopped, hidden.hidden]).toEqual([taken, 'timeout', { argument: 1 }]);
    }
    const none = await walked(memorySource({ x: '' }), { select: selectingByName(() => false), budget: budget() });
    expect([none.taken, none.stopped, none.unselected]).toEqual([[], 'timeout', 1]);
  });

  it('is whole when that comes after its end', async () => {
    let isOver = false;
    class Late extends Hasty {
      override stopReason(): CallStop | null {
        return isOver ? 'aborted' : null;
      }
    }
    const sink: Partial<WalkSink> = {
      take: () => {
        isOver = true;
      },
    };
    const { stopped, totals } = await walked(memorySource({ a: '', b: '' }), { sink, budget: new Late() });
    expect([stopped, totals.file, isOver]).toEqual([null, 2, true]);
  });

  it.each(['timeout', 'aborted'] as const)('ends when the source says so: %s', async (kind) => {
    const interfere: Interference = (question, path) => {
      if (question === 'lookup' && path === 'a/b') throw new ListingError(kind, 'over');
    };
    const { taken, stopped, unreadable } = await walked(odd(memorySource(TREE), interfere));
    expect([taken, stopped, unreadable]).toEqual([['a/', 'a/b/', 'a/d'], kind, []]);
  });
});

describe('what is known', () => {
  const readIn = (words: readonly string[]) => words.filter((word) => word.startsWith('read'));

  it.each<[string, Asked, MemoryTree]>([
    ['everything', {}, TREE],
    ['by rules', { rules: [HIDING_LOGS] }, TREE],
    [
      'by rules in files',
      { rules: [GIT] },
      { ...REPOSITORY, ...TREE, '.gitignore': '*.log\n', 'e/.gitignore': '!x.log\ng\n' },
    ],
    ['in another order', { siblings: 'directories-first', reverse: true }, TREE],
    ['of which some is selected', { select: selectingByName((name) => name === 'c' || name === 'g') }, TREE],
    ['with links', { siblings: 'directories-first' }, { ...TREE, 'a/to': { link: 'b' }, 'a/in': { link: 'd' } }],
    ['deep', {}, chainOf(40)],
  ])('is not read again: %s', async (_, asked, tree) => {
    const { source, noted } = provable(memorySource(tree));
    const cache = cacheOf();
    const fresh = await walked(source, asked);
    const first = await walked(source, { ...asked, cache });
    noted.words.length = 0;
    const second = await walked(source, { ...asked, cache });
    const third = await walked(source, { ...asked, cache });
    expect(readIn(noted.words)).toEqual([]);
    expect(noted.words.filter((word) => word.startsWith('walk'))).toEqual([]);
    expect(noted.held).toBe(0);
    for (const { levels: _, isFromCache: __, ...found } of [first, second, third]) {
      const { levels: ___, isFromCache: ____, ...expected } = fresh;
      expect(found).toEqual(expected);
    }
    expect(fresh.isFromCache).toBe(false);
    expect([first.isFromCache, second.isFromCache, third.isFromCache]).toEqual([false, true, true]);
  });

  it('is read where it has changed, and nothing else is', async () => {
    const memory = memorySource(TREE);
    const { source, noted } = provable(memory);
    const cache = cacheOf();
    await walked(source, { cache });
    memory.set('e/f/new', '');
    noted.words.length = 0;
    const { taken, isFromCache } = await walked(source, { cache });
    expect(taken).toEqual((await walked(memory)).taken);
    expect(isFromCache).toBe(false);
    expect(readIn(noted.words)).toEqual(['read e/f']);
    // What can be told from what is known is not asked for ahead.
    expect(noted.words.filter((word) => word.startsWith('expect'))).toEqual([]);
    expect(noted.held).toBe(0);
    memory.set('b/new', '');
    noted.words.length = 0;
    expect((await walked(source, { cache })).taken).toEqual((await walked(memory)).taken);
    expect(readIn(noted.words)).toEqual(['read', 'read b']);
  });

  it('is judged anew by other rules, and by those that changed', async () => {
    const memory = memorySource({ ...REPOSITORY, ...TREE, '.gitignore': '*.log\n', 'a/.gitignore': 'd\n' });
    const { source, noted } = provable(memory);
    const cache = cacheOf();
    const expectFresh = async (asked: Asked) => {
      const { levels: _, isFromCache: __, ...found } = await walked(source, { ...asked, cache });
      const { levels: ___, isFromCache: ____, ...expected } = await walked(memory, asked);
      expect(found).toEqual(expected);
    };
    const ALL_RULES: Asked[] = [{}, { rules: [HIDING_LOGS] }, { rules: [GIT] }, { rules: [HIDING_LOGS, GIT] }];
    for (const asked of [...ALL_RULES, ...ALL_RULES.toReversed()]) await expectFresh(asked);
    noted.words.length = 0;
    for (const asked of ALL_RULES) await expectFresh(asked);
    expect(readIn(noted.words)).toEqual([]);
    memory.set('.gitignore', 'c\n');
    for (const asked of ALL_RULES) await expectFresh(asked);
    memory.set('a/.gitignore', 'b\n');
    for (const asked of ALL_RULES) await expectFresh(asked);
    for (const select of [selectingByName((name) => name === 'g'), null]) {
      for (const asked of ALL_RULES) await expectFresh({ ...asked, select });
    }
  });

  it('is all that rules let pass, whatever was selected of it before', async () => {
    const { source } = provable(memorySource({ ...TREE, 'e/y.log': '' }));
    const cache = cacheOf();
    const select = selectingByName((name) => name === 'g' || name === 'x.log');
    for (const asked of [{}, { rules: [HIDING_LOGS] }]) {
      const whole = (await walked(source, asked)).taken;
      const some = (await walked(source, { ...asked, select })).taken;
      for (const [one, expected] of [
        [select, some],
        [null, whole],
        [select, some],
        [null, whole],
        [null, whole],
      ] as const) {
        expect((await walked(source, { ...asked, select: one, cache })).taken).toEqual(expected);
      }
    }
  });

  it('is not judged again by the same rules', async () => {
    const names = Array.from({ length: 50 }, (_, i) => [`d/some-name-${i}`, ''] as const);
    const { source } = provable(memorySource(Object.fromEntries(names)));
    const cache = cacheOf();
    const workOf = async (letter: string) => {
      const budget = new Budget();
      const rules: RuleSpec[] = [{ kind: 'patterns', patterns: [`*${'?*'.repeat(9)}${letter}*x`] }];
      await walked(source, { cache, rules, budget });
      return budget.work;
    };
    const [first, again, others] = [await workOf('a'), await workOf('a'), await workOf('b')];
    expect(again).toBeLessThan(first);
    // Nothing is read for other rules, but all is judged.
    expect(again).toBeLessThan(others);
    expect(await workOf('b')).toBe(again);
  });

  it('has no files of rules looked for where there are none', async () => {
    const memory = memorySource({ ...REPOSITORY, ...TREE, '.gitignore': '*.log\n', 'e/f/.gitignore': 'q\n' });
    const { source, noted } = provable(memory);
    const asked: Asked = { cache: cacheOf(), rules: [GIT] };
    await walked(source, asked);
    await walked(source, asked);
    memory.set('e/f/new', '').set('e/f/q', '').set('e/f/new.log', '');
    noted.words.length = 0;
    const { taken } = await walked(source, asked);
    expect(taken.filter((path) => path.startsWith('e/f/'))).toEqual(['e/f/', 'e/f/.gitignore', 'e/f/g', 'e/f/new']);
    const files = noted.words.filter((word) => word.startsWith('file') && !word.includes('.git/'));
    expect(files).not.toContain('file e/.gitignore');
    expect(files).toContain('file e/f/.gitignore');
  });

  it('does not count what was hidden elsewhere', async () => {
    const memory = memorySource({ 'd/x.log': '', 'e/z': '' });
    const { source } = provable(memory);
    const asked: Asked = { cache: cacheOf(), rules: [HIDING_LOGS] };
    expect((await walked(source, asked)).hidden).toEqual({ argument: 1 });
    memory.delete('d/x.log');
    expect((await walked(source, asked)).hidden).toEqual({});
  });

  it('is nothing that was not read to its end', async () => {
    const memory = memorySource(TREE);
    for (let most = 1; most < 40; most++) {
      const cache = cacheOf();
      const { source } = provable(memory);
      await walked(source, { cache, budget: new Hasty(most) }).catch(() => null);
      expect((await walked(source, { cache })).taken).toEqual(WHOLE);
    }
    let reads = 0;
    const many = Object.fromEntries(Array.from({ length: 2000 }, (_, i) => [`m/f${i}`, '']));
    const large = memorySource(many);
    const interfere: Interference = (question, path) => {
      if (question === 'read' && path === 'm' && ++reads === 2)
        throw new CutShort(new ListingError('failed', 'the line is dead'));
    };
    const { source } = provable(odd(large, interfere), large);
    const cache = cacheOf();
    const cut = await walked(source, { cache, budget: new Hasty() });
    expect(cut.unreadable).toHaveLength(1);
    const { totals, isFromCache } = await walked(source, { cache, budget: new Hasty() });
    expect([totals.file, isFromCache]).toEqual([2000, false]);
  });

  it('is nothing that was not judged to its end', async () => {
    const memory = memorySource(TREE);
    const expected = WHOLE.filter((path) => !path.endsWith('.log'));
    for (let most = 1; most < 60; most++) {
      const asked: Asked = { cache: cacheOf(), rules: [HIDING_LOGS] };
      const { source } = provable(memory);
      await walked(source, { ...asked, budget: new Hasty(most) }).catch(() => null);
      expect((await walked(source, asked)).taken).toEqual(expected);
    }
  });

  it('is told to the source as long as there is nothing', async () => {
    const { source, noted } = provable(memorySource(TREE));
    await walked(source, { cache: cacheOf(), depth: 2 });
    expect(noted.words.filter((word) => /^(walk|expect)/.test(word))).toEqual(['walk  2', 'expect  a e i']);
  });

  it('is opened once, for all that is new below it', async () => {
    const memory = memorySource({ 'a/b/c': '', 'a/d/e': '', 'a/f/g': '' });
    const { source, noted } = provable(memory);
    const cache = cacheOf();
    await walked(source, { cache });
    for (const path of ['a/b/new', 'a/d/new', 'a/f/new']) memory.set(path, '');
    noted.most = 0;
    expect((await walked(source, { cache })).taken).toEqual((await walked(memory)).taken);
    expect([noted.held, noted.most]).toEqual([0, 2]);
  });

  it('has links that nobody can follow now', async () => {
    const memory = memorySource({ 'a/b/c': '', 'a/to': { link: 'b' }, 'a/a': '' });
    const asked: Asked = { siblings: 'directories-first', cache: cacheOf() };
    expect((await walked(provable(memory).source, asked)).taken).toEqual(['a/', 'a/b/', 'a/b/c', 'a/to/', 'a/a']);
    const { source } = provable(
      odd(memory, (question, path) => {
        if (question === 'lookup' && path === 'a') throw codedError('EACCES', 'no');
      }),
      memory,
    );
    expect((await walked(source, asked)).taken).toEqual(['a/', 'a/b/', 'a/b/c', 'a/a', 'a/to']);
  });

  it('counts what the rules hide each time', async () => {
    const { source } = provable(memorySource({ 'd/x.log': '', 'd/y.log': '', 'd/z': '', 'q.log': '', 'e/z': '' }));
    const cache = cacheOf();
    for (let i = 0; i < 3; i++) {
      const { hidden, taken } = await walked(source, { rules: [HIDING_LOGS], cache });
      expect([hidden, taken]).toEqual([{ argument: 3 }, ['d/', 'd/z', 'e/', 'e/z']]);
    }
  });

  it.each<[string, Asked]>([
    ['metadata', { sink: { describes: true } }],
    ['another start', { path: 'a', start: bytesOf('a') }],
  ])('does not help where somebody asks for %s', async (_, asked) => {
    const { source, noted } = provable(memorySource(TREE));
    const cache = cacheOf();
    for (let i = 0; i < 2; i++) {
      noted.words.length = 0;
      const { isFromCache } = await walked(source, { ...asked, cache });
      expect(isFromCache).toBe(false);
      expect(readIn(noted.words).length).toBeGreaterThan(1);
    }
    expect(cache.size).toBe(0);
  });

  it('is nothing where changes cannot be told', async () => {
    const cache = cacheOf();
    const memory = memorySource(TREE);
    for (let i = 0; i < 2; i++) expect((await walked(memory, { cache })).isFromCache).toBe(false);
    expect(cache.size).toBe(0);
  });

  it('has directories opened where links have to be followed, and where something below is new', async () => {
    const memory = memorySource({ 'a/b/c': '', 'a/to': { link: 'b' }, 'a/z': '', to: { link: 'a' } });
    const { source, noted } = provable(memory);
    const cache = cacheOf();
    const asked: Asked = { siblings: 'directories-first', cache };
    const expected = ['a/', 'a/b/', 'a/b/c', 'a/to/', 'a/z', 'to/'];
    expect((await walked(source, asked)).taken).toEqual(expected);
    expect((await walked(source, asked)).taken).toEqual(expected);
    memory.set('a/b/d', '');
    memory.set('a/to', { link: 'z' });
    expect((await walked(source, asked)).taken).toEqual(['a/', 'a/b/', 'a/b/c', 'a/b/d', 'a/to', 'a/z', 'to/']);
    expect(noted.held).toBe(0);
  });

  it('is passed over where its rules cannot be had now', async () => {
    const tree = { ...REPOSITORY, 'a/b/.gitignore': 'c\n', 'a/b/c': '', 'a/d': '', z: '' };
    for (const code of ['EIO', 'EMFILE']) {
      let isBroken = false;
      const { source, noted } = provable(
        odd(memorySource(tree), (question, path) => {
          if (isBroken && question === 'readFile' && path === 'a/b/.gitignore') throw codedError(code, code);
        }),
      );
      const asked: Asked = { cache: cacheOf(), rules: [GIT] };
      await walked(source, asked);
      isBroken = true;
      const again = walked(source, asked);
      if (code === 'EMFILE') await expect(again).rejects.toMatchObject({ code });
      else {
        const { taken, unreadable } = await again;
        expect(unreadable).toEqual([{ path: 'a/b', reason: 'input/output error (EIO)' }]);
        expect(taken).toEqual(expect.arrayContaining(['a/', 'a/b/', 'a/d', 'z']));
        expect(taken).not.toContain('a/b/.gitignore');
      }
      expect(noted.held).toBe(0);
    }
  });

  it.each(['EIO', 'EMFILE'])('is let go of where its links cannot be followed: %s', async (code) => {
    const memory = memorySource({ 'a/b/c': '', 'a/to': { link: 'b' }, 'a/z': '', d: '' });
    for (const cache of [cacheOf(), null]) {
      const asked: Asked = { siblings: 'directories-first', cache };
      await walked(provable(memory).source, asked);
      const { source, noted } = provable(
        odd(memory, (question, path) => {
          if (question === 'lookup' && path === 'a/to') throw codedError(code, code);
        }),
        memory,
      );
      const failure = await walked(source, asked).catch((error) => error);
      if (code === 'EMFILE') expect(failure).toMatchObject({ code });
      else expect(failure).toMatchObject({ taken: ['a/', 'a/b/', 'a/b/c', 'a/to', 'a/z', 'd'], unreadable: [] });
      expect(noted.held).toBe(0);
    }
  });

  it('says where there is no way to what is new', async () => {
    const memory = memorySource({ 'a/b/c': '', 'a/d': '' });
    const cache = cacheOf();
    await walked(provable(memory).source, { cache });
    memory.set('a/b/new', '');
    const { source, noted } = provable(
      odd(memory, (question, path) => {
        if (question === 'lookup' && path === 'a') throw codedError('EACCES', 'no');
      }),
      memory,
    );
    const { taken, unreadable } = await walked(source, { cache });
    expect(taken).toEqual(['a/', 'a/b/', 'a/d']);
    expect(unreadable).toEqual([{ path: 'a/b', reason: 'the directory above it was moved away' }]);
    expect(noted.held).toBe(0);
  });
});

describe('what the source writes', () => {
  /** A source that writes what is below `a`, in so many pieces, and then comes to something that it cannot. */
  function writing(pieces: number, answer: 'done' | 'obstacle') {
    const { source, noted } = provable(memorySource(TREE));
    const { words } = noted;
    const writeBelow = (root: SourceDirectory, name: Bytes, { levels }: SubtreeForm<SourceDirectory>) => {
      words.push(`write ${name} ${levels}`);
      if (name !== 'a') return null;
      let left = pieces;
      const subtree: Subtree<SourceDirectory> = {
        proceed: () => (left-- > 0 ? 'paused' : answer),
        lines: Uint8Array.of(1),
        index: new Uint32Array(0),
        counted: () => ({ read: 1, hidden: [], unselected: 0, unopened: 0, shown: [1] }),
        takeOver() {
          const found = root.lookup(bytesOf('a'));
          if (found.kind !== 'directory') throw new Error('no a');
          const appendTo = (entries: EntryBuffer) => {
            entries.add(bytesOf('b'), 'dir');
            entries.add(bytesOf('rest'), 'file');
          };
          return [{ directory: found.directory, path: HERE, appendTo }];
        },
        close: () => void words.push('close'),
      };
      return subtree;
    };
    const root = () => {
      const { directory, ...others } = source.root();
      const writes: SourceDirectory = { ...directory, writeBelow: (name, form) => writeBelow(directory, name, form) };
      return { ...others, directory: writes };
    };
    const told = () => words.filter((word) => /^(write|close|lines)/.test(word));
    return { source: { ...source, root }, noted, told };
  }

  const asked = (words: string[], more: Partial<WalkSink> = {}): Asked => ({
    ...{ types: 0b1111, siblings: 'directories-first' },
    sink: {
      formBelow: () => ({ prefix: HERE, end: 10 }),
      takeLines: () => void words.push('lines'),
      ...more,
    },
  });

  it('is not walked through', async () => {
    const { source, noted, told } = writing(2, 'done');
    const { taken, totals } = await walked(source, { ...asked(noted.words), depth: 7 });
    expect(taken).toEqual(['a/', 'e/', 'e/f/', 'e/f/g', 'e/x.log', 'i/', 'b.log', 'h']);
    expect(totals).toEqual({ file: 4 + 3, dir: 4, link: 0, other: 0 });
    expect(told()).toEqual(['write a 6', 'lines', 'lines', 'lines', 'close', 'write e 6', 'write i 6']);
    expect(noted.held).toBe(0);
  });

  it('is walked through from where it cannot go on', async () => {
    const { source, noted, told } = writing(1, 'obstacle');
    const { taken } = await walked(source, asked(noted.words));
    expect(taken).toEqual([
      ...['a/', 'a/b/', 'a/b/c', 'a/rest'],
      ...['e/', 'e/f/', 'e/f/g', 'e/x.log', 'i/', 'b.log', 'h'],
    ]);
    expect(told()).toEqual(['write a Infinity', 'lines', 'lines', 'close', 'write e Infinity', 'write i Infinity']);
    expect(noted.held).toBe(0);
  });

  it('ends with the walk, and is closed', async () => {
    const lengths: number[] = [];
    for (let most = 1; lengths.length < 4; most++) {
      const { source, noted, told } = writing(9, 'done');
      const found = await walked(source, { ...asked(noted.words), budget: new Hasty(most) }).catch(() => null);
      const [first, ...lines] = told();
      expect(noted.held).toBe(0);
      if (first === undefined) continue;
      expect([found?.stopped, found?.taken]).toEqual(['aborted', ['a/']]);
      expect([first, lines.pop()]).toEqual(['write a Infinity', 'close']);
      expect(lines.every((word) => word === 'lines')).toBe(true);
      lengths.push(lines.length);
    }
    expect(lengths).toEqual([0, 1, 2, 3]);
  });

  it('lets a sink settle meanwhile', async () => {
    const { source, noted, told } = writing(1, 'done');
    let isFull = false;
    const sink: Partial<WalkSink> = {
      takeLines: () => {
        isFull = true;
        noted.words.push('lines');
      },
      get isFull() {
        return isFull;
      },
      settle: async () => {
        isFull = false;
        noted.words.push('close to full');
      },
    };
    const complete = asked(noted.words);
    Object.defineProperties(complete.sink, Object.getOwnPropertyDescriptors(sink));
    await walked(source, complete);
    expect(told().slice(0, 6)).toEqual([
      'write a Infinity',
      'lines',
      'close to full',
      'lines',
      'close',
      'close to full',
    ]);
  });
});

describe('what a walk notes', () => {
  const seenIn = ({ directories, givenBefore }: Evidence) =>
    directories.map(
      ({ path, stamp, size }, i) => `${path || '.'} ${stamp === null ? '-' : '+'} ${size} ${givenBefore[i]}`,
    );

  /** A sink that counts what it was given, and gives the same again. */
  function counting(before: readonly string[] = []) {
    const given: string[] = [];
    const reused: string[] = [];
    const sink: Partial<WalkSink> = {
      take(level, from, to) {
        for (let i = from; i < to; i++) given.push(below(level.path, level.entries.nameAt(i)));
      },
      get given() {
        return given.length;
      },
      reuse(level, name, from, to) {
        reused.push(`${below(level.path, name)} ${from} ${to}`);
        given.push(...before.slice(from, to));
      },
    };
    return { given, reused, sink };
  }

  it('is each directory, with what it contains', async () => {
    const { source } = provable(memorySource(TREE));
    for (const cache of [cacheOf(), null]) {
      const evidence = new Evidence();
      const { sink, given } = counting();
      await walked(source, { cache, evidence, sink });
      const mark = cache === null ? '-' : '+';
      expect(seenIn(evidence)).toEqual([
        `. ${mark} 6 0`,
        `a ${mark} 2 1`,
        `a/b ${mark} 1 2`,
        `e ${mark} 2 6`,
        `e/f ${mark} 1 7`,
        `i ${mark} 1 11`,
      ]);
      expect(given).toHaveLength(WHOLE.length);
      // Given, files, directories, and so on.
      expect(evidence.directories[0]?.found.slice(0, 3)).toEqual([11, 6, 5]);
      expect(evidence.directories[1]?.found.slice(0, 3)).toEqual([3, 2, 1]);
      expect(evidence.directories.every(({ identity }) => identity !== null)).toBe(true);
      if (cache !== null) {
        const again = new Evidence();
        await walked(source, { cache, evidence: again, sink: counting().sink });
        expect(seenIn(again)).toEqual(seenIn(evidence));
      }
    }
  });

  it('does not tell of links that were followed', async () => {
    const { source } = provable(memorySource({ 'a/b/x': '', 'a/to': { link: 'b' } }));
    const evidence = new Evidence();
    await walked(source, { cache: cacheOf(), evidence, siblings: 'directories-first', sink: counting().sink });
    expect(seenIn(evidence).map((word) => word.split(' ').slice(0, 2).join(' '))).toEqual(['. +', 'a -', 'a/b +']);
  });

  it('ends with a directory that could not be read', async () => {
    for (const wrap of [(one: Source) => one, (one: Source) => slowly(one).source]) {
      const { source } = provable(
        wrap(
          odd(memorySource(TREE), (question, path) => {
            if (question === 'open' && path === 'a/b') throw codedError('EIO', 'broken');
          }),
        ),
      );
      const evidence = new Evidence();
      await walked(source, { cache: cacheOf(), evidence, sink: counting().sink });
      expect(seenIn(evidence).slice(0, 4)).toEqual(['. + 6 0', 'a + 2 1', 'a/b - 1 2', 'e + 2 5']);
    }
  });

  it('has the files that rules have looked at', async () => {
    const { source } = provable(memorySource({ ...REPOSITORY, 'a/.gitignore': 'x\n', 'a/x': '', 'b/y': '' }));
    const cache = cacheOf();
    for (let i = 0; i < 2; i++) {
      const evidence = new Evidence();
      await walked(source, { cache, evidence, rules: [GIT], sink: counting().sink });
      const answers = evidence.directories.find(({ path }) => path === 'a')?.answers;
      expect(answers).toEqual([expect.objectContaining({ path: 'a/.gitignore', answer: '=x\n' })]);
    }
  });

  it('is given again where nothing has changed', async () => {
    const memory = memorySource(TREE);
    const { source, noted } = provable(memory);
    const cache = cacheOf();
    const evidence = new Evidence();
    const first = counting();
    const asked: Asked = { rules: [HIDING_LOGS], cache };
    const before = await walked(source, { ...asked, evidence, sink: first.sink });
    memory.set('a/b/new', '');
    const start = (await openWorkspace(source)).enter('.' as never);
    const seen = await new Budget().run(StillSeen.of(evidence, start));
    start.leave();
    const again = new Evidence();
    const second = counting(first.given);
    noted.words.length = 0;
    const after = await walked(source, { ...asked, evidence: again, seen, sink: second.sink });
    expect(second.reused).toEqual(['e 5 7', 'i 9 9']);
    expect(second.given).toEqual(['a', 'a/b', 'a/b/c', 'a/b/new', 'a/d', 'e', 'e/f', 'e/f/g', 'h', 'i']);
    expect(after.totals).toEqual({ ...before.totals, file: before.totals.file + 1 });
    expect(after.hidden).toEqual(before.hidden);
    expect(seenIn(again)).toEqual(['. + 6 0', 'a + 2 1', 'a/b + 1 2', 'e + 2 6', 'e/f + 1 7', 'i + 1 10']);
    // By other rules nothing is.
    const third = counting(first.given);
    await walked(source, { cache, evidence: new Evidence(), seen, sink: third.sink });
    expect(third.reused).toEqual([]);
  });

  it('is nothing where nobody wants to know', async () => {
    const { sink, given, reused } = counting();
    await walked(memorySource(TREE), { sink, evidence: null, seen: null });
    expect([given.length, reused.length]).toEqual([WHOLE.length, 0]);
  });
});
