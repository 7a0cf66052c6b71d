/** `agent-ls schema`: prints the tools' declarations in the shape that an API or a framework takes. */
import type { ToolDescription } from '../../dialects/dialect.ts';
import { loadDialect } from '../../dialects/table.ts';
import { didYouMeanOrKnown } from '../../protocol/nearest.ts';
import { UsageError } from '../../protocol/usage-error.ts';
import { checkedDialect } from '../library/dialect-name.ts';
import { forAnthropic, forAnyone, forGemini, forMcp, forOpenAI } from '../tools/shapes.ts';
import type { CommandLine } from './options.ts';
import type { Streams } from './streams.ts';

/** Each includes all parameters, even those that models do not see. */
const SHAPES: Readonly<Record<string, (tool: ToolDescription) => unknown>> = {
  'json-schema': forAnyone,
  openai: forOpenAI,
  anthropic: forAnthropic,
  gemini: forGemini,
  mcp: (tool) => ({ ...forMcp(tool), inputSchema: tool.parameters }),
};

export async function runSchema(line: CommandLine, streams: Streams): Promise<number> {
  if (line.switch('envelope')) {
    if (line.switch('for')) throw new UsageError('Choose one of --envelope and --for.');
    const { ENVELOPE_SCHEMA } = await import('../../protocol/envelope-schema.ts');
    await streams.print(JSON.stringify(ENVELOPE_SCHEMA, null, 2));
    return 0;
  }
  const wanted = line.value('for') ?? 'json-schema';
  const shape = Object.hasOwn(SHAPES, wanted) ? SHAPES[wanted] : undefined;
  if (shape === undefined) {
    throw new UsageError(`Unknown --for '${wanted}'.${didYouMeanOrKnown(wanted, Object.keys(SHAPES))}`);
  }
  const { tools } = await loadDialect(checkedDialect(line.value('dialect') ?? 'standard'));
  const shaped = tools.map(({ tool }) => shape(tool));
  await streams.print(JSON.stringify(shaped, null, 2));
  return 0;
}
