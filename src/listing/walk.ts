/**
 * Several levels of directories: from pinned directory to pinned directory, pruned by the rules before it descends.
 * Links are never descended, so there are no loops. What cannot be read is noted and passed over.
 */
import type { InnerPlace, Origin, Scope } from '../rules/rule.ts';
import { splitPath } from '../workspace/argument.ts';
import type { Budget } from '../workspace/budget.ts';
import { type Bytes, below } from '../workspace/bytes.ts';
import { concernsOneEntry, fromSystem, ListingError } from '../workspace/listing-error.ts';
import { type Identity, same } from '../workspace/pinned.ts';
import type { EntryType } from '../workspace/reader.ts';
import type { Visit } from '../workspace/visit.ts';
import { LevelReader } from './level-reader.ts';
import type { Stop } from './query.ts';

/** Entries between two looks at the clock. */
const HANDFUL = 1024;

/**
 * Directories on the way down that are held open; those above are opened again when the walk comes back to them. So few
 * that a walk needs no more than the 64 descriptors that a careful system allows.
 */
const HELD = 32;

export interface WalkPlan {
  /** Where the walk begins, relative to the directory that paths are told from; '' is that one. */
  readonly start: Bytes;
  /** How many levels: 1 is the directory alone. */
  readonly depth: number;
  readonly siblings: SiblingOrder;
  /** Siblings come the other way round; a directory stays before what it contains. */
  readonly reverse: boolean;
  /** Whether nobody else waits for this thread meanwhile. */
  readonly isAlone: boolean;
  /** Which entries are told; directories that are not are descended all the same. Null tells all. */
  readonly select: Select | null;
}

/** `path` is relative to the directory that paths are told from. */
export type Select = (name: Bytes, path: Bytes, type: EntryType) => boolean;

export type SiblingOrder =
  /** By name; with `directories-first` directories, and links to them, stand before everything else. */
  | 'directories-first'
  | 'by-name'
  /** As the disk has them. */
  | 'any';

/** A directory that is being walked through, as those see it who are told of its entries. */
export interface Level {
  /** Null while it is not held. It is whenever its entries are told, unless there was no way back to it. */
  readonly directory: Visit | null;
  /** Relative to the directory that paths are told from. */
  readonly path: Bytes;
  readonly names: readonly Bytes[];
  /** Whether all of them are printable ASCII without capitals and quotes, as most are: their own order and spelling. */
  readonly areSimple: boolean;
  /** The types of those that are no files. */
  readonly types: ReadonlyMap<Bytes, EntryType>;
  /** Those links that lead to a directory inside the workspace, where the order asks for it. */
  readonly leading: ReadonlySet<Bytes>;
}

/** Is told what a walk finds: each directory before what it contains. */
export interface WalkSink {
  /** Names from one position up to another, of a directory that is held open. */
  take(level: Level, from: number, to: number): void;
  /** Whether `settle` has something to do. */
  readonly isFull?: boolean;
  settle?(budget: Budget): Promise<void>;
  /** Takes what another thread's sink has made of a directory's contents. */
  splice?(output: Uint8Array): void;
}

/** Somebody who walks through some of the directories meanwhile, with a sink of the same kind. */
export interface WalkHelper {
  /** Whether more can be given to it. */
  readonly wantsWork: boolean;
  /** What is below a directory, of which so many levels are told; null when it could not do it. */
  walk(directory: Bytes, depth: number): Promise<WalkPart | null>;
}

export interface WalkPart extends WalkResult {
  readonly output: Uint8Array;
}

export interface WalkResult {
  /** How many entries were told. */
  readonly totals: Readonly<Record<EntryType, number>>;
  readonly hidden: ReadonlyMap<Origin, number>;
  /** Directories below the first that could not be read. */
  readonly unreadable: readonly Bytes[];
  readonly stopped: Stop | null;
}

interface OpenLevel extends Level {
  directory: Visit | null;
  /** Directories that were given away; null while there are none. */
  given: Map<Bytes, Promise<WalkPart | null>> | null;
  /** Behind the last directory that was not. */
  unshared: number;
  readonly scope: Scope;
  /** Directories that are descended into, but not told. */
  readonly untold: ReadonlySet<Bytes>;
  next: number;
  /** By which it is known again; null while it is held. */
  identity: Identity | null;
}

