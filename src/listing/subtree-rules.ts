/** Applies the rules in the directories of a subtree that the source writes. */
import { GITIGNORE } from '../git/files.ts';
import { type Bytes, below, isBelow } from '../names/bytes.ts';
import { COMPILED_AT_ONCE, type Filters, type InnerPlace, innerPlaceOf, ORIGINS, type Scope } from '../rules/rule.ts';
import { type RuleFilter, tableOf } from '../rules/rule-filter.ts';
import type { Budget } from '../workspace/budget.ts';
import type { EntryBuffer } from '../workspace/reader.ts';
import type { SourceDirectory } from '../workspace/source.ts';
import type { RuleTable, SubtreeRules } from '../workspace/subtree.ts';
import type { Visit } from '../workspace/visit.ts';

/** Steps that the rules of one directory may take before the walk, which can yield, takes it over. */
const MAX_STEPS = 200_000;

/** Steps to add a filter to a table, and the number of filters above which a walk is faster. */
const STEPS_OF_FILTER = 500;
const MAX_FILTERS = 100;

/** The scope of a directory, with its path relative to the parent of the subtree. */
interface Step {
  readonly path: Bytes;
  readonly scope: Scope;
}

/** The last filters and their table. Perf: consecutive directories mostly have the same filters. */
let lastFilters: readonly RuleFilter[] = [];
let lastTable = tableOf([]);

export class RulesBelow implements SubtreeRules<SourceDirectory> {
  readonly #held: Visit;
  readonly #budget: Budget;
  readonly #name: Bytes;
  /** From the parent of the subtree down to the directory that was requested last. */
  readonly #steps: Step[];
  #judge: Scope['judge'];
  #workEnds = 0;

  /** For the directory `name` in `held`, and everything below it. */
  constructor(above: Scope, held: Visit, name: Bytes, budget: Budget) {
    this.#held = held;
    this.#budget = budget;
    this.#name = name;
    this.#steps = [{ path: '' as Bytes, scope: above }];
    this.#judge = above.judge;
  }

  enter(path: Bytes, lent: SourceDirectory | null): RuleTable | null {
    const filters = usableFilters(this.scopeAt(path, lent));
    if (filters === null) return null;
    this.#budget.steps += STEPS_OF_FILTER * filters.all.length;
    return { table: tableFor(filters.all), holdsBelow: filters.holdsBelow };
  }

  setDirectory(path: Bytes): void {
    this.scopeAt(path);
  }

  judge(entry: EntryBuffer): number {
    if (this.#budget.work > this.#workEnds) return -1;
    const verdict = this.#judge(entry, 0);
    // What is in it is ignored, except what git tracks: the walk knows.
    if (verdict?.isTracked && entry.isDirectory(0)) return -1;
    return verdict?.hidden ? 1 + ORIGINS.indexOf(verdict.by) : 0;
  }

  /** The rules in a directory, which has no rule files unless it is lent. Drops the scopes beside the way to it. */
  scopeAt(path: Bytes, lent: SourceDirectory | null = null): Scope {
    const steps = this.#steps;
    const whole = path === '' ? this.#name : below(this.#name, path);
    let above = steps.at(-1) as Step;
    while (above.path !== whole && !isBelow(above.path, whole)) {
      steps.pop();
      above = steps.at(-1) as Step;
    }
    while (above.path !== whole) {
      const start = above.path === '' ? 0 : above.path.length + 1;
      const slash = whole.indexOf('/', start);
      const end = slash < 0 ? whole.length : slash;
      const inner = whole.slice(0, end) as Bytes;
      const place = lent !== null && inner === whole ? this.#lent(lent) : null;
      const scope = above.scope.enter(whole.slice(start, end) as Bytes, place, true);
      // The walk will bind these rules, and can yield.
      if (scope instanceof Promise) throw new Error('rules took time');
      above = { path: inner, scope };
      steps.push(above);
    }
    this.#judge = above.scope.judge;
    this.#workEnds = this.#budget.work + MAX_STEPS;
    return above.scope;
  }

  #lent(directory: SourceDirectory): InnerPlace {
    const held = this.#held.lent(directory);
    const readFile = (name: Bytes) => {
      const content = held.readFile(name);
      if (typeof content === 'string' && content.length > COMPILED_AT_ONCE) throw new Error('that takes time');
      return content;
    };
    return { ...innerPlaceOf(held, (name) => name === GITIGNORE), readFile };
  }
}

/** Returns null if the scope cannot tell what it may hide, or if filtering takes longer than a walk. */
export function usableFilters(scope: Scope): Filters | null {
  const filters = scope.filters?.() ?? null;
  return filters === null || filters.all.length > MAX_FILTERS ? null : filters;
}

function tableFor(filters: readonly RuleFilter[]): Uint8Array {
  if (filters.length !== lastFilters.length || filters.some((filter, i) => filter !== lastFilters[i])) {
    lastTable = tableOf(filters);
    lastFilters = filters;
  }
  return lastTable;
}
