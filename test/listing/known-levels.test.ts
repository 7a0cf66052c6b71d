/** What a walk has read is used again only while it is proved: whatever changes, the answer is that of a fresh walk. */
import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  call,
  explain,
  list,
  type MemorySource,
  memorySource,
  openWorkspace,
  tree,
  type Workspace,
} from '../../src/index.ts';
import { appendKnown, type KnownLevel, KnownLevels, type Passed } from '../../src/listing/known-levels.ts';
import { type Bytes, below, bytesOf } from '../../src/names/bytes.ts';
import type { Scope } from '../../src/rules/rule.ts';
import { Budget } from '../../src/workspace/budget.ts';
import { DirectoryCache } from '../../src/workspace/cache.ts';
import { SkippedFile, type Stamp } from '../../src/workspace/source.ts';
import { entriesOf, listed, namesIn, readAll } from '../support/entries.ts';
import { ownHome } from '../support/home.ts';
import { diceFor } from '../support/ignore-trees.ts';
import { interceptBy, oddCalls } from '../support/odd-calls.ts';
import { at, enterAt } from '../support/paths.ts';
import { rounds } from '../support/rounds.ts';
import { settle, unsettle } from '../support/settled.ts';
import { makeTree } from '../support/tree.ts';

afterEach(unsettle);

ownHome();

/** Everything that walks, in several orders, by several rules. */
async function answers(workspace: Workspace, root: string, cache: boolean): Promise<unknown[]> {
  const options = { cache };
  const everything = { depth: Number.POSITIVE_INFINITY };
  const map = await tree({}, workspace, options);
  const recursive = await call('mycode', { path: root, recursive: true, depth: 9 }, workspace, options);
  return [
    await list(everything, workspace, options),
    await list({ ...everything, gitIgnore: true, order: 'type' }, workspace, options),
    // The directory may be gone by now.
    await list({ ...everything, path: 'd', pattern: '*.txt', reverse: true }, workspace, options).catch(String),
    map.text,
    recursive.success,
    await call('codex', { dir_path: root, depth: 5, offset: 2, limit: 3 }, workspace, options),
    await call('codex', { dir_path: root, depth: 5 }, workspace, options),
    await explain(['d/sub/a.log'], workspace),
  ];
}

async function expectFresh(workspace: Workspace, root: string): Promise<void> {
  const warm = await answers(workspace, root, true);
  expect(warm).toEqual(await answers(workspace, root, false));
}

/** How often the system was asked for the entries of a directory meanwhile. */
async function readingsDuring(run: () => Promise<unknown>): Promise<number> {
  let readings = 0;
  const before = interceptBy((callName) => {
    if (callName === 'getdents64') readings++;
    return null;
  });
  try {
    await run();
    return readings;
  } finally {
    interceptBy(before);
  }
}

/** The paths that the system was asked about meanwhile. */
async function askedDuring(run: () => Promise<unknown>): Promise<string[]> {
  const paths: string[] = [];
  const before = interceptBy((callName, path) => {
    if (callName === 'statx') paths.push(path);
    return null;
  });
  try {
    await run();
    return paths;
  } finally {
    interceptBy(before);
  }
}

const TREE = {
  '.gitignore': '*.log\nbuild/\n',
  'd/a.txt': '1',
  'd/b.log': '',
  'd/sub/a.log': '',
  'd/sub/deep/x.txt': '',
  'd/sub/deep/.gitignore': '!x.log\n',
  'd/link': { link: '../e' },
  'e/one.txt': '',
  'e/two/three/four.txt': '',
  'build/out.txt': '',
  // Where it leads is told by no directory that a walk without dotfiles reads.
  'd/into': { link: '../.store/part' },
  '.store/part/x': '',
  'f/g/h': '',
};

function project(): string {
  const root = makeTree(TREE);
  execFileSync('git', ['init', '-q'], { cwd: root });
  // A time that can be set again to the nanosecond.
  for (const path of ['d', 'd/sub', 'e', 'f']) fs.utimesSync(join(root, path), 1_600_000_000, 1_600_000_000);
  return root;
}

