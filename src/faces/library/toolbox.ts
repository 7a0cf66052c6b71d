import type { DialectTool } from '../../dialects/dialect.ts';
import { dialects } from '../../dialects/index.ts';
import { createEmptyToolbox, type Toolbox, type ToolboxOptions } from '../../protocol/toolbox.ts';
import { openWorkspace } from './open-workspace.ts';

/**
 * Runs tools by name as the framework of the protocol does: parse, run, normalise, truncate. Without `tools` it has
 * `LS` and `Tree`.
 *
 * @example await createToolbox({ root: '/abs/project' }).run('LS', { path: 'src' })
 */
export function createToolbox(
  options: Omit<ToolboxOptions, 'tools'> & Partial<Pick<ToolboxOptions, 'tools'>>,
): Toolbox {
  const own = Object.fromEntries(dialects.standard.tools.map((one) => [one.tool.name, runs(one)]));
  return createEmptyToolbox({ ...options, tools: options?.tools ?? own });
}

function runs(tool: DialectTool<unknown>) {
  return async (params: unknown, { root, cwd, signal }: { root: string; cwd: string; signal?: AbortSignal }) => {
    const workspace = await openWorkspace(root, { cwd });
    try {
      return (await tool.call(params, workspace, { signal })).answer;
    } finally {
      workspace.close();
    }
  };
}
