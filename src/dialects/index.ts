/** The dialects by name. */
import { codex } from './codex.ts';
import { type DialectTool, listingTool } from './dialect.ts';
import { gemini } from './gemini.ts';
import { mycode } from './mycode.ts';
import type { DialectName } from './names.ts';
import { standard } from './standard.ts';
import { tree } from './tree.ts';

export const dialects = { standard, gemini, mycode, codex } as const satisfies Record<DialectName, unknown>;

/** What a call in a dialect is answered with. */
export type AnswerOf<Name extends DialectName> = ReturnType<(typeof dialects)[Name]['fail']>;

/** Each dialect's tools; the one that lists a directory first. */
export const tools: Readonly<Record<DialectName, readonly [DialectTool<unknown>, ...DialectTool<unknown>[]]>> = {
  standard: [listingTool(standard), tree as DialectTool<unknown>],
  gemini: [listingTool(gemini) as DialectTool<unknown>],
  mycode: [listingTool(mycode) as DialectTool<unknown>],
  codex: [listingTool(codex) as DialectTool<unknown>],
};
