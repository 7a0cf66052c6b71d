/** `agent-ls/ai-sdk`: the tools for `tools` of `generateText`, `streamText` and agents of the AI SDK. */
import type { Workspace } from '../../workspace/workspace.ts';
import { type InputSchema, openTools, type Tool, type ToolsOptions } from '../tools/tool.ts';
import { run, textOrThrow } from './calls.ts';

export type { ToolsOptions } from '../tools/tool.ts';

export interface AiSdkTool {
  title: string;
  description: string;
  /** A Standard Schema with JSON Schema, which the AI SDK takes as it is. */
  inputSchema: InputSchema;
  /** A failure is thrown, and becomes a `tool-error` that the model reads. */
  execute(input: unknown, options?: { abortSignal?: AbortSignal | undefined }): Promise<string>;
}

/** @example await generateText({ model, prompt, tools: await tools('/abs/project') }) */
export async function tools(root: string | Workspace, options: ToolsOptions = {}): Promise<Record<string, AiSdkTool>> {
  const defined = await openTools(root, options);
  return Object.fromEntries(defined.map((tool) => [tool.name, shaped(tool)]));
}

function shaped(tool: Tool): AiSdkTool {
  const { title, description, parameters } = tool;
  return {
    title,
    description,
    inputSchema: parameters,
    execute: async (input, options) => textOrThrow(await run(tool, input, options?.abortSignal)),
  };
}
