/** `agent-ls/tools`: the definition itself, for a framework that has no adapter here. */
import type { DialectName } from '../../dialects/table.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { checkedDialect } from '../library/dialect-name.ts';
import { checkCall, checkCallOptions } from '../library/misuse.ts';
import { boundTools, openTools, type Tool, type ToolsOptions } from '../tools/tool.ts';

export type { InputSchema, Tool, ToolAnswer, ToolOptions, ToolsOptions } from '../tools/tool.ts';

/**
 * The tools of a dialect in a directory.
 *
 * @example const [ls] = await tools('/abs/project'); (await ls.execute({ path: 'src' }, { signal })).text
 */
export async function tools(root: string | Workspace, options: ToolsOptions = {}): Promise<Tool[]> {
  return (await openTools(root, options)).map(withChecks);
}

/** The same in a workspace that is open already. */
export function toolsOf(dialect: DialectName, workspace: Workspace): Tool[] {
  const chosen = checkedDialect(dialect);
  checkCall('toolsOf', workspace, {});
  return boundTools(chosen, workspace).map(withChecks);
}

/** A model's mistakes are answered; a program's are thrown. */
function withChecks(tool: Tool): Tool {
  return {
    ...tool,
    execute: async (input, options = {}) => {
      checkCallOptions(tool.name, options);
      return tool.execute(input, options);
    },
  };
}
