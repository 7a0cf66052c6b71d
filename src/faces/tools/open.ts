import type { DialectName } from '../../dialects/table.ts';
import { checkOptions, UsageError } from '../../protocol/usage-error.ts';
import { Workspace } from '../../workspace/workspace.ts';
import { checkedDialect } from '../library/dialect-name.ts';
import { openWorkspace } from '../library/open-workspace.ts';
import { boundTools, type Tool } from './tool.ts';

export interface ToolsOptions {
  /**
   * Whose tools: their names, parameters and answers.
   * @default 'standard'
   */
  readonly dialect?: DialectName | undefined;
  /**
   * The directory that relative paths start at; not with a workspace, which has its own.
   * @default '.'
   */
  readonly cwd?: string | undefined;
  /**
   * `Tree` may start git to learn what was worked on lately; not with a workspace, which says so itself.
   * @default true
   */
  readonly git?: boolean | undefined;
}

/** The tools of a dialect in a directory, or in a workspace that the caller opened and will close. */
export async function openTools(root: string | Workspace, options: ToolsOptions, more: string[] = []): Promise<Tool[]> {
  checkOptions('tools', options, ['dialect', 'cwd', 'git', ...more]);
  const { dialect, cwd, git } = options;
  const chosen = checkedDialect(dialect ?? 'standard');
  if (!(root instanceof Workspace))
    return boundTools(chosen, await openWorkspace(root, { cwd: cwd ?? '.', git: git ?? true }));
  if (cwd !== undefined) throw new UsageError('A workspace has a cwd of its own: leave out cwd, or open it with one.');
  if (git !== undefined)
    throw new UsageError('A workspace has a setting of its own for git: leave out git, or open it with one.');
  return boundTools(chosen, root);
}
