/** `agent-ls/llamaindex`: the tools for `tools` of an agent of LlamaIndex.TS. */
import { type InputSchema, openTools, type ToolsOptions, type ToolsPlace } from '../tools/tool.ts';
import { run } from './calls.ts';

export type { InputSchema, ToolsOptions, ToolsPlace } from '../tools/tool.ts';

/** A LlamaIndex tool. It returns a failure as text: a thrown error would reach the model with `Error:` three times. */
export interface LlamaIndexTool {
  metadata: { name: string; description: string; parameters: InputSchema };
  call(input: unknown): Promise<string>;
}

/**
 * Opens the tools and returns them as a list.
 *
 * @example agent({ llm, tools: await tools('/abs/project') })
 */
export async function tools(place: ToolsPlace, options: ToolsOptions = {}): Promise<LlamaIndexTool[]> {
  return (await openTools(place, options)).map((tool) => ({
    metadata: { name: tool.name, description: tool.description, parameters: tool.parameters },
    call: async (input) => (await run(tool, input, undefined)).text,
  }));
}