describe.runIf(oddCalls !== null)('what a walk has read', () => {
  it('is used again by every other walk, also of a part', async () => {
    const root = project();
    const workspace = await openWorkspace(root);
    settle();
    await tree({}, workspace);
    const walk = () => list({ depth: Number.POSITIVE_INFINITY, gitIgnore: true }, workspace);
    expect(await readingsDuring(walk)).toBe(0);
    expect(await readingsDuring(() => tree({ path: 'd' }, workspace))).toBe(0);
    expect(await readingsDuring(() => list({ path: 'd', depth: 3, pattern: '*.txt' }, workspace))).toBe(0);
    // `build` was pruned; it is read when somebody wants to see it.
    expect(await readingsDuring(() => list({ depth: Number.POSITIVE_INFINITY }, workspace))).toBeGreaterThan(0);
    expect(await readingsDuring(() => list({ depth: 9 }, workspace, { cache: false }))).toBeGreaterThan(10);
    workspace.close();
  });

  it('is given as it was, whatever a caller does with an answer', async () => {
    // Without links: where those lead is asked each time, and such an answer is not kept.
    const workspace = await openWorkspace(makeTree({ 'a/b': '', 'a/c/d': '', e: '' }));
    settle();
    const walk = () => list({ depth: Number.POSITIVE_INFINITY }, workspace);
    const fresh = await list({ depth: Number.POSITIVE_INFINITY }, workspace, { cache: false });
    for (let time = 0; time < 3; time++) {
      const { entries } = await walk();
      expect(entries).toEqual(fresh.entries);
      for (const entry of entries) Object.assign(entry, { name: 'changed', path: 'changed' });
      (entries as unknown[]).length = 1;
    }
    workspace.close();
  });

  it('is read again where it changed, and nowhere else', async () => {
    const root = project();
    const workspace = await openWorkspace(root);
    settle();
    const walk = () => list({ depth: Number.POSITIVE_INFINITY }, workspace);
    await walk();
    fs.writeFileSync(join(root, 'd/sub/new.txt'), '');
    // Once for its entries, once for their end.
    expect(await readingsDuring(walk)).toBe(2);
    expect((await walk()).entries.map(({ path }) => path)).toContain('d/sub/new.txt');
    workspace.close();
  });

  it('passes by the rules that hold now, where a file of rules is written anew in its place', async () => {
    const root = makeTree({
      'd/.gitignore': '*.log\n',
      'd/a.log': '',
      'd/sub/a.log': '',
      'd/sub/b.txt': '',
      'e/a.log': '',
    });
    execFileSync('git', ['init', '-q'], { cwd: root });
    const workspace = await openWorkspace(root);
    settle();
    for (const rules of ['*.log\n', '*.txt\n', '', 'sub\n', '*.log\n']) {
      fs.writeFileSync(join(root, 'd/.gitignore'), rules);
      // The first answer is kept as a whole; another question finds the directories alone.
      for (const path of ['.', 'd']) {
        await list({ path, depth: 9, gitIgnore: true }, workspace);
        const question = { path, depth: 8, gitIgnore: true };
        expect(await list(question, workspace)).toEqual(await list(question, workspace, { cache: false }));
      }
    }
    expect(await readingsDuring(() => list({ depth: 7, gitIgnore: true }, workspace))).toBe(0);
    workspace.close();
  });

  it('is asked about once, and given again where nothing has changed', async () => {
    const names = Array.from({ length: 40 }, (_, i) => `p${i}`);
    const root = makeTree(Object.fromEntries(names.map((name) => [`${name}/src/deep/a.txt`, ''])));
    const workspace = await openWorkspace(root);
    settle();
    const walk = () => list({ depth: Number.POSITIVE_INFINITY }, workspace);
    await walk();
    fs.writeFileSync(join(root, 'p20/src/new.txt'), '');
    const paths = await askedDuring(walk);
    expect(paths.filter((path) => path.startsWith('p1/'))).toEqual(['p1/src', 'p1/src/deep']);
    expect(await walk()).toEqual(await list({ depth: 9 }, workspace, { cache: false }));
    workspace.close();
  });

  it('is not asked about behind a link that was put in the place of a directory', async () => {
    const root = project();
    const workspace = await openWorkspace(root);
    settle();
    const walk = () => list({ depth: Number.POSITIVE_INFINITY, gitIgnore: true }, workspace);
    await walk();
    fs.renameSync(join(root, 'd'), `${root}-outside`);
    fs.symlinkSync(`${root}-outside`, join(root, 'd'));
    expect((await askedDuring(walk)).filter((path) => path.startsWith('d/'))).toEqual([]);
    workspace.close();
    fs.rmSync(`${root}-outside`, { recursive: true });
  });

  it('comes with the notes that were told of it', async () => {
    const root = makeTree({ 'big/.gitignore': '#'.repeat(1024 * 1024 + 1), 'big/a': '', 'small/b': '' });
    execFileSync('git', ['init', '-q'], { cwd: root });
    const workspace = await openWorkspace(root);
    settle();
    const walk = (cache: boolean) => list({ depth: Number.POSITIVE_INFINITY, gitIgnore: true }, workspace, { cache });
    expect((await walk(true)).notes).toHaveLength(1);
    fs.writeFileSync(join(root, 'small/c'), '');
    expect(await walk(true)).toEqual(await walk(false));
    workspace.close();
  });

  it('has names of any length, as a revision can', async () => {
    const root = makeTree({});
    const names = [1, 255, 256, 300, 65_535].map((length) => `d${length}/${'x'.repeat(length)}`);
    const files = names.map((name) => `M 100644 inline ${name}\ndata 0\n\n`);
    const commit = `commit refs/heads/main\ncommitter a <a@b> 1700000000 +0000\ndata 1\nx\n${files.join('')}`;
    execFileSync('git', ['init', '-q', '-b', 'main'], { cwd: root });
    execFileSync('git', ['fast-import', '--quiet'], { cwd: root, input: commit });
    const workspace = await openWorkspace(`git:${root}@main`);
    for (const depth of [8, 9]) {
      const listing = await list({ depth }, workspace);
      expect(listing.entries.filter(({ type }) => type === 'file').map(({ path }) => path)).toEqual([...names].sort());
    }
    workspace.close();
  });

  it('is not kept while it could change within the same tick of the clock', async () => {
    // However busy the machine is, no time passes.
    vi.spyOn(Date, 'now').mockReturnValue(Date.now());
    const root = project();
    const workspace = await openWorkspace(root);
    const walk = () => list({ depth: Number.POSITIVE_INFINITY }, workspace);
    await walk();
    expect(await readingsDuring(walk)).toBeGreaterThan(10);
    workspace.close();
  });
});

