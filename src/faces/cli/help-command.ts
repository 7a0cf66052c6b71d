/** `agent-ls help [COMMAND]`, and the manual page for users whose `man` does not find it. */
import { knownWord } from '../../protocol/usage-error.ts';
import { helpText } from './help.ts';
import { manPage } from './man-page.ts';
import { COMMANDS, type CommandLine, type CommandName } from './options.ts';
import type { Streams } from './streams.ts';

export async function runHelp(line: CommandLine, streams: Streams): Promise<number> {
  const [given = 'list'] = line.positionals;
  const command = knownWord('command', given, COMMAND_NAMES);
  if (!line.switch('man')) await streams.print(helpText(command));
  else if (streams.isTerminal)
    await streams.print(`${COMMAND_NAMES.map(helpText).join('\n\n\n')}\n\n${HOW_TO_INSTALL}`);
  else await streams.print(manPage().trimEnd());
  return 0;
}

const HOW_TO_INSTALL = `As a manual page: agent-ls help --man | man -l -
So that 'man agent-ls' finds it: agent-ls help --man > ~/.local/share/man/man1/agent-ls.1`;

const COMMAND_NAMES = Object.keys(COMMANDS) as CommandName[];
