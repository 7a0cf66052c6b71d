/** `agent-ls schema`: the tools' declarations in the shape that an API or a framework takes. */
import type { ToolDeclaration } from '../../dialects/dialect.ts';
import { dialects } from '../../dialects/index.ts';
import { didYouMean } from '../../protocol/nearest.ts';
import { UsageError } from '../../protocol/usage-error.ts';
import { checkedDialect } from '../library/dialect-name.ts';
import { asMcpTool } from '../tools/mcp-tool.ts';
import type { CommandLine } from './options.ts';
import type { Streams } from './streams.ts';

const SHAPES: Readonly<Record<string, (tool: ToolDeclaration) => unknown>> = {
  'json-schema': ({ name, title, description, parameters }) => ({ name, title, description, parameters }),
  openai: ({ name, description, parameters }) => ({ type: 'function', name, description, parameters, strict: false }),
  anthropic: ({ name, description, parameters }) => ({ name, description, input_schema: parameters }),
  gemini: ({ name, description, parameters }) => ({ name, description, parametersJsonSchema: parameters }),
  mcp: asMcpTool,
};

export async function runSchema(line: CommandLine, streams: Streams): Promise<number> {
  const { tool } = dialects[checkedDialect(line.value('dialect') ?? 'standard')];
  const wanted = line.value('for') ?? 'json-schema';
  const shape = Object.hasOwn(SHAPES, wanted) ? SHAPES[wanted] : undefined;
  if (shape === undefined) {
    const hint = didYouMean(wanted, Object.keys(SHAPES)) || ` Known: ${Object.keys(SHAPES).join(', ')}.`;
    throw new UsageError(`Unknown --for '${wanted}'.${hint}`);
  }
  await streams.print(JSON.stringify([shape(tool)], null, 2));
  return 0;
}
