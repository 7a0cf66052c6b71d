/** The entries of one directory of a walk, in order. */
import { type Budget, COST } from '../workspace/budget.ts';
import type { Bytes } from '../workspace/bytes.ts';
import type { Batch, EntryType } from '../workspace/reader.ts';
import type { Visit } from '../workspace/visit.ts';
import { type LevelSink, linksToDirectories } from './level.ts';
import { NameCollector } from './name-collector.ts';
import { isAscending, sortSiblings } from './sibling-order.ts';

export type SiblingOrder =
  /** By name; with `directories-first` directories, and links to them, stand before everything else. */
  | 'directories-first'
  | 'by-name'
  /** As the disk has them. */
  | 'any';

/** Names that are put in order where the walk has to end: it emits no more of them. */
const LAST_NAMES = 1024;

/** Steps of work to sort a name. */
const COST_OF_SORTING = 50;

const NOT_SIMPLE = /[^ !#-@[-~]/;

/** Perf: most directories have none of these, and share one that is never added to. */
const NO_TYPES: Map<Bytes, EntryType> = new Map();
const NO_NAMES: Set<Bytes> = new Set();

export class Siblings implements LevelSink {
  names: Bytes[] = [];
  /** Whether all names are printable ASCII without capitals and quotes, as most are: their own order and spelling. */
  areSimple = true;
  /** The types of those that are not files. */
  types = NO_TYPES;
  /** Directories that are descended into, but not emitted. */
  descendOnly = NO_NAMES;
  /** Links that lead to a directory inside the workspace, where the order asks for it. */
  linksToDirectories: ReadonlySet<Bytes> = NO_NAMES;
  #links: Bytes[] | null = null;

  add(name: Bytes, type: EntryType): void {
    this.names.push(name);
    if (this.areSimple && NOT_SIMPLE.test(name)) this.areSimple = false;
    if (type !== 'file') this.#setType(name, type);
  }

  addDescendOnly(name: Bytes): void {
    this.add(name, 'dir');
    if (this.descendOnly === NO_NAMES) this.descendOnly = new Set();
    this.descendOnly.add(name);
  }

  addAll({ names, types }: Batch): void {
    this.names = names;
    this.areSimple = !NOT_SIMPLE.test(names.join(''));
    for (let i = 0; i < names.length; i++) {
      if (types[i] !== 'file') this.#setType(names[i] as Bytes, types[i] as EntryType);
    }
  }

  #setType(name: Bytes, type: EntryType): void {
    if (this.types === NO_TYPES) this.types = new Map();
    this.types.set(name, type);
    if (type !== 'link') return;
    this.#links ??= [];
    this.#links.push(name);
  }

  async putInOrder(order: SiblingOrder, reverse: boolean, directory: Visit, budget: Budget): Promise<void> {
    if (budget.stopped !== null) this.names = this.names.slice(0, LAST_NAMES);
    if (order === 'any') return;
    const isByClass = order === 'directories-first' && this.types.size > 0;
    if (isByClass && this.#links !== null) {
      this.linksToDirectories = await linksToDirectories(this.#links, directory, budget);
    }
    const [first, rest] = isByClass ? this.#byClass() : [[], this.names];
    this.names = (await this.#sorted(first, budget)).concat(await this.#sorted(rest, budget));
    if (reverse) this.names.reverse();
  }

  #byClass(): [Bytes[], Bytes[]] {
    const first: Bytes[] = [];
    const rest: Bytes[] = [];
    for (const name of this.names) {
      (this.types.get(name) === 'dir' || this.linksToDirectories.has(name) ? first : rest).push(name);
    }
    return [first, rest];
  }

  async #sorted(names: Bytes[], budget: Budget): Promise<Bytes[]> {
    // Perf: Node gives the names of a small directory in order already.
    if (this.areSimple && isAscending(names)) return names;
    budget.steps += COST_OF_SORTING * names.length;
    if (sortSiblings(names)) return names;
    const collector = new NameCollector();
    for (const name of names) {
      collector.add(name, 'file', false);
      budget.steps += COST.entry + COST.nameByte * name.length;
      if (collector.isFull) await collector.settle(budget);
      if (budget.isDue) await budget.yieldIfDue();
    }
    const page = await collector.page({ offset: 0, limit: names.length }, budget);
    return page.map(({ name }) => name);
  }
}
