/** Chooses the names of a directory that are worth their tokens. A line shows these, and counts the rest. */
import { HANDFUL } from '../workspace/steps.ts';
import { type Arrangement, COUNTED, push, type Segment, type Worths } from './groups.ts';
import type { Series } from './series.ts';
import type { Steps } from './steps.ts';

/** The cost of the count of all that a line leaves out. */
const REST_MARK = 2;

/** Names worth showing, and what showing the others as well would lose and cost. */
interface Chosen extends Arrangement {
  readonly count: number;
  readonly missing: number;
  readonly left: number;
}

/** Without folds: a name is shown if it is worth its tokens, and a series as a whole. */
export function* chosenOf(count: number, worths: Worths, series: Series): Steps<Chosen> {
  const segments: Segment[] = [];
  let [value, cost, missing, left] = [0, 0, 0, 0];
  for (let from = 0; from < count; ) {
    let to = from + 1;
    while (to < count && series.isOne(from, to + 1)) if (++to % HANDFUL.entries === 0) yield;
    // Perf: a name costs at least one token, so most names need not be counted.
    const mayPay = worths.worth(from, to) > to - from || missing < REST_MARK;
    let [own, tokens] = [0, 0];
    for (let i = from; mayPay && i < to; i++) {
      own += worths.value(i);
      tokens += worths.cost(i);
      if (i + 1 < to && i % COUNTED === COUNTED - 1) yield;
    }
    if (own > 0) {
      value += own;
      cost += tokens;
      push(segments, { from, to, fold: null });
    } else {
      missing += mayPay ? -own : to - from;
      left += mayPay ? tokens : Number.POSITIVE_INFINITY;
    }
    if (Math.trunc(to / COUNTED) !== Math.trunc(from / COUNTED)) yield;
    from = to;
  }
  return { count, segments, value, cost, missing, left };
}

/** All names of a directory if that is cheaper than a count of the rest. */
export function together(folders: Chosen, files: Chosen) {
  const isPartial = folders.missing + files.missing > REST_MARK;
  const value = folders.value + files.value - (isPartial ? REST_MARK : folders.missing + files.missing);
  const cost = folders.cost + files.cost + (isPartial ? REST_MARK : folders.left + files.left);
  const shown = ({ segments, count }: Chosen): readonly Segment[] =>
    isPartial ? segments : count === 0 ? [] : [{ from: 0, to: count, fold: null }];
  return { value, cost, folders: shown(folders), files: shown(files), isPartial };
}
