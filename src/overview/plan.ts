/**
 * Plans the best map at a price, which is the number of tokens that a unit of worth may cost. A directory is opened, and
 * a name shown, if its worth at that price exceeds its cost; so a higher price gives a larger map.
 *
 * Directories are planned bottom-up. This finds the best of all maps at that price, unlike opening one directory after
 * another.
 */
import { sortedBy } from '../listing/sort.ts';
import { HANDFUL } from '../workspace/steps.ts';
import { type Alike, alikeIn, NONE_ALIKE } from './alike.ts';
import { leastLabel, mayShow, ON_THE_WAY, showsNoFile } from './bounds.ts';
import { type Chosen, chosenOf, LOST, NO_NAMES } from './chosen.ts';
import type { FoldName } from './dense-name.ts';
import { Files, LINE_BREAK } from './files.ts';
import type { Folder } from './folder.ts';
import { COUNTED, estimatedTokens, NameGroups, type Worths } from './groups.ts';
import { chainOf, endOfChain, joinedName, Line, LONGEST_JOIN, labelOf } from './line.ts';
import type { Price } from './price.ts';
import { MIN_ALIKE } from './rows.ts';
import { NO_SERIES } from './series.ts';
import type { Steps } from './steps.ts';

/** Up to so many directories of the listed directory are all named. */
const ALWAYS_NAMED = 45;

/** A directory in an unwanted fold loses so many times its worth, so that such folds are written only where nothing else fits. */
const UNWANTED = 256;

/** The deepest nesting of opened directories. */
const DEEPEST = 200;

/** The least worth at which a directory can be worth opening. */
const MIN_OPENED = 2;

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
  /** The directories in it that are opened, too. Alike ones have the same plan, which is that of the first. */
  readonly opened: ReadonlyMap<Folder, Plan>;
}

interface Planned {
  /** An estimate, in tokens. */
  readonly cost: number;
  /** Builds the lines; null if the map would cost too much. */
  readonly line: (() => Steps<Line>) | null;
}

/** The sorted subdirectories of a directory, and all about them that does not depend on the price. */
interface FolderContents {
  readonly folders: readonly Folder[];
  readonly heads: (Head | undefined)[];
}

/** The costs of a directory that can be opened. */
interface Head {
  /** The cost while it is closed, and the cost that opening adds apart from its contents. */
  readonly closed: number;
  readonly frame: number;
}

const NONE_OPENED: ReadonlyMap<Folder, Plan> = new Map();

