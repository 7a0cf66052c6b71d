/**
 * What a map shows. The listed directory is open; then whatever shows most for its tokens is opened, again and again:
 * a closed directory, or a fold. What does not fit whole is opened as far as it fits, and the rest of it stays folded.
 */
import type { Bytes } from '../workspace/bytes.ts';
import type { FoldName } from './dense-name.ts';
import { Folder } from './folder.ts';
import { Heap } from './heap.ts';
import { Line, labelOf } from './line.ts';
import {
  type Candidate,
  CHEAPEST,
  canBeOpened,
  candidateFor,
  costOf,
  FEW,
  type Item,
  itemOf,
  type Opening,
  openingFor,
  openingOfFolder,
  openingOfPool,
  unreadIn,
} from './opening.ts';
import { type Member, Pool } from './pool.ts';
import { HANDFUL, type Steps } from './steps.ts';
import { tokensOfName } from './token-count.ts';

/** What the line of the listed directory costs beside its names. */
const FIRST_LINE = 2;

/** The part of a budget that the folds may cost which stand for all of a larger one, before any of them is opened. */
const FOR_FOLDS = 0.6;

/** The part of a budget for which the listed directory's files are shown in any case. */
const FOR_OWN_FILES = 0.1;

export class Chooser {
  /** The line of the listed directory. */
  readonly root: Line;
  readonly #budget: number;
  /** What stands for everything until the listed directory is opened. */
  readonly #folded: readonly Pool[];
  readonly #isFold: boolean;
  readonly #candidates = new Heap<Candidate>();
  /** What did not fit, for the case that more can be spent. */
  #left: Candidate[] = [];
  #remaining: number;
  #isOpen = false;

  /** With `fold` the map is one of a fold: smaller ones have to stand for it, or nobody could ever see into it. */
  constructor(root: Folder, budget: number, fold: FoldName | null) {
    this.root = new Line([root], 0);
    this.#budget = budget;
    this.#isFold = fold !== null;
    const pools = [true, false].map((ofFolders) => {
      const name = fold ?? { ofFolders, prefix: '' as Bytes, range: null };
      return new Pool(root, { ...name, ofFolders }, ofFolders ? root.folders : (root.names ?? []));
    });
    this.#folded = pools.filter(({ members }) => members.length > 0);
    for (const pool of this.#folded) this.root.folds.add(pool);
    this.#remaining = budget - FIRST_LINE - this.#folded.reduce((sum, pool) => sum + tokensOfName(labelOf(pool)), 0);
  }

  /** Tokens that can still be spent. */
  get remaining(): number {
    return this.#remaining;
  }

  /**
   * Opens one thing after the other, until nothing fits any more. At each step it can be left as it is, for what it
   * shows is complete then; a directory that it yields has to be read again before it can go on.
   */
  *run(): Generator<Folder | undefined, void, void> {
    if (!this.#isOpen) yield* this.#openListed();
    while (this.#remaining >= CHEAPEST) {
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

  /** More can be spent: what did not fit is tried again. */
  grant(tokens: number): void {
    this.#remaining = tokens;
    const left = this.#left;
    this.#left = [];
    for (const candidate of left) this.#candidates.add(candidate);
  }

  *#openListed(): Steps<void> {
    const fold = this.#isFold ? this.#folded[0] : undefined;
    const opening = fold
      ? yield* openingOfPool(this.root, fold, FIRST_LINE)
      : yield* openingOfFolder(this.root, FIRST_LINE, Math.max(FEW, this.#budget * FOR_OWN_FILES));
    if (fold !== undefined && costOf(opening) > this.#budget) yield* this.#showFolds(fold);
    else yield* this.#show(opening, this.#chosenOf(opening, this.#budget), this.#budget, () => this.#unfold());
  }

  #unfold(): void {
    this.#isOpen = true;
    this.root.folds.clear();
  }

  *#open(candidate: Candidate): Steps<void> {
    const { line, part } = candidate;
    const opening = candidate.opening ?? (yield* openingFor(line, part));
    const chosen = this.#chosenOf(opening, this.#remaining);
    if (chosen.size === 0 && opening.items.length > 0) {
      this.#left.push(candidate);
      return;
    }
    yield* this.#show(opening, chosen, this.#remaining, () => {
      if (part instanceof Pool) line.folds.delete(part);
      else {
        line.closed.delete(part);
        line.lines.push(opening.line);
      }
    });
  }

  /** All items if they fit; else those that are worth most for their tokens, beside folds for the rest. */
  #chosenOf(opening: Opening, tokens: number): Set<Item> {
    const { items, pools, frame } = opening;
    if (costOf(opening) <= tokens) return new Set(items);
    const rests = new Map(pools.map((pool) => [pool, { cost: tokensOfName(labelOf(pool)), items: 0 }]));
    for (const { pool } of items) (rests.get(pool) as { items: number }).items++;
    let spent = frame;
    for (const { cost } of rests.values()) spent += cost;
    const chosen = new Set<Item>();
    for (const item of [...items].sort((a, b) => b.gain / b.cost - a.gain / a.cost)) {
      const rest = rests.get(item.pool) as { cost: number; items: number };
      const isLast = rest.items === 1;
      const cost = isLast ? item.cost - rest.cost : item.cost;
      if (spent + cost > tokens) continue;
      spent += cost;
      rest.items--;
      chosen.add(item);
    }
    return chosen;
  }

  /** `tokens` are there to be spent; `clear` takes away what was shown in its place. */
  *#show(opening: Opening, chosen: ReadonlySet<Item>, tokens: number, clear: () => void): Steps<void> {
    const { line, frame } = opening;
    const rests = yield* restsOf(opening, chosen);
    // No step up to the candidates: in between, something would be shown twice or not at all.
    clear();
    this.#remaining = tokens - frame;
    for (const { part, cost } of chosen) {
      this.#remaining -= cost;
      put(line, part);
    }
    for (const fold of rests) {
      this.#remaining -= tokensOfName(labelOf(fold));
      line.folds.add(fold);
    }
    for (const { part } of chosen) yield* this.#consider(line, part);
    for (const fold of rests) this.#left.push(yield* candidateFor(line, fold));
  }

