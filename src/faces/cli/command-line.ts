/** Parses a command line by the table of options. */
import { parseArgs } from 'node:util';
import { didYouMean } from '../../protocol/nearest.ts';
import { knownWord, UsageError } from '../../protocol/usage-error.ts';
import { COMMANDS, type CommandName, type CommandSpec, WHEN } from './options.ts';

export type CommandLine = Readonly<ReturnType<typeof parseCommandLine>>;

export function commandIn([first]: readonly string[]): CommandName {
  return first !== undefined && Object.hasOwn(COMMANDS, first) ? (first as CommandName) : 'list';
}

/** Throws a UsageError that names the nearest known spelling. */
export function parseCommandLine(words: readonly string[]) {
  const command = commandIn(words);
  const spec: CommandSpec = COMMANDS[command];
  const { tokens } = parseArgs({
    args: command === 'list' ? [...words] : words.slice(1),
    options: Object.fromEntries(
      Object.entries(spec.options).map(([name, { short, value }]) => [
        name,
        { type: value === undefined ? 'boolean' : 'string', ...(short === undefined ? {} : { short }) } as const,
      ]),
    ),
    strict: false,
    tokens: true,
  });
  const given = new Map<string, string[]>();
  const positionals: string[] = [];
  // For users of `ls -lh`: beside other options, `-h` is ignored, because sizes are readable anyway.
  const isHelp = command !== 'list' || tokens.every((token) => token.kind !== 'option' || token.rawName === '-h');
  for (const token of tokens) {
    if (token.kind === 'positional') positionals.push(token.value);
    if (token.kind !== 'option' || (token.rawName === '-h' && !isHelp)) continue;
    // In `--root --json` the value was forgotten: the next option is not a value. A negative number is one.
    const isForgotten = token.inlineValue === false && /^-(?!\d+$)./.test(token.value);
    const value = checkedValue(token, isForgotten, command, given);
    given.set(token.name, [...(given.get(token.name) ?? []), value]);
  }
  const extra = positionals[spec.positionals];
  if (extra !== undefined) throw new UsageError(`Unexpected argument '${extra}'. Usage: ${spec.usage}`);
  return {
    command,
    positionals,
    switch: (name: string) => given.has(name),
    value: (name: string) => given.get(name)?.[0],
    values: (name: string): readonly string[] => given.get(name) ?? [],
  };
}

/** `--no-color` means `--color never`. */
export function colorIn(line: CommandLine): (typeof WHEN)[number] {
  const color = knownWord('--color', line.value('color') ?? 'auto', WHEN);
  if (!line.switch('no-color')) return color;
  if (color === 'always') throw new UsageError('Choose one of --no-color and --color always.');
  return 'never';
}

export function checkOneOf(line: CommandLine, ...names: readonly string[]): void {
  const given = names.filter((name) => line.switch(name)).map((name) => `--${name}`);
  if (given.length > 1) throw new UsageError(`Choose one of ${given.join(' and ')}.`);
}

export function numberIn(
  line: CommandLine,
  name: string,
  least: number,
  most = Number.MAX_SAFE_INTEGER,
  kind = `a whole number, ${least} ${most === Number.MAX_SAFE_INTEGER ? 'or more' : `to ${most}`}`,
): number | undefined {
  const given = line.value(name);
  if (given === undefined) return undefined;
  const number = Number(given);
  if (/^\d+$/.test(given) && number >= least && number <= most) return number;
  throw new UsageError(`--${name} takes ${kind}, not '${given}'.`);
}

function checkedValue(
  { name, rawName, value }: { name: string; rawName: string; value?: string | undefined },
  isForgotten: boolean,
  command: CommandName,
  given: ReadonlyMap<string, unknown>,
): string {
  const options: CommandSpec['options'] = COMMANDS[command].options;
  const option = Object.hasOwn(options, name) ? options[name] : undefined;
  if (option === undefined) throw new UsageError(`Unknown option '${rawName}'.${suggestion(name, command)}`);
  if (option.value === undefined) {
    if (value !== undefined) throw new UsageError(`'${rawName}' takes no value.`);
    return '';
  }
  if (value === undefined || isForgotten) {
    const next = value === undefined ? '' : `. One that begins with '-' is written --${name}=${value}.`;
    throw new UsageError(`'${rawName}' needs a value: ${rawName} ${option.value}${next}`);
  }
  if (given.has(name) && option.repeatable !== true) throw new UsageError(`'${rawName}' was given twice.`);
  return value;
}

/** Options that people know from other tools, and what does the same here. */
const EXCLUDE = 'Here it is -I GLOB.';
const DEPTH = 'Here it is -L N.';
const DRAWN = "'agent-ls -R' draws the whole tree, 'agent-ls tree' a map of it.";
const NO_DEPTH = "A map is limited by --budget TOKENS; 'agent-ls -L N' lists N levels.";
const HABITS: Readonly<Partial<Record<CommandName, Readonly<Record<string, string>>>>> = {
  list: {
    ...{ tree: DRAWN, T: DRAWN, level: DEPTH, 'max-depth': DEPTH, exclude: EXCLUDE },
    ...{ hidden: 'Here it is -a.', D: 'Here it is --dirs.' },
    'no-ignore': 'Nothing is ignored unless you add --git-ignore.',
    budget: "It is an option of 'agent-ls tree'.",
  },
  tree: {
    ...{ L: NO_DEPTH, level: NO_DEPTH, depth: NO_DEPTH, 'max-depth': NO_DEPTH, exclude: EXCLUDE },
    'no-ignore': 'Here it is --no-git-ignore.',
  },
  find: { exclude: EXCLUDE, 'no-ignore': 'Here it is --no-git-ignore.' },
};

function suggestion(name: string, command: CommandName): string {
  const habits = HABITS[command] ?? {};
  if (Object.hasOwn(habits, name)) return ` ${habits[name]}`;
  return name.length > 1 ? didYouMean(name, Object.keys(COMMANDS[command].options), (near) => `--${near}`) : '';
}
