/** What comes into sight when a closed directory or a fold is opened, what that costs, and what it is worth. */
import { Folder } from './folder.ts';
import { chainOf, fileLabel, joinedName, Line, LONGEST_CHAIN, labelOf } from './line.ts';
import { type Member, Pool } from './pool.ts';
import type { Steps } from './steps.ts';
import { tokensOfLine, tokensOfName } from './token-count.ts';
import { worthOfFile } from './worth.ts';

/** What lies deeper does not come into sight when a directory is opened, only nearer. */
const DEEPER = 0.5;

/** No name costs less. */
export const CHEAPEST = 1;

/** Tokens for which a directory's files are shown in any case. */
export const FEW = 12;

/** Where names are not at hand: characters of a token, and tokens of a closed directory. Only an order depends on it. */
const CHARACTERS_A_TOKEN = 4;
const CLOSED = 4;

/** Names between two steps: each is cut into pieces and these into tokens, which takes long for a long one. */
const COUNTED = 8;

/** Something that can be opened, and the line that it stands on. */
export interface Candidate {
  readonly line: Line;
  readonly part: Folder | Pool;
  /** Null as long as the directory has to be read again. */
  readonly opening: Opening | null;
  /** What is gained for a token. */
  readonly rank: number;
}

export interface Item {
  readonly pool: Pool;
  readonly part: Member | Pool;
  readonly cost: number;
  readonly gain: number;
}

/** What opening something puts on a line. */
export interface Opening {
  readonly line: Line;
  readonly pools: readonly Pool[];
  readonly items: readonly Item[];
  /** What it costs beside its items; less than nothing where a label goes that costs more. */
  readonly frame: number;
}

/** Of a fold. */
export function* openingOfPool(line: Line, pool: Pool, frame: number): Steps<Opening> {
  return { line, pools: [pool], items: yield* itemsOf(pool, yield* pool.parts()), frame };
}

/**
 * Where there are directories, the files beside them are at first a fold that has to be worth its own tokens, unless
 * they cost no more than `forFiles`: a dozen names of settings would otherwise keep a small map from going anywhere.
 */
export function* openingOfFolder(line: Line, frame: number, forFiles = FEW): Steps<Opening> {
  const { folder } = line;
  const pools: Pool[] = [];
  if (folder.folders.length > 0) pools.push(yield* Pool.of(folder, true, folder.folders));
  if (folder.names !== null && folder.names.length > 0) pools.push(yield* Pool.of(folder, false, folder.names));
  const items: Item[] = [];
  for (const pool of pools) {
    const isBesideFolders = !pool.ofFolders && pools.length > 1;
    items.push(...(isBesideFolders ? yield* cheapItemsOf(pool, forFiles) : yield* itemsOf(pool, yield* pool.parts())));
  }
  return { line, pools, items, frame };
}

function* cheapItemsOf(pool: Pool, most: number): Steps<readonly Item[]> {
  const isCheap = (items: readonly Item[]) => items.reduce((sum, { cost }) => sum + cost, 0) <= most;
  const parts = yield* itemsOf(pool, yield* pool.parts(), most);
  if (isCheap(parts)) return parts;
  const split = yield* itemsOf(pool, yield* pool.split(), most);
  return isCheap(split) ? split : [itemOf(pool, pool)];
}

/** Beyond `most` tokens nobody wants them, so that the rest of them is left out. */
function* itemsOf(
  pool: Pool,
  parts: readonly (Member | Pool)[],
  most = Number.POSITIVE_INFINITY,
): Steps<readonly Item[]> {
  const items: Item[] = [];
  let cost = 0;
  for (const part of parts) {
    const item = itemOf(pool, part);
    items.push(item);
    cost += item.cost;
    if (cost > most) break;
    if (items.length % COUNTED === 0) yield;
  }
  return items;
}

export function* openingFor(line: Line, part: Folder | Pool): Steps<Opening> {
  if (part instanceof Pool) return yield* openingOfPool(line, part, -tokensOfName(labelOf(part)));
  const chain = chainOf(part, LONGEST_CHAIN);
  const name = `${joinedName(chain)}/`;
  const frame = tokensOfLine(line.depth + 1, name) + tokensOfName(name) - tokensOfName(labelOf(part));
  const opened = new Line(chain, line.depth + 1);
  return yield* openingOfFolder(opened, frame);
}

export function* candidateFor(line: Line, part: Folder | Pool): Steps<Candidate> {
  const unread = unreadIn(part);
  if (unread !== null) return { line, part, opening: null, rank: guessedRank(unread) };
  const opening = yield* openingFor(line, part);
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

export function costOf({ items, frame }: Opening): number {
  return items.reduce((sum, { cost }) => sum + cost, frame);
}

function rankOf(opening: Opening): number {
  const gain = opening.items.reduce((sum, item) => sum + item.gain, 0);
  return gain / Math.max(costOf(opening), CHEAPEST);
}

export function itemOf(pool: Pool, part: Member | Pool): Item {
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

/** The directory that has to be read before this can be opened. */
export function unreadIn(part: Folder | Pool): Folder | null {
  if (part instanceof Pool) return null;
  const last = chainOf(part, LONGEST_CHAIN).at(-1) as Folder;
  return last.names === null && last.files > 0 ? last : null;
}
