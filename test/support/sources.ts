/** One tree behind every kind of root: on the disk, as a file system, in a revision, in archives. */
import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { join } from 'node:path';
import { openWorkspace, sandboxSource, type Workspace, type WorkspaceOptions } from '../../src/index.ts';
import { git, makeRepository } from './git.ts';
import { SANDBOXES } from './sandboxes.ts';
import { addTree, emptyDirectory, type TreeLiteral } from './tree.ts';

export interface SourceKind {
  readonly name: string;
  /** Whether a tree can be expressed. */
  can(tree: TreeLiteral): boolean;
  /** Opens a tree; `{ROOT}` in its links becomes the root's own path. */
  open(tree: TreeLiteral, options?: WorkspaceOptions): Promise<Workspace>;
}

const hasProgram = (name: string) => spawnSync('which', [name]).status === 0;

/** Git has no empty directories, and nothing called `.git`. */
function canCommit(tree: TreeLiteral): boolean {
  const paths = Object.keys(tree);
  const isEmpty = (path: string) =>
    tree[path] === null && !paths.some((other) => other.startsWith(`${path.replace(/\/$/, '')}/`) && other !== path);
  return paths.length > 0 && !paths.some((path) => isEmpty(path) || path.split('/').includes('.git'));
}

const withRoot = (tree: TreeLiteral, root: string): TreeLiteral =>
  Object.fromEntries(
    Object.entries(tree).map(([path, content]) => [
      path,
      content !== null && typeof content === 'object' ? { link: content.link.replaceAll('{ROOT}', root) } : content,
    ]),
  );

/** A directory beside which archives and the like can be put. */
function place(tree: TreeLiteral, nameOfRoot: (directory: string) => string): { files: string; root: string } {
  const directory = emptyDirectory();
  const files = join(directory, 'files');
  fs.mkdirSync(files);
  const root = nameOfRoot(directory);
  addTree(files, withRoot(tree, root));
  return { files, root };
}

function archiveKind(
  name: string,
  file: string,
  program: string,
  pack: (files: string, archive: string) => void,
): SourceKind[] {
  if (!hasProgram(program)) {
    console.warn(`${name}: ${program} is not installed, and is not used`);
    return [];
  }
  return [
    {
      name,
      can: (tree) => Object.keys(tree).length > 0,
      open: async (tree, options) => {
        const { files, root } = place(tree, (directory) => join(directory, file));
        pack(files, root);
        return openWorkspace(root, options);
      },
    },
  ];
}

const run = (cwd: string, program: string, ...args: string[]) => execFileSync(program, args, { cwd, stdio: 'ignore' });

export const ON_DISK: SourceKind = {
  name: 'the disk',
  can: () => true,
  open: async (tree, options) => openWorkspace(place(tree, (directory) => join(directory, 'files')).files, options),
};

export const FILE_SYSTEM: SourceKind = {
  name: 'fs.promises',
  can: () => true,
  open: async (tree, options) => {
    const { files } = place(tree, (directory) => join(directory, 'files'));
    return openWorkspace(files, { fs: fs.promises, ...options });
  },
};

/** They tell nothing of links. */
export const SANDBOX_KINDS: readonly SourceKind[] = Object.entries(SANDBOXES).map(([name, sandbox]) => ({
  name: `${name}'s sandbox`,
  can: (tree) => Object.values(tree).every((content) => content === null || typeof content === 'string'),
  open: async (tree, options) => {
    const { files: root } = place(tree, (directory) => join(directory, 'files'));
    return openWorkspace(sandboxSource(sandbox, { root }), options);
  },
}));

export const REVISION: SourceKind = {
  name: 'a git revision',
  can: canCommit,
  open: async (tree, options) => {
    const { files } = place(tree, (directory) => `${join(directory, 'files')}@main`);
    makeRepository(files);
    git(files, 'add', '-f', '-A');
    git(files, 'commit', '-q', '-m', 'all', '--no-verify');
    return openWorkspace(`git:${files}@main`, options);
  },
};

export const ARCHIVES: readonly SourceKind[] = [
  ...archiveKind('GNU tar', 'a.tar', 'tar', (files, archive) => run(files, 'tar', '-cf', archive, '.')),
  ...archiveKind('GNU tar and gzip', 'a.tar.gz', 'tar', (files, archive) => run(files, 'tar', '-czf', archive, '.')),
  ...archiveKind('GNU tar and zstd', 'a.tar.zst', 'zstd', (files, archive) =>
    run(files, 'tar', '--zstd', '-cf', archive, '.'),
  ),
  ...archiveKind('pax', 'a.tgz', 'tar', (files, archive) => run(files, 'tar', '--format=pax', '-czf', archive, '.')),
  ...archiveKind('bsdtar', 'a.tar', 'bsdtar', (files, archive) => run(files, 'bsdtar', '-cf', archive, '.')),
  ...archiveKind('bsdtar as zip', 'a.zip', 'bsdtar', (files, archive) =>
    run(files, 'bsdtar', '-a', '-cf', archive, '.'),
  ),
  ...archiveKind('Info-ZIP', 'a.zip', 'zip', (files, archive) => run(files, 'zip', '-qry', archive, '.')),
  ...archiveKind('7-Zip', 'a.zip', '7z', (files, archive) => run(files, '7z', 'a', '-bd', '-snl', archive, '.')),
];