/** One change of the tree, of any kind. */
const CHANGES: Record<string, (root: string, pick: (count: number) => number) => void> = {
  add: (root, pick) => fs.writeFileSync(join(root, directory(root, pick), `new-${pick(1000)}.txt`), ''),
  'add a directory': (root, pick) => fs.mkdirSync(join(root, directory(root, pick), `dir-${pick(1000)}`)),
  remove: (root, pick) => fs.rmSync(join(root, entry(root, pick)), { recursive: true, force: true }),
  'rename over': (root, pick) =>
    attempt(() => fs.renameSync(join(root, entry(root, pick)), join(root, entry(root, pick)))),
  'replace a directory by another': (root, pick) => {
    const path = join(root, directory(root, pick));
    if (path === join(root, '')) return;
    attempt(() => {
      fs.mkdirSync(`${path}-new`);
      fs.writeFileSync(join(`${path}-new`, 'other.txt'), '');
      fs.renameSync(path, `${path}-old`);
      fs.renameSync(`${path}-new`, path);
    });
  },
  'swap two': (root, pick) => {
    const [one, other] = [join(root, directory(root, pick)), join(root, directory(root, pick))];
    attempt(() => {
      fs.renameSync(one, `${root}-swap`);
      fs.renameSync(other, one);
      fs.renameSync(`${root}-swap`, other);
    });
    if (fs.existsSync(`${root}-swap`)) fs.renameSync(`${root}-swap`, one);
  },
  'replace a directory by a link': (root, pick) => {
    const path = join(root, directory(root, pick));
    if (path === join(root, '')) return;
    attempt(() => {
      fs.renameSync(path, `${path}-moved`);
      fs.symlinkSync(`${path}-moved`, path);
    });
  },
  'add, and set the time back': (root, pick) => {
    const path = join(root, directory(root, pick));
    const { mtimeMs } = fs.statSync(path);
    fs.writeFileSync(join(path, `late-${pick(1000)}.txt`), '');
    fs.utimesSync(path, mtimeMs / 1000, mtimeMs / 1000);
  },
  'another kind of thing behind a link': (root) => {
    const path = join(root, '.store/part');
    const isDirectory = fs.statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
    fs.rmSync(path, { recursive: true, force: true });
    attempt(() => (isDirectory ? fs.writeFileSync(path, '') : fs.mkdirSync(path)));
  },
  'touch times back': (root, pick) => attempt(() => fs.utimesSync(join(root, entry(root, pick)), 1, 1)),
  'an ignore file': (root, pick) =>
    fs.writeFileSync(
      join(root, directory(root, pick), '.gitignore'),
      ['*.txt\n', '!*.log\n', 'sub\n', ''][pick(4)] as string,
    ),
  'remove an ignore file': (root, pick) => fs.rmSync(join(root, directory(root, pick), '.gitignore'), { force: true }),
  'retarget a link': (root, pick) => {
    fs.rmSync(join(root, 'd/link'), { force: true, recursive: true });
    attempt(() =>
      fs.symlinkSync(['../e', '../f', 'nowhere', '../../outside'][pick(4)] as string, join(root, 'd/link')),
    );
  },
  'change a mode': (root, pick) =>
    attempt(() => fs.chmodSync(join(root, entry(root, pick)), [0o755, 0o700][pick(2)] as number)),
  checkout: (root) =>
    attempt(() => {
      const git = (...words: string[]) =>
        execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...words], { cwd: root, stdio: 'pipe' });
      git('add', '-A', '.');
      git('commit', '-qm', 'x', '--allow-empty');
      git('stash', '-q');
      git('checkout', '-q', 'HEAD~1');
    }),
};

