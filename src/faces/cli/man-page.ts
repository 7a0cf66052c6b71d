/** Generates the manual page from the option table, for the build and for `agent-ls help --man`. */
import { VERSION } from '../../version.ts';
import { asSentence } from './help.ts';
import { type CommandSpec, type OptionSpec, spellings } from './option-spec.ts';
import { COMMAND_SPECS, EXIT_STATUSES } from './options.ts';

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