export async function walk(
  start: Visit,
  scope: Scope,
  plan: WalkPlan,
  sink: WalkSink,
  budget: Budget,
  helper: WalkHelper | null = null,
): Promise<WalkResult> {
  return new Walk(start, plan, sink, budget, helper).run(scope);
}

class Walk {
  readonly #start: Visit;
  readonly #plan: WalkPlan;
  readonly #sink: WalkSink;
  readonly #budget: Budget;
  readonly #helper: WalkHelper | null;
  readonly #reader: LevelReader;
  readonly #levels: OpenLevel[] = [];
  readonly #totals: Record<EntryType, number> = { file: 0, dir: 0, link: 0, other: 0 };
  readonly #hidden = new Map<Origin, number>();
  readonly #unreadable: Bytes[] = [];
  /** Why it ends early; null as long as it does not. */
  #stopped: Stop | null = null;

  constructor(start: Visit, plan: WalkPlan, sink: WalkSink, budget: Budget, helper: WalkHelper | null) {
    this.#start = start;
    this.#plan = plan;
    this.#sink = sink;
    this.#budget = budget;
    this.#helper = helper;
    this.#reader = new LevelReader(plan, { hidden: this.#hidden, budget, pause: () => this.#pause() });
  }

  async run(scope: Scope): Promise<WalkResult> {
    try {
      await this.#open(this.#start, this.#plan.start, () => scope);
      await this.#walk();
      const stopped = this.#stopped;
      const found = this.#totals.file + this.#totals.dir + this.#totals.link + this.#totals.other + this.#hidden.size;
      if (stopped !== null && found === 0) throw new ListingError(stopped, 'nothing was read', this.#start.path);
      return { totals: this.#totals, hidden: this.#hidden, unreadable: this.#unreadable, stopped };
    } finally {
      for (const { directory } of this.#levels) this.#close(directory);
    }
  }

  async #walk(): Promise<void> {
    for (let level = this.#levels.at(-1); level !== undefined; level = this.#levels.at(-1)) {
      const inner = this.#tellUpToDirectory(level);
      // Of a directory that was not read to its end some entries are told, and that is all.
      if (this.#stopped !== null) return;
      if (inner !== null) await this.#descend(level, inner);
      else if (level.next === level.names.length) this.#leave();
      if (this.#sink.isFull) await this.#sink.settle?.(this.#budget);
      if (!this.#budget.isDue) continue;
      // What is at its end is not stopped before it.
      if (this.#levels.length > 0) await this.#pause();
      while (this.#helper?.wantsWork && this.#giveAway(this.#helper));
    }
  }

  /** Lets everybody else have a turn, if it is their turn; false when the walk has to end here. */
  async #pause(): Promise<boolean> {
    await this.#budget.yieldIfDue();
    this.#stopped ??= this.#budget.stopReason();
    return this.#stopped === null;
  }

  /**
   * Tells of a handful of entries, or of those up to the next directory to descend into, which it returns; a sink may
   * ask the disk about each of them.
   */
  #tellUpToDirectory(level: OpenLevel): Bytes | null {
    const { names, types, untold } = level;
    const descends = this.#levels.length < this.#plan.depth;
    const from = level.next;
    const end = Math.min(from + HANDFUL, names.length);
    let inner: Bytes | null = null;
    let to = from;
    // Perf: where there are only files, nothing has to be looked up.
    if (types.size === 0) to = end;
    while (to < end && inner === null) {
      const name = names[to] as Bytes;
      if (descends && types.get(name) === 'dir') inner = name;
      to++;
    }
    level.next = to;
    const toldTo = inner !== null && untold.has(inner) ? to - 1 : to;
    if (toldTo > from) this.#tell(level, from, toldTo);
    return inner;
  }

  #tell(level: OpenLevel, from: number, to: number): void {
    this.#totals.file += to - from;
    if (level.types.size > 0) {
      for (let i = from; i < to; i++) {
        const type = level.types.get(level.names[i] as Bytes);
        if (type === undefined) continue;
        this.#totals.file--;
        this.#totals[type]++;
      }
    }
    this.#sink.take(level, from, to);
  }

  /**
   * Gives away the last directory of the uppermost level that has any: this walk begins at the front, the helper at the
   * back, and with luck they meet in the middle. False when there is nothing to give.
   */
  #giveAway(helper: WalkHelper): boolean {
    for (const [i, level] of this.#levels.entries()) {
      while (--level.unshared >= level.next) {
        const name = level.names[level.unshared] as Bytes;
        if (level.types.get(name) !== 'dir' || i + 1 >= this.#plan.depth) continue;
        level.given ??= new Map();
        level.given.set(name, helper.walk(below(level.path, name), this.#plan.depth - i - 1));
        return true;
      }
    }
    return false;
  }

  /** Whether somebody else has walked through it. */
  async #takePart({ given }: OpenLevel, name: Bytes): Promise<boolean> {
    const part = await given?.get(name);
    if (part === undefined || part === null) return false;
    for (const [type, count] of Object.entries(part.totals)) this.#totals[type as EntryType] += count;
    for (const [origin, count] of part.hidden) this.#hidden.set(origin, (this.#hidden.get(origin) ?? 0) + count);
    for (const inner of part.unreadable) this.#unreadable.push(inner);
    this.#sink.splice?.(part.output);
    return true;
  }

  async #descend(level: OpenLevel, name: Bytes): Promise<void> {
    if (level.given !== null && (await this.#takePart(level, name))) return;
    const { directory, scope, path } = level;
    if (directory === null) {
      this.#unreadable.push(below(path, name));
      return;
    }
    let inner: Visit | null = null;
    try {
      inner = directory.descend(name);
      // It has vanished, or was swapped for something else.
      if (inner === null) return;
      await this.#open(inner, below(path, name), (place) => scope.enter(name, place));
    } catch (error) {
      this.#close(inner);
      const { kind } = fromSystem(error, null);
      // It has vanished since it was held.
      if (kind === 'missing') return;
      if (kind === 'timeout' || kind === 'aborted') {
        this.#stopped = kind;
        return;
      }
      if (!isPassedOver(error)) throw error;
      this.#unreadable.push(below(path, name));
    }
  }

  #leave(): void {
    const { directory } = this.#levels.pop() as OpenLevel;
    const above = this.#levels.at(-1);
    if (above !== undefined) above.directory ??= orNull(() => directory?.ascend()) ?? orNull(() => this.#again(above));
    this.#close(directory);
  }

  /** From the start down, for a directory from which something was moved away while the walk was in it. */
  #again({ path, identity }: OpenLevel): Visit | null {
    let here = this.#start;
    for (const name of splitPath(path).names.slice(splitPath(this.#plan.start).names.length)) {
      const above = here;
      try {
        const inner = above.descend(name);
        if (inner === null) return null;
        here = inner;
      } finally {
        this.#close(above);
      }
    }
    if (identity !== null && same(here.identity, identity)) return here;
    this.#close(here);
    return null;
  }

  #close(directory: Visit | null): void {
    if (directory !== this.#start) directory?.leave();
  }

  /** Reads a directory and makes it the deepest level. */
  async #open(directory: Visit, path: Bytes, scopeFor: (place: InnerPlace) => Scope | Promise<Scope>): Promise<void> {
    const descends = this.#levels.length + 1 < this.#plan.depth;
    const read = await this.#reader.read(directory, path, scopeFor, descends);
    this.#levels.push({ directory, identity: null, path, next: 0, given: null, unshared: read.names.length, ...read });
    const parked = this.#levels.at(-HELD - 1);
    if (parked === undefined || parked.directory === null) return;
    parked.identity = parked.directory.identity;
    this.#close(parked.directory);
    parked.directory = null;
  }
}

/** Whether it is a reason to go on without what it was said of, and to note that. */
function isPassedOver(error: unknown): boolean {
  const { kind, code } = fromSystem(error, null);
  return kind === 'denied' || concernsOneEntry(code);
}

function orNull(open: () => Visit | null | undefined): Visit | null {
  try {
    return open() ?? null;
  } catch (error) {
    if (isPassedOver(error)) return null;
    throw error;
  }
}
