import { execFileSync } from 'node:child_process';
import { lutimesSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { mycode } from '../../src/dialects/mycode.ts';
import { DiskSource, openWorkspace } from '../../src/disk/disk-source.ts';
import { listDirectory } from '../../src/listing/list.ts';
import type { Order } from '../../src/listing/orders.ts';
import { type CallOptions, type Entry, type Listing, PLAIN, type Query } from '../../src/listing/query.ts';
import { type Bytes, below } from '../../src/names/bytes.ts';
import { inJson, unquoted } from '../../src/names/quote.ts';
import { Budget } from '../../src/workspace/budget.ts';
import { Visit } from '../../src/workspace/visit.ts';
import { Workspace } from '../../src/workspace/workspace.ts';
import { descriptors, PINS } from '../support/descriptors.ts';
import { endingAfter } from '../support/ending.ts';
import { asNobody } from '../support/nobody.ts';
import { rounds } from '../support/rounds.ts';
import { addTree, emptyDirectory, makeChain, makeTree, type TreeLiteral } from '../support/tree.ts';
import { skipOnWindows } from '../support/windows.ts';

const EVERYTHING = { offset: 0, limit: Number.POSITIVE_INFINITY };
const ALL_LEVELS = Number.POSITIVE_INFINITY;
const ORDERS: readonly Order[] = ['folded', 'name', 'size', 'modified', 'type', 'path'];

async function listing(root: string, query: Partial<Query> = {}, options: CallOptions = {}): Promise<Listing> {
  return listingIn(await openWorkspace(root), query, options);
}

/** Closes the workspace. */
async function listingIn(workspace: Workspace, query: Partial<Query>, options: CallOptions = {}): Promise<Listing> {
  const complete = { ...PLAIN, path: '.', rules: [], depth: ALL_LEVELS, page: EVERYTHING, ...query };
  try {
    return await listDirectory(complete, workspace, { cache: false, ...options });
  } finally {
    workspace.close();
  }
}

const pathOf = ({ parent, name }: Entry): Bytes => below(parent, name);
const pathsOf = ({ entries }: Listing): Bytes[] => entries.map(pathOf);
const described = ({ entries }: Listing) => entries.map((entry) => `${entry.type} ${pathOf(entry)}`);

/** Runs `before` each time a walk is about to do `what` with the directory at `path`. */
async function interrupted<T>(
  what: 'open' | 'descend',
  path: string,
  before: () => void,
  ask: () => Promise<T>,
): Promise<T> {
  const original = Visit.prototype[what] as (this: Visit, argument: never) => never;
  const spy = vi.spyOn(Visit.prototype, what).mockImplementation(function (this: Visit, argument: unknown) {
    const about = what === 'descend' ? below(this.path, argument as Bytes) : this.path;
    if (about === path) before();
    return original.call(this, argument as never);
  });
  try {
    return await ask();
  } finally {
    expect(spy).toHaveBeenCalled();
    spy.mockRestore();
  }
}

// ── random trees ────────────────────────────────────────────────────────────────────────────────────────────────────

type Node = number | { readonly link: string } | { readonly [name: string]: Node };

const NAMES = [
  'a',
  'A',
  'b',
  'foo',
  'Foo',
  'foo-bar',
  'foo.ts',
  'a b',
  '.h',
  'é',
  'É',
  '日本',
  '😀',
  'x\ny',
  '"q',
  '~',
];

/** A directory: files by size, links, directories. */
const directories = fc.letrec<{ node: Node; directory: Node }>((tie) => ({
  node: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom(0, 1, 2, 3, 700),
    fc.constantFrom('.', '..', 'a', '/', 'nothing').map((link) => ({ link })),
    tie('directory'),
    tie('directory'),
  ),
  directory: fc.dictionary(fc.constantFrom(...NAMES), tie('node'), { maxKeys: 6, noNullPrototype: true }),
})).directory;

