/**
 * Several levels of directories: from pinned directory to pinned directory, pruned by the rules before it descends.
 * Links are never descended, so there are no loops. What cannot be read is noted and passed over.
 */
import type { InnerPlace, Scope } from '../rules/rule.ts';
import { splitPath } from '../workspace/argument.ts';
import { type Budget, COST, type Stop } from '../workspace/budget.ts';
import { type Bytes, below } from '../workspace/bytes.ts';
import { concernsOneEntry, fromSystem, ListingError } from '../workspace/listing-error.ts';
import type { EntryType } from '../workspace/reader.ts';
import { retrying } from '../workspace/retrying.ts';
import { type Identity, same } from '../workspace/source.ts';
import type { Visit } from '../workspace/visit.ts';
import { totalOf } from './entry.ts';
import { type Counts, LevelReader, noCounts } from './level.ts';
import type { Select, Unreadable } from './query.ts';
import type { Reading } from './reading.ts';
import { type SiblingOrder, Siblings } from './siblings.ts';

/** Entries that are emitted at a time: a sink may ask the disk about each of them. */
const HANDFUL = 1024;

/**
 * Directories on the way down that are held open; those above are opened again when the walk comes back to them. So few
 * that a walk needs no more than the 64 descriptors that a careful system allows.
 */
const HELD = 32;

export interface WalkPlan {
  /** Where the walk begins, relative to the directory that paths are shown from; '' is that one. */
  readonly start: Bytes;
  /** How many levels: 1 is the directory alone. */
  readonly depth: number;
  readonly siblings: SiblingOrder;
  /** Siblings come the other way round; a directory stays before what it contains. */
  readonly reverse: boolean;
  /** Whether nobody else waits for this thread meanwhile. */
  readonly mayBlock: boolean;
  /** Which entries are emitted; directories that are not are descended all the same. Null emits all. */
  readonly select: Select | null;
}

/** A directory that is being walked through, as a sink sees it. */
export interface Level extends Pick<Siblings, 'areSimple' | 'linksToDirectories'> {
  /** Null while it is not held. It is whenever its entries are emitted, unless there was no way back to it. */
  readonly directory: Visit | null;
  /** Relative to the directory that paths are shown from. */
  readonly path: Bytes;
  readonly names: readonly Bytes[];
  /** The types of those that are not files. */
  readonly types: ReadonlyMap<Bytes, EntryType>;
}

/** Receives what a walk finds: each directory before what it contains. */
export interface WalkSink {
  /** Names from one position up to another, of a directory that is held open. */
  take(level: Level, from: number, to: number): void;
  /** Whether `settle` has something to do. */
  readonly isFull?: boolean;
  settle?(budget: Budget): Promise<void>;
  /** Whether it asks for the metadata of entries while it takes them. */
  readonly describes?: boolean;
  /** Whether the order of what is still to come does not matter. */
  readonly isPastPage?: boolean;
  /** Takes what another thread's sink has made of a directory's contents. */
  splice?(output: Uint8Array): void;
}

/** Another thread that walks through some of the directories, with a sink of the same kind. */
export interface WalkHelper {
  /** Whether it can take more. */
  readonly wantsWork: boolean;
  /** What is below a directory, up to a depth; null when it could not do it. */
  walk(directory: Bytes, depth: number): Promise<WalkPart | null>;
}

export interface WalkPart extends WalkResult {
  readonly output: Uint8Array;
}

export interface WalkResult extends Counts {
  /** Directories below the first that could not be read. */
  readonly unreadable: readonly Unreadable[];
  readonly stopped: Stop | null;
}

interface OpenLevel extends Level {
  directory: Visit | null;
  readonly scope: Scope;
  readonly descendOnly: ReadonlySet<Bytes>;
  next: number;
  /** Directories that the helper walks through; null while there are none. */
  delegated: Map<Bytes, Promise<WalkPart | null>> | null;
  /** The position behind the last directory that was not looked at for the helper. */
  delegatedFrom: number;
  /** By which it is known again; null while it is held. */
  identity: Identity | null;
}

export function walk(
  reading: Reading,
  plan: WalkPlan,
  sink: WalkSink,
  helper: WalkHelper | null = null,
): Promise<WalkResult> {
  return new Walk(reading, plan, sink, helper).run();
}

class Walk {
  readonly #reading: Reading;
  readonly #start: Visit;
  readonly #plan: WalkPlan;
  readonly #sink: WalkSink;
  readonly #budget: Budget;
  readonly #helper: WalkHelper | null;
  readonly #counts: Counts = noCounts();
  readonly #reader: LevelReader;
  readonly #levels: OpenLevel[] = [];
  readonly #unreadable: Unreadable[] = [];

  constructor(reading: Reading, plan: WalkPlan, sink: WalkSink, helper: WalkHelper | null) {
    this.#reading = reading;
    this.#start = reading.directory;
    this.#plan = plan;
    this.#sink = sink;
    this.#budget = reading.budget;
    this.#helper = helper;
    this.#reader = new LevelReader(plan.select, plan.mayBlock, this.#counts.hidden, reading.budget);
  }

