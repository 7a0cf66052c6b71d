/** `agent-ls schema`: prints the tools' declarations in the shape that an API or a framework takes. */
import type { ToolDescription } from '../../dialects/dialect.ts';
import { loadDialect } from '../../dialects/table.ts';
import { knownWord } from '../../protocol/usage-error.ts';
import { checkedDialect } from '../library/misuse.ts';
import { forAnthropic, forAnyone, forGemini, forMcp, forOpenAI } from '../tools/shapes.ts';
import { type CommandLine, checkOneOf } from './command-line.ts';
import type { Streams } from './streams.ts';

/** Each includes all parameters, even those that models do not see. */
const SHAPES = {
  'json-schema': forAnyone,
  openai: forOpenAI,
  anthropic: forAnthropic,
  gemini: forGemini,
  mcp: (tool: ToolDescription) => ({ ...forMcp(tool), inputSchema: tool.parameters }),
} as const;

export async function runSchema(line: CommandLine, streams: Streams): Promise<number> {
  checkOneOf(line, 'envelope', 'for');
  if (line.switch('envelope')) {
    const { ENVELOPE_SCHEMA } = await import('../../protocol/envelope-schema.ts');
    await streams.print(JSON.stringify(ENVELOPE_SCHEMA, null, 2));
    return 0;
  }
  const apis = Object.keys(SHAPES) as (keyof typeof SHAPES)[];
  const shape = SHAPES[knownWord('--for', line.value('for') ?? 'json-schema', apis)];
  const { tools } = await loadDialect(checkedDialect(line.value('dialect') ?? 'standard'));
  const shaped = tools.map(({ tool }) => shape(tool));
  await streams.print(JSON.stringify(shaped, null, 2));
  return 0;
}
