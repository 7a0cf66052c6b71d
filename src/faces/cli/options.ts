/** The command line as one table, which parsing, help, completions, manual page and suggestions are made from. */
import { DIALECT_NAMES } from '../../dialects/table.ts';
import { OFFERED_ORDERS } from '../../listing/orders.ts';
import { TOOL_KINDS } from '../../protocol/envelope.ts';
import { alternatives } from '../../protocol/nearest.ts';
import { TIME_STYLES } from '../../text/time.ts';

export interface OptionSpec {
  readonly short?: string;
  /** The name of the value in the help. An option without one is a switch. */
  readonly value?: string;
  readonly choices?: readonly string[];
  readonly repeatable?: boolean;
  /** The heading above the option in the help. */
  readonly group?: string;
  /** Empty for an option that is accepted and changes nothing, which the help leaves out. */
  readonly help: string;
}

export interface CommandSpec {
  readonly usage: string;
  readonly summary: string;
  /** The maximum number of positional arguments. */
  readonly positionals: number;
  /** Their kind or their values, for shell completion; null for none. */
  readonly positional: 'directory' | 'path' | readonly string[] | null;
  readonly options: Readonly<Record<string, OptionSpec>>;
}

export function shownOptions({ options }: CommandSpec): [string, OptionSpec][] {
  return Object.entries(options).filter(([, { help }]) => help !== '');
}

/** Returns `-a`, `--all`. An option with a single letter as its name, like some of `ls`, has only the short form. */
export function spellings(name: string, { short }: Pick<OptionSpec, 'short'>): string[] {
  if (name.length === 1) return [`-${name}`];
  return short === undefined ? [`--${name}`] : [`-${short}`, `--${name}`];
}

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export const SETUP_CLIENTS = ['claude', 'codex', 'gemini', 'opencode'] as const;
export type SetupClient = (typeof SETUP_CLIENTS)[number];
export const HOOK_EVENTS = ['session-start', 'pre-tool-use'] as const;
export const ENVELOPE_ACTIONS = ['validate', 'normalize', 'truncate'] as const;

export const EXIT_STATUSES = Object.entries({ 0: 'done', 1: 'answered with an error', 2: 'wrong usage' });

const APIS = ['json-schema', 'openai', 'anthropic', 'gemini', 'mcp'];
export const WHEN = ['auto', 'always', 'never'] as const;

/** Returns `auto (default), always or never`. */
function choicesText([first, ...others]: readonly string[]): string {
  return alternatives([`${first} (default)`, ...others]);
}

const IGNORE: OptionSpec = { short: 'I', value: 'GLOB', repeatable: true, help: 'hide what matches (may be repeated)' };
const DIALECT: OptionSpec = { value: 'NAME', choices: DIALECT_NAMES, help: 'which contract (default: standard)' };
const COLOR: OptionSpec = { value: 'WHEN', choices: WHEN, help: `colours: ${choicesText(WHEN)}` };
const NO_GIT: OptionSpec = { help: 'do not start git; Tree and Find then rank files by name only' };
const NO_OPEN: OptionSpec = { help: 'do not open the page in a browser' };
const COUNT_TOKENS: OptionSpec = { help: 'report the number of tokens on stderr' };

const COMMON = {
  root: { value: 'DIR', help: 'confine everything to DIR' },
  cwd: { value: 'DIR', help: 'where relative paths start, inside the root' },
  dialect: DIALECT,
  'no-color': { help: 'print without colours' },
  help: { short: 'h', help: 'show this help' },
  version: { help: 'show the version' },
} as const satisfies CommandSpec['options'];

/** Every command accepts the common options, because a script may pass them to each. */
function common(...effective: readonly (keyof typeof COMMON)[]): CommandSpec['options'] {
  const shown: readonly string[] = ['help', 'version', ...effective];
  return Object.fromEntries(
    Object.entries(COMMON).map(([name, option]) => [name, shown.includes(name) ? option : { ...option, help: '' }]),
  );
}

/** The orders of the engine, and a common synonym for one of them. */
export const SORT_KEYS: readonly string[] = [...OFFERED_ORDERS.keys(), 'time'];

