/** Runs the calls of a case against a real process, and says which promises it broke. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import type { DialectName } from '../../src/dialects/table.ts';
import { type Ask, httpPeer, type LibraryCall, LibraryPeer, type Peer, stdioPeer } from './stall-peers.ts';
import type { WatchedProcess } from './stall-process.ts';

/**
 * How many times as long this machine takes as the one for which the limits were set, where Node needed 100 ms of CPU to
 * start. The same machine can take half as long again while others share its cores.
 */
const SLOWNESS = Math.max(1, leastToStart() / 100);

/** CPU milliseconds that one turn of the event loop may take. */
export const LONGEST_BLOCK = 100 * SLOWNESS;

/** CPU milliseconds, the least of three. */
function leastToStart(): number {
  const starts = [1, 2, 3].map(() => execFileSync(process.execPath, ['-p', 'JSON.stringify(process.cpuUsage())']));
  return Math.min(...starts.map((text) => JSON.parse(`${text}`)).map(({ user, system }) => (user + system) / 1000));
}

/** What a call may work beyond its time limit: 100 ms, and half as much again for a machine whose caches others use. */
const LONGEST_OVERRUN = 150;

/** Megabytes. */
export const HIGHEST_PEAK = 600;
/** CPU milliseconds of the server between a neighbour's small call and its answer. */
const LONGEST_WAIT = 1_000;

/** Milliseconds after which the client of a call goes away. The server has to stop working for it then. */
const PATIENCE = { small: 2_000, heavy: 15_000 };
/** Milliseconds after which a process that does not answer is ended. */
const CUT = 200_000;

/** A call of a tool over HTTP, with a neighbour beside it. */
export interface ToolCall {
  readonly dialect?: DialectName;
  readonly tool: string;
  readonly params: object;
  /** Where the parameters do not say enough. */
  readonly label?: string;
}

/** Anything else that a client can do. */
export interface Session {
  readonly label: string;
  /** On stdio where the client has roots, as `file:` addresses. */
  readonly roots?: readonly string[];
  readonly session: (peer: Peer, signal: AbortSignal) => Promise<unknown>;
}

export type Step = ToolCall | Session | LibraryCall;

export interface Case {
  readonly name: string;
  /** Takes long, or needs much memory: for AGENT_LS_STALLS=all. */
  readonly isHeavy?: boolean;
  /** Whether it has to be the server's root itself, not a directory in it. */
  readonly hasOwnServer?: boolean;
  /** Whether the client waits as long as for a heavy one: the harm is done late. */
  readonly isPatient?: boolean;
  /** The address of the server's root, where that is not a directory. */
  address?(root: string): string;
  /** Whether the calls come from somebody whom the system may refuse something. */
  readonly asNobody?: boolean;
  build(root: string): void | Promise<void>;
  /** Paths have to be absolute, unless the case has a server of its own. */
  calls(root: string): readonly Step[];
}

export interface Outcome {
  readonly call: string;
  /** CPU milliseconds. */
  readonly block: number;
  /** Milliseconds by the clock: information only, as is the neighbour's. */
  readonly took: number;
  readonly neighbour: number;
  /** Megabytes. */
  readonly peak: number;
  readonly faults: readonly string[];
}

/** A directory that is harmless, for the neighbour and for what loads the code. */
export function makeQuiet(path: string): void {
  mkdirSync(join(path, 'src'), { recursive: true });
  for (let i = 0; i < 10; i++) writeFileSync(join(path, 'src', `file-${i}.ts`), '');
  writeFileSync(join(path, '.gitignore'), '*.log\n');
}

/** `nobody`, if this user can become somebody else. */
const NOBODY = process.getuid?.() === 0 ? 65_534 : null;

/** Where a call looks, and who makes it. */
interface Target {
  readonly root: string;
  readonly user: number | null;
  readonly budget: number;
}

/**
 * The processes that are attacked: one for each way to ask, started when it is needed. Cases share them, unless a call
 * broke a promise: then the next one meets a fresh process, so that one fault is not taken for two.
 */
export class Attack {
  readonly #root: string;
  readonly #quiet: string;
  readonly #saboteur: string | undefined;
  readonly #peers = new Map<DialectName, Peer>();
  #library: LibraryPeer | null = null;

  /** `root` is the server's; a case may take place in a directory of it. */
  constructor(root: string, quiet: string, saboteur?: string) {
    this.#root = root;
    this.#quiet = quiet;
    this.#saboteur = saboteur;
  }

