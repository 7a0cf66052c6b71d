/**
 * agent-ls in opencode: its tools, a map at the start of a session, and the shell bridge if it is asked for.
 *
 *     "plugin": [["/abs/agent-ls/plugins/opencode/agent-ls.js", { "bridge": true }]]
 *
 * It starts `agent-ls` of the path, or the words of `command`. Nothing that goes wrong here reaches the session.
 */
import { spawn } from 'node:child_process';

const LONGEST = 3_000;

/** Resolves to what the hook prints; '' whatever goes wrong. */
function hook([program, ...words], event, cwd, input) {
  return new Promise((resolve) => {
    const child = spawn(program, [...words, 'hook', event, '--client', 'opencode'], {
      cwd,
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    const timer = setTimeout(() => child.kill(), LONGEST);
    let output = '';
    child.stdout.on('data', (piece) => {
      output += piece;
    });
    child.stdin.on('error', () => {});
    child.on('error', () => resolve(''));
    child.on('close', () => {
      clearTimeout(timer);
      resolve(output.trimEnd());
    });
    child.stdin.end(JSON.stringify(input));
  });
}

export default async ({ directory }, { command = ['agent-ls'], map = true, bridge = false } = {}) => {
  // Once for all requests, so that they begin with the same bytes.
  let text;
  return {
    config: async (config) => {
      config.mcp ??= {};
      config.mcp['agent-ls'] ??= { type: 'local', command: [...command, 'mcp'] };
    },
    'experimental.chat.system.transform': async (_, output) => {
      if (!map) return;
      text ??= hook(command, 'session-start', directory, { cwd: directory });
      const found = await text;
      if (found !== '') output.system.push(found);
    },
    'tool.execute.before': async ({ tool }, { args }) => {
      if (!bridge || tool !== 'bash') return;
      const answer = await hook(command, 'pre-tool-use', directory, {
        cwd: args.workdir ?? directory,
        tool_input: { command: args.command },
      });
      if (answer !== '') args.command = JSON.parse(answer).command;
    },
  };
};
