/** One conversation of a client with a scripted model. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { minimal } from './clients.js';
import { startModel } from './model.js';

/** In milliseconds. On a busy machine a client alone takes minutes. */
const LONGEST_CONVERSATION = 600_000;

/**
 * Runs `steps`, calls of tools, in `cwd`. `during` of a step is called when its call was sent: to interrupt the client,
 * whose process it is given.
 *
 * @returns what was announced, and the result of each call in order.
 */
export async function play(client, { server, cwd, steps, home: given, more = [] }) {
  const home = given ?? mkdtempSync(join(tmpdir(), 'agent-ls-home-'));
  let child = null;
  const script = steps.map(({ search, shell, tool, input, before, during }) => ({
    ...(search !== undefined
      ? client.search(search)
      : shell !== undefined
        ? client.shell(shell)
        : { tool: client.nameOf(tool, server), input }),
    before,
    during: during && (() => during(child)),
  }));
  const model = await startModel(client.api, script);
  try {
    const { program, args, env } = client.configure({ home, server, url: model.url });
    connect(client, { server, program, home, env });
    child = spawn(program, [...args, ...more], {
      cwd,
      env: { ...minimal(home), ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece) => (output += piece));
    const timer = setTimeout(() => child.kill('SIGKILL'), LONGEST_CONVERSATION);
    await once(child, 'close');
    clearTimeout(timer);
    return { ...model.seen, output };
  } finally {
    model.close();
    if (given === undefined) rmSync(home, { recursive: true, force: true });
  }
}

/** By `agent-ls setup`, by the client's own commands for plugins, or by a line of a page. */
function connect({ setupName, plugin }, { server, program, home, env }) {
  const options = { env: { ...minimal(home), ...env }, stdio: ['ignore', 'ignore', 'pipe'], cwd: home };
  if (server.line !== undefined) execFileSync('sh', ['-c', server.line], options);
  else if (server.setup !== undefined) {
    execFileSync('agent-ls', ['setup', setupName, '--yes', ...server.setup], options);
  } else if (server.plugin) for (const words of plugin) execFileSync(program, words, options);
}

/** The processes whose command line has this word: servers that a client started, each named by a root of its own. */
export function processesWith(word) {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((id) => wordsOf(id).includes(word) && wordsOf(id).includes('mcp'))
    .map(Number);
}

function wordsOf(id) {
  try {
    return readFileSync(`/proc/${id}/cmdline`, 'utf8').split('\0');
  } catch {
    return [];
  }
}
