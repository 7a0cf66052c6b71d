/** Opens the workspace that the command line names: `--root`, and `--cwd` inside it. */
import type { Workspace } from '../../workspace/workspace.ts';
import { openWorkspace } from '../library/open-workspace.ts';
import type { CommandLine } from './options.ts';

export function namedWorkspace(line: CommandLine): Promise<Workspace> {
  return openWorkspace(line.value('root') ?? '.', { cwd: line.value('cwd') ?? '.', git: !line.switch('no-git') });
}
