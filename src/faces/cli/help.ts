/** `agent-ls help`: the help texts and the manual page, generated from the option table. */
import { knownWord } from '../../protocol/usage-error.ts';
import { VERSION } from '../../version.ts';
import type { CommandLine } from './command-line.ts';
import type { CommandName, CommandSpec } from './options.ts';
import { COMMAND_SPECS, COMMAND_WORDS, COMMANDS, EXIT_STATUSES, shownOptions, spellings } from './options.ts';
import type { Streams } from './streams.ts';

export async function runHelp(line: CommandLine, streams: Streams): Promise<number> {
  const [given] = line.positionals;
  const command = given === undefined ? 'list' : knownWord('command', given, COMMAND_WORDS);
  if (!line.switch('man')) await streams.print(helpText(command));
  else if (streams.isTerminal)
    await streams.print(`${(['list', ...COMMAND_WORDS] as const).map(helpText).join('\n\n\n')}\n\n${HOW_TO_INSTALL}`);
  else await streams.print(manPage().trimEnd());
  return 0;
}

const HOW_TO_INSTALL = `As a manual page: agent-ls help --man | man -l -
So that 'man agent-ls' finds it: agent-ls help --man > ~/.local/share/man/man1/agent-ls.1`;

export function helpText(command: CommandName): string {
  const spec: CommandSpec = COMMANDS[command];
  const blocks = [`Usage: ${spec.usage}\n\n${asSentence(spec.summary)}`];
  if (command === 'list')
    blocks.push(`Commands:\n${alignedRows(Object.values(COMMANDS).map(({ usage, summary }) => [usage, summary]))}`);
  const options = shownOptions(spec);
  const others = options.some(([, { group }]) => group !== undefined) ? 'Other options' : 'Options';
  const groups = new Map<string, [string, string][]>();
  for (const [name, option] of options) {
    const words = spellings(name, option).join(', ');
    const left = `${words.startsWith('--') ? '    ' : ''}${words}${option.value === undefined ? '' : ` ${option.value}`}`;
    const { group = others } = option;
    groups.set(group, [...(groups.get(group) ?? []), [left, option.help]]);
  }
  const width = Math.max(...[...groups.values()].flat().map(([left]) => left.length));
  for (const [group, rows] of groups) blocks.push(`${group}:\n${alignedRows(rows, width)}`);
  blocks.push(`Exit status: ${EXIT_STATUSES.map((words) => words.join(' ')).join(', ')}.`);
  return blocks.join('\n\n');
}

function alignedRows(rows: readonly [string, string][], width = Math.max(...rows.map(([left]) => left.length))) {
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`).join('\n');
}

function asSentence(summary: string): string {
  return `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`;
}

/** The build writes it to a file. It is also printed, for users whose `man` does not find it. */
export function manPage(): string {
  const lines = [
    `.TH AGENT-LS 1 "" "agent-ls ${VERSION}"`,
    '.SH NAME',
    'agent-ls \\- list directories, for people and for AI agents',
    '.SH SYNOPSIS',
    '.nf',
    ...COMMAND_SPECS.map(([, { usage }]) => roff(usage)),
    '.fi',
    '.SH DESCRIPTION',
    roff('Lists a directory, or answers the tool calls of an AI agent, and never shows what is outside of its root.'),
    roff('On a terminal, names are shown in columns or as a tree, with colours; elsewhere plain, one per line.'),
    ...COMMAND_SPECS.flatMap(([command, spec]) => section(command, spec)),
    '.SH EXIT STATUS',
    ...EXIT_STATUSES.flatMap(([status, meaning]) => ['.TP', status, meaning]),
    '.SH ENVIRONMENT',
    ...VARIABLES.flatMap(([name, about]) => ['.TP', `.B ${roff(name)}`, roff(about)]),
  ];
  return `${lines.join('\n')}\n`;
}

/** The one table of environment variables, which docs/command-line.md repeats. */
export const VARIABLES = Object.entries({
  LS_COLORS: 'Colours by type and by the end of a name, as in ls(1) and dircolors(1). Only numbers are accepted.',
  NO_COLOR: 'If it is not empty, colours are off, unless --color always is given.',
  'CLICOLOR_FORCE, FORCE_COLOR': 'If neither empty nor 0, colours are on even if the terminal seems to have none.',
  CLICOLOR: 'If it is 0, colours are off.',
  TERM: 'If it is dumb, there are no colours, links or progress; if it is not set, no colours.',
  'LC_ALL, LC_CTYPE, LANG': 'The first that is set says whether the terminal shows UTF-8. If not, names are quoted.',
  AGENT_LS_ICONS:
    'With --icons: other icons, written as in LS_COLORS (di=X:ln=X:ex=X:fi=X:*.md=X). An empty one is none.',
  AGENT_LS_TOKEN: 'With mcp --http: the token that every request must send.',
  AGENT_LS_NO_GIT: 'If it is not empty, git is never started, as with --no-git.',
  AGENT_LS_NO_MAP: 'If it is not empty, the hook for the start of a session prints no map.',
  AGENT_LS_NO_SYSTEM_CALLS: 'If it is not empty, directories are read by Node alone, which is slower.',
  AGENT_LS_CACHE_MB: 'The memory, in megabytes, that a server may use to remember directories.',
  'TOOL_OUTPUT_MAX_LINES, TOOL_OUTPUT_MAX_BYTES': 'Defaults of envelope truncate: --max-lines, --max-bytes.',
  TOOL_OUTPUT_TRUNCATE_DIRECTION: 'Default of envelope truncate: --direction.',
  'TOOL_OUTPUT_DIR, TOOL_OUTPUT_RETENTION_DAYS': 'Defaults of envelope truncate: --directory, --retention-days.',
  'CLAUDE_CONFIG_DIR, CODEX_HOME, GEMINI_CLI_HOME': 'Where setup finds the settings of these clients.',
  'OPENCODE_CONFIG_DIR, XDG_CONFIG_HOME': 'Where setup finds the settings of opencode.',
});

function section(command: string, spec: CommandSpec): string[] {
  const { usage, summary } = spec;
  return [
    `.SH ${command === 'list' ? 'OPTIONS' : roff(command.toUpperCase())}`,
    `.B ${roff(usage)}`,
    '.PP',
    roff(asSentence(summary)),
    ...shownOptions(spec).flatMap(([name, option]) => {
      const value = option.value === undefined ? '' : ` \\fI${option.value}\\fR`;
      return ['.TP', `\\fB${roff(spellings(name, option).join(', '))}\\fR${value}`, roff(option.help)];
    }),
  ];
}

function roff(text: string): string {
  return text.replaceAll('\\', '\\e').replaceAll('-', '\\-').replace(/^[.']/, '\\&$&');
}
