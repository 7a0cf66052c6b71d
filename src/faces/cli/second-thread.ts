/** Lets a second core do some of the work, where there is so much that it pays. */
import { availableParallelism, loadavg } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { Query } from '../../listing/query.ts';
import type { WalkHelper, WalkPart } from '../../listing/walk-plan.ts';
import type { Bytes } from '../../workspace/bytes.ts';
import { now } from '../../workspace/clock.ts';
import { readThroughLinks } from '../../workspace/disk/plain-file.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { SECOND_THREAD } from './thread-word.ts';
import type { ListFormat } from './walk-job.ts';

export type Job =
  /** Walks through a directory, given by its path from the listed one. */
  | { readonly kind: 'walk'; readonly directory: Bytes; readonly depth: number }
  /** The long lines of entries of the listed directory; no name holds a NUL, so that stands between them. */
  | { readonly kind: 'describe'; readonly names: Bytes };

export interface Question {
  readonly id: number;
  readonly job: Job;
}

export interface Answer {
  readonly id: number;
  readonly result: WalkPart | Uint8Array | null;
}

/** Milliseconds of work that are over before a thread would have started, where nobody knows how much there is. */
const PATIENCE = 100;

/** Entries that take longer than that to describe. */
const MANY = 20_000;

/** Jobs that are given to it at a time, so that it need not wait for the next one. */
const AHEAD = 2;

/**
 * Where other programs keep all cores busy, a second thread only gets in the way of the first. Linux tells how many
 * threads run at this moment, this one included; elsewhere the average of a minute has to do.
 */
function hasIdleCore(): boolean {
  const running = /(\d+)\//.exec(readThroughLinks('/proc/loadavg') ?? '')?.[1];
  return (running === undefined ? (loadavg()[0] as number) : Number(running) - 1) < availableParallelism() - 1;
}

export class SecondThread implements WalkHelper {
  readonly #root: Bytes;
  readonly #query: Query;
  readonly #format: ListFormat;
  readonly #useful: number;
  readonly #waiting = new Map<number, (result: Answer['result']) => void>();
  #worker: Worker | null = null;
  #isUsable = true;
  #count = 0;

  /** `entries` is how many there are to describe; 0 where that is not known. */
  constructor(query: Query, workspace: Workspace, format: ListFormat, entries = 0) {
    this.#query = query;
    this.#format = format;
    this.#root = workspace.rootBytes;
    this.#useful = entries < MANY ? now() + PATIENCE : 0;
    // Another thread could not open it by its path.
    this.#isUsable = !workspace.isElsewhere;
  }

  get wantsWork(): boolean {
    if (!this.#isUsable || this.#waiting.size >= AHEAD || now() < this.#useful) return false;
    return this.#worker !== null || hasIdleCore();
  }

  walk(directory: Bytes, depth: number): Promise<WalkPart | null> {
    return this.#ask({ kind: 'walk', directory, depth }) as Promise<WalkPart | null>;
  }

  /** Null when it could not do it. */
  describe(names: readonly Bytes[]): Promise<Uint8Array | null> {
    return this.#ask({ kind: 'describe', names: names.join('\0') as Bytes }) as Promise<Uint8Array | null>;
  }

  close(): void {
    this.#isUsable = false;
    this.#worker?.terminate();
    for (const answer of this.#waiting.values()) answer(null);
    this.#waiting.clear();
  }

  #ask(job: Job): Promise<Answer['result']> {
    const id = this.#count++;
    const question: Question = { id, job };
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve);
      this.#running().postMessage(question);
    });
  }

  #running(): Worker {
    if (this.#worker !== null) return this.#worker;
    const workerData = { root: this.#root, query: this.#query, format: this.#format };
    const worker = new Worker(new URL('./cli.cjs', import.meta.url), { workerData, argv: [SECOND_THREAD] });
    worker.on('message', ({ id, result }: Answer) => {
      this.#waiting.get(id)?.(result);
      this.#waiting.delete(id);
    });
    // Without it everything is done by the first thread.
    worker.on('error', () => this.close());
    worker.on('exit', () => this.close());
    this.#worker = worker;
    return worker;
  }
}
