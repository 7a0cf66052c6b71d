/** Opens a workspace: on a directory of this machine, or on a source that is already there. */
import { Budget } from '../workspace/budget.ts';
import type { Source } from '../workspace/source.ts';
import { Workspace } from '../workspace/workspace.ts';
import { openSharedDisk, pinRoot, pinWithoutCalls } from './disk-source.ts';

/** The options for opening a workspace. */
export interface WorkspaceOptions {
  /**
   * The directory that relative paths start at: relative to the root, or absolute inside it.
   * @default '.'
   */
  readonly cwd?: string;
  /**
   * Allows `Tree` and `Find` to start git to read the history. Without it no program is ever started.
   * @default true
   */
  readonly git?: boolean;
  /**
   * Allows large directories and trees on a disk to be read by direct system calls, if koffi is installed. The answers
   * are the same without them, but take longer.
   * @default true
   */
  readonly systemCalls?: boolean;
}

/** Opens a workspace. `root` is the path of a directory, or a source, which then belongs to the workspace. */
export async function openWorkspace(root: string | Source, options: WorkspaceOptions = {}): Promise<Workspace> {
  const pin = (options.systemCalls ?? true) ? pinRoot : pinWithoutCalls;
  const source = typeof root === 'string' ? openSharedDisk(root, pin) : root;
  return new Budget().run(Workspace.opening(source, options.cwd ?? '.', options.git ?? true));
}
