/**
 * The best map at a price: what a unit of worth is worth in tokens. A directory is opened, and a name shown, where its
 * worth at that price is more than what it costs; so the dearer it is, the larger the map.
 *
 * Directories are judged from the inside out, which gives the best of all maps for that price, not one that is found by
 * opening one directory after the other.
 */
import type { Bytes } from '../workspace/bytes.ts';
import { HANDFUL } from '../workspace/steps.ts';
import type { FoldName } from './dense-name.ts';
import { templatesFor } from './find-templates.ts';
import { Fold } from './fold.ts';
import type { Folder } from './folder.ts';
import { estimatedTokens, NameGroups, type Segment, type Worths } from './groups.ts';
import { chainOf, endOfChain, fileLabel, joinedName, Line, LONGEST_JOIN, labelOf } from './line.ts';
import { NO_SERIES, numberedSeries } from './series.ts';
import { sortedBy } from './sorted.ts';
import type { Steps } from './steps.ts';
import { stemIn, type Template } from './template.ts';
import { isOpenedFirst, worthOfFile } from './worth.ts';

/** The worth of a directory's name, as a part of what is below it: it only shows the way. */
const ON_THE_WAY = 0.2;

/**
 * What is added to the worth of a file of the listed directory itself, as a part of everything: to one that people open
 * first, to any other, and to all others together.
 */
const FIRST_FILE = 0.03;
const OWN_FILE = 0.01;
const OWN_FILES = 0.1;

/** The worth of a name of a numbered series, as a part of what it would be: who knows one of them knows them all. */
const NUMBERED = 1 / 16;

/** Opened directories inside each other. */
const DEEPEST = 200;

/** What a directory has to be worth at least to be worth opening. */
const LEAST_OPENED = 2;

/** The cost of a line besides its names. */
const LINE_BREAK = 2;

/**
 * A map can become much larger from one price to the next, where much is worth the same. Then a part of the entries of
 * each directory has the higher price, the first ones by name, so that a budget can end between any two.
 */
export interface Price {
  readonly low: number;
  readonly high: number;
  /** The part that has the higher price. */
  readonly share: number;
}

interface Priced {
  readonly folder: Folder;
  readonly price: Price;
  readonly depth: number;
}

/** What an opened directory shows. */
interface Plan {
  readonly folder: Folder;
  readonly value: number;
  readonly cost: number;
  readonly folders: readonly Segment[];
  readonly files: readonly Segment[];
  /** Directories in it that are opened. */
  readonly opened: ReadonlySet<Folder>;
}

interface Planned {
  /** An estimate, in tokens. */
  readonly cost: number;
  /** Writes it down; null where it would cost too much. */
  readonly line: (() => Steps<Line>) | null;
}

/** The directories in one, sorted, with everything that does not depend on the price. */
interface FolderContents {
  readonly folders: readonly Folder[];
  /** Known once they were needed. */
  groups: NameGroups | null;
  readonly heads: (Head | undefined)[];
}

/** The same of its files. */
interface FileContents {
  readonly files: readonly Bytes[];
  readonly groups: NameGroups;
  readonly costs: Float64Array;
  /** The sums of what they are worth up to each. */
  readonly gains: Float64Array;
  readonly mostGain: number;
  /** Known once they were needed. */
  templates: readonly Template[] | null;
}

/** A directory that can be opened. */
interface Head {
  /** The one whose contents are then shown. */
  readonly last: Folder;
  /** The cost while it is closed, and what opening it adds, without its contents. */
  readonly closed: number;
  readonly frame: number;
}

export class Planner {
  readonly #root: Folder;
  readonly #fold: FoldName | null;
  readonly #folders = new Map<Folder, FolderContents>();
  readonly #files = new Map<Folder, FileContents>();

  /** With `fold` the map is one of a fold, which must be divided, or it could never be opened. */
  constructor(root: Folder, fold: FoldName | null) {
    this.#root = root;
    this.#fold = fold;
  }

