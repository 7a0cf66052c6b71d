/** Reads a directory page by page while it loads, and keeps it in memory only if it is small. */
import { within } from '../../workspace/clock.ts';
import { codedError, fromSystem, systemCode } from '../../workspace/listing-error.ts';
import { addCharged, CutShort, type DirectoryReader } from '../../workspace/reader.ts';
import { Unloaded } from '../../workspace/steps.ts';
import type { AsyncEntries, AsyncEntry } from './async-tree.ts';
import { LoadedLevel } from './loaded-level.ts';
import { BEYOND, type LevelBounds } from './usable-names.ts';

/** The most entries of a directory that is kept, so that later lookups need no request. */
export const MAX_KEPT = 50_000;

export type LevelPages = AsyncGenerator<readonly AsyncEntry[], undefined>;

/** Yields the pages of a directory, each loaded through `ask` when it is requested. */
export async function* levelPages(
  list: () => AsyncEntries,
  bounds: LevelBounds,
  ask: <T>(question: () => Promise<T>) => Promise<T>,
): LevelPages {
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

/** Reads pages as they arrive, after the entries that `came` before. `onWhole` receives all, if they are few enough. */
export function levelStream(
  pages: LevelPages,
  bounds: LevelBounds,
  came: readonly AsyncEntry[],
  patience: number,
  onWhole: (level: LoadedLevel) => void,
): DirectoryReader {
  const before = new Set(came.map(keyOf));
  /** The entries emitted so far; null when there are too many to keep. */
  let level: LoadedLevel | null = new LoadedLevel(bounds);
  let page: readonly AsyncEntry[] | null = came;
  let next = 0;
  let emitted = 0;
  let failure: unknown = null;
  let loading: Promise<void> | null = null;

  async function load(): Promise<void> {
    try {
      const { value: some = null } = await within(patience, pages.next(), () => {
        throw codedError('ETIMEDOUT', 'it does not answer');
      });
      failure = some === null ? bounds.failure : null;
      if (failure !== null) page = [];
      else page = before.size === 0 ? some : (some?.filter((entry) => !before.has(keyOf(entry))) ?? null);
      next = 0;
    } catch (error) {
      failure = error;
    }
    loading = null;
  }

  return {
    read(entries, budget) {
      const start = emitted;
      if (page === null) {
        if (level !== null) onWhole(level);
        return false;
      }
      while (next < page.length) {
        const entry = page[next++] as AsyncEntry;
        addCharged(entries, entry.name, entry.type, budget);
        if (++emitted > MAX_KEPT) level = null;
        level?.add(entry);
        if (budget.isDue) return true;
      }
      // The caller gets what was appended before it waits for more.
      if (emitted > start) return true;
      if (failure !== null) {
        const isPart = emitted > 0 || systemCode(failure) === BEYOND;
        throw isPart ? new CutShort(fromSystem(failure, null)) : failure;
      }
      throw new Unloaded(() => (loading ??= load()));
    },
    close: () => void pages.return(undefined).catch(() => {}),
  };
}

/** Returns a key that distinguishes a directory from a file of the same name. */
function keyOf({ name, type }: AsyncEntry): string {
  return type === 'dir' ? `${name}/` : name;
}
