import { checkOptions, UsageError } from '../../protocol/usage-error.ts';
import { openerOf } from '../../sources/address.ts';
import { pinRoot } from '../../workspace/disk/pinned-root.ts';
import { openSharedDisk } from '../../workspace/disk/shared-disk.ts';
import { ListingError } from '../../workspace/listing-error.ts';
import { shownAsGiven } from '../../workspace/quote.ts';
import type { Source } from '../../workspace/source.ts';
import * as workspaces from '../../workspace/workspace.ts';

const { Workspace } = workspaces;

/** Where a call is made: a workspace, or the path of a root. A path is opened for the call alone. */
export type Place = workspaces.Workspace | string;

/**
 * Opens a directory, or a source, as the only place that calls may look at. Throws a ListingError when there is no such
 * directory. A source belongs to the workspace, and is closed with it. Workspaces of one root share what they hold.
 *
 * @example const workspace = await openWorkspace('/abs/project', { cwd: 'src' })
 */
export async function openWorkspace(
  root: string | Source,
  options: workspaces.WorkspaceOptions = {},
): Promise<workspaces.Workspace> {
  if (typeof root === 'object') {
    if (!isSource(root)) throw new UsageError('The root must be the path of a directory, or a source.');
  } else {
    checkRoot(root);
  }
  checkOptions('openWorkspace', options, ['cwd', 'git', 'systemCalls', 'maxAge']);
  const { cwd, git, systemCalls, maxAge } = options;
  if (cwd !== undefined && typeof cwd !== 'string') throw new UsageError('cwd must be a string.');
  if (git !== undefined && typeof git !== 'boolean') throw new UsageError('git must be a boolean.');
  if (systemCalls !== undefined && typeof systemCalls !== 'boolean') {
    throw new UsageError('systemCalls must be a boolean.');
  }
  if (maxAge !== undefined && !(typeof maxAge === 'number' && maxAge >= 0)) {
    throw new UsageError('maxAge must be a number of milliseconds, 0 or more.');
  }
  const kind = typeof root === 'string' ? openerOf(root) : null;
  return workspaces.openWorkspace(kind === null ? root : await openAddress(root as string, kind, maxAge), options);
}

/** Milliseconds in which a root elsewhere has to answer. */
const TIME_TO_OPEN = 30_000;

async function openAddress(
  address: string,
  kind: NonNullable<ReturnType<typeof openerOf>>,
  maxAge: number | undefined,
): Promise<Source> {
  const { open } = await kind();
  const signal = AbortSignal.timeout(TIME_TO_OPEN);
  const late = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () =>
      reject(new ListingError('timeout', `'${shownAsGiven(address)}' does not answer`)),
    );
  });
  late.catch(() => {});
  return Promise.race([open(address, { maxAge, signal }), late]);
}

/** For what is made at once and lives on: a path is opened, and closed when nothing refers to the workspace any more. */
export function workspaceAt(what: string, place: unknown): workspaces.Workspace {
  if (place instanceof Workspace) return place;
  if (typeof place !== 'string') {
    throw new UsageError(`${what} needs a workspace: the path of a root, or await openWorkspace(root).`);
  }
  checkRoot(place);
  return Workspace.open(openSharedDisk(place, pinRoot));
}

/** For one call: a workspace that was opened for it is closed behind it. */
export async function inWorkspace<T>(
  what: string,
  place: Place,
  use: (workspace: workspaces.Workspace) => Promise<T>,
): Promise<T> {
  const workspace = workspaceAt(what, place);
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
