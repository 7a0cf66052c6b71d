/** The vocabulary of o200k_base, which scripts/token-table.js writes into the file beside this one. */
import table from './token-table.json' with { type: 'json' };

/** Words, sorted: how many bytes are those of the word before, and the rest; control characters as 0xF0 + n. */
export const WORDS: string = table.words;

/** Which tokens each word stands for, a bit for each: itself, behind a space, with a capital, and with both. */
export const VARIANTS: string = table.variants;

/** When each token is merged, the lowest first: the low bytes, then the high bytes; by length and variants of the words. */
export const LEVELS: string = table.levels;

/** The bytes of all words. */
export const LENGTH: number = table.length;
