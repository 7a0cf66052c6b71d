/**
 * Walks several levels of directories. The rules prune a directory before it is entered. Links are never entered, so
 * there are no loops. What cannot be read is noted and skipped.
 */
import { type Bytes, below } from '../names/bytes.ts';
import { afterwards, type InnerPlace, type Scope } from '../rules/rule.ts';
import { splitPath } from '../workspace/argument.ts';
import { type Budget, COST, retrying } from '../workspace/budget.ts';
import { fromSystem, ListingError } from '../workspace/listing-error.ts';
import { DESCEND_ONLY, EntryBuffer, IGNORED } from '../workspace/reader.ts';
import { HANDFUL } from '../workspace/steps.ts';
import type { Visit } from '../workspace/visit.ts';
import { countTypes, noCounts, totalOf } from './entry.ts';
import { LevelReader } from './level.ts';
import type { Unreadable } from './query.ts';
import type { Reading } from './reading.ts';
import { directoriesIn, followsLinks, markLinks, putInOrder } from './siblings.ts';
import { Subtrees } from './subtrees.ts';
import type { OpenLevel, WalkPlan, WalkResult, WalkSink } from './walk-plan.ts';
import { isSkippable, orNull, reopenFromStart } from './walk-plan.ts';

/** Directories on the current path that are held open, so that 64 descriptors suffice. Those above are reopened. */
const HELD = 20;

/** A directory that was read, but whose rules are not known yet. */
type Opened = Pick<OpenLevel, 'path' | 'from' | 'used'> & { readonly directory: Visit };

/** The parent that a directory was entered from, its name there and its mark; null for the start of the walk. */
type Entrance = { readonly above: OpenLevel; readonly name: Bytes; readonly isIgnored: boolean } | null;

export function walk(reading: Reading, plan: WalkPlan, sink: WalkSink): Promise<WalkResult> {
  return new Walk(reading, plan, sink).run();
}

class Walk {
  readonly #reading: Reading;
  readonly #start: Visit;
  readonly #plan: WalkPlan;
  readonly #sink: WalkSink;
  readonly #budget: Budget;
  readonly #counts = noCounts();
  readonly #reader: LevelReader;
  /** The entries of all directories from the start down to the deepest. Perf: space is reused when one is left. */
  readonly #entries = new EntryBuffer();
  readonly #levels: OpenLevel[] = [];
  readonly #found = { unreadable: [] as Unreadable[], hiddenOnly: [] as Bytes[], worktrees: [] as Bytes[] };
  readonly #subtrees: Subtrees | null;

  constructor(reading: Reading, plan: WalkPlan, sink: WalkSink) {
    this.#reading = reading;
    this.#start = reading.directory;
    this.#plan = plan;
    this.#sink = sink;
    this.#budget = reading.budget;
    this.#subtrees = Subtrees.of(plan, sink, this.#counts, this.#found.hiddenOnly, reading.budget);
    this.#reader = new LevelReader(plan.select, this.#counts, reading.budget);
  }

