/**
 * `agent-ls/ai-sdk`: the tools for `tools` of `generateText`, `streamText` and agents of the AI SDK, versions 5 to 7. The
 * model reads the text; an interface is given the answer as data beside it (`part.output.answer`).
 */
import type { ToolName } from '../../dialects/params.ts';
import type { DialectName } from '../../dialects/table.ts';
import {
  type InputSchema,
  type Keyed,
  type KeyedOptions,
  keyed,
  type OtherNames,
  openTools,
  type Tool,
  type ToolsOptions,
  type ToolsPlace,
} from '../tools/tool.ts';
import { run, ToolFailure } from './calls.ts';

export type { InputSchema, Keyed, KeyedOptions, OtherNames, ToolsOptions, ToolsPlace } from '../tools/tool.ts';

/** What a tool call gives. */
export interface AiSdkOutput {
  /** The model reads it. */
  text: string;
  /** The dialect's own answer object, for an interface. */
  answer: unknown;
}

/** A tool of the AI SDK. */
export interface AiSdkTool {
  title: string;
  description: string;
  /** A Standard Schema with JSON Schema, which the AI SDK takes as it is; for version 5 marked as one of its own. */
  inputSchema: InputSchema;
  /** A failure is thrown, and becomes a `tool-error` that the model reads. */
  execute(input: unknown, options?: { abortSignal?: AbortSignal | undefined }): Promise<AiSdkOutput>;
  /** Version 5 hands over the output alone, later ones with the call beside it. */
  toModelOutput(output: AiSdkOutput | { output: AiSdkOutput }): { type: 'text'; value: string };
}

/**
 * The tools by their names.
 *
 * @example await generateText({ model, prompt, tools: await tools('/abs/project') })
 */
export async function tools<
  const Name extends DialectName = 'standard',
  const Only extends ToolName<Name> = ToolName<Name>,
  const Names extends OtherNames<Name> = Record<never, never>,
>(place: ToolsPlace, options: KeyedOptions<Name, Only, Names> = {}): Promise<Keyed<Only, Names, AiSdkTool>> {
  return keyed(await openTools(place, options as ToolsOptions), shaped) as Keyed<Only, Names, AiSdkTool>;
}

function shaped(tool: Tool): AiSdkTool {
  const { title, description, parameters } = tool;
  return {
    title,
    description,
    inputSchema: asAiSchema(parameters),
    execute: async (input, options) => {
      const { text, isError, answer } = await run(tool, input, options?.abortSignal);
      if (isError) throw new ToolFailure(text);
      return { text, answer };
    },
    toModelOutput: (given) => ({ type: 'text', value: 'output' in given ? given.output.text : given.text }),
  };
}

/** Version 5 knows no schema but its own, by these marks. They are not enumerable, as the rest of what is not JSON Schema. */
function asAiSchema(parameters: InputSchema): InputSchema {
  return Object.defineProperties(parameters, {
    [Symbol.for('vercel.ai.schema')]: { value: true },
    [Symbol.for('vercel.ai.validator')]: { value: true },
    jsonSchema: { value: { ...parameters } },
    validate: { value: async (value: unknown) => ({ success: true, value }) },
  });
}
