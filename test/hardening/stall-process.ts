/** A process under attack, watched from outside: its CPU time and memory are there to read even while it is blocked. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, readFileSync, readSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const GAUGE = fileURLToPath(new URL('stall-gauge.cjs', import.meta.url));

/** Megabytes at which a process is ended before it takes the machine's memory from everybody else. */
const MAX_MEMORY = 2_500;

/** Milliseconds between two looks at a process's memory. */
const LOOK = 50;

export interface Reading {
  /** CPU milliseconds of the main thread in its longest turn of the event loop, the one under way included. */
  readonly block: number;
  /** The same turn's length by the clock. Information only: the machine may be busy with others. */
  readonly blockByClock: number;
  /** Megabytes of memory at its peak. */
  readonly peak: number;
}

export class WatchedProcess {
  readonly child: ChildProcess;
  readonly ended: Promise<unknown>;
  /** Everything that it wrote to stderr. */
  complaints = '';
  readonly #home = mkdtempSync(join(tmpdir(), 'agent-ls-test-gauge-'));
  readonly #results: number;
  readonly #watch: NodeJS.Timeout;
  #last: Reading = { block: 0, blockByClock: 0, peak: 0 };

  /** `words` are those of `node`. An IPC channel is open, and the gauge answers there. */
  constructor(words: readonly string[], saboteur?: string) {
    this.#results = openSync(join(this.#home, 'results'), 'w+');
    const loaded = [GAUGE, ...(saboteur === undefined ? [] : [saboteur])].flatMap((path) => ['--require', path]);
    const stdio = ['pipe' as const, 'pipe' as const, 'pipe' as const, 'ipc' as const, this.#results];
    this.child = spawn(process.execPath, [...loaded, ...words], { stdio, env: environment(this.#home) });
    this.ended = once(this.child, 'exit');
    this.child.stderr?.on('data', (piece) => {
      this.complaints += piece;
    });
    // A process that has died takes no more input.
    this.child.stdin?.on('error', () => {});
    this.#watch = setInterval(() => {
      if (this.reading().peak > MAX_MEMORY) this.child.kill('SIGKILL');
    }, LOOK);
  }

  get isGone(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null;
  }

  /** Waits until it has complained in these words. */
  async says(pattern: RegExp): Promise<string> {
    for (;;) {
      const found = pattern.exec(this.complaints)?.[0];
      if (found !== undefined) return found;
      if (this.isGone) throw new Error(`The process ended: ${this.complaints}`);
      await Promise.race([once(this.child.stderr as NodeJS.ReadableStream, 'data'), this.ended]);
    }
  }

  /** Forgets what was measured so far. As `user`, where given, it goes on without root's rights. */
  async measure(user: number | null): Promise<void> {
    // "5" resets the peak of the memory.
    writeFileSync(`/proc/${this.child.pid}/clear_refs`, '5');
    this.child.send({ measure: { user } });
    await Promise.race([this.answer(), this.ended]);
    this.#last = { block: 0, blockByClock: 0, peak: 0 };
  }

  async answer(): Promise<unknown> {
    const [message] = await once(this.child, 'message');
    return message;
  }

  /** CPU milliseconds of its main thread so far; null when it is gone. */
  cpu(): number | null {
    const schedule = this.#ask('schedstat');
    return schedule === null ? null : Number(schedule.split(' ')[0]) / 1e6;
  }

  /** Turns of its event loop that were counted, and the CPU milliseconds at the last one. */
  turns(): { readonly count: number; readonly cpu: number } {
    const [, , cpu = 0, count = 0] = this.#measured();
    return { count, cpu };
  }

  /** Of a process that is gone, what was read last. */
  reading(): Reading {
    const cpu = this.cpu();
    const status = this.#ask('status');
    const peak = /^VmHWM:\s+(\d+)/m.exec(status ?? '')?.[1];
    const [block = 0, blockByClock = 0, atLastTurn = 0] = this.#measured();
    this.#last = {
      block: Math.max(block, this.#last.block, cpu === null ? 0 : cpu - atLastTurn),
      blockByClock: Math.max(blockByClock, this.#last.blockByClock),
      peak: Math.max(this.#last.peak, Number(peak ?? 0) / 1024),
    };
    return this.#last;
  }

  async end(): Promise<void> {
    clearInterval(this.#watch);
    if (!this.isGone) {
      this.child.kill('SIGKILL');
      await this.ended;
    }
    closeSync(this.#results);
    rmSync(this.#home, { recursive: true });
  }

  #measured(): Float64Array {
    const results = new Float64Array(4);
    readSync(this.#results, results, 0, results.byteLength, 0);
    return results;
  }

  #ask(question: 'schedstat' | 'status'): string | null {
    if (this.isGone) return null;
    try {
      return readFileSync(`/proc/${this.child.pid}/${question}`, 'utf8');
    } catch {
      // It has ended, and Node has not noticed yet.
      return null;
    }
  }
}

/** Without the settings of whoever runs the tests. */
function environment(home: string): NodeJS.ProcessEnv {
  const names = Object.keys(process.env).filter(
    (name) => !/^(GIT_|AGENT_LS_|XDG_CONFIG_HOME$|NODE_OPTIONS$)/.test(name),
  );
  const kept = Object.fromEntries(names.map((name) => [name, process.env[name]]));
  return { ...kept, HOME: home, GIT_CONFIG_NOSYSTEM: '1' };
}
