/** `agent-ls/strands`: the tools for `tools` of an agent of the Strands Agents SDK. */
import { type InputSchema, openTools, type ToolsOptions, type ToolsPlace } from '../tools/tool.ts';
import { classIn, run, textOrThrow } from './calls.ts';

export type { InputSchema, ToolsOptions, ToolsPlace } from '../tools/tool.ts';

/** The constructor options of Strands' FunctionTool. The callback throws on failure, which becomes an error result. */
export interface StrandsToolConfig {
  name: string;
  description: string;
  inputSchema: InputSchema;
  callback(input: unknown, context?: { cancelSignal?: AbortSignal | undefined }): Promise<string>;
}

/** The options of `tools`, including Strands' own class. */
export interface StrandsOptions<Made> extends ToolsOptions {
  /** From `@strands-agents/sdk`: its agents accept only instances of this class. */
  readonly FunctionTool: new (
    config: never,
  ) => Made;
}

/**
 * Opens the tools and returns them as a list.
 *
 * @example new Agent({ model, tools: await tools('/abs/project', { FunctionTool }) })
 */
export async function tools<Made>(place: ToolsPlace, options: StrandsOptions<Made>): Promise<Made[]> {
  const FunctionTool = classIn(options, 'FunctionTool') as new (config: StrandsToolConfig) => Made;
  return (await openTools(place, options, ['FunctionTool'])).map(
    (tool) =>
      new FunctionTool({
        ...{ name: tool.name, description: tool.description, inputSchema: tool.parameters },
        callback: async (input, context) => textOrThrow(await run(tool, input, context?.cancelSignal)),
      }),
  );
}
