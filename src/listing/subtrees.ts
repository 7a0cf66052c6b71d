/** Lets the source write whole subtrees at once. The source asks only about names that the rules may hide. */
import { type Bytes, below } from '../names/bytes.ts';
import { onlyHidesDotfiles } from '../rules/builtin.ts';
import { ORIGINS, type Origin, type Scope } from '../rules/rule.ts';
import { type Budget, COST } from '../workspace/budget.ts';
import type { SourceDirectory } from '../workspace/source.ts';
import type { Subtree, Unwritten } from '../workspace/subtree.ts';
import type { Visit } from '../workspace/visit.ts';
import { addCounts, addHidden, type Counts } from './entry.ts';
import { orderKey } from './name-keys.ts';
import { orderOf } from './sibling-order.ts';
import { followsLinks, type SiblingOrder } from './siblings.ts';
import { RulesBelow, usableFilters } from './subtree-rules.ts';
import type { OpenLevel, WalkPlan, WalkSink } from './walk-plan.ts';

type LineSink = WalkSink & Required<Pick<WalkSink, 'formBelow' | 'takeLines'>>;

interface Writing {
  readonly subtree: Subtree<SourceDirectory>;
  readonly parent: Visit;
  /** The path of the directory that it begins with. */
  readonly path: Bytes;
  readonly rules: RulesBelow;
}

/** The orders in which a source can write. */
const WRITABLE: readonly SiblingOrder[] = ['directories-first', 'by-kind'];

export class Subtrees {
  readonly #plan: WalkPlan;
  readonly #sink: LineSink;
  readonly #counts: Counts;
  readonly #hiddenOnly: Bytes[];
  readonly #budget: Budget;
  #writing: Writing | null = null;
  /** Set when the source cannot write the next directory. */
  #isObstacle = false;

  private constructor(plan: WalkPlan, sink: LineSink, counts: Counts, hiddenOnly: Bytes[], budget: Budget) {
    this.#plan = plan;
    this.#sink = sink;
    this.#counts = counts;
    this.#hiddenOnly = hiddenOnly;
    this.#budget = budget;
  }

  /** Returns null if each entry has to be examined. Adds to `counts`, and to `hiddenOnly`. */
  static of(plan: WalkPlan, sink: WalkSink, counts: Counts, hiddenOnly: Bytes[], budget: Budget): Subtrees | null {
    const { types, siblings, reverse, evidence } = plan;
    if (types === null || !WRITABLE.includes(siblings) || reverse || evidence) return null;
    const isWritten = sink.takeLines !== undefined && (sink.formBelow?.('' as Bytes) ?? null) !== null;
    return isWritten ? new Subtrees(plan, sink as LineSink, counts, hiddenOnly, budget) : null;
  }

  readonly #isDue = (): boolean => {
    this.#budget.steps += COST.directory;
    return !this.#budget.mayBlock && this.#budget.isDue;
  };

  readonly #inOrder = (names: readonly Bytes[]) => orderOf(names, orderKey, this.#budget);

  get isUnderWay(): boolean {
    return this.#writing !== null;
  }

  /** Begins with the directory `name` of a level, to a depth of `levels`. Returns false if it needs a walk. */
  begin({ directory, scope }: OpenLevel, name: Bytes, path: Bytes, levels: number): boolean {
    const wasObstacle = this.#isObstacle;
    this.#isObstacle = false;
    if (wasObstacle || directory === null) return false;
    const found = this.#sink.formBelow(path);
    if (found === null) return false;
    const dotfiles = onlyHidesDotfiles(scope);
    // Perf: otherwise the directory would be read twice.
    if (dotfiles === null && usableFilters(scope) === null) return false;
    const rules = new RulesBelow(scope, directory, name, this.#budget);
    const follow = (inner: Bytes, target: Bytes) =>
      directory.targetIsDirectory(inner === '' ? name : below(name, inner), target);
    this.#budget.steps += COST.directory;
    const { siblings, types } = this.#plan;
    const subtree = directory.writeBelow(name, {
      prefix: found.prefix,
      end: found.end,
      types: types as number,
      levels,
      hidesDotfiles: dotfiles ?? false,
      rules: dotfiles === null ? rules : null,
      followLink: followsLinks(siblings) ? follow : null,
      orderOf: found.takesAnyName ? this.#inOrder : null,
    });
    if (subtree === null) return false;
    this.#writing = { subtree, parent: directory, path, rules };
    return true;
  }

  /** Writes some lines. Passes directories that need a walk to `walkThrough`, from the top down, with their rules. */
  proceed(walkThrough: (path: Bytes, unwritten: Unwritten<Visit>, scope: Scope) => void): void {
    const { subtree, parent, path, rules } = this.#writing as Writing;
    const state = subtree.proceed(this.#isDue);
    this.#sink.takeLines(subtree.lines, subtree.index);
    this.#count(subtree, path);
    if (state === 'paused') return;
    this.#isObstacle = state === 'obstacle';
    const rest = this.#isObstacle ? parent.takeOver(subtree) : [];
    let taken = 0;
    try {
      // From the deepest up: the scopes above it are known then.
      const scopes = rest.toReversed().map((unwritten) => rules.scopeAt(unwritten.path));
      for (; taken < rest.length; taken++) {
        const unwritten = rest[taken] as Unwritten<Visit>;
        const scope = scopes[rest.length - 1 - taken] as Scope;
        walkThrough(unwritten.path === '' ? path : below(path, unwritten.path), unwritten, scope);
      }
    } finally {
      for (const { directory } of rest.slice(taken)) directory.leave();
      this.close();
    }
  }

  #count(subtree: Subtree<SourceDirectory>, path: Bytes): void {
    const { read, hidden, unselected, unopened, shown, hiddenOnly } = subtree.counted();
    for (const inner of hiddenOnly) this.#hiddenOnly.push(inner === '' ? path : below(path, inner));
    const [file = 0, dir = 0, link = 0, other = 0] = shown;
    addCounts(this.#counts, { totals: { file, dir, link, other }, hidden: new Map(), unselected, unopened });
    for (const [i, count] of hidden.entries()) if (count > 0) addHidden(this.#counts, ORIGINS[i] as Origin, count);
    this.#budget.steps += COST.entry * read;
    this.#budget.entriesRead += read;
  }

  close(): void {
    this.#writing?.subtree.close();
    this.#writing = null;
  }
}
