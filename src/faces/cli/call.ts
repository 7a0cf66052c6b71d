/** `agent-ls call`: a tool call as a model would make it. */
import { UsageError } from '../../protocol/usage-error.ts';
import { checkedDialect, loadTool } from '../library/misuse.ts';
import { type CommandLine, checkOneOf } from './command-line.ts';
import { namedWorkspace } from './open-path.ts';
import { jsonText, type Streams } from './streams.ts';

export async function runCall(line: CommandLine, streams: Streams): Promise<number> {
  const dialect = checkedDialect(line.value('dialect') ?? 'standard');
  const [given] = line.positionals;
  checkOneOf(line, 'text', 'json');
  if (line.switch('stdin')) {
    if (given !== undefined) throw new UsageError('With --stdin each line holds the parameters; leave out PARAMS.');
    if (line.switch('tool')) throw new UsageError('With --stdin each line names its tool: {"tool": "Tree"}.');
    if (line.switch('text')) throw new UsageError('With --stdin each line holds the text already; leave out --text.');
    const { answerStdin } = await import('./stdin.ts');
    return answerStdin(line, dialect, streams);
  }
  const tool = await loadTool(dialect, line.value('tool'));
  const params = parsedParams(given ?? '{}');
  const { answer, text, isError } = await tool.call(params, await namedWorkspace(line), { cache: false });
  await streams.print(line.switch('text') ? text : jsonText(answer, streams.isTerminal ? 2 : 0));
  return isError ? 1 : 0;
}

function parsedParams(given: string): unknown {
  try {
    return JSON.parse(given);
  } catch (error) {
    const reason = (error as Error).message;
    throw new UsageError(`PARAMS is not valid JSON (${reason}). Example: agent-ls call '{"path": "src"}'`);
  }
}