function literalOf(node: Node, path = ''): TreeLiteral {
  if (typeof node === 'number') return { [path]: 'x'.repeat(node) };
  if ('link' in node && typeof node.link === 'string') return { [path]: { link: node.link } };
  const inner = Object.entries(node).map(([name, child]) => literalOf(child, path === '' ? name : `${path}/${name}`));
  return Object.assign(path === '' ? {} : { [path]: null }, ...inner);
}

/** Checks a property of random trees, each made on disk with a different time for each entry. */
async function ofTrees(holds: (root: string, tree: TreeLiteral) => Promise<void>, numRuns: number): Promise<void> {
  const home = emptyDirectory();
  await fc.assert(
    fc.asyncProperty(directories, async (directory) => {
      const root = join(home, 'root');
      const tree = literalOf(directory);
      mkdirSync(root);
      try {
        addTree(root, tree);
        // Deepest first, in no order of names.
        for (const [i, path] of Object.keys(tree).reverse().entries()) {
          const time = 1000 + ((i * 7919) % 10_007);
          lutimesSync(join(root, path), time, time);
        }
        await holds(root, tree);
      } finally {
        rmSync(root, { recursive: true });
      }
    }),
    { numRuns: rounds(numRuns) },
  );
}

describe('a walk through any tree', () => {
  it('finds what is there, of its type, and counts it', async () => {
    await ofTrees(async (root, tree) => {
      const expected = Object.entries(tree)
        .map(([path, made]) => `${made === null ? 'dir' : typeof made === 'string' ? 'file' : 'link'} ${path}`)
        .map((line) => Buffer.from(line).toString('latin1'))
        .sort();
      for (const order of ORDERS) {
        const result = await listing(root, { order });
        expect(described(result).sort()).toEqual(expected);
        const { file, dir, link, other } = result.totals;
        expect([file + dir + link, other]).toEqual([expected.length, 0]);
        expect(dir).toBe(expected.filter((line) => line.startsWith('dir ')).length);
        expect(link).toBe(expected.filter((line) => line.startsWith('link ')).length);
        expect([result.unreadable, result.stopped]).toEqual([[], null]);
      }
    }, 30);
  });

  it('N levels deep is each directory straight before its own listing, N levels in all', async () => {
    await ofTrees(async (root) => {
      for (const [order, reverse] of [
        ['name', false],
        ['name', true],
        ['folded', false],
      ] as const) {
        const joined = async (path: Bytes, levels: number): Promise<string[]> => {
          const flat = await listing(root, { path: inJson(path) || '.', depth: 1, order, reverse });
          const lines: string[] = [];
          for (const { name, type } of flat.entries) {
            lines.push(`${type} ${below(path, name)}`);
            if (type === 'dir' && levels > 1) lines.push(...(await joined(below(path, name), levels - 1)));
          }
          return lines;
        };
        for (const depth of [1, 2, 3, 10]) {
          expect(described(await listing(root, { depth, order, reverse }))).toEqual(await joined('' as Bytes, depth));
        }
      }
    }, 15);
  });

  it('says the same in a tree as in the entries', async () => {
    await ofTrees(async (root) => {
      const workspace = await openWorkspace(root);
      const { answer, text } = await mycode.call({ recursive: true, all: true, depth: 10 }, workspace, {});
      workspace.close();
      const lines = text.split('\n');
      if (answer.entries.length === 0) return expect(lines).toEqual(['./ is empty.']);
      const above: string[] = [];
      const read = lines.slice(1).map((line) => {
        const [, trunk = '', label = ''] = /^((?:│ {3}| {4})*)[├└]── (.*)$/.exec(line) ?? [];
        const depth = trunk.length / 4;
        const [, shown = '', directory, , target] = /^("(?:[^"\\]|\\.)*"|.*?)(\/)?( -> (.*))?$/.exec(label) ?? [];
        above.length = depth;
        above.push(shown.startsWith('"') ? inJson(unquoted(shown) as Bytes) : shown);
        const name = above.at(-1);
        const type = directory === '/' ? 'directory' : target === undefined ? 'file' : 'symlink';
        return target === undefined ? { depth, name, type } : { depth, name, type, target };
      });
      expect(lines[0]).toBe('./');
      expect(read).toEqual(
        answer.entries.map(({ name, path, type, target }) => {
          const bytes = path.startsWith('"') ? (unquoted(path) as Bytes) : path;
          const depth = bytes.split('/').length - 1;
          return target === undefined ? { depth, name, type } : { depth, name, type, target };
        }),
      );
    }, 60);
  });

  it('draws a straight tree: a branch goes on exactly as long as there are siblings', async () => {
    await ofTrees(async (root) => {
      const workspace = await openWorkspace(root);
      const { text } = await mycode.call({ recursive: true, all: true, depth: 10 }, workspace, {});
      workspace.close();
      const rows = text.split('\n').slice(1);
      for (const [i, row] of rows.entries()) {
        const goesOnIn = (next: string, at: number) => /[│├└]/.test(next[at] ?? '');
        for (let at = 0; /[│ ]/.test(row[at] ?? ''); at += 4) {
          expect(goesOnIn(rows[i + 1] ?? '', at), row).toBe(row[at] === '│');
        }
        const branch = row.search(/[├└]/);
        expect(goesOnIn(rows[i + 1] ?? '', branch), row).toBe(row[branch] === '├');
      }
    }, 30);
  });

  it('in reverse is the other way round, and twice in reverse is as before', async () => {
    await ofTrees(async (root) => {
      for (const order of ['size', 'modified', 'type'] as const) {
        const forwards = pathsOf(await listing(root, { order }));
        expect(pathsOf(await listing(root, { order, reverse: true })).reverse()).toEqual(forwards);
      }
      const turned = turnedAround(pathsOf(await listing(root, { order: 'name', reverse: true })));
      expect(turned).toEqual(pathsOf(await listing(root, { order: 'name' })));
    }, 30);
  });

  it('in the order by time has the newest first, by size the largest, by type what ranks first', async () => {
    const ranks = { dir: 0, file: 1, link: 2, other: 3 };
    await ofTrees(async (root) => {
      const keys = async (order: Order, key: (entry: Entry) => number) =>
        (await listing(root, { order, metadata: 'all' })).entries.map(key);
      const times = await keys('modified', ({ metadata }) => -(metadata?.modified ?? 0));
      const sizes = await keys('size', ({ type, metadata }) => (type === 'file' ? -(metadata?.size ?? 0) : 0));
      const types = await keys('type', ({ type }) => ranks[type]);
      for (const found of [times, sizes, types]) expect(found).toEqual(found.toSorted((a, b) => a - b));
    }, 20);
  });

  it('on any page is a part of the whole, and its counts are those of the whole', async () => {
    await ofTrees(async (root) => {
      for (const order of ORDERS) {
        const whole = await listing(root, { order, metadata: 'all' });
        for (const page of [
          { offset: 0, limit: 1 },
          { offset: 0, limit: 3 },
          { offset: 2, limit: 4 },
          { offset: 5, limit: 100 },
        ]) {
          const part = await listing(root, { order, metadata: 'all', page });
          expect(described(part)).toEqual(described(whole).slice(page.offset, page.offset + page.limit));
          expect([part.totals, part.size]).toEqual([whole.totals, whole.size]);
        }
      }
    }, 15);
  });

  it('leaves no descriptor open', async () => {
    await ofTrees(async (root) => {
      const before = descriptors();
      for (const order of ORDERS) await listing(root, { order, metadata: 'all' });
      expect(descriptors()).toBe(before);
    }, 10);
  });
});

