/**
 * `agent-ls/langchain`: the tools for `bindTools`, `createAgent` and `ToolNode`.
 *
 * LangChain's own `tool()` would validate the parameters against the schema first, and tell the model only that they do
 * not match. So these tools implement the properties that LangChain looks for in a tool.
 */
import { type InputSchema, openTools, type ToolsOptions, type ToolsPlace } from '../tools/tool.ts';
import { classIn, type RunOptions, run } from './calls.ts';

export type { ToolsOptions, ToolsPlace } from '../tools/tool.ts';
export type { RunOptions } from './calls.ts';

/** The options of `tools`, including LangChain's own message class. */
export interface LangChainOptions<Message> extends ToolsOptions {
  /**
   * The class from `@langchain/core/messages`. With it, a call returns a message like those of LangChain's own tools,
   * with the status `error` after a failure. Without it, a call returns the text, and the agent makes a message of it.
   */
  readonly ToolMessage?: (new (fields: ToolMessageFields) => Message) | undefined;
}

/** The fields of a message that answers a call. */
export interface ToolMessageFields {
  content: string;
  tool_call_id: string;
  name: string;
  status: 'success' | 'error';
  /** The dialect's own answer, which the model does not see. */
  artifact: unknown;
}

/** A type alias, because LangChain's types do not accept an interface as a record. */
export type LangChainTool<Message> = {
  name: string;
  description: string;
  schema: InputSchema;
  /** Distinguishes a tool that LangChain runs from one that the model's vendor runs. */
  lc_runnable: true;
  /** Takes the parameters, or a tool call that has them in its `args`. */
  invoke(input: unknown, config?: RunOptions): Promise<Message | string>;
};

/**
 * Opens the tools and returns them as a list.
 *
 * @example createAgent({ model, tools: await tools('/abs/project', { ToolMessage }) })
 */
export async function tools<Message = string>(
  place: ToolsPlace,
  options: LangChainOptions<Message> = {},
): Promise<LangChainTool<Message>[]> {
  const ToolMessage = options?.ToolMessage;
  if (ToolMessage !== undefined) classIn(options, 'ToolMessage');
  return (await openTools(place, options, ['ToolMessage'])).map((tool) => ({
    ...{ name: tool.name, description: tool.description, schema: tool.parameters, lc_runnable: true },
    invoke: async (input, config) => {
      const call = isToolCall(input) ? input : null;
      const { text, isError, answer } = await run(tool, call === null ? input : call.args, config?.signal);
      if (ToolMessage === undefined || call === null) return text;
      const status = isError ? 'error' : 'success';
      return new ToolMessage({ content: text, tool_call_id: call.id ?? '', name: tool.name, status, artifact: answer });
    },
  }));
}

function isToolCall(input: unknown): input is { readonly id?: string; readonly args: unknown } {
  return typeof input === 'object' && input !== null && 'type' in input && input.type === 'tool_call';
}
