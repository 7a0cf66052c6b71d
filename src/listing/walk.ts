/**
 * Several levels of directories: from pinned directory to pinned directory, pruned by the rules before it descends.
 * Links are never descended, so there are no loops. What cannot be read is noted and passed over.
 */
import { afterwards, type InnerPlace, type Scope } from '../rules/rule.ts';
import { splitPath } from '../workspace/argument.ts';
import { type Budget, COST } from '../workspace/budget.ts';
import { type Bytes, below } from '../workspace/bytes.ts';
import { fromSystem, ListingError } from '../workspace/listing-error.ts';
import type { HeldPlace } from '../workspace/place.ts';
import { DESCEND_ONLY, EntryBuffer, type EntryType } from '../workspace/reader.ts';
import { retrying } from '../workspace/retrying.ts';
import { type Identity, same } from '../workspace/source.ts';
import type { Visit } from '../workspace/visit.ts';
import { countTypes, totalOf } from './entry.ts';
import { appendKnown, type KnownLevel, KnownLevels } from './known-levels.ts';
import { type Counts, type Ground, LevelReader, noCounts } from './level.ts';
import type { Unreadable } from './query.ts';
import type { Reading } from './reading.ts';
import { directoriesIn, followsLinks, hasLinks, markLinks, putInOrder } from './siblings.ts';
import { isPassedOver, orNull } from './walk-failures.ts';
import type { Level, WalkHelper, WalkPart, WalkPlan, WalkResult, WalkSink } from './walk-plan.ts';

/** Entries that are emitted at a time: a sink may ask the disk about each of them. */
const HANDFUL = 1024;

/**
 * Directories on the way down that are held open; those above are opened again when the walk comes back to them. So few
 * that a walk needs no more than the 64 descriptors that a careful system allows.
 */
const HELD = 32;

interface OpenLevel extends Level {
  directory: Visit | null;
  readonly scope: Scope;
  /** The positions of its first entry, and behind its last. */
  readonly from: number;
  readonly to: number;
  /** Bytes that were used before it was read. */
  readonly used: number;
  /** The position of the entry that is emitted next. */
  next: number;
  /** Directories that the helper walks through, by their positions; null while there are none. */
  delegated: Map<number, Promise<WalkPart | null>> | null;
  /** The position behind the last directory that was not looked at for the helper. */
  delegatedFrom: number;
  /** By which it is recognised when it is opened again; null while it is held. */
  identity: Identity | null;
  /** Whether it was not opened, because what it contains is known. It is opened if something has to be asked. */
  readonly isKnown: boolean;
}

