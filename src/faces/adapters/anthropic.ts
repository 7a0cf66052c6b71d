/** `agent-ls/anthropic`: the tools for `messages.create`, and for the SDK's tool runner. */
import { forAnthropic } from '../tools/shapes.ts';
import { openTools, type Tool, type ToolsOptions, type ToolsPlace } from '../tools/tool.ts';
import { type RunOptions, run, runByName } from './calls.ts';

export type { ToolsOptions, ToolsPlace } from '../tools/tool.ts';
export type { RunOptions } from './calls.ts';

/** A block of type `tool_use` in a message. */
export interface ToolUse {
  id: string;
  name: string;
  input: unknown;
}

/** The block that answers a call. */
export interface ToolResult {
  type: 'tool_result';
  tool_use_id: string;
  content: string;
  is_error?: true;
}

/** A declaration that the SDK's `toolRunner` can run as well; as JSON it is the declaration alone. */
export interface RunnableTool extends ReturnType<typeof forAnthropic> {
  run(input: unknown, context?: RunOptions): Promise<string>;
  parse(input: unknown): unknown;
}

/** The declarations for a request, and what answers the model's calls. */
export interface AnthropicTools {
  tools: RunnableTool[];
  /** From the model's call to the block that answers it in the next user message. */
  run(call: ToolUse, options?: RunOptions): Promise<ToolResult>;
}

/**
 * The tools for messages, and for the SDK's tool runner.
 *
 * @example const ls = await tools('/abs/project'); await client.messages.create({ model, max_tokens, messages, tools: ls.tools })
 */
export async function tools(place: ToolsPlace, options: ToolsOptions = {}): Promise<AnthropicTools> {
  const defined = await openTools(place, options);
  return {
    tools: defined.map(runnable),
    run: async ({ id, name, input }, options) => {
      const { text, isError } = await runByName(defined, name, input, options);
      const result: ToolResult = { type: 'tool_result', tool_use_id: id, content: text };
      return isError ? { ...result, is_error: true } : result;
    },
  };
}

function runnable(tool: Tool): RunnableTool {
  return {
    ...forAnthropic(tool),
    parse: (input) => input,
    run: async (input, context) => {
      const { text, isError } = await run(tool, input, context?.signal);
      // The runner marks what is thrown as an error, and writes 'Error: ' before it: once is enough.
      if (isError) throw new Error(text.replace(/^Error: /, ''));
      return text;
    },
  };
}
