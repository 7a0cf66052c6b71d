/** The command `agent-ls`, from its arguments to its exit status. Each subcommand is loaded when it is used. */
import { UsageError } from '../../protocol/usage-error.ts';
import { VERSION } from '../../version.ts';
import { escaped } from '../../workspace/quote.ts';
import { type CommandLine, parseCommandLine } from './options.ts';
import type { Streams } from './streams.ts';

/** 0 done, 1 the call was answered with an error, 2 wrong usage. */
export async function runCommandLine(words: readonly string[], streams: Streams): Promise<number> {
  try {
    const line = parseCommandLine(words);
    if (line.switch('help')) {
      const { helpText } = await import('./help.ts');
      await streams.print(helpText(line.command));
      return 0;
    }
    if (line.switch('version')) {
      await streams.print(VERSION);
      return 0;
    }
    if (!line.switch('tokens')) return await runCommand(line, streams);
    const { countingTokens } = await import('./tokens.ts');
    return await countingTokens(streams, (counted) => runCommand(line, counted));
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const isUsage = error instanceof UsageError;
    streams.complain(`agent-ls: ${escaped(message)}${isUsage ? "\nTry 'agent-ls --help'." : ''}`);
    return isUsage ? 2 : 1;
  }
}

async function runCommand(line: CommandLine, streams: Streams): Promise<number> {
  switch (line.command) {
    case 'list':
      return (await import('./list.ts')).runList(line, streams);
    case 'tree':
      return (await import('./tree.ts')).runTree(line, streams);
    case 'call':
      return (await import('./call.ts')).runCall(line, streams);
    case 'explain':
      return (await import('./explain.ts')).runExplain(line, streams);
    case 'schema':
      return (await import('./schema.ts')).runSchema(line, streams);
    case 'completions':
      return (await import('./completions.ts')).runCompletions(line, streams);
    case 'mcp':
      return (await import('./mcp.ts')).runMcp(line, streams);
  }
}
