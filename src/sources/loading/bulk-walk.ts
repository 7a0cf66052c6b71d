/**
 * A subtree that is loaded in a single walk. Its entries are sorted into directories as they arrive. If the walk ends
 * early, the directories complete by then are used, and the others must be listed.
 */
import { type Bytes, below, isBelow } from '../../names/bytes.ts';
import { AT_ROOT, namesOn, type RootPath } from '../../names/paths.ts';
import type { AsyncEntry, AsyncTree, WalkOptions } from './async-tree.ts';
import { LoadedEntries } from './loaded-entries.ts';
import { LoadedLevel } from './loaded-level.ts';
import { unlessAborted } from './unless-aborted.ts';
import { isUsable, shownForm } from './usable-names.ts';

/** The most entries held in memory; anything after them is listed directory by directory. */
const MAX_ENTRIES = 2_000_000;

/** Entries between two pauses, and batches of them, which may be empty. */
const AT_A_TIME = 4096;
const BATCHES_AT_A_TIME = 64;

const NOWHERE = '' as Bytes;

/** The initial capacity, in entries. */
const EXPECTED = 4096;

/** The estimated memory of a directory without its entries, in bytes. */
const BYTES_OF_LEVEL = 200;

/** A directory of a walk, with all its entries. */
export interface WalkedLevel {
  /** Relative to the start of the walk. */
  readonly path: Bytes;
  readonly level: LoadedLevel;
}

/** A tree whose walk yields whole directories, in any order: each can be used as soon as it arrives. */
export interface LevelTree extends AsyncTree {
  walkLevels(path: RootPath, options: WalkOptions): AsyncIterable<readonly WalkedLevel[]>;
}

type WalkingTree = LevelTree | (AsyncTree & Required<Pick<AsyncTree, 'walk'>>);

export function canWalk(tree: AsyncTree): tree is WalkingTree {
  return 'walkLevels' in tree || tree.walk !== undefined;
}

export class BulkWalk {
  readonly #start: RootPath;
  readonly #depth: number;
  readonly #all = new LoadedEntries(EXPECTED);
  readonly #top = new LoadedLevel(this.#all);
  /** Keyed by the path relative to the start. */
  readonly #levels = new Map<Bytes, LoadedLevel>([[NOWHERE, this.#top]]);
  /** The path of the last entry. The directories on the way to it may not be complete yet. */
  #last = NOWHERE;
  #count = 0;
  #isWhole = false;
  /** Set if directories are complete when they arrive. */
  #comesWhole = false;
  readonly #waiting: (() => void)[] = [];
  #lastParent = NOWHERE;
  #lastLevel: LoadedLevel | null = this.#top;

  /** `depth` is the number of levels to load. */
  constructor(start: RootPath, depth: number) {
    this.#start = start;
    this.#depth = depth;
  }

  /** The estimated memory, in bytes. */
  get bytes(): number {
    // All levels share one store of entries, so one of them reports the bytes of all.
    return (this.#levels.get(NOWHERE)?.bytes ?? 0) + BYTES_OF_LEVEL * this.#levels.size;
  }

  /** Collects entries until the walk ends or the signal is aborted. After an error there are just fewer of them. */
  async run(tree: WalkingTree, signal: AbortSignal): Promise<void> {
    const options = { signal, levels: this.#depth };
    if (!('walkLevels' in tree)) {
      await this.#takeAll(tree.walk(this.#start, options), signal, (entry) => this.#take(entry));
      return;
    }
    this.#levels.clear();
    this.#comesWhole = true;
    await this.#takeAll(tree.walkLevels(this.#start, options), signal, ({ path, level }) => {
      this.#levels.set(path, level);
      this.#count += level.count;
    });
  }

  async #takeAll<T>(batches: AsyncIterable<readonly T[]>, signal: AbortSignal, take: (one: T) => void): Promise<void> {
    const iterator = batches[Symbol.asyncIterator]();
    try {
      for (let batch = 1; this.#count < MAX_ENTRIES && !signal.aborted; batch++) {
        // A tree that has its answers at hand would never let anybody else have a turn, nor the signal be aborted.
        if (batch % BATCHES_AT_A_TIME === 0) await new Promise(setImmediate);
        const next = await unlessAborted(iterator.next(), signal);
        if (next.done) {
          this.#isWhole = true;
          return;
        }
        for (let at = 0; at < next.value.length && !signal.aborted; at += AT_A_TIME) {
          if (at > 0) await new Promise(setImmediate);
          for (let i = at; i < Math.min(at + AT_A_TIME, next.value.length); i++) take(next.value[i] as T);
        }
        if (this.#comesWhole) this.#wake();
      }
    } catch {
      // The walk took too long or failed. Missing directories are listed, which reports the error if it persists.
    }
    iterator.return?.()?.catch(() => {});
  }

