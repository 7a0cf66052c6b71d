/** `agent-ls/mastra`: the tools for `tools` of a Mastra agent. */
import type { Workspace } from '../../workspace/workspace.ts';
import { openTools, type ToolsOptions } from '../tools/open.ts';
import { type AiSdkTool, shaped } from './ai-sdk.ts';

export type { ToolsOptions } from '../tools/open.ts';

/** Mastra takes the tools of the AI SDK. */
export interface MastraTool extends AiSdkTool {
  id: string;
  /** Without it Mastra writes another schema for some models. */
  strict: false;
}

/** @example new Agent({ id, name, instructions, model, tools: await tools('/abs/project') }) */
export async function tools(root: string | Workspace, options: ToolsOptions = {}): Promise<Record<string, MastraTool>> {
  const defined = await openTools(root, options);
  return Object.fromEntries(defined.map((tool) => [tool.name, { id: tool.name, strict: false, ...shaped(tool) }]));
}