  /** A call of a case that was built at `root`. */
  async run(
    step: Step,
    root: string,
    { asNobody = false, isHeavy = false, isPatient = false }: Partial<Case> = {},
  ): Promise<Outcome> {
    const budget = isHeavy || isPatient ? PATIENCE.heavy : PATIENCE.small;
    const target = { root, user: asNobody ? NOBODY : null, budget };
    if ('does' in step) return this.#runInLibrary(step, target);
    if ('session' in step) return this.#runSession(step, target);
    const { dialect = 'standard', tool, params, label = JSON.stringify(params) } = step;
    const call = `${dialect} ${tool.slice(0, 20)} ${short(label, root)}`;
    const peer = await this.#peerOf(dialect);
    const outcome = await this.#runBeside(call, peer, target, (_, signal) => peer.ask(tool, params, signal));
    if (outcome.faults.length > 0) await this.#drop(dialect);
    return outcome;
  }

  async end(): Promise<void> {
    for (const dialect of [...this.#peers.keys()]) await this.#drop(dialect);
    await this.#dropLibrary();
  }

  async #drop(dialect: DialectName): Promise<void> {
    await this.#peers.get(dialect)?.process.end();
    this.#peers.delete(dialect);
  }

  async #dropLibrary(): Promise<void> {
    await this.#library?.process.end();
    this.#library = null;
  }

