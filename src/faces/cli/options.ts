/** The command line's words: one table that parsing, help and the nearest right spelling are made from. */
import { parseArgs } from 'node:util';
import { DIALECT_NAMES } from '../../dialects/table.ts';
import { OFFERED_ORDERS } from '../../listing/orders.ts';
import { didYouMean } from '../../protocol/nearest.ts';
import { UsageError } from '../../protocol/usage-error.ts';

export interface OptionSpec {
  readonly short?: string;
  /** What the value is called in the help; without one the option is a switch. */
  readonly value?: string;
  /** The values that it takes, where they are few. */
  readonly choices?: readonly string[];
  readonly repeatable?: boolean;
  readonly help: string;
}

export interface CommandSpec {
  readonly usage: string;
  readonly summary: string;
  /** How many words may stand beside the options. */
  readonly positionals: number;
  /** What they are, for a shell that completes them. */
  readonly positional?: 'directory' | 'path' | readonly string[];
  readonly options: Readonly<Record<string, OptionSpec>>;
}

const TOKENS = {
  tokens: { help: 'say on stderr how many tokens the text is' },
} as const satisfies Record<string, OptionSpec>;

/** For those commands that may start one. */
const NO_GIT = {
  'no-git': { help: 'start no program: without git, Tree goes by names alone' },
} as const satisfies Record<string, OptionSpec>;

const COLOR = {
  color: { value: 'WHEN', choices: ['auto', 'always', 'never'], help: 'colours: auto (default), always or never' },
} as const satisfies Record<string, OptionSpec>;

const COMMON = {
  root: { value: 'DIR', help: 'confine everything to DIR' },
  cwd: { value: 'DIR', help: 'where relative paths start, inside the root' },
  dialect: { value: 'NAME', choices: DIALECT_NAMES, help: 'which contract to speak (default: standard)' },
  'no-color': { help: 'print without colours' },
  help: { short: 'h', help: 'show this help' },
  version: { help: 'show the version' },
} as const satisfies Record<string, OptionSpec>;

/** For people there is one view; a script may pass the option to every command all the same. */
const FOR_PEOPLE = {
  ...COMMON,
  dialect: { ...COMMON.dialect, help: 'makes no difference here: it is for call, explain, schema and mcp' },
} as const satisfies Record<string, OptionSpec>;

export const COMMANDS = {
  list: {
    usage: 'agent-ls [PATH] [options]',
    summary: 'list a directory, for people; without PATH the current one',
    positionals: 1,
    positional: 'directory',
    options: {
      all: { short: 'a', help: 'show names that start with a dot, too' },
      recursive: { short: 'R', help: 'list what is below it, too' },
      depth: { value: 'N', help: 'list N levels (default with -R: all)' },
      long: { short: 'l', help: 'show permissions, owner, size and time' },
      sort: {
        value: 'KEY',
        choices: [...OFFERED_ORDERS.keys()],
        help: `by ${[...OFFERED_ORDERS.keys()].join(', ')} (default: name)`,
      },
      reverse: { short: 'r', help: 'turn the order around' },
      dirs: { help: 'show directories only' },
      files: { help: 'show files only' },
      pattern: { short: 'p', value: 'GLOB', help: 'show only what matches, such as "*.ts"' },
      ignore: { short: 'I', value: 'GLOB', repeatable: true, help: 'leave out what matches (can be given again)' },
      'git-ignore': { help: 'leave out what git ignores' },
      'no-git-ignore': { help: 'show what git ignores, too (this is the default)' },
      offset: { value: 'N', help: 'leave out the first N entries' },
      limit: { value: 'N', help: 'show at most N entries (default: all)' },
      json: { help: 'print the listing as JSON' },
      hyperlink: { help: 'on a terminal, make names links to click on' },
      ...COLOR,
      ...TOKENS,
      ...FOR_PEOPLE,
    },
  },
  tree: {
    usage: 'agent-ls tree [PATH] [options]',
    summary: 'a map of everything below PATH within a token budget',
    positionals: 1,
    positional: 'directory',
    options: {
      budget: { value: 'TOKENS', help: 'what the map may cost, 100 to 20000 (default: 1000)' },
      match: { short: 'm', value: 'GLOB', help: 'show only what matches: a word, or a glob such as "*.ts"' },
      ignore: { short: 'I', value: 'GLOB', repeatable: true, help: 'leave out what matches (can be given again)' },
      all: { short: 'a', help: 'show what git ignores, too' },
      'git-ignore': { help: 'leave out what git ignores (this is the default)' },
      'no-git-ignore': { help: 'show what git ignores, too' },
      json: { help: 'print the answer object as JSON' },
      ...NO_GIT,
      ...COLOR,
      ...TOKENS,
      ...FOR_PEOPLE,
    },
  },
  call: {
    usage: 'agent-ls call [PARAMS] [options]',
    summary: 'one tool call as a model would make it; PARAMS is JSON',
    positionals: 1,
    options: {
      text: { help: 'print what the model reads, instead of the answer object' },
      tool: {
        value: 'NAME',
        choices: ['LS', 'Tree'],
        help: 'which of the tools, where a dialect has several (LS or Tree)',
      },
      stdin: { help: 'read one JSON request a line, and answer one line each' },
      'no-cache': { help: 'with --stdin, read every directory anew' },
      json: { help: 'print the answer object (this is the default)' },
      ...NO_GIT,
      ...TOKENS,
      ...COMMON,
    },
  },
  explain: {
    usage: 'agent-ls explain PATH... [options]',
    summary: 'is it hidden, and which rule of which file hid it',
    positionals: Number.POSITIVE_INFINITY,
    positional: 'path',
    options: {
      ignore: { short: 'I', value: 'GLOB', repeatable: true, help: 'as if a call had sent this pattern in `ignore`' },
      stdin: { help: 'read one path a line' },
      json: { help: 'print a JSON object for each path' },
      ...COMMON,
      dialect: {
        value: 'NAME',
        choices: DIALECT_NAMES,
        help: 'whose rules (default: gemini: -I, .geminiignore, .gitignore)',
      },
    },
  },
  schema: {
    usage: 'agent-ls schema [options]',
    summary: "the tools' declarations, for an API or a framework",
    positionals: 0,
    options: {
      for: {
        value: 'API',
        choices: ['json-schema', 'openai', 'anthropic', 'gemini', 'mcp'],
        help: 'json-schema (default), openai, anthropic, gemini or mcp',
      },
      json: { help: 'print JSON (this is the default)' },
      ...COMMON,
    },
  },
  mcp: {
    usage: 'agent-ls mcp [ROOT...] [options]',
    summary: 'an MCP server on stdio, or on HTTP with --http',
    positionals: Number.POSITIVE_INFINITY,
    positional: 'directory',
    options: {
      structured: { help: 'answer with data beside the text, and declare its shape' },
      http: { value: 'PORT', help: 'serve http://127.0.0.1:PORT/mcp instead (0 picks a port)' },
      ...NO_GIT,
      ...COMMON,
    },
  },
  completions: {
    usage: 'agent-ls completions SHELL',
    summary: 'a script that lets bash, zsh or fish complete its words',
    positionals: 1,
    positional: ['bash', 'zsh', 'fish'],
    options: { ...COMMON },
  },
} as const satisfies Record<string, CommandSpec>;

