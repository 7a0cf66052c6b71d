/** One directory level: the only place where entries are read, judged by the rules and counted. */
import { hidesNothing, type InnerPlace, innerPlaceOf, type Origin, type Scope } from '../rules/rule.ts';
import type { Budget } from '../workspace/budget.ts';
import { type Bytes, below } from '../workspace/bytes.ts';
import { type Batch, type EntryType, TypesUnknown } from '../workspace/reader.ts';
import { retrying } from '../workspace/retrying.ts';
import type { Visit } from '../workspace/visit.ts';
import { noTotals, type Totals } from './entry.ts';
import type { Select } from './query.ts';

/** How many entries the rules let pass, and how many each kind of rule hid. */
export interface Counts {
  readonly totals: Totals;
  readonly hidden: Map<Origin, number>;
}

export function noCounts(): Counts {
  return { totals: noTotals(), hidden: new Map() };
}

/** A directory that is to be read. */
interface Ground {
  readonly directory: Visit;
  /** Relative to the directory that paths are shown from. */
  readonly path: Bytes;
  /** Whether its directories will be read, too. */
  readonly descends: boolean;
}

/** Consumes what is let pass. */
export interface LevelSink {
  add(name: Bytes, type: EntryType): void;
  /** A directory that is not selected, but what it contains may be. */
  addDescendOnly(name: Bytes): void;
  /** Perf: everything that was read, where no rule can hide any of it. */
  addAll(batch: Batch): void;
}

export class LevelReader {
  /** How many entries each kind of rule hid. */
  readonly #hidden: Map<Origin, number>;
  readonly #select: Select | null;
  readonly #mayBlock: boolean;
  readonly #budget: Budget;

  constructor(select: Select | null, mayBlock: boolean, hidden: Map<Origin, number>, budget: Budget) {
    this.#select = select;
    this.#mayBlock = mayBlock;
    this.#hidden = hidden;
    this.#budget = budget;
  }

  /**
   * Reads a directory whose rules are known, however large: entries are judged as they are read. `settle` is called in
   * between. Ends early when the call has to.
   */
  async stream(ground: Ground, scope: Scope, withTypes: boolean, sink: LevelSink, settle: () => Promise<void>) {
    await this.#readBatches(ground.directory, withTypes, async (batch) => {
      await this.#judge(batch, ground, scope, sink);
      batch.names.length = 0;
      batch.types.length = 0;
      await settle();
    });
  }

  /** Reads a directory of a walk. Its rules may stand in files among its entries, so these are read first. */
  async read(ground: Ground, scopeIn: (place: InnerPlace) => Scope | Promise<Scope>, sink: LevelSink): Promise<Scope> {
    const batch = await withTypesOrWithout((withTypes) => this.#readBatches(ground.directory, withTypes, null));
    const place = innerPlaceOf(ground.directory, (name) => batch.names.includes(name));
    const entered = retrying(() => scopeIn(place), this.#budget);
    const scope = entered instanceof Promise ? await entered : entered;
    await this.#judge(batch, ground, scope, sink);
    return scope;
  }

  async #readBatches(
    directory: Visit,
    withTypes: boolean,
    use: ((batch: Batch) => Promise<void>) | null,
  ): Promise<Batch> {
    const batch: Batch = { names: [], types: [] };
    const opened = retrying(() => directory.open(withTypes, this.#mayBlock), this.#budget);
    const reader = opened instanceof Promise ? await opened : opened;
    try {
      for (let hasMore = true; hasMore; ) {
        hasMore = reader.read(batch, this.#budget);
        if (use !== null) await use(batch);
        if (this.#budget.stopped !== null) break;
        if (hasMore && this.#budget.isDue && !(await this.#budget.proceed())) break;
      }
    } finally {
      reader.close();
    }
    return batch;
  }

  async #judge(batch: Batch, ground: Ground, scope: Scope, sink: LevelSink): Promise<void> {
    if (scope.judge === hidesNothing && this.#select === null) {
      sink.addAll(batch);
      return;
    }
    for (let next = 0; next < batch.names.length; ) {
      next = this.#judgeSome(next, batch, ground, scope, sink);
      if (next < batch.names.length && !(await this.#budget.proceed())) return;
    }
  }

  /** Up to the end, or until others should have a turn. Perf: V8 does not optimise a loop while an async function runs it. */
  #judgeSome(from: number, batch: Batch, { path, descends }: Ground, { judge }: Scope, sink: LevelSink): number {
    const { names, types } = batch;
    const hidden = this.#hidden;
    const select = this.#select;
    const budget = this.#budget;
    for (let i = from; i < names.length; i++) {
      if (i > from && budget.isDue) return i;
      const name = names[i] as Bytes;
      const type = types[i] as EntryType;
      const verdict = judge(name, type);
      if (verdict?.hidden) {
        hidden.set(verdict.by, (hidden.get(verdict.by) ?? 0) + 1);
      } else if (select === null || select(name, below(path, name), type)) {
        sink.add(name, type);
      } else if (type === 'dir' && descends) {
        sink.addDescendOnly(name);
      }
    }
    return names.length;
  }
}

/** Reads once more, where the file system does not tell types while it is read. */
export function withTypesOrWithout<T>(read: (withTypes: boolean) => Promise<T>): Promise<T> {
  return read(true).catch((error) => {
    if (!(error instanceof TypesUnknown)) throw error;
    return read(false);
  });
}

/** Which of these links lead to a directory inside the workspace. Of those that there is no time for, none does. */
export async function linksToDirectories(
  names: readonly Bytes[],
  directory: Visit,
  budget: Budget,
): Promise<ReadonlySet<Bytes>> {
  const found = new Set<Bytes>();
  for (const name of names) {
    if (await budget.finish(directory.leadsToDirectory(name))) found.add(name);
    // To follow one of them may have taken many slices.
    if (!(await budget.proceed())) break;
  }
  return found;
}