  *#showFolds(pool: Pool): Steps<void> {
    const cost = (part: Member | Pool) => itemOf(pool, part).cost;
    const allowance = this.#budget - FIRST_LINE;
    const parts = (yield* pool.splitWithin(allowance * FOR_FOLDS, cost)) ??
      (yield* pool.splitWithin(allowance, cost)) ?? [pool];
    this.#unfold();
    this.#remaining = allowance;
    for (const part of parts) {
      this.#remaining -= cost(part);
      put(this.root, part);
    }
    for (const part of parts) yield* this.#consider(this.root, part);
  }

  *#consider(line: Line, part: Member | Pool): Steps<void> {
    if (!canBeOpened(part)) return;
    this.#candidates.add(yield* candidateFor(line, part));
    yield;
  }
}

function put(line: Line, part: Member | Pool): void {
  if (part instanceof Pool) line.folds.add(part);
  else if (part instanceof Folder) line.closed.add(part);
  else line.files.push(part);
}

/** Folds for what is not chosen. */
function* restsOf({ pools, items }: Opening, chosen: ReadonlySet<Item>): Steps<Pool[]> {
  if (chosen.size === items.length) return [];
  const rests = new Map<Pool, Member[]>(pools.map((pool) => [pool, []]));
  for (const item of items) {
    if (chosen.has(item)) continue;
    const rest = rests.get(item.pool) as Member[];
    for (const member of membersOf(item.part)) {
      rest.push(member);
      if (rest.length % HANDFUL === 0) yield;
    }
  }
  return [...rests].filter(([, rest]) => rest.length > 0).map(([pool, rest]) => pool.with(rest));
}

function membersOf(part: Member | Pool): readonly Member[] {
  return part instanceof Pool ? part.members : [part];
}
