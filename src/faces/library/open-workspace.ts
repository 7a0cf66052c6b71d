import { checkOptions, UsageError } from '../../protocol/usage-error.ts';
import * as workspaces from '../../workspace/workspace.ts';

/**
 * Opens a directory as the only place that calls may look at. Throws a ListingError when there is no such directory.
 *
 * @example const workspace = await openWorkspace('/abs/project', { cwd: 'src' })
 */
export async function openWorkspace(
  root: string,
  options: workspaces.WorkspaceOptions = {},
): Promise<workspaces.Workspace> {
  if (typeof root !== 'string' || root === '') throw new UsageError('The root must be the path of a directory.');
  if (root.includes('\0')) throw new UsageError('The path of the root holds a NUL character.');
  checkOptions('openWorkspace', options, ['cwd', 'git']);
  const { cwd, git } = options;
  if (cwd !== undefined && typeof cwd !== 'string') throw new UsageError('cwd must be a string.');
  if (git !== undefined && typeof git !== 'boolean') throw new UsageError('git must be a boolean.');
  return workspaces.openWorkspace(root, options);
}
