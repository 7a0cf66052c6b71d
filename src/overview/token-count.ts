/**
 * What a text costs a model, without the model's tokenizer and its two megabytes of tables.
 *
 * The number is the one that o200k_base counts. A budget is a promise, so the parts of a text, which may cost less when
 * they stand together, never sum up to less than the whole.
 */
import { tokensOfPiece } from './piece-cost.ts';
import { pieceEnd } from './pieces.ts';
import type { Steps } from './steps.ts';

/** Perf: names are made of the same words again and again. Forgotten as a whole when it is full. */
const known = new Map<string, number>();
const MOST_KNOWN = 16_384;
const LONGEST_KNOWN = 24;

/** At the end, and more than one character. */
const PUNCTUATION = /[^\p{L}\p{N}]{2}$/u;

/** As many tokens as o200k_base makes of the text. */
export function tokensIn(text: string): number {
  return tokensFrom(text, 0, text.length).tokens;
}

/** Characters of a long text between two steps. */
const STRETCH = 1024;

/** The same for a text of any length. */
export function* countTokens(text: string): Steps<number> {
  let tokens = 0;
  for (let at = 0; at < text.length; ) {
    const stretch = tokensFrom(text, at, at + STRETCH);
    tokens += stretch.tokens;
    at = stretch.end;
    yield;
  }
  return tokens;
}

/** Of the pieces that start between two positions; `end` is where the last of them does. */
function tokensFrom(text: string, start: number, before: number): { tokens: number; end: number } {
  let tokens = 0;
  let end = start;
  while (end < text.length && end < before) {
    const to = pieceEnd(text, end);
    tokens += tokensOf(text.slice(end, to));
    end = to;
  }
  return { tokens, end };
}

/** A name, as it is written, with the space before it. The sum over all names and lines is never below the whole. */
export function tokensOfName(name: string): number {
  return withBreak(` ${name}`);
}

/**
 * What a line costs besides its names: its break, its indent but for the space that belongs to the first name, and
 * without an indent what the first name costs more than after a space.
 */
export function tokensOfLine(depth: number, first: string): number {
  if (depth === 0) return 1 + Math.max(0, withBreak(first) - tokensOfName(first));
  return 1 + tokensOf(' '.repeat(depth - 1));
}

/** A line break joins the punctuation before it. Rarely that cuts a token apart, which costs more than the break alone. */
function withBreak(text: string): number {
  const tokens = tokensIn(text);
  return PUNCTUATION.test(text) ? Math.max(tokens, tokensIn(`${text}\n`) - 1) : tokens;
}

function tokensOf(piece: string): number {
  const before = known.get(piece);
  if (before !== undefined) return before;
  const tokens = tokensOfPiece(piece);
  if (piece.length > LONGEST_KNOWN) return tokens;
  if (known.size >= MOST_KNOWN) known.clear();
  known.set(piece, tokens);
  return tokens;
}
