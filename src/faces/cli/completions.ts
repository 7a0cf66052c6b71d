/** `agent-ls completions SHELL`: prints a completion script, generated from the option table. */
import { knownWord, UsageError } from '../../protocol/usage-error.ts';
import { type CommandSpec, type OptionSpec, spellings } from './option-spec.ts';
import { COMMAND_SPECS, type CommandLine, SHELLS } from './options.ts';
import type { Streams } from './streams.ts';

const SCRIPTS: Readonly<Record<(typeof SHELLS)[number], () => string>> = { bash: forBash, zsh: forZsh, fish: forFish };

export async function runCompletions({ positionals }: CommandLine, streams: Streams): Promise<number> {
  const [given = ''] = positionals;
  if (given === '') throw new UsageError(`completions needs a shell. Known: ${SHELLS.join(', ')}.`);
  await streams.print(SCRIPTS[knownWord('shell', given, SHELLS)]());
  return 0;
}

/** The commands that the first word names. A listing has no such word. */
const NAMED = COMMAND_SPECS.filter(([command]) => command !== 'list');
const COMMAND_WORDS = NAMED.map(([command]) => command);

function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

// ── bash ────────────────────────────────────────────────────────────────────────────────────────────────────────────

function forBash(): string {
  const values = COMMAND_SPECS.flatMap(([command, { options }]) =>
    Object.entries(options)
      .filter(([, option]) => option.value !== undefined)
      .map(([name, option]) => {
        const patterns = spellings(name, option).map((spelling) => `'${command} ${spelling}'`);
        return `    ${patterns.join('|')}) ${bashValue(option)}; return ;;`;
      }),
  );
  const options = COMMAND_SPECS.map(([command, spec]) => {
    const words = Object.entries(spec.options).flatMap(([name, option]) => spellings(name, option));
    return `      ${command}) words='${words.join(' ')}' ;;`;
  });
  const positionals = COMMAND_SPECS.map(
    ([command, { positional }]) => `      ${command}) ${bashPositional(positional)} ;;`,
  );
  return `# agent-ls in bash 4 or newer: source <(agent-ls completions bash)
_agent_ls() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} command=list words=
  COMPREPLY=()
  # bash takes --sort=size for three words.
  if [[ $prev == '=' ]]; then prev=\${COMP_WORDS[COMP_CWORD-2]}; fi
  if [[ $cur == '=' ]]; then cur=; fi
  if ((COMP_CWORD > 1)); then
    case \${COMP_WORDS[1]} in
      ${COMMAND_WORDS.join('|')}) command=\${COMP_WORDS[1]} ;;
    esac
  fi
  case "$command $prev" in
${values.join('\n')}
  esac
  if [[ $cur == -* ]]; then
    case $command in
${options.join('\n')}
    esac
  else
    case $command in
${positionals.join('\n')}
    esac
    if ((COMP_CWORD == 1)); then words='${COMMAND_WORDS.join(' ')}'; fi
  fi
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -F _agent_ls agent-ls`;
}

function bashValue({ value, choices }: OptionSpec): string {
  if (choices !== undefined) return `COMPREPLY=($(compgen -W '${choices.join(' ')}' -- "$cur"))`;
  return value === 'DIR' ? 'compopt -o filenames -o plusdirs' : ':';
}

function bashPositional(positional: CommandSpec['positional']): string {
  if (positional === undefined) return ':';
  if (positional === 'directory') return 'compopt -o filenames -o plusdirs';
  return positional === 'path' ? 'compopt -o filenames -o default' : `words='${positional.join(' ')}'`;
}

// ── zsh ─────────────────────────────────────────────────────────────────────────────────────────────────────────────

