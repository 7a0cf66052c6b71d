/** All dialects at once, for programs. */
import { codex } from './codex.ts';
import { gemini } from './gemini.ts';
import { mycode } from './mycode.ts';
import { standard } from './standard.ts';
import type { DialectName, Dialects } from './table.ts';

/** All dialects by their names. */
export const dialects = { standard, gemini, mycode, codex } as const satisfies Dialects;

/** The answer object of a dialect. */
export type AnswerOf<Name extends DialectName> = Awaited<ReturnType<(typeof dialects)[Name]['call']>>['answer'];