type Opened = Pick<OpenLevel, 'directory' | 'path' | 'from' | 'used' | 'identity' | 'isKnown'>;
type ScopeIn = (place: InnerPlace) => Scope | Promise<Scope>;

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
  /** Entries of all directories from the start down to the deepest. Perf: the space of one that is left is used again. */
  readonly #entries = new EntryBuffer();
  readonly #levels: OpenLevel[] = [];
  readonly #unreadable: Unreadable[] = [];
  /** Null where everything has to be read. */
  readonly #known: KnownLevels | null;
  #unselected = 0;
  #unopened = 0;

  constructor(reading: Reading, plan: WalkPlan, sink: WalkSink, helper: WalkHelper | null) {
    this.#reading = reading;
    this.#start = reading.directory;
    this.#plan = plan;
    this.#sink = sink;
    this.#budget = reading.budget;
    this.#helper = helper;
    // Metadata has to be asked of a directory that is open.
    const cache = plan.start === '' && !sink.describes && reading.directory.canProve ? plan.cache : null;
    this.#known = cache === null ? null : new KnownLevels(cache, reading.directory);
    this.#reader = new LevelReader(plan.select, plan.mayBlock, this.#counts.hidden, reading.budget);
  }

  async run(): Promise<WalkResult> {
    try {
      const known = this.#known?.at('' as Bytes) ?? null;
      const scopeIn = () => this.#reading.scope;
      if (known === null) {
        this.#start.beginWalk(this.#plan.depth);
        await this.#open(this.#start, this.#plan.start, scopeIn);
      } else await this.#openKnown(known, '' as Bytes, scopeIn);
      await this.#walk();
      const { stopped } = this.#budget;
      const found = totalOf(this.#counts.totals) + this.#counts.hidden.size;
      if (stopped !== null && found === 0) throw new ListingError(stopped, 'nothing was read', this.#start.path);
      return {
        ...this.#counts,
        unselected: this.#unselected + this.#reader.unselected,
        unopened: this.#unopened + this.#reader.unselectedClosed,
        unreadable: this.#unreadable,
        stopped,
        isFromCache: this.#known !== null && this.#known.read === 0,
      };
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
      // A directory that was not read to its end emits some entries, and the walk is over.
      if (this.#budget.stopped !== null) return;
      if (inner !== null) {
        // Perf: to wait for each directory would cost a turn of the queue.
        const descending = this.#descend(level, inner);
        if (descending !== undefined) await descending;
      } else if (level.next === level.to) this.#leave();
      if (this.#sink.isFull) await this.#sink.settle?.(this.#budget);
      // A walk that has just ended cannot be stopped any more.
      if (this.#levels.length > 0 && this.#budget.isDue) await this.#budget.proceed();
      if (this.#helper !== null && turn !== this.#budget.turns) {
        turn = this.#budget.turns;
        while (this.#helper.wantsWork && this.#delegate(this.#helper));
      }
    }
  }

  #loadMetadata({ directory, next, to }: OpenLevel): Promise<void> | undefined {
    if (!this.#sink.describes || this.#sink.isPastPage || directory === null) return undefined;
    return directory.loadMetadata(() => this.#entries.namesOf(next, Math.min(next + HANDFUL, to)));
  }

  /** Emits some entries, or those up to the next directory to descend into, of which it returns the position. */
  #emitUpToDirectory(level: OpenLevel): number | null {
    const entries = this.#entries;
    const descends = this.#levels.length < this.#plan.depth;
    const from = level.next;
    const end = Math.min(from + HANDFUL, level.to);
    let to = descends ? from : end;
    while (to < end && !entries.isDirectory(to)) to++;
    const inner = to < end ? to++ : null;
    level.next = to;
    const isEmitted = inner === null || ((entries.types[inner] as number) & DESCEND_ONLY) === 0;
    const emittedTo = isEmitted ? to : to - 1;
    if (emittedTo > from) this.#emit(level, from, emittedTo);
    this.#budget.steps += COST.piece * (to - from);
    return inner;
  }

  #emit(level: OpenLevel, from: number, to: number): void {
    countTypes(this.#counts.totals, this.#entries, from, to);
    this.#sink.take(level, from, to);
  }

  /**
   * Delegates the last directory of the uppermost level that has any: this walk begins at the front, the helper at the
   * back, and with luck they meet in the middle. False when there is nothing to delegate.
   */
  #delegate(helper: WalkHelper): boolean {
    for (const [i, level] of this.#levels.entries()) {
      while (--level.delegatedFrom >= level.next) {
        const at = level.delegatedFrom;
        if (!this.#entries.isDirectory(at) || i + 1 >= this.#plan.depth) continue;
        level.delegated ??= new Map();
        level.delegated.set(at, helper.walk(below(level.path, this.#entries.nameAt(at)), this.#plan.depth - i - 1));
        return true;
      }
    }
    return false;
  }

  /** Whether the helper has walked through it. */
  async #takePart({ delegated }: OpenLevel, at: number): Promise<boolean> {
    const part = await delegated?.get(at);
    if (part === undefined || part === null) return false;
    const { totals, hidden } = this.#counts;
    for (const [type, count] of Object.entries(part.totals)) totals[type as EntryType] += count;
    for (const [origin, count] of part.hidden) hidden.set(origin, (hidden.get(origin) ?? 0) + count);
    this.#unselected += part.unselected;
    this.#unopened += part.unopened;
    for (const inner of part.unreadable) this.#unreadable.push(inner);
    this.#sink.splice?.(part.output);
    return true;
  }

  #descend(level: OpenLevel, at: number): Promise<void> | undefined {
    if (!level.delegated?.has(at)) return this.#enter(level, at);
    return this.#takePart(level, at).then((isTaken) => (isTaken ? undefined : this.#enter(level, at)));
  }

  #enter(level: OpenLevel, at: number): Promise<void> | undefined {
    const { scope, path } = level;
    const name = this.#entries.nameAt(at);
    const pathOfInner = below(path, name);
    const known = this.#known?.at(pathOfInner) ?? null;
    if (known !== null) return this.#openKnown(known, pathOfInner, (place) => scope.enter(name, place));
    const { count, used } = this.#entries;
    let inner: Visit | null = null;
    const passOver = (error: unknown): void => {
      this.#close(inner);
      this.#entries.truncate(count, used);
      this.#noteFailure(error, pathOfInner);
    };
    try {
      const entering = afterwards(this.#held(level), (directory) => {
        if (directory === null) {
          this.#unreadable.push({ path: pathOfInner, reason: 'the directory above it was moved away' });
          return this.#plan.evidence?.add(pathOfInner, null);
        }
        return afterwards(
          retrying(() => directory.descend(name), this.#budget),
          (found) => {
            inner = found;
            // It has vanished, or was swapped for something else.
            if (found === null) return this.#plan.evidence?.add(pathOfInner, null);
            return this.#open(found, pathOfInner, (place) => scope.enter(name, place));
          },
        );
      });
      return entering instanceof Promise ? entering.catch(passOver) : undefined;
    } catch (error) {
      passOver(error);
      return undefined;
    }
  }

  /** The directory of a level, which is opened if it was not. */
  #held(level: OpenLevel): Visit | null | Promise<Visit | null> {
    if (level.directory !== null || !level.isKnown) return level.directory;
    return afterwards(this.#reopened(level), (directory) => {
      level.directory = directory;
      return directory;
    });
  }

  #reopened(level: Pick<OpenLevel, 'path' | 'identity'>): Visit | null | Promise<Visit | null> {
    return retrying(() => orNull(() => this.#reopenFromStart(level)), this.#budget);
  }

  /** Makes a directory the deepest level of which everything is known but what the rules say now. */
  #openKnown(known: KnownLevel, path: Bytes, scopeIn: ScopeIn): Promise<void> | undefined {
    const entries = this.#entries;
    const { count: from, used } = entries;
    appendKnown(known, entries);
    this.#plan.evidence?.add(path, known.stamp);
    const held = this.#watched((this.#known as KnownLevels).placeOf(path));
    const opened: Opened = { directory: null, path, from, used, identity: known.stamp, isKnown: true };
    const fail = (error: unknown): void => {
      entries.truncate(from, used);
      this.#noteFailure(error, path);
    };
    try {
      const opening = this.#complete(opened, this.#reader.sift(held, this.#ground(path), scopeIn, entries, from));
      return opening instanceof Promise ? opening.catch(fail) : undefined;
    } catch (error) {
      fail(error);
      return undefined;
    }
  }

  #watched(place: HeldPlace): HeldPlace {
    return this.#plan.evidence?.watched(place) ?? place;
  }

  /** Notes a directory that cannot be read, unless that is a failure of the whole walk. */
  #noteFailure(error: unknown, path: Bytes): void {
    const { kind, message } = fromSystem(error, null);
    this.#plan.evidence?.add(path, null);
    // It has vanished since it was held.
    if (kind === 'missing') return;
    if (kind === 'timeout' || kind === 'aborted') this.#budget.stop(kind);
    else if (isPassedOver(error)) this.#unreadable.push({ path, reason: message });
    else throw error;
  }

  #leave(): void {
    const { directory, from, used } = this.#levels.pop() as OpenLevel;
    this.#entries.truncate(from, used);
    const above = this.#levels.at(-1);
    if (above !== undefined && !above.isKnown)
      above.directory ??= orNull(() => directory?.ascend()) ?? orNull(() => this.#reopenFromStart(above));
    this.#close(directory);
  }

  /** From the start down, for a directory from which something was moved away while the walk was in it. */
  #reopenFromStart({ path, identity }: Pick<OpenLevel, 'path' | 'identity'>): Visit | null {
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

  #ground(path: Bytes): Ground {
    return { path, descends: this.#levels.length + 1 < this.#plan.depth };
  }

  /** Reads a directory and makes it the deepest level. */
  #open(directory: Visit, path: Bytes, scopeIn: ScopeIn): void | Promise<void> {
    const entries = this.#entries;
    const { count: from, used } = entries;
    const before = this.#known?.before(directory) ?? null;
    const found = afterwards(this.#reader.readAll(directory, entries), () =>
      afterwards(this.#arrange(from), () => {
        const { cutShort } = this.#reader;
        if (cutShort !== null) this.#unreadable.push({ path, reason: `not read to its end: ${cutShort}` });
        const isWhole = cutShort === null && this.#budget.stopped === null;
        const kept = isWhole ? (this.#known?.keep(path, entries, from, before, directory) ?? null) : null;
        this.#plan.evidence?.add(path, kept);
        return this.#reader.sift(this.#watched(directory), this.#ground(path), scopeIn, entries, from);
      }),
    );
    return this.#complete({ directory, path, from, used, identity: null, isKnown: false }, found);
  }

  /** What is known is mostly in order already: as it was when it was kept. */
  #arrange(from: number): void | Promise<void> {
    const { siblings, reverse } = this.#plan;
    if (!this.#sink.isPastPage) return putInOrder(this.#entries, from, siblings, reverse, this.#budget);
  }

  #complete(opened: Opened, found: Scope | Promise<Scope>): void | Promise<void> {
    const budget = this.#budget;
    return afterwards(found, (scope) =>
      afterwards(budget.isDue ? budget.proceed() : true, () =>
        afterwards(this.#followLinks(opened), () => this.#push(opened, scope)),
      ),
    );
  }

  /** Links to directories go where those are, if the order asks for it. */
  #followLinks(opened: Opened): void | Promise<void> {
    const [entries, from] = [this.#entries, opened.from];
    if (this.#sink.isPastPage || !followsLinks(this.#plan.siblings) || !hasLinks(entries, from)) {
      return opened.isKnown ? this.#arrange(from) : undefined;
    }
    // Where links lead cannot be told by the stamps of the directories that they are in.
    this.#plan.evidence?.add(opened.path, null);
    return afterwards(opened.directory ?? this.#reopened(opened), (directory) => {
      opened.directory = directory;
      if (directory === null) return this.#arrange(from);
      return afterwards(markLinks(entries, from, directory, this.#budget), () => this.#arrange(from));
    });
  }

  #push({ directory, path, from, used, identity, isKnown }: Opened, scope: Scope): void {
    const { count: to } = this.#entries;
    if (this.#levels.length + 1 >= this.#plan.depth) {
      for (let i = from; i < to; i++) if (this.#entries.isDirectory(i)) this.#unopened++;
    } else directory?.expect(() => directoriesIn(this.#entries, from, to));
    this.#levels.push({
      directory,
      path,
      entries: this.#entries,
      scope,
      from,
      to,
      used,
      next: from,
      delegated: null,
      delegatedFrom: to,
      identity,
      isKnown,
    });
    const parked = this.#levels.at(-HELD - 1);
    if (parked === undefined || parked.directory === null) return;
    parked.identity = parked.directory.identity;
    this.#close(parked.directory);
    parked.directory = null;
  }
}
