/** Reads a directory page by page while it loads, and keeps it in memory only if it is small. */

import type { RootPath } from '../../names/paths.ts';
import { within } from '../../workspace/clock.ts';
import { codedError, fromSystem, systemCode } from '../../workspace/listing-error.ts';
import {
  addCharged,
  CutShort,
  type DirectoryReader,
  type EntryBuffer,
  type ReadBudget,
} from '../../workspace/reader.ts';
import { Unloaded } from '../../workspace/steps.ts';
import type { AsyncEntries, AsyncEntry } from './async-tree.ts';
import { LoadedLevel } from './loaded-level.ts';
import { BEYOND, LevelBounds } from './usable-names.ts';

/** The most entries of a directory that is kept, so that later lookups need no request. */
export const MAX_KEPT = 50_000;

/** The pages of a directory, each loaded on demand. */
export class LevelPages {
  readonly bounds: LevelBounds;
  readonly #start: () => AsyncEntries;
  readonly #ask: <T>(question: () => Promise<T>) => Promise<T>;
  #iterator: AsyncIterator<readonly AsyncEntry[]> | null = null;
  #isDone = false;

  constructor(path: RootPath, start: () => AsyncEntries, ask: <T>(question: () => Promise<T>) => Promise<T>) {
    this.bounds = new LevelBounds(path);
    this.#start = start;
    this.#ask = ask;
  }

  /** Loads the next page; null if there is none. */
  async next(): Promise<readonly AsyncEntry[] | null> {
    if (this.#isDone) return null;
    return this.#ask(async () => {
      if (this.#iterator === null) {
        const entries = this.#start();
        if (entries instanceof Promise) {
          this.#isDone = true;
          return this.bounds.usable(await entries);
        }
        this.#iterator = entries[Symbol.asyncIterator]();
      }
      const { done, value } = await this.#iterator.next();
      if (done) this.#isDone = true;
      return done ? null : this.bounds.usable(value);
    });
  }

  /** Yields the remaining pages, and closes at the end or when the loop is left early. */
  async *[Symbol.asyncIterator](): AsyncGenerator<readonly AsyncEntry[]> {
    try {
      for (let page = await this.next(); page !== null; page = await this.next()) yield page;
    } finally {
      this.close();
    }
  }

  close(): void {
    if (this.#isDone) return;
    this.#isDone = true;
    this.#iterator?.return?.()?.catch(() => {});
  }
}

/** The part of a directory that a walk loaded before it was listed. */
interface Came {
  readonly part: LoadedLevel;
  readonly patience: number;
}

/** Reads pages as they arrive. */
export class LevelStream implements DirectoryReader {
  readonly #pages: LevelPages;
  readonly #onWhole: (level: LoadedLevel) => void;
  /** The entries emitted so far; null while there are none, and when there are too many to keep. */
  #level: LoadedLevel | null = null;
  #page: readonly AsyncEntry[] | null;
  /** The keys of the entries emitted before the first page; null if there are none. */
  #before: ReadonlySet<string> | null = null;
  #next = 0;
  #given = 0;
  readonly #patience: number;
  #failure: unknown = null;
  #loading: Promise<void> | null = null;

  /**
   * `came` holds the entries loaded before, which are emitted first, and the milliseconds to wait for each further
   * page. `onWhole` receives all entries, if they are few enough to keep.
   */
  constructor(pages: LevelPages, came: Came | null, onWhole: (level: LoadedLevel) => void) {
    this.#pages = pages;
    this.#onWhole = onWhole;
    this.#page = [...(came?.part.entries() ?? [])];
    this.#patience = came?.patience ?? Number.POSITIVE_INFINITY;
    if (this.#page.length > 0) this.#before = new Set(this.#page.map(keyOf));
  }

  read(entries: EntryBuffer, budget: ReadBudget): boolean {
    const before = this.#given;
    const page = this.#page;
    if (page === null) {
      if (this.#given <= MAX_KEPT) this.#onWhole(this.#level ?? LoadedLevel.ofAbout(0, this.#pages.bounds));
      return false;
    }
    while (this.#next < page.length) {
      const entry = page[this.#next++] as AsyncEntry;
      addCharged(entries, entry.name, entry.type, budget);
      if (this.#given++ === 0) this.#level = LoadedLevel.ofAbout(page.length, this.#pages.bounds);
      if (this.#given > MAX_KEPT) this.#level = null;
      this.#level?.add(entry);
      if (budget.isDue) return true;
    }
    // The caller gets what was appended before it waits for more.
    if (this.#given > before) return true;
    if (this.#failure !== null) {
      const isPart = this.#given > 0 || systemCode(this.#failure) === BEYOND;
      throw isPart ? new CutShort(fromSystem(this.#failure, null)) : this.#failure;
    }
    throw new Unloaded(() => this.#load());
  }

  #load(): Promise<void> {
    this.#loading ??= within(this.#patience, this.#pages.next(), late).then(
      (page) => {
        const before = this.#before;
        this.#failure = page === null ? this.#pages.bounds.failure : null;
        const some = this.#failure === null ? page : [];
        this.#page = before === null ? some : (some?.filter((entry) => !before.has(keyOf(entry))) ?? null);
        this.#next = 0;
        this.#loading = null;
      },
      (error) => {
        this.#failure = error;
        this.#loading = null;
      },
    );
    return this.#loading;
  }

  close(): void {
    this.#pages.close();
  }
}

function late(): never {
  throw codedError('ETIMEDOUT', 'it does not answer');
}

/** Returns a key that distinguishes a directory from a file of the same name. */
function keyOf({ name, type }: AsyncEntry): string {
  return type === 'dir' ? `${name}/` : name;
}
