import { checkOptions, UsageError } from '../../protocol/usage-error.ts';
import type { Source } from '../../workspace/source.ts';
import * as workspaces from '../../workspace/workspace.ts';

/**
 * Opens a directory, or a source, as the only place that calls may look at. Throws a ListingError when there is no such
 * directory. A source belongs to the workspace, and is closed with it.
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
    if (typeof root !== 'string' || root === '') throw new UsageError('The root must be the path of a directory.');
    if (root.includes('\0')) throw new UsageError('The path of the root holds a NUL character.');
  }
  checkOptions('openWorkspace', options, ['cwd', 'git', 'systemCalls']);
  const { cwd, git, systemCalls } = options;
  if (cwd !== undefined && typeof cwd !== 'string') throw new UsageError('cwd must be a string.');
  if (git !== undefined && typeof git !== 'boolean') throw new UsageError('git must be a boolean.');
  if (systemCalls !== undefined && typeof systemCalls !== 'boolean') {
    throw new UsageError('systemCalls must be a boolean.');
  }
  return workspaces.openWorkspace(root, options);
}

function isSource(root: object | null): root is Source {
  const { realPath, aliases, root: pin } = (root ?? {}) as Partial<Source>;
  const isPath = (path: unknown) => typeof path === 'string' && /^(?:[/\\]|[A-Za-z]:)/.test(path);
  return isPath(realPath) && Array.isArray(aliases) && aliases.every(isPath) && typeof pin === 'function';
}
