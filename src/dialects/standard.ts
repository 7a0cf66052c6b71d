/** The standard dialect: `LS` and `Tree`, in the Standard Envelope v1.0. */
import { defineDialect } from './dialect.ts';
import { ls, parseLs } from './standard-ls.ts';
import { parseTree, tree } from './tree.ts';

export const standard = defineDialect(
  ls,
  (ignore, _, tool) => ({ rules: (tool === ls.tool.name ? parseLs : parseTree)({ ignore }).query.rules, notes: [] }),
  tree,
);