  async #peerOf(dialect: DialectName): Promise<Peer> {
    const known = this.#peers.get(dialect);
    if (known !== undefined && !known.process.isGone) return known;
    await this.#drop(dialect);
    const peer = await httpPeer(this.#words(dialect), this.#saboteur);
    this.#peers.set(dialect, peer);
    await warmUp(peer.ask, dialect, this.#quiet);
    return peer;
  }

  #words(dialect: DialectName): string[] {
    return [this.#root, this.#quiet, '--dialect', dialect];
  }

  async #runSession({ label, roots, session }: Session, target: Target): Promise<Outcome> {
    if (roots === undefined) {
      const outcome = await this.#runBeside(label, await this.#peerOf('standard'), target, session);
      if (outcome.faults.length > 0) await this.#drop('standard');
      return outcome;
    }
    // A client's roots count where the server has none. The quiet directory is the first, for there may be too many.
    const peer =
      roots.length === 0
        ? await stdioPeer(this.#words('standard'), [])
        : await stdioPeer([], [pathToFileURL(this.#quiet).href, ...roots]);
    try {
      await warmUp(peer.ask, 'standard', this.#quiet);
      return await this.#runBeside(label, peer, target, session);
    } finally {
      await peer.process.end();
    }
  }

  async #runBeside(call: string, peer: Peer, { user, budget }: Target, hostile: Session['session']): Promise<Outcome> {
    const { process } = peer;
    await process.measure(user);
    const faults: string[] = [];
    const cut = cutLater(process, faults);
    const started = performance.now();
    const neighbour = new Neighbour(peer, this.#quiet);
    const leaving = new AbortController();
    const leave = setTimeout(() => leaving.abort(), budget);
    const failure = await hostile(peer, leaving.signal).then(
      () => null,
      (error: Error) => error,
    );
    const took = performance.now() - started;
    if (failure !== null && !leaving.signal.aborted && !REFUSED.test(failure.message)) {
      faults.push(`the call failed: ${failure.message}`);
    }
    clearTimeout(leave);
    await neighbour.stop();
    faults.push(...(await restlessness(process)));
    clearTimeout(cut);
    if (process.isGone) faults.push(`the process is gone: ${process.complaints.trim().slice(-200)}`);
    else faults.push(...neighbour.faults);
    return outcome(call, process, took, neighbour.longest, faults);
  }

  async #runInLibrary(step: LibraryCall, { root, user }: Target): Promise<Outcome> {
    const { does, input, options = {} } = step;
    this.#library ??= new LibraryPeer();
    const { process } = this.#library;
    await this.#library.call(this.#quiet, { does, input: QUIET_INPUT[does] ?? { path: this.#quiet } });
    await process.measure(user);
    const faults: string[] = [];
    const cut = cutLater(process, faults);
    const started = performance.now();
    const before = process.cpu() ?? 0;
    const ended = await this.#library.call(this.#root, step);
    const worked = (process.cpu() ?? before) - before;
    const took = performance.now() - started;
    clearTimeout(cut);
    if (ended !== 'answered') faults.push(ended);
    const { timeLimit } = options;
    if (timeLimit !== undefined && worked > timeLimit + LONGEST_OVERRUN) {
      faults.push(`it worked for ${worked.toFixed()} ms of CPU with a time limit of ${timeLimit}`);
    }
    const call = `library ${does} ${short(JSON.stringify(input), root)} ${JSON.stringify(options)}`;
    const found = outcome(call, process, took, 0, faults);
    if (found.faults.length > 0) await this.#dropLibrary();
    return found;
  }
}

/** How a server that does not want to read a request to its end looks to whoever sends it. */
const REFUSED = /ECONNRESET|EPIPE|socket hang up/;

/** The beginning of what was sent, on one line. */
function short(label: string, root: string): string {
  return label.replaceAll(root, 'ROOT').slice(0, 60);
}

/** Ends a process that does not answer, once it was read how long it has been blocked. */
function cutLater(process: WatchedProcess, faults: string[]): NodeJS.Timeout {
  return setTimeout(() => {
    faults.push(`it did not answer for ${CUT / 1000} s`);
    process.reading();
    process.child.kill('SIGKILL');
  }, CUT);
}

const QUIET_INPUT: Readonly<Record<string, unknown>> = { explain: ['src'], list: { depth: 2 }, tree: { path: '.' } };

/** Loading the code takes longer than any turn may: that is done before. */
async function warmUp(ask: Ask, dialect: DialectName, quiet: string): Promise<void> {
  for (let i = 0; i < 3; i++) await callEveryTool(ask, dialect, quiet);
}

async function callEveryTool(ask: Ask, dialect: DialectName, quiet: string): Promise<void> {
  if (dialect === 'standard') {
    await ask('LS', { path: quiet });
    await ask('LS', { path: `${quiet}/missing` });
    await ask('Tree', { path: quiet });
    await ask('Find', { path: quiet, query: '*.ts' });
  } else if (dialect === 'gemini') await ask('list_directory', { path: quiet, ignore: ['*.x'] });
  else if (dialect === 'codex') await ask('list_dir', { dir_path: quiet });
  else await ask('LS', { path: quiet, recursive: true, pattern: '*.ts', long: true });
}

/** Somebody who lists a small directory again and again, in the same process. */
class Neighbour {
  /** Milliseconds by the clock. */
  longest = 0;
  readonly faults: string[] = [];
  readonly #peer: Peer;
  readonly #quiet: string;
  readonly #done: Promise<void>;
  #isStopped = false;

  constructor(peer: Peer, quiet: string) {
    this.#peer = peer;
    this.#quiet = quiet;
    this.#done = this.#askOn();
  }

  /** After a last call, for the process must still answer. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#done;
  }

  async #askOn(): Promise<void> {
    for (let isLast = false; !isLast && !this.#peer.process.isGone; ) {
      isLast = this.#isStopped;
      await this.#askOnce();
      if (!this.#isStopped) await pause(20);
    }
  }

  async #askOnce(): Promise<void> {
    const { process, ask, isShared } = this.#peer;
    const started = performance.now();
    const before = process.cpu() ?? 0;
    try {
      const text = await ask(...smallCall(process, this.#quiet));
      // Whoever shares a connection with the attacker is told what the attacker is told.
      if (isShared && !text.includes('file-7.ts')) this.faults.push(`the neighbour was told: ${text.slice(0, 200)}`);
    } catch (error) {
      this.faults.push(`the neighbour got no answer: ${(error as Error).message}`);
    }
    const waited = (process.cpu() ?? before) - before;
    // Nor is there a way past what was sent before on the same connection.
    if (isShared && waited > LONGEST_WAIT) this.faults.push(`the neighbour waited for ${waited.toFixed()} ms of CPU`);
    this.longest = Math.max(this.longest, performance.now() - started);
  }
}

function smallCall({ child }: WatchedProcess, quiet: string): [string, object] {
  const path = join(quiet, 'src');
  const dialect = child.spawnargs[child.spawnargs.indexOf('--dialect') + 1];
  if (dialect === 'gemini') return ['list_directory', { path }];
  return dialect === 'codex' ? ['list_dir', { dir_path: path }] : ['LS', { path }];
}

/**
 * A fault if the process goes on working although whoever asked has the answer, or has gone. An idle process does next to
 * nothing in ten turns of its event loop, however long a busy machine takes to give it so many.
 */
async function restlessness(process: WatchedProcess): Promise<string[]> {
  const start = process.turns();
  for (let before = start; !process.isGone; ) {
    await pause(10);
    const after = process.turns();
    if (after.count - before.count < 10) continue;
    if (after.cpu - before.cpu < 10) return [];
    const worked = after.cpu - start.cpu;
    if (worked > LONGEST_WAIT) return [`it works on for nobody: ${worked.toFixed()} ms of CPU`];
    before = after;
  }
  return [];
}

function outcome(
  call: string,
  process: WatchedProcess,
  took: number,
  neighbour: number,
  others: readonly string[],
): Outcome {
  const { block, blockByClock, peak } = process.reading();
  const faults = [...others];
  if (block > LONGEST_BLOCK) {
    const byClock = blockByClock < block ? '' : ` (${blockByClock.toFixed()} ms by the clock)`;
    faults.unshift(`blocked for ${block.toFixed()} ms of CPU${byClock}`);
  }
  if (peak > HIGHEST_PEAK) faults.push(`took ${peak.toFixed()} MB`);
  return { call, block, took, neighbour, peak, faults };
}
