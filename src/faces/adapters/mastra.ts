/** `agent-ls/mastra`: the tools for `tools` of a Mastra agent. */
import type { ToolName } from '../../dialects/params.ts';
import type { DialectName } from '../../dialects/table.ts';
import type { InputSchema, Keyed, OtherNames, ToolsOptions, ToolsPlace } from '../tools/tool.ts';
import { keyed, openTools } from '../tools/tool.ts';
import { run, textOrThrow } from './calls.ts';

export type { InputSchema, Keyed, OtherNames, ToolsOptions, ToolsPlace } from '../tools/tool.ts';

/** A Mastra tool. */
export interface MastraTool {
  id: string;
  title: string;
  description: string;
  inputSchema: InputSchema;
  /** Throws on failure. Mastra turns the error into a `tool-error` that the model reads. */
  execute(input: unknown, options?: { abortSignal?: AbortSignal | undefined }): Promise<string>;
  /** Without it, Mastra rewrites the schema for some models. */
  strict: false;
}

/**
 * Opens the tools and returns them by name.
 *
 * @example new Agent({ id, name, instructions, model, tools: await tools('/abs/project') })
 */
export async function tools<
  const Name extends DialectName = 'standard',
  const Only extends ToolName<Name> = ToolName<Name>,
  const Names extends OtherNames<Name> = Record<never, never>,
>(place: ToolsPlace, options: ToolsOptions<Name, Only, Names> = {}): Promise<Keyed<Only, Names, MastraTool>> {
  const shaped = keyed(await openTools(place, options as ToolsOptions), (tool): MastraTool => {
    const { name, title, description, parameters } = tool;
    return {
      ...{ id: name, title, description, inputSchema: parameters, strict: false },
      execute: async (input, call) => textOrThrow(await run(tool, input, call?.abortSignal)),
    };
  });
  return shaped as Keyed<Only, Names, MastraTool>;
}
