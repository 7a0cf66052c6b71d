import { dialects } from '../../dialects/index.ts';
import { createToolbox as createEmptyToolbox, type Toolbox, type ToolboxOptions } from '../../protocol/toolbox.ts';
import { call } from './call.ts';
import { openWorkspace } from './open-workspace.ts';

/**
 * Runs tools by name as the framework of the protocol does: parse, run, normalise, truncate. Without `tools` it has
 * `LS`.
 *
 * @example await createToolbox({ root: '/abs/project' }).run('LS', { path: 'src' })
 */
export function createToolbox(
  options: Omit<ToolboxOptions, 'tools'> & Partial<Pick<ToolboxOptions, 'tools'>>,
): Toolbox {
  return createEmptyToolbox({ ...options, tools: options?.tools ?? { [dialects.standard.tool.name]: runLs } });
}

async function runLs(params: unknown, { root, cwd, signal }: { root: string; cwd: string; signal?: AbortSignal }) {
  const workspace = await openWorkspace(root, { cwd });
  try {
    return await call('standard', params, workspace, { signal });
  } finally {
    workspace.close();
  }
}