function attempt(change: () => void): void {
  try {
    change();
  } catch {
    // What cannot be done here is not a change.
  }
}

function entry(root: string, pick: (count: number) => number): string {
  const all = fs.readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((path) => !path.startsWith('.git/'));
  return all.filter((path) => path !== '.git')[pick(all.length - 1)] ?? 'd';
}

function directory(root: string, pick: (count: number) => number): string {
  const all = ['', ...fs.readdirSync(root, { recursive: true, encoding: 'utf8' })].filter(
    (path) => !/^\.git(?:$|\/)/.test(path) && fs.lstatSync(join(root, path)).isDirectory(),
  );
  return all[pick(all.length)] ?? '';
}

const ROUNDS = rounds(25);

it(`is never wrong, whatever changes between two calls: ${ROUNDS} rounds`, async () => {
  const kinds = Object.keys(CHANGES);
  const dice = diceFor(Number(process.env.KNOWN_SEED ?? 17));
  const pick = (count: number) => dice.below(Math.max(count, 1));
  let [root, workspace] = [project(), null as Workspace | null];
  for (let round = 0; round < ROUNDS; round++) {
    if (round % 20 === 0) {
      workspace?.close();
      root = project();
      workspace = await openWorkspace(root);
    }
    settle();
    await expectFresh(workspace as Workspace, root);
    const changes = Array.from({ length: 1 + pick(3) }, () => kinds[pick(kinds.length)] as string);
    for (const kind of changes) CHANGES[kind]?.(root, pick);
    // Now and then the change is looked at before the clock has ticked on, or the clock is set back.
    const clock = pick(8);
    if (clock < 2) unsettle();
    else if (clock < 4) vi.mocked(Date.now).mockReturnValue(Math.floor(performance.timeOrigin) - 3_600_000);
    await expectFresh(workspace as Workspace, root).catch((error) => {
      throw new Error(`round ${round}, after ${changes.join(', ')}: ${(error as Error).message}`);
    });
    unsettle();
  }
  workspace?.close();
});

