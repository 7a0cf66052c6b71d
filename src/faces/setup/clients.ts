/** The clients that `setup` knows: their files, and what is written into each. */
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { SetupClient } from '../cli/options.ts';
import { exists } from './settings-file.ts';

export interface SetupOptions {
  readonly isProject: boolean;
  /** The directory that the tools list; undefined for that of each session. */
  readonly root: string | undefined;
  readonly map: boolean;
  readonly bridge: boolean;
}

/** One thing that is written into a file of settings. */
export interface Entry {
  /** The keys that lead to it. */
  readonly path: readonly string[];
  readonly value: unknown;
  /** Set if the path leads to a list, in which the value is an item: matches the text of ours. */
  readonly item?: RegExp;
}

/** TOML if it is named so, otherwise JSON with comments. */
export interface SettingsFile {
  readonly path: string;
  readonly entries: readonly Entry[];
}

interface ClientSpec {
  readonly title: string;
  files(options: SetupOptions): SettingsFile[];
  /** What is left for the user to do in a session. */
  readonly next?: string;
}

const { env } = process;

/** Node and the built command, by absolute paths: a bare name may be a hostile project's own program. */
export function commandWords(): [node: string, command: string] {
  return [process.execPath, fileURLToPath(new URL('./cli.cjs', import.meta.url))];
}

/** Quotes a word for a shell, if that is necessary. */
export function shellWord(word: string): string {
  if (/^[\w./:=@%+,-]+$/.test(word)) return word;
  return process.platform === 'win32' ? `"${word}"` : `'${word.replaceAll("'", "'\\''")}'`;
}

/** The place of a client's own files: the project, or the directory of an environment variable, or one in the home. */
function placeOf({ isProject }: SetupOptions, project: string, variable: string | undefined, ...home: string[]) {
  return isProject ? join(process.cwd(), project) : variable || join(homedir(), ...home);
}

function server({ root }: SetupOptions): { command: string; args: string[] } {
  const [command, ...args] = [...commandWords(), 'mcp', ...(root === undefined ? [] : [root])];
  return { command, args };
}

/** `resume` would add the map again. */
const ALIKE = { starts: 'startup|clear|compact', preToolUse: 'PreToolUse', shell: 'Bash', timeout: 5 };
const OF_GEMINI = { starts: 'startup', preToolUse: 'BeforeTool', shell: 'run_shell_command', timeout: 5000 };

function hooks(client: SetupClient, names: typeof ALIKE, { map, bridge }: SetupOptions): Entry[] {
  const hook = (event: string, matcher: string, name: string): Entry => {
    // A failing hook must not block anything, even if node is gone.
    const command = `${commandWords().map(shellWord).join(' ')} hook ${name} --client ${client} || exit 0`;
    return {
      path: ['hooks', event],
      value: { matcher, hooks: [{ type: 'command', command, timeout: names.timeout }] },
      item: /cli\.cjs[\\"']* hook (?:session-start|pre-tool-use)/,
    };
  };
  return [
    ...(map ? [hook('SessionStart', names.starts, 'session-start')] : []),
    ...(bridge ? [hook(names.preToolUse, names.shell, 'pre-tool-use')] : []),
  ];
}

export const CLIENTS: Readonly<Record<SetupClient, ClientSpec>> = {
  claude: {
    title: 'Claude Code',
    files: (options) => {
      const folder = placeOf(options, '.claude', env.CLAUDE_CONFIG_DIR, '.claude');
      const state = placeOf(options, '.mcp.json', join(env.CLAUDE_CONFIG_DIR || homedir(), '.claude.json'));
      // Claude Code's search for tools looks at the name of their server, too.
      const path = ['mcpServers', 'agent-ls-files'];
      return [
        { path: state, entries: [{ path, value: { type: 'stdio', ...server(options) } }] },
        { path: join(folder, 'settings.json'), entries: hooks('claude', ALIKE, options) },
      ];
    },
  },
  codex: {
    title: 'Codex',
    files: (options) => {
      const folder = placeOf(options, '.codex', env.CODEX_HOME, '.codex');
      const own = { path: ['mcp_servers', 'agent-ls'], value: server(options) };
      return [
        { path: join(folder, 'config.toml'), entries: [own] },
        { path: join(folder, 'hooks.json'), entries: hooks('codex', ALIKE, options) },
      ];
    },
    next: ' Codex skips a new hook until you trust it, once, with /hooks.',
  },
  gemini: {
    title: 'Gemini CLI',
    files: (options) => {
      const home = env.GEMINI_CLI_HOME && join(env.GEMINI_CLI_HOME, '.gemini');
      const own = { path: ['mcpServers', 'agent-ls'], value: server(options) };
      const path = join(placeOf(options, '.gemini', home, '.gemini'), 'settings.json');
      return [{ path, entries: [own, ...hooks('gemini', OF_GEMINI, options)] }];
    },
  },
  opencode: {
    title: 'opencode',
    files: (options) => {
      const config = env.XDG_CONFIG_HOME && join(env.XDG_CONFIG_HOME, 'opencode');
      const folder = placeOf(options, '.', env.OPENCODE_CONFIG_DIR || config, '.config', 'opencode');
      const { map, bridge } = options;
      const words = commandWords();
      const file = join(dirname(dirname(words[1])), 'plugins', 'opencode', 'agent-ls.js');
      const item = /plugins[\\/]+opencode[\\/]+agent-ls\.js/;
      const { command, args } = server(options);
      const own = { path: ['mcp', 'agent-ls'], value: { type: 'local', command: [command, ...args] } };
      const plugin: Entry = { path: ['plugin'], value: [file, { command: words, map, bridge }], item };
      const name = exists(join(folder, 'opencode.jsonc')) ? 'opencode.jsonc' : 'opencode.json';
      return [{ path: join(folder, name), entries: map || bridge ? [own, plugin] : [own] }];
    },
  },
};