  async run(): Promise<WalkResult> {
    try {
      this.#start.beginWalk(this.#plan.depth);
      await this.#open(this.#start, '' as Bytes, null);
      await this.#walk();
      const { stopped } = this.#budget;
      const { totals, hidden, unselected } = this.#counts;
      const read = totalOf(totals) + hidden.size + unselected;
      if (stopped !== null && read === 0) throw new ListingError(stopped, 'nothing was read', this.#start.path);
      return { ...this.#counts, ...this.#found, stopped };
    } finally {
      this.#subtrees?.close();
      for (const { directory } of this.#levels) this.#close(directory);
    }
  }

  async #walk(): Promise<void> {
    for (let level = this.#levels.at(-1); level !== undefined; level = this.#levels.at(-1)) {
      if (this.#subtrees?.isUnderWay) {
        if (this.#budget.stopped !== null) return;
        this.#writeOn(this.#subtrees);
      } else {
        const loading = this.#loadMetadata(level);
        if (loading !== undefined) await loading;
        const inner = this.#emitUpToDirectory(level);
        // A directory that was not read to its end emits some entries, and then the walk ends.
        if (this.#budget.stopped !== null) {
          if (inner !== null) this.#noteUnopened(below(level.path, this.#entries.nameAt(inner)));
          return;
        }
        if (inner !== null) {
          // Perf: awaiting each directory would cost a turn of the queue.
          const entering = this.#enter(level, inner);
          if (entering !== undefined) await entering;
        } else if (level.next === level.to) this.#leave();
      }
      if (this.#sink.isFull) await this.#sink.settle?.(this.#budget);
      // A walk that has just ended cannot be stopped any more.
      if (this.#levels.length > 0 && this.#budget.isDue) await this.#budget.proceed();
    }
  }

  #loadMetadata({ directory, next, to }: OpenLevel): Promise<void> | undefined {
    if (!this.#sink.describes || this.#sink.isPastPage || directory === null) return undefined;
    return directory.loadMetadata(() => this.#entries.namesOf(next, Math.min(next + HANDFUL.entries, to)));
  }

  /** Emits some entries, at most up to the next directory to enter, and returns the position of that directory. */
  #emitUpToDirectory(level: OpenLevel): number | null {
    const entries = this.#entries;
    const descends = this.#levels.length < this.#plan.depth;
    const from = level.next;
    const end = Math.min(from + HANDFUL.entries, level.to);
    let to = descends ? from : end;
    while (to < end && !entries.isDirectory(to)) to++;
    const inner = to < end ? to++ : null;
    level.next = to;
    const isEmitted = inner === null || ((entries.types[inner] as number) & DESCEND_ONLY) === 0;
    const emittedTo = isEmitted ? to : to - 1;
    if (emittedTo > from) {
      countTypes(this.#counts.totals, entries, from, emittedTo);
      this.#sink.take(level, from, emittedTo);
    }
    this.#budget.steps += COST.piece * (to - from);
    return inner;
  }

  /** Lets the source continue to write what is below a level. What it cannot write is walked. */
  #writeOn(subtrees: Subtrees): void {
    const entries = this.#entries;
    subtrees.proceed((path, { directory, appendTo }, scope) => {
      const { count: from, used } = entries;
      appendTo(entries);
      this.#push({ directory, path, from, used }, scope);
    });
  }

  #enter(level: OpenLevel, at: number): Promise<void> | undefined {
    const name = this.#entries.nameAt(at);
    const path = below(level.path, name);
    const isIgnored = ((this.#entries.types[at] as number) & IGNORED) !== 0;
    const levels = this.#plan.depth - this.#levels.length;
    if (!isIgnored && this.#subtrees?.begin(level, name, path, levels)) return undefined;
    const { directory } = level;
    if (directory === null) {
      this.#found.unreadable.push({ path, reason: 'the directory above it was moved away' });
      return undefined;
    }
    const { count, used } = this.#entries;
    let inner: Visit | null = null;
    const skip = (error: unknown): void => {
      this.#close(inner);
      this.#entries.truncate(count, used);
      this.#noteFailure(error, path);
    };
    try {
      const finding = retrying(() => directory.descend(name), this.#budget);
      const entering = afterwards(finding, (found): void | Promise<void> => {
        inner = found;
        // Otherwise it has vanished, or was replaced by something else.
        if (found !== null) return this.#open(found, path, { above: level, name, isIgnored });
        this.#plan.evidence?.giveUp();
      });
      return entering instanceof Promise ? entering.catch(skip) : undefined;
    } catch (error) {
      skip(error);
      return undefined;
    }
  }

  /** Notes a directory that cannot be read. Throws if the whole walk failed. */
  #noteFailure(error: unknown, path: Bytes): void {
    const { kind, message } = fromSystem(error, null);
    // It has vanished since it was opened.
    if (kind === 'missing') return;
    if (kind === 'timeout' || kind === 'aborted') {
      this.#budget.stopped ??= kind;
      this.#noteUnopened(path);
    } else if (isSkippable(error)) this.#found.unreadable.push({ path, reason: message });
    else throw error;
  }

  /** A directory that was emitted, but not opened before the call ended, would look empty. */
  #noteUnopened(path: Bytes): void {
    if (this.#budget.stopped !== 'timeout') return;
    this.#found.unreadable.push({ path, reason: 'it could not be opened within the time limit' });
  }

  #leave(): void {
    const { directory, from, used } = this.#levels.pop() as OpenLevel;
    this.#entries.truncate(from, used);
    const above = this.#levels.at(-1);
    const reopened = ({ path, identity }: OpenLevel) =>
      orNull(() => directory?.ascend()) ?? orNull(() => reopenFromStart(this.#start, splitPath(path).names, identity));
    try {
      if (above !== undefined) above.directory ??= reopened(above);
    } finally {
      this.#close(directory);
    }
  }

  #close(directory: Visit | null): void {
    if (directory !== this.#start) directory?.leave();
  }

  /** Reads a directory and makes it the deepest level. */
  #open(directory: Visit, path: Bytes, entrance: Entrance): void | Promise<void> {
    const [entries, reader, evidence] = [this.#entries, this.#reader, this.#plan.evidence];
    const { count: from, used } = entries;
    const opened: Opened = { directory, path, from, used };
    evidence?.begin(directory, path);
    return afterwards(reader.readAll(directory, entries), () =>
      afterwards(this.#arrange(from), () => {
        if (reader.cutShort !== null)
          this.#found.unreadable.push({ path, reason: `not read to its end: ${reader.cutShort}` });
        evidence?.prove(directory);
        const context = { path, descends: this.#levels.length + 1 < this.#plan.depth };
        const scopeIn = (place: InnerPlace) =>
          entrance === null
            ? this.#reading.scope
            : entrance.above.scope.enter(entrance.name, place, !entrance.isIgnored);
        const held = evidence?.watched(directory) ?? directory;
        return afterwards(reader.applyRules(held, context, scopeIn, entries, from), (scope) => {
          // Where there is a selection, more than rules may have left nothing of it.
          const isHidden = reader.hidden > 0 && entries.count === from && this.#plan.select === null;
          if (isHidden) this.#found.hiddenOnly.push(path);
          if (scope.isWorktree) this.#found.worktrees.push(path);
          return afterwards(this.#budget.isDue ? this.#budget.proceed() : true, () =>
            afterwards(this.#followLinks(opened), () => this.#push(opened, scope)),
          );
        });
      }),
    );
  }

  #arrange(from: number): void | Promise<void> {
    const { siblings, reverse } = this.#plan;
    if (!this.#sink.isPastPage) return putInOrder(this.#entries, from, siblings, reverse, this.#budget);
  }

  /** Sorts links to directories among the directories, if the order requires it. */
  #followLinks({ directory, from }: Opened): void | Promise<void> {
    const entries = this.#entries;
    if (this.#sink.isPastPage || !followsLinks(this.#plan.siblings)) return;
    return markLinks(entries, from, directory, this.#budget)?.then(() => {
      this.#plan.evidence?.noteLinks(entries, from);
      return this.#arrange(from);
    });
  }

  #push({ directory, path, from, used }: Opened, scope: Scope): void {
    const entries = this.#entries;
    const { count: to } = entries;
    if (this.#levels.length + 1 >= this.#plan.depth) {
      for (let i = from; i < to; i++) if (entries.isDirectory(i)) this.#counts.unopened++;
    } else directory.expect(() => directoriesIn(entries, from, to));
    const parked = this.#levels.at(-HELD);
    if (parked !== undefined && parked.directory !== null) {
      parked.identity = parked.directory.identity;
      this.#close(parked.directory);
      parked.directory = null;
    }
    this.#levels.push({ directory, path, entries, scope, from, to, used, next: from, identity: null });
  }
}
