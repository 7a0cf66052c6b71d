/**
 * Several levels of directories: from pinned directory to pinned directory, pruned by the rules before it descends.
 * Links are never descended, so there are no loops. What cannot be read is noted and passed over.
 */
import { type Effort, hidesNothing, type InnerPlace, type Origin, type Scope } from '../rules/rule.ts';
import { type Bytes, below } from '../workspace/bytes.ts';
import { concernsOneEntry, fromSystem, ListingError } from '../workspace/listing-error.ts';
import { type EntryType, TypesUnknown } from '../workspace/reader.ts';
import type { Visit } from '../workspace/workspace.ts';
import { NameCollector } from './name-collector.ts';
import type { Patience } from './patience.ts';
import type { Stop } from './query.ts';
import { isAscending, MOST_SIBLINGS, sortSiblings } from './sibling-order.ts';

/** Entries between two looks at the clock. */
const HANDFUL = 1024;

/** Steps of pattern matching after which the clock is worth a look. */
const EFFORT = 100_000;

/** Directories on the way down that are held open; those above are opened again when the walk comes back to them. */
const HELD = 64;

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
  /** Null while it is not held, which it is whenever its entries are told. */
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
  settle?(patience: Patience): Promise<void>;
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
}

export async function walk(
  start: Visit,
  scope: Scope,
  plan: WalkPlan,
  sink: WalkSink,
  effort: Effort,
  patience: Patience,
  helper: WalkHelper | null = null,
): Promise<WalkResult> {
  return new Walk(start, plan, sink, effort, patience, helper).run(scope);
}

class Walk {
  readonly #start: Visit;
  readonly #plan: WalkPlan;
  readonly #sink: WalkSink;
  readonly #effort: Effort;
  readonly #patience: Patience;
  readonly #helper: WalkHelper | null;
  readonly #levels: OpenLevel[] = [];
  readonly #totals: Record<EntryType, number> = { file: 0, dir: 0, link: 0, other: 0 };
  readonly #hidden = new Map<Origin, number>();
  readonly #unreadable: Bytes[] = [];
  /** Why it ends early; null as long as it does not. */
  #stopped: Stop | null = null;

  constructor(
    start: Visit,
    plan: WalkPlan,
    sink: WalkSink,
    effort: Effort,
    patience: Patience,
    helper: WalkHelper | null,
  ) {
    this.#start = start;
    this.#plan = plan;
    this.#sink = sink;
    this.#effort = effort;
    this.#patience = patience;
    this.#helper = helper;
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
      if (this.#sink.isFull) await this.#sink.settle?.(this.#patience);
      if (!this.#patience.sliceIsOver) continue;
      // What is at its end is not stopped before it.
      if (this.#levels.length > 0) await this.#pause();
      while (this.#helper?.wantsWork && this.#giveAway(this.#helper));
    }
  }

  /** Lets everybody else have a turn, if it is their turn; false when the walk has to end here. */
  async #pause(): Promise<boolean> {
    await this.#patience.giveWay();
    this.#stopped ??= this.#patience.ended();
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
    let inner: Visit | null = null;
    try {
      inner = directory?.descend(name) ?? null;
      // It has vanished, or was swapped for something else.
      if (inner === null) return;
      await this.#open(inner, below(path, name), (place) => scope.enter(name, place));
    } catch (error) {
      this.#close(inner);
      const { kind, code } = fromSystem(error, null);
      // It has vanished since it was held.
      if (kind === 'missing') return;
      if (kind !== 'denied' && !concernsOneEntry(code)) throw error;
      this.#unreadable.push(below(path, name));
    }
  }

  #leave(): void {
    const { directory } = this.#levels.pop() as OpenLevel;
    const above = this.#levels.at(-1);
    if (above !== undefined && directory !== null) above.directory ??= directory.ascend();
    this.#close(directory);
  }

  #close(directory: Visit | null): void {
    if (directory !== this.#start) directory?.leave();
  }

  /** Reads a directory and makes it the deepest level. */
  async #open(directory: Visit, path: Bytes, scopeFor: (place: InnerPlace) => Scope): Promise<void> {
    const found = await this.#read(directory);
    const scope = scopeFor(innerPlace(directory, found.names));
    const passed = await this.#judge(found, scope, directory, path);
    await this.#order(passed);
    this.#levels.push({ directory, path, scope, next: 0, given: null, unshared: passed.names.length, ...passed });
    const parked = this.#levels.at(-HELD - 1);
    if (parked === undefined) return;
    this.#close(parked.directory);
    parked.directory = null;
  }

