/** The standard dialect: `LS` and `Tree`, in the Standard Envelope v1.0. */
import { defineDialect } from './dialect.ts';
import { ls, parseLs } from './standard-ls.ts';
import { tree } from './tree.ts';

export const standard = defineDialect(ls, (ignore) => ({ rules: parseLs({ ignore }).query.rules, notes: [] }), tree);
