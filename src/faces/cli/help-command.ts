/** `agent-ls help [COMMAND]`, and the manual page for users whose `man` does not find it. */
import { didYouMeanOrKnown } from '../../protocol/nearest.ts';
import { UsageError } from '../../protocol/usage-error.ts';
import { helpText } from './help.ts';
import { manPage } from './man-page.ts';
import { COMMANDS, type CommandLine, type CommandName } from './options.ts';
import type { Streams } from './streams.ts';

export async function runHelp(line: CommandLine, streams: Streams): Promise<number> {
  const [given = 'list'] = line.positionals;
  const command = commandNames().find((name) => name === given);
  if (command === undefined) {
    throw new UsageError(`Unknown command '${given}'.${didYouMeanOrKnown(given, commandNames())}`);
  }
  if (!line.switch('man')) await streams.print(helpText(command));
  else if (streams.isTerminal) await streams.print(`${wholeHelp()}\n\n${HOW_TO_INSTALL}`);
  else await streams.print(manPage().trimEnd());
  return 0;
}

const HOW_TO_INSTALL = `As a manual page: agent-ls help --man | man -l -
So that 'man agent-ls' finds it: agent-ls help --man > ~/.local/share/man/man1/agent-ls.1`;

function commandNames(): CommandName[] {
  return Object.keys(COMMANDS) as CommandName[];
}

function wholeHelp(): string {
  return commandNames().map(helpText).join('\n\n\n');
}
