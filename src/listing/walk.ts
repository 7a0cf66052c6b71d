/**
 * Walks several levels of directories, from one pinned directory to the next. The rules prune a directory before it is
 * entered. Links are never entered, so there are no loops. What cannot be read is noted and skipped.
 */

import { type Bytes, below } from '../names/bytes.ts';
import { afterwards, type InnerPlace, innerPlaceOf, type Scope } from '../rules/rule.ts';
import { splitPath } from '../workspace/argument.ts';
import { type Budget, COST } from '../workspace/budget.ts';
import { fromSystem, ListingError } from '../workspace/listing-error.ts';
import type { HeldPlace } from '../workspace/place.ts';
import { DESCEND_ONLY, EntryBuffer, IGNORED } from '../workspace/reader.ts';
import { retrying } from '../workspace/retrying.ts';
import { HANDFUL } from '../workspace/steps.ts';
import type { Visit } from '../workspace/visit.ts';
import { addHidden, noCounts } from './counts.ts';
import { countTypes, totalOf } from './entry.ts';
import { appendKnown, type KnownLevel, KnownLevels, type Passed } from './known-levels.ts';
import { type LevelContext, LevelReader } from './level.ts';
import { type Entrance, type Opened, type OpenLevel, reopenFromStart } from './open-level.ts';
import type { Unreadable } from './query.ts';
import type { Reading } from './reading.ts';
import { directoriesIn, followsLinks, hasLinks, markLinks, putInOrder } from './siblings.ts';
import { Subtrees } from './subtrees.ts';
import { isSkippable, orNull } from './walk-failures.ts';
import type { WalkPlan, WalkResult, WalkSink } from './walk-plan.ts';
import { WalkRecord } from './walk-record.ts';

/**
 * The number of directories on the current path that are held open. Those above are reopened when the walk returns to
 * them. So a walk needs no more than the 64 descriptors that a strict system allows.
 */
