/** Reads one directory level. This is the only place where entries are read, judged by the rules and counted. */
import type { Bytes } from '../names/bytes.ts';
import { afterwards, hidesNothing, type InnerPlace, innerPlaceOf, type Scope } from '../rules/rule.ts';
import { type Budget, COST, retrying } from '../workspace/budget.ts';
import { fromSystem } from '../workspace/listing-error.ts';
import type { DirectoryReader } from '../workspace/reader.ts';
import { CutShort, DESCEND_ONLY, EntryBuffer, IGNORED, TypesUnknown } from '../workspace/reader.ts';
import type { HeldPlace } from '../workspace/source.ts';
import { loading, Unloaded } from '../workspace/steps.ts';
import type { Visit } from '../workspace/visit.ts';
import { addHidden, type Counts } from './entry.ts';
import type { FilesInDirectory, Select } from './select.ts';

interface LevelContext {
  /** Relative to the directory that paths are shown from. */
  readonly path: Bytes;
  /** True if its subdirectories will be read, too. */
  readonly descends: boolean;
  /** The directory itself, if there is a selection, which may need its entries' metadata. */
  readonly held?: FilesInDirectory;
}

export class LevelReader {
  /** The reason why the last directory was read only in part; null if it was read to its end. */
  cutShort: string | null = null;
  /** The number of entries that the rules hid in the directory that was sifted last. */
  hidden = 0;
  /** What the rules have to load before they can judge the next entry. */
  #unloaded: Unloaded | null = null;
  readonly #counts: Counts;
  readonly #select: Select | null;
  readonly #budget: Budget;

  constructor(select: Select | null, counts: Counts, budget: Budget) {
    this.#select = select;
    this.#counts = counts;
    this.#budget = budget;
  }

  /** Reads a directory of any size. `use` keeps what it needs of the entries. Ends early if the call has to. */
  async stream(
    directory: Visit,
    { judge }: Scope,
    withTypes: boolean,
    use: (entries: EntryBuffer) => Promise<void> | undefined,
  ): Promise<void> {
    const entries = new EntryBuffer();
    const context: LevelContext = { path: '' as Bytes, descends: false };
    const reader = await retrying(() => directory.open(withTypes, this.#budget.mayBlock), this.#budget);
    await this.#readOn(reader, entries, 0, undefined, async () => {
      const judging = this.#judge(entries, 0, context, judge);
      if (judging !== undefined) await judging;
      const using = use(entries);
      if (using !== undefined) await using;
      entries.truncate(0, 0);
    });
  }