  /** Resolves when more directories are complete. If they arrive entry by entry, that is at the end of the walk. */
  async progress(end: Promise<void>): Promise<void> {
    const more = new Promise<void>((resolve) => this.#waiting.push(resolve));
    await Promise.race([more, end]);
  }

  #wake(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }

  /** Returns the entries of a directory that have arrived, whether or not they are complete. */
  partAt(path: RootPath): LoadedLevel | null {
    return this.covers(path) ? (this.#levels.get(this.#fromStart(path)) ?? null) : null;
  }

  covers(path: RootPath): boolean {
    return path === this.#start || isBelow(this.#start, path);
  }

  /** Returns null for a directory that is not known to be complete. */
  levelAt(path: RootPath): LoadedLevel | null {
    if (!this.covers(path)) return null;
    const inner = this.#fromStart(path);
    const mayGrow = !this.#isWhole && !this.#comesWhole && (inner === this.#last || isBelow(inner, this.#last));
    // Levels below the requested depth may be missing.
    if (mayGrow || this.#levelsBelow(path) < 1) return null;
    return this.#levels.get(inner) ?? null;
  }

  /** True if a directory has arrived complete. Perf: its parent's level need not be searched for it. */
  hasWhole(path: RootPath): boolean {
    return this.#comesWhole && this.covers(path) && this.#levels.has(this.#fromStart(path));
  }

  #fromStart(path: RootPath): RootPath {
    if (path === this.#start) return AT_ROOT;
    return path.slice(this.#start === '' ? 0 : this.#start.length + 1) as RootPath;
  }

  /** True if the walk has loaded `levels` levels completely, counted from a directory. */
  knows(path: RootPath, levels: number): boolean {
    return this.#isWhole && this.covers(path) && this.#levelsBelow(path) >= levels;
  }

  /** Returns how many of the requested levels remain at a directory. */
  #levelsBelow(path: RootPath): number {
    return this.#depth === Number.POSITIVE_INFINITY ? this.#depth : this.#depth - namesOn(this.#fromStart(path)).length;
  }

  #take(entry: AsyncEntry): void {
    const path = entry.name;
    this.#count++;
    this.#last = path;
    const slash = path.lastIndexOf('/');
    const parent = path.slice(0, Math.max(slash, 0)) as Bytes;
    if (parent !== this.#lastParent) {
      this.#lastParent = parent;
      this.#lastLevel = this.#levelFor(parent);
    }
    const name = path.slice(slash + 1) as Bytes;
    if (slash === 0 || this.#lastLevel === null || !isUsable(name)) {
      // Shown at the start of the walk, in a form that cannot be opened.
      this.#top.add({ name: shownForm(path), type: 'other' });
    } else if (entry.type !== 'dir' || this.#isNew(path, entry.isClosed === true)) this.#lastLevel.add(entry, name);
  }

  /** Registers a directory; false if it was known before. */
  #isNew(path: Bytes, isClosed: boolean): boolean {
    if (this.#levels.has(path)) return false;
    if (!isClosed) this.#levels.set(path, new LoadedLevel(this.#all));
    return true;
  }

  /** Returns the level of a directory and creates missing ones on the way; null for an impossible path. */
  #levelFor(path: Bytes): LoadedLevel | null {
    const known = this.#levels.get(path);
    if (known !== undefined) return known;
    const names = path.split('/') as Bytes[];
    if (!names.every(isUsable)) return null;
    let level = this.#top;
    let here = NOWHERE;
    for (const name of names) {
      here = below(here, name);
      let inner = this.#levels.get(here);
      if (inner === undefined) {
        level.add({ name, type: 'dir' });
        inner = new LoadedLevel(this.#all);
        this.#levels.set(here, inner);
      }
      level = inner;
    }
    return level;
  }
}
