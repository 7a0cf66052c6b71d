/**
 * Chooses what a map shows. The listed directory is open; then the closed directory or fold that shows most for its
 * tokens is opened, again and again. One that does not fit whole is opened as far as it fits, and its rest stays folded.
 */
import type { Bytes } from '../workspace/bytes.ts';
import type { FoldName } from './dense-name.ts';
import { Fold, type Member } from './fold.ts';
import { Folder } from './folder.ts';
import { Heap } from './heap.ts';
import { Line, labelOf } from './line.ts';
import {
  type Candidate,
  CHEAPEST,
  canBeOpened,
  candidateFor,
  costOf,
  type Item,
  itemOf,
  type Opening,
  openingFor,
  openingOfFold,
  openingOfFolder,
  TOKENS_FOR_FILES,
  unreadIn,
} from './opening.ts';
import { HANDFUL, type Steps } from './steps.ts';
import { tokensOfName } from './token-count.ts';

/** The cost of the listed directory's line without its names. */
const FIRST_LINE = 2;

/** The part of the budget for the folds that replace a larger one, before any of them is opened. */
const FOR_FOLDS = 0.6;

/** The part of the budget up to which the listed directory's files are always shown. */
const FOR_OWN_FILES = 0.1;

export class Chooser {
  /** The line of the listed directory. */
  readonly root: Line;
  readonly #budget: number;
  /** The folds that stand for everything until the listed directory is opened. */
  readonly #whole: readonly Fold[];
  readonly #isFold: boolean;
  readonly #candidates = new Heap<Candidate>();
  /** Candidates that did not fit, in case the budget grows. */
  readonly #left: Candidate[] = [];
  /** Tokens that can still be spent. */
  remaining: number;
  #isOpen = false;

