/**
 * The names of one directory in groups, and the best way to write them at a price.
 *
 * A group is everything that begins with the same words (`test_frame_*`). Within a group, names are divided by their
 * next byte; neighbours that are not worth their tokens are folded together (`test_[a-f]*`). So folds never overlap, and
 * a name that matters stands between folds by itself.
 */
import type { Bytes } from '../workspace/bytes.ts';
import { HANDFUL } from '../workspace/steps.ts';
import { type FoldName, isPlainBound } from './dense-name.ts';
import type { Series } from './series.ts';
import type { Steps } from './steps.ts';
import { tokensIn } from './token-count.ts';
import { wordEnd, wordsWithin } from './words.ts';

/** What can be written of the sorted names from one index to another. All numbers are tokens. */
export interface Worths {
  /** The worth of a single name, at most. */
  readonly most: number;
  /** The value of a name if it is written: its worth less its cost. */
  value(index: number): number;
  cost(index: number): number;
  /** The worth of all names in a range, at most. */
  worth(from: number, to: number): number;
}

/** A range of names: one by one, or as a fold. */
export interface Segment {
  readonly from: number;
  to: number;
  readonly fold: Pick<FoldName, 'prefix' | 'range'> | null;
}

/** A way to write names, its value and its cost. */
interface Arrangement {
  readonly value: number;
  readonly cost: number;
  readonly segments: readonly Segment[];
}

/** The worth of a fold, as a part of that of its names: it only shows where they are. Words show more than letters. */
const FOLDED = 0.12;
const FOLDED_BY_LETTERS = 0.06;

/** Fewer names are folded only if they are long. */
const LEAST_FOLDED = 3;
const LONG = 12;

/** So many names that begin with the same letter are divided by the next one. */
const LEAST_DIVIDED = 8;

/** Groups inside each other; names can be made that would give hundreds. */
const DEEPEST = 12;

/** Estimates of what the marks and the count of a fold cost. */
const FOLD_MARKS = 3;
const RANGE_MARKS = 6;
const ESCAPED_RANGE_MARKS = 16;

/** Bytes of a prefix that is not needed to tell folds apart. */
const LONGEST_PREFIX = 24;

/** In place of the next byte of a name that has ended. */
const NAME_END = -1;

/** Bytes of a name beyond which its tokens are estimated. */
const LONGEST_COUNTED = 64;
const BYTES_A_TOKEN = 3;

interface GroupOptions {
  readonly mustDivide: boolean;
  /** Names that are shown all or not at all. */
  readonly series: Series;
}

interface Group {
  readonly from: number;
  readonly to: number;
  readonly prefix: Bytes;
  readonly cost: number;
  /** Groups that it is in. */
  readonly depth: number;
  classes: readonly ByteClass[] | null;
}

/** Names that continue with the same byte. */
interface ByteClass {
  readonly from: number;
  readonly to: number;
  readonly byte: number;
  /** The tokens of a fold for it. */
  cost: number | null;
  /** Groups, and indices of names that are in none. */
  parts: readonly (Group | number)[] | null;
}

/** The best arrangement of the first classes: that of those before `first`, and then a fold, or one class by its names. */
interface State {
  readonly value: number;
  readonly cost: number;
  readonly first: number;
  readonly each: Arrangement | null;
}

export class NameGroups {
  readonly #names: readonly Bytes[];
  readonly #all: Group;
  /** Whether one fold for all names would be no answer. */
  readonly #mustDivide: boolean;
  readonly #series: Series;
  /** Folds that were compared since the last step. */
  #compared = 0;

  constructor(names: readonly Bytes[], { mustDivide, series }: GroupOptions) {
    this.#names = names;
    this.#mustDivide = mustDivide;
    this.#series = series;
    this.#all = this.#group(0, names.length, '' as Bytes, { whole: mustDivide, depth: 0 });
  }

