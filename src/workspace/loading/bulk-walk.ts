/**
 * A whole subtree that comes in one go. Its entries are sorted into directories as they come; when it ends early, the
 * directories that were complete by then are used, and the others have to be listed.
 */
import { type Bytes, below, isBelow } from '../bytes.ts';
import { AT_ROOT, namesOn, type RootPath } from '../paths.ts';
import type { AsyncEntry, AsyncTree, WalkOptions } from './async-tree.ts';
import { LoadedEntries } from './loaded-entries.ts';
import { LoadedLevel } from './loaded-level.ts';
import { unlessAborted } from './unless-aborted.ts';
import { isUsable, shownForm } from './usable-names.ts';

/** Entries that are held; what comes behind them is listed directory by directory. */
const MOST_ENTRIES = 2_000_000;

/** Entries between two pauses. */
const AT_A_TIME = 4096;

const NOWHERE = '' as Bytes;

/** Entries that are made room for at first. */
const EXPECTED = 4096;

/** Bytes that a directory takes beside its entries, about. */
const BYTES_OF_LEVEL = 200;

/** All entries of a directory of a walk. */
export interface WalkedLevel {
  /** From where the walk began. */
  readonly path: Bytes;
  readonly level: LoadedLevel;
}

/** A tree of which a walk gives whole directories, in any order: each can be used as soon as it comes. */
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
  /** By their paths from the start. */
  readonly #levels = new Map<Bytes, LoadedLevel>([[NOWHERE, this.#top]]);
  /** The path of the last entry: the directories on the way to it may have more. */
  #last = NOWHERE;
  #count = 0;
  #isWhole = false;
  /** Whether directories are complete when they come. */
  #comesWhole = false;
  readonly #waiting: (() => void)[] = [];
  #lastParent = NOWHERE;
  #lastLevel: LoadedLevel | null = this.#top;

  /** `depth` is how many levels were asked for. */
  constructor(start: RootPath, depth: number) {
    this.#start = start;
    this.#depth = depth;
  }

  /** About what it takes in memory. */
  get bytes(): number {
    // Each directory tells what all of them have together.
    return (this.#levels.get(NOWHERE)?.bytes ?? 0) + BYTES_OF_LEVEL * this.#levels.size;
  }

  /** Takes all there is until the signal is aborted; an error only means that there is less. */
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
      while (this.#count < MOST_ENTRIES && !signal.aborted) {
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
      // It has taken too long, or failed: what is missing is listed, and fails there if it still does.
    }
    iterator.return?.()?.catch(() => {});
  }

  /** Resolves when more directories are complete; for those that come by entries, that is at the end. */
  async progress(end: Promise<void>): Promise<void> {
    const more = new Promise<void>((resolve) => this.#waiting.push(resolve));
    await Promise.race([more, end]);
  }

  #wake(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }

  /** What came of a directory, be it complete or not. */
  partAt(path: RootPath): LoadedLevel | null {
    return this.covers(path) ? (this.#levels.get(this.#fromStart(path)) ?? null) : null;
  }

  covers(path: RootPath): boolean {
    return path === this.#start || isBelow(this.#start, path);
  }

  /** Null where it is not known to be complete. */
  levelAt(path: RootPath): LoadedLevel | null {
    if (!this.covers(path)) return null;
    const inner = this.#fromStart(path);
    const mayGrow = !this.#isWhole && !this.#comesWhole && (inner === this.#last || isBelow(inner, this.#last));
    // What is further down than was asked for need not have come.
    if (mayGrow || this.#levelsBelow(path) < 1) return null;
    return this.#levels.get(inner) ?? null;
  }

  /** Whether a directory has come of which there is no more to know. Perf: its level need not be searched for it. */
  hasWhole(path: RootPath): boolean {
    return this.#comesWhole && this.covers(path) && this.#levels.has(this.#fromStart(path));
  }

  #fromStart(path: RootPath): RootPath {
    if (path === this.#start) return AT_ROOT;
    return path.slice(this.#start === '' ? 0 : this.#start.length + 1) as RootPath;
  }

  /** Whether it has told all of so many levels from a directory on. */
  knows(path: RootPath, levels: number): boolean {
    return this.#isWhole && this.covers(path) && this.#levelsBelow(path) >= levels;
  }

  /** How many of the levels that were asked for are left at a directory. */
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
      // It is shown at the start, in a form that leads nowhere.
      this.#top.add({ name: shownForm(path), type: 'other' });
    } else if (entry.type !== 'dir' || this.#isNew(path, entry.isClosed === true)) this.#lastLevel.add(entry, name);
  }

  /** Notes a directory; false where it was told of before. */
  #isNew(path: Bytes, isClosed: boolean): boolean {
    if (this.#levels.has(path)) return false;
    if (!isClosed) this.#levels.set(path, new LoadedLevel(this.#all));
    return true;
  }

  /** The level of a directory, which is made with those above it where none was told of; null for an impossible path. */
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
