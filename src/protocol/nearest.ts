// Finds the known words that a misspelt one probably stands for, for the "Did you mean …?" of a message.
import { foldText } from './words.ts';

/** The most letters that may be wrong. More are not a typing error, however long the word. */
const MAX_WRONG = 3;

/** Longer words are not compared: that would be slow, and nobody mistypes them. */
const LONGEST_WORD = 100;

/** Perf: words repeat. The most that are remembered, so that each is compared once. */
const MAX_SEEN = 50_000;

/** Collects the words that are near a misspelt one, from however many known words. */
export class NearWords {
  readonly #wanted: string[] | null;
  readonly #length: number;
  /** The most letters that may be wrong: a third of them, one in a short word. */
  readonly limit: number;
  readonly #distances = new Map<string, number>();
  readonly #seen = new Set<string>();

  constructor(word: string) {
    this.#length = word.length;
    // A letter has at most two UTF-16 units. With this check, a word of a megabyte need not be split first.
    const wanted = word.length > 2 * LONGEST_WORD ? null : letters(word);
    this.#wanted = wanted === null || wanted.length > LONGEST_WORD ? null : wanted;
    this.limit = Math.min(MAX_WRONG, Math.max(1, Math.floor((wanted?.length ?? 0) / 3)));
  }

  offer(candidate: string): void {
    const [wanted, limit] = [this.#wanted, this.limit];
    // Perf: the length alone rules most words out.
    if (wanted === null || Math.abs(candidate.length - this.#length) > 2 * limit) return;
    if (this.#seen.has(candidate)) return;
    if (this.#seen.size < MAX_SEEN) this.#seen.add(candidate);
    const offered = letters(candidate);
    const distance = editDistance(wanted, offered, limit);
    // Words with nothing in common are not near, however short they are: `x` is not a misspelt `a`.
    const isNear = distance <= limit && distance < Math.max(1, Math.min(wanted.length, offered.length));
    if (isNear) this.#distances.set(candidate, distance);
  }

  /** Returns those with at most `wrong` letters wrong, the nearest first. A tie goes to the earlier one. */
  nearest(most: number, wrong = this.limit): string[] {
    const near = [...this.#distances].filter(([, distance]) => distance <= wrong).sort(([, a], [, b]) => a - b);
    return near.slice(0, most).map(([candidate]) => candidate);
  }

  /** The same, but only those that are as near as the nearest. */
  closest(most: number, wrong: number): string[] {
    let least = wrong;
    for (const distance of this.#distances.values()) least = Math.min(least, distance);
    return this.nearest(most, least);
  }
}

/**
 * Returns at most `most` of the `known` words, the nearest first. Case, accents and how they are composed do not count.
 *
 * @example nearestFew('ofset', ['path', 'offset'], 3) // ['offset']
 */
export function nearestFew(word: string, known: Iterable<string>, most: number): string[] {
  const near = new NearWords(word);
  for (const candidate of known) near.offer(candidate);
  return near.nearest(most);
}

export function nearest(word: string, known: Iterable<string>): string | null {
  return nearestFew(word, known, 1)[0] ?? null;
}

/**
 * Returns the end of a message about an unknown word; '' if no known word is near.
 *
 * @example `Unknown option '--al'.${didYouMean('al', ['all'], (name) => `--${name}`)}` // … Did you mean '--all'?
 */
export function didYouMean(word: string, known: Iterable<string>, spell = (name: string) => name): string {
  const near = nearest(word, known);
  return near === null ? '' : ` Did you mean '${spell(near)}'?`;
}

/** The same, but returns all known words if none is near. */
export function didYouMeanOrKnown(word: string, known: readonly string[]): string {
  return didYouMean(word, known) || ` Known: ${known.join(', ')}.`;
}

/** Returns a line that suggests paths in place of a missing one; null if there are none. */
export function suggestedPaths(nearby: readonly string[]): string | null {
  return nearby.length === 0 ? null : `Did you mean ${nearby.map((one) => `'${one}'`).join(' or ')}?`;
}

/** Joins words as in `a, b or c`. */
export function alternatives(words: readonly string[]): string {
  return [words.slice(0, -1).join(', '), ...words.slice(-1)].filter(Boolean).join(' or ');
}

function letters(word: string): string[] {
  return Array.from(foldText(word));
}

/**
 * The Damerau-Levenshtein distance: the number of insertions, deletions, substitutions and swaps of neighbours that
 * turn one word into the other. Only the cells within `limit` of the diagonal are filled, so the time is proportional
 * to the length. For a distance above the limit, returns some number above it.
 *
 * Perf: there may be thousands of known names. Common beginnings and ends cost nothing, and the rows are reused.
 */
function editDistance(whole: readonly string[], other: readonly string[], limit: number): number {
  let start = 0;
  let [fromEnd, toEnd] = [whole.length, other.length];
  if (Math.abs(fromEnd - toEnd) > limit) return Number.POSITIVE_INFINITY;
  while (start < fromEnd && start < toEnd && whole[start] === other[start]) start++;
  while (fromEnd > start && toEnd > start && whole[fromEnd - 1] === other[toEnd - 1]) {
    fromEnd--;
    toEnd--;
  }
  const [height, width] = [fromEnd - start, toEnd - start];
  let [beforeLast, last, current] = ROWS;
  last.fill(UNREACHED);
  for (let column = 0; column <= Math.min(limit, width); column++) last[column] = column;
  for (let row = 0; row < height; row++) {
    const letter = whole[start + row];
    let nearest = UNREACHED;
    current.fill(UNREACHED);
    if (row + 1 <= limit) current[0] = nearest = row + 1;
    const end = Math.min(width, row + 1 + limit);
    for (let column = Math.max(1, row + 1 - limit); column <= end; column++) {
      const offered = other[start + column - 1];
      const isSwap =
        row > 0 && column > 1 && letter === other[start + column - 2] && offered === whole[start + row - 1];
      const cost = Math.min(
        (last[column - 1] as number) + (letter === offered ? 0 : 1),
        isSwap ? (beforeLast[column - 2] as number) + 1 : UNREACHED,
        (last[column] as number) + 1,
        (current[column - 1] as number) + 1,
      );
      current[column] = cost;
      nearest = Math.min(nearest, cost);
    }
    if (nearest > limit) return Number.POSITIVE_INFINITY;
    [beforeLast, last, current] = [last, current, beforeLast];
  }
  return last[width] as number;
}

/** The value of an unfilled cell, beyond any limit. */
const UNREACHED = 0xff;
const row = () => new Uint8Array(LONGEST_WORD + MAX_WRONG + 2);
const ROWS = [row(), row(), row()] as const;
