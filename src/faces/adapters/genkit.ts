/** `agent-ls/genkit`: the tools for `tools` of Genkit's `generate`. */
import { openTools, type ToolsOptions, type ToolsPlace } from '../tools/tool.ts';
import { checkHelper, run, textOrThrow } from './calls.ts';

export type { ToolsOptions, ToolsPlace } from '../tools/tool.ts';

/** The part of a Genkit instance that makes tools. */
export interface GenkitLike<Made> {
  // biome-ignore lint/suspicious/noExplicitAny: Genkit's own type asks for its schemas, of which none is used here.
  dynamicTool(config: any, run: (input: any, options: any) => Promise<any>): Made;
}

/** The options of `tools`, including the Genkit instance that creates them. */
export interface GenkitOptions<Made> extends ToolsOptions {
  /** The return value of `genkit({ … })`. */
  readonly ai: GenkitLike<Made>;
}

/**
 * Opens the tools and returns them as a list. They throw on failure.
 *
 * @example await ai.generate({ model, prompt, tools: await tools('/abs/project', { ai }) })
 */
export async function tools<Made>(place: ToolsPlace, options: GenkitOptions<Made>): Promise<Made[]> {
  checkHelper(options, 'ai', 'dynamicTool', 'what genkit({ … }) returned');
  const { ai } = options;
  return (await openTools(place, options, ['ai'])).map((tool) => {
    const { name, description } = tool;
    const inputJsonSchema = JSON.parse(JSON.stringify(tool.parameters));
    return ai.dynamicTool({ name, description, inputJsonSchema }, async (input, call) =>
      textOrThrow(await run(tool, input, call?.abortSignal)),
    );
  });
}
