/** `agent-ls/tools`: the plain tool definition, for a framework without an adapter here. */
import type { DialectName } from '../../dialects/table.ts';
import { checkCallOptions, checkedDialect } from '../library/misuse.ts';
import { type Place, workspaceAt } from '../library/open-workspace.ts';
import { boundTools, openTools, type Tool, type ToolsOptions, type ToolsPlace } from '../tools/tool.ts';

export type { InputSchema, Tool, ToolAnswer, ToolOptions, ToolsOptions, ToolsPlace } from '../tools/tool.ts';

/**
 * Opens the tools of a dialect in a directory.
 *
 * @example const [ls] = await tools('/abs/project'); (await ls.execute({ path: 'src' }, { signal })).text
 */
export async function tools<Name extends DialectName = 'standard'>(
  place: ToolsPlace,
  options: ToolsOptions<Name> = {},
): Promise<[Tool, ...Tool[]]> {
  return (await openTools(place, options as ToolsOptions)).map(withChecks) as [Tool, ...Tool[]];
}

/** Returns the same tools synchronously, in an open workspace or by the path of a root. */
export function toolsOf(dialect: DialectName, place: Place): [Tool, ...Tool[]] {
  return boundTools(checkedDialect(dialect), workspaceAt('toolsOf', place)).map(withChecks) as [Tool, ...Tool[]];
}

/** Mistakes of the model are answered; mistakes of the program are thrown. */
function withChecks(tool: Tool): Tool {
  return {
    ...tool,
    execute: async (input, options = {}) => {
      checkCallOptions(tool.name, options);
      return tool.execute(input, options);
    },
  };
}
