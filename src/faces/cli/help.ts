/** `agent-ls help`: the help texts and the manual page, generated from the option table. */
import { knownWord } from '../../protocol/usage-error.ts';
import { VERSION } from '../../version.ts';
import {
  COMMAND_SPECS,
  COMMANDS,
  type CommandLine,
  type CommandName,
  type CommandSpec,
  EXIT_STATUSES,
  type OptionSpec,
  spellings,
} from './options.ts';
import type { Streams } from './streams.ts';

const COMMAND_NAMES = Object.keys(COMMANDS) as CommandName[];

export async function runHelp(line: CommandLine, streams: Streams): Promise<number> {
  const command = knownWord('command', line.positionals[0] ?? 'list', COMMAND_NAMES);
  if (!line.switch('man')) await streams.print(helpText(command));
  else if (streams.isTerminal)
    await streams.print(`${COMMAND_NAMES.map(helpText).join('\n\n\n')}\n\n${HOW_TO_INSTALL}`);
  else await streams.print(manPage().trimEnd());
  return 0;
}

const HOW_TO_INSTALL = `As a manual page: agent-ls help --man | man -l -
So that 'man agent-ls' finds it: agent-ls help --man > ~/.local/share/man/man1/agent-ls.1`;

export function helpText(command: CommandName): string {
  const spec: CommandSpec = COMMANDS[command];
  const blocks = [`Usage: ${spec.usage}\n\n${asSentence(spec.summary)}`];
  if (command === 'list') {
    blocks.push(`Commands:\n${alignedRows(Object.values(COMMANDS).map(({ usage, summary }) => [usage, summary]))}`);
  }
  const groups = new Map<string, [string, string][]>();
  for (const [group, row] of optionRows(spec)) groups.set(group, [...(groups.get(group) ?? []), row]);
  const width = Math.max(...[...groups.values()].flat().map(([left]) => left.length));
  for (const [group, rows] of groups) blocks.push(`${group}:\n${alignedRows(rows, width)}`);
  blocks.push(`Exit status: ${EXIT_STATUSES.map((words) => words.join(' ')).join(', ')}.`);
  return blocks.join('\n\n');
}

function optionRows(spec: CommandSpec): [group: string, row: [string, string]][] {
  const hasGroups = Object.values(spec.options).some(({ group }) => group !== undefined);
  return Object.entries(spec.options).map(([name, option]) => {
    const words = spellings(name, option).join(', ');
    const left = `${words.startsWith('--') ? '    ' : ''}${words}${option.value === undefined ? '' : ` ${option.value}`}`;
    return [option.group ?? (hasGroups ? 'Other options' : 'Options'), [left, option.help]];
  });
}

function alignedRows(
  rows: readonly [string, string][],
  width = Math.max(...rows.map(([left]) => left.length)),
): string {
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`).join('\n');
}

/** Capitalises the first letter and adds a full stop. */
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

const VARIABLES: readonly (readonly [string, string])[] = [
  ['LS_COLORS', 'Colours by type and by the end of a name, as in ls(1) and dircolors(1). Only numbers are accepted.'],
  ['NO_COLOR', 'If it is not empty, colours are off, unless --color always is given.'],
  [
    'CLICOLOR_FORCE, FORCE_COLOR',
    'If it is neither empty nor 0, colours are on even if the terminal seems to have none.',
  ],
  [
    'LC_ALL, LC_CTYPE, LANG',
    'The first that is set decides whether the terminal shows UTF-8. If not, names are quoted.',
  ],
  ['AGENT_LS_TOKEN', 'With mcp --http: the token that every request must send.'],
];

function section(command: string, { usage, summary, options }: CommandSpec): string[] {
  return [
    `.SH ${command === 'list' ? 'OPTIONS' : roff(command.toUpperCase())}`,
    `.B ${roff(usage)}`,
    '.PP',
    roff(asSentence(summary)),
    ...Object.entries(options).flatMap(([name, option]) => ['.TP', spelled(name, option), roff(option.help)]),
  ];
}

/** Returns `-p, --pattern GLOB`, with the value in italics. */
function spelled(name: string, option: OptionSpec): string {
  const { value } = option;
  return `\\fB${roff(spellings(name, option).join(', '))}\\fR${value === undefined ? '' : ` \\fI${value}\\fR`}`;
}

/** Escapes everything that roff would interpret. */
function roff(text: string): string {
  return text.replaceAll('\\', '\\e').replaceAll('-', '\\-').replace(/^[.']/, '\\&$&');
}
