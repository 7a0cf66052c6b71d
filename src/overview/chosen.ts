/** Chooses the names of a directory that are worth their tokens. The others are counted, unless they cost less than that. */
import { HANDFUL } from '../workspace/steps.ts';
import { COUNTED, push, type Segment, type Worths } from './groups.ts';
import { NO_SERIES, type Series } from './series.ts';
import type { Steps } from './steps.ts';

/** The cost of the count of all that a line leaves out: two tokens, and the doubt what it stands for. */
export const REST_MARK = 3;

/** Directories or files by their worth. */
export interface Names {
  readonly count: number;
  readonly worths: Worths;
  /** Shown as a whole or not at all. */
  readonly series: Series;
  /** Returns a lower bound for the cost of a name. */
  least(index: number): number;
}

/** Names of which none is worth its tokens, and which lose more than their count costs. */
export const LOST: Names = {
  ...{ count: 1, series: NO_SERIES, least: () => 1 },
  worths: { most: 0, value: () => Number.NEGATIVE_INFINITY, cost: () => 0, worth: () => 0, loss: () => 0 },
};

export const NO_NAMES: Names = { ...LOST, count: 0 };
const NOTHING = { segments: [], value: 0, cost: 0, lost: 0, more: 0 };

/** In tokens. */
export interface Chosen {
  readonly value: number;
  readonly cost: number;
  readonly folders: readonly Segment[];
  readonly files: readonly Segment[];
  /** True if something is left out. */
  readonly isPartial: boolean;
}

export function* chosenOf(folders: Names, files: Names): Steps<Chosen> {
  const ofFolders = folders.count === 0 ? NOTHING : yield* worthwhile(folders);
  const ofFiles = yield* worthwhile(files);
  const [value, cost] = [ofFolders.value + ofFiles.value, ofFolders.cost + ofFiles.cost];
  const lost = ofFolders.lost + ofFiles.lost;
  const isPartial = lost > REST_MARK;
  const all = ({ count }: Names): Segment[] => (count === 0 ? [] : [{ from: 0, to: count, fold: null }]);
  return {
    value: value - Math.min(lost, REST_MARK),
    cost: cost + (isPartial ? REST_MARK : ofFolders.more + ofFiles.more),
    folders: isPartial ? ofFolders.segments : all(folders),
    files: isPartial ? ofFiles.segments : all(files),
    isPartial,
  };
}

/** Returns the names worth their tokens, and what the others would lose and cost. */
function* worthwhile({ count, worths, series, least }: Names) {
  const segments: Segment[] = [];
  let [value, cost, lost, more] = [0, 0, 0, 0];
  for (let from = 0, to = 0; from < count; from = to) {
    to = from + 1;
    while (to < count && series.isOne(from, to + 1)) if (++to % HANDFUL.entries === 0) yield;
    // Perf: the tokens of most names need not be counted.
    const mayMatter = worths.worth(from, to) > least(from) * (to - from) || lost <= REST_MARK;
    let own = mayMatter ? 0 : from - to;
    let tokens = 0;
    for (let i = from; mayMatter && i < to; i++) {
      own += worths.value(i);
      tokens += worths.cost(i);
      if (i % COUNTED === COUNTED - 1) yield;
    }
    if (own > 0) {
      value += own;
      cost += tokens;
      push(segments, { from, to, fold: null });
    } else {
      lost -= own;
      more += tokens;
    }
    if (!mayMatter && from % COUNTED === COUNTED - 1) yield;
  }
  return { segments, value, cost, lost, more };
}
