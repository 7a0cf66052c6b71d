/**
 * Groups the names of one directory, and finds the best way to write them at a price.
 *
 * A group is everything that starts with the same words (`test_frame_*`). Within a group, names are divided by their
 * next byte; neighbours that are not worth their tokens are folded together (`test_[a-f]*`). So folds never overlap, and
 * a name that matters stands by itself between folds.
 */
import type { Bytes } from '../names/bytes.ts';
import { HANDFUL } from '../workspace/steps.ts';
import { type FoldName, isPlainBound } from './dense-name.ts';
import type { Series } from './series.ts';
import type { Steps } from './steps.ts';
import { tokensIn } from './token-count.ts';
import { wordEnd, wordsWithin } from './words.ts';

/** The worth and cost of sorted names, by index. All numbers are tokens. */
export interface Worths {
  /** An upper bound for the worth of a single name. */
  readonly most: number;
  /** The value of writing a name: its worth less its cost. */
  value(index: number): number;
  cost(index: number): number;
  /** An upper bound for the worth of all names in a range. */
  worth(from: number, to: number): number;
  /** What folding these names costs besides tokens if that fold is unwanted. */
  loss(from: number, to: number): number;
}

/** A range of names, written one by one or as a fold. */
export interface Segment {
  readonly from: number;
  to: number;
  readonly fold: Pick<FoldName, 'prefix' | 'range'> | null;
}

/** A way to write names, with its value and cost. */
interface Arrangement {
  readonly value: number;
  readonly cost: number;
  readonly segments: readonly Segment[];
}

/** The worth of a fold as a fraction of its names' worth: it only shows where they are. Words say more than letters. */
const FOLDED = 0.12;
const FOLDED_BY_LETTERS = 0.06;

/** Fewer names than this are folded only if they are long. */
const MIN_FOLDED = 3;
const LONG = 12;

/** This many names that start with the same letter are divided by their next letter. */
const MIN_DIVIDED = 8;

/** The deepest nesting of groups; hostile names could otherwise cause hundreds of levels. */
const DEEPEST = 12;

/** Estimated cost of a fold's marks and count. */
const FOLD_MARKS = 3;
const RANGE_MARKS = 6;
const ESCAPED_RANGE_MARKS = 16;

/** Longest prefix, in bytes, where folds differ without it. */
const LONGEST_PREFIX = 24;

/** Stands for the next byte of a name that has ended. */
const NAME_END = -1;

/** The tokens of a longer name, in bytes, are estimated. */
const LONGEST_COUNTED = 64;
const BYTES_A_TOKEN = 3;

/** The folds that are wanted: any, those that begin with a word, or none. Others are written only where nothing else fits. */
type Wanted = 'any' | 'words' | 'none';

interface Group {
  readonly from: number;
  readonly to: number;
  readonly prefix: Bytes;
  readonly cost: number;
  /** How many groups enclose it. */
  readonly depth: number;
  classes: readonly ByteClass[] | null;
}

/** Names that continue with the same byte. */
interface ByteClass {
  readonly from: number;
  readonly to: number;
  readonly byte: number;
  /** The tokens of a fold of the whole class. */
  cost: number | null;
  /** Groups, and the indices of names that are in no group. */
  parts: readonly (Group | number)[] | null;
}

/** The best arrangement of the first classes: the one up to `first`, then a fold, or one class name by name. */
interface State {
  readonly value: number;
  readonly cost: number;
  readonly first: number;
  readonly each: Arrangement | null;
}

export class NameGroups {
  readonly #names: readonly Bytes[];
  readonly #all: Group;
  readonly #wanted: Wanted;
  /** The names of a series are shown all together or not at all. */
  readonly #series: Series;
  /** Folds compared since the last step. */
  #compared = 0;

  constructor(names: readonly Bytes[], wanted: Wanted, series: Series) {
    this.#names = names;
    this.#wanted = wanted;
    this.#series = series;
    this.#all = this.#group(0, names.length, '' as Bytes, { whole: true, depth: 0 });
  }

  *best(worths: Worths): Steps<Arrangement> {
    if (this.#names.length === 0) return { value: 0, cost: 0, segments: [] };
    return yield* this.#opened(this.#all, worths, true);
  }

  *#openedOrFolded(group: Group, worths: Worths): Steps<Arrangement> {
    const { from, to, prefix, cost } = group;
    const foldCost = cost + FOLD_MARKS;
    const isWanted = this.#isWanted(prefix);
    const folded: Arrangement = {
      value: FOLDED * worths.worth(from, to) - foldCost - (isWanted ? 0 : worths.loss(from, to)),
      cost: foldCost,
      segments: [{ from, to, fold: { prefix, range: null } }],
    };
    const mayFold = this.#mayFold(from, to);
    // A name costs at least one token. If none is worth that, only folds remain, and a single fold is the cheapest.
    // A series is shown as a whole or not at all.
    const isSeries = this.#series.isOne(from, to);
    const least = isSeries ? to - from : 1;
    if (mayFold && ((isWanted && worths.most <= 1) || worths.worth(from, to) - least <= folded.value)) return folded;
    const opened = isSeries ? yield* this.#shown(from, to, worths) : yield* this.#opened(group, worths, false);
    return mayFold && folded.value > opened.value ? folded : opened;
  }