  /** With `fold` the map is one of a fold, which must be split into smaller ones, or it could never be opened. */
  constructor(root: Folder, budget: number, fold: FoldName | null) {
    this.root = new Line([root], 0);
    this.#budget = budget;
    this.#isFold = fold !== null;
    const folds = [true, false].map((ofFolders) => {
      const name = fold ?? { ofFolders, prefix: '' as Bytes, range: null };
      return new Fold(root, { ...name, ofFolders }, ofFolders ? root.folders : (root.names ?? []));
    });
    this.#whole = folds.filter(({ members }) => members.length > 0);
    for (const whole of this.#whole) this.root.folds.add(whole);
    this.remaining = budget - FIRST_LINE - this.#whole.reduce((sum, whole) => sum + tokensOfName(labelOf(whole)), 0);
  }

  /**
   * Opens candidates until nothing more fits. It may be stopped at any yield, where the map is complete. A directory
   * that it yields has to be read again before it can continue.
   */
  *run(): Generator<Folder | undefined, void, void> {
    if (!this.#isOpen) yield* this.#openListed();
    while (this.remaining >= CHEAPEST) {
      const candidate = this.#candidates.best;
      if (candidate === undefined) return;
      const unread = candidate.opening === null ? unreadIn(candidate.part) : null;
      if (unread !== null) {
        yield unread;
        continue;
      }
      this.#candidates.dropBest();
      yield* this.#open(candidate);
      yield;
    }
  }

  /** Sets the tokens that can be spent, and tries again what did not fit. */
  grant(tokens: number): void {
    this.remaining = tokens;
    for (const candidate of this.#left.splice(0)) this.#candidates.add(candidate);
  }

  *#openListed(): Steps<void> {
    const fold = this.#isFold ? this.#whole[0] : undefined;
    const opening = fold
      ? yield* openingOfFold(this.root, fold, FIRST_LINE)
      : yield* openingOfFolder(this.root, FIRST_LINE, Math.max(TOKENS_FOR_FILES, this.#budget * FOR_OWN_FILES));
    const isTooLarge = fold !== undefined && costOf(opening) > this.#budget;
    const items = isTooLarge ? yield* this.#smallFolds(fold) : opening.items;
    const chosen = isTooLarge ? new Set(items) : this.#chosenOf(opening, this.#budget);
    yield* this.#show({ ...opening, items }, chosen, this.#budget, () => {
      this.#isOpen = true;
      this.root.folds.clear();
    });
  }

  /** Splits a fold into as many as a part of the budget allows. */
  *#smallFolds(fold: Fold): Steps<Item[]> {
    const allowance = this.#budget - FIRST_LINE;
    const cost = (part: Member | Fold) => itemOf(fold, part).cost;
    const few = yield* fold.splitWithin(allowance * FOR_FOLDS, cost);
    const parts = few ?? (yield* fold.splitWithin(allowance, cost)) ?? [fold];
    return parts.map((part) => itemOf(fold, part));
  }

  *#open(candidate: Candidate): Steps<void> {
    const { line, part } = candidate;
    const opening = candidate.opening ?? (yield* openingFor(line, part));
    const chosen = this.#chosenOf(opening, this.remaining);
    if (chosen.size === 0 && opening.items.length > 0) {
      this.#left.push(candidate);
      return;
    }
    yield* this.#show(opening, chosen, this.remaining, () => {
      if (part instanceof Fold) line.folds.delete(part);
      else {
        line.closed.delete(part);
        line.lines.push(opening.line);
      }
    });
  }

  /** Returns all items if they fit; otherwise those that are worth most for their tokens, beside folds for the rest. */
  #chosenOf(opening: Opening, tokens: number): Set<Item> {
    const { items, folds, frame } = opening;
    if (costOf(opening) <= tokens) return new Set(items);
    const rests = new Map(folds.map((fold) => [fold, { cost: tokensOfName(labelOf(fold)), items: 0 }]));
    for (const { fold } of items) (rests.get(fold) as { items: number }).items++;
    let spent = frame;
    for (const { cost } of rests.values()) spent += cost;
    const chosen = new Set<Item>();
    for (const item of [...items].sort((a, b) => b.gain / b.cost - a.gain / a.cost)) {
      const rest = rests.get(item.fold) as { cost: number; items: number };
      const isLast = rest.items === 1;
      const cost = isLast ? item.cost - rest.cost : item.cost;
      if (spent + cost > tokens) continue;
      spent += cost;
      rest.items--;
      chosen.add(item);
    }
    return chosen;
  }

  /** Spends at most `tokens`; `clear` removes what was shown in its place. */
  *#show(opening: Opening, chosen: ReadonlySet<Item>, tokens: number, clear: () => void): Steps<void> {
    const { line, frame } = opening;
    const rests = yield* restsOf(opening, chosen);
    // No yield before the candidates: in between, something would be shown twice or not at all.
    clear();
    this.remaining = tokens - frame;
    for (const { part, cost } of chosen) {
      this.remaining -= cost;
      put(line, part);
    }
    for (const fold of rests) {
      this.remaining -= tokensOfName(labelOf(fold));
      line.folds.add(fold);
    }
    for (const { part } of chosen) {
      if (!canBeOpened(part)) continue;
      this.#candidates.add(yield* candidateFor(line, part));
      yield;
    }
    for (const fold of rests) this.#left.push(yield* candidateFor(line, fold));
  }
}

function put(line: Line, part: Member | Fold): void {
  if (part instanceof Fold) line.folds.add(part);
  else if (part instanceof Folder) line.closed.add(part);
  else line.files.push(part);
}

/** Returns folds for the items that are not chosen. */
function* restsOf({ folds, items }: Opening, chosen: ReadonlySet<Item>): Steps<Fold[]> {
  if (chosen.size === items.length) return [];
  const rests = new Map<Fold, Member[]>(folds.map((fold) => [fold, []]));
  for (const item of items) {
    if (chosen.has(item)) continue;
    const rest = rests.get(item.fold) as Member[];
    for (const member of item.part instanceof Fold ? item.part.members : [item.part]) {
      rest.push(member);
      if (rest.length % HANDFUL === 0) yield;
    }
  }
  return [...rests].filter(([, rest]) => rest.length > 0).map(([fold, rest]) => fold.with(rest));
}