  /**
   * A directory that it yields has to be read again before it can continue. A map that costs more than `most` is not
   * planned to its end. Perf: at a price that is too high nearly everything is worth opening.
   */
  *at(price: Price, most = Number.POSITIVE_INFINITY): Generator<Folder | undefined, Planned, void> {
    const plans = new Map<Folder, Plan>();
    let opened = 0;
    for (const { folder, price: own } of (yield* this.#worthOpening(price)).reverse()) {
      if (folder !== this.#root && !mayShow(folder, own, plans)) continue;
      if (folder.names === null && folder.files > 0) yield folder;
      const plan = yield* this.#planOf(folder, own, plans);
      plans.set(folder, plan);
      if (plan.value >= LINE_BREAK && showsMore(plan)) opened += ownCost(plan, plans);
      if (opened > most) return { cost: opened, line: null };
      yield;
    }
    const plan = plans.get(this.#root) as Plan;
    return { cost: plan.cost, line: plan.cost > most ? null : () => this.#written(plan, plans) };
  }

  /** The directories that could be worth opening, each after the one that it is in. */
  *#worthOpening(price: Price): Steps<Priced[]> {
    const found: Priced[] = [];
    // What is in a directory comes together, so that it is planned together.
    const pending: Priced[] = [{ folder: this.#root, price, depth: 0 }];
    for (let one = pending.pop(); one !== undefined; one = pending.pop()) {
      found.push(one);
      const { folder, price: above, depth } = one;
      const { share, high } = above;
      // Perf: only where a part of them has the higher price does it matter which come first.
      const isDivided = share > 0 && share < 1;
      const folders = isDivided ? (yield* this.#foldersOf(folder)).folders : folder.folders;
      const split = share * folders.length;
      for (let j = 0; j < folders.length; j++) {
        if (j % HANDFUL.names === HANDFUL.names - 1) yield;
        const head = folders[j] as Folder;
        if (high * head.massBelow < LEAST_OPENED || depth === DEEPEST) continue;
        const last = endOfChain(head, LONGEST_JOIN);
        if (!last.hasContents) continue;
        const own = isDivided ? { ...above, share: Math.min(Math.max(split - j, 0), 1) } : above;
        pending.push({ folder: last, price: own, depth: depth + 1 });
      }
      yield;
    }
    return found;
  }

  *#planOf(folder: Folder, price: Price, plans: ReadonlyMap<Folder, Plan>): Steps<Plan> {
    const contents = yield* this.#foldersOf(folder);
    contents.groups ??= new NameGroups(
      contents.folders.map(({ name }) => name),
      { mustDivide: folder === this.#root, series: NO_SERIES },
    );
    const opened = new Set<Folder>();
    const ofFolders = yield* contents.groups.best(yield* folderWorths(contents, price, plans, opened));
    const files = yield* this.#filesOf(folder);
    const ofFiles = yield* files.groups.best(fileWorths(files, folder, price));
    return {
      folder,
      value: ofFolders.value + ofFiles.value,
      cost: ofFolders.cost + ofFiles.cost,
      folders: ofFolders.segments,
      files: ofFiles.segments,
      opened,
    };
  }

  *#foldersOf(folder: Folder): Steps<FolderContents> {
    const before = this.#folders.get(folder);
    if (before !== undefined) return before;
    const folders = yield* sortedBy(folder.folders, ({ name }) => name);
    const contents: FolderContents = { folders, groups: null, heads: new Array(folders.length) };
    this.#folders.set(folder, contents);
    return contents;
  }

  *#filesOf(folder: Folder): Steps<FileContents> {
    const before = this.#files.get(folder);
    if (before !== undefined) return before;
    const mustDivide = folder === this.#root;
    // A fold that is opened shows what it contains, also if that is a series.
    const isFold = mustDivide && this.#fold !== null;
    const files = yield* sortedBy(folder.names ?? [], (name) => name);
    const series = isFold ? NO_SERIES : yield* numberedSeries(files, (name) => folder.activity?.has(name) ?? false);
    const gains = new Float64Array(files.length + 1);
    let mostGain = 0;
    const own = mustDivide ? this.#root.massBelow : 0;
    for (const [i, name] of files.entries()) {
      const added = own === 0 ? 0 : isOpenedFirst(name) ? FIRST_FILE : Math.min(OWN_FILE, OWN_FILES / files.length);
      const mass = folder.worth * worthOfFile(name) + (folder.activity?.get(name) ?? 0);
      const gain = mass * (series.isIn(i) ? NUMBERED : 1) + own * added;
      gains[i + 1] = (gains[i] as number) + gain;
      mostGain = Math.max(mostGain, gain);
      if (i % HANDFUL.names === HANDFUL.names - 1) yield;
    }
    const groups = new NameGroups(files, { mustDivide, series });
    const contents = { files, groups, costs: new Float64Array(files.length), gains, mostGain, templates: null };
    this.#files.set(folder, contents);
    return contents;
  }

  /** Turns a plan into lines. */
  *#written(plan: Plan, plans: ReadonlyMap<Folder, Plan>): Steps<Line> {
    const root = new Line([plan.folder], 0);
    // Without recursion: directories can be nested deeper than the stack.
    const waiting: [Line, Plan][] = [[root, plan]];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const [line, { folder, folders, files, opened }] = next;
      const contents = this.#folders.get(folder) as FolderContents;
      const names = (this.#files.get(folder) as FileContents).files;
      for (const { from, to, fold } of files) {
        if (fold !== null) line.folds.push(new Fold({ ...fold, ofFolders: false }, to - from));
        else line.files.push(...names.slice(from, to));
      }
      for (const { from, to, fold } of folders) {
        const inside = contents.folders.slice(from, to);
        if (fold !== null) {
          const below = inside.reduce((sum, { filesBelow }) => sum + filesBelow, 0);
          line.folds.push(new Fold({ ...fold, ofFolders: true }, below));
          continue;
        }
        for (const inner of inside) {
          if (!opened.has(inner)) line.closed.push(inner);
          else {
            const below = new Line(chainOf(inner, LONGEST_JOIN), line.depth + 1);
            line.lines.push(below);
            waiting.push([below, plans.get(below.folder) as Plan]);
          }
        }
        yield;
      }
      yield;
    }
    return root;
  }
}

/**
 * Whether an opened directory could show more than a fold: a name that is worth its tokens, of which each has one, or a
 * directory that is opened. Perf: of the directories of a large tree, most could not.
 */
function mayShow(folder: Folder, { high }: Price, plans: ReadonlyMap<Folder, Plan>): boolean {
  if (folder.files > 0 && high * (folder.worth + folder.mostActivity) > 1) return true;
  return folder.folders.some(
    (inner) => high * ON_THE_WAY * inner.massBelow > 1 || plans.has(endOfChain(inner, LONGEST_JOIN)),
  );
}

/** Names between two steps: the tokens of each are counted once. */
const COUNTED = 64;

function headAt({ folders, heads }: FolderContents, index: number): Head {
  const known = heads[index];
  if (known !== undefined) return known;
  const folder = folders[index] as Folder;
  const chain = chainOf(folder, LONGEST_JOIN);
  const closed = estimatedTokens(` ${labelOf(folder)}`);
  const opened = estimatedTokens(` ${joinedName(chain)}/`);
  const head = { last: chain.at(-1) as Folder, closed, frame: LINE_BREAK + opened - closed };
  heads[index] = head;
  return head;
}

/** Adds the directories that are worth opening to `opened`. */
function* folderWorths(
  contents: FolderContents,
  price: Price,
  plans: ReadonlyMap<Folder, Plan>,
  opened: Set<Folder>,
): Steps<Worths> {
  const { folders } = contents;
  const { length } = folders;
  const split = Math.round(price.share * length);
  const [values, costs, sums] = [new Float64Array(length), new Float64Array(length), new Float64Array(length + 1)];
  let most = 0;
  for (const [i, folder] of folders.entries()) {
    const { last, closed, frame } = headAt(contents, i);
    const plan = plans.get(last);
    const isOpen = plan !== undefined && plan.value >= frame && showsMore(plan);
    if (isOpen) opened.add(folder);
    const worth = (i < split ? price.high : price.low) * ON_THE_WAY * folder.massBelow;
    const gained = isOpen ? plan.value - frame : 0;
    values[i] = worth - closed + gained;
    costs[i] = closed + (isOpen ? plan.cost + frame : 0);
    sums[i + 1] = (sums[i] as number) + (worth + gained);
    most = Math.max(most, worth + gained);
    if (i % COUNTED === COUNTED - 1) yield;
  }
  return {
    most,
    value: (i) => values[i] as number,
    cost: (i) => costs[i] as number,
    worth: (from, to) => (sums[to] as number) - (sums[from] as number),
  };
}

function fileWorths(contents: FileContents, folder: Folder, price: Price): Worths {
  const { files, costs, gains } = contents;
  const split = Math.round(price.share * files.length);
  const gained = (from: number, to: number) => (gains[Math.max(from, to)] as number) - (gains[from] as number);
  const worth = (from: number, to: number) =>
    price.high * gained(from, Math.min(to, split)) + price.low * gained(Math.max(from, split), to);
  const cost = (i: number) => {
    contents.templates ??= templatesFor(files);
    costs[i] ||= costOfFile(folder, files[i] as Bytes, contents.templates);
    return costs[i] as number;
  };
  return { most: price.high * contents.mostGain, worth, cost, value: (i) => worth(i, i + 1) - cost(i) };
}

function costOfFile(folder: Folder, name: Bytes, templates: readonly Template[]): number {
  const label = fileLabel(folder, name);
  for (const template of templates) {
    const stem = stemIn(template, label);
    if (stem !== null) return estimatedTokens(` ${stem}`);
  }
  return estimatedTokens(` ${label}`);
}

/** What an opened directory costs without those that are opened in it, at least. */
function ownCost({ cost, opened }: Plan, plans: ReadonlyMap<Folder, Plan>): number {
  let own = cost + LINE_BREAK;
  for (const folder of opened) own -= (plans.get(endOfChain(folder, LONGEST_JOIN)) as Plan).cost;
  return Math.max(own, 0);
}

/** False for one fold of everything, which shows no more than the closed directory. */
function showsMore({ folders, files }: Plan): boolean {
  return folders.length + files.length > 1 || [...folders, ...files].some(({ fold }) => fold === null);
}