  /**
   * Perf: a map spends most of its time here. So only numbers are compared, and the best arrangement is built at the end.
   */
  *#opened(group: Group, worths: Worths, mustDivide: boolean): Steps<Arrangement> {
    group.classes ??= this.#classesOf(group);
    const { classes } = group;
    const states: State[] = [{ value: 0, cost: 0, first: 0, each: null }];
    for (let j = 0; j < classes.length; j++) {
      const last = classes[j] as ByteClass;
      const before = states[j] as State;
      let best = Number.NEGATIVE_INFINITY;
      let bestCost = 0;
      let first = -1;
      let each: Arrangement | null = null;
      const isWhole = mustDivide && j === classes.length - 1;
      for (let i = j; i >= 0 && last.byte !== NAME_END; i--) {
        const { from, byte } = classes[i] as ByteClass;
        if (byte === NAME_END || (isWhole && i === 0)) break;
        if (!this.#mayFold(from, last.to)) continue;
        if (i === j) last.cost ??= tokensOfStart(this.#common(from, last.to)) + FOLD_MARKS;
        const marks = PLAIN_BOUNDS[byte] === 1 && PLAIN_BOUNDS[last.byte] === 1 ? RANGE_MARKS : ESCAPED_RANGE_MARKS;
        const cost = i === j ? (last.cost as number) : group.cost + marks;
        const isWanted = this.#isWanted(i === j ? this.#common(from, last.to) : null);
        const start = states[i] as State;
        const worth = (i === j ? FOLDED : FOLDED_BY_LETTERS) * worths.worth(from, last.to);
        const value = start.value + worth - cost - (isWanted ? 0 : worths.loss(from, last.to));
        if (value <= best) continue;
        best = value;
        bestCost = start.cost + cost;
        first = i;
      }
      const mayPay =
        (worths.most > 1 || this.#wanted !== 'any') && before.value + worths.worth(last.from, last.to) - 1 > best;
      if (first < 0 || (mayPay && !this.#series.cuts(last.from, last.to))) {
        const names: Arrangement = yield* this.#each(last, group, worths);
        const value = before.value + names.value;
        if (value > best) {
          best = value;
          bestCost = before.cost + names.cost;
          first = j;
          each = names;
        }
      }
      states.push({ value: best, cost: bestCost, first, each });
      this.#compared += j + 1;
      if (this.#compared > COMPARED) {
        this.#compared = 0;
        yield;
      }
    }
    return this.#joined(states, group);
  }

  /** Joins the segments of the states that led to the last one. */
  #joined(states: readonly State[], { classes, prefix }: Group): Arrangement {
    const end = states.at(-1) as State;
    const way: (readonly Segment[])[] = [];
    for (let j = states.length - 1; j > 0; ) {
      const { first, each } = states[j] as State;
      way.push(each?.segments ?? [this.#folded(classes as readonly ByteClass[], first, j - 1, prefix)]);
      j = first;
    }
    const segments: Segment[] = [];
    for (const part of way.reverse()) for (const segment of part) push(segments, segment);
    return { value: end.value, cost: end.cost, segments };
  }

  #folded(classes: readonly ByteClass[], i: number, j: number, prefix: Bytes): Segment {
    const [first, last] = [classes[i] as ByteClass, classes[j] as ByteClass];
    const fold =
      i === j
        ? { prefix: this.#common(last.from, last.to), range: null }
        : { prefix, range: { from: first.byte, to: last.byte } };
    return { from: first.from, to: last.to, fold };
  }

  /** Writes the names of a class one by one, and each of its groups in the best way. */
  *#each(one: ByteClass, group: Group, worths: Worths): Steps<Arrangement> {
    one.parts ??= yield* this.#partsOf(one, group);
    let [value, cost] = [0, 0];
    const segments: Segment[] = [];
    for (let i = 0; i < one.parts.length; i++) {
      const part = one.parts[i] as Group | number;
      if (typeof part === 'number') {
        value += worths.value(part);
        cost += worths.cost(part);
        push(segments, { from: part, to: part + 1, fold: null });
      } else {
        const best = yield* this.#openedOrFolded(part, worths);
        value += best.value;
        cost += best.cost;
        for (const segment of best.segments) push(segments, segment);
      }
      if (i % COUNTED === COUNTED - 1) yield;
    }
    return { value, cost, segments };
  }

  *#shown(from: number, to: number, worths: Worths): Steps<Arrangement> {
    let [value, cost] = [0, 0];
    for (let i = from; i < to; i++) {
      value += worths.value(i);
      cost += worths.cost(i);
      if (i % COUNTED === COUNTED - 1) yield;
    }
    return { value, cost, segments: [{ from, to, fold: null }] };
  }

  #mayFold(from: number, to: number): boolean {
    return to - from >= MIN_FOLDED || this.#isLong(from, to);
  }

  /** `prefix` is null for a range of letters, which tells a reader nothing. */
  #isWanted(prefix: Bytes | null): boolean {
    return this.#wanted === 'any' || (this.#wanted === 'words' && prefix !== null && TELLING.test(prefix));
  }

