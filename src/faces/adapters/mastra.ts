/** `agent-ls/mastra`: the tools for `tools` of a Mastra agent, which takes those of the AI SDK. */
import type { Workspace } from '../../workspace/workspace.ts';
import type { ToolsOptions } from '../tools/tool.ts';
import { type AiSdkTool, tools as aiSdkTools } from './ai-sdk.ts';

export type { ToolsOptions } from '../tools/tool.ts';

export interface MastraTool extends AiSdkTool {
  id: string;
  /** Without it Mastra writes another schema for some models. */
  strict: false;
}

/** @example new Agent({ id, name, instructions, model, tools: await tools('/abs/project') }) */
export async function tools(root: string | Workspace, options: ToolsOptions = {}): Promise<Record<string, MastraTool>> {
  const shaped = Object.entries(await aiSdkTools(root, options));
  return Object.fromEntries(shaped.map(([name, tool]) => [name, { ...tool, id: name, strict: false }]));
}
