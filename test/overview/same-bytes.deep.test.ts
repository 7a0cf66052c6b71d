/** The same tree with the same history gives the same bytes: many at once, under load, cloned, linked, warm and cold. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openWorkspace, parseTree, tree } from '../../src/index.ts';
import { emptyDirectory } from '../support/tree.ts';

/** This repository, and those that the environment names (paths, separated by `:`). */
const REPOSITORIES = [
  join(import.meta.dirname, '../..'),
  ...(process.env.AGENT_LS_REPOSITORIES ?? '').split(':'),
].filter(Boolean);

const COMMAND = join(import.meta.dirname, '../../dist/cli.cjs');
const AT_ONCE = 16;
const MAX_NAMED = 45;

function git(...args: string[]): void {
  execFileSync('git', args, { stdio: 'ignore' });
}

/** Maps without and with a budget. */
async function mapsOf(root: string, cache = false): Promise<string[]> {
  const workspace = await openWorkspace(root);
  try {
    const texts: string[] = [];
    for (const params of [{}, { budget: 300 }]) texts.push((await tree(params, workspace, { cache })).text);
    return texts;
  } finally {
    workspace.close();
  }
}

/** The same from a new process each. */
function mapsOfProcess(root: string): string[] {
  return ['{}', '{"budget": 300}'].map((params) => {
    const words = [COMMAND, 'call', params, '--tool', 'Tree', '--text'];
    return execFileSync(process.execPath, words, { cwd: root, encoding: 'utf8' }).trimEnd();
  });
}

/** Keeps a core busy until the test ends. */
function load(): void {
  const worker = new Worker('for (;;) Math.sqrt(2);', { eval: true });
  onTestFinished(() => void worker.terminate());
}

describe.each(REPOSITORIES)('%s', (repository) => {
  it('has one map', { timeout: 600_000 }, async () => {
    const place = emptyDirectory();
    const [clone, other, linked] = [join(place, 'clone'), join(place, 'other'), join(place, 'linked')];
    git('clone', '--quiet', repository, clone);
    const cold = await mapsOf(clone);
    git('clone', '--quiet', repository, other);
    git('-C', clone, 'worktree', 'add', '--quiet', '--detach', linked);
    const again = [await mapsOf(clone), await mapsOf(other), await mapsOf(linked)];
    // Kept from the second call on, and then recalled.
    for (let i = 0; i < 3; i++) again.push(await mapsOf(clone, true));
    again.push(mapsOfProcess(clone), mapsOfProcess(linked));
    const atOnce = await Promise.all(Array.from({ length: AT_ONCE }, () => mapsOf(clone)));
    for (let i = 0; i < 4; i++) load();
    const busy = [await mapsOf(clone), await mapsOf(other)];
    for (const maps of [...again, ...atOnce, ...busy]) expect(maps).toEqual(cold);
    expect(cold[0]).not.toContain("without git's history");
    namesDirectories(cold[0] as string, clone);
  });
});

/** Up to 45 directories of the root are all named, and none stands behind a range of letters. */
function namesDirectories(text: string, root: string): void {
  const tracked = execFileSync('git', ['-C', root, 'ls-tree', '-d', '-z', '--name-only', 'HEAD'], { encoding: 'utf8' });
  const directories = tracked.split('\0').filter(Boolean);
  const { entries, folds } = parseTree(text);
  const named = new Set(entries.filter(({ type }) => type === 'dir').map(({ path }) => path));
  if (directories.length <= MAX_NAMED) expect(directories.filter((name) => !named.has(name))).toEqual([]);
  expect(folds.filter(({ path }) => /\[[^\]]*\]"?\*\/$/.test(path))).toEqual([]);
}
