/** The vocabulary of o200k_base, which scripts/token-table.js writes into the file beside this one. */
import table from './token-table.json' with { type: 'json' };

/** The tokens, sorted: how many bytes are those of the token before, and the rest; control characters as 0xF0 + n. */
export const TOKENS: string = table.tokens;

/** When each token is merged, the lowest first: the low bytes of all levels, then the high bytes. */
export const LEVELS: string = table.levels;

/** The bytes of all tokens. */
export const LENGTH: number = table.length;
