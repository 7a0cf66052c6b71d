/**
 * `agent-ls/ai-sdk`: the tools for `tools` of `generateText`, `streamText` and agents of the AI SDK, versions 5 to 7.
 * The model reads the text. A user interface also receives the answer as data (`part.output.answer`).
 */
import type { ToolName } from '../../dialects/params.ts';
import type { DialectName } from '../../dialects/table.ts';
import type { InputSchema, Keyed, OtherNames, Tool, ToolsOptions, ToolsPlace } from '../tools/tool.ts';
import { keyed, openTools } from '../tools/tool.ts';
import { run, textOrThrow } from './calls.ts';

export type { InputSchema, Keyed, OtherNames, ToolsOptions, ToolsPlace } from '../tools/tool.ts';

/** The output of a tool call. */
export interface AiSdkOutput {
  /** The text that the model reads. */
  text: string;
  /** The dialect's own answer object, for a user interface. */
  answer: unknown;
}

/** A tool of the AI SDK. */
export interface AiSdkTool {
  title: string;
  description: string;
  /** A Standard Schema with JSON Schema, which the AI SDK accepts; for version 5 it is marked as one of its own. */
  inputSchema: InputSchema;
  /** Throws on failure. The SDK turns the error into a `tool-error` that the model reads. */
  execute(input: unknown, options?: { abortSignal?: AbortSignal | undefined }): Promise<AiSdkOutput>;
  /** Version 5 passes the output alone; later versions pass an object that contains it. */
  toModelOutput(output: AiSdkOutput | { output: AiSdkOutput }): { type: 'text'; value: string };
}

/**
 * Opens the tools and returns them by name.
 *
 * @example await generateText({ model, prompt, tools: await tools('/abs/project') })
 */
export async function tools<
  const Name extends DialectName = 'standard',
  const Only extends ToolName<Name> = ToolName<Name>,
  const Names extends OtherNames<Name> = Record<never, never>,
>(place: ToolsPlace, options: ToolsOptions<Name, Only, Names> = {}): Promise<Keyed<Only, Names, AiSdkTool>> {
  return keyed(await openTools(place, options as ToolsOptions), shaped) as Keyed<Only, Names, AiSdkTool>;
}

function shaped(tool: Tool): AiSdkTool {
  const { title, description, parameters } = tool;
  return {
    title,
    description,
    inputSchema: asAiSchema(parameters),
    execute: async (input, options) => {
      const answered = await run(tool, input, options?.abortSignal);
      return { text: textOrThrow(answered), answer: answered.answer };
    },
    toModelOutput: (given) => ({ type: 'text', value: 'output' in given ? given.output.text : given.text }),
  };
}

/** Version 5 accepts only its own schemas, which have these marks. They are not enumerable, so the JSON stays plain. */
function asAiSchema(parameters: InputSchema): InputSchema {
  return Object.defineProperties(parameters, {
    [Symbol.for('vercel.ai.schema')]: { value: true },
    [Symbol.for('vercel.ai.validator')]: { value: true },
    jsonSchema: { value: { ...parameters } },
    validate: { value: async (value: unknown) => ({ success: true, value }) },
  });
}