const HELD = 32;

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
  readonly #unreadable: Unreadable[] = [];
  readonly #hiddenOnly: Bytes[] = [];
  /** Null if everything has to be read. */
  readonly #known: KnownLevels | null;
  readonly #record: WalkRecord | null;
  readonly #subtrees: Subtrees | null;

  constructor(reading: Reading, plan: WalkPlan, sink: WalkSink) {
    this.#reading = reading;
    this.#start = reading.directory;
    this.#plan = plan;
    this.#sink = sink;
    this.#budget = reading.budget;
    // Metadata can be read only through an open directory.
    const cache = plan.start === '' && !sink.describes && reading.directory.canProve ? plan.cache : null;
    this.#known = cache === null ? null : new KnownLevels(cache, reading.directory);
    this.#record = WalkRecord.of(plan, sink, this.#counts);
    this.#subtrees = Subtrees.of(plan, sink, this.#counts, reading.budget);
    this.#reader = new LevelReader(plan.select, plan.mayBlock, this.#counts, reading.budget);
  }

  async run(): Promise<WalkResult> {
    try {
      this.#record?.begin('' as Bytes, '');
      const known = this.#known?.at('' as Bytes) ?? null;
      if (known === null) {
        this.#start.beginWalk(this.#plan.depth);
        await this.#open(this.#start, this.#plan.start, null);
      } else await this.#openKnown(known, '' as Bytes, null);
      await this.#walk();
      const { stopped } = this.#budget;
      const { totals, hidden, unselected } = this.#counts;
      const read = totalOf(totals) + hidden.size + unselected;
      if (stopped !== null && read === 0) throw new ListingError(stopped, 'nothing was read', this.#start.path);
      return {
        ...this.#counts,
        unreadable: this.#unreadable,
        hiddenOnly: this.#hiddenOnly,
        stopped,
        isFromCache: this.#known !== null && this.#known.read === 0,
      };
    } finally {
      this.#subtrees?.close();
      for (const { directory } of this.#levels) this.#close(directory);
    }
  }

  async #walk(): Promise<void> {
    for (let level = this.#levels.at(-1); level !== undefined; level = this.#levels.at(-1)) {
      if (this.#subtrees?.isUnderWay) {
        if (this.#budget.stopped !== null) return;
        this.#writeOn(level, this.#subtrees);
      } else {
        const loading = this.#loadMetadata(level);
        if (loading !== undefined) await loading;
        const inner = this.#emitUpToDirectory(level);
        // A directory that was not read to its end emits some entries, and then the walk ends.
        if (this.#budget.stopped !== null) return;
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
    if (emittedTo > from) this.#emit(level, from, emittedTo);
    this.#budget.steps += COST.piece * (to - from);
    return inner;
  }

  /** Lets the source continue to write what is below a level. What it cannot write is walked. */
  #writeOn({ rules }: OpenLevel, subtrees: Subtrees): void {
    const entries = this.#entries;
    subtrees.proceed((path, { directory, appendTo }, scope) => {
      const { count: from, used } = entries;
      appendTo(entries);
      this.#push({ directory, path, from, used, identity: null, isKnown: false }, () => scope, rules);
    });
  }

  #emit(level: OpenLevel, from: number, to: number): void {
    countTypes(this.#counts.totals, this.#entries, from, to);
    this.#sink.take(level, from, to);
  }

  #enter(level: OpenLevel, at: number): Promise<void> | undefined {
    const name = this.#entries.nameAt(at);
    const path = below(level.path, name);
    const [record, depth] = [this.#record, this.#levels.length];
    const isIgnored = ((this.#entries.types[at] as number) & IGNORED) !== 0;
    if (!isIgnored && this.#subtrees?.begin(level, name, path, this.#plan.depth - depth)) return undefined;
    if (record?.reuse(level, name, path, level.rules)) return undefined;
    record?.begin(path, level.rules);
    // If it could not be entered, there is no level to leave later.
    const ended = () => (this.#levels.length === depth ? record?.end() : undefined) as undefined;
    const entering = this.#enterAnew({ above: level, name, isIgnored }, path);
    return entering === undefined ? ended() : entering.then(ended);
  }

  #enterAnew(entrance: NonNullable<Entrance>, pathOfInner: Bytes): Promise<void> | undefined {
    const { above: level, name } = entrance;
    const known = this.#known?.at(pathOfInner) ?? null;
    if (known !== null) return this.#openKnown(known, pathOfInner, entrance);
    const { count, used } = this.#entries;
    let inner: Visit | null = null;
    const skip = (error: unknown): void => {
      this.#close(inner);
      this.#entries.truncate(count, used);
      this.#noteFailure(error, pathOfInner);
    };
    try {
      const entering = afterwards(this.#held(level), (directory) => {
        if (directory === null)
          return void this.#unreadable.push({ path: pathOfInner, reason: 'the directory above it was moved away' });
        return afterwards(
          retrying(() => directory.descend(name), this.#budget),
          (found) => {
            inner = found;
            // Otherwise it has vanished, or was replaced by something else.
            if (found !== null) return this.#open(found, pathOfInner, entrance);
          },
        );
      });
      return entering instanceof Promise ? entering.catch(skip) : undefined;
    } catch (error) {
      skip(error);
      return undefined;
    }
  }

  /** Returns the directory of a level, and opens it if necessary. */
  #held(level: OpenLevel): Visit | null | Promise<Visit | null> {
    if (level.directory !== null || !level.isKnown) return level.directory;
    return afterwards(this.#reopened(level), (directory) => {
      level.directory = directory;
      return directory;
    });
  }

  #reopened(level: Pick<OpenLevel, 'path' | 'identity'>): Visit | null | Promise<Visit | null> {
    return retrying(() => orNull(() => this.#fromStart(level)), this.#budget);
  }

  /** Makes a cached directory the deepest level. Its entries are known, but maybe not which of them pass the rules. */
  #openKnown(known: KnownLevel, path: Bytes, entrance: Entrance): Promise<void> | undefined {
    const entries = this.#entries;
    const { count: from, used } = entries;
    const { passed } = known;
    const isPassed = passed !== null && passed.rules === entrance?.above.rules && this.#plan.select === null;
    appendKnown(isPassed ? passed : known, entries);
    this.#record?.evidence.prove(known.stamp, known.stamp);
    const opened: Opened = { directory: null, path, from, used, identity: known.stamp, isKnown: true };
    const fail = (error: unknown): void => {
      this.#close(opened.directory);
      entries.truncate(from, used);
      this.#noteFailure(error, path);
    };
    try {
      const opening = isPassed
        ? this.#openPassed(opened, passed, entrance as NonNullable<Entrance>)
        : this.#applyRules(opened, this.#placeOf(path), entrance, known);
      return opening instanceof Promise ? opening.catch(fail) : undefined;
    } catch (error) {
      fail(error);
      return undefined;
    }
  }

  /** Opens a level whose passing entries are known, too. The rules are bound only if a directory below needs them. */
  #openPassed(opened: Opened, { hidden }: Passed, entrance: NonNullable<Entrance>): void | Promise<void> {
    for (const [origin, count] of hidden) addHidden(this.#counts, origin, count);
    this.#noteHidden(opened, hidden.length);
    const place = () => innerPlaceOf(this.#placeOf(opened.path), () => false);
    let bound: Scope | Promise<Scope> | null = null;
    const scope = () => {
      bound ??= this.#scopeIn(entrance, place());
      return bound;
    };
    return this.#complete(opened, scope, entrance.above.rules);
  }

  #scopeIn(entrance: Entrance, place: InnerPlace): Scope | Promise<Scope> {
    if (entrance === null) return this.#reading.scope;
    const { above, name, isIgnored } = entrance;
    return afterwards(above.scope(), (scope) => scope.enter(name, place, !isIgnored));
  }

  /** Keeps the entries of a directory that pass the rules. Caches the result in `level`, if there is one. */
  #applyRules(opened: Opened, held: HeldPlace, entrance: Entrance, level: KnownLevel | null): void | Promise<void> {
    const [known, reader, entries] = [this.#known, this.#reader, this.#entries];
    const { path, from } = opened;
    const before = level === null ? null : new Map(this.#counts.hidden);
    const scopeIn = (place: InnerPlace) => this.#scopeIn(entrance, place);
    const applied = reader.applyRules(held, this.#contextOf(path), scopeIn, entries, from);
    return afterwards(applied, (scope) => {
      this.#noteHidden(opened, reader.hidden);
      const isInherited = entrance !== null && !reader.hasRuleFiles;
      const rules = known === null ? '' : isInherited ? entrance.above.rules : known.rulesOf(scope);
      const isWhole = isInherited && this.#plan.select === null && this.#budget.stopped === null;
      if (level !== null && before !== null && isWhole) {
        const more = [...this.#counts.hidden].map(([by, count]) => [by, count - (before.get(by) ?? 0)] as const);
        const hidden = more.filter(([, count]) => count > 0);
        known?.keepPassed(path, level, rules, entries, from, hidden);
      }
      return this.#complete(opened, () => scope, rules);
    });
  }

  /** Notes a directory of which nothing is left. Where there is a selection, more than rules may have left it out. */
  #noteHidden({ path, from }: Opened, hidden: number): void {
    if (hidden > 0 && this.#entries.count === from && this.#plan.select === null) this.#hiddenOnly.push(path);
  }

  /** Returns a directory as rules see it. A cached directory need not be open. */
  #placeOf(path: Bytes, held: HeldPlace = (this.#known as KnownLevels).placeOf(path)): HeldPlace {
    return this.#record?.evidence.watched(held) ?? held;
  }

  /** Notes a directory that cannot be read. Throws if the whole walk failed. */
  #noteFailure(error: unknown, path: Bytes): void {
    const { kind, message } = fromSystem(error, null);
    // It has vanished since it was opened.
    if (kind === 'missing') return;
    if (kind === 'timeout') this.#unreadable.push({ path, reason: 'it could not be opened within the time limit' });
    if (kind === 'timeout' || kind === 'aborted') this.#budget.stop(kind);
    else if (isSkippable(error)) this.#unreadable.push({ path, reason: message });
    else throw error;
  }

  #leave(): void {
    const { directory, from, used } = this.#levels.pop() as OpenLevel;
    this.#record?.end();
    this.#entries.truncate(from, used);
    const above = this.#levels.at(-1);
    try {
      if (above !== undefined && !above.isKnown)
        above.directory ??= orNull(() => directory?.ascend()) ?? orNull(() => this.#fromStart(above));
    } finally {
      this.#close(directory);
    }
  }

  #fromStart({ path, identity }: Pick<OpenLevel, 'path' | 'identity'>): Visit | null {
    const names = splitPath(path).names.slice(splitPath(this.#plan.start).names.length);
    return reopenFromStart(this.#start, names, identity);
  }

  #close(directory: Visit | null): void {
    if (directory !== this.#start) directory?.leave();
  }

  #contextOf(path: Bytes): LevelContext {
    return { path, descends: this.#levels.length + 1 < this.#plan.depth };
  }

  /** Reads a directory and makes it the deepest level. */
  #open(directory: Visit, path: Bytes, entrance: Entrance): void | Promise<void> {
    const entries = this.#entries;
    const { count: from, used } = entries;
    const before = this.#known?.before(directory) ?? null;
    const opened: Opened = { directory, path, from, used, identity: null, isKnown: false };
    return afterwards(this.#reader.readAll(directory, entries), () =>
      afterwards(this.#arrange(from), () => {
        const { cutShort } = this.#reader;
        if (cutShort !== null) this.#unreadable.push({ path, reason: `not read to its end: ${cutShort}` });
        const isWhole = cutShort === null && this.#budget.stopped === null;
        const kept = isWhole ? (this.#known?.keep(path, entries, from, before, directory) ?? null) : null;
        this.#record?.evidence.prove(kept?.stamp ?? null, directory.identity);
        return this.#applyRules(opened, this.#placeOf(path, directory), entrance, kept);
      }),
    );
  }

  /** Sorts the entries of a directory. Cached ones are mostly in order already, as they were when they were kept. */
  #arrange(from: number): void | Promise<void> {
    const { siblings, reverse } = this.#plan;
    if (!this.#sink.isPastPage) return putInOrder(this.#entries, from, siblings, reverse, this.#budget);
  }

  #complete(opened: Opened, scope: OpenLevel['scope'], rules: string): void | Promise<void> {
    const budget = this.#budget;
    return afterwards(budget.isDue ? budget.proceed() : true, () =>
      afterwards(this.#followLinks(opened), () => this.#push(opened, scope, rules)),
    );
  }

  /** Sorts links to directories among the directories, if the order requires it. */
  #followLinks(opened: Opened): void | Promise<void> {
    const [entries, from] = [this.#entries, opened.from];
    if (this.#sink.isPastPage || !followsLinks(this.#plan.siblings) || !hasLinks(entries, from)) {
      return opened.isKnown ? this.#arrange(from) : undefined;
    }
    // The stamp of a directory does not tell where its links lead.
    this.#record?.evidence.unprove();
    return afterwards(opened.directory ?? this.#reopened(opened), (directory) => {
      opened.directory = directory;
      if (directory === null) return this.#arrange(from);
      return afterwards(markLinks(entries, from, directory, this.#budget), () => this.#arrange(from));
    });
  }

  #push(opened: Opened, scope: OpenLevel['scope'], rules: string): void {
    const entries = this.#entries;
    const { directory, from } = opened;
    const { count: to } = entries;
    if (this.#levels.length + 1 >= this.#plan.depth) {
      for (let i = from; i < to; i++) if (entries.isDirectory(i)) this.#counts.unopened++;
    } else if (this.#known === null || this.#known.used === 0) {
      directory?.expect(() => directoriesIn(entries, from, to));
    }
    const parked = this.#levels.at(-HELD);
    if (parked !== undefined && parked.directory !== null) {
      parked.identity = parked.directory.identity;
      this.#close(parked.directory);
      parked.directory = null;
    }
    // Perf: each field is written out, because spreading another object takes ten times as long.
    this.#levels.push({
      directory,
      path: opened.path,
      entries,
      scope,
      rules,
      from,
      to,
      used: opened.used,
      next: from,
      identity: opened.identity,
      isKnown: opened.isKnown,
    });
  }
}