/** Siblings the other way round, each still straight before what it contains. */
function turnedAround(paths: readonly Bytes[], parent = ''): Bytes[] {
  const siblings = paths.filter((path) => path.slice(0, Math.max(path.lastIndexOf('/'), 0)) === parent);
  return siblings.reverse().flatMap((path) => [path, ...turnedAround(paths, path)]);
}

// ── what is hard about walking ──────────────────────────────────────────────────────────────────────────────────────

describe.runIf(process.platform === 'linux')('a chain of 4,000 directories', () => {
  it('is walked to its end and back, with few descriptors, beyond the longest path that the system takes', async () => {
    const levels = 4000;
    const root = makeTree({});
    // What stands behind the next directory is asked for on the way back.
    makeChain(root, levels, (directory) => writeFileSync(join(directory, 'z'), 'xyz'));
    const before = descriptors();
    let most = 0;
    const original = Visit.prototype.metadata;
    const metadata = vi.spyOn(Visit.prototype, 'metadata').mockImplementation(function (this: Visit, name) {
      if (this.path.length % 200 === 1) most = Math.max(most, descriptors());
      return original.call(this, name);
    });
    const byName = await listing(root, { order: 'name', metadata: 'all' });
    const bySize = await listing(root, { order: 'size', page: { offset: 0, limit: levels + 1 } });
    metadata.mockRestore();
    for (const { totals, unreadable, stopped } of [byName, bySize]) {
      expect([totals, unreadable, stopped]).toEqual([{ dir: levels, file: levels, link: 0, other: 0 }, [], null]);
    }
    expect(byName.size).toBe(3 * levels);
    const paths = pathsOf(byName);
    expect(paths.slice(0, levels)).toEqual(Array.from({ length: levels }, (_, i) => 'd/'.repeat(i + 1).slice(0, -1)));
    expect(paths.slice(levels)).toEqual(Array.from({ length: levels }, (_, i) => `${'d/'.repeat(levels - i)}z`));
    expect(bySize.entries.filter(({ type }) => type === 'file')).toHaveLength(levels);
    // Enough for a process that may have 256 open, as is usual on some systems.
    expect(most).toBeGreaterThan(before);
    expect(most - before).toBeLessThan(100);
    expect(descriptors()).toBe(before);
  });
});