  /** `before` entries were read before. `obstacle` is what the reader threw last; undefined if nothing. */
  async #readOn(
    reader: DirectoryReader,
    entries: EntryBuffer,
    before: number,
    obstacle: unknown,
    use?: () => Promise<void>,
  ): Promise<void> {
    const budget = this.#budget;
    try {
      if (obstacle !== undefined && !(await this.#mayGoOn(obstacle, budget.entriesRead > before))) return;
      for (let hasMore = true; hasMore; ) {
        try {
          hasMore = reader.read(entries, budget);
        } catch (error) {
          hasMore = await this.#mayGoOn(error, budget.entriesRead > before);
          if (!hasMore && entries.count === 0) return;
        }
        await use?.();
        if (budget.stopped !== null || (hasMore && budget.isDue && !(await budget.proceed()))) return;
      }
    } finally {
      reader.close();
    }
  }

  /** Waits for what a reader has to load. Returns false if reading ends here with what was read; throws if all failed. */
  async #mayGoOn(error: unknown, hasRead: boolean): Promise<boolean> {
    if (error instanceof CutShort) {
      this.cutShort = error.reason.message;
      return false;
    }
    const waiting = loading(error);
    try {
      await this.#budget.waitFor(waiting);
      return true;
    } catch (failure) {
      const { kind } = fromSystem(failure, null);
      if (!hasRead || (kind !== 'timeout' && kind !== 'aborted')) throw failure;
      this.#budget.stopped ??= kind;
      return false;
    }
  }

  /**
   * Keeps the entries from `from` on that pass. All must be there, because rules may be in files among them, and in
   * order, so that those judged before the deadline are the first.
   */
  applyRules(
    held: HeldPlace,
    context: LevelContext,
    scopeIn: (place: InnerPlace) => Scope | Promise<Scope>,
    entries: EntryBuffer,
    from: number,
  ): Scope | Promise<Scope> {
    this.hidden = 0;
    const place = innerPlaceOf(held, (name) => has(entries, from, name));
    const on: LevelContext = this.#select === null ? context : { ...context, held };
    return afterwards(
      retrying(() => scopeIn(place), this.#budget),
      (scope) => {
        if (!scope.isWorktree) return afterwards(this.#judge(entries, from, on, scope.judge), () => scope);
        entries.count = from;
        this.hidden = 1;
        addHidden(this.#counts, 'worktree', 1);
        return scope;
      },
    );
  }

  /** Reads all entries of a directory during a walk. Perf: does not wait for the event loop, unless it is large. */
  readAll(directory: Visit, entries: EntryBuffer): void | Promise<void> {
    const { count, used } = entries;
    this.cutShort = null;
    return withTypesOrWithout((withTypes) => {
      entries.truncate(count, used);
      const opening = retrying(() => directory.open(withTypes, this.#budget.mayBlock), this.#budget);
      return afterwards(opening, (reader) => this.#readFrom(reader, entries));
    });
  }

  #readFrom(reader: DirectoryReader, entries: EntryBuffer): void | Promise<void> {
    const { entriesRead } = this.#budget;
    let hasMore = true;
    try {
      while (hasMore && !this.#budget.isDue) hasMore = reader.read(entries, this.#budget);
    } catch (error) {
      if (error instanceof Unloaded || error instanceof CutShort)
        return this.#readOn(reader, entries, entriesRead, error);
      reader.close();
      throw error;
    }
    if (hasMore) return this.#readOn(reader, entries, entriesRead, undefined);
    reader.close();
  }

  #judge(entries: EntryBuffer, from: number, context: LevelContext, judge: Scope['judge']): Promise<void> | undefined {
    if (judge === hidesNothing && this.#select === null) return undefined;
    const work: Judging = { entries, context, judge, next: from, kept: from };
    this.#judgeSome(work);
    if (work.next < entries.count) return this.#judgeRest(work);
    entries.count = work.kept;
    return undefined;
  }

  async #judgeRest(work: Judging): Promise<void> {
    const { entries } = work;
    while (work.next < entries.count && (await this.#budget.proceed())) {
      const unloaded = this.#unloaded;
      this.#unloaded = null;
      if (unloaded !== null) await this.#budget.waitFor(unloaded.load());
      this.#judgeSome(work);
    }
    entries.count = work.kept;
  }

  /** Judges to the end, or until a yield is due. Perf: V8 does not optimise a loop while an async function runs it. */
  #judgeSome(work: Judging): void {
    const { entries, judge, context } = work;
    const { path, descends, held } = context;
    const [counts, select, budget] = [this.#counts, this.#select, this.#budget];
    try {
      while (work.next < entries.count) {
        const at = work.next++;
        const verdict = judge(entries, at);
        budget.steps += COST.piece;
        if (verdict?.hidden) {
          addHidden(counts, verdict.by, 1);
          this.hidden++;
        } else {
          const isSelected = select === null || select(entries, at, path, held);
          const isDirectory = entries.isDirectory(at);
          if (!isSelected) counts.unselected++;
          if (!isSelected && isDirectory && !descends) counts.unopened++;
          if (isSelected || (isDirectory && descends)) {
            const marks = (isSelected ? 0 : DESCEND_ONLY) | (verdict?.isTracked && isDirectory ? IGNORED : 0);
            if (at !== work.kept) entries.move(at, work.kept);
            if (marks !== 0) entries.types[work.kept] = (entries.types[work.kept] as number) | marks;
            work.kept++;
          }
        }
        if (budget.isDue) return;
      }
    } catch (error) {
      if (!(error instanceof Unloaded)) throw error;
      this.#unloaded = error;
      // It is judged again.
      work.next--;
    }
  }
}

interface Judging {
  readonly entries: EntryBuffer;
  readonly context: LevelContext;
  readonly judge: Scope['judge'];
  /** The position of the next entry to judge, and the position that the next kept entry moves to. */
  next: number;
  kept: number;
}

function has(entries: EntryBuffer, from: number, name: Bytes): boolean {
  const { bytes, starts, ends, count } = entries;
  const first = name.charCodeAt(0);
  for (let i = from; i < count; i++) {
    const start = starts[i] as number;
    if (bytes[start] !== first || (ends[i] as number) - start !== name.length) continue;
    if (entries.nameAt(i) === name) return true;
  }
  return false;
}

/** Reads a directory again without types, if the file system does not report them. */
export function withTypesOrWithout<T>(read: (withTypes: boolean) => T | Promise<T>): T | Promise<T> {
  const without = (error: unknown) => {
    if (!(error instanceof TypesUnknown)) throw error;
    return read(false);
  };
  try {
    const result = read(true);
    return result instanceof Promise ? result.catch(without) : result;
  } catch (error) {
    return without(error);
  }
}

/** Returns the links that lead to a directory inside the workspace. Those that there is no time for are left out. */
export async function linksToDirectories(
  names: readonly Bytes[],
  directory: Visit,
  budget: Budget,
): Promise<ReadonlySet<Bytes>> {
  const found = new Set<Bytes>();
  for (const name of names) {
    if (await budget.finish(directory.leadsToDirectory(name))) found.add(name);
    // Following one link may have taken many slices.
    if (!(await budget.proceed())) break;
  }
  return found;
}
