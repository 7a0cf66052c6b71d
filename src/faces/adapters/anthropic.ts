/** `agent-ls/anthropic`: the tools for `messages.create`, and for the SDK's tool runner. */
import { forAnthropic } from '../tools/shapes.ts';
import { openTools, type ToolsOptions, type ToolsPlace } from '../tools/tool.ts';
import { type RunOptions, run, runByName } from './calls.ts';

export type { ToolsOptions, ToolsPlace } from '../tools/tool.ts';
export type { RunOptions } from './calls.ts';

/** A `tool_use` block of a message. */
export interface ToolUse {
  type?: 'tool_use';
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

/** A declaration that the SDK's `toolRunner` can also run. Serialised as JSON, it is the plain declaration. */
export interface RunnableTool extends ReturnType<typeof forAnthropic> {
  run(input: unknown, context?: RunOptions): Promise<string>;
  parse(input: unknown): unknown;
}

/** The declarations for a request, and the function that answers the model's calls. */
export interface AnthropicTools {
  tools: RunnableTool[];
  /** Runs the model's call and returns the block that answers it in the next user message. */
  run(call: ToolUse, options?: RunOptions): Promise<ToolResult>;
}

/**
 * Opens the tools for messages and for the SDK's tool runner.
 *
 * @example const ls = await tools('/abs/project'); await client.messages.create({ model, max_tokens, messages, tools: ls.tools })
 */
export async function tools(place: ToolsPlace, options: ToolsOptions = {}): Promise<AnthropicTools> {
  const defined = await openTools(place, options);
  return {
    tools: defined.map((tool) => ({
      ...forAnthropic(tool),
      parse: (input) => input,
      run: async (input, context) => {
        const { text, isError } = await run(tool, input, context?.signal);
        // The runner marks a thrown error as such and prepends 'Error: ', so the text's own prefix is removed.
        if (isError) throw new Error(text.replace(/^Error: /, ''));
        return text;
      },
    })),
    run: async ({ id, name, input }, options) => {
      const { text, isError } = await runByName(defined, name, input, options);
      const result: ToolResult = { type: 'tool_result', tool_use_id: id, content: text };
      return isError ? { ...result, is_error: true } : result;
    },
  };
}
