/** Trees on disk from literals, removed after the test. */
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { expectPaths } from './windows.ts';

/** A string is a file's content, `null` a directory, `{ link }` a link. Directories above an entry are made. */
export type TreeLiteral = Readonly<Record<string, string | null | { readonly link: string }>>;

/** An empty directory of its own, whose path holds no link. */
export function emptyDirectory(): string {
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'agent-ls-test-')));
  onTestFinished(() => remove(path));
  return path;
}

function remove(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true });
  } catch {
    // Node's own removal ends at a few thousand levels, which take so long that nobody waits for it.
    spawn('rm', ['-rf', path], { detached: true, stdio: 'ignore' }).unref();
  }
}

/** Makes the tree in a fresh directory `root`, beside which the test may put what is outside. */
export function makeTree(tree: TreeLiteral): string {
  const root = join(emptyDirectory(), 'root');
  mkdirSync(root);
  addTree(root, tree);
  return root;
}

/** Leaves out the links that are not on the path: not everybody may make them, and most paths need none. */
export function withLinksOn(path: string, tree: TreeLiteral): TreeLiteral {
  const names = path.split('/');
  const isNeeded = ([place, content]: [string, TreeLiteral[string]]) => {
    if (content === null || typeof content === 'string') return true;
    if (!names.includes(basename(place))) return false;
    // It may lead to a link that stands behind it in the tree.
    names.push(...content.link.split('/'));
    return true;
  };
  return Object.fromEntries(Object.entries(tree).filter(isNeeded));
}

export function addTree(root: string, tree: TreeLiteral): void {
  expectPaths(Object.keys(tree));
  for (const [path, content] of Object.entries(tree)) {
    const absolute = join(root, path);
    mkdirSync(dirname(absolute), { recursive: true });
    if (content === null) mkdirSync(absolute, { recursive: true });
    else if (typeof content === 'string') writeFileSync(absolute, content);
    else symlinkSync(content.link.replaceAll('{ROOT}', root), absolute);
  }
}

/** `root/d/d/…`, so many levels; `fill` puts into each directory what is to stand beside the next. */
export function makeChain(root: string, levels: number, fill: (directory: string) => void = () => {}): void {
  // Made bottom-up, because no path to the bottom would be accepted.
  const chain = join(dirname(root), 'chain');
  const next = `${chain}x`;
  mkdirSync(chain);
  fill(chain);
  for (let i = 1; i < levels; i += 1) {
    mkdirSync(next);
    fill(next);
    renameSync(chain, join(next, 'd'));
    renameSync(next, chain);
  }
  renameSync(chain, join(root, 'd'));
}
