/** The clients that `setup` knows: their files, and what is written into each. */
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import type { SetupClient } from '../cli/options.ts';
import { commandWords, shellWord } from './command-words.ts';
import type { Entry } from './entry.ts';
import { exists } from './settings-file.ts';

export interface SetupOptions {
  readonly isProject: boolean;
  /** The directory that the tools list; undefined for that of each session. */
  readonly root: string | undefined;
  readonly map: boolean;
  readonly bridge: boolean;
}

export interface SettingsFile {
  readonly path: string;
  readonly format: 'json' | 'toml';
  readonly entries: readonly Entry[];
}

interface ClientSpec {
  readonly title: string;
  /** The program, by which an installed client is found. */
  readonly program: string;
  files(options: SetupOptions): SettingsFile[];
  /** What is left for the user to do. */
  readonly next: string;
}

const { env } = process;

/** The place of a client's own files: the project, or the directory of an environment variable, or one in the home. */
function inHome({ isProject }: SetupOptions, project: string, variable: string | undefined, ...home: string[]): string {
  return isProject ? join(process.cwd(), project) : variable || join(homedir(), ...home);
}

function serverWords({ root }: SetupOptions): string[] {
  return [...commandWords(), 'mcp', ...(root === undefined ? [] : [root])];
}

function server(options: SetupOptions): { command: string; args: string[] } {
  const [command, ...args] = serverWords(options) as [string, ...string[]];
  return { command, args };
}

/** A failing hook must not block anything, even if node is gone. */
function hookCommand(event: string, client: SetupClient): string {
  return `${commandWords().map(shellWord).join(' ')} hook ${event} --client ${client} || exit 0`;
}

interface HookNames {
  readonly starts: string;
  readonly preToolUse: string;
  readonly shell: string;
  readonly timeout: number;
}

/** `resume` would add the map again. */
const ALIKE: HookNames = { starts: 'startup|clear|compact', preToolUse: 'PreToolUse', shell: 'Bash', timeout: 5 };

function hooks(
  client: SetupClient,
  { starts, preToolUse, shell, timeout }: HookNames,
  { map, bridge }: SetupOptions,
): Entry[] {
  const hook = (event: string, matcher: string, name: string, item: RegExp): Entry => ({
    path: ['hooks', event],
    value: { matcher, hooks: [{ type: 'command', command: hookCommand(name, client), timeout }] },
    item,
  });
  const start = hook('SessionStart', starts, 'session-start', /cli\.cjs[\\"']* hook session-start/);
  const use = hook(preToolUse, shell, 'pre-tool-use', /cli\.cjs[\\"']* hook pre-tool-use/);
  return [...(map ? [start] : []), ...(bridge ? [use] : [])];
}

export const CLIENTS: Readonly<Record<SetupClient, ClientSpec>> = {
  claude: {
    title: 'Claude Code',
    program: 'claude',
    files: (options) => {
      const folder = inHome(options, '.claude', env.CLAUDE_CONFIG_DIR, '.claude');
      const state = options.isProject
        ? join(process.cwd(), '.mcp.json')
        : join(env.CLAUDE_CONFIG_DIR || homedir(), '.claude.json');
      // Claude Code's search for tools looks at the name of their server, too.
      const path = ['mcpServers', 'agent-ls-files'];
      return [
        { path: state, format: 'json', entries: [{ path, value: { type: 'stdio', ...server(options) } }] },
        { path: join(folder, 'settings.json'), format: 'json', entries: hooks('claude', ALIKE, options) },
      ];
    },
    next: 'Start claude in a project.',
  },
  codex: {
    title: 'Codex',
    program: 'codex',
    files: (options) => {
      const folder = inHome(options, '.codex', env.CODEX_HOME, '.codex');
      const entries = [{ path: ['mcp_servers', 'agent-ls'], value: server(options) }];
      return [
        { path: join(folder, 'config.toml'), format: 'toml', entries },
        { path: join(folder, 'hooks.json'), format: 'json', entries: hooks('codex', ALIKE, options) },
      ];
    },
    next: 'Start codex in a project. Codex skips a new hook until you trust it, once, with /hooks.',
  },
  gemini: {
    title: 'Gemini CLI',
    program: 'gemini',
    files: (options) => {
      const home = env.GEMINI_CLI_HOME && join(env.GEMINI_CLI_HOME, '.gemini');
      const names = { starts: 'startup', preToolUse: 'BeforeTool', shell: 'run_shell_command', timeout: 5000 };
      const entries = [
        { path: ['mcpServers', 'agent-ls'], value: server(options) },
        ...hooks('gemini', names, options),
      ];
      return [{ path: join(inHome(options, '.gemini', home, '.gemini'), 'settings.json'), format: 'json', entries }];
    },
    next: 'Start gemini in a project.',
  },
  opencode: {
    title: 'opencode',
    program: 'opencode',
    files: (options) => {
      const config = env.XDG_CONFIG_HOME && join(env.XDG_CONFIG_HOME, 'opencode');
      const folder = inHome(options, '.', env.OPENCODE_CONFIG_DIR || config, '.config', 'opencode');
      const { map, bridge } = options;
      const command = commandWords();
      const file = join(dirname(dirname(command[1])), 'plugins', 'opencode', 'agent-ls.js');
      const item = /plugins[\\/]+opencode[\\/]+agent-ls\.js/;
      const plugin: Entry = { path: ['plugin'], value: [file, { command, map, bridge }], item };
      const entries = [
        { path: ['mcp', 'agent-ls'], value: { type: 'local', command: serverWords(options) } },
        ...(map || bridge ? [plugin] : []),
      ];
      const name = exists(join(folder, 'opencode.jsonc')) ? 'opencode.jsonc' : 'opencode.json';
      return [{ path: join(folder, name), format: 'json', entries }];
    },
    next: 'Start opencode in a project.',
  },
};