  /** What the rules let pass. */
  async #judge(found: Found, scope: Scope, directory: Visit, path: Bytes): Promise<Passed> {
    // Perf: where nothing can be hidden, and no link has to be followed, there is nothing to ask.
    if (scope.judge === hidesNothing && this.#plan.select === null && !hasLinks(found)) {
      const areSimple = !NOT_SIMPLE.test(found.names.join(''));
      return { names: found.names, areSimple, types: found.types, leading: NONE, untold: NONE };
    }
    const passed: Passed = { names: [], areSimple: true, types: NO_TYPES, leading: NONE, untold: NONE };
    for (let next = 0; ; ) {
      next = this.#judgeFrom(next, found, passed, scope, directory, path);
      if (next === found.names.length) return passed;
      this.#effort.steps = 0;
      if (!(await this.#pause())) return passed;
    }
  }

  /** Up to the end, or until it took too much effort. Perf: V8 does not optimise a loop while an async function runs it. */
  #judgeFrom(from: number, found: Found, passed: Passed, scope: Scope, directory: Visit, path: Bytes): number {
    const { names, types } = found;
    const { select, siblings } = this.#plan;
    const { judge } = scope;
    const descends = this.#levels.length + 1 < this.#plan.depth;
    for (let i = from; i < names.length; i++) {
      const name = names[i] as Bytes;
      const type = types.size === 0 ? 'file' : (types.get(name) ?? 'file');
      if (this.#effort.steps >= EFFORT) return i;
      const verdict = judge(name, type);
      if (verdict?.hidden) {
        this.#hidden.set(verdict.by, (this.#hidden.get(verdict.by) ?? 0) + 1);
        continue;
      }
      if (select !== null && !select(name, below(path, name), type)) {
        if (type !== 'dir' || !descends) continue;
        if (passed.untold === NONE) passed.untold = new Set();
        passed.untold.add(name);
      }
      passed.names.push(name);
      if (passed.areSimple && NOT_SIMPLE.test(name)) passed.areSimple = false;
      if (type === 'file') continue;
      if (passed.types === NO_TYPES) passed.types = new Map();
      passed.types.set(name, type);
      if (type === 'link' && siblings === 'directories-first' && directory.linksToDirectory(name)) {
        if (passed.leading === NONE) passed.leading = new Set();
        passed.leading.add(name);
      }
    }
    return names.length;
  }

  async #order(passed: Passed): Promise<void> {
    const { siblings, reverse } = this.#plan;
    if (siblings === 'any') return;
    const isFirst = (name: Bytes) => passed.types.get(name) === 'dir' || passed.leading.has(name);
    const first = siblings === 'by-name' || passed.types.size === 0 ? [] : passed.names.filter(isFirst);
    const rest = first.length === 0 ? passed.names : passed.names.filter((name) => !isFirst(name));
    const { areSimple } = passed;
    passed.names = (await this.#sorted(first, areSimple)).concat(await this.#sorted(rest, areSimple));
    if (reverse) passed.names.reverse();
  }

  async #sorted(names: Bytes[], areSimple: boolean): Promise<Bytes[]> {
    // Perf: Node gives the names of a small directory in order already.
    if (areSimple && isAscending(names)) return names;
    if (names.length <= MOST_SIBLINGS) {
      sortSiblings(names);
      return names;
    }
    const collector = new NameCollector();
    for (let from = 0; from < names.length; from += HANDFUL) {
      for (const name of names.slice(from, from + HANDFUL)) collector.add(name, 'file', false);
      await this.#patience.giveWay();
    }
    const page = await collector.page({ offset: 0, limit: names.length }, this.#patience);
    return page.map(({ name }) => name);
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
    const found: Found = { names: [], types: new Map() };
    const reader = directory.open(withTypes, this.#plan.isAlone);
    try {
      while (reader.take(HANDFUL, found.names, found.types)) {
        if (!(await this.#pause())) break;
      }
      this.#patience.entriesRead += found.names.length;
    } finally {
      reader.close();
    }
    return found;
  }
}

/** What reading a directory gave. */
interface Found {
  readonly names: Bytes[];
  /** Of those that are no files. */
  readonly types: Map<Bytes, EntryType>;
}

interface Passed {
  names: Bytes[];
  areSimple: boolean;
  types: Map<Bytes, EntryType>;
  leading: Set<Bytes>;
  untold: Set<Bytes>;
}

const NOT_SIMPLE = /[^ !#-@[-~]/;

/** Perf: what most directories have none of is shared by them, and never added to. */
const NO_TYPES = new Map<Bytes, EntryType>();
const NONE = new Set<Bytes>();

function hasLinks({ types }: Found): boolean {
  for (const type of types.values()) if (type === 'link') return true;
  return false;
}

/** Perf: what was just read tells which files need not be looked for. */
function innerPlace(directory: Visit, names: readonly Bytes[]): InnerPlace {
  return {
    path: directory.path,
    rootPath: directory.rootPath,
    readFile: (name) => directory.readFile(name),
    mayHave: (name) => names.includes(name),
  };
}
