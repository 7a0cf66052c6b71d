// The known words that a misspelt one was probably meant to be, for the "Did you mean …?" of a message.

/** More wrong letters than this are no slip of the hand, however long the word. */
const MOST_WRONG = 3;

/** Longer words are not compared: it would take long, and nobody misspells them. */
const LONGEST = 100;

/**
 * The nearest of `known`, the best first, at most `most`; none that is not near enough to be worth suggesting: a third
 * of the word's length may be wrong, one letter in a short word. A word that differs in case alone always wins; a tie
 * goes to the earlier one.
 *
 * @example nearestFew('ofset', ['path', 'offset'], 3) // ['offset']
 */
export function nearestFew(word: string, known: Iterable<string>, most: number): string[] {
  // A letter has two units at most; this way a word of a megabyte is not taken apart first.
  if (word.length > 2 * LONGEST) return [];
  const wanted = letters(word);
  if (wanted.length > LONGEST) return [];
  const limit = Math.min(MOST_WRONG, Math.max(1, Math.floor(wanted.length / 3)));
  const near: { candidate: string; distance: number }[] = [];
  for (const candidate of known) {
    // Perf: the length alone rules most words out.
    if (Math.abs(candidate.length - word.length) > 2 * limit) continue;
    const offered = letters(candidate);
    const distance = editDistance(wanted, offered, limit);
    // Nothing in common is not near, however short the words are: `x` is not a misspelt `a`.
    const isNear = distance <= limit && distance < Math.max(1, Math.min(wanted.length, offered.length));
    if (isNear) near.push({ candidate, distance });
  }
  return near
    .toSorted((a, b) => a.distance - b.distance)
    .slice(0, most)
    .map(({ candidate }) => candidate);
}

export function nearest(word: string, known: Iterable<string>): string | null {
  return nearestFew(word, known, 1)[0] ?? null;
}

/**
 * The end of a message about an unknown word; empty when nothing is near.
 *
 * @example `Unknown option '--al'.${didYouMean('al', ['all'], (name) => `--${name}`)}` // … Did you mean '--all'?
 */
export function didYouMean(word: string, known: Iterable<string>, spell = (name: string) => name): string {
  const near = nearest(word, known);
  return near === null ? '' : ` Did you mean '${spell(near)}'?`;
}

function letters(word: string): string[] {
  return Array.from(word.toLowerCase());
}

/**
 * Damerau-Levenshtein: how many insertions, deletions, substitutions and swaps of neighbours lead from one to the
 * other. Only the cells within `limit` of the diagonal are filled, so it takes time in proportion to the length; a
 * distance beyond the limit is Infinity.
 */
function editDistance(from: readonly string[], to: readonly string[], limit: number): number {
  if (Math.abs(from.length - to.length) > limit) return Number.POSITIVE_INFINITY;
  let beforeLast: number[] = [];
  let last: number[] = [];
  for (let column = 0; column <= Math.min(limit, to.length); column++) last[column] = column;
  for (const [row, letter] of from.entries()) {
    const current: number[] = [];
    if (row + 1 <= limit) current[0] = row + 1;
    const end = Math.min(to.length, row + 1 + limit);
    for (let column = Math.max(1, row + 1 - limit); column <= end; column++) {
      const other = to[column - 1];
      const substituted = at(last, column - 1) + (letter === other ? 0 : 1);
      const isSwap = letter === to[column - 2] && other === from[row - 1];
      const swapped = isSwap ? at(beforeLast, column - 2) + 1 : Number.POSITIVE_INFINITY;
      current[column] = Math.min(substituted, swapped, at(last, column) + 1, at(current, column - 1) + 1);
    }
    beforeLast = last;
    last = current;
  }
  return at(last, to.length);
}

/** A cell that was not filled cannot be reached at any cost worth counting. */
function at(row: readonly number[], column: number): number {
  return row[column] ?? Number.POSITIVE_INFINITY;
}
