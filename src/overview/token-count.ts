/**
 * Counts the tokens of a text as o200k_base does, without a tokenizer package and its two megabytes of tables. A budget is
 * a promise: the counts of a text's parts never add up to less than that of the whole.
 */
import { memoized } from '../names/memoized.ts';
import type { Steps } from '../workspace/steps.ts';
import { loadTable, tokensOfPiece } from './piece-cost.ts';
import { pieceEnd } from './pieces.ts';

/** Perf: names repeat the same words again and again. */
const tokensOfKnown = memoized(16_384, tokensOfPiece);
const LONGEST_KNOWN = 24;

/** More than one punctuation character at the end. */
const PUNCTUATION = /[^\p{L}\p{N}]{2}$/u;

export function tokensIn(text: string): number {
  return tokensFrom(text, 0, text.length).tokens;
}

/** Characters of a long text between two steps. */
const STRETCH = 1024;

export function* countTokens(text: string): Steps<number> {
  yield* loadTable();
  let tokens = 0;
  for (let at = 0; at < text.length; ) {
    const stretch = tokensFrom(text, at, at + STRETCH);
    tokens += stretch.tokens;
    at = stretch.end;
    yield;
  }
  return tokens;
}

/** Counts the pieces that start between two positions; `end` is the end of the last. */
function tokensFrom(text: string, start: number, before: number): { tokens: number; end: number } {
  let tokens = 0;
  let end = start;
  while (end < text.length && end < before) {
    const to = pieceEnd(text, end);
    tokens += (to - end > LONGEST_KNOWN ? tokensOfPiece : tokensOfKnown)(text.slice(end, to));
    end = to;
  }
  return { tokens, end };
}

/** Counts a written name with the space before it. The sum over all names and lines is never below the whole. */
export function tokensOfName(name: string): number {
  const text = ` ${name}`;
  const tokens = tokensIn(text);
  // A line break joins the punctuation before it. Rarely that splits a token, which costs more than the break alone.
  return PUNCTUATION.test(text) ? Math.max(tokens, tokensIn(`${text}\n`) - 1) : tokens;
}
