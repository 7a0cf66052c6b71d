/** What a walk has read is used again only while it is proved: whatever changes, the answer is that of a fresh walk. */
import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { call, explain, list, openWorkspace, tree, type Workspace } from '../../src/index.ts';
import { ownHome } from '../support/home.ts';
import { diceFor } from '../support/ignore-trees.ts';
import { interceptBy, oddCalls } from '../support/odd-calls.ts';
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
    (await tree({ match: 'one txt', budget: 100 }, workspace, options)).text,
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

/** `KNOWN_ROUNDS=3000` for more of them. */
const ROUNDS = Number(process.env.KNOWN_ROUNDS ?? 25);

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
