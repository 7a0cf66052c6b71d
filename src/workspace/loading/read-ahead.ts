/**
 * Loads directories before a walk reaches them, several at a time: over a network the round trip takes longer than the
 * reading.
 */
import { type Bytes, below } from '../bytes.ts';
import type { RootPath } from '../paths.ts';
import type { CallLoads } from './call-loads.ts';

/** The most directories that are loaded ahead and not read yet. */
const MOST_UNREAD = 64;

/** The most entries of a directory that is loaded ahead; a larger one is loaded when the walk reaches it. */
const MOST_ENTRIES = 5000;

interface Batch {
  readonly directory: RootPath;
  readonly names: readonly Bytes[];
  next: number;
}

export class ReadAhead {
  readonly #loads: CallLoads;
  readonly #atATime: number;
  /** The deepest comes last: a walk reads everything below a directory before the directories after it. */
  readonly #batches: Batch[] = [];
  readonly #unread = new Set<RootPath>();
  #underWay = 0;

  constructor(loads: CallLoads, atATime: number) {
    this.#loads = loads;
    this.#atATime = atATime;
  }

  /** Queues directories that a walk will read in this order. */
  expect(directory: RootPath, names: readonly Bytes[]): void {
    if (names.length > 0) this.#batches.push({ directory, names, next: 0 });
    this.#pump();
  }

  /** Called when the walk reads a directory. */
  reached(path: RootPath): void {
    if (this.#unread.delete(path)) this.#pump();
  }

  #pump(): void {
    while (this.#underWay < this.#atATime && this.#unread.size < MOST_UNREAD) {
      const batch = this.#batches.at(-1);
      if (batch === undefined) return;
      if (batch.next === batch.names.length) {
        this.#batches.pop();
        continue;
      }
      this.#load(below(batch.directory, batch.names[batch.next++] as Bytes));
    }
  }

  #load(path: RootPath): void {
    if (this.#loads.level(path) !== null || this.#loads.isUnderWay(`level ${path}`)) return;
    this.#underWay++;
    this.#unread.add(path);
    const loading = this.#loads.once(`level ${path}`, async () => {
      await this.#loads.loadLevel(path, MOST_ENTRIES);
    });
    const done = () => {
      this.#underWay--;
      this.#pump();
    };
    // A directory that fails here is requested again when the walk reaches it, and its error is reported then.
    loading.then(done, done);
  }
}
