/** Opening a closed directory or a fold: what it shows, what that costs, and what it is worth. */
import { Fold, type Member } from './fold.ts';
import { Folder } from './folder.ts';
import { chainOf, fileLabel, joinedName, Line, LONGEST_JOIN, labelOf } from './line.ts';
import type { Steps } from './steps.ts';
import { tokensOfLine, tokensOfName } from './token-count.ts';
import { worthOfFile } from './worth.ts';

/** The worth of what an opened directory contains but does not show: it only comes nearer. */
const DEEPER = 0.5;

/** The lowest cost of a name. */
export const CHEAPEST = 1;

/** A directory's files are always shown if they cost no more. */
export const TOKENS_FOR_FILES = 12;

/** Estimates for names that are not in memory: characters per token, and tokens of a closed directory. Used for ranks alone. */
const CHARACTERS_A_TOKEN = 4;
const CLOSED = 4;

/** Names between two steps: counting the tokens of a long name takes long. */
const COUNTED = 8;

/** A closed directory or fold that can be opened, and its line. */
export interface Candidate {
  readonly line: Line;
  readonly part: Folder | Fold;
  /** Null while the directory has to be read again. */
  readonly opening: Opening | null;
  /** The gain per token. */
  readonly rank: number;
}

export interface Item {
  readonly fold: Fold;
  readonly part: Member | Fold;
  readonly cost: number;
  readonly gain: number;
}

/** The changes that opening a candidate makes to a line. */
export interface Opening {
  readonly line: Line;
  readonly folds: readonly Fold[];
  readonly items: readonly Item[];
  /** The cost without the items; negative where it removes a label that costs more. */
  readonly frame: number;
}

export function* openingOfFold(line: Line, fold: Fold, frame: number): Steps<Opening> {
  return { line, folds: [fold], items: yield* itemsOf(fold, yield* fold.parts()), frame };
}

/**
 * Beside directories, files are at first a fold that must be worth its own tokens, unless they cost no more than
 * `forFiles`. Otherwise a dozen configuration files would use up a small map.
 */
export function* openingOfFolder(line: Line, frame: number, forFiles = TOKENS_FOR_FILES): Steps<Opening> {
  const { folder } = line;
  const folds: Fold[] = [];
  if (folder.folders.length > 0) folds.push(yield* Fold.of(folder, true, folder.folders));
  if (folder.names !== null && folder.names.length > 0) folds.push(yield* Fold.of(folder, false, folder.names));
  const items: Item[] = [];
  for (const fold of folds) {
    const isBesideFolders = !fold.ofFolders && folds.length > 1;
    items.push(...(isBesideFolders ? yield* cheapItemsOf(fold, forFiles) : yield* itemsOf(fold, yield* fold.parts())));
  }
  return { line, folds, items, frame };
}

function* cheapItemsOf(fold: Fold, most: number): Steps<readonly Item[]> {
  const isCheap = (items: readonly Item[]) => items.reduce((sum, { cost }) => sum + cost, 0) <= most;
  const parts = yield* itemsOf(fold, yield* fold.parts(), most);
  if (isCheap(parts)) return parts;
  const split = yield* itemsOf(fold, yield* fold.split(), most);
  return isCheap(split) ? split : [itemOf(fold, fold)];
}

/** Stops after `most` tokens, because then the items are not used. */
function* itemsOf(
  fold: Fold,
  parts: readonly (Member | Fold)[],
  most = Number.POSITIVE_INFINITY,
): Steps<readonly Item[]> {
  const items: Item[] = [];
  let cost = 0;
  for (const part of parts) {
    const item = itemOf(fold, part);
    items.push(item);
    cost += item.cost;
    if (cost > most) break;
    if (items.length % COUNTED === 0) yield;
  }
  return items;
}

export function* openingFor(line: Line, part: Folder | Fold): Steps<Opening> {
  if (part instanceof Fold) return yield* openingOfFold(line, part, -tokensOfName(labelOf(part)));
  const chain = chainOf(part, LONGEST_JOIN);
  const name = `${joinedName(chain)}/`;
  const frame = tokensOfLine(line.depth + 1, name) + tokensOfName(name) - tokensOfName(labelOf(part));
  const opened = new Line(chain, line.depth + 1);
  return yield* openingOfFolder(opened, frame);
}

export function* candidateFor(line: Line, part: Folder | Fold): Steps<Candidate> {
  const unread = unreadIn(part);
  if (unread !== null) return { line, part, opening: null, rank: guessedRank(unread) };
  const opening = yield* openingFor(line, part);
  return { line, part, opening, rank: gainPerToken(opening) };
}

/** Estimates the rank of a directory whose names are not in memory. */
function guessedRank({ mass, massBelow, files, characters, folders }: Folder): number {
  const gain = mass + DEEPER * (massBelow - mass);
  return gain / (files + characters / CHARACTERS_A_TOKEN + folders.length * CLOSED);
}

/** True for what contains more than it shows. */
export function canBeOpened(part: Member | Fold): part is Folder | Fold {
  if (!(part instanceof Folder)) return part instanceof Fold;
  const { isEmpty, isUnreadable } = chainOf(part).at(-1) as Folder;
  return !isEmpty && !isUnreadable;
}

export function costOf({ items, frame }: Opening): number {
  return items.reduce((sum, { cost }) => sum + cost, frame);
}

function gainPerToken(opening: Opening): number {
  const gain = opening.items.reduce((sum, item) => sum + item.gain, 0);
  return gain / Math.max(costOf(opening), CHEAPEST);
}

export function itemOf(fold: Fold, part: Member | Fold): Item {
  const { folder } = fold;
  if (part instanceof Fold)
    return { fold, part, cost: tokensOfName(labelOf(part)), gain: DEEPER * DEEPER * massOf(part) };
  if (part instanceof Folder) return { fold, part, cost: tokensOfName(labelOf(part)), gain: DEEPER * part.massBelow };
  const gain = folder.worth * worthOfFile(part) * (1 + (folder.activity?.get(part) ?? 0));
  return { fold, part, cost: tokensOfName(fileLabel(folder, part)), gain };
}

/** An estimate for files: weighing a hundred thousand names would take too long. */
function massOf({ folder, ofFolders, members }: Fold): number {
  if (!ofFolders) return (folder.mass * members.length) / folder.files;
  return (members as readonly Folder[]).reduce((sum, { massBelow }) => sum + massBelow, 0);
}

/** Returns the directory that has to be read before this can be opened. */
export function unreadIn(part: Folder | Fold): Folder | null {
  if (part instanceof Fold) return null;
  const last = chainOf(part, LONGEST_JOIN).at(-1) as Folder;
  return last.names === null && last.files > 0 ? last : null;
}