export class Planner {
  /** The number of directories that might be worth opening, for all maps together. */
  considered = 0;
  readonly #root: Folder;
  readonly #fold: FoldName | null;
  readonly #isRoot: boolean;
  readonly #folders = new Map<Folder, FolderContents>();
  readonly #files = new Map<Folder, Files>();
  /** The prices up to which small directories are known to stay closed. */
  readonly #closedUpTo = new Map<Folder, number>();
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
    // A map begins with a pause, in which it may be cancelled.
    let looked: number = HANDFUL.names;
    for (const { folder, price: own, depth, times } of (yield* this.#worthOpening(price, least)).reverse()) {
      this.considered++;
      looked += 1 + Math.min(folder.files, HANDFUL.names);
      if (looked > HANDFUL.names) {
        looked = 0;
        yield;
      }
      if (folder !== this.#root && !(times > 1 && depth === 1) && !mayShow(folder, own.high, isPlanned)) continue;
      if (!folder.hasNames && !showsNoFile(folder, own.high)) yield folder;
      if (times === 1 && isSmallLeaf(folder) && depth > 0) {
        // Perf: files are not kept where they stay closed, as in most directories.
        const files = this.#files.get(folder) ?? (yield* Files.of(folder, null));
        const closedUpTo = files.closedUpTo(own.high);
        if (own.high <= closedUpTo) {
          this.#closedUpTo.set(folder, closedUpTo);
          continue;
        }
        this.#files.set(folder, files);
      }
      const plan = yield* this.#planOf(folder, own, plans);
      // Perf: what is not worth opening need not be looked at again, unless it shares a row of the listed directory.
      const isUseful = showsMore(plan) && (times > 1 || plan.chosen.value > -LINE_BREAK);
      if (isUseful || depth <= 1) plans.set(folder, plan);
      if (isUseful && plan.chosen.value >= LINE_BREAK) opened += ownCost(plan);
      if (opened > most) return { cost: opened, line: null };
    }
    const plan = plans.get(this.#root) as Plan;
    const { cost } = plan.chosen;
    return { cost, line: cost > most ? null : () => this.#written(plan) };
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
        const group = alike.get(head);
        if (group !== undefined && group.first !== head) continue;
        const times = group?.times ?? 1;
        // Perf: V8 takes several times as long to destructure a list, until it has compiled that.
        const low = times * above.low;
        const high = times * above.high;
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
        if (own.high <= (this.#closedUpTo.get(last) ?? 0)) continue;
        pending.push({ folder: last, price: own, depth: depth + 1, times: times * one.times });
      }
    }
    return found;
  }

  *#planOf(folder: Folder, price: Price, plans: ReadonlyMap<Folder, Plan>): Steps<Plan> {
    const isListed = folder === this.#root;
    const showsFiles = isListed || !showsNoFile(folder, price.high);
    const files = showsFiles ? (this.#files.get(folder) ?? (yield* this.#filesOf(folder))) : null;
    const ofFiles = files?.pricedAt(price) ?? LOST;
    if (folder.folders.length === 0 && !isListed) {
      return { folder, opened: NONE_OPENED, chosen: yield* chosenOf(NO_NAMES, ofFiles) };
    }
    const contents = this.#folders.get(folder) ?? (yield* this.#foldersOf(folder));
    const opened = new Map<Folder, Plan>();
    const alike = yield* this.#alikeIn(folder);
    const worths = yield* folderWorths(contents, price, { plans, alike }, opened);
    const { folders } = contents;
    const least = (i: number) => leastLabel(folders[i] as Folder);
    const ofFolders = { count: folders.length, worths, series: NO_SERIES, least };
    const chosen = yield* files !== null && isListed
      ? this.#divided(contents, files, ofFiles.worths, worths)
      : chosenOf(ofFolders, ofFiles);
    return { folder, opened, chosen };
  }

  /** In the listed directory, everything is named or stands in a fold. */
  *#divided({ folders }: FolderContents, files: Files, ...worths: [Worths, Worths]): Steps<Chosen> {
    const wanted = this.#fold === null && folders.length <= ALWAYS_NAMED ? 'none' : 'words';
    const names = folders.map(({ name }) => name);
    this.#groups ??= [new NameGroups(files.names, 'any', files.series), new NameGroups(names, wanted, NO_SERIES)];
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

  *#filesOf(folder: Folder): Steps<Files> {
    const listed = folder === this.#root ? { isRoot: this.#isRoot, isFold: this.#fold !== null } : null;
    const files = yield* Files.of(folder, listed);
    this.#files.set(folder, files);
    return files;
  }

  *#written(plan: Plan): Steps<Line> {
    const root = new Line([plan.folder], 0);
    // Without recursion: directories can be nested deeper than the stack.
    const waiting: [Line, Plan][] = [[root, plan]];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const [line, { folder, opened, chosen }] = next;
      const { folders, files, isPartial } = chosen;
      line.isPartial = isPartial;
      // What is in alike directories has the same names.
      const planned = this.#folders.get(folder) ?? (yield* this.#foldersOf(folder));
      const { folders: own } = line.folder === folder ? planned : yield* this.#foldersOf(line.folder);
      const names = this.#files.get(folder)?.names ?? [];
      for (const { from, to, fold } of files) {
        if (fold !== null) line.folds.push({ ...fold, ofFolders: false, files: to - from });
        else line.files.push(...names.slice(from, to));
      }
      for (const { from, to, fold } of folders) {
        if (fold !== null) {
          const below = own.slice(from, to).reduce((sum, { filesBelow }) => sum + filesBelow, 0);
          line.folds.push({ ...fold, ofFolders: true, files: below });
          continue;
        }
        for (let i = from; i < to; i++) {
          const inner = own[i] as Folder;
          const inside = opened.get(planned.folders[i] as Folder);
          if (inside === undefined) line.closed.push(inner);
          else {
            const below = new Line(chainOf(inner, LONGEST_JOIN), line.depth + 1);
            line.lines.push(below);
            waiting.push([below, inside]);
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
  opened: Map<Folder, Plan>,
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
    const group = alike.get(folder);
    const times = group?.times ?? 1;
    const plan = plans.get(endOfChain(group?.first ?? folder, LONGEST_JOIN));
    // Perf: the tokens of most names need not be counted, because there is nothing to gain inside.
    if (plan !== undefined && (times > 1 || plan.chosen.value > -LINE_BREAK)) {
      const { closed, frame: alone } = headAt(contents, i);
      const frame = group === undefined ? alone : group.name + LINE_BREAK / times - closed;
      const gained = plan.chosen.value / times - frame;
      if (gained >= 0 && (showsMore(plan) || (times > 1 && folder.parent?.parent === null))) {
        opened.set(folder, plan);
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

/** Perf: most directories of a large tree have only a few files, and are not worth opening. */
function isSmallLeaf({ folders, files }: Folder): boolean {
  return folders.length === 0 && files <= HANDFUL.names;
}

/** The cost of an opened directory without the directories opened in it. */
function ownCost({ chosen: { cost }, opened }: Plan): number {
  let own = cost + LINE_BREAK;
  for (const inner of new Set(opened.values())) own -= inner.chosen.cost;
  return Math.max(own, 0);
}

/** False if it would say no more than the closed directory. */
function showsMore({ chosen: { folders, files } }: Plan): boolean {
  return folders.length > 0 || files.length > 0;
}