function forZsh(): string {
  const branches = COMMAND_SPECS.map(([command, spec]) => {
    const options = Object.entries(spec.options).map(([name, option]) => zshOption(name, option));
    const rest = [...options, ...zshPositional(command, spec)];
    return `    ${command}) _arguments -s ${rest.join(' \\\n      ')} ;;`;
  });
  const described = NAMED.map(([command, { summary }]) => shellQuoted(`${command}:${summary}`));
  return `#compdef agent-ls
# agent-ls in zsh: source <(agent-ls completions zsh), or this text as the file _agent-ls in a directory of $fpath
_agent-ls_first() {
  local -a commands=(${described.join(' ')})
  ((CURRENT == 2)) && _describe -t commands command commands
  _files
}
_agent-ls() {
  local command=list
  case $words[2] in
    ${COMMAND_WORDS.join('|')})
      if ((CURRENT > 2)); then
        command=$words[2]
        shift words
        ((CURRENT--))
      fi ;;
  esac
  case $command in
${branches.join('\n')}
  esac
}
if [[ $funcstack[1] == _agent-ls ]]; then _agent-ls "$@"; else compdef _agent-ls agent-ls; fi`;
}

function zshOption(name: string, option: OptionSpec): string {
  const { value, choices, repeatable, help } = option;
  const about = `[${help.replace(/[[\]\\:]/g, '\\$&')}]`;
  const action = choices !== undefined ? `(${choices.join(' ')})` : value === 'DIR' ? '_path_files -/' : ' ';
  const message = value === undefined ? '' : `:${value}:${action}`;
  const equals = value === undefined ? '' : '=';
  const both = spellings(name, option);
  const others = repeatable ? '*' : both.length === 1 ? '' : `(${both.join(' ')})`;
  return both
    .map((spelling) => {
      const isLong = spelling.startsWith('--');
      return shellQuoted(`${others}${spelling}${isLong ? equals : value === undefined ? '' : '+'}${about}${message}`);
    })
    .join(' ');
}

function zshPositional(command: string, { positional, positionals }: CommandSpec): string[] {
  if (command === 'list') return [shellQuoted('1: :_agent-ls_first'), shellQuoted('*: :_files')];
  if (positional === undefined) return [];
  const action = typeof positional !== 'string' ? `(${positional.join(' ')})` : ZSH_FILES[positional];
  return [shellQuoted(`${positionals === 1 ? '1' : '*'}: :${action}`)];
}

const ZSH_FILES = { directory: '_path_files -/', path: '_files' } as const;

// ── fish ────────────────────────────────────────────────────────────────────────────────────────────────────────────

function forFish(): string {
  const lines = COMMAND_SPECS.flatMap(([command, { options, positional }]) => {
    const condition = `complete -c agent-ls -n 'test (__agent_ls_command) = ${command}'`;
    const ofOptions = Object.entries(options).map(([name, option]) => `${condition} ${fishOption(name, option)}`);
    return [...ofOptions, ...fishPositional(positional).map((words) => `${condition} ${words}`)];
  });
  const commands = NAMED.map(
    ([command, { summary }]) =>
      `complete -c agent-ls -n 'test (count (commandline -opc)) -eq 1' -a ${command} -d ${fishQuoted(summary)}`,
  );
  return `# agent-ls in fish: agent-ls completions fish | source
function __agent_ls_command
  set -l words (commandline -opc)
  if test (count $words) -gt 1; and contains -- $words[2] ${COMMAND_WORDS.join(' ')}
    echo $words[2]
  else
    echo list
  end
end
complete -c agent-ls -f
${[...commands, ...lines].join('\n')}`;
}

const FISH_DIRECTORIES = `-a '(__fish_complete_directories (commandline -ct))'`;

function fishOption(name: string, { short, value, choices, help }: OptionSpec): string {
  const long = name.length === 1 ? [] : [`-l ${name}`];
  const spelled = [...(short === undefined ? [] : [`-s ${short}`]), ...long].join(' ');
  const values = choices !== undefined ? ` -a '${choices.join(' ')}'` : value === 'DIR' ? ` ${FISH_DIRECTORIES}` : '';
  return `${spelled}${value === undefined ? '' : ` -x${values}`} -d ${fishQuoted(help)}`;
}

function fishPositional(positional: CommandSpec['positional']): string[] {
  if (positional === undefined) return [];
  if (positional === 'directory') return [FISH_DIRECTORIES];
  return positional === 'path' ? ['-F'] : [`-a '${positional.join(' ')}'`];
}

function fishQuoted(text: string): string {
  return `'${text.replace(/['\\]/g, '\\$&')}'`;
}
