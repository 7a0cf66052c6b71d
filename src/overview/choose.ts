/**
 * What a map shows. The listed directory is open; then whatever shows most for its tokens is opened, again and again:
 * a closed directory, or a fold. What does not fit whole is opened as far as it fits, and the rest of it stays folded.
 */
import type { FoldName } from './dense-name.ts';
import { Folder } from './folder.ts';
import { Heap } from './heap.ts';
import { chainOf, fileLabel, joinedName, Line, LONGEST_CHAIN, labelOf } from './line.ts';
import { type Member, Pool } from './pool.ts';
import { tokensOfLine, tokensOfName } from './token-count.ts';
import { worthOfFile } from './worth.ts';

/** What lies deeper does not come into sight when a directory is opened, only nearer. */
const DEEPER = 0.5;

/** No name costs less. */
const CHEAPEST = 1;

/** What the line of the listed directory costs beside its names. */
const FIRST_LINE = 2;

/** The part of a budget that the folds may cost which stand for all of a larger one, before any of them is opened. */
const FOR_FOLDS = 0.6;

/** Tokens for which a directory's files are shown in any case; for those of the listed one this part of the budget. */
const FEW = 12;
const FOR_OWN_FILES = 0.1;

/** Where names are not at hand: characters of a token, and tokens of a closed directory. Only an order depends on it. */
const CHARACTERS_A_TOKEN = 4;
const CLOSED = 4;

/** Something that can be opened, and the line that it stands on. */
interface Candidate {
  readonly line: Line;
  readonly part: Folder | Pool;
  /** Null as long as the directory has to be read again. */
  readonly opening: Opening | null;
  /** What is gained for a token. */
  readonly rank: number;
}

interface Item {
  readonly pool: Pool;
  readonly part: Member | Pool;
  readonly cost: number;
  readonly gain: number;
}

/** What opening something puts on a line. */
interface Opening {
  readonly line: Line;
  readonly pools: readonly Pool[];
  readonly items: readonly Item[];
  /** What it costs beside its items; less than nothing where a label goes that costs more. */
  readonly frame: number;
}

export class Chooser {
  /** The line of the listed directory. */
  readonly root: Line;
  readonly #candidates = new Heap<Candidate>();
  /** What did not fit, for the case that more can be spent. */
  #left: Candidate[] = [];
  /** Tokens that can still be spent. */
  #remaining: number;

  /** With `fold` the map is one of a fold: smaller ones have to stand for it, or nobody could ever see into it. */
  constructor(root: Folder, budget: number, fold: FoldName | null) {
    this.root = new Line([root], 0);
    this.#remaining = budget;
    const pool = fold && new Pool(root, fold, fold.ofFolders ? root.folders : (root.names ?? []));
    const opening = pool
      ? openingOf(this.root, [pool], FIRST_LINE)
      : openingOfFolder(this.root, FIRST_LINE, Math.max(FEW, budget * FOR_OWN_FILES));
    if (pool === null || costOf(opening) <= budget) this.#show(opening, this.#choose(opening));
    else this.#showFolds(pool);
  }

  /** Opens one thing after the other, until nothing fits any more: then it returns null. */
  run(isOver: () => boolean): Folder | 'pause' | null {
    while (this.#remaining >= CHEAPEST) {
      const candidate = this.#candidates.best;
      if (candidate === undefined) return null;
      const unread = candidate.opening === null ? unreadIn(candidate.part) : null;
      if (unread !== null) return unread;
      this.#candidates.dropBest();
      this.#open(candidate);
      // One may be a directory of thousands, so the clock is looked at after each.
      if (isOver()) return 'pause';
    }
    return null;
  }

  /** More can be spent: what did not fit is tried again. */
  grant(tokens: number): void {
    this.#remaining = tokens;
    const left = this.#left;
    this.#left = [];
    for (const candidate of left) this.#candidates.add(candidate);
  }

  #open(candidate: Candidate): void {
    const { line, part } = candidate;
    const opening = candidate.opening ?? openingFor(line, part);
    const chosen = this.#choose(opening);
    if (chosen.size === 0 && opening.items.length > 0) {
      this.#left.push(candidate);
      return;
    }
    if (part instanceof Pool) line.folds.delete(part);
    else {
      line.closed.delete(part);
      line.lines.push(opening.line);
    }
    this.#show(opening, chosen);
  }

  /** All items if they fit; else those that are worth most for their tokens, beside folds for the rest. */
  #choose(opening: Opening): Set<Item> {
    const { items, pools, frame } = opening;
    if (costOf(opening) <= this.#remaining) return new Set(items);
    const rests = new Map(pools.map((pool) => [pool, { cost: tokensOfName(labelOf(pool)), items: 0 }]));
    for (const { pool } of items) (rests.get(pool) as { items: number }).items++;
    let spent = frame;
    for (const { cost } of rests.values()) spent += cost;
    const chosen = new Set<Item>();
    for (const item of [...items].sort((a, b) => b.gain / b.cost - a.gain / a.cost)) {
      const rest = rests.get(item.pool) as { cost: number; items: number };
      const isLast = rest.items === 1;
      const cost = isLast ? item.cost - rest.cost : item.cost;
      if (spent + cost > this.#remaining) continue;
      spent += cost;
      rest.items--;
      chosen.add(item);
    }
    return chosen;
  }

  #show({ line, pools, items, frame }: Opening, chosen: ReadonlySet<Item>): void {
    this.#remaining -= frame;
    for (const item of chosen) {
      this.#remaining -= item.cost;
      this.#put(line, item.part);
    }
    if (chosen.size === items.length) return;
    for (const pool of pools) {
      const rest = items
        .filter((item) => item.pool === pool && !chosen.has(item))
        .flatMap(({ part }) => membersOf(part));
      if (rest.length === 0) continue;
      const fold = pool.with(rest);
      this.#remaining -= tokensOfName(labelOf(fold));
      line.folds.add(fold);
      this.#left.push(candidateFor(line, fold));
    }
  }

  #put(line: Line, part: Member | Pool): void {
    if (part instanceof Pool) line.folds.add(part);
    else if (part instanceof Folder) line.closed.add(part);
    else line.files.push(part);
    if (canBeOpened(part)) this.#candidates.add(candidateFor(line, part));
  }

  #showFolds(pool: Pool): void {
    const cost = (part: Member | Pool) => itemOf(pool, part).cost;
    const allowance = this.#remaining - FIRST_LINE;
    const parts = pool.splitWithin(allowance * FOR_FOLDS, cost) ?? pool.splitWithin(allowance, cost) ?? [pool];
    this.#remaining = allowance;
    for (const part of parts) {
      this.#remaining -= cost(part);
      this.#put(this.root, part);
    }
  }
}