describe('links', () => {
  it('to an ancestor, to itself or to the root are told once and never descended', async () => {
    const root = makeTree({
      'a/b/up': { link: '..' },
      'a/b/top': { link: '../..' },
      'a/b/self': { link: 'self' },
      'a/here': { link: '.' },
      'a/root': { link: '{ROOT}' },
      sideways: { link: 'a' },
    });
    for (const order of ORDERS) {
      expect(described(await listing(root, { order })).sort()).toEqual([
        'dir a',
        'dir a/b',
        'link a/b/self',
        'link a/b/top',
        'link a/b/up',
        'link a/here',
        'link a/root',
        'link sideways',
      ]);
    }
  });
});

describe('a directory that is exchanged', () => {
  const tree: TreeLiteral = { 'a/x': '', 'm/inner/y': '', 'z/w': '' };
  const rest = ['a', 'a/x', 'm', 'm/inner', 'z', 'z/w'];

  /** The workspace with something outside, and a way to exchange `m/inner`. */
  function scene(): { root: string; exchange: (how: 'link out' | 'link in' | 'file' | 'nothing') => void } {
    const root = makeTree(tree);
    addTree(join(root, '..'), { 'outside/secret': '' });
    const inner = join(root, 'm/inner');
    return {
      root,
      exchange: (how) => {
        renameSync(inner, join(root, '../taken'));
        if (how === 'link out') symlinkSync('../../outside', inner);
        if (how === 'link in') symlinkSync('../a', inner);
        if (how === 'file') writeFileSync(inner, '');
      },
    };
  }

  it.each(['link out', 'link in', 'file', 'nothing'] as const)(
    'for %s before it is descended into is not followed, and the rest is there',
    async (how) => {
      const { root, exchange } = scene();
      const before = descriptors();
      const result = await interrupted(
        'descend',
        'm/inner',
        () => exchange(how),
        () => listing(root, { order: 'name' }),
      );
      expect(pathsOf(result)).toEqual(rest);
      expect([result.unreadable, result.stopped]).toEqual([[], null]);
      expect(descriptors()).toBe(before);
    },
  );

  it('for a link once it is held is read all the same, for what is held is the directory', async () => {
    const { root, exchange } = scene();
    const result = await interrupted(
      'open',
      'm/inner',
      () => exchange('link out'),
      () => listing(root, { order: 'name' }),
    );
    expect(pathsOf(result)).toEqual(rest.toSpliced(4, 0, 'm/inner/y'));
  });

  it.each(PINS)('and removed once it is held is left out, and the rest is there: pinned %s', async (_, pin) => {
    const root = makeTree(tree);
    const before = descriptors();
    const remove = () => rmSync(join(root, 'm/inner'), { recursive: true });
    const workspace = Workspace.open(DiskSource.open(root, pin));
    const result = await interrupted('open', 'm/inner', remove, () => listingIn(workspace, { order: 'name' }));
    expect(pathsOf(result)).toEqual(rest);
    expect(descriptors()).toBe(before);
  });

  it('for a link that leads out tells no metadata of what is outside', async () => {
    const root = makeTree({ 'm/f': 'inside' });
    addTree(join(root, '..'), { outside: 'much longer than what was inside' });
    const exchange = () => {
      rmSync(join(root, 'm/f'));
      symlinkSync('../../outside', join(root, 'm/f'));
    };
    const original = Visit.prototype.metadata;
    const metadata = vi.spyOn(Visit.prototype, 'metadata').mockImplementation(function (this: Visit, name) {
      if (name === 'f') exchange();
      return original.call(this, name);
    });
    const { entries } = await listing(root, { order: 'name', metadata: 'all' });
    metadata.mockRestore();
    // A link's own size is that of its text.
    expect(entries[1]?.metadata).toMatchObject({ type: 'link', size: '../../outside'.length, target: '../../outside' });
  });
});