  *best(worths: Worths): Steps<Arrangement> {
    if (this.#names.length === 0) return { value: 0, cost: 0, segments: [] };
    if (this.#mustDivide) return yield* this.#opened(this.#all, worths, true);
    return yield* this.#openedOrFolded(this.#all, worths);
  }

  *#openedOrFolded(group: Group, worths: Worths): Steps<Arrangement> {
    const { from, to, prefix, cost } = group;
    const foldCost = cost + FOLD_MARKS;
    const folded: Arrangement = {
      value: FOLDED * worths.worth(from, to) - foldCost,
      cost: foldCost,
      segments: [{ from, to, fold: { prefix, range: null } }],
    };
    const mayFold = to - from >= LEAST_FOLDED || this.#isLong(from, to);
    // A name has one token at least. Where none is worth that, there are only folds to choose from, and one costs least.
    // Of a series all names are shown, or none.
    const isSeries = this.#series.isOne(from, to);
    const least = isSeries ? to - from : 1;
    if (mayFold && (worths.most <= 1 || worths.worth(from, to) - least <= folded.value)) return folded;
    const opened = isSeries ? yield* this.#shown(from, to, worths) : yield* this.#opened(group, worths, false);
    return mayFold && folded.value > opened.value ? folded : opened;
  }

  /**
   * Perf: this is most of what a map costs. So only numbers are compared, and what was best is put together at the end.
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
        if (last.to - from < LEAST_FOLDED && !this.#isLong(from, last.to)) continue;
        if (i === j) last.cost ??= tokensOfStart(this.#common(from, last.to)) + FOLD_MARKS;
        const cost = i === j ? (last.cost as number) : group.cost + marksOf(byte, last.byte);
        const start = states[i] as State;
        const value = start.value + (i === j ? FOLDED : FOLDED_BY_LETTERS) * worths.worth(from, last.to) - cost;
        if (value <= best) continue;
        best = value;
        bestCost = start.cost + cost;
        first = i;
      }
      const mayPay = worths.most > 1 && before.value + worths.worth(last.from, last.to) - 1 > best;
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

  /** Puts the segments of the states that led to the last one together. */
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

  /** The names of a class one by one, and its groups each in the best way. */
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
      if (i % NAMES === NAMES - 1) yield;
    }
    return { value, cost, segments };
  }

  *#shown(from: number, to: number, worths: Worths): Steps<Arrangement> {
    let [value, cost] = [0, 0];
    for (let i = from; i < to; i++) {
      value += worths.value(i);
      cost += worths.cost(i);
      if (i % NAMES === NAMES - 1) yield;
    }
    return { value, cost, segments: [{ from, to, fold: null }] };
  }

  /** Perf: by their bytes, for to count the tokens of each would take longer than all the rest. */
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
      const isGroup = end - start >= LEAST_FOLDED && words.length > prefix.length && depth < DEEPEST;
      parts.push(isGroup ? this.#group(start, end, words as Bytes, { whole: false, depth: depth + 1 }) : start);
      start = isGroup ? end : start + 1;
      if (parts.length % HANDFUL.names === 0) yield;
    }
    // Many names without a word in common are divided by their letters.
    const isDivided = parts.length === to - from && parts.length >= LEAST_DIVIDED && depth < DEEPEST;
    return isDivided ? [this.#group(from, to, prefix, { whole: true, depth: depth + 1 })] : parts;
  }

  /** Those that must be divided have the whole of what they share; others as many words of it as tell something. */
  #group(from: number, to: number, words: Bytes, { whole, depth }: { whole: boolean; depth: number }): Group {
    const common = from === to ? ('' as Bytes) : this.#common(from, to);
    const longest = Math.min(common.length, Math.max(LONGEST_PREFIX, words.length));
    const prefix = whole ? common : wordsWithin(this.#names[from] ?? common, words.length, longest);
    return { from, to, prefix, cost: tokensOfStart(prefix), depth, classes: null };
  }

  /** Sorted names share what the first shares with the last. */
  #common(from: number, to: number): Bytes {
    const [first, last] = [this.#names[from] as Bytes, this.#names[to - 1] as Bytes];
    let length = 0;
    while (length < first.length && first.charCodeAt(length) === last.charCodeAt(length)) length++;
    return first.slice(0, length) as Bytes;
  }

  /** The first index from which on a condition holds, by a search that doubles its steps and then halves them. */
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

/** Names between two steps: the tokens of each are counted once. */
const NAMES = 64;

/** Folds that are compared between two steps. */
const COMPARED = 2_000;

/** An arrangement is a part of one other at most, so its last segment may grow. */
function push(segments: Segment[], segment: Segment): void {
  const last = segments.at(-1);
  if (last !== undefined && last.fold === null && segment.fold === null) last.to = segment.to;
  else segments.push(segment);
}

/** Perf: asked for every pair of classes. */
const PLAIN_BOUNDS = Uint8Array.from({ length: 256 }, (_, byte) => (isPlainBound(byte) ? 1 : 0));

function marksOf(from: number, to: number): number {
  return PLAIN_BOUNDS[from] === 1 && PLAIN_BOUNDS[to] === 1 ? RANGE_MARKS : ESCAPED_RANGE_MARKS;
}

function byteAt(name: Bytes, at: number): number {
  return name.length === at ? NAME_END : name.charCodeAt(at);
}

function tokensOfStart(prefix: Bytes): number {
  return prefix === '' ? 0 : estimatedTokens(` ${prefix}`);
}

/** For choosing only: the text that is written is counted. */
export function estimatedTokens(text: string): number {
  return text.length <= LONGEST_COUNTED ? tokensIn(text) : Math.ceil(text.length / BYTES_A_TOKEN);
}