export const TYPE_NAMES = ['file', 'dir', 'link', 'executable', 'other'] as const;

const ENTRIES = 'Which entries';
const ORDER = 'Order';
const COLUMNS = 'Columns; each of these turns on -l';
const OUTPUT = 'Output';

const LISTING_ONLY = {
  all: { short: 'a', group: ENTRIES, help: 'show names that start with a dot, too' },
  A: { short: 'A', group: ENTRIES, help: 'same as -a: . and .. are never shown' },
  recursive: { short: 'R', group: ENTRIES, help: 'list subdirectories, too' },
  depth: { short: 'L', value: 'N', group: ENTRIES, help: 'list N levels (default with -R: all)' },
  directory: { short: 'd', group: ENTRIES, help: 'list directories themselves, not their contents' },
  dirs: { group: ENTRIES, help: 'show directories only' },
  files: { group: ENTRIES, help: 'show files only' },
  type: {
    ...{ value: 'TYPE', choices: TYPE_NAMES, repeatable: true, group: ENTRIES },
    help: 'show only file, dir, link, executable or other (may be repeated)',
  },
  ext: {
    ...{ value: 'EXT', repeatable: true, group: ENTRIES },
    help: 'show only files with this extension: ts or ts,tsx (may be repeated)',
  },
  newer: { value: 'WHEN', group: ENTRIES, help: 'changed since: 30min, 2h, 3d, 1w or 2024-01-15' },
  older: { value: 'WHEN', group: ENTRIES, help: 'not changed since' },
  larger: { value: 'SIZE', group: ENTRIES, help: 'files of at least this size: 500, 10k, 1.5M' },
  smaller: { value: 'SIZE', group: ENTRIES, help: 'files of at most this size' },
  pattern: { short: 'p', value: 'GLOB', group: ENTRIES, help: 'show only what matches, such as "*.ts"' },
  ignore: { short: 'I', value: 'GLOB', repeatable: true, group: ENTRIES, help: 'hide what matches (may be repeated)' },
  'git-ignore': { group: ENTRIES, help: 'leave out what git ignores' },
  'no-git-ignore': { help: '' },
  offset: { value: 'N', group: ENTRIES, help: 'leave out the first N entries' },
  limit: { value: 'N', group: ENTRIES, help: 'show at most N entries (default: all)' },
  sort: {
    ...{ value: 'KEY', choices: SORT_KEYS, group: ORDER },
    help: 'name, natural (v2 before v10), extension, size, time or type',
  },
  t: { short: 't', group: ORDER, help: 'newest first: --sort time' },
  S: { short: 'S', group: ORDER, help: 'largest first: --sort size' },
  reverse: { short: 'r', group: ORDER, help: 'reverse the order' },
  long: { short: 'l', group: COLUMNS, help: 'show permissions, owner, size and time' },
  git: { group: COLUMNS, help: "git's status: -M changed, M- staged, ?? untracked, !! ignored" },
  'total-size': { group: COLUMNS, help: 'sizes of directories: all files below, hidden ones too' },
  header: { group: COLUMNS, help: 'a line with the names of the columns' },
  'time-style': { value: 'STYLE', choices: TIME_STYLES, group: COLUMNS, help: 'default, iso or relative' },
  octal: { group: COLUMNS, help: 'also show permissions as octal digits' },
  numeric: { short: 'n', group: COLUMNS, help: 'numbers of users and groups instead of names' },
  inode: { short: 'i', group: COLUMNS, help: 'inode numbers' },
  links: { group: COLUMNS, help: 'the number of hard links' },
  oneline: { short: '1', group: OUTPUT, help: 'one entry per line, as always in a pipe or a file' },
  null: { short: '0', group: OUTPUT, help: 'end each path with NUL, for xargs -0; names as they are' },
  json: { group: OUTPUT, help: 'print the listing as JSON' },
  icons: { group: OUTPUT, help: 'on a terminal, the icons of a Nerd Font before names, or AGENT_LS_ICONS' },
  x: { short: 'x', group: OUTPUT, help: 'in columns, names across instead of down' },
  hyperlink: { group: OUTPUT, help: 'on a terminal, make names clickable links' },
  // Habits of ls and exa: on a terminal, columns, colours and marks are there without them.
  ...{ C: { short: 'C', help: '' }, F: { short: 'F', help: '' }, G: { short: 'G', help: '' } },
  'group-directories-first': { help: '' },
} as const satisfies CommandSpec['options'];

