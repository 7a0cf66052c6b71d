/** `agent-ls/opencode`: the tools for a plugin of opencode, which replace its own of the same name. */
import { keyed, openTools, type Tool, type ToolsOptions, type ToolsPlace } from '../tools/tool.ts';
import { run, textOrThrow } from './calls.ts';

export type { ToolsOptions, ToolsPlace } from '../tools/tool.ts';

/** The part of zod that describes parameters. */
export interface ZodLike<Schema> {
  any(): { optional(): { meta(description: object): Schema } };
}

/** The options, and opencode's own zod. */
export interface OpencodeOptions<Schema> extends ToolsOptions {
  /** `tool.schema` from `@opencode-ai/plugin`. */
  readonly schema: ZodLike<Schema>;
}

/** A tool of an opencode plugin. */
export interface OpencodeTool<Schema> {
  description: string;
  args: Record<string, Schema>;
  /** A failure is thrown, and the model reads its message. */
  execute(args: unknown, context: { abort: AbortSignal }): Promise<string>;
}

/**
 * The tools by their names.
 *
 * @example export const AgentLs = async ({ directory }) => ({ tool: await tools(directory, { schema: tool.schema }) })
 */
export async function tools<Schema>(
  place: ToolsPlace,
  options: OpencodeOptions<Schema>,
): Promise<Record<string, OpencodeTool<Schema>>> {
  return keyed(await openTools(place, options, ['schema']), (tool) => ({
    description: tool.description,
    args: argsOf(tool, options.schema),
    execute: async (args, context) => textOrThrow(await run(tool, args, context?.abort)),
  }));
}

/** Schemas that say what a parameter is, and refuse nothing: the tool itself says what is wrong. */
function argsOf<Schema>({ parameters }: Tool, zod: ZodLike<Schema>): Record<string, Schema> {
  const properties = Object.entries(parameters.properties as Record<string, object>);
  return Object.fromEntries(properties.map(([name, property]) => [name, zod.any().optional().meta(property)]));
}
