/**
 * Plans the best map at a price, which is the number of tokens that a unit of worth may cost. A directory is opened, and
 * a name shown, if its worth at that price exceeds its cost; so a higher price gives a larger map.
 *
 * Directories are planned bottom-up. This finds the best of all maps at that price, unlike opening one directory after
 * another.
 */
import { sortedBy } from '../listing/sort.ts';
import type { Bytes } from '../names/bytes.ts';
import { OPENED_FIRST, worthOfFile } from '../names/kind.ts';
import { HANDFUL } from '../workspace/steps.ts';
import { type Alike, alikeIn, NONE_ALIKE } from './alike.ts';
import { LEAST_LABEL, mayShow, ON_THE_WAY, showsNoFile } from './bounds.ts';
import { type Chosen, chosenOf, LOST, REST_MARK } from './chosen.ts';
import type { FoldName } from './dense-name.ts';
import { templatesFor } from './find-templates.ts';
import type { Folder } from './folder.ts';
import { COUNTED, estimatedTokens, NameGroups, type Worths } from './groups.ts';
import { chainOf, endOfChain, fileLabel, joinedName, Line, LONGEST_JOIN, labelOf } from './line.ts';
import { MIN_ALIKE } from './rows.ts';
import { NO_SERIES, numberedSeries, type Series } from './series.ts';
import type { Steps } from './steps.ts';
import { stemIn, type Template } from './template.ts';

/**
 * Worth added to a file of the listed directory itself, as a fraction of all worth: for a file that people open first;
 * for any other, and for all others together. Whoever lists a part of the root looks for something in it.
 */
const FIRST_FILE = 0.03;
const OWN_FILES = { ofRoot: { each: 0.003, all: 0.03 }, ofPart: { each: 0.01, all: 2 } };

/** The factor for a name in a numbered series: a reader who knows one name knows them all. */
const NUMBERED = 1 / 16;

/** Up to so many directories of the listed directory are all named. */
const ALWAYS_NAMED = 45;

/** A directory in an unwanted fold loses so many times its worth, so that such folds are written only where nothing else fits. */
const UNWANTED = 256;

/** The deepest nesting of opened directories. */
const DEEPEST = 200;

/** The least worth at which a directory can be worth opening. */
const MIN_OPENED = 2;

/** The cost of a line apart from its names. */
const LINE_BREAK = 2;

/**
 * If many entries have the same worth, a slightly higher price can make the map much larger. Then only the first entries
 * of each directory, by name, get the higher price, so that any budget can be met.
 */
export interface Price {
  readonly low: number;
  readonly high: number;
  /** The fraction of entries that get the higher price. */
  readonly share: number;
}

interface Priced {
  readonly folder: Folder;
  readonly price: Price;
  readonly depth: number;
  /** How many directories share its line. */
  readonly times: number;
}

/** The plan for an opened directory. */
interface Plan {
  readonly folder: Folder;
  readonly chosen: Chosen;
  /** The directories in it that are opened, too. */
  readonly opened: ReadonlySet<Folder>;
}

interface Planned {
  /** An estimate, in tokens. */
  readonly cost: number;
  /** Builds the lines; null if the map would cost too much. */
  readonly line: (() => Steps<Line>) | null;
}

/** The sorted subdirectories of a directory, and all that does not depend on the price. */
interface FolderContents {
  readonly folders: readonly Folder[];
  readonly heads: (Head | undefined)[];
}

/** The same for its files. */
interface FileContents {
  readonly folder: Folder;
  readonly files: readonly Bytes[];
  readonly series: Series;
  /** 0 for what was not needed yet: see `costAt`. */
  readonly costs: Float64Array;
  /** Prefix sums of their worth. */
  readonly gains: Float64Array;
  readonly mostGain: number;
  /** Created on first use. */
  templates: readonly Template[] | null;
}

/** The costs of a directory that can be opened. */
interface Head {
  /** The cost while it is closed, and the cost that opening adds apart from its contents. */
  readonly closed: number;
  readonly frame: number;
}

