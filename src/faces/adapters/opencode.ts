/** `agent-ls/opencode`: the tools for an opencode plugin. They replace opencode's own tools of the same name. */
import { keyed, openTools, type Tool, type ToolsOptions, type ToolsPlace } from '../tools/tool.ts';
import { checkHelper, run, textOrThrow } from './calls.ts';

export type { ToolsOptions, ToolsPlace } from '../tools/tool.ts';

/** The part of zod that is used to describe parameters. */
export interface ZodLike<Schema> {
  any(): { optional(): { meta(description: object): Schema } };
}

/** The options of `tools`, including opencode's own zod. */
export interface OpencodeOptions<Schema> extends ToolsOptions {
  /** `tool.schema` from `@opencode-ai/plugin`. */
  readonly schema: ZodLike<Schema>;
}

/** A tool of an opencode plugin. */
export interface OpencodeTool<Schema> {
  description: string;
  args: Record<string, Schema>;
  /** Throws on failure, and the model reads the message. */
  execute(args: unknown, context: { abort: AbortSignal }): Promise<string>;
}

/**
 * Opens the tools and returns them by name.
 *
 * @example export const AgentLs = async ({ directory }) => ({ tool: await tools(directory, { schema: tool.schema }) })
 */
export async function tools<Schema>(
  place: ToolsPlace,
  options: OpencodeOptions<Schema>,
): Promise<Record<string, OpencodeTool<Schema>>> {
  checkHelper(options, 'schema', 'any', '`tool.schema` from @opencode-ai/plugin');
  return keyed(await openTools(place, options, ['schema']), (tool) => ({
    description: tool.description,
    args: argsOf(tool, options.schema),
    execute: async (args, context) => textOrThrow(await run(tool, args, context?.abort)),
  }));
}

/** Creates schemas that describe the parameters and accept anything: the tool itself reports what is wrong. */
function argsOf<Schema>({ parameters }: Tool, zod: ZodLike<Schema>): Record<string, Schema> {
  const properties = Object.entries(parameters.properties as Record<string, object>);
  return Object.fromEntries(properties.map(([name, property]) => [name, zod.any().optional().meta(property)]));
}
