/**
 * Loads directories that a walk is going to read, some at a time, before it comes to them: over a network the way there
 * and back takes longer than the reading.
 */
import { type Bytes, below } from '../bytes.ts';
import type { RootPath } from '../paths.ts';
import type { CallLoads } from './call-loads.ts';

/** Directories that are loaded and not read yet. */
const MOST_UNREAD = 64;

/** Entries of a directory that is loaded ahead; a larger one is read when its turn comes. */
const MOST_ENTRIES = 5000;

interface Batch {
  readonly directory: RootPath;
  readonly names: readonly Bytes[];
  next: number;
}

export class ReadAhead {
  readonly #loads: CallLoads;
  readonly #atATime: number;
  /** The deepest last: a walk reads what is below a directory before what comes behind it. */
  readonly #batches: Batch[] = [];
  readonly #unread = new Set<RootPath>();
  #underWay = 0;

  constructor(loads: CallLoads, atATime: number) {
    this.#loads = loads;
    this.#atATime = atATime;
  }

  /** Directories that will be read in this order. */
  expect(directory: RootPath, names: readonly Bytes[]): void {
    if (names.length > 0) this.#batches.push({ directory, names, next: 0 });
    this.#pump();
  }

  /** A directory is read now. */
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
    // What fails here is asked for again when its turn comes, and told then.
    loading.then(done, done);
  }
}
