/**
 * Case-sensitive globs with braces, matched against names alone.
 *
 *     *  any run of characters, or none        {a,b}  one of these; they nest, and may be empty
 *     ?  one character
 *
 * Everything else is literal, including brackets and backslashes. Braces pair like parentheses. A pair without a comma
 * of its own is literal, and so is an unpaired brace: `{a{b,c}d}` matches `{abd}` and `{acd}`. A character is a code
 * point; a byte that is not valid UTF-8 counts as one. A lone surrogate matches nothing, because no name has one.
 */
import { ANY, CLOSE, COMMA, type Matcher, NO_CHARACTER, OPEN, plainMatcher, STAR, tokenMatcher } from './matcher.ts';

export function compileBraceGlob(pattern: string): Matcher {
  const tokens = globTokens(pattern);
  return (tokens.includes(OPEN) ? null : plainMatcher(pattern, /[*?]/)) ?? tokenMatcher(tokens);
}

/** Splits a pattern into tokens. Braces and commas count as literal until a closing brace shows that they are not. */
function globTokens(pattern: string): number[] {
  const tokens = Array.from(pattern, tokenOf);
  /** The positions of the open braces, each followed by those of its commas. */
  const open: number[] = [];
  for (const [at, token] of tokens.entries()) {
    if (token === 0x7b || token === 0x2c) open.push(at);
    if (token !== 0x7d) continue;
    const commas: number[] = [];
    let top = open.pop();
    while (top !== undefined && tokens[top] === 0x2c) {
      commas.push(top);
      top = open.pop();
    }
    if (top === undefined || commas.length === 0) continue;
    tokens[top] = OPEN;
    tokens[at] = CLOSE;
    for (const comma of commas) tokens[comma] = COMMA;
  }
  return tokens;
}

function tokenOf(character: string): number {
  if (character === '*') return STAR;
  if (character === '?') return ANY;
  return character.isWellFormed() ? (character.codePointAt(0) as number) : NO_CHARACTER;
}