describe('a directory that the walk has to come back to', () => {
  /** `d/d/…`, more levels than are held open, each with `z/f` beside the next. */
  const LEVELS = 70;
  const bottom = Array.from({ length: LEVELS }, () => 'd').join('/');
  const scene = () => {
    // By path, what was moved away is gone.
    skipOnWindows('directories that are held');
    const root = makeTree({ 'z/f': '' });
    makeChain(root, LEVELS, (directory) => addTree(directory, { 'z/f': '' }));
    return root;
  };
  const everything = (root: string) => listing(root, { order: 'name', metadata: 'page' });

  it('is found from above, when what the walk was in was moved away', async () => {
    const root = scene();
    const before = descriptors();
    const expected = pathsOf(await everything(root));
    const move = () => renameSync(join(root, 'd/d'), join(root, '../moved'));
    const result = await interrupted('open', bottom, move, () => everything(root));
    expect([pathsOf(result), result.unreadable]).toEqual([expected, []]);
    expect(descriptors()).toBe(before);
  });

  it('is reported, when there is no way back to it', async () => {
    const root = scene();
    const before = descriptors();
    const expected = pathsOf(await everything(root));
    const replace = () => {
      renameSync(join(root, 'd/d'), join(root, '../moved'));
      renameSync(join(root, 'd'), join(root, '../gone'));
      addTree(root, { 'd/z/other': '' });
    };
    const result = await interrupted('open', bottom, replace, () => everything(root));
    expect(pathsOf(result)).toEqual(expected.filter((path) => path !== 'd/z/f'));
    expect(result.unreadable).toEqual([{ path: 'd/z', reason: 'the directory above it was moved away' }]);
    expect(descriptors()).toBe(before);
  });

  it('is found from above, when the system has something against going up', async () => {
    const root = scene();
    const fail = vi.spyOn(Visit.prototype, 'ascend').mockImplementation(() => {
      throw Object.assign(new Error('ESTALE'), { code: 'ESTALE' });
    });
    const refuse = () => rmSync(join(root, 'd/z'), { recursive: true });
    const result = await interrupted('open', bottom, refuse, () => everything(root));
    fail.mockRestore();
    // The way from above is still there; only what was removed is not.
    expect(result.unreadable).toEqual([]);
    expect(pathsOf(result)).toContain('z/f');
  });
});

