/** Lets a second core walk through some of the directories, where a walk takes so long that it pays. */
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { now } from '../../listing/clock.ts';
import type { Query } from '../../listing/query.ts';
import type { WalkHelper, WalkPart } from '../../listing/walk.ts';
import type { Bytes } from '../../workspace/bytes.ts';
import type { Workspace } from '../../workspace/workspace.ts';

export interface Question {
  readonly id: number;
  /** Relative to the listed directory. */
  readonly directory: Bytes;
  readonly depth: number;
}

export interface Answer {
  readonly id: number;
  readonly part: WalkPart | null;
}

/** Milliseconds of a walk that is over before a thread would have started. */
const PATIENCE = 20;

/** Directories that are given to it at a time, so that it need not wait for the next one. */
const AHEAD = 2;

export class SecondThread implements WalkHelper {
  readonly #root: Bytes;
  readonly #query: Query;
  readonly #started = now();
  readonly #waiting = new Map<number, (part: WalkPart | null) => void>();
  #worker: Worker | null = null;
  #isUsable = availableParallelism() > 1;
  #count = 0;

  constructor(query: Query, workspace: Workspace) {
    this.#query = query;
    this.#root = workspace.realPath;
  }

  get wantsWork(): boolean {
    return this.#isUsable && this.#waiting.size < AHEAD && now() - this.#started > PATIENCE;
  }

  walk(directory: Bytes, depth: number): Promise<WalkPart | null> {
    const id = this.#count++;
    const question: Question = { id, directory, depth };
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve);
      this.#running().postMessage(question);
    });
  }

  close(): void {
    this.#isUsable = false;
    this.#worker?.terminate();
    this.#answerAll();
  }

  #running(): Worker {
    if (this.#worker !== null) return this.#worker;
    const workerData = { root: this.#root, query: this.#query };
    const worker = new Worker(new URL('./walk-worker.cjs', import.meta.url), { workerData });
    worker.on('message', ({ id, part }: Answer) => {
      this.#waiting.get(id)?.(part);
      this.#waiting.delete(id);
    });
    // Without it the walk does everything by itself.
    worker.on('error', () => this.close());
    worker.on('exit', () => this.close());
    this.#worker = worker;
    return worker;
  }

  #answerAll(): void {
    for (const answer of this.#waiting.values()) answer(null);
    this.#waiting.clear();
  }
}
