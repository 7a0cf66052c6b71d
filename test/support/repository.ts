/** Repositories from literals, on a machine whose user has no settings of git. */
import { afterEach, beforeEach, vi } from 'vitest';
import { makeRepository } from './git.ts';
import { emptyDirectory, makeTree, type TreeLiteral } from './tree.ts';

/** For each test of the file: a home of its own with nothing in it, where git and we both look. */
export function isolateGit(): void {
  beforeEach(() => {
    // In a hook of git these would name another repository.
    for (const name of Object.keys(process.env)) if (name.startsWith('GIT_')) vi.stubEnv(name, undefined);
    vi.stubEnv('GIT_CONFIG_NOSYSTEM', '1');
    vi.stubEnv('XDG_CONFIG_HOME', undefined);
    vi.stubEnv('HOME', emptyDirectory());
  });
  afterEach(() => {
    vi.unstubAllEnvs();
  });
}

/** A tree as `makeTree` makes it, that is a repository. */
export function makeRepositoryTree(tree: TreeLiteral): string {
  const root = makeTree(tree);
  makeRepository(root);
  return root;
}
