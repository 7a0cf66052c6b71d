/** `agent-ls/tanstack-ai`: the tools for `tools` of TanStack AI's `chat`. */
import { type InputSchema, openTools, type ToolsOptions, type ToolsPlace } from '../tools/tool.ts';
import { run, textOrThrow } from './calls.ts';

export type { InputSchema, ToolsOptions, ToolsPlace } from '../tools/tool.ts';

/** A TanStack AI tool, which runs on the server. */
export interface TanStackTool {
  name: string;
  description: string;
  inputSchema: InputSchema;
  /** Throws on failure, and the model reads the message. */
  execute(input: unknown, context?: { abortSignal?: AbortSignal | undefined }): Promise<string>;
}

/**
 * Opens the tools and returns them as a list.
 *
 * @example chat({ adapter, messages, tools: await tools('/abs/project') })
 */
export async function tools(place: ToolsPlace, options: ToolsOptions = {}): Promise<TanStackTool[]> {
  return (await openTools(place, options)).map((tool) => ({
    ...{ name: tool.name, description: tool.description, inputSchema: tool.parameters },
    execute: async (input, context) => textOrThrow(await run(tool, input, context?.abortSignal)),
  }));
}