function poolsOf(folder: Folder): Pool[] {
  const pools = [Pool.of(folder, true, folder.folders), Pool.of(folder, false, folder.names ?? [])];
  return pools.filter(({ members }) => members.length > 0);
}

function openingOf(line: Line, pools: readonly Pool[], frame: number, partsOf = (pool: Pool) => pool.parts()): Opening {
  const items = pools.flatMap((pool) => partsOf(pool).map((part) => itemOf(pool, part)));
  return { line, pools, items, frame };
}

/**
 * Where there are directories, the files beside them are at first a fold that has to be worth its own tokens, unless
 * they cost no more than `forFiles`: a dozen names of settings would otherwise keep a small map from going anywhere.
 */
function openingOfFolder(line: Line, frame: number, forFiles = FEW): Opening {
  const pools = poolsOf(line.folder);
  return openingOf(line, pools, frame, (pool) => {
    if (pool.ofFolders || pools.length === 1) return pool.parts();
    const isCheap = (parts: readonly (Member | Pool)[]) =>
      parts.reduce((sum, part) => sum + itemOf(pool, part).cost, 0) <= forFiles;
    return [pool.parts(), pool.split()].find(isCheap) ?? [pool];
  });
}

function openingFor(line: Line, part: Folder | Pool): Opening {
  if (part instanceof Pool) return openingOf(line, [part], -tokensOfName(labelOf(part)));
  const chain = chainOf(part, LONGEST_CHAIN);
  const name = `${joinedName(chain)}/`;
  const frame = tokensOfLine(line.depth + 1, name) + tokensOfName(name) - tokensOfName(labelOf(part));
  const opened = new Line(chain, line.depth + 1);
  return openingOfFolder(opened, frame);
}

function candidateFor(line: Line, part: Folder | Pool): Candidate {
  const unread = unreadIn(part);
  if (unread !== null) return { line, part, opening: null, rank: guessedRank(unread) };
  const opening = openingFor(line, part);
  return { line, part, opening, rank: rankOf(opening) };
}

/** Of a directory whose names are not at hand, by their length. */
function guessedRank({ mass, massBelow, files, characters, folders }: Folder): number {
  const gain = mass + DEEPER * (massBelow - mass);
  return gain / (files + characters / CHARACTERS_A_TOKEN + folders.length * CLOSED);
}

/** Whether there is more behind it than it shows. */
export function canBeOpened(part: Member | Pool): part is Folder | Pool {
  if (!(part instanceof Folder)) return part instanceof Pool;
  const { isEmpty, isUnreadable } = chainOf(part).at(-1) as Folder;
  return !isEmpty && !isUnreadable;
}

function costOf({ items, frame }: Opening): number {
  return items.reduce((sum, { cost }) => sum + cost, frame);
}

function rankOf(opening: Opening): number {
  const gain = opening.items.reduce((sum, item) => sum + item.gain, 0);
  return gain / Math.max(costOf(opening), CHEAPEST);
}

function itemOf(pool: Pool, part: Member | Pool): Item {
  const { folder } = pool;
  if (part instanceof Pool)
    return { pool, part, cost: tokensOfName(labelOf(part)), gain: DEEPER * DEEPER * massOf(part) };
  if (part instanceof Folder) return { pool, part, cost: tokensOfName(labelOf(part)), gain: DEEPER * part.massBelow };
  const gain = folder.worth * worthOfFile(part) * (1 + (folder.activity?.get(part) ?? 0));
  return { pool, part, cost: tokensOfName(fileLabel(folder, part)), gain };
}

/** Of files about: to weigh a hundred thousand names would take longer than it is worth. */
function massOf({ folder, ofFolders, members }: Pool): number {
  if (!ofFolders) return (folder.mass * members.length) / folder.files;
  return (members as readonly Folder[]).reduce((sum, { massBelow }) => sum + massBelow, 0);
}

function membersOf(part: Member | Pool): readonly Member[] {
  return part instanceof Pool ? part.members : [part];
}

/** The directory that has to be read before this can be opened. */
function unreadIn(part: Folder | Pool): Folder | null {
  if (part instanceof Pool) return null;
  const last = chainOf(part, LONGEST_CHAIN).at(-1) as Folder;
  return last.names === null && last.files > 0 ? last : null;
}
