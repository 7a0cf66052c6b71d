/**
 * `agent-ls/openai`: the tools for the Responses API (`tools`), for chat completions (`chatTools`) and for the Agents
 * SDK (`agentTools`). None of the three can mark a result as a failure, so the text says it.
 */
import { forOpenAI, forOpenAIChat } from '../tools/shapes.ts';
import { openTools, type ToolsOptions, type ToolsPlace } from '../tools/tool.ts';
import { parsedArguments, type RunOptions, run, runByName } from './calls.ts';

export type { ToolsOptions, ToolsPlace } from '../tools/tool.ts';
export type { RunOptions } from './calls.ts';

/** A `function_call` item in the `output` of a response. */
export interface FunctionCall {
  name: string;
  /** JSON. */
  arguments: string;
  call_id: string;
}

/** The item that answers a call. */
export interface FunctionCallOutput {
  type: 'function_call_output';
  call_id: string;
  output: string;
}

/** The declarations for a request, and the function that answers the model's calls. */
export interface ResponsesTools {
  tools: ReturnType<typeof forOpenAI>[];
  /** Runs the model's call and returns the item that answers it in the `input` of the next request. */
  run(call: FunctionCall, options?: RunOptions): Promise<FunctionCallOutput>;
}

/**
 * Opens the tools for the Responses API.
 *
 * @example const ls = await tools('/abs/project'); await client.responses.create({ model, input, tools: ls.tools })
 */
export async function tools(place: ToolsPlace, options: ToolsOptions = {}): Promise<ResponsesTools> {
  const defined = await openTools(place, options);
  return {
    tools: defined.map(forOpenAI),
    run: async (call, options) => {
      const { text } = await runByName(defined, call.name, parsedArguments(call.arguments), options);
      return { type: 'function_call_output', call_id: call.call_id, output: text };
    },
  };
}

/** An item of an assistant message's `tool_calls`. */
export interface ChatToolCall {
  id: string;
  function: { name: string; arguments: string };
}

/** The message that answers a call. */
export interface ChatToolMessage {
  role: 'tool';
  tool_call_id: string;
  content: string;
}

/** The declarations for a request, and the function that answers the model's calls. */
export interface ChatTools {
  tools: ReturnType<typeof forOpenAIChat>[];
  /** Runs the model's call and returns the message that answers it. */
  run(call: ChatToolCall, options?: RunOptions): Promise<ChatToolMessage>;
}

/**
 * Opens the tools for chat completions.
 *
 * @example const ls = await chatTools('/abs/project'); client.chat.completions.create({ model, messages, tools: ls.tools })
 */
export async function chatTools(place: ToolsPlace, options: ToolsOptions = {}): Promise<ChatTools> {
  const defined = await openTools(place, options);
  return {
    tools: defined.map(forOpenAIChat),
    run: async ({ id, function: called }, options) => {
      const { text } = await runByName(defined, called.name, parsedArguments(called.arguments), options);
      return { role: 'tool', tool_call_id: id, content: text };
    },
  };
}

/** A function tool of `@openai/agents`, in the form that its own `tool()` returns. */
export interface AgentTool extends Omit<ReturnType<typeof forOpenAI>, 'parameters'> {
  parameters: AgentParameters;
  invoke(context: unknown, input: string, details?: RunOptions): Promise<string>;
  needsApproval(): Promise<boolean>;
  isEnabled(): Promise<boolean>;
}

/** JSON Schema with every property that the Agents SDK requires. */
export interface AgentParameters {
  type: 'object';
  properties: Record<string, object>;
  required: string[];
  additionalProperties: boolean;
}

/**
 * Opens the tools for agents of the Agents SDK.
 *
 * @example new Agent({ name, instructions, tools: await agentTools('/abs/project') })
 */
export async function agentTools(place: ToolsPlace, options: ToolsOptions = {}): Promise<AgentTool[]> {
  return (await openTools(place, options)).map((tool) => ({
    ...forOpenAI(tool),
    parameters: { properties: {}, required: [], additionalProperties: true, ...tool.parameters },
    invoke: async (_context, input, details) => (await run(tool, parsedArguments(input), details?.signal)).text,
    needsApproval: async () => false,
    isEnabled: async () => true,
  }));
}
