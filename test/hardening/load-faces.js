// The ways to reach a server under load. Each is one process, and gives out `clients` that can `ask` it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const COMMAND = fileURLToPath(new URL('../../dist/cli.cjs', import.meta.url));
const GAUGE = fileURLToPath(new URL('load-gauge.cjs', import.meta.url));

const HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

const INITIALIZE = {
  jsonrpc: '2.0',
  id: 'hello',
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'load', version: '1' } },
};

/** One server, and a connection of its own for each client. */
export async function http(roots) {
  const server = new ServerProcess(['mcp', ...roots, '--http', '0']);
  const url = new URL(await server.says(/http:\S+/));
  let agents = [];
  return {
    server,
    clients(count) {
      agents = Array.from({ length: count }, () => new Agent({ keepAlive: true, maxSockets: 1 }));
      return agents.map((agent, i) => ({ ask: (call) => post(url, agent, `${i}`, call) }));
    },
    /** Closes the connections; the server stays. */
    hangUp() {
      for (const agent of agents) agent.destroy();
    },
  };
}

/**
 * One server, and one connection that the clients share, as the agents of one program do: with a process for each, the
 * system would share out the time, not we.
 */
export async function stdio(roots) {
  const server = new ServerProcess(['mcp', ...roots]);
  const lines = new Lines(server, ({ id }) => id);
  await lines.send(INITIALIZE);
  lines.write({ jsonrpc: '2.0', method: 'notifications/initialized' });
  let asked = 0;
  const ask = async (call) => textOf(await lines.send(messageFor(asked++, call)));
  return { server, clients: (count) => Array.from({ length: count }, () => ({ ask })), hangUp() {} };
}

/** One process that answers one line after the other, so there is one client. */
export async function stdin() {
  const server = new ServerProcess(['call', '--stdin']);
  const lines = new Lines(server, ({ id }) => id);
  let asked = 0;
  const ask = async ({ tool, root, params }) => {
    const { answer, text } = await lines.send({ id: asked++, tool, root, params });
    if (answer.status === 'error') throw new Error(text);
    return text;
  };
  return { server, isInTurn: true, clients: () => [{ ask }], hangUp() {} };
}

function messageFor(id, { tool, params }) {
  return { jsonrpc: '2.0', id, method: 'tools/call', params: { name: tool, arguments: params } };
}

function textOf({ error, result }) {
  if (error !== undefined) throw new Error(error.message);
  const [{ text }] = result.content;
  if (result.isError) throw new Error(text);
  // With several roots the first line says which one it was.
  return text.slice(text.indexOf('\n') + 1);
}

async function post(url, agent, id, call) {
  const asking = request(url, { method: 'POST', headers: HEADERS, agent });
  asking.end(JSON.stringify(messageFor(id, call)));
  const [response] = await once(asking, 'response');
  let body = '';
  for await (const piece of response.setEncoding('utf8')) body += piece;
  if (response.statusCode !== 200) throw new Error(`status ${response.statusCode}: ${body}`);
  const isStream = response.headers['content-type'].startsWith('text/event-stream');
  return textOf(JSON.parse(isStream ? /^data: (.*)$/m.exec(body)[1] : body));
}

/** A message a line; each answer finds who asked by its id. */
class Lines {
  #server;
  #waiting = new Map();

  constructor(server, idOf) {
    this.#server = server;
    createInterface({ input: server.child.stdout }).on('line', (line) => {
      const message = JSON.parse(line);
      const answer = this.#waiting.get(idOf(message));
      this.#waiting.delete(idOf(message));
      answer?.resolve(message);
    });
    server.ended.then(() => {
      for (const { reject } of this.#waiting.values()) reject(new Error('the server ended'));
    });
  }

  write(message) {
    this.#server.child.stdin.write(`${JSON.stringify(message)}\n`);
  }

  send(message) {
    return new Promise((resolve, reject) => {
      this.#waiting.set(message.id, { resolve, reject });
      this.write(message);
    });
  }
}

class ServerProcess {
  #said = '';

  constructor(words) {
    const { AGENT_LS_TOKEN: _, ...env } = process.env;
    const stdio = ['pipe', 'pipe', 'pipe', 'ipc'];
    this.child = spawn(process.execPath, ['--expose-gc', '--require', GAUGE, COMMAND, ...words], { stdio, env });
    this.ended = once(this.child, 'exit');
    this.child.stderr.on('data', (piece) => {
      this.#said += piece;
    });
  }

  /** What it complained about since it was asked last. */
  complaints() {
    const said = this.#said;
    this.#said = '';
    return said;
  }

  async says(pattern) {
    while (!pattern.test(this.#said)) {
      if (this.child.exitCode !== null) throw new Error(`The server ended: ${this.#said}`);
      await Promise.race([once(this.child.stderr, 'data'), this.ended]);
    }
    return pattern.exec(this.complaints())[0];
  }

  async memory() {
    this.child.send('memory');
    const [memory] = await once(this.child, 'message');
    return memory;
  }

  /** Seconds that its main thread ran, and that it could have run if the machine had not been busy with others. */
  scheduled() {
    const [ran, waited] = readFileSync(`/proc/${this.child.pid}/schedstat`, 'utf8').split(' ');
    return { ran: ran / 1e9, waited: waited / 1e9 };
  }

  /** What each descriptor is, sorted, without the numbers of pipes and sockets. */
  descriptors() {
    const directory = `/proc/${this.child.pid}/fd`;
    return readdirSync(directory)
      .map((number) => nameOf(`${directory}/${number}`))
      .filter((name) => name !== null)
      .sort();
  }

  /** Processes that it started and that are still there. */
  children() {
    const { pid } = this.child;
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean);
  }

  async end() {
    this.child.kill('SIGTERM');
    await this.ended;
  }
}

function nameOf(link) {
  try {
    return readlinkSync(link).replace(/\d+(?=\]$)/, '');
  } catch {
    // Closed meanwhile.
    return null;
  }
}