describe('what cannot be read', () => {
  it('is noted and passed over, at any depth and in any order', async () => {
    const root = makeTree({ 'a/locked/x': '', 'a/y': '', 'b/c/shut/x': '', 'b/z': '', 'closed/x': '' });
    const locked = ['a/locked', 'b/c/shut', 'closed'];
    for (const order of ORDERS) {
      const before = descriptors();
      const result = await asNobody(root, locked, () => listing(root, { order }));
      const unreadable = result.unreadable.toSorted((a, b) => (a.path < b.path ? -1 : 1));
      expect(unreadable).toEqual(locked.map((path) => ({ path, reason: 'permission denied' })));
      expect(pathsOf(result).sort()).toEqual(['a', 'a/locked', 'a/y', 'b', 'b/c', 'b/c/shut', 'b/z', 'closed']);
      expect(result.totals).toEqual({ dir: 6, file: 2, link: 0, other: 0 });
      expect(descriptors()).toBe(before);
    }
  });

  it.each([
    ['ENOTCONN', [{ path: 'bad', reason: 'system error (ENOTCONN)' }]],
    ['EIO', [{ path: 'bad', reason: 'input/output error (EIO)' }]],
    ['ESRCH', []],
  ])('is passed over when the system says %s of it', async (code, unreadable) => {
    const root = makeTree({ 'bad/x': '', 'good/y': '' });
    const fail = () => {
      throw Object.assign(new Error(code), { code });
    };
    const result = await interrupted('open', 'bad', fail, () => listing(root, { order: 'name' }));
    expect([pathsOf(result), result.unreadable]).toEqual([['bad', 'good', 'good/y'], unreadable]);
  });

  it.each(['EMFILE', 'ENOMEM'])('is not to blame for %s', async (code) => {
    const root = makeTree({ 'bad/x': '' });
    const fail = () => {
      throw Object.assign(new Error(code), { code });
    };
    const result = interrupted('open', 'bad', fail, () => listing(root, { order: 'name' }));
    await expect(result).rejects.toMatchObject({ kind: 'failed' });
  });

  it('may also be a directory that can be entered but not read, or read but not entered', async () => {
    const root = makeTree({ 'pass/x': '', 'look/y/z': '' });
    const passing = await asNobody(root, ['pass'], () => listing(root, { order: 'name' }), 0o711);
    expect([pathsOf(passing), passing.unreadable.map(({ path }) => path)]).toEqual([
      ['look', 'look/y', 'look/y/z', 'pass'],
      ['pass'],
    ]);
    const looking = await asNobody(root, ['look'], () => listing(root, { order: 'name' }), 0o744);
    expect([pathsOf(looking), looking.unreadable.map(({ path }) => path)]).toEqual([
      ['look', 'look/y', 'pass', 'pass/x'],
      ['look/y'],
    ]);
  });
});

