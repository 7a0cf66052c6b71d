/** Subtrees that the source writes at once, where a walk has nothing to decide in them. */
import { onlyHidesDotfiles } from '../rules/builtin.ts';
import type { Origin } from '../rules/rule.ts';
import { type Budget, COST } from '../workspace/budget.ts';
import { type Bytes, below } from '../workspace/bytes.ts';
import type { SourceDirectory } from '../workspace/source.ts';
import type { Subtree, Unwritten } from '../workspace/subtree.ts';
import type { Visit } from '../workspace/visit.ts';
import { addCounts, type Counts } from './counts.ts';
import type { OpenLevel } from './open-level.ts';
import type { WalkPlan, WalkSink } from './walk-plan.ts';

/** A sink that takes lines as they are. */
type LineSink = WalkSink & Required<Pick<WalkSink, 'formBelow' | 'takeLines'>>;

/** A subtree that is being written. */
interface Writing {
  readonly subtree: Subtree<SourceDirectory>;
  readonly parent: Visit;
  /** The directory that it begins with. */
  readonly path: Bytes;
}

export class Subtrees {
  readonly #sink: LineSink;
  readonly #types: number;
  readonly #counts: Counts;
  readonly #budget: Budget;
  readonly #isDue: () => boolean;
  #writing: Writing | null = null;
  /** Whether the next directory is one that the source cannot write. */
  #isObstacle = false;

  private constructor(sink: LineSink, types: number, mayBlock: boolean, counts: Counts, budget: Budget) {
    this.#sink = sink;
    this.#types = types;
    this.#counts = counts;
    this.#budget = budget;
    this.#isDue = () => {
      budget.steps += COST.directory;
      return !mayBlock && budget.isDue;
    };
  }

  /** Null where each entry has to be looked at. */
  static of(plan: WalkPlan, sink: WalkSink, counts: Counts, budget: Budget): Subtrees | null {
    const { types, siblings, reverse, mayBlock, cache } = plan;
    if (types === null || siblings !== 'directories-first' || reverse || cache !== null) return null;
    const isWritten = sink.takeLines !== undefined && (sink.formBelow?.(plan.start) ?? null) !== null;
    return isWritten ? new Subtrees(sink as LineSink, types, mayBlock, counts, budget) : null;
  }

  get isUnderWay(): boolean {
    return this.#writing !== null;
  }

  /** Begins with the directory `name` of a level, of which so many levels are to be read; false where it takes a walk. */
  begin({ directory, scope }: OpenLevel, name: Bytes, path: Bytes, levels: number): boolean {
    const wasObstacle = this.#isObstacle;
    this.#isObstacle = false;
    const bound = scope();
    if (wasObstacle || directory === null || bound instanceof Promise) return false;
    const hidesDotfiles = onlyHidesDotfiles(bound);
    const form = this.#sink.formBelow(path);
    if (form === null || hidesDotfiles === null) return false;
    const subtree = directory.writeBelow(name, { ...form, levels, hidesDotfiles, types: this.#types });
    if (subtree === null) return false;
    this.#writing = { subtree, parent: directory, path };
    return true;
  }

  /** Writes some lines. Where it takes a walk to go on, hands over the directories to walk through, from the first down. */
  proceed(walkThrough: (path: Bytes, unwritten: Unwritten<Visit>) => void): void {
    const { subtree, parent, path } = this.#writing as Writing;
    const state = subtree.proceed(this.#isDue);
    this.#sink.takeLines(subtree.lines, subtree.index);
    this.#count(subtree);
    if (state === 'paused') return;
    this.#isObstacle = state === 'obstacle';
    const rest = this.#isObstacle ? parent.takeOver(subtree) : [];
    let taken = 0;
    try {
      for (; taken < rest.length; taken++) {
        const unwritten = rest[taken] as Unwritten<Visit>;
        walkThrough(unwritten.path === '' ? path : below(path, unwritten.path), unwritten);
      }
    } finally {
      for (const { directory } of rest.slice(taken)) directory.leave();
      this.close();
    }
  }

  #count(subtree: Subtree<SourceDirectory>): void {
    const { read, hidden, unselected, unopened, shown } = subtree.counted();
    const [file = 0, dir = 0, link = 0, other = 0] = shown;
    const dotfiles: [Origin, number][] = hidden === 0 ? [] : [['dotfile', hidden]];
    addCounts(this.#counts, {
      totals: { file, dir, link, other },
      hidden: new Map(dotfiles),
      unselected,
      unopened,
    });
    this.#budget.steps += COST.entry * read;
    this.#budget.entriesRead += read;
  }

  close(): void {
    this.#writing?.subtree.close();
    this.#writing = null;
  }
}