export type CommandName = keyof typeof COMMANDS;

export interface CommandLine {
  readonly command: CommandName;
  readonly positionals: readonly string[];
  switch(name: string): boolean;
  value(name: string): string | undefined;
  values(name: string): readonly string[];
}

/** Takes the words apart, or throws a UsageError that names the nearest right spelling. */
export function parseCommandLine(words: readonly string[]): CommandLine {
  const [first] = words;
  const command: CommandName = first !== undefined && isCommand(first) ? first : 'list';
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
  for (const token of tokens) {
    if (token.kind === 'positional') positionals.push(token.value);
    if (token.kind !== 'option') continue;
    // `--root --json`: the value was forgotten, and the next option is none.
    const isForgotten = token.inlineValue === false && /^-./.test(token.value);
    const value = checkedValue(token.name, token.rawName, isForgotten ? undefined : token.value, command, given);
    given.set(token.name, [...(given.get(token.name) ?? []), value]);
  }
  const extra = positionals[spec.positionals];
  if (extra !== undefined) throw new UsageError(`Unexpected argument '${extra}'. Usage: ${spec.usage}`);
  return {
    command,
    positionals,
    switch: (name) => given.has(name),
    value: (name) => given.get(name)?.[0],
    values: (name) => given.get(name) ?? [],
  };
}

/** What a person says about colours. `--no-color` is `--color never`. */
export function colorIn(line: CommandLine): 'auto' | 'always' | 'never' {
  const given = line.value('color') ?? 'auto';
  if (given !== 'auto' && given !== 'always' && given !== 'never') {
    const { choices } = COLOR.color;
    throw new UsageError(
      `Unknown --color '${given}'.${didYouMean(given, choices) || ` Known: ${choices.join(', ')}.`}`,
    );
  }
  if (!line.switch('no-color')) return given;
  if (given === 'always') throw new UsageError('Choose one of --no-color and --color always.');
  return 'never';
}

function isCommand(word: string): word is CommandName {
  return Object.hasOwn(COMMANDS, word) && word !== 'list';
}

function checkedValue(
  name: string,
  rawName: string,
  value: string | undefined,
  command: CommandName,
  given: ReadonlyMap<string, unknown>,
): string {
  const options: CommandSpec['options'] = COMMANDS[command].options;
  const option = Object.hasOwn(options, name) ? options[name] : undefined;
  if (option === undefined) throw new UsageError(`Unknown option '${rawName}'.${suggestion(name, options)}`);
  if (option.value === undefined) {
    if (value !== undefined) throw new UsageError(`'${rawName}' takes no value.`);
    return '';
  }
  if (value === undefined) throw new UsageError(`'${rawName}' needs a value: ${rawName} ${option.value}`);
  if (given.has(name) && option.repeatable !== true) throw new UsageError(`'${rawName}' was given twice.`);
  return value;
}

function suggestion(name: string, options: CommandSpec['options']): string {
  return name.length > 1 ? didYouMean(name, Object.keys(options), (near) => `--${near}`) : '';
}
