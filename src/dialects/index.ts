/** The dialects by name. A dialect is chosen by configuration, never guessed. */
import { codex } from './codex.ts';
import { gemini } from './gemini.ts';
import { mycode } from './mycode.ts';
import { standard } from './standard.ts';

export const dialects = { standard, gemini, mycode, codex } as const;

export type DialectName = keyof typeof dialects;

/** What a call in a dialect is answered with. */
export type AnswerOf<Name extends DialectName> = ReturnType<(typeof dialects)[Name]['fail']>;

export const DIALECT_NAMES = Object.keys(dialects) as DialectName[];

export function isDialectName(name: unknown): name is DialectName {
  return typeof name === 'string' && Object.hasOwn(dialects, name);
}
