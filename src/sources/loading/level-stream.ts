/** Reads a directory page by page while it loads, and keeps it in memory only if it is small. */

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
import { BEYOND, type LevelBounds } from './usable-names.ts';

/** The most entries of a directory that is kept, so that later lookups need no request. */
export const MAX_KEPT = 50_000;

/** Yields the pages of a directory, each loaded through `ask` when it is requested. */
export async function* levelPages(
  list: () => AsyncEntries,
  bounds: LevelBounds,
  ask: <T>(question: () => Promise<T>) => Promise<T>,
): AsyncGenerator<readonly AsyncEntry[], undefined> {
  const found = await ask(async () => {
    const entries = await list();
    return Symbol.asyncIterator in entries ? entries[Symbol.asyncIterator]() : bounds.usable(entries);
  });
  if (Array.isArray(found)) {
    yield found;
    return;
  }
  const next = async () => {
    const { done, value } = await found.next();
    return done ? null : bounds.usable(value);
  };
  try {
    for (let page = await ask(next); page !== null; page = await ask(next)) yield page;
  } finally {
    found.return?.()?.catch(() => {});
  }
}

/** The part of a directory that a walk loaded before it was listed. */
interface Came {
  readonly part: LoadedLevel;
  readonly patience: number;
}

/** Reads pages as they arrive. */
export class LevelStream implements DirectoryReader {
  readonly #pages: ReturnType<typeof levelPages>;
  readonly #bounds: LevelBounds;
  readonly #onWhole: (level: LoadedLevel) => void;
  /** The entries emitted so far; null when there are too many to keep. */
  #level: LoadedLevel | null;
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
  constructor(
    pages: ReturnType<typeof levelPages>,
    bounds: LevelBounds,
    came: Came | null,
    onWhole: (level: LoadedLevel) => void,
  ) {
    this.#pages = pages;
    this.#bounds = bounds;
    this.#onWhole = onWhole;
    this.#level = new LoadedLevel(bounds);
    this.#page = [...(came?.part.entries() ?? [])];
    this.#patience = came?.patience ?? Number.POSITIVE_INFINITY;
    if (this.#page.length > 0) this.#before = new Set(this.#page.map(keyOf));
  }

  read(entries: EntryBuffer, budget: ReadBudget): boolean {
    const before = this.#given;
    const page = this.#page;
    if (page === null) {
      if (this.#level !== null) this.#onWhole(this.#level);
      return false;
    }
    while (this.#next < page.length) {
      const entry = page[this.#next++] as AsyncEntry;
      addCharged(entries, entry.name, entry.type, budget);
      if (++this.#given > MAX_KEPT) this.#level = null;
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
      ({ value: page = null }) => {
        const before = this.#before;
        this.#failure = page === null ? this.#bounds.failure : null;
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
    this.#pages.return(undefined).catch(() => {});
  }
}

function late(): never {
  throw codedError('ETIMEDOUT', 'it does not answer');
}

/** Returns a key that distinguishes a directory from a file of the same name. */
function keyOf({ name, type }: AsyncEntry): string {
  return type === 'dir' ? `${name}/` : name;
}
