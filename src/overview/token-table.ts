/** The vocabulary of o200k_base, packed by scripts/token-table.js; `piece-cost.ts` describes it. */
import table from './token-table.json' with { type: 'json' };

export const PACKED = table;
