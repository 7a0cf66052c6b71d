import * as disk from '../../disk/disk-source.ts';
import { textOf } from '../../names/bytes.ts';
import { shownAsGiven, unquoted } from '../../names/quote.ts';
import { checkOptions, UsageError } from '../../protocol/usage-error.ts';
import { isAddress, mayBeElsewhere, openElsewhere } from '../../sources/address.ts';
import type { FileSystemLike } from '../../sources/file-system/fs-tree.ts';
import type { Source } from '../../workspace/source.ts';
import { Workspace } from '../../workspace/workspace.ts';
import { checkTypes } from './misuse.ts';

/** The place of a call: a workspace, or the path of a root, which is opened for that call alone. */
export type Place = Workspace | string;

/** The options of `openWorkspace`. */
export interface WorkspaceOptions extends disk.WorkspaceOptions {
  /** The file system that contains the root: an object shaped like `fs.promises`, or one that has it as `promises`. */
  readonly fs?: FileSystemLike | { readonly promises: FileSystemLike };
  /**
   * Milliseconds for which data loaded from a root other than a local directory may be reused. Data that cannot have
   * changed is always reused: a git revision indefinitely, an archive as long as its file is the same.
   * @default 0
   */
  readonly maxAge?: number;
}

/**
 * Opens a directory or a source as the only place that calls may read. Throws a ListingError if there is no such
 * directory. A source belongs to the workspace and is closed with it. Workspaces of the same root share cached data.
 *
 * @example const workspace = await openWorkspace('/abs/project', { cwd: 'src' })
 */
export async function openWorkspace(root: string | Source, options: WorkspaceOptions = {}): Promise<Workspace> {
  if (typeof root !== 'object') checkRoot(root);
  else if (!isSource(root)) throw new UsageError('The root must be the path of a directory, or a source.');
  checkOptions('openWorkspace', options, ['cwd', 'git', 'systemCalls', 'maxAge', 'fs']);
  const { maxAge, fs, ...plain } = options;
  const { cwd, git, systemCalls } = plain;
  checkTypes('string', { cwd });
  checkTypes('boolean', { git, systemCalls });
  if (maxAge !== undefined && !(typeof maxAge === 'number' && maxAge >= 0))
    throw new UsageError('maxAge must be a number of milliseconds, 0 or more.');
  if (typeof root !== 'string') return disk.openWorkspace(root, plain);
  const loading = fs === undefined ? openElsewhere(root, { maxAge, git: git ?? true }) : openFs(fs, root, maxAge);
  return disk.openWorkspace((await loading) ?? root, plain);
}

async function openFs(fs: NonNullable<WorkspaceOptions['fs']>, root: string, maxAge?: number): Promise<Source> {
  const promises = 'promises' in fs ? fs.promises : fs;
  const has = (name: 'readdir' | 'lstat' | 'readFile') => typeof promises?.[name] === 'function';
  if (!has('readdir') || !has('lstat') || !has('readFile'))
    throw new UsageError('fs must have readdir, lstat and readFile, as fs.promises has them.');
  const { fsTree } = await import('../../sources/file-system/fs-tree.ts');
  const { asyncSource } = await import('../../sources/loading/async-source.ts');
  return asyncSource(await fsTree(promises, root), { maxAge });
}

/** For tools that are created synchronously. A workspace opened by path is closed once nothing refers to it. */
export function workspaceAt(what: string, place: unknown): Workspace {
  if (place instanceof Workspace) return place;
  if (typeof place !== 'string')
    throw new UsageError(`${what} needs a workspace: the path of a root, or await openWorkspace(root).`);
  checkRoot(place);
  if (isAddress(place))
    throw new UsageError(`${what} needs a workspace that is open: await openWorkspace(${JSON.stringify(place)}).`);
  return Workspace.open(disk.openSharedDisk(place, disk.pinRoot));
}

/** Runs one call. If the workspace was opened for it, it is closed afterwards. */
export async function inWorkspace<T>(what: string, place: Place, use: (workspace: Workspace) => Promise<T>) {
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

/** A path as the functions of `node:fs` take it. Its type includes Buffer only if Node's types are installed. */
export type OpenablePath =
  | string
  | (typeof globalThis extends { Buffer: { from(text: string): infer B } } ? B : Uint8Array);

/**
 * Converts a path or name from an answer into one for the functions of `node:fs`. Plain text stays as it is. A quoted
 * form is decoded, to bytes if it is not valid UTF-8. Throws a UsageError for a malformed quoted form.
 *
 * @example for await (const { path } of scan({ absolute: true }, root)) await readFile(openablePath(path))
 */
export function openablePath(path: string): OpenablePath {
  if (!path.startsWith('"')) return path;
  const bytes = unquoted(path);
  if (bytes === null) throw new UsageError(`The quoted form ${shownAsGiven(path)} is malformed.`);
  return textOf(bytes) ?? Buffer.from(bytes, 'latin1');
}
