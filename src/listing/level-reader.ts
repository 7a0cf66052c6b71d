/** One directory of a walk: read, judged and put in order. */
import { hidesNothing, type InnerPlace, innerPlaceOf, type Origin, type Scope } from '../rules/rule.ts';
import type { Budget } from '../workspace/budget.ts';
import { type Bytes, below } from '../workspace/bytes.ts';
import { type Batch, type EntryType, TypesUnknown } from '../workspace/reader.ts';
import type { Visit } from '../workspace/visit.ts';
import { NameCollector } from './name-collector.ts';
import { isAscending, sortSiblings } from './sibling-order.ts';
import type { WalkPlan } from './walk.ts';

/** Entries between two looks at the clock. */
const HANDFUL = 1024;

/** What a directory's entries are judged on. */
interface Ground {
  readonly scope: Scope;
  readonly directory: Visit;
  /** Relative to the directory that paths are told from. */
  readonly path: Bytes;
  /** Whether the walk goes on below its directories. */
  readonly descends: boolean;
}

/** What the walk lends to those who read its directories. */
export interface WalkState {
  /** How many entries each kind of rule hid so far. */
  readonly hidden: Map<Origin, number>;
  readonly budget: Budget;
  /** Lets everybody else have a turn; false when the walk has to end here. */
  pause(): Promise<boolean>;
}

export class LevelReader {
  readonly #plan: WalkPlan;
  readonly #hidden: Map<Origin, number>;
  readonly #budget: Budget;
  readonly #pause: () => Promise<boolean>;

  constructor(plan: WalkPlan, { hidden, budget, pause }: WalkState) {
    this.#plan = plan;
    this.#hidden = hidden;
    this.#budget = budget;
    this.#pause = pause;
  }

  async read(
    directory: Visit,
    path: Bytes,
    scopeFor: (place: InnerPlace) => Scope | Promise<Scope>,
    descends: boolean,
  ): Promise<Passed & { readonly scope: Scope }> {
    const found = await this.#read(directory);
    const entered = scopeFor(innerPlace(directory, found.names));
    const scope = entered instanceof Promise ? await entered : entered;
    const passed = await this.#judge(found, { scope, directory, path, descends });
    // A walk that has to end tells no more than this, so no more has to be put in order.
    if (this.#budget.isDue && !(await this.#pause())) passed.names = passed.names.slice(0, HANDFUL);
    await this.#order(passed);
    return { scope, ...passed };
  }

  /** What the rules let pass. */
  async #judge(found: Found, ground: Ground): Promise<Passed> {
    // Perf: where nothing can be hidden, and no link has to be followed, there is nothing to ask.
    if (ground.scope.judge === hidesNothing && this.#plan.select === null && !hasLinks(found)) {
      const areSimple = !NOT_SIMPLE.test(found.names.join(''));
      return { names: found.names, areSimple, types: found.types, leading: NONE, untold: NONE };
    }
    const passed: Passed = { names: [], areSimple: true, types: NO_TYPES, leading: NONE, untold: NONE };
    for (let next = 0; ; ) {
      next = this.#judgeFrom(next, found, passed, ground);
      if (next === found.names.length) return passed;
      if (!(await this.#pause())) return passed;
    }
  }

  /** Up to the end, or until it took too much effort. Perf: V8 does not optimise a loop while an async function runs it. */
  #judgeFrom(from: number, found: Found, passed: Passed, { scope, directory, path, descends }: Ground): number {
    const { names, types } = found;
    const { select, siblings } = this.#plan;
    const { judge } = scope;
    for (let i = from; i < names.length; i++) {
      const name = names[i] as Bytes;
      const type = types.size === 0 ? 'file' : (types.get(name) ?? 'file');
      if (i > from && this.#budget.isDue) return i;
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
      if (type === 'link' && siblings === 'directories-first' && this.#linksToDirectory(directory, name)) {
        if (passed.leading === NONE) passed.leading = new Set();
        passed.leading.add(name);
      }
    }
    return names.length;
  }

  #linksToDirectory(directory: Visit, name: Bytes): boolean {
    return directory.linksToDirectory(name);
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
    if (sortSiblings(names)) return names;
    const collector = new NameCollector();
    for (let from = 0; from < names.length; from += HANDFUL) {
      for (const name of names.slice(from, from + HANDFUL)) collector.add(name, 'file', false);
      if (!(await this.#pause())) break;
    }
    const page = await collector.page({ offset: 0, limit: names.length }, this.#budget);
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
    const batch: Batch = { names: [], types: [] };
    const reader = directory.open(withTypes, this.#plan.isAlone);
    try {
      while (reader.read(batch, this.#budget)) {
        if (!(await this.#pause())) break;
      }
    } finally {
      reader.close();
    }
    const types = new Map<Bytes, EntryType>();
    for (const [i, type] of batch.types.entries()) if (type !== 'file') types.set(batch.names[i] as Bytes, type);
    return { names: batch.names, types };
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
  return innerPlaceOf(directory, (name) => names.includes(name));
}
