/**
 * Several levels of directories: from pinned directory to pinned directory, pruned by the rules before it descends.
 * Links are never descended, so there are no loops. What cannot be read is noted and passed over.
 */
import type { Effort, InnerPlace, Origin, Scope } from '../rules/rule.ts';
import { type Bytes, below } from '../workspace/bytes.ts';
import { fromSystem } from '../workspace/listing-error.ts';
import { type EntryType, TypesUnknown } from '../workspace/reader.ts';
import type { Visit } from '../workspace/workspace.ts';
import { orderKey } from './name-order.ts';
import type { Patience } from './patience.ts';
import type { Entry, Listing, Query, Stop } from './query.ts';
import { sortInSlices } from './sort.ts';

/** Entries between two looks at the clock. */
const HANDFUL = 1024;

/** Steps of pattern matching after which the clock is worth a look. */
const EFFORT = 100_000;

/** Directories on the way down that are held open; those above are opened again when the walk comes back to them. */
const HELD = 64;

/** A directory on the way down. */
interface Level {
  /** Null while it is not held. */
  directory: Visit | null;
  readonly scope: Scope;
  /** Relative to the directory that is listed. */
  readonly path: Bytes;
  readonly entries: readonly Entry[];
  next: number;
}

export async function walk(
  query: Query,
  directory: Visit,
  scope: Scope,
  effort: Effort,
  patience: Patience,
): Promise<Listing> {
  return new Walk(query, directory, effort, patience).listing(scope);
}

class Walk {
  readonly #query: Query;
  readonly #start: Visit;
  readonly #effort: Effort;
  readonly #patience: Patience;
  readonly #levels: Level[] = [];
  readonly #entries: Entry[] = [];
  readonly #totals: Record<EntryType, number> = { file: 0, dir: 0, link: 0, other: 0 };
  readonly #hidden = new Map<Origin, number>();
  readonly #unreadable: Bytes[] = [];

  constructor(query: Query, start: Visit, effort: Effort, patience: Patience) {
    this.#query = query;
    this.#start = start;
    this.#effort = effort;
    this.#patience = patience;
  }

  async listing(scope: Scope): Promise<Listing> {
    const { offset, limit } = this.#query.page;
    try {
      await this.#open(this.#start, '' as Bytes, () => scope);
      const stopped = await this.#walk();
      const entries = this.#entries.slice(offset, offset + limit);
      return {
        path: this.#start.path,
        entries,
        end: offset + entries.length,
        totals: this.#totals,
        hidden: this.#hidden,
        unreadable: this.#unreadable,
        isFromCache: false,
        stopped,
      };
    } finally {
      for (const { directory } of this.#levels) this.#close(directory);
    }
  }

  async #walk(): Promise<Stop | null> {
    for (let level = this.#levels.at(-1); level !== undefined; level = this.#levels.at(-1)) {
      const inner = this.#nextDirectory(level);
      if (inner !== null) await this.#descend(level, inner);
      else this.#leave();
      if (!this.#patience.sliceIsOver) continue;
      await this.#patience.giveWay();
      const stopped = this.#patience.ended();
      if (stopped !== null) return stopped;
    }
    return null;
  }

  /** Passes on entries up to the next directory to descend into; null when there are no more. */
  #nextDirectory(level: Level): Bytes | null {
    const isDeepest = this.#levels.length >= this.#query.depth;
    while (level.next < level.entries.length) {
      const entry = level.entries[level.next++] as Entry;
      this.#entries.push(entry);
      if (entry.type === 'dir' && !isDeepest) return entry.name;
    }
    return null;
  }

  async #descend({ directory, scope, path }: Level, name: Bytes): Promise<void> {
    let inner: Visit | null = null;
    try {
      inner = directory?.descend(name) ?? null;
      // It has vanished, or was swapped for something else.
      if (inner === null) return;
      await this.#open(inner, below(path, name), (place) => scope.enter(name, place));
    } catch (error) {
      this.#close(inner);
      if (fromSystem(error, null).kind !== 'denied') throw error;
      this.#unreadable.push(below(path, name));
    }
  }

  #leave(): void {
    const { directory } = this.#levels.pop() as Level;
    const above = this.#levels.at(-1);
    if (above !== undefined && directory !== null) above.directory ??= directory.ascend();
    this.#close(directory);
  }

  #close(directory: Visit | null): void {
    if (directory !== this.#start) directory?.leave();
  }

  /** Reads a directory and makes it the deepest level. */
  async #open(directory: Visit, path: Bytes, scopeFor: (place: InnerPlace) => Scope): Promise<void> {
    const { names, types } = await this.#read(directory);
    const scope = scopeFor(innerPlace(directory, names));
    const rows: Row[] = [];
    for (const [i, name] of names.entries()) {
      const type = types[i] as EntryType;
      const verdict = scope.judge(name, type);
      if (verdict?.hidden) {
        this.#hidden.set(verdict.by, (this.#hidden.get(verdict.by) ?? 0) + 1);
        continue;
      }
      this.#totals[type]++;
      const leadsToDirectory = type === 'dir' || (type === 'link' && directory.linksToDirectory(name));
      rows.push({ key: orderKey(name), entry: { name, parent: path, type, leadsToDirectory, metadata: null } });
      if (this.#effort.steps < EFFORT) continue;
      this.#effort.steps = 0;
      await this.#patience.giveWay();
    }
    const sorted = await sortInSlices(rows, compareRows, this.#patience);
    this.#levels.push({ directory, scope, path, entries: sorted.map(({ entry }) => entry), next: 0 });
    const parked = this.#levels.at(-HELD - 1);
    if (parked === undefined) return;
    this.#close(parked.directory);
    parked.directory = null;
  }

  async #read(directory: Visit): Promise<Found> {
    try {
      return await this.#readWith(directory, true);
    } catch (error) {
      if (!(error instanceof TypesUnknown)) throw error;
      return this.#readWith(directory, false);
    }
  }

  async #readWith(directory: Visit, withTypes: boolean): Promise<Found> {
    const found: Found = { names: [], types: [] };
    const reader = directory.open(withTypes);
    try {
      const take = (name: Bytes, type: EntryType) => found.names.push(name) > 0 && found.types.push(type) > 0;
      while (reader.read(HANDFUL, take)) await this.#patience.giveWay();
    } finally {
      reader.close();
    }
    return found;
  }
}

/** What reading a directory gave. */
interface Found {
  readonly names: Bytes[];
  readonly types: EntryType[];
}

interface Row {
  readonly key: Bytes;
  readonly entry: Entry;
}

function compareRows(a: Row, b: Row): number {
  const rank = Number(b.entry.leadsToDirectory) - Number(a.entry.leadsToDirectory);
  if (rank !== 0) return rank;
  if (a.key !== b.key) return a.key < b.key ? -1 : 1;
  return a.entry.name < b.entry.name ? -1 : 1;
}

/** Perf: what was just read tells which files need not be looked for. Those that hold rules start with a dot. */
function innerPlace(directory: Visit, names: readonly Bytes[]): InnerPlace {
  const dotfiles = names.filter((name) => name.charCodeAt(0) === 0x2e);
  return {
    path: directory.path,
    rootPath: directory.rootPath,
    readFile: (name) => directory.readFile(name),
    mayHave: (name) => dotfiles.includes(name),
  };
}
