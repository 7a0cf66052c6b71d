/** `agent-ls/voltagent`: the tools for `tools` of a VoltAgent agent. */
import { type InputSchema, openTools, type ToolsOptions, type ToolsPlace } from '../tools/tool.ts';
import { run, textOrThrow } from './calls.ts';

export type { InputSchema, ToolsOptions, ToolsPlace } from '../tools/tool.ts';

/** The details that VoltAgent passes with a call. */
export interface VoltAgentCall {
  abortController?: AbortController | undefined;
  toolContext?: { abortSignal?: AbortSignal | undefined } | undefined;
}

/** A VoltAgent tool. */
export interface VoltAgentTool {
  id: string;
  name: string;
  description: string;
  parameters: InputSchema;
  type: 'user-defined';
  isClientSide(): false;
  /** Throws on failure, and the model reads the message. */
  execute(input: unknown, call?: VoltAgentCall): Promise<string>;
}

/**
 * Opens the tools and returns them as a list.
 *
 * @example new Agent({ name, instructions, model, tools: await tools('/abs/project') })
 */
export async function tools(place: ToolsPlace, options: ToolsOptions = {}): Promise<VoltAgentTool[]> {
  return (await openTools(place, options)).map((tool) => ({
    ...{ id: tool.name, name: tool.name, description: tool.description, parameters: tool.parameters },
    type: 'user-defined',
    isClientSide: () => false,
    execute: async (input, call) =>
      textOrThrow(await run(tool, input, call?.toolContext?.abortSignal ?? call?.abortController?.signal)),
  }));
}
