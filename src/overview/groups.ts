/**
 * The names of one directory in groups, and the best way to write them at a price.
 *
 * A group is everything that begins with the same words (`test_frame_*`). Within a group, names are divided by their
 * next byte; neighbours that are not worth their tokens are folded together (`test_[a-f]*`). So folds never overlap, and
 * a name that matters stands between folds by itself.
 */
import type { Bytes } from '../workspace/bytes.ts';
import { type FoldName, isPlainBound } from './dense-name.ts';
import type { Series } from './series.ts';
import { HANDFUL, type Steps } from './steps.ts';
import { tokensIn } from './token-count.ts';
import { wordEnd, wordsWithin } from './words.ts';

/** What can be written of the sorted names from one index to another. All numbers are tokens. */
export interface Worths {
  /** The value of a name if it is written: its worth less its cost. */
  value(index: number): number;
  cost(index: number): number;
  /** The worth of all names in a range, at most. */
  worth(from: number, to: number): number;
}

/** A range of names: one by one, or as a fold. */
export interface Segment {
  readonly from: number;
  readonly to: number;
  readonly fold: Pick<FoldName, 'prefix' | 'range'> | null;
}

/** A way to write names, its value and its cost. */
export interface Arrangement {
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
  /** Groups, and indices of names that are in none. */
  parts: readonly (Group | number)[] | null;
}

/** The best arrangement of the first classes. */
interface State {
  readonly value: number;
  readonly cost: number;
  readonly before: State | null;
  readonly segments: readonly Segment[];
}

export class NameGroups {
  readonly #names: readonly Bytes[];
  readonly #all: Group;
  /** Whether one fold for all names would be no answer. */
  readonly #mustDivide: boolean;
  readonly #series: Series;

  constructor(names: readonly Bytes[], { mustDivide, series }: GroupOptions) {
    this.#names = names;
    this.#mustDivide = mustDivide;
    this.#series = series;
    this.#all = this.#group(0, names.length, '' as Bytes, { whole: mustDivide, depth: 0 });
  }

  *best(worths: Worths): Steps<Arrangement> {
    const { length } = this.#names;
    if (length === 0) return { value: 0, cost: 0, segments: [] };
    if (this.#mustDivide) return yield* this.#opened(this.#all, worths, true);
    return yield* this.#openedOrFolded(this.#all, worths);
  }

  *#openedOrFolded(group: Group, worths: Worths): Steps<Arrangement> {
    const { from, to, prefix, cost } = group;
    const folded = foldOf(from, to, { prefix, range: null }, cost + FOLD_MARKS, worths);
    const mayFold = to - from >= LEAST_FOLDED || this.#isLong(from, to);
    // At the best, every name is worth its tokens, of which each has one.
    if (mayFold && worths.worth(from, to) - 1 <= folded.value) return folded;
    const opened = this.#series.isOne(from, to)
      ? yield* this.#shown(from, to, worths)
      : yield* this.#opened(group, worths, false);
    return mayFold && folded.value > opened.value ? folded : opened;
  }

  *#opened(group: Group, worths: Worths, mustDivide: boolean): Steps<Arrangement> {
    group.classes ??= this.#classesOf(group);
    const { classes, prefix } = group;
    const states: State[] = [{ value: 0, cost: 0, before: null, segments: [] }];
    for (const [j, last] of classes.entries()) {
      let best: State | null = null;
      const take = (before: State, { value, cost, segments }: Arrangement) => {
        if (best !== null && before.value + value <= best.value) return;
        best = { value: before.value + value, cost: before.cost + cost, before, segments };
      };
      for (let i = j; i >= 0 && last.byte !== NAME_END; i--) {
        const first = classes[i] as ByteClass;
        if (first.byte === NAME_END || (mustDivide && i === 0 && j === classes.length - 1)) break;
        if (last.to - first.from < LEAST_FOLDED && !this.#isLong(first.from, last.to)) continue;
        const isOne = i === j;
        const name = isOne
          ? { prefix: this.#common(last.from, last.to), range: null }
          : { prefix, range: { from: first.byte, to: last.byte } };
        const cost = isOne ? tokensOfStart(name.prefix) + FOLD_MARKS : group.cost + marksOf(first.byte, last.byte);
        take(states[i] as State, foldOf(first.from, last.to, name, cost, worths));
      }
      const folded = best as State | null;
      const hope = (states[j] as State).value + worths.worth(last.from, last.to) - 1;
      if (folded === null || (hope > folded.value && !this.#series.cuts(last.from, last.to)))
        take(states[j] as State, yield* this.#each(last, group, worths));
      states.push(best as unknown as State);
      yield;
    }
    return joined(states.at(-1) as State);
  }

  /** The names of a class one by one, and its groups each in the best way. */
  *#each(one: ByteClass, group: Group, worths: Worths): Steps<Arrangement> {
    one.parts ??= yield* this.#partsOf(one, group);
    let [value, cost] = [0, 0];
    const segments: Segment[] = [];
    for (const [i, part] of one.parts.entries()) {
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
      classes.push({ from: start, to: end, byte, parts: null });
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
      if (parts.length % HANDFUL === 0) yield;
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

function foldOf(from: number, to: number, fold: Segment['fold'], cost: number, worths: Worths): Arrangement {
  const part = fold?.range === null ? FOLDED : FOLDED_BY_LETTERS;
  return { value: part * worths.worth(from, to) - cost, cost, segments: [{ from, to, fold }] };
}

/** Puts the segments of all states together, the first first. */
function joined(end: State): Arrangement {
  const states: State[] = [];
  for (let state: State | null = end; state !== null; state = state.before) states.push(state);
  const segments: Segment[] = [];
  for (const state of states.reverse()) for (const segment of state.segments) push(segments, segment);
  return { value: end.value, cost: end.cost, segments };
}

function push(segments: Segment[], segment: Segment): void {
  const last = segments.at(-1);
  if (last !== undefined && last.fold === null && segment.fold === null) {
    segments[segments.length - 1] = { from: last.from, to: segment.to, fold: null };
  } else segments.push(segment);
}

function marksOf(from: number, to: number): number {
  return isPlainBound(from) && isPlainBound(to) ? RANGE_MARKS : ESCAPED_RANGE_MARKS;
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