describe('a level that is kept', () => {
  const CLOCK = { now: () => 0, timeOfDay: () => 10_000 };
  const HERE = '' as Bytes;
  const b = (name: string) => name as Bytes;

  /** A tree in memory, which also tells the stamps of what is below, as a disk does; and what is known below `path`. */
  async function knownIn(source: MemorySource, path = '', cache = new DirectoryCache(CLOCK)) {
    const workspace = await openWorkspace(source);
    const start = enterAt(workspace, at(path));
    vi.spyOn(start, 'stampAt').mockImplementation((inner) => {
      if (inner === '') throw new Error('not below it');
      return enterAt(workspace, below(start.path, inner)).stamp();
    });
    return { workspace, start, cache, levels: new KnownLevels(cache, start) };
  }

  /** Reads the directory at a path from the start, behind what a walk has read before, and keeps it. */
  function readAt({ workspace, start, levels }: Awaited<ReturnType<typeof knownIn>>, path: string): KnownLevel | null {
    const directory = enterAt(workspace, path === '' ? start.path : below(start.path, b(path)));
    const before = levels.before(directory);
    const entries = entriesOf([b('above'), b('beside')], 'dir');
    for (const [name, type] of listed(readAll(directory.open(), Budget.unlimited()))) entries.add(name, type);
    return levels.keep(b(path), entries, 2, before, directory);
  }

  function restored(level: Parameters<typeof appendKnown>[0]): [Bytes, string][] {
    const entries = entriesOf([b('first')]);
    appendKnown(level, entries);
    entries.add(b('last'), 'other');
    return listed(entries);
  }

  const TREE = { 'd/a': '', 'd/sub/x': '', 'd/l': { link: 'a' }, 'd/é': { type: 'other' }, 'e/y': '' } as const;

  it('has the names and types that were read, and is told from what was not', async () => {
    const known = await knownIn(memorySource(TREE), 'd');
    const level = readAt(known, '') as KnownLevel;
    expect(restored(level)).toEqual([
      ['first', 'file'],
      ['a', 'file'],
      ['sub', 'dir'],
      ['l', 'link'],
      [bytesOf('é'), 'other'],
      ['last', 'other'],
    ]);
    expect([level.passed, level.stamp]).toEqual([null, known.start.stamp()]);
    expect([known.levels.at(HERE), known.levels.at(b('sub'))]).toEqual([level, null]);
    const sub = readAt(known, 'sub');
    expect(sub).not.toBeNull();
    expect(known.levels.at(b('sub'))).toBe(sub);
    expect(known.levels.at(HERE)).toBe(level);
  });

  it('counts what was read, and what did not have to be', async () => {
    const { levels, ...known } = await knownIn(memorySource(TREE), 'd');
    expect([levels.read, levels.used]).toEqual([0, 0]);
    levels.at(HERE);
    expect([levels.read, levels.used]).toEqual([0, 0]);
    readAt({ levels, ...known }, '');
    readAt({ levels, ...known }, 'sub');
    expect([levels.read, levels.used]).toEqual([2, 0]);
    levels.at(HERE);
    levels.at(b('sub'));
    levels.at(HERE);
    expect([levels.read, levels.used]).toEqual([2, 3]);
  });

  it('is found from any start below the same root, and from no other root', async () => {
    const source = memorySource(TREE, { root: '/one' });
    const known = await knownIn(source);
    const level = readAt(known, 'd/sub');
    const inner = await knownIn(source, 'd', known.cache);
    const other = await knownIn(memorySource(TREE, { root: '/two' }), 'd', known.cache);
    expect(inner.levels.at(b('sub'))).toBe(level);
    expect(other.levels.at(b('sub'))).toBeNull();
    // Who asks for another tree makes nothing of this one forgotten.
    expect(inner.levels.at(b('sub'))).toBe(level);
  });

  it('is forgotten when its directory changes', async () => {
    const source = memorySource(TREE);
    const known = await knownIn(source, 'd');
    readAt(known, '');
    const sub = readAt(known, 'sub');
    source.set('d/new', '');
    expect([known.levels.at(HERE), known.levels.at(b('sub'))]).toEqual([null, sub]);
    source.delete('d/sub/x');
    expect([known.levels.at(b('sub')), known.cache.size]).toEqual([null, 0]);
  });

  it('is not kept where a change could not be noticed, and counts as read', async () => {
    const source = memorySource(TREE);
    const { levels, start, cache } = await knownIn(source, 'd');
    const entries = entriesOf([b('a')]);
    expect(levels.keep(HERE, entries, 0, null, start)).toBeNull();
    const before = levels.before(start);
    expect(before).toEqual(start.stamp());
    source.set('d/new', '');
    expect(levels.keep(HERE, entries, 0, before, start)).toBeNull();
    vi.spyOn(start, 'stamp').mockReturnValue(null);
    expect(levels.before(start)).toBeNull();
    vi.mocked(start.stamp).mockReturnValue({ ...(before as Stamp), mtimeNs: 10_000_000_000n });
    expect(levels.before(start)).toBeNull();
    expect([levels.read, cache.size, levels.at(HERE)]).toEqual([2, 0, null]);
  });

  it('has names of up to 65,535 bytes, whatever was in the buffer before', async () => {
    const { levels, start, cache } = await knownIn(memorySource(TREE));
    const longest = b('n'.repeat(65_535));
    const entries = entriesOf([b('a'), longest, b(`${longest}n`)]);
    expect(levels.keep(HERE, entries, 0, start.stamp(), start)).toBeNull();
    expect(cache.size).toBe(0);
    entries.truncate(2, entries.used);
    const level = levels.keep(HERE, entries, 0, start.stamp(), start) as KnownLevel;
    expect(restored(level).map(([name]) => name)).toEqual(['first', 'a', longest, 'last']);
  });

  it('has at most 32,768 entries', async () => {
    const { levels, start } = await knownIn(memorySource(TREE));
    const entries = entriesOf(Array.from({ length: 2 ** 15 + 1 }, (_, i) => b(String(i))));
    expect(levels.keep(HERE, entries, 0, start.stamp(), start)).toBeNull();
    expect(levels.keep(HERE, entries, 1, start.stamp(), start)?.details).toHaveLength(2 ** 16);
  });

  it('adds nothing where the directory is empty', async () => {
    const known = await knownIn(memorySource({ 'empty/': null }));
    const level = readAt(known, 'empty') as KnownLevel;
    const entries = entriesOf([b('first')]);
    const { used } = entries;
    appendKnown(level, entries);
    expect([namesIn(entries), entries.used]).toEqual([['first'], used]);
  });

  it('takes room by the bytes of its names, and of what passed where that is not all', async () => {
    const source = memorySource({ 'd/a': '', 'e/a': '', 'e/bcd': '', 'e/f': '' });
    const { cache, levels, ...known } = await knownIn(source);
    readAt({ cache, levels, ...known }, 'd');
    const one = cache.size;
    const level = readAt({ cache, levels, ...known }, 'e') as KnownLevel;
    // For each entry its name, a byte behind it, and what is known of it.
    const room = (...names: string[]) => names.reduce((bytes, name) => bytes + name.length + 5, 0);
    expect(one).toBeGreaterThan(600 + room('a'));
    expect(cache.size).toBe(2 * one + room('bcd', 'f'));
    const all = cache.size;
    const hidden = [['dotfile', 1]] as unknown as Passed['hidden'];
    const pass = (...names: string[]) => {
      const entries = entriesOf([b('above'), ...names.map(b)]);
      levels.keepPassed(b('e'), level, `rules of ${names}`, entries, 1, hidden);
      expect(level.passed).toMatchObject({ rules: `rules of ${names}`, hidden });
      expect(restored(level.passed as Passed).map(([name]) => name)).toEqual(['first', ...names, 'last']);
      return cache.size - all;
    };
    expect(pass('a', 'bcd', 'f')).toBe(0);
    expect(pass('a', 'f')).toBe(room('a', 'f'));
    expect(pass('bcd')).toBe(room('bcd'));
    expect(pass('a', 'bcd', 'f')).toBe(0);
    expect(pass('a', 'bcd')).toBe(room('a', 'bcd'));
    expect(levels.at(b('e'))).toBe(level);
  });

  it('is looked at by rules as if it were held', async () => {
    const source = memorySource(
      { 'd/.gitignore': '1', 'd/sub/.gitignore': '22', 'e/.gitignore': '333' },
      { root: '/r' },
    );
    const { levels, start } = await knownIn(source, 'd');
    const rules = b('.gitignore');
    for (const [path, inRoot, content] of [
      ['', 'd', '1'],
      ['sub', 'd/sub', '22'],
    ] as const) {
      const place = levels.placeOf(b(path));
      expect([place.path, place.rootRealPath, place.outside]).toEqual([inRoot, '/r', start.outside]);
      expect([place.readFile(rules), place.readFile(b('none'))]).toEqual([content, null]);
      expect(place.fileAt(at('e/.gitignore'))).toBe('333');
      expect(place.fileAt(at('e/.gitignore'), 2)).toEqual(SkippedFile.largerThan(2));
      expect([place.entryAt(at('e'))?.type, place.entryAt(at('none'))]).toEqual(['dir', null]);
    }
  });

  it('tells rules by what they are, and by where the walk begins', async () => {
    const source = memorySource(TREE);
    const scope = (key: string) => ({ key: () => key }) as Scope;
    const [d, e] = [(await knownIn(source, 'd')).levels, (await knownIn(source, 'e')).levels];
    expect(d.rulesOf(scope('one'))).toBe((await knownIn(source, 'd')).levels.rulesOf(scope('one')));
    expect(new Set([d.rulesOf(scope('one')), d.rulesOf(scope('two')), e.rulesOf(scope('one'))]).size).toBe(3);
  });
});