  async run(): Promise<WalkResult> {
    try {
      await this.#open(this.#start, this.#plan.start, () => this.#reading.scope);
      await this.#walk();
      const { stopped } = this.#budget;
      const found = totalOf(this.#counts.totals) + this.#counts.hidden.size;
      if (stopped !== null && found === 0) throw new ListingError(stopped, 'nothing was read', this.#start.path);
      return { ...this.#counts, unreadable: this.#unreadable, stopped };
    } finally {
      for (const { directory } of this.#levels) this.#close(directory);
    }
  }

  async #walk(): Promise<void> {
    let { turns: turn } = this.#budget;
    for (let level = this.#levels.at(-1); level !== undefined; level = this.#levels.at(-1)) {
      const loading = this.#loadMetadata(level);
      if (loading !== undefined) await loading;
      const inner = this.#emitUpToDirectory(level);
      // Of a directory that was not read to its end some entries are emitted, and that is all.
      if (this.#budget.stopped !== null) return;
      if (inner !== null) await this.#descend(level, inner);
      else if (level.next === level.names.length) this.#leave();
      if (this.#sink.isFull) await this.#sink.settle?.(this.#budget);
      // What is at its end is not stopped before it.
      if (this.#levels.length > 0 && this.#budget.isDue) await this.#budget.proceed();
      if (this.#helper !== null && turn !== this.#budget.turns) {
        turn = this.#budget.turns;
        while (this.#helper.wantsWork && this.#delegate(this.#helper));
      }
    }
  }

  #loadMetadata({ directory, names, next }: OpenLevel): Promise<void> | undefined {
    if (!this.#sink.describes || this.#sink.isPastPage || directory === null) return undefined;
    return directory.loadMetadata(() => names.slice(next, next + HANDFUL));
  }

  /** Emits some entries, or those up to the next directory to descend into, which it returns. */
  #emitUpToDirectory(level: OpenLevel): Bytes | null {
    const { names, types, descendOnly } = level;
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
    const emittedTo = inner !== null && descendOnly.has(inner) ? to - 1 : to;
    if (emittedTo > from) this.#emit(level, from, emittedTo);
    this.#budget.steps += COST.piece * (to - from);
    return inner;
  }

  #emit(level: OpenLevel, from: number, to: number): void {
    const { totals } = this.#counts;
    totals.file += to - from;
    if (level.types.size > 0) {
      for (let i = from; i < to; i++) {
        const type = level.types.get(level.names[i] as Bytes);
        if (type === undefined) continue;
        totals.file--;
        totals[type]++;
      }
    }
    this.#sink.take(level, from, to);
  }

  /**
   * Delegates the last directory of the uppermost level that has any: this walk begins at the front, the helper at the
   * back, and with luck they meet in the middle. False when there is nothing to delegate.
   */
  #delegate(helper: WalkHelper): boolean {
    for (const [i, level] of this.#levels.entries()) {
      while (--level.delegatedFrom >= level.next) {
        const name = level.names[level.delegatedFrom] as Bytes;
        if (level.types.get(name) !== 'dir' || i + 1 >= this.#plan.depth) continue;
        level.delegated ??= new Map();
        level.delegated.set(name, helper.walk(below(level.path, name), this.#plan.depth - i - 1));
        return true;
      }
    }
    return false;
  }

  /** Whether the helper has walked through it. */
  async #takePart({ delegated }: OpenLevel, name: Bytes): Promise<boolean> {
    const part = await delegated?.get(name);
    if (part === undefined || part === null) return false;
    const { totals, hidden } = this.#counts;
    for (const [type, count] of Object.entries(part.totals)) totals[type as EntryType] += count;
    for (const [origin, count] of part.hidden) hidden.set(origin, (hidden.get(origin) ?? 0) + count);
    for (const inner of part.unreadable) this.#unreadable.push(inner);
    this.#sink.splice?.(part.output);
    return true;
  }

  async #descend(level: OpenLevel, name: Bytes): Promise<void> {
    if (level.delegated !== null && (await this.#takePart(level, name))) return;
    const { directory, scope, path } = level;
    if (directory === null) {
      this.#unreadable.push({ path: below(path, name), reason: 'the directory above it was moved away' });
      return;
    }
    let inner: Visit | null = null;
    try {
      const found = retrying(() => directory.descend(name), this.#budget);
      inner = found instanceof Promise ? await found : found;
      // It has vanished, or was swapped for something else.
      if (inner === null) return;
      await this.#open(inner, below(path, name), (place) => scope.enter(name, place));
    } catch (error) {
      this.#close(inner);
      const { kind, message } = fromSystem(error, null);
      // It has vanished since it was held.
      if (kind === 'missing') return;
      if (kind === 'timeout' || kind === 'aborted') {
        this.#budget.stop(kind);
        return;
      }
      if (!isPassedOver(error)) throw error;
      this.#unreadable.push({ path: below(path, name), reason: message });
    }
  }

  #leave(): void {
    const { directory } = this.#levels.pop() as OpenLevel;
    const above = this.#levels.at(-1);
    if (above !== undefined)
      above.directory ??= orNull(() => directory?.ascend()) ?? orNull(() => this.#reopenFromStart(above));
    this.#close(directory);
  }

  /** From the start down, for a directory from which something was moved away while the walk was in it. */
  #reopenFromStart({ path, identity }: OpenLevel): Visit | null {
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
  async #open(directory: Visit, path: Bytes, scopeIn: (place: InnerPlace) => Scope | Promise<Scope>): Promise<void> {
    const { depth, siblings, reverse } = this.#plan;
    const descends = this.#levels.length + 1 < depth;
    const found = new Siblings();
    const scope = await this.#reader.read({ directory, path, descends }, scopeIn, found);
    if (this.#budget.isDue) await this.#budget.proceed();
    if (!this.#sink.isPastPage) await found.putInOrder(siblings, reverse, directory, this.#budget);
    const { names, areSimple, types, descendOnly, linksToDirectories } = found;
    const level: OpenLevel = {
      directory,
      path,
      names,
      areSimple,
      types,
      linksToDirectories,
      scope,
      descendOnly,
      next: 0,
      delegated: null,
      delegatedFrom: names.length,
      identity: null,
    };
    this.#levels.push(level);
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
