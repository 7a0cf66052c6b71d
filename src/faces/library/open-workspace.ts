import { checkOptions, UsageError } from '../../protocol/usage-error.ts';
import { isAddress, mayBeElsewhere, openElsewhere } from '../../sources/address.ts';
import type { FileSystemLike } from '../../sources/file-system/fs-tree.ts';
import { pinRoot } from '../../workspace/disk/pinned-root.ts';
import { openSharedDisk } from '../../workspace/disk/shared-disk.ts';
import type { Source } from '../../workspace/source.ts';
import * as workspaces from '../../workspace/workspace.ts';
import { checkTypes } from './misuse.ts';

const { Workspace } = workspaces;

/** Where a call is made: a workspace, or the path of a root. A path is opened for the call alone. */
export type Place = workspaces.Workspace | string;

/** How a workspace is opened. */
export interface WorkspaceOptions extends workspaces.WorkspaceOptions {
  /** The file system that the root is in: anything with the shape of `fs.promises`, or that has it as `promises`. */
  readonly fs?: FileSystemLike | { readonly promises: FileSystemLike };
  /**
   * Milliseconds for which what was loaded of a root elsewhere may be used again. What cannot have changed always is: a
   * git revision for ever, an archive while its file is the same.
   * @default 0
   */
  readonly maxAge?: number;
}

/**
 * Opens a directory, or a source, as the only place that calls may look at. Throws a ListingError when there is no such
 * directory. A source belongs to the workspace, and is closed with it. Workspaces of one root share what they hold.
 *
 * @example const workspace = await openWorkspace('/abs/project', { cwd: 'src' })
 */
export async function openWorkspace(
  root: string | Source,
  options: WorkspaceOptions = {},
): Promise<workspaces.Workspace> {
  if (typeof root === 'object') {
    if (!isSource(root)) throw new UsageError('The root must be the path of a directory, or a source.');
  } else {
    checkRoot(root);
  }
  checkOptions('openWorkspace', options, ['cwd', 'git', 'systemCalls', 'maxAge', 'fs']);
  const { maxAge, fs, ...plain } = options;
  const { cwd, git, systemCalls } = plain;
  checkTypes('string', { cwd });
  checkTypes('boolean', { git, systemCalls });
  if (maxAge !== undefined && !(typeof maxAge === 'number' && maxAge >= 0)) {
    throw new UsageError('maxAge must be a number of milliseconds, 0 or more.');
  }
  const source =
    typeof root !== 'string'
      ? root
      : fs === undefined
        ? await openElsewhere(root, { maxAge, git: git ?? true })
        : await openFs(fs, root, maxAge);
  return workspaces.openWorkspace(source ?? root, plain);
}

/** The file system itself, or what has its promises. */
async function openFs(fs: NonNullable<WorkspaceOptions['fs']>, root: string, maxAge?: number): Promise<Source> {
  const promises = 'promises' in fs ? fs.promises : fs;
  const has = (name: 'readdir' | 'lstat' | 'readFile') => typeof promises?.[name] === 'function';
  if (!has('readdir') || !has('lstat') || !has('readFile')) {
    throw new UsageError('fs must have readdir, lstat and readFile, as fs.promises has them.');
  }
  const { fsTree } = await import('../../sources/file-system/fs-tree.ts');
  const { asyncSource } = await import('../../workspace/loading/async-source.ts');
  return asyncSource(await fsTree(promises, root), { maxAge });
}

/** For what is made at once and lives on: a path is opened, and closed when nothing refers to the workspace any more. */
export function workspaceAt(what: string, place: unknown): workspaces.Workspace {
  if (place instanceof Workspace) return place;
  if (typeof place !== 'string') {
    throw new UsageError(`${what} needs a workspace: the path of a root, or await openWorkspace(root).`);
  }
  checkRoot(place);
  if (isAddress(place)) {
    throw new UsageError(`${what} needs a workspace that is open: await openWorkspace(${JSON.stringify(place)}).`);
  }
  return Workspace.open(openSharedDisk(place, pinRoot));
}

/** For one call: a workspace that was opened for it is closed behind it. */
export async function inWorkspace<T>(
  what: string,
  place: Place,
  use: (workspace: workspaces.Workspace) => Promise<T>,
): Promise<T> {
  const isElsewhere = typeof place === 'string' && mayBeElsewhere(place);
  const workspace = isElsewhere ? await openWorkspace(place) : workspaceAt(what, place);
  try {
    return await use(workspace);
  } finally {
    if (workspace !== place) workspace.close();
  }
}

function checkRoot(root: unknown): void {
  if (typeof root !== 'string' || root === '') throw new UsageError('The root must be the path of a directory.');
  if (root.includes('\0')) throw new UsageError('The path of the root holds a NUL character.');
}

function isSource(root: object | null): root is Source {
  const { realPath, aliases, root: pin } = (root ?? {}) as Partial<Source>;
  const isPath = (path: unknown) => typeof path === 'string' && /^(?:[/\\]|[A-Za-z]:)/.test(path);
  return isPath(realPath) && Array.isArray(aliases) && aliases.every(isPath) && typeof pin === 'function';
}