  /** Perf: decided by bytes, because counting the tokens of each name would take longer than everything else. */
  #isLong(from: number, to: number): boolean {
    let bytes = 0;
    for (let i = from; i < to && bytes <= LONG * BYTES_A_TOKEN; i++) bytes += (this.#names[i] as Bytes).length;
    return bytes > LONG * BYTES_A_TOKEN;
  }

  #classesOf({ from, to, prefix: { length } }: Group): ByteClass[] {
    const classes: ByteClass[] = [];
    for (let start = from; start < to; ) {
      const byte = byteAt(this.#names[start] as Bytes, length);
      const end = this.#firstAfter(start, to, (name) => byteAt(name, length) > byte);
      classes.push({ from: start, to: end, byte, cost: null, parts: null });
      start = end;
    }
    return classes;
  }

  *#partsOf({ from, to, byte }: ByteClass, { prefix, depth }: Group): Steps<(Group | number)[]> {
    const parts: (Group | number)[] = [];
    for (let start = from; start < to; ) {
      const name = this.#names[start] as Bytes;
      const words = name.slice(0, wordEnd(name, prefix.length));
      const end = byte === NAME_END ? to : this.#firstAfter(start, to, (other) => !other.startsWith(words));
      const isGroup = end - start >= MIN_FOLDED && words.length > prefix.length && depth < DEEPEST;
      let first = start;
      // Names before it can begin alike, too: `perl.1` stands before `perl5`, and the fold `perl*` would have both.
      while (isGroup && first > from && (this.#names[first - 1] as Bytes).startsWith(words)) {
        const before = parts.pop() as Group | number;
        first = typeof before === 'number' ? before : before.from;
      }
      parts.push(isGroup ? this.#group(first, end, words as Bytes, { whole: false, depth: depth + 1 }) : start);
      start = isGroup ? end : start + 1;
      if (parts.length % HANDFUL.names === 0) yield;
    }
    // Many names without a word in common are divided by their letters.
    const isDivided = parts.length === to - from && parts.length >= MIN_DIVIDED && depth < DEEPEST;
    return isDivided ? [this.#group(from, to, prefix, { whole: true, depth: depth + 1 })] : parts;
  }

  /** A group that must be divided gets the whole common prefix; others get only as many words of it as are useful. */
  #group(from: number, to: number, words: Bytes, { whole, depth }: { whole: boolean; depth: number }): Group {
    const common = from === to ? ('' as Bytes) : this.#common(from, to);
    const longest = Math.min(common.length, Math.max(LONGEST_PREFIX, words.length));
    const prefix = whole ? common : wordsWithin(this.#names[from] ?? common, words.length, longest);
    return { from, to, prefix, cost: tokensOfStart(prefix), depth, classes: null };
  }

  /** Returns the common prefix. In a sorted list, it is that of the first and the last name. */
  #common(from: number, to: number): Bytes {
    const [first, last] = [this.#names[from] as Bytes, this.#names[to - 1] as Bytes];
    let length = 0;
    while (length < first.length && first.charCodeAt(length) === last.charCodeAt(length)) length++;
    return first.slice(0, length) as Bytes;
  }

  /** Finds the first index at which a condition holds, by an exponential and then a binary search. */
  #firstAfter(from: number, to: number, holds: (name: Bytes) => boolean): number {
    let [low, high] = [from, from + 1];
    while (high < to && !holds(this.#names[high] as Bytes)) {
      low = high;
      high += high - from;
    }
    high = Math.min(high, to);
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (holds(this.#names[middle] as Bytes)) high = middle;
      else low = middle;
    }
    return high;
  }
}

/** A prefix that says what is behind it. Fewer letters are the start of any word. */
const TELLING = /[^\W_]{3}|[^\W_][._-]$|[^\0-\x7f]{3}/;

/** Names handled between two steps; the tokens of each are counted once. */
export const COUNTED = 64;

/** Folds compared between two steps. */
const COMPARED = 2_000;

/** Appends a segment. Names that follow each other extend the last one: an arrangement is part of at most one other. */
export function push(segments: Segment[], segment: Segment): void {
  const last = segments.at(-1);
  if (last?.fold === null && segment.fold === null && last.to === segment.from) last.to = segment.to;
  else segments.push(segment);
}

/** Perf: a table, because every pair of classes needs it. */
const PLAIN_BOUNDS = Uint8Array.from({ length: 256 }, (_, byte) => (isPlainBound(byte) ? 1 : 0));

function byteAt(name: Bytes, at: number): number {
  return name.length === at ? NAME_END : name.charCodeAt(at);
}

function tokensOfStart(prefix: Bytes): number {
  return prefix === '' ? 0 : estimatedTokens(` ${prefix}`);
}

/** Used for choosing only; the final text is counted exactly. */
export function estimatedTokens(text: string): number {
  return text.length <= LONGEST_COUNTED ? tokensIn(text) : Math.ceil(text.length / BYTES_A_TOKEN);
}
