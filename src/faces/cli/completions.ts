/** `agent-ls completions SHELL`: prints a completion script, generated from the option table. */
import { knownWord, UsageError } from '../../protocol/usage-error.ts';
import type { CommandLine } from './command-line.ts';
import type { CommandSpec, OptionSpec } from './options.ts';
import { COMMAND_SPECS, COMMAND_WORDS, SHELLS, shownOptions, spellings } from './options.ts';
import type { Streams } from './streams.ts';

const SCRIPTS: Readonly<Record<(typeof SHELLS)[number], () => string>> = { bash: forBash, zsh: forZsh, fish: forFish };

export async function runCompletions({ positionals }: CommandLine, streams: Streams): Promise<number> {
  const [given = ''] = positionals;
  if (given === '') throw new UsageError(`completions needs a shell. Known: ${SHELLS.join(', ')}.`);
  await streams.print(SCRIPTS[knownWord('shell', given, SHELLS)]());
  return 0;
}

const NAMED = COMMAND_SPECS.filter(([command]) => command !== 'list');

function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** The words that complete a value or an argument, or the kind of path; null for neither. */
type Completed = CommandSpec['positional'];

function positionalOf(command: string, { positional }: CommandSpec): Completed {
  return command === 'help' ? COMMAND_WORDS : positional;
}

function completedValue({ value, choices }: OptionSpec): Completed {
  return choices ?? (value === 'DIR' ? 'directory' : null);
}

function forBash(): string {
  const values = COMMAND_SPECS.flatMap(([command, spec]) =>
    shownOptions(spec)
      .filter(([, option]) => option.value !== undefined)
      .map(([name, option]) => {
        const patterns = spellings(name, option).map((spelling) => `'${command} ${spelling}'`);
        const found = bashCompletion(completedValue(option), (words) => `COMPREPLY=($(compgen -W ${words} -- "$cur"))`);
        return `    ${patterns.join('|')}) ${found}; return ;;`;
      }),
  );
  const options = COMMAND_SPECS.map(([command, spec]) => {
    const words = shownOptions(spec).flatMap(([name, option]) => spellings(name, option));
    return `      ${command}) words='${words.join(' ')}' ;;`;
  });
  const positionals = COMMAND_SPECS.map(
    ([command, spec]) =>
      `      ${command}) ${bashCompletion(positionalOf(command, spec), (words) => `words=${words}`)} ;;`,
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
    if ((COMP_CWORD == 1)); then
      words='${COMMAND_WORDS.join(' ')}'
      compopt -o plusdirs
    fi
  fi
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -F _agent_ls agent-ls`;
}

function bashCompletion(completed: Completed, use: (words: string) => string): string {
  if (completed === null) return ':';
  if (typeof completed !== 'string') return use(`'${completed.join(' ')}'`);
  return `compopt -o filenames -o ${completed === 'path' ? 'default' : 'plusdirs'}`;
}

function forZsh(): string {
  const branches = COMMAND_SPECS.map(([command, spec]) => {
    const options = shownOptions(spec).map(([name, option]) => zshOption(name, option));
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
  const { value, repeatable, help } = option;
  const about = `[${help.replace(/[[\]\\:]/g, '\\$&')}]`;
  const message = value === undefined ? '' : `:${value}:${zshAction(completedValue(option))}`;
  const equals = value === undefined ? '' : '=';
  const both = spellings(name, option);
  const others = repeatable ? '*' : both.length === 1 ? '' : `(${both.join(' ')})`;
  const quoted = both.map((spelling) => {
    const isLong = spelling.startsWith('--');
    return shellQuoted(`${others}${spelling}${isLong ? equals : value === undefined ? '' : '+'}${about}${message}`);
  });
  return quoted.join(' ');
}

function zshPositional(command: string, spec: CommandSpec): string[] {
  const positional = positionalOf(command, spec);
  if (command === 'list') return [shellQuoted('1: :_agent-ls_first'), shellQuoted('*: :_files')];
  return positional === null ? [] : [shellQuoted(`${spec.positionals === 1 ? '1' : '*'}: :${zshAction(positional)}`)];
}

function zshAction(completed: Completed): string {
  if (completed === null) return ' ';
  if (typeof completed !== 'string') return `(${completed.join(' ')})`;
  return completed === 'path' ? '_files' : '_path_files -/';
}

function forFish(): string {
  const lines = COMMAND_SPECS.flatMap(([command, spec]) => {
    const positional = positionalOf(command, spec);
    const condition = `complete -c agent-ls -n 'test (__agent_ls_command) = ${command}'`;
    const ofOptions = shownOptions(spec).map(([name, option]) => `${condition} ${fishOption(name, option)}`);
    return positional === null ? ofOptions : [...ofOptions, `${condition}${fishWords(positional)}`];
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

function fishOption(name: string, option: OptionSpec): string {
  const { short, value, help } = option;
  const spelled = [short === undefined ? '' : `-s ${short}`, name.length === 1 ? '' : `-l ${name}`];
  const values = value === undefined ? '' : ` -x${fishWords(completedValue(option))}`;
  return `${spelled.filter(Boolean).join(' ')}${values} -d ${fishQuoted(help)}`;
}

function fishWords(completed: Completed): string {
  if (completed === null) return '';
  if (completed === 'directory') return ` -a '(__fish_complete_directories (commandline -ct))'`;
  return completed === 'path' ? ' -F' : ` -a '${completed.join(' ')}'`;
}

function fishQuoted(text: string): string {
  return `'${text.replace(/['\\]/g, '\\$&')}'`;
}
