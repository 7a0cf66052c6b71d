/** What a walk gives, asks and leaves behind, by any plan: in memory, directory by directory. */
import { describe, expect, it } from 'vitest';
import { openWorkspace } from '../../src/disk/disk-source.ts';
import { type MemoryTree, memorySource, type Source } from '../../src/index.ts';
import { Evidence } from '../../src/listing/evidence.ts';
import { withReading } from '../../src/listing/reading.ts';
import type { Select } from '../../src/listing/select.ts';
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
  ...{ depth: ALL, siblings: 'by-name', reverse: false },
  ...{ select: null, types: null },
};
const selecting =
  (...names: string[]): Select =>
  (entries, at) =>
    names.includes(entries.nameAt(at));
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
    ['from another place', { path: 'e' }, ['f/', 'f/g', 'x.log']],
    ['without what is hidden', { rules: [HIDING_LOGS] }, WHOLE.filter((path) => !path.endsWith('.log'))],
  ])('%s', async (_, asked, expected) => {
    const { source, noted } = provable(memorySource(TREE));
    const { taken, totals, stopped, unreadable } = await walked(source, asked);
    expect(taken).toEqual(expected);
    const directories = taken.filter((path) => path.endsWith('/')).length;
    expect(totals).toEqual({ dir: directories, file: taken.length - directories, link: 0, other: 0 });
    expect({ stopped, unreadable }).toEqual({ stopped: null, unreadable: [] });
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
    const select = selecting('g', 'f');
    const { taken, unselected } = await walked(memorySource(TREE), { select });
    expect(taken).toEqual(['e/f/', 'e/f/g']);
    expect(unselected).toBe(WHOLE.length - 2);
    const one = selecting('c');
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
    const select = selecting('h', 'd');
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
    expect(noted.most).toBeGreaterThan(18);
    expect(noted.most).toBeLessThan(24);
    expect(levels.every(({ entries }) => entries === levels[0]?.entries)).toBe(true);
  });

  it.each([19, 20, 21, 22])('of %i levels asks for all of them once', async (count) => {
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
      const { taken, unreadable } = await walked(source, { path: 's/t' });
      expect(taken).toEqual([...chainPaths(40), 'x']);
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
      one.stopped = 'timeout';
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
    const none = await walked(memorySource({ x: '' }), { select: selecting(), budget: budget() });
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
    const late = [{ path: 'a/b', reason: 'it could not be opened within the time limit' }];
    expect([taken, stopped, unreadable]).toEqual([['a/', 'a/b/', 'a/d'], kind, kind === 'timeout' ? late : []]);
  });
});

describe('a directory', () => {
  it('is passed over where its rules cannot be had now', async () => {
    const tree = { ...REPOSITORY, 'a/b/.gitignore': 'c\n', 'a/b/c': '', 'a/d': '', z: '' };
    for (const code of ['EIO', 'EMFILE']) {
      let isBroken = false;
      const { source, noted } = provable(
        odd(memorySource(tree), (question, path) => {
          if (isBroken && question === 'readFile' && path === 'a/b/.gitignore') throw codedError(code, code);
        }),
      );
      const asked: Asked = { rules: [GIT] };
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
    const { source, noted } = provable(
      odd(memory, (question, path) => {
        if (question === 'lookup' && path === 'a/to') throw codedError(code, code);
      }),
    );
    const failure = await walked(source, { siblings: 'directories-first' }).catch((error) => error);
    if (code === 'EMFILE') expect(failure).toMatchObject({ code });
    else expect(failure).toMatchObject({ taken: ['a/', 'a/b/', 'a/b/c', 'a/to', 'a/z', 'd'], unreadable: [] });
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
        counted: () => ({ read: 1, hidden: [], unselected: 0, unopened: 0, shown: [1], hiddenOnly: [] }),
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

describe('the evidence of a walk', () => {
  type Memory = ReturnType<typeof memorySource>;

  /** Walks, and changes something; whether another walk would see the same. */
  async function holdsAfter(tree: MemoryTree, change: (memory: Memory) => void, asked: Asked = {}) {
    const memory = memorySource(tree);
    const { source, noted } = provable(memory);
    const evidence = new Evidence(cacheOf());
    await walked(source, { ...asked, evidence });
    change(memory);
    noted.words.length = 0;
    const start = (await openWorkspace(source)).enter('.' as never);
    const holds = evidence.isComplete && (await new Budget().run(evidence.holds(start)));
    start.leave();
    expect(noted.held).toBe(0);
    // Nothing is read to find that out.
    expect(noted.words.filter((word) => word.startsWith('read'))).toEqual([]);
    return holds;
  }

  it.each<[string, boolean, (memory: Memory) => void]>([
    ['nothing has changed', true, () => {}],
    ['an entry has come', false, (memory) => memory.set('a/b/new', '')],
    ['an entry has come to the start', false, (memory) => memory.set('new', '')],
    ['a directory has gone', false, (memory) => memory.delete('e/f')],
  ])('tells whether another would see the same: %s', async (_, expected, change) => {
    expect(await holdsAfter(TREE, change)).toBe(expected);
  });

  it('has the files that rules have looked at', async () => {
    const tree = { ...REPOSITORY, 'a/.gitignore': 'x\n', 'a/x': '', 'b/y': '' };
    expect(await holdsAfter(tree, () => {}, { rules: [GIT] })).toBe(true);
    // Writing to a file does not change its directory.
    expect(await holdsAfter(tree, (memory) => memory.set('a/.gitignore', 'y\n'), { rules: [GIT] })).toBe(false);
  });

  it('tells where links lead, if the order depends on that', async () => {
    const tree: MemoryTree = { 'a/to': { link: '../b/c' }, 'b/c/d': '', 'b/e': '' };
    const asked: Asked = { siblings: 'directories-first', path: 'a' };
    const inside = async (change: (memory: Memory) => void, siblings: WalkPlan['siblings']) => {
      const memory = memorySource(tree);
      const { source, noted } = provable(memory);
      const evidence = new Evidence(cacheOf());
      await walked(source, { ...asked, siblings, evidence });
      change(memory);
      const start = (await openWorkspace(source)).enter('a' as never);
      const holds = await new Budget().run(evidence.holds(start));
      start.leave();
      expect([evidence.isComplete, noted.held]).toEqual([true, 0]);
      return holds;
    };
    expect(await inside(() => {}, 'directories-first')).toBe(true);
    expect(await inside((memory) => memory.delete('b/c'), 'directories-first')).toBe(false);
    expect(await inside((memory) => memory.delete('b/c'), 'by-name')).toBe(true);
  });

  it.each(['open', 'lookup'])('is none where a directory could not be read: %s', async (broken) => {
    for (const wrap of [(one: Source) => one, (one: Source) => slowly(one).source]) {
      const memory = memorySource(TREE);
      const failing = odd(memory, (question, path) => {
        if (question === broken && path === 'a/b') throw codedError('EIO', 'broken');
      });
      const evidence = new Evidence(cacheOf());
      const { unreadable } = await walked(provable(wrap(failing), memory).source, { evidence });
      expect(unreadable).toHaveLength(1);
    }
  });
});
