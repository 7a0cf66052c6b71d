/** `agent-ls/gemini`: the tools for `generateContent` of Google's Gen AI SDK, and for its automatic function calling. */
import { forGemini } from '../tools/shapes.ts';
import { openTools, type ToolsOptions, type ToolsPlace } from '../tools/tool.ts';
import { type RunOptions, runByName } from './calls.ts';

export type { ToolsOptions, ToolsPlace } from '../tools/tool.ts';
export type { RunOptions } from './calls.ts';

/** A function call in a response of the model. */
export interface FunctionCall {
  id?: string;
  name?: string;
  args?: Record<string, unknown>;
}

/** The part that answers a call. */
export interface FunctionResponsePart {
  functionResponse: { id?: string; name: string; response: { output: string } | { error: string } };
}

/** Declarations in the form that a request takes. */
export interface FunctionTool {
  functionDeclarations: ReturnType<typeof forGemini>[];
}

/** In `config.tools` of a request, `...ls.tools` only declares; `ls` itself is a CallableTool, which the SDK runs. */
export interface GeminiTools {
  tools: FunctionTool[];
  /** Runs the model's call and returns the part that answers it in the next user content. */
  run(call: FunctionCall, options?: RunOptions): Promise<FunctionResponsePart>;
  tool(): Promise<FunctionTool>;
  callTool(calls: FunctionCall[]): Promise<FunctionResponsePart[]>;
}

/**
 * Opens the tools for `generateContent`.
 *
 * @example const ls = await tools('/abs/project'); await ai.models.generateContent({ model, contents, config: { tools: [ls] } })
 */
export async function tools(place: ToolsPlace, options: ToolsOptions = {}): Promise<GeminiTools> {
  const defined = await openTools(place, options);
  const declared = { functionDeclarations: defined.map(forGemini) };
  const run: GeminiTools['run'] = async (call, options) => {
    const { text, isError } = await runByName(defined, call.name, call.args, options);
    const response = isError ? { error: text } : { output: text };
    return { functionResponse: { ...(call.id === undefined ? {} : { id: call.id }), name: call.name ?? '', response } };
  };
  // The SDK passes all calls of a turn to every CallableTool, so calls of other tools are skipped.
  const isOurs = ({ name }: FunctionCall) => defined.some((tool) => tool.name === name);
  return {
    tools: [declared],
    run,
    tool: async () => declared,
    callTool: (calls) => Promise.all(calls.filter(isOurs).map((call) => run(call))),
  };
}
