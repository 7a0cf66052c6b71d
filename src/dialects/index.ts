/** The dialects by name. */
import { codex } from './codex.ts';
import { gemini } from './gemini.ts';
import { mycode } from './mycode.ts';
import type { DialectName } from './names.ts';
import { standard } from './standard.ts';

export const dialects = { standard, gemini, mycode, codex } as const satisfies Record<DialectName, unknown>;

/** What a call in a dialect is answered with. */
export type AnswerOf<Name extends DialectName> = ReturnType<(typeof dialects)[Name]['fail']>;
