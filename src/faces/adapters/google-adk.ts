/** `agent-ls/google-adk`: the tools for `tools` of an agent of Google's Agent Development Kit. */
import type { ObjectSchema } from '../../dialects/dialect.ts';
import { openTools, type ToolsOptions, type ToolsPlace } from '../tools/tool.ts';
import { classIn, run } from './calls.ts';

export type { ToolsOptions, ToolsPlace } from '../tools/tool.ts';

/** The constructor options of the ADK's FunctionTool. */
export interface AdkToolOptions {
  name: string;
  description: string;
  /** A schema of Google's Gen AI SDK. */
  parameters: object;
  execute(input: unknown, context?: unknown): Promise<{ output: string } | { error: string }>;
}

/** The options of `tools`, including the ADK's own class. */
export interface AdkOptions<Made> extends ToolsOptions {
  /** From `@google/adk`: its agents accept only instances of this class. */
  readonly FunctionTool: new (
    options: never,
  ) => Made;
}

/**
 * Opens the tools and returns them as a list.
 *
 * @example new LlmAgent({ name, model, instruction, tools: await tools('/abs/project', { FunctionTool }) })
 */
export async function tools<Made>(place: ToolsPlace, options: AdkOptions<Made>): Promise<Made[]> {
  const FunctionTool = classIn(options, 'FunctionTool') as new (options: AdkToolOptions) => Made;
  return (await openTools(place, options, ['FunctionTool'])).map(
    (tool) =>
      new FunctionTool({
        ...{ name: tool.name, description: tool.description, parameters: googleSchema(tool.parameters) },
        execute: async (input) => {
          const { text, isError } = await run(tool, input, undefined);
          return isError ? { error: text } : { output: text };
        },
      }),
  );
}

/** Converts JSON Schema to the form of Google's APIs: types in capitals, and no `additionalProperties`. */
function googleSchema({ additionalProperties, ...schema }: ObjectSchema): object {
  return JSON.parse(JSON.stringify(schema), (key, value) =>
    key === 'type' && typeof value === 'string' ? value.toUpperCase() : value,
  );
}