export class Planner {
  /** The number of directories that might be worth opening, for all maps together. */
  considered = 0;
  readonly #root: Folder;
  readonly #fold: FoldName | null;
  readonly #isRoot: boolean;
  readonly #folders = new Map<Folder, FolderContents>();
  readonly #files = new Map<Folder, FileContents>();
  /** Prices up to which directories are certainly not worth opening. */
  readonly #closedAt = new Map<Folder, number>();
  /** The files and directories of the listed directory. */
  #groups: [NameGroups, NameGroups] | null = null;
  readonly #alike = new Map<Folder, ReadonlyMap<Folder, Alike>>();

  /** With `fold`, the map shows that fold. `isRoot` is false for any part of the root. */
  constructor(root: Folder, fold: FoldName | null, isRoot: boolean) {
    this.#root = root;
    this.#fold = fold;
    this.#isRoot = isRoot;
  }

  /** True if directories of the listed one share a row: then a few tokens more can show many files more. */
  get hasShared(): boolean {
    return (this.#alike.get(this.#root)?.size ?? 0) > 0;
  }

  /**
   * Yields a directory whose names must be read again before the plan can continue. Gives up once the map costs more than
   * `most`. Perf: at too high a price, nearly everything is worth opening. Directories with less than a fraction
   * (`least`) of all worth stay closed.
   */
  *at(price: Price, most = Number.POSITIVE_INFINITY, least = 0): Generator<Folder | undefined, Planned, void> {
    const plans = new Map<Folder, Plan>();
    const isPlanned = (inner: Folder) => plans.has(endOfChain(inner, LONGEST_JOIN));
    let opened = 0;
    for (const { folder, price: own, depth, times } of (yield* this.#worthOpening(price, least)).reverse()) {
      if (++this.considered % HANDFUL.names === 0) yield;
      if (folder !== this.#root && !(times > 1 && depth === 1) && !mayShow(folder, own.high, isPlanned)) continue;
      if (times === 1 && own.high <= (this.#closedAt.get(folder) ?? -1)) continue;
      if (!folder.hasNames && !showsNoFile(folder, own.high)) yield folder;
      if (times === 1 && isSmallLeaf(folder) && depth > 0) {
        const files = this.#files.get(folder) ?? (yield* this.#filesOf(folder));
        if (this.#staysClosed(files, own.high)) continue;
      }
      const plan = yield* this.#planOf(folder, own, plans);
      // Perf: what is not worth opening need not be looked at again, unless it shares a row of the listed directory.
      const isUseful = showsMore(plan) && (times > 1 || plan.chosen.value > -LINE_BREAK);
      if (isUseful || depth <= 1) plans.set(folder, plan);
      if (isUseful && plan.chosen.value >= LINE_BREAK) opened += ownCost(plan, plans) / times;
      if (opened > most) return { cost: opened, line: null };
      yield;
    }
    const plan = plans.get(this.#root) as Plan;
    const { cost } = plan.chosen;
    return { cost, line: cost > most ? null : () => this.#written(plan, plans) };
  }

  /** Perf: also notes the highest price at which the directory is certainly not worth opening. */
  #staysClosed(files: FileContents, price: number): boolean {
    if (mostValue(files, price) > -LINE_BREAK) return false;
    let closed = files.mostGain > 0 ? price : Number.POSITIVE_INFINITY;
    for (let step = closed, growth = 2; step > price / 64 && closed < Number.POSITIVE_INFINITY; ) {
      if (mostValue(files, closed + step) <= -LINE_BREAK) {
        closed += step;
        step *= growth;
      } else [step, growth] = [step / 2, 1];
    }
    this.#closedAt.set(files.folder, closed);
    return true;
  }

  /** Finds the directories that could be worth opening, parents first. */
  *#worthOpening(price: Price, least: number): Steps<Priced[]> {
    const found: Priced[] = [];
    // The contents of a directory stay together, so that they are planned together.
    const pending: Priced[] = [{ folder: this.#root, price, depth: 0, times: 1 }];
    let looked = 0;
    for (let one = pending.pop(); one !== undefined; one = pending.pop()) {
      found.push(one);
      const { folder, price: above, depth } = one;
      const { share } = above;
      if (folder.folders.length === 0) continue;
      const alike = yield* this.#alikeIn(folder);
      // Perf: their order matters only if a fraction of them gets the higher price.
      const isDivided = share > 0 && share < 1;
      const folders = isDivided
        ? (this.#folders.get(folder) ?? (yield* this.#foldersOf(folder))).folders
        : folder.folders;
      const split = share * folders.length;
      for (let j = 0; j < folders.length; j++) {
        if (++looked % HANDFUL.names === 0) yield;
        const head = folders[j] as Folder;
        const times = alike.get(head)?.times ?? 1;
        const [low, high] = [times * above.low, times * above.high];
        // Those of the listed directory are always named, and one row for alike ones costs less than all when closed.
        const mustName = depth === 0 && times > 1;
        const isWorthy = high * head.massBelow >= MIN_OPENED && times * head.massBelow >= least * this.#root.massBelow;
        if (!(isWorthy || mustName) || depth === DEEPEST) continue;
        const last = endOfChain(head, LONGEST_JOIN);
        if (!last.hasContents) continue;
        // What is in alike directories is shown in all of them, or in none.
        const part = isDivided && times === 1 ? Math.min(Math.max(split - j, 0), 1) : share;
        // Perf: it is the same for most.
        const own = times === 1 && part === share ? above : { low, high: part === 0 ? low : high, share: part };
        pending.push({ folder: last, price: own, depth: depth + 1, times: times * one.times });
      }
    }
    return found;
  }

  *#planOf(folder: Folder, price: Price, plans: ReadonlyMap<Folder, Plan>): Steps<Plan> {
    // Perf: delegating to a generator takes a microsecond, even if it has nothing to do.
    const isLeaf = folder.folders.length === 0;
    const contents = this.#folders.get(folder) ?? (yield* this.#foldersOf(folder));
    const opened = new Set<Folder>();
    const alike = isLeaf ? NONE_ALIKE : yield* this.#alikeIn(folder);
    const worths = isLeaf ? LOST.worths : yield* folderWorths(contents, price, { plans, alike }, opened);
    const ofFolders = { count: contents.folders.length, worths, series: NO_SERIES, least: LEAST_LABEL };
    const isListed = folder === this.#root;
    if (!isListed && showsNoFile(folder, price.high)) {
      return { folder, opened, chosen: yield* chosenOf(ofFolders, LOST) };
    }
    const files = this.#files.get(folder) ?? (yield* this.#filesOf(folder));
    const worthsOfFiles = fileWorths(files, price);
    const ofFiles = { count: files.files.length, worths: worthsOfFiles, series: files.series, least: 1 };
    const chosen = yield* isListed
      ? this.#divided(contents, files, worthsOfFiles, worths)
      : chosenOf(ofFolders, ofFiles);
    return { folder, opened, chosen };
  }

  /** In the listed directory, everything is named or stands in a fold. */
  *#divided({ folders }: FolderContents, { files, series }: FileContents, ...worths: [Worths, Worths]): Steps<Chosen> {
    const wanted = this.#fold === null && folders.length <= ALWAYS_NAMED ? 'none' : 'words';
    const names = folders.map(({ name }) => name);
    this.#groups ??= [new NameGroups(files, 'any', series), new NameGroups(names, wanted, NO_SERIES)];
    const [ofFiles, ofFolders] = [yield* this.#groups[0].best(worths[0]), yield* this.#groups[1].best(worths[1])];
    const [value, cost] = [ofFolders.value + ofFiles.value, ofFolders.cost + ofFiles.cost];
    return { value, cost, folders: ofFolders.segments, files: ofFiles.segments, isPartial: false };
  }

  *#alikeIn(folder: Folder): Steps<ReadonlyMap<Folder, Alike>> {
    if (folder.folders.length < MIN_ALIKE) return NONE_ALIKE;
    const alike = this.#alike.get(folder) ?? (yield* alikeIn(folder));
    this.#alike.set(folder, alike);
    return alike;
  }

  *#foldersOf(folder: Folder): Steps<FolderContents> {
    const folders = yield* sortedBy(folder.folders, ({ name }) => name);
    const contents: FolderContents = { folders, heads: new Array(folders.length) };
    this.#folders.set(folder, contents);
    return contents;
  }

  *#filesOf(folder: Folder): Steps<FileContents> {
    const isListed = folder === this.#root;
    // An opened fold shows its contents even if they are a series.
    const isFold = isListed && this.#fold !== null;
    if (folder.isLarge) yield* folder.unpack();
    const files = yield* sortedBy(folder.names ?? [], (name) => name);
    const series = isFold ? NO_SERIES : yield* numberedSeries(files, (name) => folder.activity?.has(name) ?? false);
    const gains = new Float64Array(files.length + 1);
    let mostGain = 0;
    const own = isListed ? this.#root.massBelow : 0;
    const { each, all } = this.#isRoot ? OWN_FILES.ofRoot : OWN_FILES.ofPart;
    // Perf: then each is worth as much as any other.
    const areAlike = folder.mass === folder.worth * files.length;
    for (const [i, name] of files.entries()) {
      const added = own === 0 ? 0 : OPENED_FIRST.test(name) ? FIRST_FILE : Math.min(each, all / files.length);
      const mass = folder.worth * (areAlike ? 1 : worthOfFile(name)) + (folder.activity?.get(name) ?? 0);
      const gain = mass * (series.isIn(i) ? NUMBERED : 1) + own * added;
      gains[i + 1] = (gains[i] as number) + gain;
      mostGain = Math.max(mostGain, gain);
      if (i % HANDFUL.names === HANDFUL.names - 1) yield;
    }
    const costs = new Float64Array(files.length);
    const contents: FileContents = { folder, files, series, costs, gains, mostGain, templates: null };
    this.#files.set(folder, contents);
    return contents;
  }

  *#written(plan: Plan, plans: ReadonlyMap<Folder, Plan>): Steps<Line> {
    const root = new Line([plan.folder], 0);
    // Without recursion: directories can be nested deeper than the stack.
    const waiting: [Line, Plan][] = [[root, plan]];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const [line, { folder, opened, chosen }] = next;
      const { folders, files, isPartial } = chosen;
      line.isPartial = isPartial;
      const contents = this.#folders.get(folder) as FolderContents;
      const names = this.#files.get(folder)?.files ?? [];
      for (const { from, to, fold } of files) {
        if (fold !== null) line.folds.push({ ...fold, ofFolders: false, files: to - from });
        else line.files.push(...names.slice(from, to));
      }
      for (const { from, to, fold } of folders) {
        const inside = contents.folders.slice(from, to);
        if (fold !== null) {
          const below = inside.reduce((sum, { filesBelow }) => sum + filesBelow, 0);
          line.folds.push({ ...fold, ofFolders: true, files: below });
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

function headAt({ folders, heads }: FolderContents, index: number): Head {
  const known = heads[index];
  if (known !== undefined) return known;
  const folder = folders[index] as Folder;
  const chain = chainOf(folder, LONGEST_JOIN);
  const closed = estimatedTokens(` ${labelOf(folder)}`);
  const opened = estimatedTokens(` ${joinedName(chain)}/`);
  const head = { closed, frame: LINE_BREAK + opened - closed };
  heads[index] = head;
  return head;
}

/** Also adds the directories that are worth opening to `opened`. */
function* folderWorths(
  contents: FolderContents,
  price: Price,
  { plans, alike }: { plans: ReadonlyMap<Folder, Plan>; alike: ReadonlyMap<Folder, Alike> },
  opened: Set<Folder>,
): Steps<Worths> {
  const { folders } = contents;
  const { length } = folders;
  const split = Math.round(price.share * length);
  const [values, costs] = [new Float64Array(length), new Float64Array(length)];
  const [sums, losses] = [new Float64Array(length + 1), new Float64Array(length + 1)];
  const even = (folders[0]?.parent?.massBelow ?? 0) / length;
  let most = 0;
  for (const [i, folder] of folders.entries()) {
    const own = i < split ? price.high : price.low;
    let worth = own * ON_THE_WAY * folder.massBelow;
    losses[i + 1] = (losses[i] as number) + own * UNWANTED * (folder.massBelow + even);
    const plan = plans.get(endOfChain(folder, LONGEST_JOIN));
    const { times, name } = alike.get(folder) ?? { times: 1, name: 0 };
    // Perf: the tokens of most names need not be counted, because there is nothing to gain inside.
    if (plan !== undefined && (times > 1 || plan.chosen.value > -LINE_BREAK)) {
      const { closed, frame: alone } = headAt(contents, i);
      const frame = times === 1 ? alone : name + LINE_BREAK / times - closed;
      const gained = plan.chosen.value / times - frame;
      if (gained >= 0 && (showsMore(plan) || (times > 1 && folder.parent?.parent === null))) {
        opened.add(folder);
        worth += gained;
        costs[i] = plan.chosen.cost / times + frame;
      }
    }
    values[i] = worth;
    sums[i + 1] = (sums[i] as number) + worth;
    most = Math.max(most, worth);
    if (i % COUNTED === COUNTED - 1) yield;
  }
  const closed = (i: number) => headAt(contents, i).closed;
  return {
    most,
    loss: (from, to) => (losses[to] as number) - (losses[from] as number),
    value: (i) => (values[i] as number) - closed(i),
    cost: (i) => (costs[i] as number) + closed(i),
    worth: (from, to) => (sums[to] as number) - (sums[from] as number),
  };
}

function fileWorths(contents: FileContents, price: Price): Worths {
  const { files, gains } = contents;
  const split = Math.round(price.share * files.length);
  const gained = (from: number, to: number) => (gains[Math.max(from, to)] as number) - (gains[from] as number);
  const worth = (from: number, to: number) =>
    price.high * gained(from, Math.min(to, split)) + price.low * gained(Math.max(from, split), to);
  const cost = (i: number) => costAt(contents, i);
  return { most: price.high * contents.mostGain, loss: () => 0, worth, cost, value: (i) => worth(i, i + 1) - cost(i) };
}

/** Perf: most directories of a large tree have only a few files, and are not worth opening. */
function isSmallLeaf({ folders, files }: Folder): boolean {
  return folders.length === 0 && files <= HANDFUL.names;
}

/** An upper bound for the value of opening a directory that has only files. */
function mostValue(contents: FileContents, price: number): number {
  const { gains, files } = contents;
  let [value, lost] = [0, 0];
  for (let i = 0; i < files.length; i++) {
    const worth = price * ((gains[i + 1] as number) - (gains[i] as number));
    // Perf: a name costs at least a token, which is counted only if that might not be enough.
    const own = worth - (worth > 1 ? costAt(contents, i) : 1);
    if (own > 0) value += own;
    else lost -= own;
  }
  return value - Math.min(lost, REST_MARK);
}

function costAt(contents: FileContents, index: number): number {
  const { costs, files, folder } = contents;
  contents.templates ??= templatesFor(files);
  costs[index] ||= costOfFile(folder, files[index] as Bytes, contents.templates);
  return costs[index] as number;
}

function costOfFile(folder: Folder, name: Bytes, templates: readonly Template[]): number {
  const label = fileLabel(folder, name);
  const stem = templates.map((template) => stemIn(template, label)).find((one) => one !== null);
  return estimatedTokens(` ${stem ?? label}`);
}

/** A lower bound for the cost of an opened directory without the directories opened in it. */
function ownCost({ chosen: { cost }, opened }: Plan, plans: ReadonlyMap<Folder, Plan>): number {
  let own = cost + LINE_BREAK;
  for (const folder of opened) own -= (plans.get(endOfChain(folder, LONGEST_JOIN)) as Plan).chosen.cost;
  return Math.max(own, 0);
}

/** False if it would say no more than the closed directory. */
function showsMore({ chosen: { folders, files } }: Plan): boolean {
  return folders.length > 0 || files.length > 0;
}
