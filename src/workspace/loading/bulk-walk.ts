/**
 * A whole subtree that comes in one go. Its entries are sorted into directories as they come; when it ends early, the
 * directories that were complete by then are used, and the others have to be listed.
 */
import { type Bytes, below } from '../bytes.ts';
import type { RootPath } from '../paths.ts';
import type { AsyncEntry } from './async-tree.ts';
import { LoadedLevel } from './loaded-level.ts';
import { isUsable, shownForm } from './usable-names.ts';

/** Entries that are held; what comes behind them is listed directory by directory. */
const MOST_ENTRIES = 2_000_000;

/** Entries between two pauses. */
const AT_A_TIME = 4096;

const NOWHERE = '' as Bytes;

export class BulkWalk {
  readonly #start: RootPath;
  readonly #depth: number;
  /** By their paths from the start. */
  readonly #levels = new Map<Bytes, LoadedLevel>([[NOWHERE, new LoadedLevel()]]);
  /** The path of the last entry: the directories on the way to it may have more. */
  #last = NOWHERE;
  #count = 0;
  #isWhole = false;
  #lastParent = NOWHERE;
  #lastLevel = this.#levels.get(NOWHERE) as LoadedLevel;

  /** `depth` is how many levels were asked for. */
  constructor(start: RootPath, depth: number) {
    this.#start = start;
    this.#depth = depth;
  }

  /** Takes all there is until the signal is aborted; an error only means that there is less. */
  async run(entries: AsyncIterable<readonly AsyncEntry[]>, signal: AbortSignal): Promise<void> {
    const iterator = entries[Symbol.asyncIterator]();
    const stopped = new Promise<null>((resolve) => {
      signal.addEventListener('abort', () => resolve(null), { once: true });
      if (signal.aborted) resolve(null);
    });
    try {
      while (this.#count < MOST_ENTRIES && !signal.aborted) {
        const next = await Promise.race([iterator.next(), stopped]);
        if (next === null) break;
        if (next.done) {
          this.#isWhole = true;
          return;
        }
        for (let at = 0; at < next.value.length && !signal.aborted; at += AT_A_TIME) {
          if (at > 0) await new Promise(setImmediate);
          for (let i = at; i < Math.min(at + AT_A_TIME, next.value.length); i++)
            this.#take(next.value[i] as AsyncEntry);
        }
      }
    } catch {
      // What is missing is listed, and fails there if it still does.
    }
    iterator.return?.()?.catch(() => {});
  }

  /** What came of a directory, be it complete or not. */
  partAt(path: RootPath): LoadedLevel | null {
    return this.covers(path) ? (this.#levels.get(this.#fromStart(path)) ?? null) : null;
  }

  covers(path: RootPath): boolean {
    return this.#start === '' || path === this.#start || path.startsWith(`${this.#start}/`);
  }

  /** Null where it is not known to be complete. */
  levelAt(path: RootPath): LoadedLevel | null {
    if (!this.covers(path)) return null;
    const inner = this.#fromStart(path);
    const mayGrow = !this.#isWhole && (inner === '' || inner === this.#last || this.#last.startsWith(`${inner}/`));
    // What is further down than was asked for need not have come.
    if (mayGrow || (this.#depth !== Number.POSITIVE_INFINITY && depthOf(inner) >= this.#depth)) return null;
    return this.#levels.get(inner) ?? null;
  }

  #fromStart(path: RootPath): Bytes {
    if (path === this.#start) return NOWHERE;
    return path.slice(this.#start === '' ? 0 : this.#start.length + 1) as Bytes;
  }

  /** All that are complete, by their paths from the root. */
  *complete(): Generator<[RootPath, LoadedLevel]> {
    for (const inner of this.#levels.keys()) {
      const path = inner === '' ? this.#start : below(this.#start, inner);
      const level = this.levelAt(path);
      if (level !== null) yield [path, level];
    }
  }

  #take(entry: AsyncEntry): void {
    const path = entry.name;
    this.#count++;
    this.#last = path;
    const slash = path.lastIndexOf('/');
    const parent = (slash < 0 ? '' : path.slice(0, slash)) as Bytes;
    if (parent !== this.#lastParent) {
      const found = this.#levelFor(parent);
      if (found === null) {
        this.#showUnusable(path);
        return;
      }
      this.#lastLevel = found;
      this.#lastParent = parent;
    }
    const name = (slash < 0 ? path : path.slice(slash + 1)) as Bytes;
    if (!isUsable(name)) {
      this.#showUnusable(path);
      return;
    }
    if (entry.type === 'dir') {
      if (this.#levels.has(path)) return;
      if (entry.isClosed !== true) this.#levels.set(path, new LoadedLevel());
    }
    this.#lastLevel.add(entry, name);
  }

  /** The level of a directory, which is made with those above it where none was told of; null for an impossible path. */
  #levelFor(path: Bytes): LoadedLevel | null {
    const known = this.#levels.get(path);
    if (known !== undefined) return known;
    if (!(path.split('/') as Bytes[]).every(isUsable)) return null;
    let level = this.#levels.get(NOWHERE) as LoadedLevel;
    for (let end = path.indexOf('/'), from = 0; from < path.length; end = path.indexOf('/', from)) {
      const to = end < 0 ? path.length : end;
      const here = path.slice(0, to) as Bytes;
      let inner = this.#levels.get(here);
      if (inner === undefined) {
        level.add({ name: path.slice(from, to) as Bytes, type: 'dir' });
        inner = new LoadedLevel();
        this.#levels.set(here, inner);
      }
      level = inner;
      from = to + 1;
    }
    return level;
  }

  /** At the start, in a form that leads nowhere. */
  #showUnusable(path: Bytes): void {
    this.#levels.get(NOWHERE)?.add({ name: shownForm(path), type: 'other' });
  }
}

/** How many names a path has. */
function depthOf(path: Bytes): number {
  return path === '' ? 0 : path.split('/').length;
}
