/** The standard dialect: `LS`, `Tree` and `Find`, in the Standard Envelope v1.0. */
import { defineDialect } from './dialect.ts';
import { find } from './find.ts';
import { ls, parseLs } from './standard-ls.ts';
import { parseTree, tree } from './tree.ts';

export const standard = defineDialect(
  ls,
  (ignore, _, tool) => ({
    rules: (tool === ls.tool.name ? parseLs({ ignore }) : parseTree({ ignore })).query.rules,
    notes: [],
  }),
  tree,
  find,
);
