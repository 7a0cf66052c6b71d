/** The manual page, made from the table of options. Only the build uses it. */
import { VERSION } from '../../version.ts';
import { COMMANDS, type CommandSpec, type OptionSpec } from './options.ts';

const SPECS: readonly (readonly [string, CommandSpec])[] = Object.entries(COMMANDS);

export function manPage(): string {
  const lines = [
    `.TH AGENT-LS 1 "" "agent-ls ${VERSION}"`,
    '.SH NAME',
    'agent-ls \\- list directories, for people and for AI agents',
    '.SH SYNOPSIS',
    '.nf',
    ...SPECS.map(([, { usage }]) => roff(usage)),
    '.fi',
    '.SH DESCRIPTION',
    roff('Lists a directory, or answers the tool calls of an AI agent, and never shows what is outside of its root.'),
    roff('On a terminal names stand in columns, or in a tree, with colours; elsewhere one stands on a line, plain.'),
    ...SPECS.flatMap(([command, spec]) => section(command, spec)),
    '.SH EXIT STATUS',
    ...['0', 'done', '1', 'the call was answered with an error', '2', 'wrong usage'].flatMap((text, i) =>
      i % 2 === 0 ? ['.TP', text] : [text],
    ),
    '.SH ENVIRONMENT',
    ...ENVIRONMENT.flatMap(([name, about]) => ['.TP', `.B ${roff(name)}`, roff(about)]),
  ];
  return `${lines.join('\n')}\n`;
}

const ENVIRONMENT: readonly (readonly [string, string])[] = [
  [
    'LS_COLORS',
    'Colours by type and by the end of a name, as ls(1) and dircolors(1) have them. Only numbers are taken.',
  ],
  ['NO_COLOR', 'When it is not empty, no colours, unless --color always is given.'],
  ['CLICOLOR_FORCE, FORCE_COLOR', 'When it is neither empty nor 0, colours on a terminal that seems to have none.'],
  ['LC_ALL, LC_CTYPE, LANG', 'The first that is set says whether the terminal shows UTF-8. If not, names are quoted.'],
  ['AGENT_LS_TOKEN', 'With mcp --http: the token that every request must send.'],
];

function section(command: string, { usage, summary, options }: CommandSpec): string[] {
  return [
    `.SH ${command === 'list' ? 'OPTIONS' : roff(command.toUpperCase())}`,
    `.B ${roff(usage)}`,
    '.PP',
    roff(`${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`),
    ...Object.entries(options).flatMap(([name, option]) => ['.TP', spelled(name, option), roff(option.help)]),
  ];
}

/** `-p, --pattern GLOB`, with the value as something to be replaced. */
function spelled(name: string, { short, value }: OptionSpec): string {
  const words = short === undefined ? `--${name}` : `-${short}, --${name}`;
  return `\\fB${roff(words)}\\fR${value === undefined ? '' : ` \\fI${value}\\fR`}`;
}

/** Text in which nothing is an instruction. */
function roff(text: string): string {
  return text.replaceAll('\\', '\\e').replaceAll('-', '\\-').replace(/^[.']/, '\\&$&');
}