/** Options of the tools that see a whole project. */
const OF_A_PROJECT = {
  ignore: IGNORE,
  'git-ignore': { help: '' },
  'no-git-ignore': { help: 'show what git ignores, too' },
  'as-model': { help: 'print what the model reads' },
  json: { help: 'print the answer object as JSON' },
  'no-git': NO_GIT,
  color: COLOR,
  tokens: COUNT_TOKENS,
  ...common('root', 'cwd', 'no-color'),
} as const satisfies CommandSpec['options'];

/** The words of the usage also say how many positional arguments there may be. `positional` is for shell completion. */
function command(use: string, summary: string, positional: CommandSpec['positional'], options: CommandSpec['options']) {
  const positionals = use.includes('...') ? Number.POSITIVE_INFINITY : /[A-Z]/.test(use) ? 1 : 0;
  return { usage: `agent-ls ${use}`, summary, positionals, positional, options };
}

export const COMMANDS = {
  list: command('[PATH...] [options]', 'list directories and files, for people (default: .)', 'path', {
    ...LISTING_ONLY,
    color: COLOR,
    tokens: COUNT_TOKENS,
    ...common('root', 'cwd', 'no-color'),
  }),
  tree: command('tree [PATH] [options]', 'a map of everything below PATH within a token budget', 'directory', {
    budget: { value: 'TOKENS', help: 'token budget of the map, 100 to 20000 (default: 1000)' },
    all: { short: 'a', help: 'show what git ignores, too' },
    ...OF_A_PROJECT,
  }),
  find: command('find WORD... [options]', 'the files that these words mean, best first; or a glob', null, {
    path: { value: 'DIR', help: 'the directory to search (default: .)' },
    limit: { value: 'N', help: 'find at most N files, 1 to 200 (default: 20)' },
    null: { short: '0', help: 'end each path with NUL, for xargs -0' },
    ...OF_A_PROJECT,
  }),
  call: command('call [PARAMS] [options]', 'one tool call as a model would make it; PARAMS is JSON', null, {
    text: { help: 'print what the model reads, instead of the answer object' },
    tool: {
      value: 'NAME',
      choices: ['LS', 'Tree', 'Find'],
      help: 'the tool to call, if the dialect has several (LS, Tree or Find)',
    },
    stdin: { help: 'read one JSON request per line, and answer each with one line' },
    'no-cache': { help: 'with --stdin, read every directory again' },
    'allow-network-roots': { help: 'with --stdin, a line may name an ssh:// or s3:// root' },
    json: { help: '' },
    'no-git': NO_GIT,
    tokens: COUNT_TOKENS,
    ...common('root', 'cwd', 'dialect'),
  }),
  explain: command('explain PATH... [options]', 'is it hidden, and which rule of which file hid it', 'path', {
    ignore: { ...IGNORE, help: 'as if a call had sent this pattern in `ignore`' },
    stdin: { help: 'read one path per line' },
    json: { help: 'print a JSON object for each path' },
    ...common('root', 'cwd'),
    dialect: { ...DIALECT, help: 'whose rules apply (default: every tool; with --json gemini)' },
  }),
  schema: command('schema [options]', "the tools' declarations, for an API or a framework", null, {
    for: { value: 'API', choices: APIS, help: choicesText(APIS) },
    envelope: { help: 'print the JSON Schema of the Standard Envelope instead' },
    json: { help: '' },
    ...common('dialect'),
  }),
  mcp: command('mcp [ROOT...] [options]', 'an MCP server on stdio, or over HTTP with --http', 'directory', {
    structured: { help: 'add structured data to the text of an answer, and declare its schema' },
    brief: { help: 'LS answers with the names only, and a line if there are more' },
    'max-characters': {
      value: 'N',
      help: 'longest answer, in characters (default: 40000; most clients cut longer ones)',
    },
    'always-load': { help: 'Claude Code shows the tools from the start, not only in a search' },
    http: { value: 'PORT', help: 'serve http://127.0.0.1:PORT/mcp instead (0 picks a port)' },
    trace: { value: 'FILE', help: 'write each call to FILE, as a line of JSON' },
    view: { help: 'also serve a local page that shows the calls as they are made' },
    'no-open': NO_OPEN,
    apps: { help: 'clients that support MCP Apps show answers as a page to explore' },
    'no-git': NO_GIT,
    ...common('root', 'cwd', 'dialect'),
  }),
  setup: command('setup CLIENT [options]', `write the configuration of ${alternatives(SETUP_CLIENTS)}`, SETUP_CLIENTS, {
    scope: { value: 'WHERE', choices: ['user', 'project'], help: "the user's settings (default), or the project's" },
    'no-map': { help: 'without the map at the start of a session' },
    bridge: { help: 'answer shell commands that list a whole tree with a map' },
    print: { help: 'print what would be written, and write nothing' },
    remove: { help: 'take out what was written' },
    yes: { help: 'do not ask' },
    ...common('root'),
  }),
  hook: command('hook EVENT [options]', "answer a client's hook, whose JSON is on stdin", HOOK_EVENTS, {
    client: { value: 'NAME', choices: SETUP_CLIENTS, help: 'the client whose format the answer has (default: text)' },
    ...common(),
  }),
  view: command('view [ROOT...] [options]', 'a local page that shows what the model sees', 'directory', {
    port: { value: 'PORT', help: 'serve the page on this port (default: a free one)' },
    'no-open': NO_OPEN,
    trace: { value: 'FILE', help: 'show the calls of a trace, and those that are added to it' },
    'no-git': NO_GIT,
    ...common('root', 'cwd'),
    dialect: { ...DIALECT, help: 'the dialect that the page selects at first (default: standard)' },
  }),
  replay: command('replay TRACE [options]', 'run the calls of a trace again, and say what changed', 'path', {
    json: { help: 'print a JSON object for each call' },
    'allow-network-roots': { help: 'connect to the ssh:// and s3:// roots that the trace names' },
    'no-git': NO_GIT,
    ...common('root'),
  }),
  envelope: command(
    'envelope ACTION [options]',
    `${alternatives(ENVELOPE_ACTIONS)} a tool's answer from stdin`,
    ENVELOPE_ACTIONS,
    {
      tool: { value: 'NAME', help: 'normalize, truncate: the tool that answered (default: tool)' },
      kind: { value: 'KIND', choices: TOOL_KINDS, help: `validate: ${alternatives(TOOL_KINDS)}` },
      params: { value: 'JSON', help: 'normalize: the parameters of the call' },
      'max-lines': { value: 'N', help: 'truncate: keep at most N lines (default: 2000)' },
      'max-bytes': { value: 'N', help: 'truncate: keep at most N bytes (default: 51200)' },
      direction: {
        value: 'END',
        choices: ['head', 'tail'],
        help: 'truncate: which end is kept: head (default) or tail',
      },
      directory: {
        value: 'DIR',
        help: 'truncate: where full outputs are saved: below the root, or absolute (default: tool-output)',
      },
      'retention-days': { value: 'N', help: 'truncate: days after which a saved output is removed (default: 7)' },
      json: { help: '' },
      ...common('root', 'cwd'),
    },
  ),
  help: command('help [COMMAND] [--man]', 'how a command is used; with --man the whole manual page', null, {
    man: { help: 'the whole manual: as text on a terminal, as man source in a pipe' },
    ...common(),
  }),
  completions: command('completions SHELL', `a completion script for ${alternatives(SHELLS)}`, SHELLS, common()),
} satisfies Record<string, CommandSpec>;

export type CommandName = keyof typeof COMMANDS;

/** The commands that the first word names. A listing has no such word. */
export const COMMAND_WORDS = (Object.keys(COMMANDS) as CommandName[]).filter((name) => name !== 'list');

export const COMMAND_SPECS: readonly (readonly [string, CommandSpec])[] = Object.entries(COMMANDS);
