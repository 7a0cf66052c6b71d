/** A subtree that is loaded in one walk. If that ends early, the complete directories count, and others are listed. */
import { type Bytes, below, isBelow } from '../../names/bytes.ts';
import { AT_ROOT, namesOn, type RootPath } from '../../names/paths.ts';
import { unlessAborted } from '../../workspace/clock.ts';
import { Turns } from '../asking.ts';
import type { AsyncEntry, AsyncTree, WalkOptions } from './async-tree.ts';
import { LoadedEntries, LoadedLevel } from './loaded-level.ts';
import { isUsable, isUsablePath, LevelBounds, shownForm } from './usable-names.ts';

/** The most bytes held in memory, as estimated; anything after them is listed directory by directory. */
const MAX_BYTES = 160 * 1024 * 1024;
/** The estimated memory of an entry without its name, and of a directory without its path and entries, in bytes. */
const BYTES_OF_ENTRY = 48;
const BYTES_OF_LEVEL = 200;
/** What a batch counts as between two pauses, in bytes: it may be empty. */
const BATCH = 4096;
const NOWHERE = '' as Bytes;
const EXPECTED = 4096;

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
  readonly #top: LoadedLevel;
  /** Keyed by the path relative to the start. */
  readonly #levels = new Map<Bytes, LoadedLevel>();
  /** The path of the last entry. The directories on the way to it may not be complete yet. */
  #last = NOWHERE;
  bytes = 0;
  #isWhole = false;
  /** Set if directories are complete when they arrive. */
  #comesWhole = false;
  readonly #waiting: (() => void)[] = [];
  #lastParent = NOWHERE;
  #lastLevel: LoadedLevel | null;

  /** `depth` is the number of levels to load. */
  constructor(start: RootPath, depth: number) {
    this.#start = start;
    this.#depth = depth;
    this.#top = this.#begin(NOWHERE);
    this.#lastLevel = this.#top;
  }

  /** Collects entries until the walk ends or the signal is aborted. After an error there are just fewer of them. */
  async run(tree: WalkingTree, signal: AbortSignal): Promise<void> {
    const options = { signal, levels: this.#depth };
    if (!('walkLevels' in tree)) {
      await this.#takeAll(tree.walk(this.#start, options), signal, (entry) => {
        this.#take(entry);
        return entry.name.length;
      });
      return;
    }
    this.#levels.clear();
    this.#comesWhole = true;
    await this.#takeAll(tree.walkLevels(this.#start, options), signal, ({ path, level }) => {
      this.#levels.set(path, level);
      this.bytes += BYTES_OF_LEVEL + path.length + BYTES_OF_ENTRY * level.count;
      return path.length;
    });
  }

  /** `take` returns the length of a path: one that is left out takes time, too. */
  async #takeAll<T>(batches: AsyncIterable<readonly T[]>, signal: AbortSignal, take: (one: T) => number) {
    const iterator = batches[Symbol.asyncIterator]();
    const turns = new Turns();
    try {
      while (this.bytes < MAX_BYTES && !signal.aborted) {
        // A tree that has its answers at hand would never let anybody else have a turn, nor the signal be aborted.
        await turns.after(BATCH);
        const next = await unlessAborted(iterator.next(), signal);
        if (next.done) {
          this.#isWhole = true;
          return;
        }
        for (const one of next.value) {
          const before = this.bytes;
          const turn = turns.after(take(one) + this.bytes - before);
          if (turn !== undefined) await turn;
          if (this.bytes >= MAX_BYTES || signal.aborted) break;
        }
        if (this.#comesWhole) for (const resolve of this.#waiting.splice(0)) resolve();
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
    this.#last = path;
    const slash = path.lastIndexOf('/');
    const parent = path.slice(0, Math.max(slash, 0)) as Bytes;
    if (parent !== this.#lastParent) {
      this.#lastParent = parent;
      this.#lastLevel = this.#levelFor(parent);
    }
    const name = path.slice(slash + 1) as Bytes;
    const isShownOnly = slash === 0 || this.#lastLevel === null || !isUsable(name);
    const level = isShownOnly || this.#lastLevel === null ? this.#top : this.#lastLevel;
    const [length, target] = [isShownOnly ? path.length : name.length, entry.target?.length ?? 0];
    if (!level.bounds.admits(length, target)) return;
    this.bytes += BYTES_OF_ENTRY + length + target;
    // Shown at the start of the walk, in a form that cannot be opened.
    if (isShownOnly) level.add({ name: shownForm(path), type: 'other' });
    else if (entry.type !== 'dir') level.add(entry, name);
    else if (!this.#levels.has(path)) {
      level.add(entry, name);
      if (!entry.isClosed) this.#begin(path);
    }
  }

  #begin(path: Bytes): LoadedLevel {
    const level = new LoadedLevel(new LevelBounds(below(this.#start, path)), this.#all);
    this.#levels.set(path, level);
    this.bytes += BYTES_OF_LEVEL + path.length;
    return level;
  }

  /** Returns the level of a directory and creates missing ones on the way; null for an impossible or too long path. */
  #levelFor(path: Bytes): LoadedLevel | null {
    const known = this.#levels.get(path);
    if (known !== undefined) return known;
    if (!isUsablePath(this.#start, path)) return null;
    let level = this.#top;
    let here = NOWHERE;
    for (const name of path.split('/') as Bytes[]) {
      here = below(here, name);
      let inner = this.#levels.get(here);
      if (inner === undefined) {
        level.add({ name, type: 'dir' });
        inner = this.#begin(here);
      }
      level = inner;
    }
    return level;
  }
}
