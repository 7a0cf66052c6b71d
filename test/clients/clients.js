/** The clients: how each is configured and started, and which API its model speaks. Telemetry and updates are off. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { anthropic } from './anthropic.js';
import { documented } from './documented.js';
import { google } from './google.js';
import { programOf } from './install.js';
import { chat, responses } from './openai.js';

export const PLUGINS = fileURLToPath(new URL('../../plugins', import.meta.url));

/**
 * `configure` writes the settings into the home directory `home`, and returns how to start the client. `server` is
 * `{ words }` for agent-ls on stdio as documented, `{ url, token }` for HTTP, or `{ command, args }` for another server;
 * or none, for `{ setup }` and `{ plugin }`, which are done afterwards: by `agent-ls setup`, or by the commands in `plugin`.
 */
export const CLIENTS = [
  {
    key: 'claude-code',
    setupName: 'claude',
    name: 'Claude Code',
    api: anthropic,
    search: (query) => ({ tool: 'ToolSearch', input: { query, max_results: 5 } }),
    nameOf: (tool, { command, plugin }) =>
      `mcp__${command ? 'other' : plugin ? 'plugin_agent-ls_files' : 'agent-ls-files'}__${tool}`,
    shell: (command) => ({ tool: 'Bash', input: { command, description: 'list' } }),
    plugin: [
      ['plugin', 'marketplace', 'add', PLUGINS],
      ['plugin', 'install', 'agent-ls@agent-ls'],
    ],
    configure({ home, server, url }) {
      const program = programOf('claude-code', 'claude');
      const env = {
        ANTHROPIC_BASE_URL: url,
        ANTHROPIC_API_KEY: 'none',
        ENABLE_TOOL_SEARCH: 'true',
        DISABLE_TELEMETRY: '1',
        DISABLE_AUTOUPDATER: '1',
        DISABLE_ERROR_REPORTING: '1',
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      };
      const add = (...words) =>
        execFileSync(program, ['mcp', 'add', '--scope', 'user', ...words], {
          env: { ...minimal(home), ...env },
          stdio: 'ignore',
        });
      if (server.words !== undefined) {
        const line = documented('Claude Code', server.words).trim().split(' ').slice(1);
        execFileSync(program, line, { env: { ...minimal(home), ...env }, stdio: 'ignore' });
      } else if (server.url !== undefined) {
        add('--transport', 'http', 'agent-ls-files', server.url, '--header', `Authorization: Bearer ${server.token}`);
      } else if (server.command !== undefined) add('other', '--', server.command, ...server.args);
      const allowed = ['mcp__agent-ls-files', 'mcp__plugin_agent-ls_files', 'mcp__other'].join(',');
      return { program, args: ['-p', 'go', '--allowedTools', allowed, '--model', 'claude-sonnet-4-5'], env };
    },
  },
  {
    key: 'codex',
    setupName: 'codex',
    name: 'Codex',
    api: responses,
    search: (query) => ({ tool: 'tool_search', input: { query } }),
    nameOf: (tool, { command }) => `mcp__${command ? 'other' : 'agent_ls'}.${tool}`,
    // A person trusts a new hook once, in a terminal.
    trustsHooks: ['--dangerously-bypass-hook-trust'],
    shell: (command) => ({ tool: 'exec_command', input: { cmd: command } }),
    plugin: [
      ['plugin', 'marketplace', 'add', PLUGINS],
      ['plugin', 'add', 'agent-ls@agent-ls'],
    ],
    configure({ home, server, url }) {
      const block =
        server.words !== undefined
          ? documented('Codex', server.words)
          : server.url !== undefined
            ? `[mcp_servers.agent-ls]\nurl = "${server.url}"\nbearer_token_env_var = "AGENT_LS_TOKEN"\n`
            : server.command !== undefined
              ? `[mcp_servers.other]\ncommand = "${server.command}"\nargs = ${JSON.stringify(server.args)}\n`
              : '';
      // Of the models that it knows, this one has the tools of servers behind a search.
      write(home, '.codex/config.toml', [
        'model = "gpt-5.5"\nmodel_provider = "scripted"\ncheck_for_update_on_startup = false',
        `[analytics]\nenabled = false\n[model_providers.scripted]\nname = "scripted"\nbase_url = "${url}/v1"\nwire_api = "responses"`,
        block,
      ]);
      const env = server.token === undefined ? {} : { AGENT_LS_TOKEN: server.token };
      return { program: programOf('codex', 'codex'), args: ['exec', '--skip-git-repo-check', 'go'], env };
    },
  },
  {
    key: 'gemini-cli',
    setupName: 'gemini',
    name: 'Gemini CLI',
    api: google,
    search: null,
    nameOf: (tool, { command }) => `mcp_${command ? 'other' : 'agent-ls'}_${tool}`,
    shell: (command) => ({ tool: 'run_shell_command', input: { command } }),
    plugin: [['extensions', 'link', `${PLUGINS}/gemini`, '--consent']],
    configure({ home, server, url }) {
      const own =
        server.words !== undefined
          ? JSON.parse(documented('Gemini CLI', server.words))
          : server.url !== undefined
            ? {
                mcpServers: {
                  'agent-ls': { httpUrl: server.url, headers: { Authorization: `Bearer ${server.token}` } },
                },
              }
            : server.command !== undefined
              ? { mcpServers: { other: { command: server.command, args: server.args } } }
              : {};
      const settings = {
        security: { auth: { selectedType: 'gemini-api-key' }, folderTrust: { enabled: false } },
        privacy: { usageStatisticsEnabled: false },
        telemetry: { enabled: false },
        general: { enableAutoUpdate: false, disableAutoUpdate: true, disableUpdateNag: true },
      };
      write(home, '.gemini/settings.json', [JSON.stringify({ ...settings, ...own })]);
      const env = { GEMINI_API_KEY: 'none', GOOGLE_GEMINI_BASE_URL: url };
      return { program: programOf('gemini-cli', 'gemini'), args: ['-p', 'go', '-m', 'gemini-2.5-pro', '--yolo'], env };
    },
  },
  {
    key: 'opencode',
    setupName: 'opencode',
    name: 'opencode',
    api: chat,
    search: null,
    nameOf: (tool, { command }) => `${command ? 'other' : 'agent-ls'}_${tool}`,
    shell: (command) => ({ tool: 'bash', input: { command, description: 'list' } }),
    // It has no command for a plugin: a line in its settings.
    plugin: [],
    configure({ home, server, url }) {
      const own =
        server.words !== undefined
          ? JSON.parse(documented('opencode', server.words))
          : server.url !== undefined
            ? {
                mcp: {
                  'agent-ls': { type: 'remote', url: server.url, headers: { Authorization: `Bearer ${server.token}` } },
                },
              }
            : server.command !== undefined
              ? { mcp: { other: { type: 'local', command: [server.command, ...server.args] } } }
              : server.plugin
                ? { plugin: [`${PLUGINS}/opencode/agent-ls.js`] }
                : {};
      const models = { scripted: { name: 'scripted', tool_call: true, limit: { context: 200_000, output: 8000 } } };
      const options = { baseURL: `${url}/v1`, apiKey: 'none' };
      const provider = { local: { npm: '@ai-sdk/openai-compatible', name: 'local', options, models } };
      const settings = { autoupdate: false, share: 'disabled', model: 'local/scripted', provider };
      write(home, '.config/opencode/opencode.json', [JSON.stringify({ ...settings, ...own })]);
      const env = {
        OPENCODE_DISABLE_AUTOUPDATE: '1',
        OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
        OPENCODE_DISABLE_MODELS_FETCH: '1',
        OPENCODE_DISABLE_DEFAULT_PLUGINS: '1',
        // It would fetch a package for plug-ins.
        npm_config_registry: NOWHERE,
        BUN_CONFIG_REGISTRY: NOWHERE,
      };
      return { program: programOf('opencode', 'opencode'), args: ['run', 'go'], env };
    },
  },
];

/** Nobody listens there. */
const NOWHERE = 'http://127.0.0.1:9';

/** The environment that every client gets: nothing of the user's. */
export function minimal(home) {
  return { PATH: process.env.PATH, HOME: home, NO_COLOR: '1', TERM: 'dumb' };
}

function write(home, name, parts) {
  const file = join(home, name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${parts.join('\n')}\n`);
}
