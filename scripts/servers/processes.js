/** The processes of a test server, in a folder of its own. All of them end with the process that started them. */
import { execFile, spawn } from 'node:child_process';
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';

/** Milliseconds that a server may take to start on a busy machine. */
const PATIENCE = 60_000;

const SETPRIV = '/usr/bin/setpriv';

export class Processes {
  folder = mkdtempSync(join(tmpdir(), 'agent-ls-server-'));
  #environment;
  #running = [];

  constructor(environment) {
    this.#environment = environment;
    process.once('exit', this.#kill);
  }

  /** Runs a program to its end, and returns its output. */
  async run(program, ...words) {
    const { stdout } = await promisify(execFile)(program, words, { env: this.#environment });
    return stdout;
  }

  /** Runs a program to its end, with this text as its input. */
  feed(text, program, ...words) {
    const child = spawn(program, words, { env: this.#environment, stdio: ['pipe', 'ignore', 'pipe'] });
    const errors = [];
    child.stderr.on('data', (bytes) => errors.push(bytes));
    child.stdin.on('error', () => {});
    child.stdin.end(text);
    return new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code) => (code === 0 ? resolve() : reject(new Error(Buffer.concat(errors).toString()))));
    });
  }

  /** Starts a program in the background. The kernel kills it when this process ends, if it still runs. */
  start(program, words, privileges = [], env = this.#environment) {
    const log = openSync(join(this.folder, `${program.split('/').at(-1)}.out`), 'a');
    const hasSetpriv = existsSync(SETPRIV);
    const line = hasSetpriv ? [SETPRIV, '--pdeathsig', 'KILL', ...privileges, program, ...words] : [program, ...words];
    const child = spawn(line[0], line.slice(1), { env, stdio: ['ignore', log, log] });
    closeSync(log);
    child.on('error', () => {});
    this.#running.push(child);
    return child;
  }

  /** Waits until the port accepts connections. If a program ends instead, throws with the end of its log. */
  async listening(port) {
    await this.until(() => answers(port), `server on port ${port}`);
  }

  async until(isSo, what) {
    const end = Date.now() + PATIENCE;
    while (!(await isSo())) {
      const dead = this.#running.find(({ exitCode, signalCode }) => exitCode !== null || signalCode !== null);
      if (dead !== undefined || Date.now() > end) throw new Error(`there is no ${what}: ${this.#lastWords(dead)}`);
      await pause(50);
    }
  }

  #lastWords(child) {
    const program = child?.spawnargs.find((word) => existsSync(join(this.folder, `${word.split('/').at(-1)}.out`)));
    if (program === undefined) return 'it takes too long';
    return readFileSync(join(this.folder, `${program.split('/').at(-1)}.out`), 'utf8').slice(-1000);
  }

  async stop() {
    process.off('exit', this.#kill);
    const ended = this.#running.map((child) =>
      child.exitCode !== null || child.signalCode !== null || child.pid === undefined
        ? undefined
        : new Promise((resolve) => child.once('exit', resolve)),
    );
    this.#kill();
    await Promise.all(ended);
    rmSync(this.folder, { recursive: true, force: true });
  }

  #kill = () => {
    for (const child of this.#running.toReversed()) child.kill('SIGKILL');
  };
}

/** Returns unused ports of 127.0.0.1. */
export async function freePorts(count) {
  const servers = await Promise.all(Array.from({ length: count }, listenAnywhere));
  const ports = servers.map((server) => server.address().port);
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}

function listenAnywhere() {
  const server = createServer();
  return new Promise((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', () => resolve(server));
  });
}

function answers(port) {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}
