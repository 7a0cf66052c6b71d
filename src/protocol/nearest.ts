// The known word that a misspelt one was probably meant to be, for the "Did you mean …?" of a message.

/**
 * The nearest of `known`, or null when none is near enough to be worth suggesting: a third of the word's length may be
 * wrong, and one letter in a short word. A word that differs in case alone always wins; a tie goes to the earlier one.
 *
 * @example nearest('ofset', ['path', 'offset']) // 'offset'
 */
export function nearest(word: string, known: readonly string[]): string | null {
  const wanted = letters(word);
  const limit = Math.max(1, Math.floor(wanted.length / 3));
  let best: string | null = null;
  let bestDistance = limit + 1;
  for (const candidate of known) {
    const offered = letters(candidate);
    // Perf: the length alone rules most words out, and keeps a word of a megabyte from filling a table.
    if (Math.abs(offered.length - wanted.length) > limit) continue;
    const distance = editDistance(wanted, offered);
    // Nothing in common is not near, however short the words are: `x` is not a misspelt `a`.
    if (distance >= Math.max(1, Math.min(wanted.length, offered.length)) || distance >= bestDistance) continue;
    best = candidate;
    bestDistance = distance;
  }
  return best;
}

function letters(word: string): string[] {
  return Array.from(word.toLowerCase());
}

/** Damerau-Levenshtein: how many insertions, deletions, substitutions and swaps of neighbours lead from one to the other. */
function editDistance(from: readonly string[], to: readonly string[]): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (const [row, letter] of from.entries()) {
    const current = [row + 1];
    for (const [column, other] of to.entries()) {
      const substituted = at(last, column) + (letter === other ? 0 : 1);
      const swapped =
        letter === to[column - 1] && other === from[row - 1]
          ? at(beforeLast, column - 1) + 1
          : Number.POSITIVE_INFINITY;
      current.push(Math.min(substituted, swapped, at(last, column + 1) + 1, at(current, column) + 1));
    }
    beforeLast = last;
    last = current;
  }
  return at(last, to.length);
}

/** A cell that is outside the table can be reached at no cost whatever. */
function at(row: readonly number[], column: number): number {
  return row[column] ?? Number.POSITIVE_INFINITY;
}