describe('a walk that is ended on the way', () => {
  const root = () => makeTree({ 'a/b/c': '', 'a/d': '', 'e/f/g': '', h: '', 'i/j': '' });

  it('gives what was gathered so far: the beginning of the whole, wherever it ended', async () => {
    const tree = root();
    const whole = pathsOf(await listing(tree, { order: 'name' }));
    const over = vi.spyOn(Budget.prototype, 'isDue', 'get').mockReturnValue(true);
    const before = descriptors();
    const lengths: number[] = [];
    for (let turns = 1; ; turns++) {
      const caller = new AbortController();
      let looks = 0;
      const original = Budget.prototype.stopReason;
      const ended = vi.spyOn(Budget.prototype, 'stopReason').mockImplementation(function (this: Budget) {
        if (++looks > turns) caller.abort();
        return original.call(this);
      });
      const result = await listing(tree, { order: 'name' }, { signal: caller.signal });
      ended.mockRestore();
      expect(descriptors()).toBe(before);
      expect(pathsOf(result)).toEqual(whole.slice(0, result.entries.length));
      lengths.push(result.entries.length);
      expect(result.stopped).toBe(looks > turns ? 'aborted' : null);
      if (result.stopped === null) break;
    }
    over.mockRestore();
    expect(lengths).toEqual(lengths.toSorted((a, b) => a - b));
    expect(new Set(lengths).size).toBeGreaterThan(5);
    expect(lengths.at(-1)).toBe(whole.length);
  });

  it.each(ORDERS)('counts no more than it has, in the order by %s', async (order) => {
    const over = vi.spyOn(Budget.prototype, 'isDue', 'get').mockReturnValue(true);
    let looks = 0;
    const ended = vi.spyOn(Budget.prototype, 'stopReason').mockImplementation(() => (++looks > 2 ? 'timeout' : null));
    const result = await listing(root(), { order });
    ended.mockRestore();
    over.mockRestore();
    const { dir, file, link, other } = result.totals;
    expect(result.stopped).toBe('timeout');
    expect(result.entries.length).toBeGreaterThan(0);
    expect(dir + file + link + other).toBe(result.entries.length);
  });

  it('is an error when nothing was gathered', async () => {
    const before = descriptors();
    const stopped = listing(root(), { order: 'name' }, { signal: AbortSignal.abort() });
    await expect(stopped).rejects.toMatchObject({ name: 'ListingError', kind: 'aborted' });
    expect(descriptors()).toBe(before);
  });

  it.each([
    ['that would be emitted at once', {}, 600],
    ['of which nothing is selected', { select: { pattern: 'g', types: 'all' } }, 0],
    ['of which nothing is shown', { rules: [{ kind: 'patterns', patterns: ['f*'] }] }, 0],
  ] as const)('says so when it ended amid a directory %s', async (_, query, emitted) => {
    const crowd = makeTree({});
    execFileSync('sh', ['-c', 'seq -f "$0/f%.0f" 1500 | xargs touch', crowd]);
    const result = await endingAfter(600, 'timeout', () => listing(crowd, { order: 'name', ...query }));
    expect([result.stopped, result.entries.length]).toEqual(['timeout', emitted]);
  });

  it('ends while rules take their time', async () => {
    const root = makeTree({ 'a/b': '', 'c/d': '' });
    let looks = 0;
    const ended = vi.spyOn(Budget.prototype, 'stopReason').mockImplementation(() => (++looks > 1 ? 'timeout' : null));
    const over = vi.spyOn(Budget.prototype, 'isDue', 'get').mockReturnValue(true);
    // More steps than between two looks at the clock.
    const patterns = [`${'a*'.repeat(400)}b`, ...Array.from({ length: 60_000 }, (_, i) => `${i}*`)];
    const result = await listing(root, { order: 'name', rules: [{ kind: 'patterns', patterns }] }).catch(
      ({ kind }) => ({ stopped: kind }),
    );
    over.mockRestore();
    ended.mockRestore();
    expect(result.stopped).toBe('timeout');
  });

  it('is whole when it ends only after its end', async () => {
    const over = vi.spyOn(Budget.prototype, 'isDue', 'get').mockReturnValue(true);
    let looks = 0;
    const ended = vi.spyOn(Budget.prototype, 'stopReason').mockImplementation(() => (++looks > 3 ? 'aborted' : null));
    const result = await listing(makeTree({ a: '' }), { order: 'name' });
    ended.mockRestore();
    over.mockRestore();
    expect([result.stopped, result.entries.length]).toEqual([null, 1]);
  });

  it.each(['name', 'size', 'folded'] as const)(
    'could be ended after each thousand entries of one directory, in the order by %s',
    async (order) => {
      const crowd = makeTree({});
      execFileSync('sh', ['-c', 'seq -f "$0/f%.0f" 5000 | xargs touch', crowd]);
      let asked = 0;
      let most = 0;
      const original = Visit.prototype.metadata;
      const metadata = vi.spyOn(Visit.prototype, 'metadata').mockImplementation(function (this: Visit, name) {
        most = Math.max(most, ++asked);
        return original.call(this, name);
      });
      const over = vi.spyOn(Budget.prototype, 'isDue', 'get').mockImplementation(() => {
        asked = 0;
        return false;
      });
      const result = await listing(crowd, { order, metadata: 'all' });
      over.mockRestore();
      metadata.mockRestore();
      expect(result.entries).toHaveLength(5000);
      expect(most).toBeGreaterThan(0);
      expect(most).toBeLessThanOrEqual(1024);
    },
  );
});
